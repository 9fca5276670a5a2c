/* SPDX-License-Identifier: MIT */
/*
 * Events that stay open: what is kept of a list and of a group, how it is switched and read, and
 * that every descriptor comes back. The kernel is a fake that keeps account.
 */
#include "core/attr/attr.h"
#include "open/kept.h"
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

static bool is_software(const struct pq_trial *asked)
{
	return asked->attr.type == PQ_TYPE_SOFTWARE;
}

static bool is_hardware(const struct pq_trial *asked)
{
	return asked->attr.type == PQ_TYPE_HARDWARE;
}

struct scene {
	struct fake_kernel kernel;
	struct fake_host host;
	struct pq_target target;
	struct pmuq_opened *opened;
};

static void keep(struct scene *scene, const struct pq_request *requests, size_t n)
{
	const struct pq_opener opener = {
		fake_kernel_door(&scene->kernel),
		fake_host_door(&scene->host),
		scene->target,
	};

	assert_int_equal(pq_keep_requests(&opener, requests, n, &scene->opened, NULL), 0);
	assert_int_equal(pmuq_opened_count(scene->opened), n);
}

static void let_go(struct scene *scene)
{
	pmuq_opened_free(scene->opened);
	assert_int_equal(scene->kernel.n_open, 0);
	if (scene->kernel.fault)
		fail_msg("%s", scene->kernel.fault);
}

static struct pmuq_reading read_of(const struct scene *scene, size_t index)
{
	struct pmuq_reading reading = { .size = sizeof(reading) };

	assert_int_equal(pmuq_opened_read(scene->opened, index, &reading, NULL), 0);
	return reading;
}

static enum pmuq_open_status status_of(const struct scene *scene, size_t index)
{
	return pmuq_verdict_status(pmuq_opened_verdicts(scene->opened), index);
}

static void an_event_stays_open_until_it_is_freed(void **state)
{
	const struct pq_request request = ALONE(hardware);
	struct scene scene = { .kernel = { .times = { 500, 1000, 250 } } };

	(void)state;
	keep(&scene, &request, 1);
	assert_int_equal(scene.kernel.n_calls, 1);
	assert_int_equal(scene.kernel.n_open, 1);
	assert_int_equal(scene.kernel.n_switched_on, 0);
	assert_int_equal(status_of(&scene, 0), PMUQ_OPENED);
	assert_int_equal(pmuq_opened_place_count(scene.opened, 0), 1);
	assert_int_equal(pmuq_opened_cpu(scene.opened, 0, 0), -1);
	assert_true(pmuq_opened_fd(scene.opened, 0, 0) >= 0);
	assert_int_equal(pmuq_opened_id(scene.opened, 0, 0),
			 pmuq_opened_fd(scene.opened, 0, 0) + 1);
	assert_int_equal(pmuq_opened_read_format(scene.opened, 0), 3);
	assert_int_equal(read_of(&scene, 0).value, 500);
	assert_int_equal(read_of(&scene, 0).scaled, 2000);
	let_go(&scene);
}

static void it_is_switched_and_reset_in_all_places(void **state)
{
	const struct pq_request request = { .attr = &hardware, .cpus = "1,3-4", .needs_cpu = true };
	struct scene scene = { .kernel = { .times = { 10, 100, 50 } } };
	struct pmuq_reading one = { .size = sizeof(one) };

	(void)state;
	keep(&scene, &request, 1);
	assert_int_equal(pmuq_opened_place_count(scene.opened, 0), 3);
	assert_int_equal(pmuq_opened_cpu(scene.opened, 0, 1), 3);
	assert_int_equal(pmuq_opened_enable(scene.opened, NULL), 0);
	assert_int_equal(scene.kernel.n_switched_on, 3);
	assert_int_equal(pmuq_opened_reset(scene.opened, NULL), 0);
	assert_int_equal(scene.kernel.n_reset, 3);
	scene.kernel.times = (struct pq_times){ 20, 200, 100 };
	assert_int_equal(read_of(&scene, 0).value, 30);
	assert_int_equal(read_of(&scene, 0).time_enabled_ns, 300);
	assert_int_equal(pmuq_opened_read_at(scene.opened, 0, 2, &one, NULL), 0);
	assert_int_equal(one.value, 10);
	assert_int_equal(pmuq_opened_read_at(scene.opened, 0, 3, &one, NULL), -PMUQ_E_BAD_CALL);
	let_go(&scene);
}

static void a_group_is_read_by_one_call(void **state)
{
	const struct pq_request requests[] = {
		IN_GROUP(hardware, 0, 3),
		IN_GROUP(software, 0, 3),
		IN_GROUP(hardware, 0, 3),
		ALONE(software),
	};
	struct scene scene = { .kernel = { .times = { 70, 100, 100 } } };
	struct pmuq_reading readings[4];

	(void)state;
	for (size_t i = 0; i < COUNT(readings); i++)
		readings[i].size = sizeof(readings[i]);
	keep(&scene, requests, COUNT(requests));
	assert_int_equal(scene.kernel.n_calls, 4);
	assert_int_equal(pmuq_opened_read_format(scene.opened, 1), 15);
	assert_int_equal(pmuq_opened_enable(scene.opened, NULL), 0);
	assert_int_equal(scene.kernel.n_switched_on, 2);
	assert_int_equal(pmuq_opened_read_all(scene.opened, readings, COUNT(readings), NULL), 0);
	assert_int_equal(scene.kernel.n_group_reads, 1);
	assert_int_equal(readings[0].value, 70);
	assert_int_equal(readings[1].value, 71);
	assert_int_equal(readings[2].value, 72);
	assert_int_equal(readings[3].value, 70);
	assert_int_equal(read_of(&scene, 2).value, 72);
	let_go(&scene);
}

static void a_group_is_kept_without_a_member_that_is_refused(void **state)
{
	static const struct fake_rule rules[] = { { is_software, ENOENT, 0, 0 } };
	const struct pq_request requests[] = {
		IN_GROUP(hardware, 0, 3),
		IN_GROUP(software, 0, 3),
		IN_GROUP(hardware, 0, 3),
	};
	struct scene scene = { .kernel = { .rules = rules, .n_rules = COUNT(rules) } };

	(void)state;
	keep(&scene, requests, COUNT(requests));
	assert_int_equal(scene.kernel.n_open, 2);
	assert_int_equal(status_of(&scene, 0), PMUQ_OPENED);
	assert_int_equal(status_of(&scene, 1), PMUQ_REFUSED);
	assert_non_null(pmuq_verdict_reason(pmuq_opened_verdicts(scene.opened), 1));
	assert_int_equal(status_of(&scene, 2), PMUQ_OPENED);
	assert_int_equal(pmuq_opened_fd(scene.opened, 1, 0), -1);
	assert_int_equal(pmuq_opened_place_count(scene.opened, 1), 0);
	assert_int_equal(pmuq_opened_read_format(scene.opened, 2), 15);
	let_go(&scene);
}

static void members_of_a_refused_leader_are_kept_alone(void **state)
{
	static const struct fake_rule rules[] = { { is_hardware, ENOENT, 0, 0 } };
	const struct pq_request requests[] = {
		IN_GROUP(hardware, 0, 3),
		IN_GROUP(software, 0, 3),
		IN_GROUP(software, 0, 3),
	};
	struct scene scene = {
		.kernel = { .rules = rules, .n_rules = COUNT(rules), .times = { 5, 1, 1 } }
	};

	(void)state;
	keep(&scene, requests, COUNT(requests));
	assert_int_equal(status_of(&scene, 0), PMUQ_REFUSED);
	assert_int_equal(scene.kernel.n_open, 2);
	assert_int_equal(pmuq_opened_read_format(scene.opened, 1), 3);
	assert_int_equal(read_of(&scene, 2).value, 5);
	let_go(&scene);
}

static void what_opens_once_only_is_refused_after_all(void **state)
{
	/* To stay open: refused; for the trial: opens; to stay open: refused. */
	static const struct fake_rule rules[] = {
		{ NULL, EBUSY, 0, 1 },
		{ NULL, 0, 0, 1 },
		{ NULL, EBUSY, 0, 0 },
	};
	const struct pq_request request = ALONE(hardware);
	struct scene scene = { .kernel = { .rules = rules, .n_rules = COUNT(rules) } };

	(void)state;
	keep(&scene, &request, 1);
	assert_int_equal(status_of(&scene, 0), PMUQ_REFUSED);
	assert_int_equal(pmuq_verdict_errno(pmuq_opened_verdicts(scene.opened), 0), EBUSY);
	assert_int_equal(scene.kernel.n_open, 0);
	let_go(&scene);
}

static const char *name_of(const struct scene *scene, size_t index)
{
	return pmuq_verdict_name(pmuq_opened_verdicts(scene->opened), index);
}

/* Each was tried alone, and closed: it opens. */
static void what_needs_more_descriptors_than_there_are_is_told_so(void **state)
{
	const struct pq_request request = { .attr = &hardware, .cpus = "0-1", .needs_cpu = true };
	struct scene scene = { .kernel = { .files_max = 1 } };
	const struct pmuq_verdicts *verdicts;

	(void)state;
	keep(&scene, &request, 1);
	verdicts = pmuq_opened_verdicts(scene.opened);
	assert_int_equal(status_of(&scene, 0), PMUQ_REFUSED);
	assert_int_equal(pmuq_verdict_errno(verdicts, 0), EMFILE);
	assert_string_equal(name_of(&scene, 0), "files-process");
	assert_string_equal(pmuq_verdict_cpus(verdicts, 0), "1");
	assert_non_null(pmuq_verdict_hint(verdicts, 0));
	assert_int_equal(scene.kernel.n_open, 0);
	let_go(&scene);
}

static void a_group_is_kept_without_a_member_that_has_no_descriptors(void **state)
{
	const struct pq_request requests[] = {
		{ .attr = &hardware, .cpus = "0-1", .needs_cpu = true, .leader = 0, .members = 2 },
		{ .attr = &software, .cpus = "0-1", .needs_cpu = true, .leader = 0, .members = 2 },
	};
	struct scene scene = { .kernel = { .files_max = 3 } };

	(void)state;
	keep(&scene, requests, 2);
	assert_int_equal(status_of(&scene, 0), PMUQ_OPENED);
	assert_int_equal(pmuq_opened_place_count(scene.opened, 0), 2);
	assert_int_equal(status_of(&scene, 1), PMUQ_REFUSED);
	assert_string_equal(name_of(&scene, 1), "files-process");
	assert_int_equal(scene.kernel.n_open, 2);
	let_go(&scene);
}

static void a_leader_without_descriptors_leaves_its_members_alone(void **state)
{
	const struct pq_request requests[] = {
		{ .attr = &hardware, .cpus = "0-1", .needs_cpu = true, .leader = 0, .members = 2 },
		IN_GROUP(software, 0, 2),
	};
	struct scene scene = { .kernel = { .files_max = 2 } };
	const struct pmuq_verdicts *verdicts;

	(void)state;
	keep(&scene, requests, 2);
	verdicts = pmuq_opened_verdicts(scene.opened);
	assert_int_equal(status_of(&scene, 0), PMUQ_REFUSED);
	assert_string_equal(name_of(&scene, 0), "files-process");
	assert_int_equal(status_of(&scene, 1), PMUQ_OPENED);
	assert_string_equal(pmuq_verdict_cpus(verdicts, 1), "-1");
	assert_non_null(strstr(pmuq_verdict_hint(verdicts, 1), "outside its group"));
	assert_int_equal(pmuq_opened_place_count(scene.opened, 1), 1);
	let_go(&scene);
}

static void what_changes_meanwhile_has_a_name(void **state)
{
	/* To stay open: refused; for the trial: opens; to stay open: refused; and again: opens. */
	static const struct fake_rule rules[] = {
		{ NULL, ENOENT, 0, 1 },
		{ NULL, 0, 0, 1 },
		{ NULL, ENOENT, 0, 1 },
	};
	const struct pq_request request = ALONE(hardware);
	struct scene scene = { .kernel = { .rules = rules, .n_rules = COUNT(rules) } };
	const struct pmuq_verdicts *verdicts;

	(void)state;
	keep(&scene, &request, 1);
	verdicts = pmuq_opened_verdicts(scene.opened);
	assert_int_equal(status_of(&scene, 0), PMUQ_REFUSED);
	assert_int_equal(pmuq_verdict_errno(verdicts, 0), ENOENT);
	assert_string_equal(name_of(&scene, 0), "changed-meanwhile");
	assert_non_null(pmuq_verdict_hint(verdicts, 0));
	assert_null(pmuq_verdict_change(verdicts, 0));
	assert_int_equal(scene.kernel.n_open, 0);
	let_go(&scene);
}

static void the_kernels_want_of_memory_is_its_own(void **state)
{
	static const struct fake_rule rule = { .errnum = ENOMEM };
	const struct pq_request request = ALONE(hardware);
	struct scene scene = { .kernel = { .rules = &rule, .n_rules = 1 } };

	(void)state;
	keep(&scene, &request, 1);
	assert_string_equal(name_of(&scene, 0), "memory");
	let_go(&scene);
}

/* Whichever allocation fails: either all is as it would be, or nothing is open. */
static void want_of_memory_is_no_answer_of_the_kernel(void **state)
{
	static const struct fake_rule rules[] = { { is_software, ENOENT, 0, 0 } };
	const struct pq_request requests[] = {
		ALONE(hardware),	  { .attr = &hardware, .cpus = "0-3", .needs_cpu = true },
		IN_GROUP(hardware, 2, 3), IN_GROUP(software, 2, 3),
		IN_GROUP(hardware, 2, 3),
	};
	bool has_failed = true;
	unsigned n_refused = 0;

	(void)state;
	for (unsigned n = 0; has_failed; n++) {
		struct scene scene = { .kernel = { .rules = rules, .n_rules = COUNT(rules) } };
		const struct pq_opener opener = { fake_kernel_door(&scene.kernel),
						  fake_host_door(&scene.host), scene.target };
		int r;

		fail_malloc_at(n);
		r = pq_keep_requests(&opener, requests, COUNT(requests), &scene.opened, NULL);
		has_failed = fail_malloc_no_more();
		n_refused += r < 0;
		assert_true(r == 0 || (has_failed && r == -PMUQ_E_MEMORY));
		assert_int_equal(scene.kernel.n_open, r == 0 ? 7 : 0);
		for (size_t i = 0; r == 0 && i < COUNT(requests); i++)
			assert_int_equal(status_of(&scene, i), i == 3 ? PMUQ_REFUSED : PMUQ_OPENED);
		let_go(&scene);
	}
	assert_true(n_refused > 10);
}

static void a_signal_is_not_asked_for(void **state)
{
	const struct pmuq_attr attr = { .type = 1, .size = 64, .sigtrap = 1 };
	const struct pq_request request = ALONE(attr);
	struct scene scene = { 0 };

	(void)state;
	keep(&scene, &request, 1);
	assert_int_equal(scene.kernel.last.attr.sigtrap, 0);
	let_go(&scene);
}

static void a_counter_that_was_lost_is_an_error_with_a_hint(void **state)
{
	const struct pq_request request = ALONE(hardware);
	struct scene scene = { .kernel = { .read_errnum = ENODATA } };
	struct pmuq_reading reading = { .size = sizeof(reading), .value = 77 };
	struct pmuq_error *error = NULL;

	(void)state;
	keep(&scene, &request, 1);
	assert_int_equal(pmuq_opened_read(scene.opened, 0, &reading, &error), -PMUQ_E_EVENT_FAILED);
	assert_int_equal(reading.value, 77);
	assert_int_equal(pmuq_error_errno(error), ENODATA);
	assert_non_null(pmuq_error_hint(error));
	pmuq_error_free(error);
	let_go(&scene);
}

/* One of the two places of the second event, and one of the group's, cannot be read. */
static void reading_all_says_which_failed_and_reads_the_rest(void **state)
{
	const struct pq_request requests[] = {
		ALONE(software),
		{ .attr = &hardware, .cpus = "0-1", .needs_cpu = true },
		{ .attr = &hardware, .cpus = "0", .needs_cpu = true },
		{ .attr = &hardware, .cpus = "0-1", .needs_cpu = true, .leader = 3, .members = 2 },
		{ .attr = &hardware, .cpus = "0-1", .needs_cpu = true, .leader = 3, .members = 2 },
		{ .cpus = "" },
	};
	struct scene scene = { .kernel = { .times = { 500, 1000, 1000 }, .bad_cpus = 0x2 } };
	const struct pmuq_reading before = { sizeof(before), 7, UINT64_MAX, 8, 9 };
	struct pmuq_reading readings[6] = { before, before, before, before, before, before };
	struct pmuq_error *error = NULL;

	(void)state;
	keep(&scene, requests, COUNT(requests));
	assert_int_equal(pmuq_opened_read_all(scene.opened, readings, 6, &error),
			 -PMUQ_E_EVENT_FAILED);
	assert_int_equal(readings[0].value, 500);
	assert_memory_equal(&readings[1], &before, sizeof(before));
	assert_int_equal(readings[2].value, 500);
	assert_memory_equal(&readings[3], &before, sizeof(before));
	assert_memory_equal(&readings[4], &before, sizeof(before));
	assert_int_equal(readings[5].value, 0);
	assert_int_equal(readings[5].time_enabled_ns, 0);
	assert_non_null(strstr(pmuq_error_message(error), "event 1 on CPU 1"));
	assert_int_equal(pmuq_error_errno(error), EIO);
	pmuq_error_free(error);
	assert_int_equal(pmuq_opened_read_all(scene.opened, readings, 1, NULL), -PMUQ_E_BAD_CALL);
	scene.kernel.bad_cpus = 0;
	assert_int_equal(pmuq_opened_read_all(scene.opened, readings, 6, NULL), 0);
	assert_int_equal(readings[1].value, 1000);
	assert_int_equal(readings[4].value, 1002);
	let_go(&scene);
}

static void a_size_that_was_forgotten_is_told(void **state)
{
	const struct pq_request requests[] = { ALONE(hardware), ALONE(hardware) };
	struct scene scene = { .kernel = { .times = { 500, 1000, 1000 } } };
	struct pmuq_reading readings[2] = { { .size = sizeof(readings[0]) } };

	(void)state;
	keep(&scene, requests, 2);
	assert_int_equal(pmuq_opened_read(scene.opened, 0, &readings[1], NULL), -PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_opened_read_at(scene.opened, 0, 0, &readings[1], NULL),
			 -PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_opened_read_all(scene.opened, readings, 2, NULL), -PMUQ_E_BAD_CALL);
	assert_int_equal(readings[0].value, 0);
	let_go(&scene);
}

/* A quarter of the time before, half of it since. */
static void after_a_reset_count_and_times_start_from_zero(void **state)
{
	const struct pq_request requests[] = {
		ALONE(hardware),
		IN_GROUP(hardware, 1, 2),
		IN_GROUP(software, 1, 2),
	};
	struct scene scene = { .kernel = { .times = { 500, 1000, 250 } } };
	struct pmuq_reading readings[3];

	(void)state;
	for (size_t i = 0; i < COUNT(readings); i++)
		readings[i].size = sizeof(readings[i]);
	keep(&scene, requests, COUNT(requests));
	assert_int_equal(pmuq_opened_reset(scene.opened, NULL), 0);
	assert_int_equal(pmuq_opened_read_all(scene.opened, readings, 3, NULL), 0);
	for (size_t i = 0; i < COUNT(readings); i++)
		assert_int_equal(readings[i].value + readings[i].time_enabled_ns +
					 readings[i].time_running_ns + readings[i].scaled,
				 0);
	scene.kernel.times = (struct pq_times){ 800, 1600, 550 };
	assert_int_equal(pmuq_opened_read_all(scene.opened, readings, 3, NULL), 0);
	for (size_t i = 0; i < COUNT(readings); i++) {
		assert_int_equal(readings[i].value, 300);
		assert_int_equal(readings[i].time_enabled_ns, 600);
		assert_int_equal(readings[i].time_running_ns, 300);
		assert_int_equal(readings[i].scaled, 600);
		assert_int_equal(read_of(&scene, i).scaled, 600);
	}
	let_go(&scene);
}

static void a_reset_is_of_each_place(void **state)
{
	const struct pq_request request = { .attr = &hardware, .cpus = "0-1", .needs_cpu = true };
	struct scene scene = { .kernel = { .times = { 500, 1000, 250 }, .bad_cpus = 0x2 } };
	struct pmuq_reading one = { .size = sizeof(one) };

	(void)state;
	keep(&scene, &request, 1);
	assert_int_equal(pmuq_opened_reset(scene.opened, NULL), -PMUQ_E_EVENT_FAILED);
	scene.kernel.bad_cpus = 0;
	scene.kernel.times = (struct pq_times){ 800, 1600, 550 };
	assert_int_equal(pmuq_opened_read_at(scene.opened, 0, 0, &one, NULL), 0);
	assert_int_equal(one.value, 300);
	assert_int_equal(one.scaled, 600);
	assert_int_equal(pmuq_opened_read_at(scene.opened, 0, 1, &one, NULL), 0);
	assert_int_equal(one.value, 300);
	assert_int_equal(one.time_enabled_ns, 1600);
	let_go(&scene);
}

static void what_children_counted_that_ended_is_reset_too(void **state)
{
	const struct pmuq_attr inherited = { .type = PQ_TYPE_SOFTWARE, .size = 64, .inherit = 1 };
	const struct pq_request requests[] = { ALONE(inherited), ALONE(software) };
	struct scene scene = { .kernel = { .times = { 500, 1000, 1000 }, .ended = 40 } };

	(void)state;
	keep(&scene, requests, 2);
	assert_int_equal(pmuq_opened_reset(scene.opened, NULL), 0);
	assert_int_equal(read_of(&scene, 0).value, 0);
	/* No child counts for it: this is what the kernel sets it to. */
	assert_int_equal(read_of(&scene, 1).value, 40);
	let_go(&scene);
}

static void a_switch_that_fails_is_told(void **state)
{
	const struct pq_request request = ALONE(hardware);
	struct scene scene = { .kernel = { .switch_errnum = EPERM } };

	(void)state;
	keep(&scene, &request, 1);
	assert_int_equal(pmuq_opened_enable(scene.opened, NULL), -PMUQ_E_EVENT_FAILED);
	assert_int_equal(pmuq_opened_disable(scene.opened, NULL), -PMUQ_E_EVENT_FAILED);
	let_go(&scene);
}

static void nothing_is_open_of_nothing(void **state)
{
	struct scene scene = { .kernel = { .n_rules = 0 } };
	struct pmuq_reading reading = { .size = sizeof(reading) };

	(void)state;
	keep(&scene, NULL, 0);
	assert_int_equal(pmuq_opened_read(scene.opened, 0, &reading, NULL), -PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_opened_enable(scene.opened, NULL), 0);
	assert_int_equal(pmuq_opened_fd(scene.opened, 0, 0), -1);
	let_go(&scene);
	pmuq_opened_free(NULL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_event_stays_open_until_it_is_freed),
		cmocka_unit_test(it_is_switched_and_reset_in_all_places),
		cmocka_unit_test(a_group_is_read_by_one_call),
		cmocka_unit_test(a_group_is_kept_without_a_member_that_is_refused),
		cmocka_unit_test(members_of_a_refused_leader_are_kept_alone),
		cmocka_unit_test(what_opens_once_only_is_refused_after_all),
		cmocka_unit_test(a_counter_that_was_lost_is_an_error_with_a_hint),
		cmocka_unit_test(reading_all_says_which_failed_and_reads_the_rest),
		cmocka_unit_test(a_size_that_was_forgotten_is_told),
		cmocka_unit_test(after_a_reset_count_and_times_start_from_zero),
		cmocka_unit_test(a_reset_is_of_each_place),
		cmocka_unit_test(what_children_counted_that_ended_is_reset_too),
		cmocka_unit_test(what_needs_more_descriptors_than_there_are_is_told_so),
		cmocka_unit_test(a_group_is_kept_without_a_member_that_has_no_descriptors),
		cmocka_unit_test(a_leader_without_descriptors_leaves_its_members_alone),
		cmocka_unit_test(what_changes_meanwhile_has_a_name),
		cmocka_unit_test(the_kernels_want_of_memory_is_its_own),
		cmocka_unit_test(want_of_memory_is_no_answer_of_the_kernel),
		cmocka_unit_test(a_signal_is_not_asked_for),
		cmocka_unit_test(a_switch_that_fails_is_told),
		cmocka_unit_test(nothing_is_open_of_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
