/* SPDX-License-Identifier: MIT */
/*
 * Odd machines: a row makes one, lists its problems, and checks what is read despite them. Every
 * one must obey the law, also captured and in a tar.
 */
#pragma once

#include "tests/unit/captured.h"

#define PATIENCE_S 60
#define PROBLEMS_MAX 8

struct row {
	const char *name;
	void (*make)(const struct tree *tree);
	void (*check)(const struct pmuq_catalog *catalog);
	struct {
		const char *path; /* below the directory of the devices */
		enum pmuq_code code;
	} problems[PROBLEMS_MAX]; /* by path */
};

/* A file of a PMU. */
static inline void put(const struct tree *tree, const char *path, const char *text)
{
	char *full = NULL;

	assert_true(asprintf(&full, DEVICES "%s", path) > 0);
	tree_file(tree, full, text);
	free(full);
}

static inline void make_cpu(const struct tree *tree)
{
	put(tree, "cpu/type", "4\n");
	put(tree, "cpu/format/event", "config:0-7\n");
	put(tree, "cpu/events/cycles", "event=0x3c\n");
	tree_file(tree, "sys/devices/system/cpu/online", "0-3\n");
}

static inline const struct pmuq_pmu *find(const struct pmuq_catalog *catalog, const char *name)
{
	const struct pmuq_pmu *pmu = pmuq_catalog_find_pmu(catalog, name);

	assert_non_null(pmu);
	return pmu;
}

static inline void check_cpu(const struct pmuq_catalog *catalog)
{
	const struct pmuq_pmu *cpu = find(catalog, "cpu");

	assert_true(cpu->has_type);
	assert_int_equal(cpu->type, 4);
	assert_true(cpu->is_core);
	assert_string_equal(cpu->cpus.p, "0-3");
	assert_int_equal(cpu->definition->n_formats, 1);
	assert_int_equal(cpu->definition->n_events, 1);
}

static inline bool has_problem(const struct pmuq_catalog *catalog, const char *path,
			       enum pmuq_code code)
{
	char *full = NULL;
	bool has = false;

	assert_true(asprintf(&full, DEVICES "%s", path) > 0);
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_problems; i++)
		has |= strcmp(pmuq_catalog_problem(catalog, i)->path.p, full) == 0 &&
		       pmuq_catalog_problem(catalog, i)->code == code;
	free(full);
	return has;
}

static inline void check_problems(const struct row *row, const struct pmuq_catalog *catalog)
{
	size_t n = 0;

	for (; n < PROBLEMS_MAX && row->problems[n].path; n++)
		if (!has_problem(catalog, row->problems[n].path, row->problems[n].code))
			fail_msg("no problem %d at %s", row->problems[n].code,
				 row->problems[n].path);
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_problems; i++) {
		assert_true(strlen(pmuq_catalog_problem(catalog, i)->message.p) > 0);
		if (n != pmuq_catalog_machine(catalog)->n_problems)
			print_message("# %s: %s\n", pmuq_catalog_problem(catalog, i)->path.p,
				      pmuq_catalog_problem(catalog, i)->message.p);
	}
	assert_int_equal(n, pmuq_catalog_machine(catalog)->n_problems);
}

static inline void check_row(void **state)
{
	const struct row *row = *state;
	struct pmuq_catalog *catalog;
	struct pmuq_source *source;
	struct tree tree;

	alarm(PATIENCE_S);
	tree_make(&tree);
	row->make(&tree);
	catalog = law_read(tree.dir);
	check_problems(row, catalog);
	row->check(catalog);
	assert_law(tree.dir, true);
	assert_law(tree.dir, false);
	source = law_open(tree.dir, true);
	assert_captured_alike(source, true);
	assert_packed_alike(tree.dir, catalog);
	pmuq_source_free(source);
	pmuq_catalog_free(catalog);
	tree_remove(&tree);
	alarm(0);
}

static inline int run_rows(const char *group, const struct row *rows, size_t n)
{
	struct CMUnitTest *tests = calloc(n, sizeof(*tests));
	int r;

	if (!tests)
		return EXIT_FAILURE;
	for (size_t i = 0; i < n; i++)
		tests[i] = (struct CMUnitTest){
			.name = rows[i].name,
			.test_func = check_row,
			.initial_state = (void *)(uintptr_t)&rows[i],
		};
	r = _cmocka_run_group_tests(group, tests, n, NULL, NULL);
	free(tests);
	return r;
}

static inline const struct pmuq_event *event_of(const struct pmuq_pmu *pmu, const char *name)
{
	for (size_t i = 0; i < pmu->definition->n_events; i++)
		if (strcmp(pmuq_pmu_event(pmu, i)->name.p, name) == 0)
			return pmuq_pmu_event(pmu, i);
	return NULL;
}

static inline void assert_terms(const struct pmuq_pmu *pmu, const char *name, const char *terms)
{
	const struct pmuq_event *event = event_of(pmu, name);

	assert_non_null(event);
	assert_string_equal(event->terms.p, terms);
}
