/* SPDX-License-Identifier: MIT */
/*
 * Events that stay open: which events of a list and of a group, how they are switched and read, and
 * that every descriptor is closed. The kernel is a fake that checks how it is used.
 */
#include "core/attr/attr.h"
#include "open/open.h"
#include "open/opened.h"
#include "tests/harness/failing_malloc.h"
#include "tests/harness/fake_kernel.h"
#include "tests/unit/cmocka_all.h"
#include <errno.h>

static const struct pmuq_attr hardware = { .type = PQ_TYPE_HARDWARE, .size = 64 };
static const struct pmuq_attr software = { .type = PQ_TYPE_SOFTWARE, .size = 64 };

#define ALONE(a)                                                                                   \
	{                                                                                          \
		.attr = &(a), .cpus = ""                                                           \
	}
#define IN_GROUP(a, first, n)                                                                      \
	{                                                                                          \
		.attr = &(a), .cpus = "", .leader = (first), .members = (n)                        \
	}

static bool is_software(const struct pq_open_call *call)
{
	return call->attr.type == PQ_TYPE_SOFTWARE;
}

static bool is_hardware(const struct pq_open_call *call)
{
	return call->attr.type == PQ_TYPE_HARDWARE;
}

struct fixture {
	struct fake_kernel kernel;
	struct fake_host host;
	struct pq_open_scope scope;
	struct pmuq_opened *opened;
};

static void open_to_stay(struct fixture *fixture, const struct pq_open_request *requests, size_t n)
{
	const struct pq_opener opener = {
		fake_kernel_interface(&fixture->kernel),
		fake_host_interface(&fixture->host),
		fixture->scope,
	};

	assert_int_equal(pq_open_to_stay(&opener, requests, n, &fixture->opened, NULL), 0);
	assert_int_equal(pmuq_opened_count(fixture->opened), n);
	assert_int_equal(pmuq_opened_count(NULL), 0);
}

static void release(struct fixture *fixture)
{
	pmuq_opened_free(fixture->opened);
	assert_int_equal(fixture->kernel.n_open, 0);
	if (fixture->kernel.misuse)
		fail_msg("%s", fixture->kernel.misuse);
}

static struct pmuq_target target_of(const struct fixture *fixture, size_t index, size_t target)
{
	struct pmuq_target found = { .size = sizeof(found) };

	assert_true(pmuq_opened_target(fixture->opened, index, target, &found));
	return found;
}

static struct pmuq_value read_of(const struct fixture *fixture, size_t index)
{
	struct pmuq_value values = { .size = sizeof(values) };

	assert_int_equal(pmuq_opened_read(fixture->opened, index, &values, NULL), 0);
	return values;
}

static enum pmuq_open_status status_of(const struct fixture *fixture, size_t index)
{
	return pmuq_open_results_get(pmuq_opened_results(fixture->opened), index)->status;
}

static void an_event_stays_open_until_it_is_freed(void **state)
{
	const struct pq_open_request request = ALONE(hardware);
	struct fixture fixture = { .kernel = { .times = { 500, 1000, 250 } } };

	(void)state;
	open_to_stay(&fixture, &request, 1);
	assert_int_equal(fixture.kernel.n_calls, 1);
	assert_int_equal(fixture.kernel.n_open, 1);
	assert_int_equal(fixture.kernel.n_switched_on, 0);
	assert_int_equal(status_of(&fixture, 0), PMUQ_OPENED);
	assert_int_equal(pmuq_opened_target_count(fixture.opened, 0), 1);
	assert_int_equal(target_of(&fixture, 0, 0).cpu, -1);
	assert_true(target_of(&fixture, 0, 0).fd >= 0);
	assert_int_equal(target_of(&fixture, 0, 0).id, target_of(&fixture, 0, 0).fd + 1);
	assert_int_equal(target_of(&fixture, 0, 0).read_format, 3);
	assert_int_equal(read_of(&fixture, 0).value, 500);
	assert_int_equal(read_of(&fixture, 0).scaled, 2000);
	release(&fixture);
}

static void it_is_switched_and_reset_on_all_targets(void **state)
{
	const struct pq_open_request request = { .attr = &hardware,
						 .cpus = "1,3-4",
						 .needs_cpu = true };
	struct fixture fixture = { .kernel = { .times = { 10, 100, 50 } } };
	struct pmuq_value one = { .size = sizeof(one) };
	struct pmuq_target beyond = { .size = sizeof(beyond) };

	(void)state;
	open_to_stay(&fixture, &request, 1);
	assert_int_equal(pmuq_opened_target_count(fixture.opened, 0), 3);
	assert_false(pmuq_opened_target(fixture.opened, 0, 3, &beyond));
	assert_int_equal(target_of(&fixture, 0, 1).cpu, 3);
	assert_int_equal(pmuq_opened_enable(fixture.opened, NULL), 0);
	assert_int_equal(fixture.kernel.n_switched_on, 3);
	assert_int_equal(pmuq_opened_reset(fixture.opened, NULL), 0);
	assert_int_equal(fixture.kernel.n_reset, 3);
	fixture.kernel.times = (struct pq_times){ 20, 200, 100 };
	assert_int_equal(read_of(&fixture, 0).value, 30);
	assert_int_equal(read_of(&fixture, 0).time_enabled_ns, 300);
	assert_int_equal(pmuq_opened_read_at(fixture.opened, 0, 2, &one, NULL), 0);
	assert_int_equal(one.value, 10);
	assert_int_equal(pmuq_opened_read_at(fixture.opened, 0, 3, &one, NULL), -PMUQ_E_BAD_CALL);
	release(&fixture);
}

static void a_group_is_read_by_one_call(void **state)
{
	const struct pq_open_request requests[] = {
		IN_GROUP(hardware, 0, 3),
		IN_GROUP(software, 0, 3),
		IN_GROUP(hardware, 0, 3),
		ALONE(software),
	};
	struct fixture fixture = { .kernel = { .times = { 70, 100, 100 } } };
	struct pmuq_value all_values[4];

	(void)state;
	for (size_t i = 0; i < COUNT(all_values); i++)
		all_values[i].size = sizeof(all_values[i]);
	open_to_stay(&fixture, requests, COUNT(requests));
	assert_int_equal(fixture.kernel.n_calls, 4);
	assert_int_equal(target_of(&fixture, 1, 0).read_format, 15);
	assert_int_equal(pmuq_opened_enable(fixture.opened, NULL), 0);
	assert_int_equal(fixture.kernel.n_switched_on, 2);
	assert_int_equal(pmuq_opened_read_all(fixture.opened, all_values, COUNT(all_values), NULL),
			 0);
	assert_int_equal(fixture.kernel.n_group_reads, 1);
	assert_int_equal(all_values[0].value, 70);
	assert_int_equal(all_values[1].value, 71);
	assert_int_equal(all_values[2].value, 72);
	assert_int_equal(all_values[3].value, 70);
	assert_int_equal(read_of(&fixture, 2).value, 72);
	release(&fixture);
}

static bool is_per_task(const struct pq_open_call *call)
{
	return call->pid == 0;
}

static void an_event_that_counts_per_cpu_only_stays_open_on_a_cpu(void **state)
{
	const struct fake_rule rule = { .fits = is_per_task, .errnum = EINVAL };
	const struct pq_open_request request = { .attr = &hardware, .cpus = "3,5" };
	struct fixture fixture = { .kernel = { .rules = &rule, .n_rules = 1 } };

	(void)state;
	open_to_stay(&fixture, &request, 1);
	assert_int_equal(pmuq_opened_target_count(fixture.opened, 0), 1);
	assert_int_equal(target_of(&fixture, 0, 0).cpu, 3);
	assert_int_equal(fixture.kernel.n_open, 1);
	release(&fixture);
}

static void each_member_has_a_descriptor_on_each_cpu(void **state)
{
	const struct pq_open_request requests[] = {
		{ .attr = &hardware, .cpus = "0-1", .needs_cpu = true, .leader = 0, .members = 2 },
		{ .attr = &software, .cpus = "0-1", .needs_cpu = true, .leader = 0, .members = 2 },
	};
	struct fixture fixture = { .kernel = { .times = { 70, 100, 100 } } };
	int fd;

	(void)state;
	open_to_stay(&fixture, requests, COUNT(requests));
	fd = target_of(&fixture, 0, 0).fd;
	assert_int_equal(target_of(&fixture, 1, 0).fd, fd + 1);
	assert_int_equal(target_of(&fixture, 0, 1).fd, fd + 2);
	assert_int_equal(target_of(&fixture, 1, 1).fd, fd + 3);
	release(&fixture);
}

static void a_group_stays_open_without_a_refused_member(void **state)
{
	static const struct fake_rule rules[] = { { is_software, ENOENT, 0, 0 } };
	const struct pq_open_request requests[] = {
		IN_GROUP(hardware, 0, 3),
		IN_GROUP(software, 0, 3),
		IN_GROUP(hardware, 0, 3),
	};
	struct fixture fixture = { .kernel = { .rules = rules, .n_rules = COUNT(rules) } };

	(void)state;
	open_to_stay(&fixture, requests, COUNT(requests));
	assert_int_equal(fixture.kernel.n_open, 2);
	assert_int_equal(status_of(&fixture, 0), PMUQ_OPENED);
	assert_int_equal(status_of(&fixture, 1), PMUQ_REFUSED);
	assert_non_null(pmuq_open_results_get(pmuq_opened_results(fixture.opened), 1)->reason.p);
	assert_int_equal(status_of(&fixture, 2), PMUQ_OPENED);
	assert_false(pmuq_opened_target(
		fixture.opened, 1, 0, &(struct pmuq_target){ .size = sizeof(struct pmuq_target) }));
	assert_int_equal(pmuq_opened_target_count(fixture.opened, 1), 0);
	assert_int_equal(target_of(&fixture, 2, 0).read_format, 15);
	release(&fixture);
}

static void members_of_a_refused_leader_stay_open_alone(void **state)
{
	static const struct fake_rule rules[] = { { is_hardware, ENOENT, 0, 0 } };
	const struct pq_open_request requests[] = {
		IN_GROUP(hardware, 0, 3),
		IN_GROUP(software, 0, 3),
		IN_GROUP(software, 0, 3),
	};
	struct fixture fixture = {
		.kernel = { .rules = rules, .n_rules = COUNT(rules), .times = { 5, 1, 1 } }
	};

	(void)state;
	open_to_stay(&fixture, requests, COUNT(requests));
	assert_int_equal(status_of(&fixture, 0), PMUQ_REFUSED);
	assert_int_equal(fixture.kernel.n_open, 2);
	assert_int_equal(target_of(&fixture, 1, 0).read_format, 3);
	assert_int_equal(read_of(&fixture, 2).value, 5);
	release(&fixture);
}

static void a_passing_refusal_is_a_refusal(void **state)
{
	/* To stay open: refused; for the trial: opens; to stay open: refused. */
	static const struct fake_rule rules[] = {
		{ NULL, EBUSY, 0, 1 },
		{ NULL, 0, 0, 1 },
		{ NULL, EBUSY, 0, 0 },
	};
	const struct pq_open_request request = ALONE(hardware);
	struct fixture fixture = { .kernel = { .rules = rules, .n_rules = COUNT(rules) } };

	(void)state;
	open_to_stay(&fixture, &request, 1);
	assert_int_equal(status_of(&fixture, 0), PMUQ_REFUSED);
	assert_int_equal(pmuq_open_results_get(pmuq_opened_results(fixture.opened), 0)->errnum,
			 EBUSY);
	assert_int_equal(fixture.kernel.n_open, 0);
	release(&fixture);
}

static const char *name_of(const struct fixture *fixture, size_t index)
{
	return pmuq_open_results_get(pmuq_opened_results(fixture->opened), index)->name.p;
}

/* Each was tried alone, and closed: it opens. */
static void an_event_without_enough_descriptors_is_refused(void **state)
{
	const struct pq_open_request request = { .attr = &hardware,
						 .cpus = "0-1",
						 .needs_cpu = true };
	struct fixture fixture = { .kernel = { .files_max = 1 } };
	const struct pmuq_open_results *results;

	(void)state;
	open_to_stay(&fixture, &request, 1);
	results = pmuq_opened_results(fixture.opened);
	assert_int_equal(status_of(&fixture, 0), PMUQ_REFUSED);
	assert_int_equal(pmuq_open_results_get(results, 0)->errnum, EMFILE);
	assert_string_equal(name_of(&fixture, 0), "files-process");
	assert_string_equal(pmuq_open_results_get(results, 0)->cpus.p, "1");
	assert_non_null(pmuq_open_results_get(results, 0)->hint.p);
	assert_int_equal(fixture.kernel.n_open, 0);
	release(&fixture);
}

static void a_group_stays_open_without_a_member_that_gets_no_descriptors(void **state)
{
	const struct pq_open_request requests[] = {
		{ .attr = &hardware, .cpus = "0-1", .needs_cpu = true, .leader = 0, .members = 2 },
		{ .attr = &software, .cpus = "0-1", .needs_cpu = true, .leader = 0, .members = 2 },
	};
	struct fixture fixture = { .kernel = { .files_max = 3 } };

	(void)state;
	open_to_stay(&fixture, requests, 2);
	assert_int_equal(status_of(&fixture, 0), PMUQ_OPENED);
	assert_int_equal(pmuq_opened_target_count(fixture.opened, 0), 2);
	assert_int_equal(status_of(&fixture, 1), PMUQ_REFUSED);
	assert_string_equal(name_of(&fixture, 1), "files-process");
	assert_int_equal(fixture.kernel.n_open, 2);
	release(&fixture);
}

static void members_of_a_leader_without_descriptors_stay_open_alone(void **state)
{
	const struct pq_open_request requests[] = {
		{ .attr = &hardware, .cpus = "0-1", .needs_cpu = true, .leader = 0, .members = 2 },
		IN_GROUP(software, 0, 2),
	};
	struct fixture fixture = { .kernel = { .files_max = 2 } };
	const struct pmuq_open_results *results;

	(void)state;
	open_to_stay(&fixture, requests, 2);
	results = pmuq_opened_results(fixture.opened);
	assert_int_equal(status_of(&fixture, 0), PMUQ_REFUSED);
	assert_string_equal(name_of(&fixture, 0), "files-process");
	assert_int_equal(status_of(&fixture, 1), PMUQ_OPENED);
	assert_string_equal(pmuq_open_results_get(results, 1)->cpus.p, "-1");
	assert_non_null(strstr(pmuq_open_results_get(results, 1)->hint.p, "outside its group"));
	assert_int_equal(pmuq_opened_target_count(fixture.opened, 1), 1);
	release(&fixture);
}

static void a_passing_refusal_has_a_reason(void **state)
{
	/* To stay open: refused; for the trial: opens; to stay open: refused; and again: opens. */
	static const struct fake_rule rules[] = {
		{ NULL, ENOENT, 0, 1 },
		{ NULL, 0, 0, 1 },
		{ NULL, ENOENT, 0, 1 },
	};
	const struct pq_open_request request = ALONE(hardware);
	struct fixture fixture = { .kernel = { .rules = rules, .n_rules = COUNT(rules) } };
	const struct pmuq_open_results *results;

	(void)state;
	open_to_stay(&fixture, &request, 1);
	results = pmuq_opened_results(fixture.opened);
	assert_int_equal(status_of(&fixture, 0), PMUQ_REFUSED);
	assert_int_equal(pmuq_open_results_get(results, 0)->errnum, ENOENT);
	assert_string_equal(name_of(&fixture, 0), "changed-meanwhile");
	assert_non_null(pmuq_open_results_get(results, 0)->hint.p);
	assert_null(pmuq_open_results_get(results, 0)->change.p);
	assert_int_equal(fixture.kernel.n_open, 0);
	release(&fixture);
}

static void enomem_of_the_kernel_is_a_refusal(void **state)
{
	static const struct fake_rule rule = { .errnum = ENOMEM };
	const struct pq_open_request request = ALONE(hardware);
	struct fixture fixture = { .kernel = { .rules = &rule, .n_rules = 1 } };

	(void)state;
	open_to_stay(&fixture, &request, 1);
	assert_string_equal(name_of(&fixture, 0), "memory");
	release(&fixture);
}

/* If one allocation fails, either all is as usual or nothing is open. */
static void out_of_memory_fails_as_a_whole(void **state)
{
	static const struct fake_rule rules[] = { { is_software, ENOENT, 0, 0 } };
	const struct pq_open_request requests[] = {
		ALONE(hardware),	  { .attr = &hardware, .cpus = "0-3", .needs_cpu = true },
		IN_GROUP(hardware, 2, 3), IN_GROUP(software, 2, 3),
		IN_GROUP(hardware, 2, 3),
	};
	bool has_failed = true;
	unsigned n_refused = 0;

	(void)state;
	for (unsigned n = 0; has_failed; n++) {
		struct fixture fixture = { .kernel = { .rules = rules, .n_rules = COUNT(rules) } };
		const struct pq_opener opener = { fake_kernel_interface(&fixture.kernel),
						  fake_host_interface(&fixture.host),
						  fixture.scope };
		int r;

		fail_malloc_at(n);
		r = pq_open_to_stay(&opener, requests, COUNT(requests), &fixture.opened, NULL);
		has_failed = fail_malloc_no_more();
		n_refused += r < 0;
		assert_true(r == 0 || (has_failed && r == -PMUQ_E_MEMORY));
		assert_int_equal(fixture.kernel.n_open, r == 0 ? 7 : 0);
		for (size_t i = 0; r == 0 && i < COUNT(requests); i++)
			assert_int_equal(status_of(&fixture, i),
					 i == 3 ? PMUQ_REFUSED : PMUQ_OPENED);
		release(&fixture);
	}
	assert_true(n_refused > 3);
}

static void sigtrap_is_cleared(void **state)
{
	const struct pmuq_attr attr = { .type = 1, .size = 64, .sigtrap = 1 };
	const struct pq_open_request request = ALONE(attr);
	struct fixture fixture = { 0 };

	(void)state;
	open_to_stay(&fixture, &request, 1);
	assert_int_equal(fixture.kernel.last.attr.sigtrap, 0);
	release(&fixture);
}

static bool counts_the_kernel(const struct pq_open_call *call)
{
	return !call->attr.exclude_kernel;
}

/* Fields that pmuq set to count the event are as in the request. */
static void the_attr_that_would_open_is_the_callers(void **state)
{
	static const struct fake_rule rules[] = { { counts_the_kernel, EACCES, 0, 0 } };
	const struct pmuq_attr attr = { .type = 0, .size = 128, .sigtrap = 1, .read_format = 4 };
	const struct pq_open_request request = ALONE(attr);
	struct fixture fixture = { .kernel = { .rules = rules, .n_rules = COUNT(rules) } };
	const struct pmuq_open_result *result;

	(void)state;
	open_to_stay(&fixture, &request, 1);
	result = pmuq_open_results_get(pmuq_opened_results(fixture.opened), 0);
	assert_int_equal(result->status, PMUQ_REFUSED);
	assert_non_null(result->changed_attr);
	assert_int_equal(result->changed_attr->exclude_kernel, 1);
	assert_int_equal(result->changed_attr->sigtrap, 1);
	assert_int_equal(result->changed_attr->read_format, 4);
	release(&fixture);
}

static void a_lost_counter_is_an_error_with_a_hint(void **state)
{
	const struct pq_open_request request = ALONE(hardware);
	struct fixture fixture = { .kernel = { .read_errnum = ENODATA } };
	struct pmuq_value values = { .size = sizeof(values), .value = 77 };
	struct pmuq_error *error = NULL;

	(void)state;
	open_to_stay(&fixture, &request, 1);
	assert_int_equal(pmuq_opened_read(fixture.opened, 0, &values, &error),
			 -PMUQ_E_EVENT_FAILED);
	assert_int_equal(values.value, 77);
	assert_int_equal(error->errnum, ENODATA);
	assert_non_null(error->hint.p);
	pmuq_error_free(error);
	release(&fixture);
}

static void only_a_lost_counter_has_that_hint(void **state)
{
	const struct pq_open_request request = ALONE(hardware);
	struct fixture fixture = { .kernel = { .read_errnum = EIO } };
	struct pmuq_value values = { .size = sizeof(values) };
	struct pmuq_error *error = NULL;

	(void)state;
	open_to_stay(&fixture, &request, 1);
	assert_int_equal(pmuq_opened_read(fixture.opened, 0, &values, &error),
			 -PMUQ_E_EVENT_FAILED);
	assert_int_equal(error->errnum, EIO);
	assert_string_equal(error->message.p, "event 0: the kernel does not read an opened event: EIO");
	assert_null(error->hint.p);
	pmuq_error_free(error);
	release(&fixture);
}

/* The second event and the group cannot be read on one of their two targets. */
static void read_all_reports_the_first_failure_and_reads_the_others(void **state)
{
	const struct pq_open_request requests[] = {
		ALONE(software),
		{ .attr = &hardware, .cpus = "0-1", .needs_cpu = true },
		{ .attr = &hardware, .cpus = "0", .needs_cpu = true },
		{ .attr = &hardware, .cpus = "0-1", .needs_cpu = true, .leader = 3, .members = 2 },
		{ .attr = &hardware, .cpus = "0-1", .needs_cpu = true, .leader = 3, .members = 2 },
		{ .cpus = "" },
	};
	struct fixture fixture = { .kernel = { .times = { 500, 1000, 1000 }, .bad_cpus = 0x2 } };
	const struct pmuq_value before = { sizeof(before), 7, UINT64_MAX, 8, 9 };
	struct pmuq_value all_values[6] = { before, before, before, before, before, before };
	struct pmuq_error *error = NULL;

	(void)state;
	open_to_stay(&fixture, requests, COUNT(requests));
	assert_int_equal(pmuq_opened_read_all(fixture.opened, all_values, 6, &error),
			 -PMUQ_E_EVENT_FAILED);
	assert_int_equal(all_values[0].value, 500);
	assert_memory_equal(&all_values[1], &before, sizeof(before));
	assert_int_equal(all_values[2].value, 500);
	assert_memory_equal(&all_values[3], &before, sizeof(before));
	assert_memory_equal(&all_values[4], &before, sizeof(before));
	assert_int_equal(all_values[5].value, 0);
	assert_int_equal(all_values[5].time_enabled_ns, 0);
	assert_non_null(strstr(error->message.p, "event 1 on CPU 1"));
	assert_int_equal(error->errnum, EIO);
	pmuq_error_free(error);
	assert_int_equal(pmuq_opened_read_all(fixture.opened, all_values, 1, NULL),
			 -PMUQ_E_BAD_CALL);
	fixture.kernel.bad_cpus = 0;
	assert_int_equal(pmuq_opened_read_all(fixture.opened, all_values, 6, NULL), 0);
	assert_int_equal(all_values[1].value, 1000);
	assert_int_equal(all_values[4].value, 1002);
	release(&fixture);
}

static void a_missing_size_is_an_error(void **state)
{
	const struct pq_open_request requests[] = { ALONE(hardware), ALONE(hardware) };
	struct fixture fixture = { .kernel = { .times = { 500, 1000, 1000 } } };
	struct pmuq_value all_values[2] = { { .size = sizeof(all_values[0]) } };

	(void)state;
	open_to_stay(&fixture, requests, 2);
	assert_int_equal(pmuq_opened_read(fixture.opened, 0, &all_values[1], NULL),
			 -PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_opened_read_at(fixture.opened, 0, 0, &all_values[1], NULL),
			 -PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_opened_read_all(fixture.opened, all_values, 2, NULL),
			 -PMUQ_E_BAD_CALL);
	assert_int_equal(all_values[0].value, 0);
	all_values[1].size = all_values[0].size;
	all_values[0].size = 0;
	assert_int_equal(pmuq_opened_read_all(fixture.opened, all_values, 2, NULL),
			 -PMUQ_E_BAD_CALL);
	release(&fixture);
}

/* A quarter of the time before, half of it since. */
static void after_a_reset_count_and_times_start_from_zero(void **state)
{
	const struct pq_open_request requests[] = {
		ALONE(hardware),
		IN_GROUP(hardware, 1, 2),
		IN_GROUP(software, 1, 2),
	};
	struct fixture fixture = { .kernel = { .times = { 500, 1000, 250 } } };
	struct pmuq_value all_values[3];

	(void)state;
	for (size_t i = 0; i < COUNT(all_values); i++)
		all_values[i].size = sizeof(all_values[i]);
	open_to_stay(&fixture, requests, COUNT(requests));
	assert_int_equal(pmuq_opened_reset(fixture.opened, NULL), 0);
	assert_int_equal(pmuq_opened_read_all(fixture.opened, all_values, 3, NULL), 0);
	for (size_t i = 0; i < COUNT(all_values); i++)
		assert_int_equal(all_values[i].value + all_values[i].time_enabled_ns +
					 all_values[i].time_running_ns + all_values[i].scaled,
				 0);
	fixture.kernel.times = (struct pq_times){ 800, 1600, 550 };
	assert_int_equal(pmuq_opened_read_all(fixture.opened, all_values, 3, NULL), 0);
	for (size_t i = 0; i < COUNT(all_values); i++) {
		assert_int_equal(all_values[i].value, 300);
		assert_int_equal(all_values[i].time_enabled_ns, 600);
		assert_int_equal(all_values[i].time_running_ns, 300);
		assert_int_equal(all_values[i].scaled, 600);
		assert_int_equal(read_of(&fixture, i).scaled, 600);
	}
	release(&fixture);
}

static void each_target_is_reset(void **state)
{
	const struct pq_open_request request = { .attr = &hardware,
						 .cpus = "0-1",
						 .needs_cpu = true };
	struct fixture fixture = { .kernel = { .times = { 500, 1000, 250 }, .bad_cpus = 0x2 } };
	struct pmuq_value one = { .size = sizeof(one) };

	(void)state;
	open_to_stay(&fixture, &request, 1);
	assert_int_equal(pmuq_opened_reset(fixture.opened, NULL), -PMUQ_E_EVENT_FAILED);
	fixture.kernel.bad_cpus = 0;
	fixture.kernel.times = (struct pq_times){ 800, 1600, 550 };
	assert_int_equal(pmuq_opened_read_at(fixture.opened, 0, 0, &one, NULL), 0);
	assert_int_equal(one.value, 300);
	assert_int_equal(one.scaled, 600);
	assert_int_equal(pmuq_opened_read_at(fixture.opened, 0, 1, &one, NULL), 0);
	assert_int_equal(one.value, 300);
	assert_int_equal(one.time_enabled_ns, 1600);
	release(&fixture);
}

static void counts_of_ended_children_are_reset(void **state)
{
	const struct pmuq_attr inherited = { .type = PQ_TYPE_SOFTWARE, .size = 64, .inherit = 1 };
	const struct pq_open_request requests[] = { ALONE(inherited), ALONE(software) };
	struct fixture fixture = { .kernel = { .times = { 500, 1000, 1000 }, .ended = 40 } };

	(void)state;
	open_to_stay(&fixture, requests, 2);
	assert_int_equal(pmuq_opened_reset(fixture.opened, NULL), 0);
	assert_int_equal(read_of(&fixture, 0).value, 0);
	/* No child counts for it: this is what the kernel sets it to. */
	assert_int_equal(read_of(&fixture, 1).value, 40);
	release(&fixture);
}

static void counts_of_ended_children_are_reset_in_a_group(void **state)
{
	const struct pmuq_attr inherited = { .type = PQ_TYPE_SOFTWARE, .size = 64, .inherit = 1 };
	const struct pq_open_request requests[] = { IN_GROUP(inherited, 0, 2),
						    IN_GROUP(software, 0, 2) };
	struct fixture fixture = { .kernel = { .times = { 500, 1000, 1000 }, .ended = 40 } };

	(void)state;
	open_to_stay(&fixture, requests, 2);
	assert_int_equal(pmuq_opened_reset(fixture.opened, NULL), 0);
	assert_int_equal(read_of(&fixture, 0).value, 0);
	release(&fixture);
}

/* A device whose count is not a sum, or that the caller reset, may be below the value at a reset. */
static void a_count_below_its_zero_is_the_kernels(void **state)
{
	const struct pmuq_attr inherited = { .type = PQ_TYPE_SOFTWARE, .size = 64, .inherit = 1 };
	const struct pq_open_request request = ALONE(inherited);
	struct fixture fixture = { .kernel = { .times = { 500, 1000, 1000 }, .ended = 40 } };

	(void)state;
	open_to_stay(&fixture, &request, 1);
	assert_int_equal(pmuq_opened_reset(fixture.opened, NULL), 0);
	fixture.kernel.ended = 25;
	assert_int_equal(read_of(&fixture, 0).value, 25);
	release(&fixture);
}

static void an_event_that_is_not_open_cannot_be_read(void **state)
{
	const struct fake_rule rule = { .fits = is_hardware, .errnum = ENOENT };
	const struct pq_open_request requests[] = { ALONE(hardware), ALONE(software),
						    ALONE(hardware) };
	struct fixture fixture = { .kernel = { .rules = &rule, .n_rules = 1 } };
	struct pmuq_value values = { .size = sizeof(values) };

	(void)state;
	open_to_stay(&fixture, requests, COUNT(requests));
	assert_int_equal(pmuq_opened_read(fixture.opened, 0, &values, NULL), -PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_opened_read(fixture.opened, 1, &values, NULL), 0);
	assert_int_equal(pmuq_opened_read(fixture.opened, 2, &values, NULL), -PMUQ_E_BAD_CALL);
	release(&fixture);
}

static void an_error_names_the_event_and_the_cpu(void **state)
{
	const struct pq_open_request requests[] = {
		ALONE(software),
		ALONE(software),
		{ .attr = &hardware, .cpus = "0-1", .needs_cpu = true },
	};
	struct fixture fixture = { .kernel = { .bad_cpus = 0x1 } };
	struct pmuq_value all_values[3];
	struct pmuq_error *error = NULL;

	(void)state;
	for (size_t i = 0; i < COUNT(all_values); i++)
		all_values[i] = (struct pmuq_value){ .size = sizeof(all_values[i]) };
	open_to_stay(&fixture, requests, COUNT(requests));
	assert_int_equal(pmuq_opened_read_all(fixture.opened, all_values, 3, &error),
			 -PMUQ_E_EVENT_FAILED);
	assert_non_null(strstr(error->message.p, "event 2 on CPU 0: "));
	pmuq_error_free(error);
	release(&fixture);
}

static void a_failed_switch_is_an_error(void **state)
{
	const struct pq_open_request request = ALONE(hardware);
	struct fixture fixture = { .kernel = { .switch_errnum = EPERM } };

	(void)state;
	open_to_stay(&fixture, &request, 1);
	assert_int_equal(pmuq_opened_enable(fixture.opened, NULL), -PMUQ_E_EVENT_FAILED);
	assert_int_equal(pmuq_opened_disable(fixture.opened, NULL), -PMUQ_E_EVENT_FAILED);
	release(&fixture);
}

static void no_requests_give_an_empty_object(void **state)
{
	struct fixture fixture = { .kernel = { .n_rules = 0 } };
	struct pmuq_value values = { .size = sizeof(values) };

	(void)state;
	open_to_stay(&fixture, NULL, 0);
	assert_int_equal(pmuq_opened_read(fixture.opened, 0, &values, NULL), -PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_opened_enable(fixture.opened, NULL), 0);
	assert_false(pmuq_opened_target(
		fixture.opened, 0, 0, &(struct pmuq_target){ .size = sizeof(struct pmuq_target) }));
	release(&fixture);
	pmuq_opened_free(NULL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_stays_open_until_it_is_freed),
		cmocka_unit_test(it_is_switched_and_reset_on_all_targets),
		cmocka_unit_test(a_group_is_read_by_one_call),
		cmocka_unit_test(an_event_that_counts_per_cpu_only_stays_open_on_a_cpu),
		cmocka_unit_test(each_member_has_a_descriptor_on_each_cpu),
		cmocka_unit_test(a_group_stays_open_without_a_refused_member),
		cmocka_unit_test(members_of_a_refused_leader_stay_open_alone),
		cmocka_unit_test(a_passing_refusal_is_a_refusal),
		cmocka_unit_test(a_lost_counter_is_an_error_with_a_hint),
		cmocka_unit_test(only_a_lost_counter_has_that_hint),
		cmocka_unit_test(read_all_reports_the_first_failure_and_reads_the_others),
		cmocka_unit_test(a_missing_size_is_an_error),
		cmocka_unit_test(after_a_reset_count_and_times_start_from_zero),
		cmocka_unit_test(each_target_is_reset),
		cmocka_unit_test(counts_of_ended_children_are_reset),
		cmocka_unit_test(counts_of_ended_children_are_reset_in_a_group),
		cmocka_unit_test(an_event_without_enough_descriptors_is_refused),
		cmocka_unit_test(a_group_stays_open_without_a_member_that_gets_no_descriptors),
		cmocka_unit_test(members_of_a_leader_without_descriptors_stay_open_alone),
		cmocka_unit_test(a_passing_refusal_has_a_reason),
		cmocka_unit_test(enomem_of_the_kernel_is_a_refusal),
		cmocka_unit_test(out_of_memory_fails_as_a_whole),
		cmocka_unit_test(sigtrap_is_cleared),
		cmocka_unit_test(the_attr_that_would_open_is_the_callers),
		cmocka_unit_test(a_count_below_its_zero_is_the_kernels),
		cmocka_unit_test(an_event_that_is_not_open_cannot_be_read),
		cmocka_unit_test(an_error_names_the_event_and_the_cpu),
		cmocka_unit_test(a_failed_switch_is_an_error),
		cmocka_unit_test(no_requests_give_an_empty_object),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
