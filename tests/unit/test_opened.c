/* SPDX-License-Identifier: MIT */
/*
 * Events that stay open: what is kept of a list and of a group, how it is switched and read, and
 * that every descriptor comes back. The kernel is a fake that keeps account.
 */
#include "core/attr.h"
#include "open/kept.h"
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

static void reading_all_says_which_failed_and_reads_the_rest(void **state)
{
	const struct pq_request requests[] = { ALONE(hardware), ALONE(software) };
	struct scene scene = { .kernel = { .read_errnum = EIO } };
	struct pmuq_reading readings[2] = { { .size = sizeof(readings[0]), .value = 7 } };

	(void)state;
	keep(&scene, requests, 2);
	assert_int_equal(pmuq_opened_read_all(scene.opened, readings, 2, NULL),
			 -PMUQ_E_EVENT_FAILED);
	assert_int_equal(readings[0].value, 0);
	assert_int_equal(pmuq_opened_read_all(scene.opened, readings, 1, NULL), -PMUQ_E_BAD_CALL);
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
		cmocka_unit_test(a_switch_that_fails_is_told),
		cmocka_unit_test(nothing_is_open_of_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
