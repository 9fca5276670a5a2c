/* SPDX-License-Identifier: MIT */
/*
 * The layout of Intel's perfmon repository: one mapfile.csv, and each row names a file of events,
 * metrics or latencies ("/SKX/events/skylakex_core.json"). The files of one CPU are one folder.
 * vendor_metric.c reads metrics and latencies.
 */
#include "vendor/import/vendor_metric.h"

#define ARCH STR("x86") /* the kernel's name of the architecture, for patterns and folders */
#define FILES_MAX 64u

/* The files of a CPU. CPUs with the same files share a folder. */
struct cpu_files {
	struct cpu_files *next;
	const struct pq_vendor_mapfile_row *files[FILES_MAX];
	size_t n_files;
	struct pmuq_str pattern;
	int64_t position; /* of its folder, when it is read */
};

enum row_type {
	ROW_EVENTS,
	ROW_LATENCIES,
	ROW_METRICS,
	ROW_TYPES, /* they are read in this order */
};

static enum row_type type_of(const struct pq_vendor_mapfile_row *row)
{
	if (str_eq_nocase(row->type, STR("metrics")))
		return ROW_METRICS;
	return str_eq_nocase(row->type, STR("retire latency")) ? ROW_LATENCIES : ROW_EVENTS;
}

static struct cpu_files *find_cpu(struct cpu_files *cpus, struct pmuq_str pattern)
{
	while (cpus && !str_eq(cpus->pattern, pattern))
		cpus = cpus->next;
	return cpus;
}

/* The CPUs of the mapfile, in the order of their first rows. */
static struct cpu_files *collect(struct pq_vendor_import *import)
{
	struct cpu_files *cpus = NULL, **last = &cpus;

	for (size_t i = 0; import->tree.r == 0 && i < import->mapfile.n; i++) {
		const struct pq_vendor_mapfile_row *row = &import->mapfile.v[i];
		struct cpu_files *cpu = find_cpu(cpus, row->pattern);

		if (!cpu) {
			cpu = pq_arena_zero(&import->arena, sizeof(*cpu));
			if (!cpu) {
				pq_vendor_fail_memory(&import->tree);
				break;
			}
			cpu->pattern = row->pattern;
			*last = cpu;
			last = &cpu->next;
		}
		if (cpu->n_files == FILES_MAX)
			pq_vendor_fail_at(&import->tree, &import->mapfile.file, row->offset,
					  row->pattern.n, "a CPU has more than %u files",
					  FILES_MAX);
		else
			cpu->files[cpu->n_files++] = row;
	}
	return cpus;
}

/* In the same order: then they have the same events. */
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
static struct pmuq_str path_of(struct pq_vendor_import *import,
			       const struct pq_vendor_mapfile_row *row)
{
	struct pmuq_str path = row->target, part, rest;
	bool is_more = true;

	while (path.n && path.p[0] == '/')
		path = str_part(path, 1, path.n);
	for (rest = path; is_more;) {
		is_more = str_cut(rest, '/', &part, &rest);
		if (!part.n || str_eq(part, STR(".")) || str_eq(part, STR("..")))
			pq_vendor_fail_at(&import->tree, &import->mapfile.file, row->target_offset,
					  row->target.n, "it is not a path within the directory");
	}
	return path;
}

/* On a hybrid CPU, the rows of one pattern have different roles. */
static struct pmuq_str core_pmu(const struct pq_vendor_mapfile_row *row)
{
	if (str_eq_nocase(row->role, STR("LowPower_Atom")))
		return STR("cpu_lowpower");
	if (str_eq_nocase(row->role, STR("Atom")))
		return STR("cpu_atom");
	return str_eq_nocase(row->role, STR("Core")) ? STR("cpu_core") : STR("default_core");
}

static bool gather_file(struct pq_vendor_import *import, enum row_type type,
			const struct pq_vendor_source *source, struct pq_vendor_known *known,
			struct pq_vendor_drafts *drafts)
{
	switch (type) {
	case ROW_LATENCIES:
		return pq_vendor_gather_latencies(import, source->path, &known->latencies,
						  &drafts->arena);
	case ROW_METRICS:
		if (!pq_vendor_know_events(drafts, source->core_pmu, &drafts->arena,
					   &known->events))
			pq_vendor_fail_memory(&import->tree);
		return pq_vendor_gather_metrics(import, source, known, drafts);
	case ROW_EVENTS:
	case ROW_TYPES:
		break;
	}
	return pq_vendor_gather(import, source, drafts);
}

static void gather_row(struct pq_vendor_import *import, const struct pq_vendor_mapfile_row *row,
		       struct pq_vendor_known *known, struct pq_vendor_drafts *drafts)
{
	const struct pq_vendor_source source = {
		.core_pmu = core_pmu(row),
		.topic = pq_arena_str(&drafts->arena, row->type),
		.path = pq_arena_str(&drafts->arena, path_of(import, row)),
	};

	if (!source.topic.p || !source.path.p)
		pq_vendor_fail_memory(&import->tree);
	if (!gather_file(import, type_of(row), &source, known, drafts))
		pq_vendor_fail_at(&import->tree, &import->mapfile.file, row->target_offset,
				  row->target.n, "there is no such file");
}

/* Formulas refer to events, and to latencies. */
static void gather_rows(struct pq_vendor_import *import, const struct cpu_files *cpu,
			struct pq_vendor_drafts *drafts)
{
	struct pq_vendor_known known = { 0 };

	for (enum row_type type = 0; type < ROW_TYPES; type++) {
		for (size_t i = 0; import->tree.r == 0 && i < cpu->n_files; i++)
			if (type_of(cpu->files[i]) == type)
				gather_row(import, cpu->files[i], &known, drafts);
		if (type == ROW_LATENCIES &&
		    !pq_vendor_aliases_finish(&drafts->arena, &known.latencies))
			pq_vendor_fail_memory(&import->tree);
	}
}

/* Reads the files of a CPU. The folder has the name of the directory of the first one. */
static int64_t read_folder(struct pq_vendor_import *import, const struct cpu_files *cpu)
{
	cleanup(pq_vendor_drafts_end) struct pq_vendor_drafts drafts;
	struct pmuq_str folder, rest;

	pq_vendor_drafts_begin(&drafts);
	gather_rows(import, cpu, &drafts);
	str_cut(path_of(import, cpu->files[0]), '/', &folder, &rest);
	return pq_vendor_save_folder(import, ARCH, folder, false, &drafts);
}

/* CPUs with the same files: the folder is read with the first of them. */
static void read_cpu(struct pq_vendor_import *import, const struct pq_vendor_step *step)
{
	struct cpu_files *cpu = step->of, *same = import->walk;

	while (!has_same_files(same, cpu))
		same = same->next;
	cpu->position = same == cpu ? read_folder(import, cpu) : same->position;
	pq_vendor_save_cpu(import, ARCH, cpu->files[0], cpu->position);
}

static void plan(struct pq_vendor_import *import)
{
	struct cpu_files *cpus = collect(import);

	import->walk = cpus;
	for (struct cpu_files *cpu = cpus; import->tree.r == 0 && cpu; cpu = cpu->next)
		pq_vendor_add_step(import, path_of(import, cpu->files[0]), cpu);
}

const struct pq_vendor_walker pq_vendor_perfmon_walker = { .plan = plan, .step = read_cpu };
