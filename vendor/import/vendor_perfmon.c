/* SPDX-License-Identifier: MIT */
/*
 * The layout of Intel's perfmon repository: one mapfile.csv, whose rows name a file of events each
 * ("/SKX/events/skylakex_core.json"). The files of one CPU are one set. Metrics, which are told in
 * words of their own there, are left out.
 */
#include "vendor/import/vendor_import.h"

#define ARCH STR("x86")
#define FILES_MAX 64u

/* What a CPU's rows say; CPUs with the same files share a set. */
struct group {
	struct group *next;
	const struct pq_vendor_row *files[FILES_MAX];
	size_t n_files;
	struct pmuq_str pattern;
	int64_t position; /* of its folder; -1: not read yet */
};

static bool has_events(const struct pq_vendor_row *row)
{
	return !str_eq_nocase(row->type, STR("metrics")) &&
	       !str_eq_nocase(row->type, STR("retire latency"));
}

static struct group *find_group(struct group *groups, struct pmuq_str pattern)
{
	while (groups && !str_eq(groups->pattern, pattern))
		groups = groups->next;
	return groups;
}

static int collect(struct pq_vendor_import *import, const struct pq_vendor_rows *rows,
		   struct group **ret, struct pmuq_error **reterr)
{
	struct group **last = ret;

	for (size_t i = 0; i < rows->n; i++) {
		const struct pq_vendor_row *row = &rows->v[i];
		struct group *group = find_group(*ret, row->pattern);

		if (!has_events(row))
			continue;
		if (!group) {
			group = pq_arena_zero(&import->arena, sizeof(*group));
			if (!group)
				return pq_fail_memory(reterr);
			group->pattern = row->pattern;
			group->position = -1;
			*last = group;
			last = &group->next;
		}
		if (group->n_files == FILES_MAX)
			return pq_vendor_fail_at(&import->tree, &rows->file, row->offset,
						 row->pattern.n, reterr,
						 "a CPU has more than %u files", FILES_MAX);
		group->files[group->n_files++] = row;
	}
	return 0;
}

static bool has_same_files(const struct group *a, const struct group *b)
{
	if (a->n_files != b->n_files)
		return false;
	for (size_t i = 0; i < a->n_files; i++)
		if (!str_eq(a->files[i]->target, b->files[i]->target) ||
		    !str_eq(a->files[i]->role, b->files[i]->role))
			return false;
	return true;
}

/* "/SKX/events/skylakex_core.json" → "SKX/events/skylakex_core.json", where it leads nowhere else.
 */
static int check_path(const struct pq_vendor_import *import, const struct pq_vendor_rows *rows,
		      const struct pq_vendor_row *row, struct pmuq_str *ret,
		      struct pmuq_error **reterr)
{
	struct pmuq_str path = row->target, part, rest;
	bool is_more = true;

	while (path.n && path.p[0] == '/')
		path = str_part(path, 1, path.n);
	*ret = rest = path;
	while (is_more) {
		is_more = str_cut(rest, '/', &part, &rest);
		if (!part.n || str_eq(part, STR(".")) || str_eq(part, STR("..")))
			return pq_vendor_fail_at(&import->tree, &rows->file, row->target_offset,
						 row->target.n, reterr,
						 "it is no path within the directory");
	}
	return 0;
}

static struct pmuq_str core_pmu(const struct pq_vendor_row *row)
{
	if (str_eq_nocase(row->role, STR("LowPower_Atom")))
		return STR("cpu_lowpower");
	if (str_eq_nocase(row->role, STR("Atom")))
		return STR("cpu_atom");
	return str_eq_nocase(row->role, STR("Core")) ? STR("cpu_core") : STR("default_core");
}

static int gather_row(struct pq_vendor_import *import, const struct pq_vendor_rows *rows,
		      const struct pq_vendor_row *row, struct pq_vendor_contents *contents,
		      struct pmuq_error **reterr)
{
	struct pq_vendor_source source = { .core_pmu = core_pmu(row) };
	struct pmuq_str path = { 0 };
	int r = check_path(import, rows, row, &path, reterr);

	if (r < 0)
		return r;
	source.topic = pq_arena_str(&contents->arena, row->type);
	source.path = pq_arena_str(&contents->arena, path);
	if (!source.topic.p || !source.path.p)
		return pq_fail_memory(reterr);
	r = pq_vendor_gather(import, &source, contents, reterr);
	if (r == PQ_NONE)
		return pq_vendor_fail_at(&import->tree, &rows->file, row->target_offset,
					 row->target.n, reterr, "there is no such file");
	return r;
}

static int read_group(struct pq_vendor_import *import, const struct pq_vendor_rows *rows,
		      struct group *group, struct pmuq_error **reterr)
{
	cleanup(pq_vendor_contents_end) struct pq_vendor_contents contents;
	struct pmuq_str folder, rest;
	int r = 0;

	pq_vendor_contents_begin(&contents);
	for (size_t i = 0; r == 0 && i < group->n_files; i++)
		r = gather_row(import, rows, group->files[i], &contents, reterr);
	if (r == 0)
		r = pq_vendor_settle(import, &contents, reterr);
	if (r == 0)
		r = check_path(import, rows, group->files[0], &folder, reterr);
	if (r < 0)
		return r;
	str_cut(folder, '/', &folder, &rest);
	return pq_vendor_add_folder(import, ARCH, folder, false, &contents, &group->position,
				    reterr);
}

static int settle_group(struct pq_vendor_import *import, const struct pq_vendor_rows *rows,
			const struct group *groups, struct group *group, struct pmuq_error **reterr)
{
	int r = 0;

	for (const struct group *at = groups; at != group && group->position < 0; at = at->next)
		if (has_same_files(at, group))
			group->position = at->position;
	if (group->position < 0)
		r = read_group(import, rows, group, reterr);
	return r < 0 ? r
		     : pq_vendor_add_cpu(import, ARCH, group->files[0], group->position, reterr);
}

int pq_vendor_walk_perfmon(struct pq_vendor_import *import, const struct pq_vendor_rows *rows,
			   struct pmuq_error **reterr)
{
	struct group *groups = NULL;
	int r = collect(import, rows, &groups, reterr);

	for (struct group *group = groups; r == 0 && group; group = group->next)
		r = settle_group(import, rows, groups, group, reterr);
	return r;
}
