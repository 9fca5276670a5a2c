/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/fuzz_files.h"
#include "tests/harness/same_catalog.h"
#include "tests/unit/tar.h"
#include <sys/mman.h>

#define BETWEEN ((char)0xff)

/* Whether the path can be that of a file: no part is empty, "." or "..". */
static bool is_path(struct pmuq_str path)
{
	struct pmuq_str part;

	if (!path.n || memchr(path.p, '\0', path.n))
		return false;
	while (str_next(&path, '/', &part))
		if (!part.n || str_eq(part, STR(".")) || str_eq(part, STR("..")))
			return false;
	return path.n == 0;
}

static bool is_below(struct pmuq_str path, struct pmuq_str dir)
{
	return path.n > dir.n && str_starts(path, dir) && path.p[dir.n] == '/';
}

/* The file with that path, or a new one; NULL if another file is a part of its path, or if it is a
 * part of the path of others. */
static struct fuzz_file *find(struct fuzz_files *files, char type, struct pmuq_str path)
{
	struct fuzz_file *found = NULL;

	for (size_t i = 0; i < files->n; i++) {
		struct fuzz_file *file = &files->v[i];
		struct pmuq_str other = str_of(file->path);

		if (str_eq(path, other))
			found = file;
		else if (file->type != '-' && file->type != 'd' && is_below(path, other))
			return NULL;
		else if (file->type != '-' && type != 'd' && is_below(other, path))
			return NULL;
	}
	if (found || files->n == FUZZ_FILES_MAX || type == '-')
		return found;
	return &files->v[files->n++];
}

void fuzz_files_put(struct fuzz_files *files, char type, struct pmuq_str path, struct pmuq_str text)
{
	struct pq_buf full = PQ_BUF_NULL;
	struct fuzz_file *file;

	if (path.n && path.p[0] == '@') {
		pq_buf_add(&full, STR(DEVICES));
		path = str_part(path, 1, path.n);
	}
	pq_buf_add(&full, path);
	path = pq_buf_str(&full);
	file = path.n < FUZZ_PATH_BYTES && is_path(path) ? find(files, type, path) : NULL;
	if (file) {
		file->type = type;
		file->text = text;
		memcpy(file->path, path.p, path.n);
		file->path[path.n] = '\0';
	}
	pq_buf_free(&full);
}

/* A link must have a target that a tar can contain. */
static bool is_record(char type, struct pmuq_str text)
{
	if (type == 'l')
		return text.n && text.n < FUZZ_PATH_BYTES && !memchr(text.p, '\0', text.n);
	return type && strchr("fdp-", type);
}

void fuzz_files_read(struct fuzz_files *files, struct pmuq_str input)
{
	struct pmuq_str record, path, text;

	while (str_next(&input, BETWEEN, &record)) {
		if (!record.n)
			continue;
		str_cut(str_part(record, 1, record.n), '\n', &path, &text);
		if (is_record(record.p[0], text))
			fuzz_files_put(files, record.p[0], path, text);
	}
}

struct fuzz_tar fuzz_tar_of_bytes(struct pmuq_str bytes)
{
	struct fuzz_tar tar = { .fd = memfd_create("fuzz", MFD_CLOEXEC) };

	FUZZ_LAW(tar.fd >= 0 && write(tar.fd, bytes.p, bytes.n) == (ssize_t)bytes.n);
	FUZZ_LAW(asprintf(&tar.path, "/proc/self/fd/%d", tar.fd) > 0);
	return tar;
}

static char tar_type(char type)
{
	return type == 'f' ? '0' : type == 'd' ? '5' : type == 'l' ? '2' : '6';
}

static void add_file(struct pq_buf *bytes, const struct fuzz_file *file)
{
	char target[FUZZ_PATH_BYTES] = "";
	struct tar_entry entry = { .name = file->path,
				   .type = tar_type(file->type),
				   .text = target };

	if (file->type == '-')
		return;
	if (file->type == 'l')
		memcpy(target, file->text.p, file->text.n);
	tar_add_bytes(bytes, &entry, file->text);
}

struct fuzz_tar fuzz_tar_of_files(const struct fuzz_files *files)
{
	struct pq_buf bytes = PQ_BUF_NULL;
	struct fuzz_tar tar;

	for (size_t i = 0; i < files->n; i++)
		add_file(&bytes, &files->v[i]);
	tar_end(&bytes);
	tar = fuzz_tar_of_bytes(pq_buf_str(&bytes));
	pq_buf_free(&bytes);
	return tar;
}

void fuzz_tar_close(struct fuzz_tar *tar)
{
	close(tar->fd);
	free(tar->path);
}

static void make_file(const struct tree *tree, const struct fuzz_file *file)
{
	auto_free char *target = NULL;

	if (file->type == 'f')
		tree_bytes(tree, file->path, file->text.p, file->text.n);
	else if (file->type == 'd')
		tree_dir(tree, file->path);
	else if (file->type == 'p')
		tree_fifo(tree, file->path);
	if (file->type != 'l')
		return;
	target = strndup(file->text.p, file->text.n);
	FUZZ_LAW(target);
	tree_link(tree, file->path, target);
}

struct tree fuzz_tree_of_files(const struct fuzz_files *files)
{
	struct tree tree;

	tree_make(&tree);
	for (size_t i = 0; i < files->n; i++)
		make_file(&tree, &files->v[i]);
	return tree;
}

struct pmuq_catalog *fuzz_catalog_of(const char *path, struct pmuq_error **reterr)
{
	struct pmuq_catalog *catalog = NULL;
	struct pmuq_source *source = NULL;
	int r = pmuq_source_open_tree(path, &source, reterr);

	if (r == 0)
		r = pmuq_source_read_catalog(source, &catalog, reterr);
	pmuq_source_free(source);
	FUZZ_LAW((r == 0) == (catalog != NULL));
	FUZZ_LAW((r == 0) == (*reterr == NULL));
	if (*reterr)
		fuzz_error(r, *reterr);
	return catalog;
}

void fuzz_same_catalog(const char *what, const struct pmuq_catalog *a, const struct pmuq_catalog *b,
		       const char *const *facts)
{
	auto_free char *difference = catalog_difference_but(a, b, facts);

	if (!difference)
		return;
	fprintf(stderr, "%s: %s\n", what, difference);
	fuzz_broken(__FILE__, __LINE__, "the two machines are the same");
}

void fuzz_law_of_capture(const char *path, const struct pmuq_catalog *catalog)
{
	static const char *const none[] = { NULL };
	const struct pmuq_capture_options options = { .size = sizeof(options),
						      .keeps_hostname = true };
	struct pmuq_capture *capture = NULL;
	struct pmuq_source *source = NULL;
	struct pmuq_error *error = NULL;
	struct pmuq_catalog *again;
	struct tree tree;
	char *to;

	tree_make(&tree);
	to = tree_path(&tree, "captured.tar");
	FUZZ_LAW(pmuq_source_open_tree(path, &source, NULL) == 0);
	FUZZ_LAW(pmuq_capture_take(source, &options, &capture, NULL) == 0);
	FUZZ_LAW(pmuq_capture_write(capture, to, NULL) == 0);
	again = fuzz_catalog_of(to, &error);
	FUZZ_LAW(again);
	fuzz_same_catalog("captured", catalog, again, none);
	pmuq_catalog_free(again);
	pmuq_capture_free(capture);
	pmuq_source_free(source);
	free(to);
	tree_remove(&tree);
}
