/* SPDX-License-Identifier: MIT */
/* A check without memory. It opens events of this machine, so guests run this test, too. */
#include "core/catalog/check.h"
#include "tests/harness/build.h"
#include "tests/harness/fail_each_malloc.h"

static int check(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	struct pmuq_check *made = NULL;
	int r = pmuq_check_begin(in->catalog, 1, &made, reterr);

	while (r == 0 && pmuq_check_upcoming(made))
		r = pmuq_check_next(made, reterr);
	if (r < 0)
		pmuq_check_free(made);
	else
		*ret = made;
	return r < 0 ? r : 0;
}

/* As it is read from a database or a document. */
static int fill_check(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	static const struct pmuq_open_result opened = { .size = sizeof(opened),
							.status = PMUQ_OPENED },
					     refused = { .size = sizeof(refused),
							 .status = PMUQ_REFUSED,
							 .errnum = 2,
							 .reason = STR("a reason"),
							 .hint = STR("a hint") };
	const struct pmuq_check_result results[] = {
		{ .pmu = STR("cpu"), .event = STR("cycles"), .open = &opened },
		{ .pmu = STR("cpu"), .event = STR("loads"), .open = &refused },
		{ .pmu = STR("imc"), .event = STR("loads"), .open = &refused },
		{ .pmu = STR("cpu"), .event = STR("cycles"), .is_generic = true, .open = &opened },
	};
	struct pmuq_check *check = NULL, *again = NULL;
	int r = pq_check_new(STR("6.12"), 1, &check, reterr);

	(void)in;
	if (r == 0)
		r = pq_check_fill(check, results, COUNT(results), reterr);
	if (r == 0)
		r = pq_check_again(check, 2, &again, reterr);
	pmuq_check_free(check);
	*ret = again;
	return r;
}

static char *print_check(const struct call_input *in, const void *result)
{
	struct pq_buf buf = PQ_BUF_NULL;

	(void)in;
	for (size_t i = 0; pmuq_check_get(result, i); i++) {
		const struct pmuq_check_result *one = pmuq_check_get(result, i);

		pq_buf_print(&buf, "%s %s %d %d\n", one->pmu.p, one->event.p ? one->event.p : "-",
			     one->open->status, one->open->errnum);
	}
	return pq_buf_take(&buf);
}

static void free_check(void *result)
{
	pmuq_check_free(result);
}

static int count(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	const struct pmuq_open_options options = { .size = sizeof(options), .work_ms = 1 };

	return pmuq_encodings_measure(in->bytes, &options, (struct pmuq_counts **)ret, reterr);
}

/* Counts differ from run to run. */
static char *print_counts(const struct call_input *in, const void *result)
{
	struct pq_buf buf = PQ_BUF_NULL;

	(void)in;
	for (size_t i = 0; i < pmuq_counts_count(result); i++)
		pq_buf_print(&buf, "%d\n", pmuq_counts_get(result, i)->errnum);
	return pq_buf_take(&buf);
}

static void free_counts(void *result)
{
	pmuq_counts_free(result);
}

static const struct call_type counts = { "count", count, print_counts, free_counts };
static const struct call_type fills_checks = { "fill a check", fill_check, print_check,
					       free_check };
static const struct call_type checks = { "check", check, print_check, free_check };

static void the_check_of_this_machine(void **state)
{
	struct pmuq_catalog *catalog = NULL;
	struct pmuq_source *source = NULL;

	(void)state;
	assert_int_equal(pmuq_source_open_live(&source, NULL), 0);
	assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL), 0);
	fail_each_malloc(&checks,
			 &(struct call_input){ .text = "this machine", .catalog = catalog });
	pmuq_catalog_free(catalog);
	pmuq_source_free(source);
}

/* The array of a group's events and the set of CPUs are there only while it counts. */
static void counts_of_this_machine(void **state)
{
	struct pmuq_source *source = NULL;
	struct pmuq_encodings *encodings = NULL;

	(void)state;
	assert_int_equal(pmuq_source_open_live(&source, NULL), 0);
	assert_int_equal(pmuq_source_encode(source, "{cpu-clock:u,task-clock:u},cpu-clock:u", NULL,
					    &encodings, NULL),
			 0);
	fail_each_malloc(&counts,
			 &(struct call_input){ .text = "three events", .bytes = encodings });
	pmuq_encodings_free(encodings);
	pmuq_source_free(source);
}

static void a_check_that_is_read(void **state)
{
	(void)state;
	fail_each_malloc(&fills_checks, &(struct call_input){ .text = "four results" });
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_check_of_this_machine),
		cmocka_unit_test(counts_of_this_machine),
		cmocka_unit_test(a_check_that_is_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
