/* SPDX-License-Identifier: MIT */
/*
 * The CPU time of a diff of two machines in memory: the captured one and itself, the same
 * with every format moved, and both with many times as many PMUs of as many more definitions, so
 * that a cost which grows faster than the machine is visible.
 *
 *     bench_diff TREE
 */
#include "core/catalog/catalog.h"
#include "tests/bench/bench_machine.h"
#include <string.h>

#define ROUNDS 15
/* The factor by which the machine is larger. */
#define FEW 8
#define MANY 32

/* Of this process alone, without other processes. */
static double cpu_now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void *copy(struct pq_arena *arena, const void *v, size_t n, size_t bytes)
{
	void *to = pq_arena_array(arena, n, bytes);

	if (!to)
		bench_die("out of memory");
	if (n)
		memcpy(to, v, n * bytes);
	return to;
}

/* "x7_uncore_imc_0": instances of one definition remain instances. */
static struct pmuq_str printed(struct pq_arena *arena, const char *word, size_t number,
			       struct pmuq_str name)
{
	char *joined = NULL;
	struct pmuq_str kept;

	if (asprintf(&joined, "%s%zu_%.*s", word, number, STR_ARG(name)) < 0)
		bench_die("out of memory");
	kept = pq_arena_str(arena, str_of(joined));
	free(joined);
	return kept;
}

/* A copy of the PMU: each further copy has other names of events, and so another definition. */
static void add_pmu(struct pq_builder *builder, struct pq_arena *arena, const struct pmuq_pmu *pmu,
		    size_t time, bool is_moved)
{
	const struct pq_def *def = pq_def_of(pmu);
	struct pq_pmu_draft draft = {
		.name = time ? printed(arena, "x", time, pmu->name) : pmu->name,
		.cpumask = pmu->cpumask,
		.cpus_file = pmu->cpus_file,
		.type = pmu->type,
		.has_type = pmu->has_type,
		.formats = copy(arena, def->formats, def->record.n_formats, sizeof(*def->formats)),
		.events = copy(arena, def->events, def->record.n_events, sizeof(*def->events)),
		.caps = copy(arena, def->record.caps, def->record.n_caps,
			     sizeof(*def->record.caps)),
		.attributes =
			copy(arena, pmu->attributes, pmu->n_attributes, sizeof(*pmu->attributes)),
		.n_formats = def->record.n_formats,
		.n_events = def->record.n_events,
		.n_caps = def->record.n_caps,
		.n_attributes = pmu->n_attributes,
	};

	for (size_t i = 0; i < draft.n_formats; i++)
		if (is_moved)
			draft.formats[i].text = STR("config2:0-63");
	for (size_t i = 0; time && i < draft.n_events; i++)
		draft.events[i].name = printed(arena, "e", time, draft.events[i].name);
	if (pq_builder_pmu(builder, &draft, NULL) < 0)
		bench_die("out of memory");
}

static struct pmuq_catalog *grown(const struct pmuq_catalog *from, size_t times, bool is_moved)
{
	struct pq_builder *builder = NULL;
	struct pmuq_catalog *catalog = NULL;
	struct pq_arena arena = PQ_ARENA(SIZE_MAX);

	if (pq_builder_new(&builder, NULL) < 0)
		bench_die("out of memory");
	for (size_t time = 0; time < times; time++)
		for (size_t i = 0; i < pmuq_catalog_machine(from)->n_pmus; i++)
			add_pmu(builder, &arena, pmuq_catalog_pmu(from, i), time, is_moved);
	if (pq_builder_finish(builder, &catalog, NULL) < 0)
		bench_die("out of memory");
	pq_arena_clear(&arena);
	return catalog;
}

static double measure(const struct pmuq_catalog *before, const struct pmuq_catalog *after,
		      size_t *ret_changes)
{
	double best = 0;

	for (int round = 0; round < ROUNDS; round++) {
		struct pmuq_diff *diff = NULL;
		double start = cpu_now_us();

		if (pmuq_catalog_diff(before, after, NULL, &diff, NULL) < 0)
			bench_die("the diff failed");
		best = bench_best(best, cpu_now_us() - start);
		*ret_changes = pmuq_diff_count(diff);
		pmuq_diff_free(diff);
	}
	return best;
}

static double compare(const struct pmuq_catalog *from, size_t times, bool is_moved)
{
	struct pmuq_catalog *before = grown(from, times, false);
	struct pmuq_catalog *after = grown(from, times, is_moved);
	size_t n_changes;
	double took = measure(before, after, &n_changes);
	char line[64];

	snprintf(line, sizeof(line), "diff, %zu PMUs, %zu changes",
		 pmuq_catalog_machine(before)->n_pmus, n_changes);
	bench_figure(line, "us", took);
	pmuq_catalog_free(before);
	pmuq_catalog_free(after);
	return took;
}

/* Here the machines are larger than the processor's caches, so that only their size counts. */
static void compare_sizes(const struct pmuq_catalog *from, bool is_moved)
{
	double few, many;

	compare(from, 1, is_moved);
	few = compare(from, FEW, is_moved);
	many = compare(from, MANY, is_moved);
	bench_line("the last by its size, the one before by its", "us", many / MANY, few / FEW);
}

int main(int argc, char **argv)
{
	struct pmuq_catalog *catalog;

	if (argc != 2)
		bench_die("usage: bench_diff TREE");
	catalog = bench_read_machine(argv[1]);
	compare_sizes(catalog, false);
	compare_sizes(catalog, true);
	pmuq_catalog_free(catalog);
	return EXIT_SUCCESS;
}
