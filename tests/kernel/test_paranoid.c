/* SPDX-License-Identifier: MIT */
/*
 * Who may count what at every value of perf_event_paranoid: users x values x events. The table
 * lists who is refused, from which value on, and the texts; every other event opens.
 */
#include "core/base.h"
#include "tests/kernel/events.h"
#include "tests/unit/cmocka_all.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>

#define LEVEL_LOWEST -1
#define LEVEL_HIGHEST 4
#define N_LEVELS 6

enum {
	ROOT = 1 << 0,
	ADMIN = 1 << 1,	  /* of all capabilities, CAP_SYS_ADMIN */
	PERFMON = 1 << 2, /* CAP_PERFMON */
	USER = 1 << 3,	  /* none */
	BARE = 1 << 4,	  /* none, although root */
	INNER = 1 << 5,	  /* root of a user namespace */
	NOBODY = USER | BARE,
	ALL = ROOT | ADMIN | PERFMON | NOBODY | INNER,
};

static const struct paranoid_person {
	unsigned bit;
	const char *name, *situation;
} people[] = {
	{ ROOT, "root", "" },
	{ ADMIN, "one with CAP_SYS_ADMIN", "admin" },
	{ PERFMON, "one with CAP_PERFMON", "perfmon" },
	{ USER, "an ordinary user", "user" },
	{ BARE, "root without capabilities", "bare-root" },
	{ INNER, "root of a user namespace", "userns" },
};

#define ANY LEVEL_LOWEST
#define NO_PMU "this machine has no core PMU"
#define NO_PMU_TOO "with ':u' the kernel refuses it, too (ENOENT): " NO_PMU
#define NO_TASK "for this process itself"
#define KERNEL "this process does not have CAP_PERFMON: it may count user space only"
#define RAW "without 0x400 in sample_type"

/* The first row that is in force for an event and a person counts. */
// clang-format off
static const struct paranoid_refusal {
	unsigned event, who;
	int from; /* perf_event_paranoid */
	int errnum;
	const char *row, *change; /* whole; '*': the start of a row */
	const char *reason, *hint; /* a part; NULL: any */
} refusals[] = {
	{ PAGES, NOBODY, 2, EACCES, "paranoid-kernel", ":u", KERNEL, "add ':u', set kernel.perf_event_paranoid to 1" },
	{ PAGES, INNER,  2, EACCES, "namespace",       ":u", "CAP_PERFMON only inside a user namespace", "on the host" },
	{ SWITCHES, NOBODY, 2, EACCES, "paranoid-kernel-only", "", "where this event never happens", "with ':u' the event would open but count 0" },
	{ SWITCHES, INNER,  2, EACCES, "namespace",            "", "CAP_PERFMON only inside a user namespace" },
	{ CLOCK_KERNEL, NOBODY, 2, EACCES, "paranoid-kernel", ":u instead of :k", KERNEL, "write ':u' instead of ':k'" },
	{ CLOCK_KERNEL, INNER,  2, EACCES, "namespace",       ":u instead of :k" },
	{ CLOCK_ON_CPU, NOBODY, 1, EACCES, "paranoid-cpu", "", "a whole CPU", "paranoid to 0" },
	{ CLOCK_ON_CPU, INNER,  1, EACCES, "namespace",    "" },
	{ TSC, NOBODY, 2, EACCES, "paranoid-kernel", "", "too (EINVAL): PMU 'msr'", "set kernel.perf_event_paranoid to 1" },
	{ TSC, INNER,  2, EACCES, "namespace",       "", "too (EINVAL): PMU 'msr'" },

	{ WATCH, NOBODY, 2, EACCES, "paranoid-kernel", ":u", KERNEL },
	{ WATCH, INNER,  2, EACCES, "namespace",       ":u" },
	{ WATCH_KERNEL, NOBODY,           2,   EACCES, "breakpoint-admin", "", "needs CAP_SYS_ADMIN, which this process does not have", "CAP_SYS_ADMIN" },
	{ WATCH_KERNEL, NOBODY | PERFMON, ANY, EPERM,  "breakpoint-admin", "", "needs CAP_SYS_ADMIN, which this process does not have", "CAP_SYS_ADMIN" },
	{ WATCH_KERNEL, INNER,            2,   EACCES, "namespace", "", "CAP_SYS_ADMIN only inside a user namespace", "outside" },
	{ WATCH_KERNEL, INNER,            ANY, EPERM,  "namespace", "", "CAP_SYS_ADMIN only inside a user namespace", "outside" },
	{ WATCH_KERNEL_USER, ROOT | ADMIN, ANY, EINVAL, "breakpoint-user", "without :u", "cannot exclude the kernel" },
	{ WATCH_KERNEL_USER, PERFMON,      ANY, EINVAL, "breakpoint-user", "", "cannot exclude the kernel" },
	{ WATCH_KERNEL_USER, NOBODY|INNER, ANY, EINVAL, "breakpoint-user", "", "cannot exclude the kernel" },

	{ TRACE, NOBODY, 2, EACCES, "paranoid-kernel", ":u", KERNEL },
	{ TRACE, INNER,  2, EACCES, "namespace",       ":u" },
	{ RECORD, NOBODY, 0, EPERM, "paranoid-tracepoint", RAW, "may not read this tracepoint", "paranoid to -1" },
	{ RECORD, INNER,  0, EPERM, "namespace",           RAW },
	{ PROBE_USER, NOBODY | PERFMON, ANY, EACCES, "probe-admin", "", "needs CAP_SYS_ADMIN, which this process does not have", "CAP_SYS_ADMIN" },
	{ PROBE_USER, INNER,            ANY, EACCES, "namespace",   "", "CAP_SYS_ADMIN only inside", "outside" },
	{ PROBE,      NOBODY | PERFMON, ANY, EACCES, "probe-admin", "", "needs CAP_SYS_ADMIN, which this process does not have", "CAP_SYS_ADMIN" },
	{ PROBE,      INNER,            ANY, EACCES, "namespace",   "", "CAP_SYS_ADMIN only inside", "outside" },

	{ CYCLES, NOBODY, 2,   EACCES, "paranoid-kernel", "", NO_PMU_TOO, "; for the second reason: " },
	{ CYCLES, INNER,  2,   EACCES, "namespace",       "", NO_PMU_TOO, "; for the second reason: " },
	{ CYCLES, ALL,    ANY, ENOENT, "no-core-pmu*",    "", NO_PMU },
	{ CYCLES_USER, ALL, ANY, ENOENT, "no-core-pmu*",  "", NO_PMU },

	{ INIT, USER,  ANY, EACCES, "task-foreign",   NO_TASK, "process 1 runs as another user (0)", "run it as root" },
	{ INIT, BARE,  ANY, EACCES, "task-capability", NO_TASK, "inspect process 1", "keep CAP_PERFMON" },
	{ INIT, INNER, ANY, EACCES, "task-access",    NO_TASK, "inspect process 1", "user namespace" },
	{ CGROUP, NOBODY, 1, EACCES, "paranoid-cgroup", "", "may not count a cgroup", "paranoid to 0" },
	{ CGROUP, INNER,  1, EACCES, "namespace",       "" },
};
// clang-format on

static const struct paranoid_refusal opens = { .row = "", .change = "" };
static const struct paranoid_refusal closed = { .errnum = EACCES,
						.row = "paranoid-all*",
						.change = "" };

static const struct paranoid_refusal *find_want(unsigned event, unsigned who, int level)
{
	for (size_t i = 0; i < COUNT(refusals); i++)
		if (refusals[i].event == event && refusals[i].who & who &&
		    level >= refusals[i].from)
			return &refusals[i];
	return &opens;
}

static bool is_row(const char *row, const char *want)
{
	size_t n = strcspn(want, "*");

	return want[n] ? strncmp(row, want, n) == 0 : strcmp(row, want) == 0;
}

static bool is_as_wanted(const struct child_result *result, const struct paranoid_refusal *want)
{
	enum pmuq_open_status status = want->errnum ? PMUQ_REFUSED : PMUQ_OPENED;

	return result->r == 0 && result->status == status && result->errnum == want->errnum &&
	       is_row(result->row, want->row) && strcmp(result->change, want->change) == 0 &&
	       (!want->reason || strstr(result->reason, want->reason)) &&
	       (!want->hint || strstr(result->hint, want->hint));
}

static void print(const char *event, const struct child_result *result,
		  const struct paranoid_refusal *want)
{
	printf("# %s: %s [%s] (change: %s)\n#   %s\n#   %s\n", event,
	       pmuq_errno_name(result->errnum), result->row, result->change, result->reason,
	       result->hint);
	printf("#   wanted: %s [%s] (change: %s) %s %s\n", pmuq_errno_name(want->errnum), want->row,
	       want->change, want->reason ? want->reason : "", want->hint ? want->hint : "");
}

/* Patched kernels of some distributions refuse all events from a certain value on: then they refuse
 * the simplest event. */
static bool is_closed(const struct paranoid_person *person, int level,
		      const struct child_result *results)
{
	return person->bit & (NOBODY | INNER) && level >= 3 &&
	       results[PAGES_USER].status == PMUQ_REFUSED;
}

static void check(const struct events *events, const struct paranoid_person *person, int level,
		  const struct child_result *results)
{
	bool all_closed = is_closed(person, level, results);
	unsigned n_wrong = 0;

	for (unsigned i = 0; i < N_EVENTS; i++) {
		const struct paranoid_refusal *want = find_want(i, person->bit, level);

		want = all_closed ? &closed : want;
		if (!events->opens[i].encodings || is_as_wanted(&results[i], want))
			continue;
		print(events_name(i), &results[i], want);
		n_wrong++;
	}
	assert_int_equal(n_wrong, 0);
}

/*
 * What each person may open at one value. They all try at the same time: to close a probe, the
 * kernel waits for all CPUs, up to 0.1 seconds.
 */
struct level_results {
	bool is_tried, is_held;
	const char *why; /* the value cannot be set */
	struct {
		bool is_in;
		const char *why;
		struct child_result results[N_EVENTS];
	} of[COUNT(people)];
};

static void try_level(const struct events *events, int level, struct level_results *ret)
{
	struct child_opener *openers[COUNT(people)];
	struct paranoid held;

	ret->is_tried = true;
	ret->is_held = paranoid_hold(level, &held, &ret->why);
	if (!ret->is_held)
		return;
	for (size_t i = 0; i < COUNT(people); i++)
		openers[i] = child_open_start(people[i].situation, &held, events->opens, N_EVENTS);
	for (size_t i = 0; i < COUNT(people); i++)
		ret->of[i].is_in =
			child_open_finish(openers[i], ret->of[i].results, &ret->of[i].why);
	paranoid_release(&held);
}

struct paranoid_row {
	const struct events *events;
	size_t person; /* of people[] */
	int level;
	struct level_results *results;
};

static void leave_out(const char *why)
{
	printf("# skipped: %s\n", why);
	skip();
}

static void test_row(void **state)
{
	const struct paranoid_row *row = *state;
	struct level_results *results = row->results;

	if (!results->is_tried)
		try_level(row->events, row->level, results);
	if (!results->is_held)
		leave_out(results->why);
	if (!results->of[row->person].is_in)
		leave_out(results->of[row->person].why);
	check(row->events, &people[row->person], row->level, results->of[row->person].results);
}

/* An event that is left out is a skipped test. */
struct presence {
	const struct events *events;
	unsigned event;
};

static void test_presence(void **state)
{
	const struct presence *presence = *state;

	if (presence->events->opens[presence->event].encodings)
		return;
	printf("# left out: %s\n", presence->events->why[presence->event]);
	skip();
}

/* The guard restores the value even if SIGKILL ends its holder. */
static void test_guard(void **state)
{
	struct paranoid held, after;
	int before, status;
	const char *why;
	FILE *file = fopen("/proc/sys/kernel/perf_event_paranoid", "re");
	bool is_back;
	pid_t pid;

	(void)state;
	/* Locked: another run of the tests may have changed the value for a moment. */
	if (!file || flock(fileno(file), LOCK_EX) < 0 || fscanf(file, "%d", &before) != 1)
		skip();
	fclose(file);
	pid = fork();
	if (pid == 0) {
		if (!paranoid_hold(before == 1 ? 0 : 1, &held, &why))
			_exit(77);
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status))
		skip();
	/* The guard holds the lock until the value is restored. */
	assert_true(paranoid_hold(before, &after, &why));
	is_back = after.guard == 0;
	paranoid_release(&after);
	assert_true(is_back);
}

#define N_ROWS (COUNT(people) * N_LEVELS)

static size_t add_rows(const struct events *events, struct level_results *results,
		       struct paranoid_row *rows, struct CMUnitTest *tests)
{
	size_t n = 0;
	char *name;

	for (size_t i = 0; i < COUNT(people); i++)
		for (int level = LEVEL_LOWEST; level <= LEVEL_HIGHEST; level++, n++) {
			rows[n] = (struct paranoid_row){ events, i, level,
							 &results[level - LEVEL_LOWEST] };
			assert_true(asprintf(&name, "%s, perf_event_paranoid is %d", people[i].name,
					     level) >= 0);
			tests[n] = (struct CMUnitTest){ name, test_row, NULL, NULL, &rows[n] };
		}
	return n;
}

static size_t add_presences(const struct events *events, struct presence *presences,
			    struct CMUnitTest *tests)
{
	char *name;

	for (unsigned i = 0; i < N_EVENTS; i++) {
		presences[i] = (struct presence){ events, i };
		assert_true(asprintf(&name, "%s is tried", events_name(i)) >= 0);
		tests[i] = (struct CMUnitTest){ name, test_presence, NULL, NULL, &presences[i] };
	}
	return N_EVENTS;
}

int main(void)
{
	struct CMUnitTest tests[N_ROWS + N_EVENTS + 1] = { cmocka_unit_test(test_guard) };
	struct presence presences[N_EVENTS];
	struct paranoid_row rows[N_ROWS];
	static struct level_results results[N_LEVELS];
	struct events events;
	size_t n = 1;
	int failed;

	events_encode(&events);
	n += add_rows(&events, results, rows, tests + n);
	n += add_presences(&events, presences, tests + n);
	failed = _cmocka_run_group_tests("paranoid", tests, n, NULL, NULL);
	for (size_t i = 1; i < n; i++)
		free((void *)(uintptr_t)tests[i].name);
	events_clear(&events);
	return failed;
}
