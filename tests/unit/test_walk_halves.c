/* SPDX-License-Identifier: MIT */
/* A machine with many PMUs is read by two threads: into the same catalog as by one. */
#include "tests/harness/same_catalog.h"
#include "tests/unit/odd.h"
#include <sched.h>

#define PMUS 300u

static struct pmuq_catalog *read_tree(const char *path)
{
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *catalog = NULL;

	assert_int_equal(pmuq_source_open_tree(path, &source, NULL), 0);
	assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL), 0);
	pmuq_source_free(source);
	return catalog;
}

/* With one CPU no thread is started. */
static struct pmuq_catalog *read_on_one_cpu(const char *path)
{
	struct pmuq_catalog *catalog;
	cpu_set_t all, one;

	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	CPU_ZERO(&one);
	for (int cpu = 0; CPU_COUNT(&one) == 0; cpu++)
		if (CPU_ISSET(cpu, &all))
			CPU_SET(cpu, &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	catalog = read_tree(path);
	assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
	return catalog;
}

/* Returns the catalog, to be freed. */
static struct pmuq_catalog *expect_the_same(const char *path)
{
	struct pmuq_catalog *by_two = read_tree(path), *by_one = read_on_one_cpu(path);
	char *difference = catalog_difference(by_two, by_one);

	if (difference)
		fail_msg("%s", difference);
	pmuq_catalog_free(by_one);
	return by_two;
}

static void captured_machines_are_the_same(void **state)
{
	static const char *const names[] = { "big-uncore-k6.12", "skylake-sp" };

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		char *path = NULL;

		assert_true(asprintf(&path, "%s/%s", getenv("PMUQ_TEST_MACHINES"), names[i]) > 0);
		pmuq_catalog_free(expect_the_same(path));
		free(path);
	}
}

static void put_in(const struct tree *tree, unsigned pmu, const char *file, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), "pmu_%u/%s", pmu, file);
	put(tree, path, text);
}

static void problems_of_both_halves_are_there(void **state)
{
	const struct tree *tree = *state;
	struct pmuq_catalog *catalog;
	char type[16];

	make_cpu(tree);
	for (unsigned i = 0; i < PMUS; i++) {
		snprintf(type, sizeof(type), "%u\n", 100 + i);
		put_in(tree, i, "type", i % 7 == 0 ? "garbage" : type);
		put_in(tree, i, "format/event", "config:0-7\n");
		put_in(tree, i, i % 2 ? "events/odd" : "events/even", "event=1\n");
		if (i % 50 == 0)
			put_in(tree, i, "cpus", "0-1\n");
	}
	catalog = expect_the_same(tree->dir);
	assert_int_equal(pmuq_catalog_machine(catalog)->n_pmus, PMUS + 1);
	assert_int_equal(pmuq_catalog_machine(catalog)->n_problems, PMUS / 7 + 1);
	pmuq_catalog_free(catalog);
}

/* Each half is below the limit of PMUs' lists, and both are not. */
static void the_same_pmus_are_left_out(void **state)
{
	const struct tree *tree = *state;
	struct pmuq_catalog *catalog;
	char path[128];

	for (unsigned i = 0; i < 2000; i++) {
		snprintf(path, sizeof(path), "sys/devices/large/events/event_%u", i);
		tree_file(tree, path, "event=1\n");
	}
	tree_file(tree, "sys/devices/large/type", "9\n");
	for (unsigned i = 0; i < PMUS; i++) {
		snprintf(path, sizeof(path), DEVICES "large_%u", i);
		tree_link(tree, path, "../../../devices/large");
	}
	catalog = expect_the_same(tree->dir);
	assert_true(pmuq_catalog_machine(catalog)->n_problems > 0);
	assert_true(pmuq_catalog_machine(catalog)->n_problems < PMUS / 2);
	pmuq_catalog_free(catalog);
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, tree_setup, tree_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(captured_machines_are_the_same),
		IN_TREE(problems_of_both_halves_are_there),
		IN_TREE(the_same_pmus_are_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
