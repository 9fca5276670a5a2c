/* SPDX-License-Identifier: MIT */
/*
 * Counting: opened, enabled, read, closed; the status of a count; groups that do not fit; and
 * the page that is mapped. The kernel is a fake that records all calls, also if they fail.
 */
#include "core/attr/attr.h"
#include "open/count/measure.h"
#include "open/count/registers.h"
#include "tests/harness/failing_malloc.h"
#include "tests/harness/fake_kernel.h"
#include "tests/unit/cmocka_all.h"
#include <errno.h>
#include <sched.h>

static const struct pmuq_attr hardware = { .type = PQ_TYPE_HARDWARE, .size = 64 };
static const struct pmuq_attr software = { .type = PQ_TYPE_SOFTWARE, .size = 64 };

#define IN_GROUP(a, first, n)                                                                      \
	{                                                                                          \
		.attr = &(a), .cpus = "", .leader = (first), .members = (n)                        \
	}
#define ALL_THE_TIME                                                                               \
	{                                                                                          \
		.value = 500, .enabled_ns = 1000000, .running_ns = 1000000                         \
	}

struct fixture {
	struct fake_kernel kernel;
	struct fake_host host;
	struct pq_open_scope scope;
	struct pmuq_open_options options;
	struct pmuq_counts *counts;
};

static void measure(struct fixture *fixture, const struct pq_open_request *requests, size_t n)
{
	const struct pq_opener opener = {
		fake_kernel_interface(&fixture->kernel),
		fake_host_interface(&fixture->host),
		fixture->scope,
	};

	fixture->options.work_ms = 10;
	assert_int_equal(
		pq_count_requests(&opener, requests, n, &fixture->options, &fixture->counts, NULL),
		0);
	assert_int_equal(pmuq_counts_count(fixture->counts), n);
	for (size_t i = 0; i < n; i++)
		if (pmuq_counts_get(fixture->counts, i)->is_read)
			assert_int_equal(pmuq_counts_get(fixture->counts, i)->errnum, 0);
	assert_int_equal(fixture->kernel.n_open, 0);
	assert_int_equal(fixture->kernel.n_mapped, fixture->kernel.n_unmapped);
	if (fixture->kernel.misuse)
		fail_msg("%s", fixture->kernel.misuse);
}

static const struct pmuq_count *count_of(const struct fixture *fixture, size_t index)
{
	const struct pmuq_count *count = pmuq_counts_get(fixture->counts, index);

	assert_true(count->is_read);
	assert_int_equal(count->size, sizeof(*count));
	return count;
}

/* What a single event reads, and its status. */
struct status_case {
	const char *name;
	struct pq_times times;
	int errnum; /* of read(2) */
	enum pmuq_counting want;
	uint64_t scaled;
};

static const struct status_case status_cases[] = {
	{ "counted", ALL_THE_TIME, 0, PMUQ_COUNTED, 500 },
	{ "multiplexed", { 500, 1000000, 250000 }, 0, PMUQ_MULTIPLEXED, 2000 },
	{ "a thousandth is not multiplexing", { 5000, 1000000, 999500 }, 0, PMUQ_COUNTED, 5002 },
	{ "exactly a thousandth is not, either", { 5000, 1000000, 999000 }, 0, PMUQ_COUNTED, 5005 },
	{ "more than a thousandth is", { 5000, 1000000, 998999 }, 0, PMUQ_MULTIPLEXED, 5005 },
	{ "always zero", { 0, 1000000, 1000000 }, 0, PMUQ_ALWAYS_ZERO, 0 },
	{ "never scheduled", { 0, 1000000, 0 }, 0, PMUQ_NEVER_SCHEDULED, 0 },
	{ "target idle", { 0, 0, 0 }, 0, PMUQ_TARGET_IDLE, 0 },
	{ "a root cgroup has no times", { 7, 0, 0 }, 0, PMUQ_COUNTED, 7 },
	{ "pinned, and thrown out", ALL_THE_TIME, ENODATA, PMUQ_NEVER_SCHEDULED, 0 },
	{ "not readable", ALL_THE_TIME, EIO, PMUQ_NOT_COUNTED, 0 },
};

static void test_status(void **state)
{
	const struct status_case *test = *state;
	const struct pq_open_request request = { .attr = &hardware, .cpus = "" };
	struct fixture fixture = { .kernel = { .times = test->times,
					       .read_errnum = test->errnum } };

	measure(&fixture, &request, 1);
	assert_int_equal(pmuq_counts_get(fixture.counts, 0)->status, test->want);
	assert_int_equal(fixture.kernel.n_works, 1);
	if (test->want == PMUQ_NOT_COUNTED)
		assert_int_equal(pmuq_counts_get(fixture.counts, 0)->errnum, test->errnum);
	else
		assert_int_equal(count_of(&fixture, 0)->scaled, test->scaled);
	pmuq_counts_free(fixture.counts);
}

static void every_status_has_a_name(void **state)
{
	(void)state;
	for (int i = PMUQ_COUNTED; i <= PMUQ_NOT_COUNTED; i++)
		assert_non_null(pmuq_counting_name((enum pmuq_counting)i));
	assert_string_equal(pmuq_counting_name(PMUQ_NEVER_SCHEDULED), "never-scheduled");
	assert_null(pmuq_counting_name((enum pmuq_counting)(PMUQ_NOT_COUNTED + 1)));
}

static void counts_of_cpus_are_summed(void **state)
{
	const struct pq_open_request request = { .attr = &hardware,
						 .cpus = "1,3-4",
						 .needs_cpu = true };
	struct fixture fixture = { .kernel = { .times = { 10, 100, 50 } } };

	(void)state;
	measure(&fixture, &request, 1);
	assert_int_equal(count_of(&fixture, 0)->value, 30);
	assert_int_equal(count_of(&fixture, 0)->time_enabled_ns, 300);
	assert_int_equal(count_of(&fixture, 0)->time_running_ns, 150);
	assert_int_equal(count_of(&fixture, 0)->scaled, 60);
	assert_int_equal(fixture.kernel.n_open_max, 3);
	assert_int_equal(fixture.kernel.n_switched_on, 3);
	assert_int_equal(fixture.kernel.n_worked_cpus, 3);
	assert_true(fixture.kernel.visited_each);
	pmuq_counts_free(fixture.counts);
}

static void a_count_that_is_not_read_on_every_cpu_is_none(void **state)
{
	const struct pq_open_request request = { .attr = &hardware,
						 .cpus = "0-1",
						 .needs_cpu = true };
	struct fixture fixture = { .kernel = { .times = { 10, 100, 50 }, .bad_cpus = 0x2 } };

	(void)state;
	measure(&fixture, &request, 1);
	assert_int_equal(pmuq_counts_get(fixture.counts, 0)->status, PMUQ_NOT_COUNTED);
	assert_false(pmuq_counts_get(fixture.counts, 0)->is_read);
	assert_int_equal(pmuq_counts_get(fixture.counts, 0)->value, 0);
	assert_int_equal(pmuq_counts_get(fixture.counts, 0)->scaled, 0);
	pmuq_counts_free(fixture.counts);
}

static void work_stays_on_the_cpus_of_the_pmu(void **state)
{
	const struct pq_open_request request = { .attr = &hardware, .cpus = "8-15" };
	struct fixture fixture = { .kernel = { .times = ALL_THE_TIME } };

	(void)state;
	measure(&fixture, &request, 1);
	assert_int_equal(fixture.kernel.n_worked_cpus, 8);
	assert_false(fixture.kernel.visited_each);
	pmuq_counts_free(fixture.counts);
}

static void work_stays_on_the_cpus_that_the_caller_chose(void **state)
{
	const struct pq_open_request request = { .attr = &hardware,
						 .cpus = "0-7",
						 .needs_cpu = true };
	struct fixture fixture = { .kernel = { .times = ALL_THE_TIME }, .scope = { .cpus = "2-3" } };

	(void)state;
	measure(&fixture, &request, 1);
	assert_int_equal(fixture.kernel.n_worked_cpus, 2);
	assert_true(fixture.kernel.visited_each);
	pmuq_counts_free(fixture.counts);
}

/* Its counts would be those of no work. */
static void work_without_memory_for_its_cpus_fails_the_call(void **state)
{
	(void)state;
	for (unsigned n = 0; n < 2; n++) {
		struct pq_arena scratch = PQ_ARENA(SIZE_MAX);
		struct pq_cpus cpus;
		const struct pq_busy_work work = { .ms = 1, .cpus = &cpus, .scratch = &scratch };

		assert_true(pq_cpus_parse(&scratch, STR("0"), &cpus));
		fail_malloc_at(n);
		pq_busy_work_do(&work);
		assert_true(fail_malloc_no_more());
		assert_true(scratch.is_refused);
		pq_arena_clear(&scratch);
	}
}

static void work_returns_the_thread_to_its_cpus(void **state)
{
	struct pq_arena scratch = PQ_ARENA(SIZE_MAX);
	struct pq_cpus cpus;
	const struct pq_busy_work work = { .ms = 1, .cpus = &cpus, .scratch = &scratch };
	cpu_set_t usual, one, after;

	(void)state;
	assert_true(pq_cpus_parse(&scratch, STR("0-7"), &cpus));
	assert_int_equal(sched_getaffinity(0, sizeof(usual), &usual), 0);
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
	pq_busy_work_do(&work);
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_int_equal(sched_setaffinity(0, sizeof(usual), &usual), 0);
	assert_true(CPU_EQUAL(&after, &one));
	pq_arena_clear(&scratch);
}

static void there_is_no_count_past_the_last(void **state)
{
	struct fixture fixture = { 0 };

	(void)state;
	measure(&fixture, NULL, 0);
	assert_null(pmuq_counts_get(fixture.counts, 0));
	assert_null(pmuq_counts_get(NULL, 0));
	assert_int_equal(pmuq_counts_count(NULL), 0);
	pmuq_counts_free(fixture.counts);
}

static void another_task_or_cgroup_works_itself(void **state)
{
	const struct pq_open_request request = { .attr = &hardware, .cpus = "0" };
	struct fixture task = { .kernel = { .times = ALL_THE_TIME }, .scope = { .pid = 5 } };
	struct fixture cgroup = {
		.kernel = { .times = ALL_THE_TIME },
		.scope = { .cgroup = "x", .cgroup_fd = 3 },
	};

	(void)state;
	measure(&task, &request, 1);
	measure(&cgroup, &request, 1);
	assert_int_equal(task.kernel.n_works + cgroup.kernel.n_works, 0);
	assert_int_equal(task.kernel.n_waits + cgroup.kernel.n_waits, 2);
	pmuq_counts_free(task.counts);
	pmuq_counts_free(cgroup.counts);
}

static bool is_per_task(const struct pq_open_call *t)
{
	return t->pid == 0;
}

static void an_event_that_counts_per_cpu_only_is_counted_on_a_cpu(void **state)
{
	const struct fake_rule rule = { .fits = is_per_task, .errnum = EINVAL };
	const struct pq_open_request request = { .attr = &hardware, .cpus = "6" };
	struct fixture fixture = {
		.kernel = { .rules = &rule, .n_rules = 1, .times = ALL_THE_TIME },
	};

	(void)state;
	measure(&fixture, &request, 1);
	assert_int_equal(pmuq_counts_get(fixture.counts, 0)->status, PMUQ_COUNTED);
	assert_int_equal(fixture.kernel.cpus_opened, 0x40);
	pmuq_counts_free(fixture.counts);
}

static void sigtrap_is_cleared(void **state)
{
	const struct pmuq_attr attr = { .type = 1, .size = 64, .sigtrap = 1, .read_format = 8 };
	const struct pq_open_request request = { .attr = &attr, .cpus = "" };
	struct fixture fixture = { .kernel = { .times = ALL_THE_TIME } };

	(void)state;
	measure(&fixture, &request, 1);
	assert_int_equal(fixture.kernel.last.attr.sigtrap, 0);
	assert_int_equal(fixture.kernel.last.attr.read_format, PQ_FORMAT_TIMES);
	pmuq_counts_free(fixture.counts);
}

static void refused_and_skipped_events_are_not_counted(void **state)
{
	const struct fake_rule rule = { .errnum = ENOENT };
	const struct pq_open_request requests[] = { { .attr = &hardware, .cpus = "" },
						    { .cpus = "" } };
	struct pmuq_value values = { .size = sizeof(values) };
	struct fixture fixture = { .kernel = { .rules = &rule, .n_rules = 1 } };

	(void)state;
	measure(&fixture, requests, 2);
	assert_int_equal(pmuq_counts_get(fixture.counts, 0)->status, PMUQ_NOT_COUNTED);
	assert_int_equal(pmuq_counts_get(fixture.counts, 0)->errnum, ENOENT);
	assert_false(pmuq_counts_get(fixture.counts, 0)->is_read);
	assert_int_equal(pmuq_counts_get(fixture.counts, 1)->status, PMUQ_NOT_COUNTED);
	assert_int_equal(pmuq_counts_get(fixture.counts, 1)->errnum, 0);
	assert_null(pmuq_counts_get(fixture.counts, 9));
	assert_null(pmuq_counts_get(NULL, 0));
	pmuq_counts_free(fixture.counts);
	pmuq_counts_free(NULL);
}

static void an_event_that_cannot_be_enabled_is_closed(void **state)
{
	const struct pq_open_request request = { .attr = &hardware,
						 .cpus = "0-3",
						 .needs_cpu = true };
	struct fixture fixture = { .kernel = { .switch_errnum = EIO } };

	(void)state;
	measure(&fixture, &request, 1);
	assert_int_equal(pmuq_counts_get(fixture.counts, 0)->errnum, EIO);
	assert_int_equal(fixture.kernel.n_works, 0);
	pmuq_counts_free(fixture.counts);
}

/* The n-th call of perf_event_open fails, whichever it is: nothing stays open. */
static void a_failure_at_any_call_leaves_nothing_open(void **state)
{
	const struct pq_open_request requests[] = {
		IN_GROUP(hardware, 0, 3),
		IN_GROUP(hardware, 0, 3),
		IN_GROUP(hardware, 0, 3),
		{ .attr = &hardware, .cpus = "0-3", .needs_cpu = true },
	};

	(void)state;
	for (unsigned n = 0; n < 40; n++) {
		const struct fake_rule rules[] = { { .times = n ? n : 1, .errnum = n ? 0 : EMFILE },
						   { .times = 1, .errnum = EMFILE },
						   { .times = n % 3, .errnum = 0 },
						   { .times = n % 2, .errnum = ENOSPC } };
		struct fixture fixture = {
			.kernel = { .rules = rules,
				    .n_rules = n % 2 ? 4 : 2,
				    .times = ALL_THE_TIME },
			.options = { .wants_page = false },
		};

		measure(&fixture, requests, COUNT(requests));
		pmuq_counts_free(fixture.counts);
	}
}

/* If one allocation fails, either all counts are as usual or there are none. */
static void out_of_memory_fails_as_a_whole(void **state)
{
	const struct pq_open_request requests[] = {
		{ .attr = &hardware, .cpus = "" },
		{ .attr = &hardware, .cpus = "0-3", .needs_cpu = true },
		IN_GROUP(hardware, 2, 3),
		IN_GROUP(hardware, 2, 3),
		IN_GROUP(hardware, 2, 3),
	};
	struct fixture fixture = { .options = { .work_ms = 1 } };
	unsigned n_refused = 0;
	bool has_failed = true;

	(void)state;
	for (unsigned n = 0; has_failed; n++) {
		struct fake_kernel kernel = { .times = ALL_THE_TIME, .group_open_max = 2 };
		const struct pq_opener opener = { fake_kernel_interface(&kernel),
						  fake_host_interface(&fixture.host),
						  fixture.scope };
		int r;

		fixture.counts = NULL;
		fail_malloc_at(n);
		r = pq_count_requests(&opener, requests, COUNT(requests), &fixture.options,
				      &fixture.counts, NULL);
		has_failed = fail_malloc_no_more();
		n_refused += r < 0;
		assert_true(r == 0 || (has_failed && r == -PMUQ_E_MEMORY));
		assert_int_equal(kernel.n_open, 0);
		for (size_t i = 0; r == 0 && i < COUNT(requests); i++)
			assert_int_equal(pmuq_counts_get(fixture.counts, i)->status, PMUQ_COUNTED);
		pmuq_counts_free(fixture.counts);
	}
	assert_true(n_refused > 1);
}

/* ---------------------------------------------------------------------------------- groups */

static void expect_group(const struct fixture *fixture, size_t index, size_t parts, size_t breaker)
{
	const struct pmuq_count *count = pmuq_counts_get(fixture->counts, index);

	assert_true(count->is_grouped);
	assert_int_equal(count->n_subgroups, parts);
	assert_int_equal(count->breaker, breaker);
}

static void a_group_that_fits_counts_as_a_whole(void **state)
{
	const struct pq_open_request requests[] = { IN_GROUP(hardware, 0, 2),
						    IN_GROUP(software, 0, 2),
						    { .attr = &software, .cpus = "" } };
	struct fixture fixture = { .kernel = { .times = ALL_THE_TIME } };

	(void)state;
	measure(&fixture, requests, COUNT(requests));
	expect_group(&fixture, 0, 1, SIZE_MAX);
	expect_group(&fixture, 1, 1, SIZE_MAX);
	assert_false(pmuq_counts_get(fixture.counts, 2)->is_grouped);
	assert_int_equal(pmuq_counts_get(fixture.counts, 1)->subgroup, 0);
	assert_int_equal(fixture.kernel.n_switched_on, 2);
	assert_int_equal(fixture.kernel.n_calls, 3);
	pmuq_counts_free(fixture.counts);
}

static void split_of_five(struct fixture *fixture)
{
	const struct pq_open_request requests[] = {
		IN_GROUP(hardware, 0, 5), IN_GROUP(hardware, 0, 5), IN_GROUP(hardware, 0, 5),
		IN_GROUP(hardware, 0, 5), IN_GROUP(hardware, 0, 5),
	};

	measure(fixture, requests, COUNT(requests));
	expect_group(fixture, 0, 3, 2);
	for (size_t i = 0; i < COUNT(requests); i++) {
		assert_int_equal(pmuq_counts_get(fixture->counts, i)->status, PMUQ_COUNTED);
		assert_int_equal(pmuq_counts_get(fixture->counts, i)->subgroup, i / 2);
	}
	pmuq_counts_free(fixture->counts);
}

static void a_group_that_does_not_open_is_split(void **state)
{
	struct fixture fixture = { .kernel = { .times = ALL_THE_TIME, .group_open_max = 2 } };

	(void)state;
	split_of_five(&fixture);
}

static void a_group_that_never_counts_is_split(void **state)
{
	struct fixture fixture = { .kernel = { .times = ALL_THE_TIME, .group_count_max = 2 } };

	(void)state;
	split_of_five(&fixture);
}

static bool is_software(const struct pq_open_call *t)
{
	return t->attr.type == PQ_TYPE_SOFTWARE;
}

static void a_member_that_cannot_count_is_left_out(void **state)
{
	const struct fake_rule rule = { .fits = is_software, .errnum = ENOENT };
	const struct pq_open_request requests[] = { IN_GROUP(hardware, 0, 3),
						    IN_GROUP(software, 0, 3),
						    IN_GROUP(hardware, 0, 3) };
	struct fixture fixture = {
		.kernel = { .rules = &rule, .n_rules = 1, .times = ALL_THE_TIME },
	};

	(void)state;
	measure(&fixture, requests, COUNT(requests));
	expect_group(&fixture, 2, 1, 1);
	assert_int_equal(pmuq_counts_get(fixture.counts, 1)->status, PMUQ_NOT_COUNTED);
	assert_int_equal(pmuq_counts_get(fixture.counts, 1)->errnum, ENOENT);
	assert_int_equal(pmuq_counts_get(fixture.counts, 1)->subgroup, SIZE_MAX);
	assert_int_equal(pmuq_counts_get(fixture.counts, 2)->subgroup, 0);
	assert_int_equal(pmuq_counts_get(fixture.counts, 2)->status, PMUQ_COUNTED);
	pmuq_counts_free(fixture.counts);
}

static void members_without_their_leader_count_alone(void **state)
{
	const struct pmuq_attr tool = { .type = UINT32_MAX, .size = 64 };
	const struct pq_open_request requests[] = { IN_GROUP(tool, 0, 3), IN_GROUP(hardware, 0, 3),
						    IN_GROUP(hardware, 0, 3) };
	struct fixture fixture = { .kernel = { .times = ALL_THE_TIME } };

	(void)state;
	measure(&fixture, requests, COUNT(requests));
	assert_int_equal(pmuq_counts_get(fixture.counts, 2)->status, PMUQ_COUNTED);
	assert_false(pmuq_counts_get(fixture.counts, 2)->is_grouped);
	assert_int_equal(fixture.kernel.n_open_max, 1);
	pmuq_counts_free(fixture.counts);
}

/* The caller counts two of a group of three, and an event before it. */
static void an_event_outside_an_incomplete_group_is_in_no_subgroup(void **state)
{
	const struct pq_open_request requests[] = { { .attr = &software, .cpus = "" },
						    IN_GROUP(hardware, 1, 3),
						    IN_GROUP(hardware, 1, 3) };
	struct fixture fixture = { .kernel = { .times = ALL_THE_TIME } };

	(void)state;
	measure(&fixture, requests, COUNT(requests));
	assert_int_equal(pmuq_counts_get(fixture.counts, 0)->subgroup, SIZE_MAX);
	assert_int_equal(pmuq_counts_get(fixture.counts, 1)->subgroup, 0);
	assert_int_equal(pmuq_counts_get(fixture.counts, 2)->subgroup, 0);
	pmuq_counts_free(fixture.counts);
}

static void a_group_of_one_is_an_event_alone(void **state)
{
	const struct pq_open_request request = IN_GROUP(hardware, 0, 1);
	struct fixture fixture = { .kernel = { .times = ALL_THE_TIME } };

	(void)state;
	measure(&fixture, &request, 1);
	assert_int_equal(count_of(&fixture, 0)->value, 500);
	assert_false(count_of(&fixture, 0)->is_grouped);
	pmuq_counts_free(fixture.counts);
}

static void a_group_of_which_nothing_counts_has_no_subgroup(void **state)
{
	const struct fake_rule rule = { .errnum = ENOENT };
	const struct pq_open_request requests[] = { IN_GROUP(hardware, 0, 2),
						    IN_GROUP(hardware, 0, 2) };
	struct fixture fixture = { .kernel = { .rules = &rule, .n_rules = 1 } };

	(void)state;
	measure(&fixture, requests, COUNT(requests));
	for (size_t i = 0; i < COUNT(requests); i++) {
		assert_int_equal(pmuq_counts_get(fixture.counts, i)->errnum, ENOENT);
		assert_int_equal(pmuq_counts_get(fixture.counts, i)->n_subgroups, 0);
		assert_int_equal(pmuq_counts_get(fixture.counts, i)->subgroup, SIZE_MAX);
	}
	pmuq_counts_free(fixture.counts);
}

/* ------------------------------------------------------------------------------------ pages */

/* A counter of 48 bits that went on by 100 since the page was written. */
static bool read_counter(uint32_t number, uint64_t *ret)
{
	*ret = (UINT64_C(1) << 48) - 900 + number;
	return number != 30;
}

static uint64_t read_clock(void)
{
	return 5000;
}

static const struct pq_registers registers = { read_counter, read_clock };

struct page_case {
	const char *name;
	struct pq_event_page page;
	struct pq_open_scope scope;
	bool has_no_registers;
	int errnum; /* of the mapping */
	/* The result. */
	const char *reason; /* a part; NULL: it was read */
	uint64_t value, enabled_ns, running_ns;
};

static const struct page_case page_cases[] = {
	{ .name = "the counter of a software event cannot be read",
	  .reason = "does not let user space" },
	{ .name = "on no counter",
	  .page = { .capabilities = PQ_PAGE_RDPMC },
	  .reason = "no counter" },
	{ .name = "the counter is added to the offset, its sign extended",
	  .page = { .capabilities = PQ_PAGE_RDPMC,
		    .index = 3,
		    .offset = 1000,
		    .pmc_width = 48,
		    .time_enabled = 70,
		    .time_running = 60,
		    /* Not valid without PQ_PAGE_TIME. */
		    .time_mult = 1,
		    .time_offset = 7 },
	  .value = 102,
	  .enabled_ns = 70,
	  .running_ns = 60 },
	{ .name = "a counter of 64 bits has its sign already",
	  .page = { .capabilities = PQ_PAGE_RDPMC, .index = 1, .pmc_width = 64 },
	  .value = (UINT64_C(1) << 48) - 900 },
	{ .name = "time goes on with the clock",
	  .page = { .capabilities = PQ_PAGE_RDPMC | PQ_PAGE_TIME,
		    .index = 1,
		    .offset = 900,
		    .pmc_width = 48,
		    .time_enabled = 70,
		    .time_running = 60,
		    .time_shift = 13,
		    .time_mult = 16384,
		    .time_offset = 7 },
	  .enabled_ns = 70 + 7 + 10000,
	  .running_ns = 60 + 7 + 10000 },
	{ .name = "a short clock is made whole",
	  .page = { .capabilities = PQ_PAGE_RDPMC | PQ_PAGE_TIME | PQ_PAGE_TIME_SHORT,
		    .index = 1,
		    .offset = 900,
		    .pmc_width = 48,
		    .time_shift = 0,
		    .time_mult = 1,
		    .time_cycles = 0x10f00,
		    .time_mask = 0xfff },
	  .enabled_ns = 0x11388,
	  .running_ns = 0x11388 },
	{ .name = "another task's is not read",
	  .page = { .capabilities = PQ_PAGE_RDPMC, .index = 3 },
	  .scope = { .pid = 9 },
	  .reason = "another task" },
	{ .name = "an architecture without code",
	  .page = { .capabilities = PQ_PAGE_RDPMC, .index = 3 },
	  .has_no_registers = true,
	  .reason = "on this architecture" },
	{ .name = "a counter that is not known",
	  .page = { .capabilities = PQ_PAGE_RDPMC, .index = 31 },
	  .reason = "on this architecture" },
	{ .name = "the kernel goes on writing", .page = { .lock = 1 }, .reason = "did not stop" },
	{ .name = "too much memory is locked", .errnum = EPERM, .reason = "mlock" },
	{ .name = "an event without a page", .errnum = ENODEV, .reason = "does not map" },
	{ .name = "EINVAL has another reason if no child inherits",
	  .errnum = EINVAL,
	  .reason = "does not map" },
	{ .name = "the clock starts at zero",
	  .page = { .capabilities = PQ_PAGE_TIME_ZERO },
	  .reason = "does not let user space" },
};

static void test_page(void **state)
{
	const struct page_case *test = *state;
	const struct pq_open_request request = { .attr = &hardware, .cpus = "" };
	struct fixture fixture = {
		.kernel = {
			.times = ALL_THE_TIME,
			.page = &test->page,
			.map_errnum = test->errnum,
			.registers = test->has_no_registers ? NULL : &registers,
		},
		.options = { .wants_page = true },
		.scope = test->scope,
	};
	const struct pmuq_page *page;
	const char *reason;

	measure(&fixture, &request, 1);
	page = pmuq_counts_get(fixture.counts, 0)->page;
	assert_non_null(page);
	reason = page->reason.p;
	assert_int_equal(page->errnum, test->errnum);
	assert_int_equal(page->is_read, !test->reason);
	assert_int_equal(page->index, test->errnum || test->page.lock ? 0 : test->page.index);
	assert_int_equal(page->has_time, !!(test->page.capabilities & PQ_PAGE_TIME));
	assert_int_equal(page->has_time_zero, !!(test->page.capabilities & PQ_PAGE_TIME_ZERO));
	assert_int_equal(page->value, test->value);
	assert_int_equal(page->width_bits, test->errnum || test->page.lock ? 0 : test->page.pmc_width);
	assert_int_equal(page->time_enabled_ns, test->enabled_ns);
	assert_int_equal(page->time_running_ns, test->running_ns);
	if (test->reason)
		assert_non_null(strstr(reason, test->reason));
	else
		assert_null(reason);
	assert_int_equal(pmuq_counts_get(fixture.counts, 0)->status, PMUQ_COUNTED);
	pmuq_counts_free(fixture.counts);
}

/* The kernel writes to it once, between the read of the page and that of the counter. */
static struct pq_event_page busy_page = {
	.capabilities = PQ_PAGE_RDPMC, .index = 1, .offset = 1000, .pmc_width = 48
};

static bool read_while_writing(uint32_t number, uint64_t *ret)
{
	if (!busy_page.lock) {
		busy_page.lock = 2;
		busy_page.offset = 2000;
	}
	*ret = number + 5;
	return true;
}

static void a_page_that_the_kernel_wrote_meanwhile_is_read_again(void **state)
{
	static const struct pq_registers busy_registers = { read_while_writing, read_clock };
	const struct pq_open_request request = { .attr = &hardware, .cpus = "" };
	struct fixture fixture = {
		.kernel = { .times = ALL_THE_TIME,
			    .page = &busy_page,
			    .registers = &busy_registers },
		.options = { .wants_page = true },
	};

	(void)state;
	measure(&fixture, &request, 1);
	assert_int_equal(pmuq_counts_get(fixture.counts, 0)->page->value, 2005);
	pmuq_counts_free(fixture.counts);
}

/* CPUs may differ by some ticks. */
static void the_clock_is_the_processors(void **state)
{
	(void)state;
#if defined(__x86_64__) || defined(__i386__)
	assert_between(pq_registers_here()->read_clock() - __builtin_ia32_rdtsc() + UINT32_MAX, 0,
		       2 * (uint64_t)UINT32_MAX);
#else
	skip();
#endif
}

static void an_inherited_event_has_no_page(void **state)
{
	const struct pmuq_attr attr = { .type = 1, .size = 64, .inherit = 1 };
	const struct pq_open_request request = { .attr = &attr, .cpus = "" };
	struct fixture fixture = {
		.kernel = { .times = ALL_THE_TIME, .map_errnum = EINVAL },
		.options = { .wants_page = true },
	};

	(void)state;
	measure(&fixture, &request, 1);
	assert_non_null(strstr(pmuq_counts_get(fixture.counts, 0)->page->reason.p, "inherit"));
	pmuq_counts_free(fixture.counts);
}

static void no_page_is_mapped_without_the_option(void **state)
{
	const struct pq_open_request request = { .attr = &hardware, .cpus = "" };
	struct fixture fixture = { .kernel = { .times = ALL_THE_TIME } };
	struct pmuq_page page = { .size = sizeof(page) };

	(void)state;
	measure(&fixture, &request, 1);
	assert_int_equal(fixture.kernel.n_mapped, 0);
	assert_null(pmuq_counts_get(fixture.counts, 0)->page);
	pmuq_counts_free(fixture.counts);
}

int main(void)
{
	const struct CMUnitTest single[] = {
		cmocka_unit_test(every_status_has_a_name),
		cmocka_unit_test(counts_of_cpus_are_summed),
		cmocka_unit_test(a_count_that_is_not_read_on_every_cpu_is_none),
		cmocka_unit_test(work_stays_on_the_cpus_of_the_pmu),
		cmocka_unit_test(work_stays_on_the_cpus_that_the_caller_chose),
		cmocka_unit_test(work_without_memory_for_its_cpus_fails_the_call),
		cmocka_unit_test(work_returns_the_thread_to_its_cpus),
		cmocka_unit_test(there_is_no_count_past_the_last),
		cmocka_unit_test(another_task_or_cgroup_works_itself),
		cmocka_unit_test(an_event_that_counts_per_cpu_only_is_counted_on_a_cpu),
		cmocka_unit_test(sigtrap_is_cleared),
		cmocka_unit_test(refused_and_skipped_events_are_not_counted),
		cmocka_unit_test(an_event_that_cannot_be_enabled_is_closed),
		cmocka_unit_test(a_failure_at_any_call_leaves_nothing_open),
		cmocka_unit_test(out_of_memory_fails_as_a_whole),
		cmocka_unit_test(a_group_that_fits_counts_as_a_whole),
		cmocka_unit_test(a_group_that_does_not_open_is_split),
		cmocka_unit_test(a_group_that_never_counts_is_split),
		cmocka_unit_test(a_member_that_cannot_count_is_left_out),
		cmocka_unit_test(members_without_their_leader_count_alone),
		cmocka_unit_test(an_event_outside_an_incomplete_group_is_in_no_subgroup),
		cmocka_unit_test(a_group_of_one_is_an_event_alone),
		cmocka_unit_test(a_group_of_which_nothing_counts_has_no_subgroup),
		cmocka_unit_test(a_page_that_the_kernel_wrote_meanwhile_is_read_again),
		cmocka_unit_test(the_clock_is_the_processors),
		cmocka_unit_test(an_inherited_event_has_no_page),
		cmocka_unit_test(no_page_is_mapped_without_the_option),
	};
	struct CMUnitTest tests[COUNT(single) + COUNT(status_cases) + COUNT(page_cases)];
	size_t n = 0;

	for (size_t i = 0; i < COUNT(single); i++)
		tests[n++] = single[i];
	n += ADD_ROWS(tests + n, test_status, status_cases, name);
	n += ADD_ROWS(tests + n, test_page, page_cases, name);
	return _cmocka_run_group_tests("measure", tests, n, NULL, NULL);
}
