/* SPDX-License-Identifier: MIT */
/*
 * Rows of the table of reasons (open/diagnose/reasons.c) that can be provoked on the running
 * kernel: the row and the change that opens, for its real errno. Each in a child.
 */
#include "core/attr/attr.h"
#include "open/explain_errno.h"
#include "open/open.h"
#include "tests/kernel/paranoid.h"
#include "tests/kernel/situation.h"
#include "tests/unit/cmocka_all.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define LEVEL 2 /* of perf_event_paranoid */
#define SKIPPED 77

enum provoked_task {
	OWN_TASK,
	GONE_TASK,
	DEAD_TASK,	/* not collected yet */
	PROTECTED_TASK, /* of the same user, but not dumpable */
};

struct provoked {
	const char *row, *change; /* the whole change; "" for none */
	struct pmuq_attr attr;
	const char *pmu, *text; /* a PMU that is there gives the type */
	const char *situation;	/* NULL: as root */
	enum provoked_task task;
	const char *cgroup; /* a directory; skipped where it is not there */
};

#define SOFTWARE(...) .attr = { .type = PQ_TYPE_SOFTWARE, .size = 136, __VA_ARGS__ }
#define BREAKPOINT(address, bytes, access)                                                         \
	.attr = { .type = PQ_TYPE_BREAKPOINT,                                                      \
		  .size = 72,                                                                      \
		  .bp_type = (access),                                                             \
		  .config1 = (address),                                                            \
		  .config2 = (bytes) },                                                            \
	.pmu = "breakpoint"
#define OF(name, ...) .pmu = (name), .attr = { .size = 80, __VA_ARGS__ }
#define LONG_PATH_BYTES 5000

/* Filled in when the tests begin. */
static char long_path[LONG_PATH_BYTES + 1];

// clang-format off
static const struct provoked rows[] = {
	{ "small-size", "with attr.size 64", .attr = { .type = PQ_TYPE_SOFTWARE, .size = 48 } },
	{ "flag", "without sigtrap", SOFTWARE(.sigtrap = 1) },
	{ "too-fast", "with freq={rate}", SOFTWARE(.freq = 1, .sample_period = UINT32_MAX) },
	{ "read-format", "without 0x100000 in read_format", SOFTWARE(.read_format = 1 << 20) },
	{ "sample-type", "without 0x10000000000 in sample_type", SOFTWARE(.sample_type = UINT64_C(1) << 40) },
	{ "branches", "without branch_type", SOFTWARE(.sample_type = 1 << 11, .branch_sample_type = 9, .sample_period = 9) },
	{ "frames", NULL, SOFTWARE(.sample_type = 1 << 5, .sample_period = 9, .sample_max_stack = UINT16_MAX) },
	{ "unsampled", "without period", SOFTWARE(.sample_period = UINT64_C(1) << 63) },
	{ "unsampled", "without period", OF("msr", .sample_period = 1000) },
	{ "software-unknown", "", SOFTWARE(.config = 0x7777) },
	{ "no-pmu", "", .attr = { .type = 0x7ffffffe, .size = 64 } },
	{ "tracepoint-id", "", .attr = { .type = PQ_TYPE_TRACEPOINT, .size = 64, .config = 0x7ffffff }, .pmu = "tracepoint" },
	{ "filter", "without :u", OF("msr", .exclude_kernel = 1, .exclude_hv = 1) },
	{ "filter-likely", "", OF("msr", .exclude_kernel = 1, .config = 0xff) },
	{ "no-such-event", "", OF("msr", .config = 0xff) },

	{ "breakpoint-aligned", "at 0x1000", BREAKPOINT(0x1002, 4, 3) },
	{ "breakpoint-length", "with length 4", BREAKPOINT(0x1000, 3, 3) },
	/* The kernel does not allow a trap at its entry code. */
	{ "breakpoint", "", BREAKPOINT(UINT64_C(0xfffffe0000000000), 4, 3) },

	{ "file-none", "", OF("uprobe", .config2 = 16), .text = "/nonexistent/file" },
	{ "file-none", "", OF("uprobe", .config2 = 16), .text = "/proc/version/file" },
	{ "file-refused", "", OF("uprobe", .config2 = 0), .text = "/" },
	{ "probe-offset", "at offset 0", OF("uprobe", .config2 = 1 << 30), .text = "/proc/self/exe" },
	{ "probe-long", "", OF("uprobe", .config2 = 16), .text = long_path },
	{ "bad-pointer", "", OF("uprobe", .config1 = 8, .config2 = 16) },

	{ "capability", "without namespaces", SOFTWARE(.exclude_kernel = 1, .exclude_hv = 1, .namespaces = 1), .situation = "user" },
	{ "access", ":u", SOFTWARE(.config = 2), .situation = "userns no-proc" },
	{ "task-gone", "", SOFTWARE(.exclude_kernel = 1), .task = GONE_TASK },
	{ "task-dead", "", SOFTWARE(.exclude_kernel = 1), .task = DEAD_TASK },
	{ "task-protected", "for this process itself", SOFTWARE(.exclude_kernel = 1, .exclude_hv = 1), .task = PROTECTED_TASK, .situation = "user" },
	{ "cgroup-hierarchy", NULL, SOFTWARE(.config = 2), .cgroup = "/sys/fs/cgroup/cpu" },
	{ "cgroup-none", NULL, SOFTWARE(.config = 2), .cgroup = "/dev" },
};
// clang-format on

/* ---------------------------------------------------------------------------------- the event */

static long read_number(const char *path)
{
	FILE *file = fopen(path, "re");
	long number = -1;

	if (file && fscanf(file, "%ld", &number) != 1)
		number = -1;
	if (file)
		fclose(file);
	return number;
}

/* False: there is no such PMU. */
static bool find_type(const struct provoked *row, struct pmuq_attr *attr)
{
	char path[128];
	long type;

	if (!row->pmu)
		return true;
	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", row->pmu);
	type = read_number(path);
	attr->type = (uint32_t)type;
	return type >= 0;
}

/* A task that lives until this process ends, or has ended already. */
static pid_t start_task(enum provoked_task task)
{
	pid_t parent = getpid(), pid = fork();

	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
		while (task == PROTECTED_TASK && getppid() == parent)
			pause();
		_exit(0);
	}
	return pid;
}

static pid_t find_task(enum provoked_task task)
{
	siginfo_t info;
	pid_t pid = start_task(task);

	if (task == GONE_TASK)
		waitpid(pid, NULL, 0);
	else if (task == DEAD_TASK)
		waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	/* It must have reached its prctl(). */
	else
		usleep(20000);
	return pid;
}

static bool find_scope(const struct provoked *row, struct pq_open_scope *scope)
{
	*scope = (struct pq_open_scope){ .cgroup = row->cgroup, .cgroup_fd = -1 };
	if (row->task != OWN_TASK)
		scope->pid = find_task(row->task);
	if (!row->cgroup)
		return true;
	scope->cgroup_fd = open(row->cgroup, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return scope->cgroup_fd >= 0;
}

/* --------------------------------------------------------------------------------- the result */

/* "{rate}" matches any number. */
static bool is_change(const char *change, const char *want)
{
	size_t n = strcspn(want, "{");

	return want[n] ? strncmp(change, want, n) == 0 : strcmp(change, want) == 0;
}

static bool check_result(const struct provoked *row, const struct pmuq_open_results *results)
{
	const char *name = pmuq_open_results_get(results, 0)->name.p;
	const char *change = pmuq_open_results_get(results, 0)->change.p;
	const char *hint = pmuq_open_results_get(results, 0)->hint.p;

	printf("# %s [%s] (change: %s)\n#   %s\n#   %s\n",
	       pmuq_errno_name(pmuq_open_results_get(results, 0)->errnum), name ? name : "opened",
	       change ? change : "-", name ? pmuq_open_results_get(results, 0)->reason.p : "",
	       hint ? hint : "");
	fflush(stdout);
	return name && strcmp(name, row->row) == 0 &&
	       (!row->change || is_change(change ? change : "", row->change));
}

static bool is_same(struct pmuq_str a, struct pmuq_str b)
{
	return a.n == b.n && (!a.n || memcmp(a.p, b.p, a.n) == 0);
}

/* Whether the errno of a call that the program made itself has the same explanation. */
static bool explains_errno(const struct pq_opener *opener, const struct pq_open_request *request,
			   const struct pmuq_open_result *want)
{
	bool is_cgroup = opener->scope.cgroup;
	const struct pmuq_open_call call = {
		.size = sizeof(call),
		.pid = is_cgroup ? opener->scope.cgroup_fd : want->pid,
		.cpu = (int)strtol(want->cpus.p, NULL, 10),
		.group_fd = -1,
		.flags = is_cgroup ? PERF_FLAG_PID_CGROUP : 0,
		.errnum = want->errnum,
	};
	struct pmuq_open_results *results = NULL;
	const struct pmuq_open_result *got;
	bool is_right;

	if (pq_explain_errno(opener, request, &call, &results, NULL) < 0)
		return false;
	got = pmuq_open_results_get(results, 0);
	is_right = is_same(got->name, want->name) && is_same(got->reason, want->reason) &&
		   is_same(got->hint, want->hint) && is_same(got->change, want->change);
	if (!is_right)
		printf("# explained as [%s] %s\n", got->name.p, got->reason.p);
	pmuq_open_results_free(results);
	return is_right;
}

static bool may_open_all(const struct pq_kernel *kernel)
{
	const struct pq_open_call simple = {
		.attr = { .type = PQ_TYPE_SOFTWARE, .size = 64 },
		.cpu = -1,
		.group_fd = -1,
	};

	return pq_kernel_try(kernel, &simple, NULL) == 0;
}

static int skipped(const char *why)
{
	printf("# skipped: %s\n", why);
	fflush(stdout);
	return SKIPPED;
}

static int try_row(const struct provoked *row)
{
	struct pq_opener opener = { .kernel = pq_kernel_running(), .host = pq_host_at("/") };
	struct pmuq_attr attr = row->attr;
	struct pq_open_request request = {
		.attr = &attr, .pmu = row->pmu, .cpus = "", .text = row->text
	};
	struct pmuq_open_results *results = NULL;
	const char *why;

	if (!find_type(row, &attr))
		return skipped("there is no such PMU");
	if (!may_open_all(&opener.kernel))
		return skipped("the tests may not open events");
	if (!situation_enter(row->situation ? row->situation : "", &why))
		return skipped(why);
	if (!find_scope(row, &opener.scope))
		return skipped("there is no such cgroup");
	if (pq_open_requests(&opener, &request, 1, &results, NULL) < 0)
		return 1;
	return check_result(row, results) &&
			       explains_errno(&opener, &request, pmuq_open_results_get(results, 0))
		       ? 0
		       : 1;
}

static void test_row(void **state)
{
	struct paranoid held;
	int status = 0;
	const char *why;
	pid_t pid;

	if (!paranoid_hold(LEVEL, &held, &why))
		skip();
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		paranoid_leave(&held);
		_exit(try_row(*state));
	}
	waitpid(pid, &status, 0);
	paranoid_release(&held);
	assert_true(pid > 0 && WIFEXITED(status));
	if (WEXITSTATUS(status) == SKIPPED)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	struct CMUnitTest tests[COUNT(rows)];

	memset(long_path, 'x', LONG_PATH_BYTES);
	long_path[0] = '/';
	ADD_ROWS(tests, test_row, rows, row);
	return _cmocka_run_group_tests("reasons", tests, COUNT(tests), NULL, NULL);
}
