/* SPDX-License-Identifier: MIT */
/* A watch: which messages of the kernel count, when a change is reported, and, as root, real
 * announcements. */
#include "core/base.h"
#include "core/str.h"
#include "tests/unit/cmocka_all.h"
#include "watch/debounce.h"
#include "watch/uevent.h"
#include "watch/uevent_socket.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <pmuq/pmuq.h>
#include <poll.h>
#include <sys/socket.h>

/* ------------------------------------------------------------------------------------ messages */

#define MESSAGE(text) STR(text "\0")

static const struct {
	struct pmuq_str message;
	enum pmuq_watch_cause cause; /* 0: ignored */
	const char *action, *name;
} messages[] = {
	{ MESSAGE("add@/devices/uncore_imc_0\0ACTION=add\0DEVPATH=/devices/uncore_imc_0\0"
		  "SUBSYSTEM=event_source\0SEQNUM=1"),
	  PMUQ_WATCH_PMU, "add", "uncore_imc_0" },
	{ MESSAGE("remove@/devices/msr\0SUBSYSTEM=event_source\0DEVPATH=/devices/msr\0ACTION=remove"),
	  PMUQ_WATCH_PMU, "remove", "msr" },
	{ MESSAGE("add@/module/rapl\0ACTION=add\0DEVPATH=/module/rapl\0SUBSYSTEM=module"),
	  PMUQ_WATCH_MODULE, "add", "rapl" },
	{ MESSAGE("offline@/devices/system/cpu/cpu2\0ACTION=offline\0DEVPATH=/devices/system/cpu/cpu2\0"
		  "SUBSYSTEM=cpu"),
	  PMUQ_WATCH_CPU, "offline", "cpu2" },
	/* Nothing that encodings depend on. */
	{ MESSAGE("change@/devices/msr\0ACTION=change\0DEVPATH=/devices/msr\0SUBSYSTEM=event_source"),
	  0, NULL, NULL },
	{ MESSAGE("add@/devices/virtual/block/loop0\0ACTION=add\0DEVPATH=/x/loop0\0SUBSYSTEM=block"),
	  0, NULL, NULL },
	/* Of udevd, and garbage. */
	{ MESSAGE("libudev\0ACTION=add\0DEVPATH=/devices/msr\0SUBSYSTEM=event_source"), 0, NULL,
	  NULL },
	{ MESSAGE("add@/devices/msr\0ACTION=add\0SUBSYSTEM=event_source"), 0, NULL, NULL },
	{ MESSAGE("add@/devices/msr\0DEVPATH=/devices/msr\0SUBSYSTEM=event_source"), 0, NULL,
	  NULL },
	{ MESSAGE("add@/devices/msr\0ACTION=add\0DEVPATH=/devices/\0SUBSYSTEM=event_source"), 0,
	  NULL, NULL },
	{ MESSAGE("add@/devices/msr\0ACTION=add\0DEVPATH=/devices/msr\0SUBSYSTEM=event_sources"), 0,
	  NULL, NULL },
	{ MESSAGE("add@/devices/msr\0ACTION=adds\0DEVPATH=/devices/msr\0SUBSYSTEM=event_source"), 0,
	  NULL, NULL },
	{ STR("add@/devices/msr"), 0, NULL, NULL },
	{ STR(""), 0, NULL, NULL },
};

static void a_message_about_pmus_modules_and_cpus_counts(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(messages); i++) {
		struct pq_announced uevent = { 0 };
		bool counts = pq_uevent_parse(messages[i].message, &uevent);

		if (counts != (messages[i].cause != 0))
			fail_msg("message %zu", i);
		if (!counts)
			continue;
		assert_int_equal(uevent.cause, messages[i].cause);
		assert_true(str_eq(uevent.action, str_of(messages[i].action)));
		assert_true(str_eq(uevent.name, str_of(messages[i].name)));
	}
}

/* ----------------------------------------------------------------------------------- the time */

enum step_type {
	NOTE, /* something is announced */
	LAST, /* what follows all others is announced */
	TAKE, /* must be nothing */
	CHANGE,
	TIMER,
};

/* Times in ms; quiet is 50, the timer 1000. */
static const struct {
	const char *name;
	struct {
		enum step_type type;
		uint64_t at, next; /* next: the result of pq_debounce_next() after it */
	} steps[8];
} courses[] = {
	{ "nothing is announced",
	  { { TAKE, 999, 1000 }, { TIMER, 1000, 2000 }, { TIMER, 2500, 3500 } } },
	{ "reported when it is quiet",
	  { { NOTE, 10, 60 }, { TAKE, 59, 60 }, { CHANGE, 60, 1060 }, { TAKE, 61, 1060 } } },
	{ "each announcement delays it",
	  { { NOTE, 10, 60 }, { NOTE, 50, 100 }, { TAKE, 99, 100 }, { CHANGE, 100, 1100 } } },
	{ "the module's own event ends the wait",
	  { { NOTE, 10, 60 }, { LAST, 12, 12 }, { CHANGE, 12, 1012 } } },
	{ "an event after the module's delays it again",
	  { { LAST, 12, 12 }, { NOTE, 12, 62 }, { TAKE, 12, 62 }, { CHANGE, 62, 1062 } } },
	{ "a flood is reported after 20 times the quiet time",
	  { { NOTE, 0, 50 },
	    { NOTE, 980, 1000 },
	    { NOTE, 999, 1000 },
	    { TAKE, 999, 1000 },
	    { CHANGE, 1000, 2000 } } },
	{ "the timer waits for what is announced",
	  { { NOTE, 990, 1040 }, { TAKE, 1000, 1040 }, { CHANGE, 1040, 2040 } } },
};

static void a_change_is_reported_when_it_is_quiet(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(courses); i++) {
		struct pq_debounce debounce;

		pq_debounce_init(&debounce, 50, 1000, 0);
		for (size_t k = 0; k < COUNT(courses[i].steps) && courses[i].steps[k].next; k++) {
			uint64_t at = courses[i].steps[k].at;
			enum step_type type = courses[i].steps[k].type;
			enum pq_debounced wanted = type == CHANGE  ? PQ_DEBOUNCED_CHANGE
						   : type == TIMER ? PQ_DEBOUNCED_TIMER
								   : PQ_DEBOUNCED_NOTHING;

			if (type == NOTE || type == LAST)
				pq_debounce_note(&debounce, at, type == LAST);
			else if (pq_debounce_take(&debounce, at) != wanted)
				fail_msg("%s: step %zu", courses[i].name, k);
			if (pq_debounce_next(&debounce) != courses[i].steps[k].next)
				fail_msg("%s: next after step %zu", courses[i].name, k);
		}
	}
}

static void a_timer_may_be_off(void **state)
{
	struct pq_debounce debounce;

	(void)state;
	pq_debounce_init(&debounce, 50, PQ_DEBOUNCE_NEVER, 7);
	assert_int_equal(pq_debounce_take(&debounce, UINT64_MAX - 1), PQ_DEBOUNCED_NOTHING);
	assert_int_equal(pq_debounce_next(&debounce), PQ_DEBOUNCE_NEVER);
}

/* ----------------------------------------------------------------------------- the real kernel */

static struct pmuq_watch *open_watch(uint32_t quiet_ms, uint32_t timer_ms)
{
	struct pmuq_watch_options options = { .size = sizeof(options),
					      .quiet_ms = quiet_ms,
					      .timer_ms = timer_ms };
	struct pmuq_watch *watch = NULL;

	assert_int_equal(pmuq_watch_open(&options, &watch, NULL), 0);
	return watch;
}

/* The next change, or NULL after so long. */
static const struct pmuq_watch_change *wait_for(struct pmuq_watch *watch, int ms)
{
	struct pollfd fd = { .fd = pmuq_watch_fd(watch), .events = POLLIN };
	const struct pmuq_watch_change *change = NULL;

	while (!change && poll(&fd, 1, ms) > 0)
		change = pmuq_watch_next(watch);
	return change;
}

static void the_timer_reports_a_change(void **state)
{
	struct pmuq_watch *watch = open_watch(0, 20);
	const struct pmuq_watch_change *change;

	(void)state;
	for (int i = 0; i < 3; i++) {
		do
			change = wait_for(watch, 60000);
		while (change && change->causes != PMUQ_WATCH_TIMER);
		assert_non_null(change);
		assert_int_equal(change->n_announcements, 0);
		assert_null(pmuq_watch_get(watch, 0));
	}
	pmuq_watch_free(watch);
}

/* As root, a write to the file `uevent` of a PMU makes the kernel announce it again. */
static bool announce(const char *action, int times)
{
	auto_close int fd =
		open("/sys/bus/event_source/devices/software/uevent", O_WRONLY | O_CLOEXEC);
	bool is_written = fd >= 0;

	for (int i = 0; is_written && i < times; i++)
		is_written = write(fd, action, strlen(action)) > 0;
	return is_written;
}

static void the_kernel_announces_a_pmu(void **state)
{
	struct pmuq_watch *watch = open_watch(10, UINT32_MAX);
	const struct pmuq_watch_change *change;
	bool is_found = false;

	(void)state;
	if (!pmuq_watch_is_announced(watch) || !announce("add", 3)) {
		pmuq_watch_free(watch);
		skip();
	}
	change = wait_for(watch, 60000);
	assert_non_null(change);
	assert_true(change->causes & PMUQ_WATCH_PMU);
	for (size_t i = 0; i < change->n_announcements; i++) {
		const struct pmuq_announcement *announcement = pmuq_watch_get(watch, i);
		bool is_it = str_eq(announcement->name, STR("software"));

		assert_false(is_found && is_it); /* each once */
		is_found |= is_it;
	}
	assert_true(is_found);
	assert_null(pmuq_watch_get(watch, change->n_announcements));
	pmuq_watch_free(watch);
}

/* The kernel drops messages that the watch does not read, and reports that. */
static void a_lost_announcement_is_a_change(void **state)
{
	struct pmuq_watch *watch = open_watch(10, UINT32_MAX);
	const struct pmuq_watch_change *change;
	unsigned causes = 0;

	(void)state;
	if (!pmuq_watch_is_announced(watch) || !announce("add", 60000)) {
		pmuq_watch_free(watch);
		skip();
	}
	while (!(causes & PMUQ_WATCH_LOST) && (change = wait_for(watch, 2000)))
		causes |= change->causes;
	assert_true(causes & PMUQ_WATCH_LOST);
	pmuq_watch_free(watch);
}

/* The number of the socket of the watch, by its address. */
static void a_forged_message_is_dropped(void **state)
{
	static const char forged[] =
		"add@/devices/x\0ACTION=add\0DEVPATH=/devices/x\0SUBSYSTEM=event_source";
	struct sockaddr_nl address = { .nl_family = AF_NETLINK };
	socklen_t n = sizeof(address);
	char buffer[PQ_UEVENT_BYTES];
	struct pmuq_str message;
	int to = pq_uevent_socket_open();
	int from = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);

	(void)state;
	if (to < 0 || from < 0)
		skip();
	assert_int_equal(getsockname(to, (struct sockaddr *)&address, &n), 0);
	if (sendto(from, forged, sizeof(forged), 0, (const struct sockaddr *)&address, n) < 0) {
		close(to);
		close(from);
		skip();
	}
	/* The kernel may announce something real at the same time. */
	for (;;) {
		enum pq_uevent_read read = pq_uevent_socket_read(to, buffer, &message);

		if (read == PQ_UEVENT_FOREIGN)
			break;
		assert_int_not_equal(read, PQ_UEVENT_NOTHING);
	}
	close(to);
	close(from);
}

static void a_wrong_size_is_refused(void **state)
{
	struct pmuq_watch_options options = { .size = 1 };
	struct pmuq_watch *watch = NULL;

	(void)state;
	assert_int_equal(pmuq_watch_open(&options, &watch, NULL), -PMUQ_E_BAD_CALL);
	assert_null(watch);
	pmuq_watch_free(NULL);
}

static void each_cause_has_a_name(void **state)
{
	(void)state;
	assert_string_equal(pmuq_watch_cause_name(PMUQ_WATCH_PMU), "pmu");
	assert_string_equal(pmuq_watch_cause_name(PMUQ_WATCH_TIMER), "timer");
	assert_null(pmuq_watch_cause_name(PMUQ_WATCH_TIMER << 1));
	assert_null(pmuq_watch_cause_name(0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_message_about_pmus_modules_and_cpus_counts),
		cmocka_unit_test(a_change_is_reported_when_it_is_quiet),
		cmocka_unit_test(a_timer_may_be_off),
		cmocka_unit_test(the_timer_reports_a_change),
		cmocka_unit_test(the_kernel_announces_a_pmu),
		cmocka_unit_test(a_lost_announcement_is_a_change),
		cmocka_unit_test(a_forged_message_is_dropped),
		cmocka_unit_test(a_wrong_size_is_refused),
		cmocka_unit_test(each_cause_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
