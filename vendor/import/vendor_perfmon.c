/* SPDX-License-Identifier: MIT */
/*
 * The layout of Intel's perfmon repository: one mapfile.csv, and each row names a file of events
 * ("/SKX/events/skylakex_core.json"). The files of one CPU are one folder. Metrics are skipped:
 * they have a notation of their own there.
 */
#include "vendor/import/vendor_import.h"

#define ARCH STR("x86")
#define FILES_MAX 64u

/* The files of a CPU. CPUs with the same files share a folder. */
struct cpu_files {
	struct cpu_files *next;
	const struct pq_vendor_mapfile_row *files[FILES_MAX];
	size_t n_files;
	struct pmuq_str pattern;
	int64_t position; /* of its folder; -1: not read yet */
};

static bool has_events(const struct pq_vendor_mapfile_row *row)
{
	return !str_eq_nocase(row->type, STR("metrics")) &&
	       !str_eq_nocase(row->type, STR("retire latency"));
}

static struct cpu_files *find_cpu(struct cpu_files *cpus, struct pmuq_str pattern)
{
	while (cpus && !str_eq(cpus->pattern, pattern))
		cpus = cpus->next;
	return cpus;
}

static int collect(struct pq_vendor_import *import, struct cpu_files **ret,
		   struct pmuq_error **reterr)
{
	struct cpu_files **last = ret;

	for (size_t i = 0; i < import->mapfile.n; i++) {
		const struct pq_vendor_mapfile_row *row = &import->mapfile.v[i];
		struct cpu_files *cpu = find_cpu(*ret, row->pattern);

		if (!has_events(row))
			continue;
		if (!cpu) {
			cpu = pq_arena_zero(&import->arena, sizeof(*cpu));
			if (!cpu)
				return pq_fail_memory(reterr);
			cpu->pattern = row->pattern;
			cpu->position = -1;
			*last = cpu;
			last = &cpu->next;
		}
		if (cpu->n_files == FILES_MAX)
			return pq_vendor_fail_at(&import->tree, &import->mapfile.file, row->offset,
						 row->pattern.n, reterr,
						 "a CPU has more than %u files", FILES_MAX);
		cpu->files[cpu->n_files++] = row;
	}
	return 0;
}

static bool has_same_files(const struct cpu_files *a, const struct cpu_files *b)
{
	if (a->n_files != b->n_files)
		return false;
	for (size_t i = 0; i < a->n_files; i++)
		if (!str_eq(a->files[i]->target, b->files[i]->target) ||
		    !str_eq(a->files[i]->role, b->files[i]->role))
			return false;
	return true;
}

/* "/SKX/events/skylakex_core.json" → "SKX/events/skylakex_core.json". Fails if the path could lead
 * out of the tree. */
static int check_path(const struct pq_vendor_import *import,
		      const struct pq_vendor_mapfile_row *row, struct pmuq_str *ret,
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
			return pq_vendor_fail_at(&import->tree, &import->mapfile.file,
						 row->target_offset, row->target.n, reterr,
						 "it is not a path within the directory");
	}
	return 0;
}

static struct pmuq_str core_pmu(const struct pq_vendor_mapfile_row *row)
{
	if (str_eq_nocase(row->role, STR("LowPower_Atom")))
		return STR("cpu_lowpower");
	if (str_eq_nocase(row->role, STR("Atom")))
		return STR("cpu_atom");
	return str_eq_nocase(row->role, STR("Core")) ? STR("cpu_core") : STR("default_core");
}

static int gather_row(struct pq_vendor_import *import, const struct pq_vendor_mapfile_row *row,
		      struct pq_vendor_drafts *drafts, struct pmuq_error **reterr)
{
	struct pq_vendor_source source = { .core_pmu = core_pmu(row) };
	struct pmuq_str path = { 0 };
	int r = check_path(import, row, &path, reterr);

	if (r < 0)
		return r;
	source.topic = pq_arena_str(&drafts->arena, row->type);
	source.path = pq_arena_str(&drafts->arena, path);
	if (!source.topic.p || !source.path.p)
		return pq_fail_memory(reterr);
	r = pq_vendor_gather(import, &source, drafts, reterr);
	if (r == PQ_NONE)
		return pq_vendor_fail_at(&import->tree, &import->mapfile.file, row->target_offset,
					 row->target.n, reterr, "there is no such file");
	return r;
}

static int read_folder(struct pq_vendor_import *import, struct cpu_files *cpu,
		       struct pmuq_error **reterr)
{
	cleanup(pq_vendor_drafts_end) struct pq_vendor_drafts drafts;
	struct pmuq_str folder, rest;
	int r = 0;

	pq_vendor_drafts_begin(&drafts);
	for (size_t i = 0; r == 0 && i < cpu->n_files; i++)
		r = gather_row(import, cpu->files[i], &drafts, reterr);
	if (r == 0)
		r = pq_vendor_drafts_finish(import, &drafts, reterr);
	if (r == 0)
		r = check_path(import, cpu->files[0], &folder, reterr);
	if (r < 0)
		return r;
	str_cut(folder, '/', &folder, &rest);
	return pq_vendor_save_folder(import, ARCH, folder, false, &drafts, &cpu->position, reterr);
}

static int save_cpu(struct pq_vendor_import *import, const struct cpu_files *cpus,
		    struct cpu_files *cpu, struct pmuq_error **reterr)
{
	int r = 0;

	for (const struct cpu_files *at = cpus; at != cpu && cpu->position < 0; at = at->next)
		if (has_same_files(at, cpu))
			cpu->position = at->position;
	if (cpu->position < 0)
		r = read_folder(import, cpu, reterr);
	return r < 0 ? r : pq_vendor_save_cpu(import, ARCH, cpu->files[0], cpu->position, reterr);
}

int pq_vendor_walk_perfmon(struct pq_vendor_import *import, struct pmuq_error **reterr)
{
	struct cpu_files *cpus = NULL;
	int r = collect(import, &cpus, reterr);

	for (struct cpu_files *cpu = cpus; r == 0 && cpu; cpu = cpu->next)
		r = save_cpu(import, cpus, cpu, reterr);
	return r;
}
