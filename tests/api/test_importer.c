/* SPDX-License-Identifier: MIT */
/* An import of a vendor's tables in steps: how far it is, giving up, and searches afterwards. */
#include "tests/api/program.h"
#include <limits.h>

static int begin_store(void **state)
{
	struct own_store *own = calloc(1, sizeof(*own));

	*state = own;
	own_store_begin(own);
	return 0;
}

static int end_store(void **state)
{
	own_store_end(*state);
	free(*state);
	return 0;
}

static struct pmuq_importer *begin(struct own_store *own)
{
	struct pmuq_importer *importer = NULL;

	assert_int_equal(pmuq_importer_begin(own->store, getenv("PMUQ_TEST_VENDOR"), "v",
					     1700000000, &importer, NULL),
			 0);
	return importer;
}

static size_t n_imports(struct own_store *own)
{
	struct pmuq_vendors *vendors = NULL;
	size_t n;

	assert_int_equal(pmuq_store_list_vendors(own->store, &vendors, NULL), 0);
	n = pmuq_vendors_count(vendors);
	pmuq_vendors_free(vendors);
	return n;
}

static void read_all(struct pmuq_importer *importer)
{
	while (pmuq_importer_upcoming(importer))
		assert_int_equal(pmuq_importer_next(importer, NULL), 0);
}

static void each_step_has_a_path(void **state)
{
	struct pmuq_importer *importer = begin(*state);
	size_t n = pmuq_importer_n_steps(importer);

	assert_int_equal(n, 4);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(pmuq_importer_n_done(importer), i);
		assert_string_equal(pmuq_importer_upcoming(importer),
				    "TST/events/testlake_core.json");
		assert_int_equal(pmuq_importer_next(importer, NULL), 0);
	}
	assert_int_equal(pmuq_importer_n_done(importer), n);
	assert_null(pmuq_importer_upcoming(importer));
	assert_int_equal(pmuq_importer_next(importer, NULL), 0);
	assert_int_equal(pmuq_importer_n_done(importer), n);
	pmuq_importer_free(importer);
}

static void the_commit_stores_what_one_call_stores(void **state)
{
	struct own_store *own = *state;
	struct pmuq_importer *importer = begin(own);
	struct pmuq_vendors *in_steps = NULL, *at_once = NULL;
	const struct pmuq_vendor_import *a, *b;

	read_all(importer);
	assert_int_equal(pmuq_importer_commit(importer, &in_steps, NULL), 0);
	assert_int_equal(pmuq_importer_commit(importer, NULL, NULL), -PMUQ_E_BAD_CALL);
	pmuq_importer_free(importer);
	assert_int_equal(pmuq_store_import_vendor(own->store, getenv("PMUQ_TEST_VENDOR"), "once",
						  1700000000, &at_once, NULL),
			 0);
	assert_int_equal(n_imports(own), 2);
	a = pmuq_vendors_get(in_steps, 0);
	b = pmuq_vendors_get(at_once, 0);
	assert_string_equal(a->name.p, "v");
	assert_int_not_equal(a->n_events, 0);
	assert_int_equal(a->n_cpus, b->n_cpus);
	assert_int_equal(a->n_folders, b->n_folders);
	assert_int_equal(a->n_events, b->n_events);
	assert_int_equal(a->n_metrics, b->n_metrics);
	assert_int_equal(a->n_problems, b->n_problems);
	pmuq_vendors_free(in_steps);
	pmuq_vendors_free(at_once);
}

static void an_importer_that_is_freed_early_has_imported_nothing(void **state)
{
	struct own_store *own = *state;
	struct pmuq_importer *importer = begin(own);
	struct pmuq_error *error = NULL;

	assert_int_equal(pmuq_importer_next(importer, NULL), 0);
	assert_int_equal(pmuq_importer_commit(importer, NULL, &error), -PMUQ_E_BAD_CALL);
	assert_non_null(strstr(error->message.p, "a step has not been done yet"));
	pmuq_error_free(error);
	pmuq_importer_free(importer);
	assert_int_equal(n_imports(own), 0);
	importer = begin(own);
	read_all(importer);
	pmuq_importer_free(importer);
	assert_int_equal(n_imports(own), 0);
}

static void the_caller_s_own_transaction_stays_open(void **state)
{
	struct own_store *own = *state;
	struct pmuq_importer *importer;

	for (int is_kept = 0; is_kept < 2; is_kept++) {
		assert_int_equal(pmuq_store_begin(own->store, NULL), 0);
		importer = begin(own);
		read_all(importer);
		assert_int_equal(pmuq_importer_commit(importer, NULL, NULL), 0);
		pmuq_importer_free(importer);
		assert_int_equal(n_imports(own), 1);
		if (is_kept)
			assert_int_equal(pmuq_store_commit(own->store, NULL), 0);
		else
			pmuq_store_roll_back(own->store);
		assert_int_equal(n_imports(own), is_kept);
	}
}

static void import_all(struct own_store *own)
{
	struct pmuq_importer *importer = begin(own);

	read_all(importer);
	assert_int_equal(pmuq_importer_commit(importer, NULL, NULL), 0);
	pmuq_importer_free(importer);
}

static size_t n_found(struct own_store *own, const char *words)
{
	struct pmuq_found *found = NULL;
	size_t n;

	assert_int_equal(pmuq_store_search(own->store, words, 10, &found, NULL), 0);
	n = pmuq_found_count(found);
	pmuq_found_free(found);
	return n;
}

static void a_search_finds_what_was_imported(void **state)
{
	struct own_store *own = *state;

	assert_int_equal(n_found(own, "cycles"), 0);
	import_all(own);
	assert_int_not_equal(n_found(own, "cycles"), 0);
}

#define TESTLAKE 0xf0

/* It has a core PMU and no other one. */
static struct pmuq_source *machine_of_model(int model)
{
	char cpuinfo[256];
	const struct file files[] = {
		{ "sys/bus/event_source/devices/cpu/type", "4" },
		{ "proc/cpuinfo", cpuinfo },
	};

	snprintf(cpuinfo, sizeof(cpuinfo),
		 "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\n"
		 "model\t\t: %d\nstepping\t: 1\n",
		 model);
	return machine_of_files(files, sizeof(files) / sizeof(files[0]));
}

static struct pmuq_found *search_enough(struct own_store *own, const char *words, int model,
					size_t enough, size_t limit)
{
	struct pmuq_source *source = machine_of_model(model);
	struct pmuq_found *found = NULL;

	assert_int_equal(pmuq_store_search_machine(own->store, words, source, true, enough, limit,
						   &found, NULL),
			 0);
	pmuq_source_free(source);
	return found;
}

static struct pmuq_found *search(struct own_store *own, const char *words, int model, size_t limit)
{
	return search_enough(own, words, model, limit, limit);
}

/* 2: it counts on the machine; 1: of its CPU; 0: neither. */
static int nearness(const struct pmuq_found_event *event)
{
	assert_true(event->is_of_cpu || !event->is_here);
	return event->is_of_cpu + event->is_here;
}

static size_t n_near(const struct pmuq_found *found, int wanted)
{
	size_t n = 0;

	for (size_t i = 0; i < pmuq_found_count(found); i++)
		n += nearness(pmuq_found_get(found, i)) == wanted;
	return n;
}

/* Under another name, so that the tables of the other test CPUs are there as well. */
static void import_others(struct own_store *own)
{
	char dir[PATH_MAX];

	snprintf(dir, sizeof(dir), "%s/../arch", getenv("PMUQ_TEST_VENDOR"));
	assert_int_equal(
		pmuq_store_import_vendor(own->store, dir, "others", 1700000000, NULL, NULL), 0);
	import_all(own);
}

/* The PMU of most events counts as nothing. */
static size_t length(const struct pmuq_found_event *event)
{
	return event->name.n + (strcmp(event->pmu.p, "default_core") == 0 ? 0 : event->pmu.n);
}

static void what_the_machine_counts_is_found_first_then_the_rest_of_its_table(void **state)
{
	struct own_store *own = *state;
	struct pmuq_found *found;
	size_t n_here;

	import_others(own);
	found = search(own, "misses", TESTLAKE, 100);
	for (size_t i = 1; i < pmuq_found_count(found); i++) {
		const struct pmuq_found_event *before = pmuq_found_get(found, i - 1);
		const struct pmuq_found_event *event = pmuq_found_get(found, i);

		assert_true(nearness(before) >= nearness(event));
		assert_true(nearness(before) > nearness(event) || !event->is_of_cpu ||
			    event->match > before->match || length(event) >= length(before));
	}
	n_here = n_near(found, 2);
	assert_true(n_here > 1 && n_near(found, 1) > 0 && n_near(found, 0) > 0);
	pmuq_found_free(found);
	/* Events of other PMUs cannot displace them, even if their names are shorter. */
	found = search(own, "misses", TESTLAKE, n_here);
	assert_int_equal(n_near(found, 2), n_here);
	pmuq_found_free(found);
}

static void after_enough_results_no_weaker_matches_are_searched_for(void **state)
{
	struct own_store *own = *state;
	struct pmuq_found *found;
	size_t n;

	import_others(own);
	found = search_enough(own, "retired", TESTLAKE, 1, 100);
	n = pmuq_found_count(found);
	assert_true(n > 1 && n_near(found, 0) == 0);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(pmuq_found_get(found, i)->match, PMUQ_MATCH_NAME);
	pmuq_found_free(found);
	found = search(own, "retired", TESTLAKE, 100);
	assert_true(pmuq_found_count(found) > n && n_near(found, 0) > 0);
	pmuq_found_free(found);
	for (size_t enough = 0; enough <= 101; enough += 101)
		assert_int_equal(pmuq_store_search_machine(own->store, "retired", NULL, false,
							   enough, 100, &found, NULL),
				 -PMUQ_E_BAD_CALL);
}

static void some_of_the_words_are_found_on_the_machine_first(void **state)
{
	struct own_store *own = *state;
	struct pmuq_found *found;

	import_others(own);
	found = search(own, "misses zebra", TESTLAKE, 100);
	assert_true(n_near(found, 2) > 0 && n_near(found, 0) > 0);
	for (size_t i = 0; i < pmuq_found_count(found); i++) {
		assert_int_equal(pmuq_found_get(found, i)->match, PMUQ_MATCH_ANY);
		assert_true(i == 0 || nearness(pmuq_found_get(found, i - 1)) >=
					      nearness(pmuq_found_get(found, i)));
	}
	pmuq_found_free(found);
}

static void a_cpu_without_a_table_does_not_change_the_results(void **state)
{
	struct own_store *own = *state;
	struct pmuq_found *found, *same;

	import_others(own);
	found = search(own, "cycles", 0xee, 100);
	assert_int_equal(pmuq_store_search(own->store, "cycles", 100, &same, NULL), 0);
	assert_int_equal(n_near(found, 0), pmuq_found_count(same));
	assert_int_equal(pmuq_found_count(found), pmuq_found_count(same));
	for (size_t i = 0; i < pmuq_found_count(found); i++)
		assert_string_equal(pmuq_found_get(found, i)->name.p,
				    pmuq_found_get(same, i)->name.p);
	pmuq_found_free(found);
	pmuq_found_free(same);
}

/* The events of a system on a chip are for one release of a PMU. */
static void an_event_needs_the_identifier_of_its_pmu(void **state)
{
	struct own_store *own = *state;
	static const struct {
		const char *identifier;
		bool is_here;
	} rows[] = { { "T100", true }, { "T101", true }, { "T102", false }, { "T1000", false } };

	import_others(own);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct file files[] = {
			{ "sys/bus/event_source/devices/imx8_ddr0/type", "10" },
			{ "sys/bus/event_source/devices/imx8_ddr0/cpumask", "0" },
			{ "sys/bus/event_source/devices/imx8_ddr0/identifier", rows[i].identifier },
			{ "sys/devices/system/cpu/cpu0/regs/identification/midr_el1",
			  "0x00000000410fd490" },
			{ "proc/cpuinfo", "processor\t: 0\nCPU implementer\t: 0x41" },
		};
		struct pmuq_source *source =
			machine_of_files(files, sizeof(files) / sizeof(files[0]));
		struct pmuq_found *found = NULL;

		assert_int_equal(pmuq_store_search_machine(own->store, "ddr_cycles", source, false,
							   10, 10, &found, NULL),
				 0);
		assert_int_equal(pmuq_found_count(found), 1);
		assert_string_equal(pmuq_found_get(found, 0)->compat.p, "(T100|T101)");
		assert_true(pmuq_found_get(found, 0)->is_of_cpu);
		assert_int_equal(pmuq_found_get(found, 0)->is_here, rows[i].is_here);
		pmuq_found_free(found);
		pmuq_source_free(source);
	}
}

static void names_of_libpfm4_are_there_until_they_are_removed(void **state)
{
	const struct pmuq_pfm_options options = { .size = sizeof(options),
						  .helper = getenv("PMUQ_PFM") };
	struct own_store *own = *state;
	struct pmuq_found *found;
	struct pmuq_pfm *pfm;
	bool has = true;

	assert_int_equal(pmuq_store_has_pfm(own->store, &has, NULL), 0);
	assert_false(has);
	if (!options.helper || access(options.helper, X_OK) < 0)
		skip();
	assert_int_equal(pmuq_pfm_open(&options, &pfm, NULL), 0);
	assert_int_equal(pmuq_store_import_pfm(own->store, pfm, NULL, 1700000000, NULL, NULL), 0);
	pmuq_pfm_free(pfm);
	assert_int_equal(pmuq_store_has_pfm(own->store, &has, NULL), 0);
	assert_true(has);
	/* Its core PMU is here, and its uncore PMUs are not. */
	found = search(own, "clockticks", 0x55, 1000);
	assert_true(n_near(found, 2) == 0 && n_near(found, 1) > 0);
	pmuq_found_free(found);
	found = search(own, "l3_miss", 0x55, 1000);
	assert_true(n_near(found, 2) > 0 && n_near(found, 0) > 0);
	assert_string_equal(pmuq_found_get(found, 0)->pmu.p, "skx");
	pmuq_found_free(found);
	assert_int_equal(pmuq_store_remove_vendor(own->store, "libpfm4", NULL), 0);
	assert_int_equal(pmuq_store_has_pfm(own->store, &has, NULL), 0);
	assert_false(has);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_step_has_a_path, begin_store, end_store),
		cmocka_unit_test_setup_teardown(a_search_finds_what_was_imported, begin_store,
						end_store),
		cmocka_unit_test_setup_teardown(
			what_the_machine_counts_is_found_first_then_the_rest_of_its_table,
			begin_store, end_store),
		cmocka_unit_test_setup_teardown(
			after_enough_results_no_weaker_matches_are_searched_for, begin_store,
			end_store),
		cmocka_unit_test_setup_teardown(some_of_the_words_are_found_on_the_machine_first,
						begin_store, end_store),
		cmocka_unit_test_setup_teardown(a_cpu_without_a_table_does_not_change_the_results,
						begin_store, end_store),
		cmocka_unit_test_setup_teardown(an_event_needs_the_identifier_of_its_pmu,
						begin_store, end_store),
		cmocka_unit_test_setup_teardown(names_of_libpfm4_are_there_until_they_are_removed,
						begin_store, end_store),
		cmocka_unit_test_setup_teardown(the_commit_stores_what_one_call_stores, begin_store,
						end_store),
		cmocka_unit_test_setup_teardown(
			an_importer_that_is_freed_early_has_imported_nothing, begin_store,
			end_store),
		cmocka_unit_test_setup_teardown(the_caller_s_own_transaction_stays_open,
						begin_store, end_store),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
