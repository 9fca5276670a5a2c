/* SPDX-License-Identifier: MIT */
/* An import of a vendor's tables in steps: how far it is, and giving up. */
#include "tests/api/program.h"

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
	struct pmuq_importer *importer;

	assert_int_equal(n_found(own, "cycles"), 0);
	importer = begin(own);
	read_all(importer);
	assert_int_equal(pmuq_importer_commit(importer, NULL, NULL), 0);
	pmuq_importer_free(importer);
	assert_int_not_equal(n_found(own, "cycles"), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_step_has_a_path, begin_store, end_store),
		cmocka_unit_test_setup_teardown(a_search_finds_what_was_imported, begin_store,
						end_store),
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
