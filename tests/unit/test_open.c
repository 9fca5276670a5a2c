/* SPDX-License-Identifier: MIT */
/*
 * How events are tested: on which targets, in which order, how often; and that every descriptor is
 * closed. The kernel and the host are fakes.
 */
#include "core/attr/attr.h"
#include "open/diagnose/probe.h"
#include "open/explain_errno.h"
#include "open/open.h"
#include "tests/harness/build.h"
#include "tests/harness/failing_malloc.h"
#include "tests/harness/fake_kernel.h"
#include "tests/unit/cmocka_all.h"
#include <errno.h>
#include <pmuq/pmuq.h>

static const struct pmuq_attr software = { .type = PQ_TYPE_SOFTWARE, .size = 64, .config = 2 };
static const struct pmuq_attr hardware = { .type = PQ_TYPE_HARDWARE, .size = 64 };
static const struct pmuq_attr uncore = { .type = 40, .size = 64, .config = 0x10 };

#define ALONE(a)                                                                                   \
	{                                                                                          \
		.attr = &(a), .cpus = ""                                                           \
	}
#define ON(a, list)                                                                                \
	{                                                                                          \
		.attr = &(a), .cpus = (list), .needs_cpu = true                                    \
	}
#define IN_GROUP(a, first, n)                                                                      \
	{                                                                                          \
		.attr = &(a), .cpus = "", .leader = (first), .members = (n)                        \
	}

static bool is_hardware(const struct pq_open_call *t)
{
	return t->attr.type == PQ_TYPE_HARDWARE;
}

static bool is_per_task(const struct pq_open_call *t)
{
	return t->pid == 0;
}

static bool is_other_task(const struct pq_open_call *t)
{
	return t->pid > 0;
}

static bool is_member(const struct pq_open_call *t)
{
	return t->group_fd >= 0;
}

static bool is_third_cpu(const struct pq_open_call *t)
{
	return t->cpu == 2;
}

/* A kernel, a host, and the results of the last call. */
struct fixture {
	struct fake_kernel kernel;
	struct fake_host host;
	struct pmuq_open_results *results;
};

static void test_open(struct fixture *fixture, const struct pq_open_request *requests, size_t n)
{
	const struct pq_opener opener = {
		fake_kernel_interface(&fixture->kernel),
		fake_host_interface(&fixture->host),
	};

	assert_int_equal(pq_open_requests(&opener, requests, n, &fixture->results, NULL), 0);
	assert_int_equal(pmuq_open_results_count(fixture->results), n);
	assert_int_equal(fixture->kernel.n_open, 0);
	if (fixture->kernel.misuse)
		fail_msg("%s", fixture->kernel.misuse);
}

static void expect_opened(const struct fixture *fixture, size_t index, int pid, const char *cpus)
{
	assert_int_equal(pmuq_open_results_get(fixture->results, index)->size,
			 sizeof(struct pmuq_open_result));
	assert_int_equal(pmuq_open_results_get(fixture->results, index)->status, PMUQ_OPENED);
	assert_int_equal(pmuq_open_results_get(fixture->results, index)->errnum, 0);
	assert_int_equal(pmuq_open_results_get(fixture->results, index)->pid, pid);
	assert_string_equal(pmuq_open_results_get(fixture->results, index)->cpus.p, cpus);
	assert_null(pmuq_open_results_get(fixture->results, index)->reason.p);
	assert_null(pmuq_open_results_get(fixture->results, index)->change.p);
}

static void expect_refused(const struct fixture *fixture, size_t index, int errnum)
{
	assert_int_equal(pmuq_open_results_get(fixture->results, index)->status, PMUQ_REFUSED);
	assert_int_equal(pmuq_open_results_get(fixture->results, index)->errnum, errnum);
	assert_non_null(pmuq_open_results_get(fixture->results, index)->reason.p);
}

static void an_accepted_event_costs_one_call_and_no_view_of_the_host(void **state)
{
	const struct pq_open_request requests[] = { ALONE(software), ALONE(hardware) };
	struct fixture fixture = { 0 };

	(void)state;
	test_open(&fixture, requests, 2);
	expect_opened(&fixture, 0, 0, "-1");
	expect_opened(&fixture, 1, 0, "-1");
	assert_int_equal(fixture.kernel.n_calls, 2);
	assert_int_equal(fixture.kernel.n_open_max, 1);
	assert_int_equal(fixture.host.n_views, 0);
	pmuq_open_results_free(fixture.results);
}

static void the_attr_is_passed_unchanged_but_disabled(void **state)
{
	const struct pmuq_attr attr = {
		.type = 40,
		.size = 136,
		.config = 1,
		.config3 = 7,
		.exclude_kernel = 1,
		.precise_ip = 2,
		.sample_period = 99,
	};
	const struct pq_open_request request = ALONE(attr);
	struct pmuq_attr want = attr;
	struct fixture fixture = { 0 };

	(void)state;
	test_open(&fixture, &request, 1);
	want.disabled = 1;
	assert_memory_equal(&fixture.kernel.last.attr, &want, sizeof(want));
	assert_int_equal(attr.disabled, 0);
	pmuq_open_results_free(fixture.results);
}

static void bytes_after_the_size_are_not_passed(void **state)
{
	const struct pmuq_attr attr = { .type = 1, .size = 64, .config3 = 7 };
	const struct pq_open_request request = ALONE(attr);
	struct fixture fixture = { 0 };

	(void)state;
	test_open(&fixture, &request, 1);
	assert_int_equal(fixture.kernel.last.attr.config3, 0);
	assert_int_equal(fixture.kernel.last.attr.size, 64);
	pmuq_open_results_free(fixture.results);
}

static void config1_points_to_the_text(void **state)
{
	const struct pq_open_request request = { .attr = &uncore, .cpus = "", .text = "do_exit" };
	struct fixture fixture = { 0 };

	(void)state;
	test_open(&fixture, &request, 1);
	assert_int_equal(fixture.kernel.last.attr.config1, (uintptr_t)request.text);
	pmuq_open_results_free(fixture.results);
}

static void an_interrupted_call_is_repeated(void **state)
{
	const struct fake_rule rules[] = { { .errnum = EINTR, .times = 2 },
					   { .errnum = EAGAIN, .times = 3 } };
	const struct pq_open_request request = ALONE(software);
	struct fixture fixture = { .kernel = { .rules = rules, .n_rules = COUNT(rules) } };

	(void)state;
	test_open(&fixture, &request, 1);
	expect_opened(&fixture, 0, 0, "-1");
	assert_int_equal(fixture.kernel.n_calls, 6);
	pmuq_open_results_free(fixture.results);
}

static void a_call_that_is_always_interrupted_ends(void **state)
{
	const struct fake_rule rule = { .errnum = EINTR };
	const struct pq_open_request request = ALONE(software);
	struct fixture fixture = { .kernel = { .rules = &rule, .n_rules = 1 } };

	(void)state;
	test_open(&fixture, &request, 1);
	expect_refused(&fixture, 0, EINTR);
	assert_int_equal(fixture.kernel.n_calls, PQ_KERNEL_TRIES);
	pmuq_open_results_free(fixture.results);
}

static void a_pmu_with_a_cpumask_is_opened_on_each_of_its_cpus(void **state)
{
	const struct pq_open_request request = ON(uncore, "0,4-6");
	struct fixture fixture = { 0 };

	(void)state;
	test_open(&fixture, &request, 1);
	expect_opened(&fixture, 0, -1, "0,4-6");
	assert_int_equal(fixture.kernel.cpus_opened, 0x71);
	assert_int_equal(fixture.kernel.n_calls, 4);
	assert_int_equal(fixture.kernel.n_open_max, 1);
	pmuq_open_results_free(fixture.results);
}

static void a_pmu_without_a_valid_cpumask_is_opened_for_the_task(void **state)
{
	const struct pq_open_request requests[] = { ON(uncore, ""), ON(uncore, "rubbish") };
	struct fixture fixture = { 0 };

	(void)state;
	test_open(&fixture, requests, 2);
	expect_opened(&fixture, 0, 0, "-1");
	expect_opened(&fixture, 1, 0, "-1");
	pmuq_open_results_free(fixture.results);
}

static void the_change_lists_the_cpus_that_open(void **state)
{
	const struct fake_rule rule = { .fits = is_third_cpu, .errnum = ENODEV };
	const struct pq_open_request request = ON(uncore, "0-3");
	struct fixture fixture = { .kernel = { .rules = &rule, .n_rules = 1 } };

	(void)state;
	test_open(&fixture, &request, 1);
	expect_refused(&fixture, 0, ENODEV);
	assert_int_equal(pmuq_open_results_get(fixture.results, 0)->pid, -1);
	assert_string_equal(pmuq_open_results_get(fixture.results, 0)->cpus.p, "2");
	assert_string_equal(pmuq_open_results_get(fixture.results, 0)->change.p,
			    "on CPU 0-1,3 only");
	pmuq_open_results_free(fixture.results);
}

static void einval_for_the_task_is_tried_again_on_a_cpu(void **state)
{
	const struct fake_rule rule = { .fits = is_per_task, .errnum = EINVAL };
	const struct pq_open_request requests[] = { { .attr = &uncore, .cpus = "3,5" },
						    { .attr = &uncore, .cpus = "0,5" } };
	struct fixture fixture = { .kernel = { .rules = &rule, .n_rules = 1 } };

	(void)state;
	test_open(&fixture, requests, COUNT(requests));
	expect_opened(&fixture, 0, -1, "3");
	expect_opened(&fixture, 1, -1, "0");
	assert_non_null(strstr(pmuq_open_results_get(fixture.results, 0)->hint.p, "per CPU only"));
	assert_int_equal(fixture.host.n_views, 0);
	pmuq_open_results_free(fixture.results);
}

static void the_first_refusal_is_reported_if_the_cpu_refuses_too(void **state)
{
	static const struct fake_rule rules[] = { { .fits = is_per_task, .errnum = EINVAL },
						  { .errnum = EACCES } };
	const struct pq_open_request request = { .attr = &uncore, .cpus = "3,5" };
	struct fixture fixture = { .kernel = { .rules = rules, .n_rules = COUNT(rules) } };

	(void)state;
	test_open(&fixture, &request, 1);
	expect_refused(&fixture, 0, EINVAL);
	assert_int_equal(pmuq_open_results_get(fixture.results, 0)->pid, 0);
	assert_string_equal(pmuq_open_results_get(fixture.results, 0)->cpus.p, "-1");
	pmuq_open_results_free(fixture.results);
}

static bool is_newer_than_the_kernel(const struct pq_open_call *t)
{
	return t->attr.size > 72;
}

/* config2 is the last field of the 72 bytes, branch_sample_type the first after them. */
static void a_change_for_an_older_kernel_keeps_all_fields_that_it_has(void **state)
{
	const struct fake_rule rule = { is_newer_than_the_kernel, E2BIG, .size = 72 };
	const struct pmuq_attr attr = {
		.type = PQ_TYPE_SOFTWARE, .size = 80, .config2 = 5, .branch_sample_type = 8
	};
	const struct pq_open_request request = ALONE(attr);
	struct fixture fixture = { .kernel = { .rules = &rule, .n_rules = 1 } };
	const struct pmuq_attr *changed;

	(void)state;
	test_open(&fixture, &request, 1);
	expect_refused(&fixture, 0, E2BIG);
	changed = pmuq_open_results_get(fixture.results, 0)->changed_attr;
	assert_non_null(changed);
	assert_int_equal(changed->config2, 5);
	assert_int_equal(changed->branch_sample_type, 0);
	assert_int_equal(changed->size, 72);
	pmuq_open_results_free(fixture.results);
}

static void a_group_is_open_all_at_once(void **state)
{
	const struct pq_open_request requests[] = {
		ALONE(software),	  IN_GROUP(hardware, 1, 3), IN_GROUP(software, 1, 3),
		IN_GROUP(hardware, 1, 3), ALONE(software),
	};
	struct fixture fixture = { 0 };

	(void)state;
	test_open(&fixture, requests, COUNT(requests));
	for (size_t i = 0; i < COUNT(requests); i++)
		expect_opened(&fixture, i, 0, "-1");
	assert_int_equal(fixture.kernel.n_open_max, 3);
	assert_int_equal(fixture.kernel.n_calls, 5);
	pmuq_open_results_free(fixture.results);
}

static void a_group_of_one_is_an_event_alone(void **state)
{
	const struct pq_open_request request = IN_GROUP(software, 0, 1);
	struct fixture fixture = { 0 };

	(void)state;
	test_open(&fixture, &request, 1);
	expect_opened(&fixture, 0, 0, "-1");
	assert_null(pmuq_open_results_get(fixture.results, 0)->hint.p);
	pmuq_open_results_free(fixture.results);
}

static void members_need_not_be_adjacent(void **state)
{
	const struct pq_open_request requests[] = {
		IN_GROUP(software, 1, 2), IN_GROUP(hardware, 1, 2), IN_GROUP(software, 2, 2),
		ALONE(software),	  IN_GROUP(software, 2, 2),
	};
	struct pq_open_request shuffled[COUNT(requests)];
	struct fixture fixture = { 0 };

	(void)state;
	memcpy(shuffled, requests, sizeof(requests));
	test_open(&fixture, shuffled, COUNT(requests));
	for (size_t i = 0; i < COUNT(requests); i++)
		expect_opened(&fixture, i, 0, "-1");
	assert_int_equal(fixture.kernel.n_open_max, 2);
	pmuq_open_results_free(fixture.results);
}

static void a_group_with_an_uncore_member_is_opened_on_its_cpus(void **state)
{
	struct pq_open_request requests[] = { IN_GROUP(software, 0, 2), IN_GROUP(uncore, 0, 2) };
	struct fixture fixture = { 0 };

	(void)state;
	requests[1].needs_cpu = true;
	requests[1].cpus = "1-2";
	test_open(&fixture, requests, COUNT(requests));
	expect_opened(&fixture, 0, -1, "1-2");
	expect_opened(&fixture, 1, -1, "1-2");
	assert_int_equal(fixture.kernel.cpus_opened, 0x6);
	assert_int_equal(fixture.kernel.n_open_max, 2);
	pmuq_open_results_free(fixture.results);
}

static void the_first_member_that_needs_cpus_decides_where_a_group_is_opened(void **state)
{
	struct pq_open_request requests[] = { IN_GROUP(uncore, 0, 2), IN_GROUP(uncore, 0, 2) };
	struct fixture fixture = { 0 };

	(void)state;
	requests[0].needs_cpu = requests[1].needs_cpu = true;
	requests[0].cpus = "3";
	requests[1].cpus = "1-2";
	test_open(&fixture, requests, COUNT(requests));
	expect_opened(&fixture, 0, -1, "3");
	expect_opened(&fixture, 1, -1, "3");
	pmuq_open_results_free(fixture.results);
}

static void a_member_that_does_not_fit_leaves_the_others(void **state)
{
	static const struct fake_rule rules[] = { { .fits = is_member, .errnum = 0, .times = 1 },
						  { .fits = is_member, .errnum = EINVAL } };
	const struct pq_open_request requests[] = {
		IN_GROUP(hardware, 0, 3),
		IN_GROUP(hardware, 0, 3),
		IN_GROUP(hardware, 0, 3),
	};
	struct fixture fixture = { .kernel = { .rules = rules, .n_rules = COUNT(rules) } };

	(void)state;
	test_open(&fixture, requests, COUNT(requests));
	expect_opened(&fixture, 0, 0, "-1");
	expect_opened(&fixture, 1, 0, "-1");
	expect_refused(&fixture, 2, EINVAL);
	assert_string_equal(pmuq_open_results_get(fixture.results, 2)->change.p,
			    "outside the group");
	pmuq_open_results_free(fixture.results);
}

static void members_of_a_refused_leader_are_opened_alone(void **state)
{
	const struct fake_rule rule = { .fits = is_hardware, .errnum = ENOENT };
	const struct pq_open_request requests[] = {
		IN_GROUP(hardware, 0, 3),
		IN_GROUP(software, 0, 3),
		IN_GROUP(uncore, 0, 3),
	};
	struct fixture fixture = { .kernel = { .rules = &rule, .n_rules = 1 } };

	(void)state;
	test_open(&fixture, requests, COUNT(requests));
	expect_refused(&fixture, 0, ENOENT);
	expect_opened(&fixture, 1, 0, "-1");
	expect_opened(&fixture, 2, 0, "-1");
	assert_non_null(
		strstr(pmuq_open_results_get(fixture.results, 1)->hint.p, "outside its group"));
	pmuq_open_results_free(fixture.results);
}

static void a_leader_that_needs_a_cpu_takes_its_group_there(void **state)
{
	const struct fake_rule rule = { .fits = is_per_task, .errnum = EINVAL };
	struct pq_open_request requests[] = { IN_GROUP(uncore, 0, 2), IN_GROUP(uncore, 0, 2) };
	struct fixture fixture = { .kernel = { .rules = &rule, .n_rules = 1 } };

	(void)state;
	requests[0].cpus = "2";
	test_open(&fixture, requests, COUNT(requests));
	expect_opened(&fixture, 0, -1, "2");
	expect_opened(&fixture, 1, -1, "2");
	assert_int_equal(fixture.kernel.n_open_max, 2);
	pmuq_open_results_free(fixture.results);
}

static void events_that_no_kernel_has_are_skipped(void **state)
{
	const struct pmuq_attr tool = { .type = UINT32_MAX - 1, .size = 64 };
	const struct pmuq_attr large = { .type = 1, .size = 4096 };
	const struct pq_open_request requests[] = {
		{ .cpus = "" },		  ALONE(tool), ALONE(large), IN_GROUP(tool, 3, 2),
		IN_GROUP(software, 3, 2),
	};
	struct fixture fixture = { 0 };

	(void)state;
	test_open(&fixture, requests, COUNT(requests));
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(pmuq_open_results_get(fixture.results, i)->status, PMUQ_SKIPPED);
		assert_non_null(pmuq_open_results_get(fixture.results, i)->reason.p);
	}
	expect_opened(&fixture, 4, 0, "-1");
	assert_int_equal(fixture.kernel.n_calls, 1);
	pmuq_open_results_free(fixture.results);
}

static void the_host_is_read_once_per_call(void **state)
{
	const struct fake_rule rule = { .errnum = ENOENT };
	const struct pq_open_request requests[] = { ALONE(hardware), ALONE(software),
						    ALONE(uncore) };
	struct fixture fixture = { .kernel = { .rules = &rule, .n_rules = 1 } };

	(void)state;
	test_open(&fixture, requests, COUNT(requests));
	assert_int_equal(fixture.host.n_views, 1);
	pmuq_open_results_free(fixture.results);
}

/* Reading the host needs descriptors. */
static void a_host_that_could_not_be_read_is_read_again(void **state)
{
	const struct fake_rule rules[] = { { .fits = is_hardware, .errnum = EMFILE },
					   { .errnum = ENOENT } };
	const struct pq_open_request requests[] = { ALONE(hardware), ALONE(uncore), ALONE(uncore) };
	struct fixture fixture = { .kernel = { .rules = rules, .n_rules = COUNT(rules) } };

	(void)state;
	test_open(&fixture, requests, COUNT(requests));
	assert_int_equal(fixture.host.n_views, 2);
	pmuq_open_results_free(fixture.results);
}

/* No change of the event would help. */
static void a_refusal_that_is_not_about_the_event_is_not_probed(void **state)
{
	static const int errnums[] = { EMFILE, ENFILE, ENOMEM, EFAULT, EBADF, ESRCH };
	const struct pq_open_request request = ALONE(software);

	(void)state;
	for (size_t i = 0; i < COUNT(errnums); i++) {
		const struct fake_rule rule = { .errnum = errnums[i] };
		struct fixture fixture = { .kernel = { .rules = &rule, .n_rules = 1 } };

		test_open(&fixture, &request, 1);
		expect_refused(&fixture, 0, errnums[i]);
		assert_int_equal(fixture.kernel.n_calls, 1);
		pmuq_open_results_free(fixture.results);
	}
}

/* It is as old as the system call, and needs no right. */
static void the_simplest_event_counts_this_task_in_user_space(void **state)
{
	const struct pq_open_call call = pq_probe_simplest();

	(void)state;
	assert_int_equal(call.attr.type, PQ_TYPE_SOFTWARE);
	assert_int_equal(call.attr.size, 64);
	assert_true(call.attr.exclude_kernel && call.attr.exclude_hv);
	assert_int_equal(call.pid, 0);
	assert_int_equal(call.cpu, -1);
	assert_int_equal(call.group_fd, -1);
}

static void a_change_without_memory_for_it_is_an_error(void **state)
{
	const struct fake_rule rule = { .fits = is_other_task, .errnum = EACCES };
	const struct pq_open_request request = ALONE(software);
	bool has_failed = true;
	unsigned n = 0;

	(void)state;
	for (; has_failed; n++) {
		struct fake_kernel kernel = { .rules = &rule, .n_rules = 1 };
		struct fake_host host = { 0 };
		const struct pq_opener opener = { fake_kernel_interface(&kernel),
						  fake_host_interface(&host),
						  .scope = { .pid = 7 } };
		struct pmuq_open_results *results = NULL;
		int r;

		fail_malloc_at(n);
		r = pq_open_requests(&opener, &request, 1, &results, NULL);
		has_failed = fail_malloc_no_more();
		assert_int_equal(r, has_failed ? -PMUQ_E_MEMORY : 0);
		assert_true(has_failed || pmuq_open_results_get(results, 0)->changed_attr);
		pmuq_open_results_free(results);
	}
	assert_true(n > 2);
}

/* Whether nothing opens is the same for all events. */
static void the_simplest_event_is_tried_once_per_call(void **state)
{
	const struct fake_rule rule = { .errnum = EACCES };
	const struct pq_open_request requests[] = { ALONE(hardware), ALONE(uncore) };
	struct fixture fixture = { .kernel = { .rules = &rule, .n_rules = 1 } };

	(void)state;
	test_open(&fixture, requests, COUNT(requests));
	assert_int_equal(fixture.kernel.n_calls, COUNT(requests) + 1);
	pmuq_open_results_free(fixture.results);
}

static void results_outlive_the_requests(void **state)
{
	struct fixture fixture = { 0 };
	char *cpus = strdup("0-1");
	struct pq_open_request request = ON(uncore, cpus);

	(void)state;
	assert_non_null(cpus);
	test_open(&fixture, &request, 1);
	memset(cpus, 'x', 3);
	expect_opened(&fixture, 0, -1, "0-1");
	free(cpus);
	pmuq_open_results_free(fixture.results);
}

static void there_is_no_result_past_the_last(void **state)
{
	struct fixture fixture = { 0 };

	(void)state;
	test_open(&fixture, NULL, 0);
	assert_null(pmuq_open_results_get(fixture.results, 0));
	assert_null(pmuq_open_results_get(fixture.results, 7));
	assert_null(pmuq_open_results_get(NULL, 0));
	assert_int_equal(pmuq_open_results_count(NULL), 0);
	pmuq_open_results_free(fixture.results);
	pmuq_open_results_free(NULL);
}

static void errnos_have_names(void **state)
{
	(void)state;
	assert_string_equal(pmuq_errno_name(EINVAL), "EINVAL");
	assert_string_equal(pmuq_errno_name(EOPNOTSUPP), "EOPNOTSUPP");
	assert_string_equal(pmuq_errno_name(524), "ENOTSUPP");
	assert_string_equal(pmuq_errno_name(0), "errno");
	assert_string_equal(pmuq_errno_name(-EINVAL), "errno");
}

/* Each function that takes options, and what it returns in the end. */
static int test_with(const struct pmuq_open_options *options, void **ret, struct pmuq_error **error)
{
	struct pmuq_open_results *results = NULL;
	int r = pmuq_encodings_test_open(NULL, options, &results, error);

	*ret = results;
	pmuq_open_results_free(results);
	return r;
}

static int open_with(const struct pmuq_open_options *options, void **ret, struct pmuq_error **error)
{
	struct pmuq_opened *opened = NULL;
	int r = pmuq_encodings_open(NULL, options, &opened, error);

	*ret = opened;
	pmuq_opened_free(opened);
	return r;
}

static int measure_with(const struct pmuq_open_options *options, void **ret,
			struct pmuq_error **error)
{
	struct pmuq_counts *counts = NULL;
	int r = pmuq_encodings_measure(NULL, options, &counts, error);

	*ret = counts;
	pmuq_counts_free(counts);
	return r;
}

static int budget_with(const struct pmuq_open_options *options, void **ret,
		       struct pmuq_error **error)
{
	struct pmuq_budget budget = { .size = sizeof(budget), .in_use = 77 };
	int r = pmuq_encodings_budget(NULL, options, &budget, error);

	*ret = NULL;
	/* An error leaves it unchanged. */
	assert_int_equal(r == 0, budget.in_use != 77);
	return r;
}

static void options_that_are_wrong_are_refused_by_each_function(void **state)
{
	static int (*const functions[])(const struct pmuq_open_options *, void **,
					struct pmuq_error **) = { test_with, open_with,
								  measure_with, budget_with };
	static const struct {
		struct pmuq_open_options options;
		enum pmuq_code code;
	} rows[] = {
		{ { .size = 1 }, PMUQ_E_BAD_CALL },
		{ { .size = sizeof(struct pmuq_open_options), .pid = -1 }, PMUQ_E_BAD_CALL },
		{ { .size = sizeof(struct pmuq_open_options), .pid = 1, .cgroup = "/" },
		  PMUQ_E_BAD_CALL },
		{ { .size = sizeof(struct pmuq_open_options), .cpus = "x" }, PMUQ_E_BAD_CPUS },
	};
	struct pmuq_error *error = NULL;
	void *made = NULL;

	(void)state;
	for (size_t f = 0; f < COUNT(functions); f++)
		for (size_t i = 0; i < COUNT(rows); i++) {
			assert_int_equal(functions[f](&rows[i].options, &made, &error),
					 -(int)rows[i].code);
			assert_int_equal(error->code, rows[i].code);
			assert_null(made);
			pmuq_error_free(error);
			error = NULL;
		}
}

/* Here, 9 is the type of another PMU, or of none. */
static void events_of_another_machine_are_opened_by_no_function(void **state)
{
	const struct test_pmu pmu = { .name = "other", .type = 9, .formats = "event config:0-7" };
	const struct pmuq_open_call call = { .size = sizeof(call), .errnum = EINVAL };
	struct pmuq_catalog *catalog = test_catalog(&pmu, 1);
	struct pmuq_budget budget = { .size = sizeof(budget) };
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_open_results *results = NULL;
	struct pmuq_opened *opened = NULL;
	struct pmuq_counts *counts = NULL;
	struct pmuq_error *error = NULL;

	(void)state;
	assert_int_equal(pmuq_catalog_encode(catalog, "other/event=0/", NULL, &encodings, NULL), 0);
	assert_false(pmuq_encodings_are_live(encodings));
	assert_int_equal(pmuq_encodings_test_open(encodings, NULL, &results, NULL),
			 -PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_encodings_open(encodings, NULL, &opened, &error), -PMUQ_E_BAD_CALL);
	assert_string_equal(error->message.p, "events of another machine cannot be opened here");
	assert_int_equal(pmuq_encodings_measure(encodings, NULL, &counts, NULL), -PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_encodings_explain_errno(encodings, 0, &call, &results, NULL),
			 -PMUQ_E_BAD_CALL);
	/* What it would need is a number. */
	assert_int_equal(pmuq_encodings_budget(encodings, NULL, &budget, NULL), 0);
	pmuq_error_free(error);
	pmuq_encodings_free(encodings);
	pmuq_catalog_free(catalog);
}

static void a_budget_needs_its_size(void **state)
{
	struct pmuq_budget budget = { .size = 0 };

	(void)state;
	assert_int_equal(pmuq_encodings_budget(NULL, NULL, &budget, NULL), -PMUQ_E_BAD_CALL);
}

static void a_budget_without_memory_for_its_events_fails(void **state)
{
	struct pmuq_budget budget = { .size = sizeof(budget) };

	(void)state;
	fail_malloc_at(0);
	assert_int_equal(pmuq_encodings_budget(NULL, NULL, &budget, NULL), -PMUQ_E_MEMORY);
	assert_true(fail_malloc_no_more());
}

/* The reason depends on the machine. If there is no memory to read the machine, the call fails. */
static void a_reason_without_memory_for_the_host_is_an_error(void **state)
{
	const struct fake_rule rule = { .errnum = ENOENT };
	const struct pq_open_request request = ALONE(hardware);
	struct fake_kernel kernel = { .rules = &rule, .n_rules = 1 };
	const struct pq_opener opener = { fake_kernel_interface(&kernel), pq_host_at("/") };
	struct pmuq_open_results *want = NULL, *results = NULL;
	bool has_failed = true;
	unsigned n = 0;

	(void)state;
	assert_int_equal(pq_open_requests(&opener, &request, 1, &want, NULL), 0);
	for (; has_failed; n++) {
		int r;

		fail_malloc_at(n);
		r = pq_open_requests(&opener, &request, 1, &results, NULL);
		has_failed = fail_malloc_no_more();
		if (r < 0) {
			assert_int_equal(r, -PMUQ_E_MEMORY);
			continue;
		}
		assert_string_equal(pmuq_open_results_get(results, 0)->reason.p,
				    pmuq_open_results_get(want, 0)->reason.p);
		pmuq_open_results_free(results);
	}
	assert_true(n > 2);
	pmuq_open_results_free(want);
}

static void a_reason_without_memory_for_the_pmu_or_the_task_is_an_error(void **state)
{
	static const struct fake_rule rule = { .errnum = ENOENT };
	static const struct pq_open_request request = { .attr = &uncore,
							.pmu = "acme",
							.cpus = "" };
	struct fake_host hosts[] = { { .pmu = { .has_no_memory = true } },
				     { .task = { .has_no_memory = true } } };

	(void)state;
	for (size_t i = 0; i < COUNT(hosts); i++) {
		struct fake_kernel kernel = { .rules = &rule, .n_rules = 1 };
		const struct pq_opener opener = { fake_kernel_interface(&kernel),
						  fake_host_interface(&hosts[i]),
						  .scope = { .pid = 4321 } };
		struct pmuq_open_results *results = NULL;

		assert_int_equal(pq_open_requests(&opener, &request, 1, &results, NULL),
				 -PMUQ_E_MEMORY);
		assert_null(results);
	}
}

static void an_errno_of_an_event_that_no_kernel_has_is_skipped(void **state)
{
	const struct pmuq_attr tool = { .type = UINT32_MAX - 1, .size = 64 };
	const struct pq_open_request request = ALONE(tool);
	const struct pmuq_open_call call = { .size = sizeof(call), .cpu = -1, .errnum = ENOENT };
	struct fixture fixture = { 0 };
	const struct pq_opener opener = { fake_kernel_interface(&fixture.kernel),
					  fake_host_interface(&fixture.host) };

	(void)state;
	assert_int_equal(pq_explain_errno(&opener, &request, &call, &fixture.results, NULL), 0);
	assert_int_equal(pmuq_open_results_count(fixture.results), 1);
	assert_int_equal(pmuq_open_results_get(fixture.results, 0)->status, PMUQ_SKIPPED);
	assert_non_null(pmuq_open_results_get(fixture.results, 0)->reason.p);
	assert_int_equal(fixture.kernel.n_calls, 0);
	pmuq_open_results_free(fixture.results);
}

/* Only E2BIG has a size, and only the kernel knows it. */
static void the_size_of_a_refused_attr_is_requested_again(void **state)
{
	static const struct {
		int errnum;
		unsigned n_calls;
		const char *reason; /* a part */
	} rows[] = { { E2BIG, 2, "128 bytes, without config3" }, { EMFILE, 0, "files" } };
	const struct pmuq_attr attr = { .type = PQ_TYPE_SOFTWARE, .size = 136, .config3 = 1 };
	const struct pq_open_request request = ALONE(attr);

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct pmuq_open_call call = { .size = sizeof(call),
						     .cpu = -1,
						     .errnum = rows[i].errnum };
		const struct fake_rule rule = { .errnum = E2BIG, .size = 128 };
		struct fixture fixture = { .kernel = { .rules = &rule, .n_rules = 1 } };
		const struct pq_opener opener = { fake_kernel_interface(&fixture.kernel),
						  fake_host_interface(&fixture.host) };

		assert_int_equal(pq_explain_errno(&opener, &request, &call, &fixture.results, NULL),
				 0);
		assert_non_null(strstr(pmuq_open_results_get(fixture.results, 0)->reason.p,
				       rows[i].reason));
		assert_true(fixture.kernel.n_calls >= rows[i].n_calls);
		assert_true(rows[i].n_calls || !fixture.kernel.n_calls);
		pmuq_open_results_free(fixture.results);
	}
}

static void an_errno_is_explained_unless_there_is_no_memory(void **state)
{
	const struct pq_open_request request = ALONE(hardware);
	const struct pmuq_open_call call = { .size = sizeof(call), .cpu = -1, .errnum = ENOENT };
	bool has_failed = true;
	unsigned n = 0;

	(void)state;
	for (; has_failed; n++) {
		struct fake_kernel kernel = { 0 };
		struct fake_host host = { 0 };
		const struct pq_opener opener = { fake_kernel_interface(&kernel),
						  fake_host_interface(&host) };
		struct pmuq_open_results *results = NULL;
		int r;

		fail_malloc_at(n);
		r = pq_explain_errno(&opener, &request, &call, &results, NULL);
		has_failed = fail_malloc_no_more();
		assert_int_equal(r, has_failed ? -PMUQ_E_MEMORY : 0);
		assert_true((results != NULL) == (r == 0));
		pmuq_open_results_free(results);
	}
	assert_true(n > 2);
}

static int open_zero(void *self, struct pmuq_attr *attr, int pid, int cpu, int group_fd,
		     unsigned long flags)
{
	(void)self, (void)attr, (void)pid, (void)cpu, (void)group_fd, (void)flags;
	return 0;
}

static void count_closed(void *self, int fd)
{
	assert_int_equal(fd, 0);
	++*(unsigned *)self;
}

/* If standard input is closed, the first event is descriptor 0. */
static void descriptor_zero_is_closed(void **state)
{
	unsigned n_closed = 0;
	const struct pq_kernel kernel = { .self = &n_closed,
					  .open_event = open_zero,
					  .close_event = count_closed };
	const struct pq_open_call call = { .cpu = -1, .group_fd = -1 };

	(void)state;
	assert_int_equal(pq_kernel_try(&kernel, &call, NULL), 0);
	assert_int_equal(n_closed, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_accepted_event_costs_one_call_and_no_view_of_the_host),
		cmocka_unit_test(the_attr_is_passed_unchanged_but_disabled),
		cmocka_unit_test(bytes_after_the_size_are_not_passed),
		cmocka_unit_test(config1_points_to_the_text),
		cmocka_unit_test(an_interrupted_call_is_repeated),
		cmocka_unit_test(a_call_that_is_always_interrupted_ends),
		cmocka_unit_test(a_pmu_with_a_cpumask_is_opened_on_each_of_its_cpus),
		cmocka_unit_test(a_pmu_without_a_valid_cpumask_is_opened_for_the_task),
		cmocka_unit_test(the_change_lists_the_cpus_that_open),
		cmocka_unit_test(einval_for_the_task_is_tried_again_on_a_cpu),
		cmocka_unit_test(the_first_refusal_is_reported_if_the_cpu_refuses_too),
		cmocka_unit_test(a_change_for_an_older_kernel_keeps_all_fields_that_it_has),
		cmocka_unit_test(a_group_is_open_all_at_once),
		cmocka_unit_test(a_group_of_one_is_an_event_alone),
		cmocka_unit_test(members_need_not_be_adjacent),
		cmocka_unit_test(a_group_with_an_uncore_member_is_opened_on_its_cpus),
		cmocka_unit_test(the_first_member_that_needs_cpus_decides_where_a_group_is_opened),
		cmocka_unit_test(a_member_that_does_not_fit_leaves_the_others),
		cmocka_unit_test(members_of_a_refused_leader_are_opened_alone),
		cmocka_unit_test(a_leader_that_needs_a_cpu_takes_its_group_there),
		cmocka_unit_test(events_that_no_kernel_has_are_skipped),
		cmocka_unit_test(the_host_is_read_once_per_call),
		cmocka_unit_test(a_host_that_could_not_be_read_is_read_again),
		cmocka_unit_test(a_refusal_that_is_not_about_the_event_is_not_probed),
		cmocka_unit_test(the_simplest_event_counts_this_task_in_user_space),
		cmocka_unit_test(a_change_without_memory_for_it_is_an_error),
		cmocka_unit_test(the_simplest_event_is_tried_once_per_call),
		cmocka_unit_test(results_outlive_the_requests),
		cmocka_unit_test(there_is_no_result_past_the_last),
		cmocka_unit_test(errnos_have_names),
		cmocka_unit_test(options_that_are_wrong_are_refused_by_each_function),
		cmocka_unit_test(events_of_another_machine_are_opened_by_no_function),
		cmocka_unit_test(a_budget_needs_its_size),
		cmocka_unit_test(a_budget_without_memory_for_its_events_fails),
		cmocka_unit_test(a_reason_without_memory_for_the_host_is_an_error),
		cmocka_unit_test(a_reason_without_memory_for_the_pmu_or_the_task_is_an_error),
		cmocka_unit_test(an_errno_of_an_event_that_no_kernel_has_is_skipped),
		cmocka_unit_test(the_size_of_a_refused_attr_is_requested_again),
		cmocka_unit_test(an_errno_is_explained_unless_there_is_no_memory),
		cmocka_unit_test(descriptor_zero_is_closed),
	};

	return cmocka_run_group_tests_name("open", tests, NULL, NULL);
}
