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

static struct pmuq_found *search(struct own_store *own, const char *words, const char *cpuid,
				 size_t limit)
{
	struct pmuq_found *found = NULL;

	assert_int_equal(pmuq_store_search_cpu(own->store, words, cpuid, limit, &found, NULL), 0);
	return found;
}

/* The results of the CPU, which are the first ones. */
static size_t n_of_cpu(const struct pmuq_found *found)
{
	size_t n = 0;

	while (n < pmuq_found_count(found) && pmuq_found_get(found, n)->is_of_cpu)
		n++;
	for (size_t i = n; i < pmuq_found_count(found); i++)
		assert_false(pmuq_found_get(found, i)->is_of_cpu);
	return n;
}

#define TESTLAKE "GenuineIntel-6-F0"

/* Under another name, so that the tables of the other test CPUs are there as well. */
static void import_others(struct own_store *own)
{
	char dir[PATH_MAX];

	snprintf(dir, sizeof(dir), "%s/../arch", getenv("PMUQ_TEST_VENDOR"));
	assert_int_equal(
		pmuq_store_import_vendor(own->store, dir, "others", 1700000000, NULL, NULL), 0);
	import_all(own);
}

static void what_the_table_of_the_cpu_has_is_found_first(void **state)
{
	struct own_store *own = *state;
	struct pmuq_found *found;
	size_t n;

	import_others(own);
	found = search(own, "misses", TESTLAKE, 100);
	n = n_of_cpu(found);
	assert_true(n > 1 && n < pmuq_found_count(found));
	for (size_t i = 1; i < n; i++) {
		const struct pmuq_found_event *before = pmuq_found_get(found, i - 1);
		const struct pmuq_found_event *event = pmuq_found_get(found, i);

		assert_true(event->match > before->match || event->name.n >= before->name.n);
	}
	pmuq_found_free(found);
	/* All results are of the CPU if there are enough. */
	found = search(own, "misses", TESTLAKE, n);
	assert_int_equal(n_of_cpu(found), n);
	pmuq_found_free(found);
}

static void some_of_the_words_are_found_in_the_table_of_the_cpu_first(void **state)
{
	struct own_store *own = *state;
	struct pmuq_found *found;

	import_others(own);
	found = search(own, "misses zebra", TESTLAKE, 100);
	assert_true(n_of_cpu(found) > 0 && n_of_cpu(found) < pmuq_found_count(found));
	for (size_t i = 0; i < pmuq_found_count(found); i++)
		assert_int_equal(pmuq_found_get(found, i)->match, PMUQ_MATCH_ANY);
	pmuq_found_free(found);
}

static void a_cpu_without_a_table_does_not_change_the_results(void **state)
{
	struct own_store *own = *state;
	struct pmuq_found *found, *same;

	import_others(own);
	found = search(own, "cycles", "GenuineIntel-6-EE-1", 100);
	assert_int_equal(pmuq_store_search(own->store, "cycles", 100, &same, NULL), 0);
	assert_int_equal(n_of_cpu(found), 0);
	assert_int_equal(pmuq_found_count(found), pmuq_found_count(same));
	for (size_t i = 0; i < pmuq_found_count(found); i++)
		assert_string_equal(pmuq_found_get(found, i)->name.p,
				    pmuq_found_get(same, i)->name.p);
	pmuq_found_free(found);
	pmuq_found_free(same);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_step_has_a_path, begin_store, end_store),
		cmocka_unit_test_setup_teardown(a_search_finds_what_was_imported, begin_store,
						end_store),
		cmocka_unit_test_setup_teardown(what_the_table_of_the_cpu_has_is_found_first,
						begin_store, end_store),
		cmocka_unit_test_setup_teardown(
			some_of_the_words_are_found_in_the_table_of_the_cpu_first, begin_store,
			end_store),
		cmocka_unit_test_setup_teardown(a_cpu_without_a_table_does_not_change_the_results,
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
