/* SPDX-License-Identifier: MIT */
/* Catalogs: core/catalog/catalog_builder.c, core/catalog/catalog.c, core/catalog/catalog_index.c,
 * core/catalog/model.c. */
#include "tests/harness/build.h"

#define INSTANCE(number, id)                                                                       \
	{                                                                                          \
		.name = "uncore_imc_" number, .type = id, .cpumask = "0,2",                        \
		.formats = "event config:0-7", .events = "reads event=1; writes event=2"           \
	}

static const struct test_pmu machine[] = {
	INSTANCE("10", 30),
	INSTANCE("2", 22),
	{ .name = "software", .type = 1 },
	INSTANCE("1f", 31),
	INSTANCE("100", 32),
	INSTANCE("1fa", 33),
	{ .name = "cpu",
	  .type = 4,
	  .formats = "umask config:8-15; event config:0-7",
	  .events = "Mixed event=9; lower event=1; reads event=5" },
	{ .name = "uncore_pcu", .type = 40, .cpumask = "", .alias = "uncore_type_4" },
	{ .name = "big_core", .type = 9, .cpus = "2-3", .events = "LOWER event=7" },
};

static struct pmuq_catalog *make(void)
{
	return test_catalog(machine, COUNT(machine));
}

static void pmus_are_core_first_then_by_name_then_by_number(void **state)
{
	static const char *const order[] = { "big_core",       "cpu",		"software",
					     "uncore_imc_2",   "uncore_imc_10", "uncore_imc_100",
					     "uncore_imc_1fa", "uncore_imc_1f", "uncore_pcu" };
	struct pmuq_catalog *catalog = make();

	(void)state;
	assert_int_equal(pmuq_catalog_machine(catalog)->n_pmus, COUNT(order));
	for (size_t i = 0; i < COUNT(order); i++)
		assert_string_equal(pmuq_catalog_pmu(catalog, i)->name.p, order[i]);
	pmuq_catalog_free(catalog);
}

static void equal_instances_share_one_definition(void **state)
{
	struct pmuq_catalog *catalog = make();
	const struct pmuq_pmu *a = pmuq_catalog_find_pmu(catalog, "uncore_imc_2");
	const struct pmuq_pmu *b = pmuq_catalog_find_pmu(catalog, "uncore_imc_1fa");

	(void)state;
	assert_ptr_equal(a->definition, b->definition);
	assert_int_equal(a->definition, b->definition);
	/* imc, cpu, big_core; software and pcu are both empty. */
	assert_int_equal(pq_catalog_def_count(catalog), 4);
	pmuq_catalog_free(catalog);
}

static void a_pmu_is_found_by_name_and_by_alias(void **state)
{
	struct pmuq_catalog *catalog = make();

	(void)state;
	assert_string_equal(pmuq_catalog_find_pmu(catalog, "cpu")->name.p, "cpu");
	assert_string_equal(pmuq_catalog_find_pmu(catalog, "uncore_type_4")->name.p, "uncore_pcu");
	assert_null(pmuq_catalog_find_pmu(catalog, "CPU"));
	assert_null(pmuq_catalog_find_pmu(catalog, ""));
	pmuq_catalog_free(catalog);
}

static void cpus_are_the_cpumask_else_cpus_else_what_is_online(void **state)
{
	struct pmuq_catalog *catalog = make();

	(void)state;
	assert_string_equal(pmuq_catalog_find_pmu(catalog, "uncore_imc_2")->cpus.p, "0,2");
	assert_string_equal(pmuq_catalog_find_pmu(catalog, "big_core")->cpus.p, "2-3");
	assert_string_equal(pmuq_catalog_find_pmu(catalog, "cpu")->cpus.p, "0-3");
	assert_string_equal(pmuq_catalog_find_pmu(catalog, "uncore_pcu")->cpus.p, "0-3");
	assert_string_equal(pmuq_catalog_find_pmu(catalog, "uncore_pcu")->cpumask.p, "");
	assert_null(pmuq_catalog_find_pmu(catalog, "cpu")->cpumask.p);
	pmuq_catalog_free(catalog);
}

static size_t owners(const struct pmuq_catalog *catalog, const char *event, const char *first)
{
	struct pq_lookup lookup = pq_catalog_lookup(catalog);
	struct pq_pmu_list list;

	assert_int_equal(lookup.ops->find_event(lookup.self, str_of(event), &list, NULL), 0);
	if (first)
		assert_string_equal(list.v[0]->name.p, first);
	for (size_t i = 0; i < list.n; i++) {
		const struct pmuq_event *found;

		assert_int_equal(
			lookup.ops->event(lookup.self, list.v[i], str_of(event), &found, NULL), 0);
		assert_true(i == 0 || pq_pmu_compare(list.v[i - 1], list.v[i]) < 0);
	}
	return list.n;
}

/* The exact name, all lower case, all upper case: the spellings that two stat calls can find. */
static void an_event_is_found_in_three_spellings(void **state)
{
	struct pmuq_catalog *catalog = make();

	(void)state;
	assert_int_equal(owners(catalog, "reads", "cpu"), 6);
	assert_int_equal(owners(catalog, "Reads", "cpu"), 6);
	assert_int_equal(owners(catalog, "lower", "big_core"), 2);
	assert_int_equal(owners(catalog, "lOwEr", "big_core"), 2);
	assert_int_equal(owners(catalog, "Mixed", "cpu"), 1);
	assert_int_equal(owners(catalog, "mixed", NULL), 0);
	assert_int_equal(owners(catalog, "none", NULL), 0);
	assert_int_equal(owners(catalog, "", NULL), 0);
	pmuq_catalog_free(catalog);
}

static void facts_have_the_order_of_the_table(void **state)
{
	static const char *const order[] = { "arch", "cpus_online", "boot_id", "second", "first" };
	struct pmuq_catalog *catalog = NULL;
	struct pq_builder *builder = NULL;

	(void)state;
	assert_int_equal(pq_builder_new(&builder, NULL), 0);
	pq_builder_fact(builder, STR("second"), STR("unknown, and the first of these"), NULL);
	pq_builder_fact(builder, STR("boot_id"), STR("1"), NULL);
	pq_builder_fact(builder, STR("cpus_online"), STR("0"), NULL);
	pq_builder_fact(builder, STR("first"), STR("unknown"), NULL);
	pq_builder_fact(builder, STR("arch"), STR("x86_64"), NULL);
	assert_int_equal(pq_builder_finish(builder, &catalog, NULL), 0);
	assert_int_equal(pmuq_catalog_machine(catalog)->n_facts, COUNT(order));
	for (size_t i = 0; i < COUNT(order); i++)
		assert_string_equal(pmuq_catalog_machine(catalog)->facts[i].name.p, order[i]);
	pmuq_catalog_free(catalog);
}

static void a_name_has_up_to_three_spellings(void **state)
{
	static const struct {
		const char *name, *spellings[3];
	} rows[] = {
		{ .name = "reads", .spellings = { "reads", "READS" } },
		{ .name = "READS", .spellings = { "READS", "reads" } },
		{ .name = "Reads", .spellings = { "Reads", "reads", "READS" } },
		{ .name = "r-1", .spellings = { "r-1", "R-1" } },
		{ .name = "0_1", .spellings = { "0_1" } },
		{ .name = "", .spellings = { NULL } },
	};
	char buffer[2 * PQ_NAME_MAX_BYTES];
	struct pmuq_str spellings[3];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		size_t n = pq_event_spellings(str_of(rows[i].name), buffer, spellings);

		for (size_t k = 0; k < n; k++)
			assert_true(str_eq(spellings[k], str_of(rows[i].spellings[k])));
		assert_true(n == 3 || !rows[i].spellings[n]);
	}
}

/* Checked before a file of a machine is opened by a name of the caller. */
static void a_file_name_is_one_part_of_a_path(void **state)
{
	char longest[PQ_NAME_MAX_BYTES + 1];

	(void)state;
	memset(longest, 'a', sizeof(longest));
	assert_true(pq_is_file_name(STR("cpu")));
	assert_true(pq_is_file_name(STR("..a")));
	assert_true(pq_is_file_name((struct pmuq_str){ longest, PQ_NAME_MAX_BYTES }));
	assert_false(pq_is_file_name((struct pmuq_str){ longest, PQ_NAME_MAX_BYTES + 1 }));
	assert_false(pq_is_file_name(STR("")));
	assert_false(pq_is_file_name(STR(".")));
	assert_false(pq_is_file_name(STR("..")));
	assert_false(pq_is_file_name(STR("a/b")));
	assert_false(pq_is_file_name(STR("a\0b")));
}

static void an_empty_machine_is_a_machine(void **state)
{
	struct pmuq_catalog *catalog = test_catalog(NULL, 0);

	(void)state;
	assert_int_equal(pmuq_catalog_machine(catalog)->n_pmus, 0);
	assert_null(pmuq_catalog_pmu(catalog, 0));
	assert_int_equal(owners(catalog, "cycles", NULL), 0);
	pmuq_catalog_free(catalog);
}

static void expect_misuse(int r, struct pmuq_error **error)
{
	assert_int_equal(r, -PMUQ_E_BAD_CALL);
	assert_non_null(strstr((*error)->hint.p, "pmuq_source_read_catalog()"));
	pmuq_error_free(*error);
	*error = NULL;
}

/* Otherwise a tracepoint would be unknown, and a stored machine would have lost all of them. */
static void tracepoints_that_were_only_counted_are_not_taken_for_none(void **state)
{
	struct pmuq_writer *writer = NULL;
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_diff *diff = NULL;
	struct pmuq_catalog *counted = NULL, *whole = make();
	struct pmuq_error *error = NULL;
	struct pq_builder *builder = NULL;

	(void)state;
	assert_int_equal(pq_builder_new(&builder, NULL), 0);
	test_add(builder, &machine[6]);
	pq_builder_count_tracepoints(builder, 2300);
	assert_int_equal(pq_builder_finish(builder, &counted, NULL), 0);
	assert_int_equal(pmuq_catalog_machine(counted)->n_counted, 2300);
	assert_int_equal(pmuq_catalog_machine(counted)->n_tracepoints, 0);
	assert_int_equal(pmuq_catalog_encode(counted, "cpu/lower/", NULL, &encodings, NULL), 0);
	pmuq_encodings_free(encodings);
	expect_misuse(pmuq_catalog_encode(counted, "sched:sched_switch", NULL, &encodings, &error),
		      &error);
	expect_misuse(pmuq_catalog_encode(counted, "sched:*", NULL, &encodings, &error), &error);
	expect_misuse(pmuq_catalog_diff(whole, counted, NULL, &diff, &error), &error);
	assert_int_equal(pmuq_writer_new(&writer, NULL), 0);
	expect_misuse(pmuq_writer_add(writer, counted, "web01", 1, &error), &error);
	pmuq_writer_free(writer);
	pmuq_catalog_free(counted);
	pmuq_catalog_free(whole);
}

static void tracepoints_of_this_machine_are_counted_as_they_are_read(void **state)
{
	struct pmuq_catalog *whole = NULL, *counted = NULL;
	struct pmuq_source *source = NULL;

	(void)state;
	assert_int_equal(pmuq_source_open_live(&source, NULL), 0);
	assert_int_equal(pmuq_source_read_catalog(source, &whole, NULL), 0);
	assert_int_equal(pmuq_source_read_pmus(source, &counted, NULL), 0);
	assert_int_equal(pmuq_catalog_machine(counted)->n_counted,
			 pmuq_catalog_machine(whole)->n_tracepoints);
	assert_int_equal(pmuq_catalog_machine(counted)->n_pmus,
			 pmuq_catalog_machine(whole)->n_pmus);
	pmuq_catalog_free(counted);
	pmuq_catalog_free(whole);
	pmuq_source_free(source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pmus_are_core_first_then_by_name_then_by_number),
		cmocka_unit_test(equal_instances_share_one_definition),
		cmocka_unit_test(a_pmu_is_found_by_name_and_by_alias),
		cmocka_unit_test(cpus_are_the_cpumask_else_cpus_else_what_is_online),
		cmocka_unit_test(an_event_is_found_in_three_spellings),
		cmocka_unit_test(a_name_has_up_to_three_spellings),
		cmocka_unit_test(facts_have_the_order_of_the_table),
		cmocka_unit_test(a_file_name_is_one_part_of_a_path),
		cmocka_unit_test(an_empty_machine_is_a_machine),
		cmocka_unit_test(tracepoints_that_were_only_counted_are_not_taken_for_none),
		cmocka_unit_test(tracepoints_of_this_machine_are_counted_as_they_are_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
