/* SPDX-License-Identifier: MIT */
/*
 * The reasons of refusals that are caused by filters, limits or missing directories instead of
 * capabilities. perf_event_paranoid is 2 meanwhile.
 */
#include "core/base.h"
#include "tests/kernel/events.h"
#include "tests/unit/cmocka_all.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

#define LEVEL 2

// clang-format off
static const struct situation_row {
	const char *situation;
	unsigned event;
	int errnum;
	const char *row, *change; /* '*': the start of a row; NULL: any */
	const char *reason, *hint; /* a part */
} rows[] = {
	/* The filter is of this process, unless process 1 has one, too. */
	{ "seccomp=EPERM",       PAGES_USER, EPERM,  "seccomp*",        "", "seccomp filter", "perf_event_open" },
	{ "seccomp=ENOSYS",      PAGES_USER, ENOSYS, "seccomp*",        "", "seccomp filter", "perf_event_open" },
	{ "seccomp=EACCES",      PAGES_USER, EACCES, "seccomp-access",  "", "seccomp filter or a security module" },
	{ "seccomp=EPERM",       PROBE,       EPERM,  "seccomp*",        "" },
	{ "user seccomp=EPERM",  CLOCK_KERNEL, EPERM, "seccomp*",        "" },
	{ "perfmon seccomp=EPERM", TSC,       EPERM,  "seccomp*",        "" },
	{ "seccomp=EPERM",       INIT,        EPERM,  "seccomp*",        "" },
	{ "seccomp=EPERM",       MANY,        EPERM,  "seccomp*",        "" },
	{ "no-proc seccomp=EPERM", TSC,       EPERM,  "seccomp*",        "", "seccomp filter" },
	{ "no-proc seccomp=ENOSYS", PAGES,   ENOSYS, "seccomp*",        "", "seccomp filter" },
	{ "no-proc no-sys user seccomp=ENOSYS", PAGES, ENOSYS, "seccomp*", "", "seccomp filter" },

	/* One event at a time always fits; of nine at once, some do not. */
	{ "files=8", PAGES,       0, "" },
	{ "files=8", CLOCK_ON_CPU, 0, "" },
	{ "files=8", PROBE,        0, "" },
	{ "files=8", CYCLES,       ENOENT, "no-core-pmu*", "", "no core PMU" },
	{ "files=8", MANY,         EMFILE, "files-process", NULL, "open 8 files at most", "ulimit -n" },
	{ "files=8 user", PAGES,  EACCES, "paranoid-kernel", ":u", "perf_event_paranoid is 2" },
	{ "files=0", PAGES_USER,  EMFILE, "files-process", "", "open 0 files at most" },
	{ "files=0 user", PAGES_USER, EMFILE, "files-process", "", "open 0 files at most" },

	/* Without /proc, system calls report capabilities and filters; paranoid remains unknown. */
	{ "no-proc",         PAGES,       0, "" },
	{ "no-proc perfmon", PAGES,       0, "" },
	{ "no-proc perfmon", WATCH_KERNEL, EPERM,  "breakpoint-admin", "", "CAP_SYS_ADMIN, which this process does not have" },
	{ "no-proc user",    PAGES_USER,  0, "" },
	{ "no-proc user",    PAGES,       EACCES, "paranoid-unknown", ":u", "CAP_PERFMON", "add ':u'" },
	{ "no-proc user",    RECORD,       EPERM,  "paranoid-unknown", NULL, "CAP_PERFMON", "lower kernel.perf_event_paranoid" },
	{ "no-proc user",    TSC,          EACCES, "paranoid-unknown", "", "with ':u' the kernel refuses it, too (EINVAL)" },
	{ "no-proc user",    PROBE,        EACCES, "probe-admin", "", "CAP_SYS_ADMIN, which this process does not have" },
	{ "no-proc user",    INIT,         EACCES, "task-capability", "for this process itself", "CAP_PERFMON" },
	{ "no-proc bare-root", PAGES,     EACCES, "paranoid-unknown", ":u", "CAP_PERFMON", "keep CAP_PERFMON" },

	/* Without /sys it is unknown whether there is a core PMU. */
	{ "no-sys",              CYCLES, ENOENT, "core-pmu-unknown", "", "cannot be read", "sysfs" },
	{ "no-proc no-sys",      CYCLES, ENOENT, "core-pmu-unknown", "" },
	{ "no-sys user",         PAGES, EACCES, "paranoid-kernel", ":u", "perf_event_paranoid is 2" },
	{ "no-sys user",         CYCLES, EACCES, "paranoid-kernel", "", "too (ENOENT): there is no core PMU, or" },
	{ "no-sys",              CLOCK_ON_CPU, 0, "" },

	/* With no_new_privs setcap would have no effect. */
	{ "no-new-privs user",   PAGES, EACCES, "paranoid-kernel", ":u", NULL, "with CAP_PERFMON and without no_new_privs" },
	{ "userns user-inside",  PAGES, EACCES, "paranoid-kernel", ":u", NULL, "outside its user namespace with CAP_PERFMON" },
};
// clang-format on

struct situation_test {
	const struct situation_row *row;
	const struct events *events;
};

static bool is_row(const char *row, const char *want)
{
	size_t n = strcspn(want, "*");

	return want[n] ? strncmp(row, want, n) == 0 : strcmp(row, want) == 0;
}

static void check(const struct situation_row *row, const struct child_result *result)
{
	printf("# %s [%s] (change: %s)\n#   %s\n#   %s\n", pmuq_errno_name(result->errnum),
	       result->row, result->change, result->reason, result->hint);
	assert_int_equal(result->r, 0);
	assert_int_equal(result->status, row->errnum ? PMUQ_REFUSED : PMUQ_OPENED);
	assert_int_equal(result->errnum, row->errnum);
	assert_true(is_row(result->row, row->row));
	if (row->change)
		assert_string_equal(result->change, row->change);
	if (row->reason)
		assert_non_null(strstr(result->reason, row->reason));
	if (row->hint)
		assert_non_null(strstr(result->hint, row->hint));
}

static void leave_out(const char *why)
{
	printf("# skipped: %s\n", why);
	skip();
}

static void test_row(void **state)
{
	const struct situation_test *test = *state;
	const struct child_open *input = &test->events->opens[test->row->event];
	struct paranoid held;
	struct child_result result;
	const char *why;
	bool is_in;

	if (!input->encodings)
		leave_out(test->events->why[test->row->event]);
	if (!paranoid_hold(LEVEL, &held, &why))
		leave_out(why);
	is_in = child_open_finish(child_open_start(test->row->situation, &held, input, 1), &result,
				  &why);
	paranoid_release(&held);
	if (!is_in)
		leave_out(why);
	check(test->row, &result);
}

int main(void)
{
	struct CMUnitTest tests[COUNT(rows)];
	struct situation_test cases[COUNT(rows)];
	struct events events;
	char *name;
	int failed;

	events_encode(&events);
	for (size_t i = 0; i < COUNT(rows); i++) {
		cases[i] = (struct situation_test){ &rows[i], &events };
		assert_true(asprintf(&name, "%s: %s", rows[i].situation,
				     events_name(rows[i].event)) >= 0);
		tests[i] = (struct CMUnitTest){ name, test_row, NULL, NULL, &cases[i] };
	}
	failed = _cmocka_run_group_tests("situations", tests, COUNT(tests), NULL, NULL);
	for (size_t i = 0; i < COUNT(tests); i++)
		free((void *)(uintptr_t)tests[i].name);
	events_clear(&events);
	return failed;
}
