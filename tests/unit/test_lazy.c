/* SPDX-License-Identifier: MIT */
/* The lazy source: the files that it opens for a query, and its errors. */
#include "tests/unit/odd.h"

static void unreadable_files_are_problems_next_to_the_others(void **state)
{
	struct tree *tree = *state;
	struct pmuq_catalog *catalog;
	char *path;

	make_cpu(tree);
	put(tree, "cpu/rdpmc", "1\n");
	path = tree_path(tree, DEVICES "cpu/rdpmc");
	assert_int_equal(chmod(path, 0), 0);
	free(path);
	tree_become_other(tree);
	catalog = law_read(tree->dir);
	check_cpu(catalog);
	assert_int_equal(pmuq_catalog_machine(catalog)->n_problems, 1);
	assert_true(has_problem(catalog, "cpu/rdpmc", PMUQ_E_UNREADABLE));
	assert_int_equal(pmuq_catalog_problem(catalog, 0)->errnum, EACCES);
	assert_string_equal(pmuq_catalog_problem(catalog, 0)->message.p, "permission denied");
	pmuq_catalog_free(catalog);
	assert_law(tree->dir, true);
	tree_become_self();
}

static void a_directory_without_a_machine_is_no_root(void **state)
{
	struct tree *tree = *state;
	struct pmuq_source *source = NULL;
	struct pmuq_error *error = NULL;

	assert_int_equal(pmuq_source_open_tree(tree->dir, &source, &error), -PMUQ_E_NO_ROOT);
	assert_null(source);
	assert_null(error->hint.p);
	pmuq_error_free(error);
	error = NULL;
	tree_dir(tree, "bus/event_source/devices");
	assert_int_equal(pmuq_source_open_tree(tree->dir, &source, &error), -PMUQ_E_NO_ROOT);
	assert_non_null(strstr(error->hint.p, "pmuq_source_open_sysfs()"));
	pmuq_error_free(error);
	assert_int_equal(pmuq_source_open_tree(NULL, &source, NULL), -PMUQ_E_BAD_CALL);
}

static void make_many_pmus(const struct tree *tree, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		static const char *const files[][2] = { { "type", "20\n" },
							{ "cpumask", "0\n" },
							{ "alias", "other\n" },
							{ "format/event", "config:0-7\n" },
							{ "events/tsc2", "event=1\n" } };

		for (size_t f = 0; f < COUNT(files); f++) {
			char *path = NULL;

			assert_true(asprintf(&path, "uncore_cha_%u/%s", i, files[f][0]) > 0);
			put(tree, path, files[f][1]);
			free(path);
		}
	}
	make_cpu(tree);
	put(tree, "msr/type", "10\n");
	put(tree, "msr/format/event", "config:0-63\n");
	put(tree, "msr/events/tsc", "event=0x00\n");
}

/* The number of files that encoding needs. */
static uint64_t opens_of(const struct tree *tree, const char *text)
{
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_source *source = NULL;
	uint64_t opens;

	assert_int_equal(pmuq_source_open_tree(tree->dir, &source, NULL), 0);
	opens = pmuq_source_opens(source);
	assert_int_equal(pmuq_source_encode(source, text, NULL, &encodings, NULL), 0);
	opens = pmuq_source_opens(source) - opens;
	pmuq_encodings_free(encodings);
	pmuq_source_free(source);
	return opens;
}

static void one_event_reads_one_pmu_of_a_thousand(void **state)
{
	struct tree *tree = *state, small;
	/* type, the event, its format, and which CPUs are online */
	const uint64_t enough = 4;

	tree_make(&small);
	make_many_pmus(&small, 0);
	make_many_pmus(tree, 1000);
	assert_true(opens_of(tree, "msr/tsc/") <= enough);
	assert_int_equal(opens_of(tree, "msr/tsc/"), opens_of(&small, "msr/tsc/"));
	tree_remove(&small);
}

static void the_file_cpus_of_an_uncore_pmu_is_read_if_there_is_no_cpumask(void **state)
{
	const struct tree *tree = *state;
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_source *source = NULL;
	const struct pmuq_pmu *pmu = NULL;
	char *path = tree_path(tree, DEVICES "uncore_cha_0/cpumask");

	make_many_pmus(tree, 1);
	put(tree, "uncore_cha_0/cpus", "3\n");
	/* The file makes it a core PMU. */
	put(tree, "other/type", "30\n");
	put(tree, "other/cpumask", "0\n");
	put(tree, "other/cpus", "0-3\n");
	/* type, cpumask, the event and its format */
	assert_int_equal(opens_of(tree, "uncore_cha_0/tsc2/"), 4);
	assert_law(tree->dir, true);
	assert_int_equal(unlink(path), 0);
	free(path);
	assert_int_equal(pmuq_source_open_tree(tree->dir, &source, NULL), 0);
	assert_int_equal(pmuq_source_encode(source, "uncore_cha_0/tsc2/", NULL, &encodings, NULL),
			 0);
	assert_str(pmuq_encodings_get(encodings, 0)->cpus, STR("3"));
	assert_int_equal(pmuq_source_find_pmu(source, "other", &pmu, NULL), 0);
	assert_true(pmu->is_core);
	pmuq_encodings_free(encodings);
	pmuq_source_free(source);
}

static void finding_an_event_opens_no_file(void **state)
{
	struct tree *tree = *state;
	struct pmuq_source *source = NULL;
	struct pq_pmu_list list;
	struct pq_lookup m;
	uint64_t opens;

	make_many_pmus(tree, 100);
	assert_int_equal(pmuq_source_open_tree(tree->dir, &source, NULL), 0);
	m = source->lookup;
	assert_int_equal(m.ops->list_pmus(m.self, &list, NULL), 0);
	assert_int_equal(list.n, 102);
	assert_string_equal(list.v[0]->name.p, "cpu");
	assert_string_equal(list.v[3]->name.p, "uncore_cha_1");
	assert_string_equal(list.v[101]->name.p, "uncore_cha_99");
	opens = pmuq_source_opens(source);
	assert_int_equal(m.ops->find_event(m.self, STR("TSC2"), &list, NULL), 0);
	assert_int_equal(list.n, 100);
	assert_int_equal(pmuq_source_opens(source), opens);
	pmuq_source_free(source);
}

static void names_of_events_are_listed_and_not_read(void **state)
{
	const struct tree *tree = *state;
	struct pq_names names = { 0 }, first = { 0 };
	struct pmuq_source *source = NULL;
	struct pq_pmu_list list;
	struct pq_lookup m;
	uint64_t opens;

	make_many_pmus(tree, 100);
	put(tree, "uncore_cha_7/events/tsc2.unit", "MiB\n");
	put(tree, "uncore_cha_7/events/Other", "event=2\n");
	assert_int_equal(pmuq_source_open_tree(tree->dir, &source, NULL), 0);
	m = source->lookup;
	assert_int_equal(m.ops->list_pmus(m.self, &list, NULL), 0);
	opens = pmuq_source_opens(source);
	for (size_t i = 2; i < list.n; i++) {
		bool is_odd_one = i == 2 + 7;

		assert_int_equal(m.ops->event_names(m.self, list.v[i], &names, NULL), 0);
		assert_int_equal(names.n, is_odd_one ? 2 : 1);
		assert_string_equal(pq_names_at(&names, 0).p, is_odd_one ? "Other" : "tsc2");
		if (i == 2)
			first = names;
		/* Sibling instances share their names. */
		if (i < 2 + 7)
			assert_ptr_equal(names.array.v, first.array.v);
	}
	/* Of each PMU the directory of its events. */
	assert_int_equal(pmuq_source_opens(source) - opens, 100);
	pmuq_source_free(source);
}

static void a_pmu_that_went_away_is_stale(void **state)
{
	struct tree *tree = *state;
	struct pmuq_source *source = NULL;
	struct pmuq_error *error = NULL;
	struct pq_pmu_list list;
	struct pq_lookup m;
	char *old, *new;

	make_cpu(tree);
	old = tree_path(tree, DEVICES "cpu");
	new = tree_path(tree, "gone");
	assert_int_equal(pmuq_source_open_tree(tree->dir, &source, NULL), 0);
	m = source->lookup;
	assert_int_equal(m.ops->list_pmus(m.self, &list, NULL), 0);
	assert_int_equal(rename(old, new), 0);
	assert_int_equal(m.ops->fill(m.self, list.v[0], &error), -PMUQ_E_STALE_SOURCE);
	pmuq_error_free(error);
	pmuq_source_free(source);
	free(old);
	free(new);
}

static void a_machine_that_is_gone_is_not_one_without_pmus(void **state)
{
	struct tree *tree = *state;
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *catalog = NULL;
	struct pmuq_error *error = NULL;
	struct tree sys = { .dir = tree_path(tree, "sys") };

	tree_file(tree, "proc/version", "Linux version 6.1.0\n");
	tree_dir(tree, DEVICES);
	assert_int_equal(pmuq_source_open_tree(tree->dir, &source, NULL), 0);
	assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL), 0);
	assert_int_equal(pmuq_catalog_machine(catalog)->n_pmus, 0);
	assert_int_equal(pmuq_catalog_machine(catalog)->n_problems, 0);
	pmuq_catalog_free(catalog);
	catalog = NULL;
	tree_remove(&sys);
	assert_int_equal(pmuq_source_read_catalog(source, &catalog, &error), -PMUQ_E_STALE_SOURCE);
	assert_null(catalog);
	assert_non_null(strstr(error->message.p, "gone"));
	pmuq_error_free(error);
	pmuq_source_free(source);
}

static void check_globs_of_tracepoints(struct pq_lookup m)
{
	static const struct {
		const char *subsystems, *names, *found[3];
	} rows[] = {
		{ "sch*", "*_w*", { "sched_wakeup" } },
		{ "sch*", "*", { "sched_switch", "sched_wakeup" } },
		{ "*", "*e*", { "enter", "sched_switch", "sched_wakeup" } },
		{ "*", "*er", { "enter" } },
		{ "sched", "enter", { NULL } },
	};
	struct pq_tracepoint_list list;
	struct pq_arena arena = PQ_ARENA(SIZE_MAX);

	for (size_t i = 0; i < COUNT(rows); i++) {
		size_t n = 0;

		assert_int_equal(m.ops->list_tracepoints(m.self, &arena, str_of(rows[i].subsystems),
							 str_of(rows[i].names), &list, NULL),
				 0);
		for (; n < COUNT(rows[i].found) && rows[i].found[n]; n++) {
			assert_true(n < list.n);
			assert_string_equal(list.v[n]->name.p, rows[i].found[n]);
		}
		assert_int_equal(list.n, n);
	}
	pq_arena_clear(&arena);
}

static void globs_select_tracepoints(void **state)
{
	struct tree *tree = *state;
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *catalog = NULL;

	make_cpu(tree);
	tree_file(tree, "sys/kernel/tracing/events/sched/sched_switch/id", "316\n");
	tree_file(tree, "sys/kernel/tracing/events/kvm-s390/enter/id", "42");
	tree_file(tree, "sys/kernel/tracing/events/sched/sched_wakeup/id", "315\n");
	assert_int_equal(pmuq_source_open_tree(tree->dir, &source, NULL), 0);
	check_globs_of_tracepoints(source->lookup);
	assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL), 0);
	check_globs_of_tracepoints(pq_catalog_lookup(catalog));
	pmuq_catalog_free(catalog);
	pmuq_source_free(source);
}

/* By name or alias, with all its members. */
static void one_pmu_is_found_in_full(void **state)
{
	struct tree *tree = *state;
	struct pmuq_source *source = NULL;
	const struct pmuq_pmu *pmu = NULL;
	struct pmuq_error *error = NULL;

	make_cpu(tree);
	tree_file(tree, "sys/bus/event_source/devices/box_0/type", "20\n");
	tree_file(tree, "sys/bus/event_source/devices/box_0/alias", "uncore_type_1_0\n");
	tree_file(tree, "sys/bus/event_source/devices/box_0/format/event", "config:0-7\n");
	assert_int_equal(pmuq_source_open_tree(tree->dir, &source, NULL), 0);
	assert_int_equal(pmuq_source_find_pmu(source, "uncore_type_1_0", &pmu, NULL), 0);
	assert_string_equal(pmu->name.p, "box_0");
	assert_int_equal(pmu->definition->n_formats, 1);
	assert_int_equal(pmuq_source_find_pmu(source, "box_1", &pmu, &error), -PMUQ_E_UNKNOWN_PMU);
	assert_string_equal(pmu->name.p, "box_0");
	pmuq_error_free(error);
	pmuq_source_free(source);
}

#define WITH_TREE(f) cmocka_unit_test_setup_teardown(f, tree_setup, tree_teardown)

static const struct CMUnitTest tests[] = {
	WITH_TREE(unreadable_files_are_problems_next_to_the_others),
	WITH_TREE(a_directory_without_a_machine_is_no_root),
	WITH_TREE(one_event_reads_one_pmu_of_a_thousand),
	WITH_TREE(the_file_cpus_of_an_uncore_pmu_is_read_if_there_is_no_cpumask),
	WITH_TREE(finding_an_event_opens_no_file),
	WITH_TREE(names_of_events_are_listed_and_not_read),
	WITH_TREE(a_pmu_that_went_away_is_stale),
	WITH_TREE(a_machine_that_is_gone_is_not_one_without_pmus),
	WITH_TREE(globs_select_tracepoints),
	WITH_TREE(one_pmu_is_found_in_full),
};

int main(void)
{
	return cmocka_run_group_tests_name("lazy", tests, NULL, NULL);
}
