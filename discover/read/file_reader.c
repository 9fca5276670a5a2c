/* SPDX-License-Identifier: MIT */
/*
 * Reads single files of PMUs, trims what the kernel adds, and reports what cannot be read as a
 * problem of the machine. The callers decide which files to read, and interpret them.
 */
#include "discover/read/file_reader.h"

struct pmuq_str pq_content_text(struct pmuq_str raw)
{
	const char *nul = raw.n ? memchr(raw.p, '\0', raw.n) : NULL;

	if (nul)
		raw.n = (size_t)(nul - raw.p);
	while (raw.n && raw.p[raw.n - 1] == '\n')
		raw.n--;
	return raw;
}

struct pmuq_str pq_content_line(struct pmuq_str raw)
{
	struct pmuq_str line, rest;

	str_cut(pq_content_text(raw), '\n', &line, &rest);
	return str_trim(line);
}

int pq_reader_check(struct pq_reader *reader, struct pmuq_error **reterr)
{
	bool failed = reader->failed;
	int r = pq_root_check(reader->root, reterr);

	reader->failed = false;
	return r == 0 && failed ? pq_fail_memory(reterr) : r;
}

struct pmuq_str pq_reader_copy(struct pq_reader *reader, struct pmuq_str text)
{
	struct pmuq_str copy = pq_arena_str(reader->arena, text);

	if (copy.p)
		return copy;
	reader->failed = true;
	return STR("");
}

void *pq_reader_array(struct pq_reader *reader, size_t n, size_t each_bytes)
{
	void *array = pq_arena_array(reader->arena, n ? n : 1, each_bytes);

	reader->failed |= !array;
	return array;
}

static void add_part(struct pq_buf *path, struct pmuq_str part)
{
	if (path->n && part.n)
		pq_buf_char(path, '/', 1);
	pq_buf_add(path, part);
}

/* The buffer keeps its memory between calls. After a failure of the buffer, the path is one that
 * does not exist. */
static const char *finish_path(struct pq_buf *path)
{
	pq_buf_char(path, '\0', 1);
	return path->failed ? "" : path->p;
}

static char *put_part(char *to, const char *first, struct pmuq_str part)
{
	if (!part.n)
		return to;
	if (to > first)
		*to++ = '/';
	return str_put(to, part);
}

const char *pq_pmu_file(struct pq_root *root, struct pmuq_str pmu, struct pmuq_str sub,
			struct pmuq_str name)
{
	char *first = root->path.p, *to = first;

	/* Each is the name of a file, so they fit. */
	if (pmu.n + sub.n + name.n + sizeof("//") > root->path.capacity)
		return "";
	to = put_part(to, first, pmu);
	to = put_part(to, first, sub);
	to = put_part(to, first, name);
	*to = '\0';
	return first;
}

const char *pq_dir_path(struct pq_root *root, const struct pq_dir *dir, struct pmuq_str name)
{
	if (dir->scope == PQ_SCOPE_LISTED)
		return name.p;
	return pq_pmu_file(root, dir->scope == PQ_SCOPE_DEVICES ? dir->pmu : STR(""), dir->sub,
			   name);
}

/* Whether the directory cannot be entered. Then the existence of the file is unknown, also to the
 * walk, which cannot list the directory. */
static bool is_hidden(struct pq_reader *reader, const struct pq_dir *dir, const char *path, int r)
{
	int errnum = reader->root->errnum;
	bool is_hidden = r == -PMUQ_E_UNREADABLE && dir->scope != PQ_SCOPE_LISTED &&
			 pq_root_file_type(reader->root, dir->at, path) == PQ_FILE_NONE;

	reader->root->errnum = errnum;
	return is_hidden;
}

int pq_dir_read(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
		struct pmuq_str *ret)
{
	const char *path = pq_dir_path(reader->root, dir, name);
	enum pq_known_path known = dir->scope == PQ_SCOPE_LISTED ? PQ_PATH_LISTED : PQ_PATH_IN_DIR;
	int r = pq_root_read_at(reader->root, dir->at, path, known, ret);

	if (is_hidden(reader, dir, path, r))
		return PQ_NONE;
	if (r < 0)
		pq_reader_note_unreadable(reader, dir, name, r);
	return r;
}

static void note(struct pq_reader *reader, const char *path, enum pmuq_code code, int errnum,
		 const char *message)
{
	struct pmuq_problem problem = {
		.path = str_of(path),
		.message = str_of(message),
		.code = code,
		.errnum = errnum,
	};

	/* A resource error is not a problem of the machine. */
	if (code == PMUQ_E_MEMORY || code == PMUQ_E_TOO_MANY_FILES || !reader->builder)
		return;
	if (pq_builder_problem(reader->builder, &problem, NULL) < 0)
		reader->failed = true;
}

static void note_in_dir(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
			enum pmuq_code code, int errnum, const char *message)
{
	cleanup(pq_buf_free) struct pq_buf path = PQ_BUF_NULL;

	if (!reader->builder)
		return;
	pq_buf_add(&path, STR(PQ_DEVICES));
	add_part(&path, dir->pmu);
	add_part(&path, dir->sub);
	add_part(&path, name);
	note(reader, finish_path(&path), code, errnum, message);
	reader->failed |= path.failed;
}

void pq_reader_note_file(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
			 enum pmuq_code code, const char *message)
{
	note_in_dir(reader, dir, name, code, 0, message);
}

void pq_reader_note_bad(struct pq_reader *reader, const char *path, const char *message)
{
	note(reader, path, PMUQ_E_BAD_FILE, 0, message);
}

void pq_reader_note_unreadable(struct pq_reader *reader, const struct pq_dir *dir,
			       struct pmuq_str name, int r)
{
	int errnum = reader->root->errnum;

	note_in_dir(reader, dir, name, (enum pmuq_code) - r, errnum, pq_root_reason(r, errnum));
}

void pq_reader_note_failure(struct pq_reader *reader, const char *path, int r)
{
	int errnum = reader->root->errnum;

	if (r < 0)
		note(reader, path, (enum pmuq_code) - r, errnum, pq_root_reason(r, errnum));
}

static int open_sub(struct pq_reader *reader, const struct pq_dir *dir,
		    struct pq_entries *ret_entries, struct pq_handle *ret_at)
{
	const char *path = pq_dir_path(reader->root, dir, STR(""));
	int r = pq_root_enter(reader->root, dir->at, path, PQ_WITHIN_NO_LINKS, ret_at);

	if (r == 0)
		r = pq_root_list(reader->root, *ret_at, reader->arena, ret_entries);
	if (r < 0)
		pq_reader_note_unreadable(reader, dir, STR(""), r);
	return r;
}

bool pq_dir_list(struct pq_reader *reader, const struct pq_dir *dir, struct pq_dir *ret,
		 struct pq_entries *ret_entries)
{
	struct pq_entries *entries = ret_entries;
	size_t n = 0;

	*ret = (struct pq_dir){
		.at = PQ_NO_HANDLE, .scope = PQ_SCOPE_LISTED, .pmu = dir->pmu, .sub = dir->sub
	};
	if (open_sub(reader, dir, entries, &ret->at) != 0) {
		pq_handle_close(&ret->at);
		return false;
	}
	for (size_t i = 0; i < entries->n; i++) {
		if (entries->v[i].type == PQ_FILE_REGULAR)
			entries->v[n++] = entries->v[i];
		else
			pq_reader_note_file(reader, ret, entries->v[i].name, PMUQ_E_REFUSED_FILE,
					    "not a regular file");
	}
	entries->n = n;
	return true;
}
