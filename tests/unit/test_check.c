/* SPDX-License-Identifier: MIT */
/* A check as data, and a check of this machine on the running kernel. */
#include "core/catalog/check.h"
#include "core/catalog/model.h"
#include "tests/harness/build.h"
#include "tests/harness/failing_malloc.h"
#include "tests/harness/names.h"
#include <fcntl.h>

static struct pmuq_check *small_check(size_t n_checked)
{
	const struct pmuq_open_result open_results[] = {
		{ .status = PMUQ_REFUSED, .errnum = 22, .reason = STR("no") },
		{ .status = PMUQ_OPENED, .cpus = STR("-1") },
		{ .status = PMUQ_REFUSED, .errnum = 22, .reason = STR("no") },
		{ .status = PMUQ_REFUSED, .errnum = 22, .reason = STR("no"), .hint = STR("") },
	};
	struct pmuq_check *check = NULL;

	assert_int_equal(pq_check_new(STR("6.1"), 7, &check, NULL), 0);
	assert_int_equal(pq_check_expect(check, STR("cpu"), STR("a"), false, NULL), 0);
	assert_int_equal(pq_check_expect(check, STR("cpu"), STR("cycles"), true, NULL), 0);
	assert_int_equal(pq_check_expect(check, STR("atom"), STR("cycles"), true, NULL), 0);
	assert_int_equal(pq_check_expect(check, STR("atom"), STR("a"), false, NULL), 0);
	assert_int_equal(pq_check_index(check, NULL), 0);
	for (size_t i = 0; i < n_checked; i++)
		assert_int_equal(pq_check_add(check, &open_results[i], NULL), 0);
	return check;
}

static void results_are_found_by_pmu_and_name(void **state)
{
	struct pmuq_check *check = small_check(4);

	(void)state;
	assert_int_equal(pmuq_check_progress(check)->n_results, 4);
	assert_int_equal(pmuq_check_progress(check)->n_events, 4);
	assert_int_equal(pmuq_check_progress(check)->time_s, 7);
	assert_string_equal(pmuq_check_progress(check)->kernel.p, "6.1");
	assert_ptr_equal(pmuq_check_find(check, "cpu", "cycles"), pmuq_check_get(check, 1));
	assert_ptr_equal(pmuq_check_find(check, "atom", "cycles"), pmuq_check_get(check, 2));
	assert_string_equal(pmuq_check_get(check, 0)->event_string.p, "cpu/a/");
	assert_string_equal(pmuq_check_get(check, 2)->event_string.p, "cycles");
	assert_null(pmuq_check_find(check, "cpu", "b"));
	assert_null(pmuq_check_find(check, "cpu/a", ""));
	assert_null(pmuq_check_get(check, 4));
	assert_null(pmuq_check_upcoming(check));
	pmuq_check_free(check);
}

static void finding_a_result_needs_no_memory(void **state)
{
	struct pmuq_check *check = small_check(4);
	const struct pmuq_check_result *found;

	(void)state;
	fail_malloc_at(0);
	found = pmuq_check_find(check, "atom", "a");
	assert_false(fail_malloc_no_more());
	assert_ptr_equal(found, pmuq_check_get(check, 3));
	pmuq_check_free(check);
}

/* The names of files have at most PQ_NAME_MAX_BYTES; a document may have longer ones. */
static void names_of_any_length_are_found(void **state)
{
	static const size_t lengths[] = { PQ_NAME_MAX_BYTES, PQ_NAME_MAX_BYTES + 1,
					  3 * PQ_NAME_MAX_BYTES };
	const struct pmuq_open_result opened = { .status = PMUQ_OPENED };
	char pmu[PQ_NAME_MAX_BYTES + 1] = "";

	(void)state;
	memset(pmu, 'p', PQ_NAME_MAX_BYTES);
	for (size_t i = 0; i < COUNT(lengths); i++) {
		char event[3 * PQ_NAME_MAX_BYTES + 1] = "";
		struct pmuq_check_result wanted = { .open = &opened, .pmu = str_of(pmu) };
		struct pmuq_check *check = NULL;

		memset(event, 'e', lengths[i]);
		wanted.event = str_of(event);
		assert_int_equal(pq_check_new(STR("6.1"), 7, &check, NULL), 0);
		assert_int_equal(pq_check_fill(check, &wanted, 1, NULL), 0);
		assert_ptr_equal(pmuq_check_find(check, pmu, event), pmuq_check_get(check, 0));
		event[lengths[i] - 1] = 'x';
		assert_null(pmuq_check_find(check, pmu, event));
		pmuq_check_free(check);
	}
}

static void equal_open_results_are_one(void **state)
{
	struct pmuq_check *check = small_check(4);

	(void)state;
	assert_ptr_equal(pmuq_check_get(check, 0)->open, pmuq_check_get(check, 2)->open);
	/* A missing hint differs from an empty one. */
	assert_ptr_not_equal(pmuq_check_get(check, 0)->open, pmuq_check_get(check, 3)->open);
	assert_null(pmuq_check_get(check, 0)->open->hint.p);
	assert_string_equal(pmuq_check_get(check, 3)->open->hint.p, "");
	pmuq_check_free(check);
}

static void events_that_were_not_reached_are_unknown(void **state)
{
	struct pmuq_check *check = small_check(2);

	(void)state;
	assert_int_equal(pmuq_check_progress(check)->n_results, 2);
	assert_int_equal(pmuq_check_progress(check)->n_events, 4);
	assert_non_null(pmuq_check_find(check, "cpu", "cycles"));
	assert_null(pmuq_check_find(check, "atom", "cycles"));
	assert_null(pmuq_check_get(check, 2));
	assert_string_equal(pmuq_check_upcoming(check), "cycles");
	assert_int_equal(pmuq_check_find(check, "cpu", "a")->open->errnum, 22);
	pmuq_check_free(check);
	pmuq_check_free(NULL);
}

static void another_machine_is_refused(void **state)
{
	const struct test_pmu pmu = { .name = "msr", .type = 9, .events = "tsc event=0" };
	struct pmuq_catalog *catalog = test_catalog(&pmu, 1);
	struct pmuq_error *error = NULL;
	struct pmuq_check *check = NULL;

	(void)state;
	assert_false(pmuq_catalog_machine(catalog)->is_live);
	assert_null(pmuq_catalog_machine(catalog)->check);
	assert_int_equal(pmuq_check_begin(catalog, 1, &check, &error), -PMUQ_E_BAD_CALL);
	assert_int_equal(error->code, PMUQ_E_BAD_CALL);
	assert_null(check);
	pmuq_error_free(error);
	pmuq_catalog_free(catalog);
}

static void each_generic_name_is_offered_once(void **state)
{
	char name[PMUQ_GENERIC_NAME_MAX], other[PMUQ_GENERIC_NAME_MAX];
	bool has_last_hardware = false, has_cache = false, has_software = false;
	size_t n = 0;

	(void)state;
	for (; pmuq_generic_name(n, name); n++) {
		has_last_hardware |= strcmp(name, "ref-cycles") == 0;
		has_software |= strcmp(name, "cgroup-switches") == 0;
		has_cache |= strcmp(name, "node-prefetch-misses") == 0;
		assert_string_not_equal(name, "L1-icache-stores");
		assert_string_not_equal(name, "duration_time");
		for (size_t i = 0; i < n; i++) {
			assert_true(pmuq_generic_name(i, other));
			assert_string_not_equal(name, other);
		}
	}
	/* 10 of hardware, 12 of software, 16 operations on caches, each with and without "miss". */
	assert_int_equal(n, 10 + 12 + 2 * 16);
	assert_true(has_last_hardware && has_software && has_cache);
	assert_false(pmuq_generic_name(SIZE_MAX, name));
}

/* ------------------------------------------------------------------------------- this machine */

static struct pmuq_catalog *live(void)
{
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *catalog = NULL;

	if (pmuq_source_open_live(&source, NULL) < 0)
		skip();
	assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL), 0);
	pmuq_source_free(source);
	assert_true(pmuq_catalog_machine(catalog)->is_live);
	return catalog;
}

/* The name of a PMU may be anything: here the string is a list of two events of another one. */
static void what_means_no_event_of_its_pmu_is_skipped(void **state)
{
	static const struct test_pmu pmus[] = {
		{ .name = "cpu",
		  .type = 4,
		  .formats = "event config:0-7",
		  .events = "loads event=1; odd nonsense=1" },
		{ .name = "software", .type = 1 },
		{ .name = "instructions,cpu", .type = 99, .events = "loads config=2" },
	};
	struct pmuq_catalog *catalog = NULL;
	struct pmuq_check *check = NULL;
	struct pq_builder *builder = NULL;
	const struct pmuq_check_result *found;
	char name[PMUQ_GENERIC_NAME_MAX];

	(void)state;
	assert_int_equal(pq_builder_new(&builder, NULL), 0);
	for (size_t i = 0; i < COUNT(pmus); i++)
		test_add(builder, &pmus[i]);
	pq_builder_is_live(builder);
	assert_int_equal(pq_builder_finish(builder, &catalog, NULL), 0);
	assert_int_equal(pmuq_check_begin(catalog, 1000, &check, NULL), 0);
	while (pmuq_check_upcoming(check))
		assert_int_equal(pmuq_check_next(check, NULL), 0);
	found = pmuq_check_find(check, "instructions,cpu", "loads");
	assert_non_null(found);
	assert_int_equal(found->open->status, PMUQ_SKIPPED);
	assert_string_equal(found->open->reason.p, "its name means another PMU's event");
	/* The reason of one that has no encoding is the error. */
	found = pmuq_check_find(check, "cpu", "odd");
	assert_non_null(found);
	assert_int_equal(found->open->status, PMUQ_SKIPPED);
	assert_non_null(strstr(found->open->reason.p, "nonsense"));
	found = pmuq_check_find(check, "cpu", "instructions");
	assert_non_null(found);
	assert_true(found->is_generic);
	assert_string_equal(found->event_string.p, "instructions");
	/* All generic events of this machine are checked. */
	for (size_t i = 0; pmuq_generic_name(i, name); i++)
		assert_true(pmuq_check_find(check, "cpu", name) ||
			    pmuq_check_find(check, "software", name));
	pmuq_check_free(check);
	pmuq_catalog_free(catalog);
}

/* The kernel's list of probes; "" if it cannot be read. */
static void read_probes(const char *path, char *ret, size_t bytes)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, ret, bytes - 1) : 0;

	ret[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
}

static const char *const probe_lists[] = {
	"/sys/kernel/tracing/uprobe_events",
	"/sys/kernel/tracing/kprobe_events",
	"/sys/kernel/debug/tracing/uprobe_events",
};

static void every_event_of_the_machine_is_checked(void **state)
{
	struct pmuq_catalog *catalog = live();
	struct pmuq_check *check = NULL;
	size_t n_files = count_descriptors(), n_named = 0;

	(void)state;
	assert_int_equal(pmuq_check_begin(catalog, 1000, &check, NULL), 0);
	assert_int_equal(pmuq_check_progress(check)->n_results, 0);
	while (pmuq_check_progress(check)->n_results < pmuq_check_progress(check)->n_events) {
		assert_non_null(pmuq_check_upcoming(check));
		assert_int_equal(pmuq_check_next(check, NULL), 0);
		assert_int_equal(count_descriptors(), n_files);
	}
	assert_int_equal(pmuq_check_next(check, NULL), 0);
	assert_int_equal(pmuq_check_progress(check)->n_results,
			 pmuq_check_progress(check)->n_events);
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_pmus; i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(catalog, i);

		n_named += pmu->definition->n_events;
		for (size_t k = 0; k < pmu->definition->n_events; k++)
			assert_non_null(pmuq_check_find(check, pmu->name.p,
							pmuq_pmu_event(pmu, k)->name.p));
	}
	assert_true(pmuq_check_progress(check)->n_results >= n_named);
	if (pmuq_catalog_find_pmu(catalog, "software"))
		assert_non_null(pmuq_check_find(check, "software", "task-clock"));
	pmuq_catalog_free(catalog);
	pmuq_check_free(check);
}

/* The same kernel gives the same open results in the other way. */
static void it_agrees_with_encode_and_open(void **state)
{
	struct pmuq_catalog *catalog = live();
	struct pmuq_check *check = NULL;

	(void)state;
	assert_int_equal(pmuq_check_begin(catalog, 1000, &check, NULL), 0);
	while (pmuq_check_progress(check)->n_results < pmuq_check_progress(check)->n_events)
		assert_int_equal(pmuq_check_next(check, NULL), 0);
	for (size_t i = 0; i < pmuq_check_progress(check)->n_results; i++) {
		const struct pmuq_check_result *result = pmuq_check_get(check, i);
		struct pmuq_encodings *encodings = NULL;
		struct pmuq_open_results *results = NULL;

		if (pmuq_catalog_encode(catalog, result->event_string.p, NULL, &encodings, NULL) <
		    0) {
			assert_int_equal(result->open->status, PMUQ_SKIPPED);
			continue;
		}
		assert_int_equal(pmuq_encodings_test_open(encodings, NULL, &results, NULL), 0);
		for (size_t k = 0; k < pmuq_encodings_count(encodings); k++) {
			const struct pmuq_encoding *encoding = pmuq_encodings_get(encodings, k);

			if (strcmp(encoding->pmu.p, result->pmu.p) != 0)
				continue;
			assert_int_equal(pmuq_open_results_get(results, k)->status,
					 result->open->status);
			assert_int_equal(pmuq_open_results_get(results, k)->errnum,
					 result->open->errnum);
		}
		pmuq_open_results_free(results);
		pmuq_encodings_free(encodings);
	}
	pmuq_check_free(check);
	pmuq_catalog_free(catalog);
}

static void it_leaves_no_probe(void **state)
{
	static char before[COUNT(probe_lists)][4096], after[4096];
	struct pmuq_catalog *catalog = live();
	struct pmuq_check *check = NULL;

	(void)state;
	for (size_t i = 0; i < COUNT(probe_lists); i++)
		read_probes(probe_lists[i], before[i], sizeof(before[i]));
	assert_int_equal(pmuq_check_begin(catalog, 1000, &check, NULL), 0);
	while (pmuq_check_progress(check)->n_results < pmuq_check_progress(check)->n_events)
		assert_int_equal(pmuq_check_next(check, NULL), 0);
	for (size_t i = 0; i < COUNT(probe_lists); i++) {
		read_probes(probe_lists[i], after, sizeof(after));
		assert_string_equal(before[i], after);
	}
	pmuq_check_free(check);
	pmuq_catalog_free(catalog);
}

static void it_can_be_stopped_at_any_event(void **state)
{
	struct pmuq_catalog *catalog = live();
	size_t n_files = count_descriptors();

	(void)state;
	for (size_t stop = 0; stop < 4; stop++) {
		struct pmuq_check *check = NULL;

		assert_int_equal(pmuq_check_begin(catalog, 1000, &check, NULL), 0);
		while (pmuq_check_progress(check)->n_results < stop &&
		       pmuq_check_progress(check)->n_results < pmuq_check_progress(check)->n_events)
			assert_int_equal(pmuq_check_next(check, NULL), 0);
		assert_null(pmuq_check_get(check, stop));
		pmuq_check_free(check);
	}
	assert_int_equal(count_descriptors(), n_files);
	pmuq_catalog_free(catalog);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(results_are_found_by_pmu_and_name),
		cmocka_unit_test(finding_a_result_needs_no_memory),
		cmocka_unit_test(names_of_any_length_are_found),
		cmocka_unit_test(equal_open_results_are_one),
		cmocka_unit_test(events_that_were_not_reached_are_unknown),
		cmocka_unit_test(another_machine_is_refused),
		cmocka_unit_test(each_generic_name_is_offered_once),
		cmocka_unit_test(what_means_no_event_of_its_pmu_is_skipped),
		cmocka_unit_test(every_event_of_the_machine_is_checked),
		cmocka_unit_test(it_agrees_with_encode_and_open),
		cmocka_unit_test(it_leaves_no_probe),
		cmocka_unit_test(it_can_be_stopped_at_any_event),
	};

	return _cmocka_run_group_tests("check", tests, COUNT(tests), NULL, NULL);
}
