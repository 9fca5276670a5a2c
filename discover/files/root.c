/* SPDX-License-Identifier: MIT */
/*
 * Asks memory first, where there is any (memory.h), then the files (files.h), and lets a recording
 * know what came of it.
 */
#include "discover/files/root.h"
#include "discover/capture/manifest.h"
#include "discover/files/files.h"
#include "discover/tar/tar.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#define ROOT_FLAGS (O_PATH | O_CLOEXEC | O_DIRECTORY)

/* PMU, directory and file, none of them longer than PQ_NAME_MAX_BYTES: with this in hand from the
 * start, making a path cannot fail. */
#define PATH_ROOM_BYTES 1024u

/* Memory has nothing to say. */
#define ASK_FILES 2

void pq_handle_close(struct pq_handle *handle)
{
	pq_closep(&handle->fd);
	*handle = PQ_NO_HANDLE;
}

static int begin(struct pq_root *root, uint64_t *opens, struct pmuq_error **reterr)
{
	*root = (struct pq_root){ .top = PQ_NO_HANDLE,
				  .opens = opens,
				  .room = PQ_FILE_MAX_BYTES + 1 };
	root->buf = malloc(root->room);
	pq_buf_char(&root->path, '\0', PATH_ROOM_BYTES);
	return root->buf && !root->path.failed ? 0 : pq_fail_memory(reterr);
}

int pq_root_lack(struct pq_root *root, int errnum)
{
	root->errnum = errnum;
	root->lack = errnum;
	return errnum == ENOMEM ? -PMUQ_E_MEMORY : -PMUQ_E_TOO_MANY_FILES;
}

int pq_root_check(struct pq_root *root, struct pmuq_error **reterr)
{
	int errnum = root->lack;

	root->lack = 0;
	if (!errnum)
		return 0;
	if (errnum == ENOMEM)
		return pq_fail_memory(reterr);
	pq_fail(reterr, PMUQ_E_TOO_MANY_FILES, "the machine cannot be read: %s",
		pq_root_why(-PMUQ_E_TOO_MANY_FILES, errnum));
	pq_error_hint(reterr, errnum == EMFILE
				      ? "close files, or raise the limit (ulimit -n), and ask again"
				      : "close files, or raise fs.file-max, and ask again");
	pq_error_errno(reterr, errnum);
	return -PMUQ_E_TOO_MANY_FILES;
}

/* Too few descriptors say nothing of what is at the path. */
static int no_root(struct pq_root *root, const char *path, int errnum, struct pmuq_error **reterr)
{
	pq_files_judge(root, errnum);
	if (root->lack)
		return pq_root_check(root, reterr);
	pq_fail(reterr, PMUQ_E_NO_ROOT, "cannot open '%s': %s", path,
		errnum == ENOENT    ? "it does not exist"
		: errnum == ENOTDIR ? "it is no directory, and no file that could be a tar"
				    : pq_root_why(-PMUQ_E_UNREADABLE, errnum));
	pq_error_origin(reterr, str_of(path));
	pq_error_errno(reterr, errnum);
	return -PMUQ_E_NO_ROOT;
}

static int open_dir(struct pq_root *root, const char *path, struct pmuq_error **reterr)
{
	root->top.fd = open(path, ROOT_FLAGS);
	return root->top.fd < 0 ? no_root(root, path, errno, reterr) : 0;
}

static int open_archive(struct pq_root *root, const char *path, struct pmuq_error **reterr)
{
	auto_close int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	int r;

	if (fd < 0)
		return no_root(root, path, errno, reterr);
	*root->opens += 1;
	r = pq_tar_read(&root->memory, fd, path, reterr);
	if (r < 0)
		return r;
	root->is_memory = true;
	root->top.node = root->memory.top;
	return 0;
}

int pq_root_open_live(struct pq_root *root, uint64_t *opens, struct pmuq_error **reterr)
{
	int r = begin(root, opens, reterr);

	if (r == 0)
		r = open_dir(root, "/", reterr);
	if (r < 0)
		pq_root_close(root);
	root->is_live = true;
	return r;
}

int pq_root_open_tree(struct pq_root *root, const char *path, uint64_t *opens,
		      struct pmuq_error **reterr)
{
	struct stat st;
	int r = begin(root, opens, reterr);

	root->has_openat2 = true;
	if (r == 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode))
		r = open_archive(root, path, reterr);
	else if (r == 0)
		r = open_dir(root, path, reterr);
	if (r == 0)
		r = pq_manifest_read(root, path, reterr);
	if (r < 0)
		pq_root_close(root);
	return r;
}

void pq_root_close(struct pq_root *root)
{
	pq_handle_close(&root->top);
	pq_memory_free(&root->memory);
	free(root->buf);
	root->buf = NULL;
	free(root->entries);
	root->entries = NULL;
	pq_buf_free(&root->path);
}

const char *pq_root_why(int code, int errnum)
{
	static const struct {
		int errnum;
		const char *text;
	} reasons[] = {
		{ EACCES, "permission denied" },
		{ EPERM, "not permitted" },
		{ EIO, "the driver reports an input/output error" },
		{ ETIMEDOUT, "the device did not answer in time" },
		{ ENODEV, "the device is gone" },
		{ EFBIG, "the driver says that the answer is too large" },
		{ EMFILE, "this process has too many files open" },
		{ ENFILE, "the system has too many files open" },
		{ ELOOP, "a symbolic link, which is not followed here" },
	};

	for (size_t i = 0; i < COUNT(reasons); i++)
		if (errnum == reasons[i].errnum)
			return reasons[i].text;
	if (code == -PMUQ_E_TOO_LARGE_FILE)
		return "larger than 64 KiB";
	if (code == -PMUQ_E_REFUSED_FILE)
		return "not a regular file";
	return "cannot be read";
}

/* What memory knows of the path: of a tar all, of a captured directory what is marked there. A node
 * that only leads to marks goes with what the files answer. */
static int look(struct pq_root *root, struct pq_handle dir, const char *path, enum pq_within within,
		struct pq_node **ret)
{
	struct pq_node *node = NULL;
	int r;

	*ret = NULL;
	if (!dir.node)
		return ASK_FILES;
	r = pq_memory_look(&root->memory, dir.node, str_of(path), within, &node, &root->errnum);
	*ret = node;
	if (root->is_memory || r < 0)
		return r;
	return r == 0 && node->is_known ? 0 : ASK_FILES;
}

/* A failure as a mark, in the place of what could not be had. */
static void record_failure(struct pq_root *root, struct pq_node *node, enum pq_kind kind, int r)
{
	if (root->lack || !node)
		return;
	/* Made just now, or by a listing. */
	if (!node->is_known && (node->kind == PQ_KIND_DIR))
		node->kind = kind;
	node->is_known = true;
	node->ret = r;
	node->errnum = root->errnum;
}

static void record_dir(struct pq_root *root, struct pq_handle dir, const char *path, int r,
		       struct pq_handle *found)
{
	struct pq_node *node;

	if (!root->record || !dir.record || r > 0)
		return;
	node = pq_memory_make(root->record, dir.record, str_of(path));
	if (r < 0) {
		record_failure(root, node, PQ_KIND_DIR, r);
		return;
	}
	found->record = node;
	if (!node)
		return;
	node->kind = PQ_KIND_DIR;
	node->is_known = true;
}

/* Ends each way of reading: `r` is what memory said, else what the files did. */
static int recorded(struct pq_root *root, struct pq_handle dir, const char *path, int r,
		    const struct pmuq_str *text)
{
	if (!root->record || !dir.record || r > 0)
		return r;
	if (r == 0)
		pq_memory_put(root->record, dir.record, str_of(path), *text);
	else
		record_failure(root, pq_memory_make(root->record, dir.record, str_of(path)),
			       PQ_KIND_FILE, r);
	return r;
}

static int enter_node(struct pq_root *root, const struct pq_node *node)
{
	root->errnum = node->ret ? node->errnum : ENOTDIR;
	if (node->ret)
		return node->ret;
	return node->kind == PQ_KIND_DIR ? 0 : PQ_NONE;
}

int pq_root_enter(struct pq_root *root, const char *path, struct pq_handle *ret)
{
	struct pq_handle found = PQ_NO_HANDLE;
	int r = look(root, root->top, path, PQ_WITHIN_ROOT, &found.node);

	if (r == ASK_FILES)
		r = pq_files_enter(root, root->top.fd, path, &found.fd);
	else if (r == 0)
		r = enter_node(root, found.node);
	record_dir(root, root->top, path, r, &found);
	if (r == 0)
		*ret = found;
	return r;
}

int pq_root_enter_at(struct pq_root *root, struct pq_handle dir, const char *name, bool follow,
		     struct pq_handle *ret)
{
	struct pq_handle found = PQ_NO_HANDLE;
	int r = look(root, dir, name, PQ_WITHIN_NO_LINKS, &found.node);

	if (r == ASK_FILES)
		r = pq_files_enter_at(root, dir.fd, name, follow, &found.fd);
	else if (r == 0)
		r = enter_node(root, found.node);
	record_dir(root, dir, name, r, &found);
	if (r == 0)
		*ret = found;
	return r;
}

static int read_node(struct pq_root *root, const struct pq_node *node, size_t max_bytes,
		     struct pmuq_str *ret)
{
	if (node->ret) {
		root->errnum = node->errnum;
		return node->ret;
	}
	if (node->kind != PQ_KIND_FILE)
		return pq_files_judge(root, node->kind == PQ_KIND_LINK ? ELOOP : ENXIO);
	root->errnum = 0;
	if (node->text.n > max_bytes)
		return -PMUQ_E_TOO_LARGE_FILE;
	*ret = node->text;
	return 0;
}

int pq_root_read(struct pq_root *root, const char *path, size_t max_bytes, struct pmuq_str *ret)
{
	struct pq_node *node;
	int r = look(root, root->top, path, PQ_WITHIN_ROOT, &node);

	if (r == ASK_FILES)
		r = pq_files_read(root, root->top.fd, path, PQ_WITHIN_ROOT, max_bytes, ret);
	else if (r == 0)
		r = read_node(root, node, max_bytes, ret);
	return recorded(root, root->top, path, r, ret);
}

int pq_root_read_head(struct pq_root *root, const char *path, struct pmuq_str *ret)
{
	struct pq_node *node;
	int r = look(root, root->top, path, PQ_WITHIN_ROOT, &node);

	if (r == ASK_FILES)
		r = pq_files_read_head(root, root->top.fd, path, ret);
	else if (r == 0)
		r = read_node(root, node, SIZE_MAX, ret);
	if (r == 0 && ret->n > PQ_FILE_MAX_BYTES + 1)
		ret->n = PQ_FILE_MAX_BYTES + 1;
	return recorded(root, root->top, path, r, ret);
}

int pq_root_read_listed(struct pq_root *root, struct pq_handle dir, const char *name,
			struct pmuq_str *ret)
{
	struct pq_node *node;
	int r = look(root, dir, name, PQ_WITHIN_NO_LINKS, &node);

	if (r == ASK_FILES)
		r = pq_files_read_listed(root, dir.fd, name, ret);
	else if (r == 0)
		r = read_node(root, node, PQ_FILE_MAX_BYTES, ret);
	return recorded(root, dir, name, r, ret);
}

int pq_root_read_in(struct pq_root *root, struct pq_handle dir, const char *path,
		    struct pmuq_str *ret)
{
	struct pq_node *node;
	int r = look(root, dir, path, PQ_WITHIN_NO_LINKS, &node);

	if (r == ASK_FILES)
		r = pq_files_read_in(root, dir.fd, path, ret);
	else if (r == 0)
		r = read_node(root, node, PQ_FILE_MAX_BYTES, ret);
	return recorded(root, dir, path, r, ret);
}

int pq_root_read_below(struct pq_root *root, struct pq_handle dir, const char *path,
		       struct pmuq_str *ret)
{
	struct pq_node *node;
	int r = look(root, dir, path, PQ_WITHIN_NO_LINKS, &node);

	if (r == ASK_FILES)
		r = pq_files_read(root, dir.fd, path, PQ_WITHIN_NO_LINKS, PQ_FILE_MAX_BYTES, ret);
	else if (r == 0)
		r = read_node(root, node, PQ_FILE_MAX_BYTES, ret);
	return recorded(root, dir, path, r, ret);
}

enum pq_kind pq_root_kind(struct pq_root *root, struct pq_handle dir, const char *path)
{
	struct pq_node *node;
	int r = look(root, dir, path, PQ_WITHIN_NO_LINKS, &node);

	if (r == ASK_FILES)
		return pq_files_kind(root, dir.fd, path);
	return r == 0 ? node->kind : PQ_KIND_NONE;
}

static bool is_among(const struct pq_entry *entries, size_t n, struct pmuq_str name)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(entries[i].name, name))
			return true;
	return false;
}

/* Of a tar's directory all; else what is marked, and not in the listing already. */
static int list_nodes(struct pq_root *root, const struct pq_node *dir, struct pq_arena *arena,
		      size_t *n)
{
	for (const struct pq_node *node = dir->first; node; node = node->next) {
		struct pq_entry entry = { .kind = node->kind };

		if (node->kind == PQ_KIND_NONE ||
		    (!root->is_memory &&
		     (!node->is_known || is_among(root->entries, *n, node->name))))
			continue;
		entry.name = pq_arena_str(arena, node->name);
		if (!entry.name.p || !pq_root_add_entry(root, *n, entry))
			return pq_root_lack(root, ENOMEM);
		*n += 1;
	}
	return 0;
}

static void record_list(struct pq_root *root, struct pq_handle dir, int r, size_t n)
{
	if (!root->record || !dir.record || r > 0)
		return;
	if (r < 0)
		record_failure(root, dir.record, PQ_KIND_DIR, r);
	for (size_t i = 0; r == 0 && i < n; i++) {
		struct pq_node *node =
			pq_memory_make(root->record, dir.record, root->entries[i].name);

		if (node && !node->is_known)
			node->kind = root->entries[i].kind;
	}
}

int pq_root_list(struct pq_root *root, struct pq_handle dir, struct pq_arena *arena,
		 struct pq_entries *ret)
{
	size_t n = 0;
	int r = 0;

	if (!root->is_memory)
		r = pq_files_list(root, dir.fd, arena, &n);
	if (r == 0 && dir.node)
		r = list_nodes(root, dir.node, arena, &n);
	record_list(root, dir, r, n);
	if (r == 0)
		*ret = (struct pq_entries){ .v = root->entries, .n = n };
	return r;
}
