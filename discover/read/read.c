/* SPDX-License-Identifier: MIT */
/* What all readers of this room share: texts, problems, one file in one directory of a PMU. */
#include "discover/discover.h"

struct pmuq_str pq_text_clean(struct pmuq_str raw)
{
	const char *nul = raw.n ? memchr(raw.p, '\0', raw.n) : NULL;

	if (nul)
		raw.n = (size_t)(nul - raw.p);
	while (raw.n && raw.p[raw.n - 1] == '\n')
		raw.n--;
	return raw;
}

struct pmuq_str pq_text_line(struct pmuq_str raw)
{
	struct pmuq_str line, rest;

	str_cut(pq_text_clean(raw), '\n', &line, &rest);
	return str_trim(line);
}

bool pq_reader_lacks(const struct pq_reader *reader)
{
	return reader->failed || reader->root->lack;
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

bool pq_name_is_file(struct pmuq_str name)
{
	if (!name.n || name.n > PQ_NAME_MAX_BYTES)
		return false;
	if (str_eq(name, STR(".")) || str_eq(name, STR("..")))
		return false;
	return !memchr(name.p, '/', name.n) && !memchr(name.p, '\0', name.n);
}

static void add_part(struct pq_buf *path, struct pmuq_str part)
{
	if (path->n && part.n)
		pq_buf_char(path, '/', 1);
	pq_buf_add(path, part);
}

/* The buffer keeps its memory from call to call; one that failed yields a path that is not there.
 */
static const char *finish_path(struct pq_buf *path)
{
	pq_buf_char(path, '\0', 1);
	return path->failed ? "" : path->p;
}

const char *pq_dir_path(struct pq_root *root, const struct pq_dir *dir, struct pmuq_str name)
{
	struct pq_buf *path = &root->path;

	if (dir->place == PQ_AT_LISTED)
		return name.p;
	path->n = 0;
	if (dir->place == PQ_AT_DEVICES)
		add_part(path, dir->pmu);
	add_part(path, dir->sub);
	add_part(path, name);
	return finish_path(path);
}

/* Of what is in a directory that may not be entered nothing is known, as the walk has it: it could
 * not list it. */
static bool is_hidden(struct pq_reader *reader, const struct pq_dir *dir, const char *path, int r)
{
	int errnum = reader->root->errnum;
	bool is_hidden = r == -PMUQ_E_UNREADABLE && dir->place != PQ_AT_LISTED &&
			 pq_root_kind(reader->root, dir->at, path) == PQ_KIND_NONE;

	reader->root->errnum = errnum;
	return is_hidden;
}

int pq_dir_read(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
		struct pmuq_str *ret)
{
	const char *path = pq_dir_path(reader->root, dir, name);
	int r;

	if (dir->place == PQ_AT_LISTED)
		r = pq_root_read_listed(reader->root, dir->at, path, ret);
	else
		r = pq_root_read_in(reader->root, dir->at, path, ret);
	if (is_hidden(reader, dir, path, r))
		return PQ_NONE;
	if (r < 0)
		pq_note_file(reader, dir, name, (enum pmuq_code) - r, reader->root->errnum,
			     pq_root_why(r, reader->root->errnum));
	return r;
}

void pq_note(struct pq_reader *reader, const char *path, enum pmuq_code code, int errnum,
	     const char *message)
{
	struct pq_problem problem = {
		.path = str_of(path),
		.message = str_of(message),
		.code = code,
		.errnum = errnum,
	};

	/* What this process lacks is no problem of the machine. */
	if (code == PMUQ_E_MEMORY || code == PMUQ_E_TOO_MANY_FILES || !reader->builder)
		return;
	if (pq_builder_problem(reader->builder, &problem, NULL) < 0)
		reader->failed = true;
}

void pq_note_file(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
		  enum pmuq_code code, int errnum, const char *message)
{
	cleanup(pq_buf_free) struct pq_buf path = PQ_BUF_NULL;

	if (!reader->builder)
		return;
	pq_buf_add(&path, STR(PQ_DEVICES));
	add_part(&path, dir->pmu);
	add_part(&path, dir->sub);
	add_part(&path, name);
	pq_note(reader, finish_path(&path), code, errnum, message);
	reader->failed |= path.failed;
}

void pq_note_failure(struct pq_reader *reader, const char *path, int r)
{
	if (r < 0)
		pq_note(reader, path, (enum pmuq_code) - r, reader->root->errnum,
			pq_root_why(r, reader->root->errnum));
}

static int open_sub(struct pq_reader *reader, struct pq_handle pmu_at, const struct pq_dir *dir,
		    const char *sub, struct pq_entries *ret_entries, struct pq_handle *ret_at)
{
	int r = pq_root_enter_at(reader->root, pmu_at, sub, false, ret_at);

	if (r == 0)
		r = pq_root_list(reader->root, *ret_at, reader->arena, ret_entries);
	if (r < 0)
		pq_note_file(reader, dir, STR(""), (enum pmuq_code) - r, reader->root->errnum,
			     pq_root_why(r, reader->root->errnum));
	return r;
}

bool pq_dir_list(struct pq_reader *reader, struct pq_handle pmu_at, struct pmuq_str pmu,
		 const char *sub, struct pq_dir *ret, struct pq_entries *ret_entries)
{
	struct pq_entries *entries = ret_entries;
	size_t n = 0;

	*ret = (struct pq_dir){
		.at = PQ_NO_HANDLE, .place = PQ_AT_LISTED, .pmu = pmu, .sub = str_of(sub)
	};
	if (open_sub(reader, pmu_at, ret, sub, entries, &ret->at) != 0) {
		pq_handle_close(&ret->at);
		return false;
	}
	for (size_t i = 0; i < entries->n; i++) {
		if (entries->v[i].kind == PQ_KIND_FILE)
			entries->v[n++] = entries->v[i];
		else
			pq_note_file(reader, ret, entries->v[i].name, PMUQ_E_REFUSED_FILE, 0,
				     "not a regular file");
	}
	entries->n = n;
	return true;
}
