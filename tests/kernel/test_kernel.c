/* SPDX-License-Identifier: MIT */
/*
 * Refusals of the running kernel that can be provoked without changing the system. A test that
 * makes no sense on this machine is skipped.
 */
#include "core/attr/attr.h"
#include "open/open.h"
#include "tests/harness/names.h"
#include "tests/kernel/paranoid.h"
#include "tests/unit/cmocka_all.h"
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define SOFTWARE(number)                                                                           \
	{                                                                                          \
		.type = PQ_TYPE_SOFTWARE, .size = 64, .config = (number)                           \
	}
#define CPU_CLOCK 0
#define PAGES 2
#define NOBODY 65534
#define LEVEL 2 /* of perf_event_paranoid, for the cases in children */

struct kernel_case {
	const char *name, *pmu;
	struct pmuq_attr attr;
	/* The result; NULL: any. */
	int errnum;
	const char *reason, *change; /* part of the sentence; the whole change */
};

static struct pq_open_request request_of(const struct kernel_case *test)
{
	return (struct pq_open_request){ .attr = &test->attr, .pmu = test->pmu, .cpus = "" };
}

static struct pmuq_open_results *open_all(const struct pq_open_request *requests, size_t n)
{
	const struct pq_opener opener = { .kernel = pq_kernel_running(), .host = pq_host_at("/") };
	struct pmuq_open_results *results = NULL;

	assert_int_equal(pq_open_requests(&opener, requests, n, &results, NULL), 0);
	assert_int_equal(pmuq_open_results_count(results), n);
	return results;
}

static long read_number(const char *path)
{
	FILE *file = fopen(path, "re");
	long number = LONG_MIN;

	if (!file)
		return LONG_MIN;
	if (fscanf(file, "%ld", &number) != 1)
		number = LONG_MIN;
	fclose(file);
	return number;
}

static bool has_pmu(const char *name)
{
	int dir = open("/sys/bus/event_source/devices", O_PATH | O_DIRECTORY | O_CLOEXEC);
	bool is_there = dir >= 0 && faccessat(dir, name, F_OK, 0) == 0;

	if (dir >= 0)
		close(dir);
	return is_there;
}

/* This process may open all events, so that refusals are about the event. */
static void need_all_capabilities(void)
{
	struct pmuq_attr attr = SOFTWARE(CPU_CLOCK);
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	if (fd < 0)
		skip();
	close(fd);
}

static void expect(const struct kernel_case *test, const struct pmuq_open_results *results,
		   size_t index)
{
	const char *reason = pmuq_open_results_get(results, index)->reason.p;
	const char *change = pmuq_open_results_get(results, index)->change.p;

	if (reason)
		print_message("# %s: %s (%s; %s)\n", test->name, reason, change ? change : "-",
			      pmuq_open_results_get(results, index)->hint.p);
	assert_int_equal(pmuq_open_results_get(results, index)->errnum, test->errnum);
	assert_int_equal(pmuq_open_results_get(results, index)->status,
			 test->errnum ? PMUQ_REFUSED : PMUQ_OPENED);
	if (!test->errnum)
		assert_null(reason);
	if (test->reason) {
		assert_non_null(reason);
		assert_non_null(strstr(reason, test->reason));
	}
	if (test->change) {
		assert_non_null(change);
		assert_string_equal(change, test->change);
	}
}

static void check(const struct kernel_case *test)
{
	struct pq_open_request request = request_of(test);
	size_t before = count_descriptors();
	struct pmuq_open_results *results = open_all(&request, 1);

	assert_int_equal(count_descriptors(), before);
	expect(test, results, 0);
	pmuq_open_results_free(results);
}

/* --------------------------------------------------------------- accepted and refused events */

#define BREAKPOINT(address, bytes, access)                                                         \
	{                                                                                          \
		.type = PQ_TYPE_BREAKPOINT, .size = 72, .bp_type = (access), .config1 = (address), \
		.config2 = (bytes)                                                                 \
	}

/* On any kernel, for a process that may open all. */
static const struct kernel_case plain[] = {
	{ .name = "page-faults:u opens",
	  .attr = { .type = PQ_TYPE_SOFTWARE,
		    .size = 64,
		    .config = PAGES,
		    .exclude_kernel = 1,
		    .exclude_hv = 1 } },
	{ .name = "cpu-clock opens", .attr = SOFTWARE(CPU_CLOCK) },
	{ .name = "an unknown software event is refused",
	  .attr = SOFTWARE(0x7777),
	  .pmu = "software",
	  .errnum = ENOENT,
	  .reason = "no software event 0x7777" },
	{ .name = "a type of no PMU is refused",
	  .attr = { .type = 0x7ffffffe, .size = 64 },
	  .errnum = ENOENT,
	  .reason = "no PMU of type 2147483646" },
	{ .name = "too small a size is refused",
	  .attr = { .type = PQ_TYPE_SOFTWARE, .size = 32 },
	  .errnum = E2BIG,
	  .reason = "attr.size is 32",
	  .change = "with attr.size 64" },
	{ .name = "a flag that wants another one is named",
	  .attr = { .type = PQ_TYPE_SOFTWARE, .size = 64, .sigtrap = 1 },
	  .errnum = EINVAL,
	  .reason = "sigtrap",
	  .change = "without sigtrap" },
	{ .name = "a sampling period with the top bit set is refused",
	  .attr = { .type = PQ_TYPE_SOFTWARE, .size = 64, .sample_period = UINT64_C(1) << 63 },
	  .errnum = EINVAL,
	  .reason = "not sample it",
	  .change = "without period" },
};

static void test_plain(void **state)
{
	need_all_capabilities();
	check(*state);
}

static const struct kernel_case breakpoints[] = {
	{ .name = "mem:0x1000/4:rw opens", .attr = BREAKPOINT(0x1000, 4, 3) },
	{ .name = "mem:0x1002/4:rw must be aligned",
	  .attr = BREAKPOINT(0x1002, 4, 3),
	  .errnum = EINVAL,
	  .reason = "multiple of its length",
	  .change = "at 0x1000" },
	{ .name = "mem:0x1000/3:rw has no such length",
	  .attr = BREAKPOINT(0x1000, 3, 3),
	  .errnum = EINVAL,
	  .reason = "length",
	  .change = "with length 4" },
	{ .name = "mem:0x1000/4:r has no such access",
	  .attr = BREAKPOINT(0x1000, 4, 1),
	  .errnum = EINVAL,
	  .reason = "access",
	  .change = "with access rw" },
	{ .name = "mem:0x1000/4:x must be long",
	  .attr = BREAKPOINT(0x1000, 4, 4),
	  .errnum = EINVAL,
	  .reason = "length",
	  .change = "with length 8" },
};

static void test_breakpoint(void **state)
{
#ifdef __x86_64__
	if (!has_pmu("breakpoint"))
		skip();
	need_all_capabilities();
	check(*state);
#else
	(void)state;
	skip();
#endif
}

static uint32_t msr_type(void)
{
	long type = read_number("/sys/bus/event_source/devices/msr/type");

	if (type < 0)
		skip();
	need_all_capabilities();
	return (uint32_t)type;
}

static void test_msr_opens(void **state)
{
	struct kernel_case test = { .name = "msr/tsc/", .pmu = "msr", .attr = { .size = 64 } };

	(void)state;
	test.attr.type = msr_type();
	check(&test);
}

static void test_msr_user(void **state)
{
	struct kernel_case test = {
		.name = "msr/tsc/u",
		.pmu = "msr",
		.attr = { .size = 64, .exclude_kernel = 1, .exclude_hv = 1 },
		.errnum = EINVAL,
		.reason = "PMU 'msr' cannot count user and kernel separately",
		.change = "without :u",
	};

	(void)state;
	test.attr.type = msr_type();
	check(&test);
}

static void test_msr_unknown(void **state)
{
	struct kernel_case test = {
		.name = "msr/event=0xff/",
		.pmu = "msr",
		.attr = { .size = 64, .config = 0xff },
		.errnum = EINVAL,
		.reason = "PMU 'msr' does not count config 0xff",
	};

	(void)state;
	test.attr.type = msr_type();
	check(&test);
}

/* A core PMU with another name (arm64) has a file `cpus`. */
static bool has_core_pmu(void)
{
	glob_t found;
	bool has_cpus = glob("/sys/bus/event_source/devices/*/cpus", 0, NULL, &found) == 0;

	if (has_cpus)
		globfree(&found);
	return has_cpus || has_pmu("cpu") || has_pmu("cpum_cf");
}

static void test_cycles(void **state)
{
	const struct kernel_case test = {
		.name = "cycles",
		.attr = { .type = PQ_TYPE_HARDWARE, .size = 64 },
		.errnum = ENOENT,
		.reason = "this machine has no core PMU",
	};

	(void)state;
	if (has_core_pmu())
		skip();
	need_all_capabilities();
	check(&test);
}

static void test_new_field(void **state)
{
	struct kernel_case test = {
		.name = "config4",
		.attr = { .type = PQ_TYPE_SOFTWARE, .size = 144, .config4 = 1 },
		.errnum = E2BIG,
		.reason = "config4",
		.change = "without config4",
	};
	struct pmuq_attr attr = test.attr;
	int fd;

	(void)state;
	need_all_capabilities();
	fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	if (fd >= 0) {
		close(fd);
		skip();
	}
	check(&test);
}

/* --------------------------------------------------------------------------------- CPUs, groups */

static void test_cpu(void **state)
{
	const struct kernel_case test = { .name = "cpu-clock", .attr = SOFTWARE(CPU_CLOCK) };
	struct pq_open_request request = request_of(&test);
	struct pmuq_open_results *results;

	(void)state;
	need_all_capabilities();
	request.needs_cpu = true;
	request.cpus = "0";
	results = open_all(&request, 1);
	expect(&test, results, 0);
	assert_int_equal(pmuq_open_results_get(results, 0)->pid, -1);
	assert_string_equal(pmuq_open_results_get(results, 0)->cpus.p, "0");
	pmuq_open_results_free(results);
}

static void test_missing_cpu(void **state)
{
	const struct kernel_case test = {
		.name = "cpu-clock on CPU 60000",
		.attr = SOFTWARE(CPU_CLOCK),
		.errnum = EINVAL,
		.change = "on CPU 0 only",
	};
	struct pq_open_request request = request_of(&test);
	struct pmuq_open_results *results;

	(void)state;
	need_all_capabilities();
	request.needs_cpu = true;
	request.cpus = "0,60000";
	results = open_all(&request, 1);
	expect(&test, results, 0);
	pmuq_open_results_free(results);
}

/* An x86 CPU has four breakpoint registers: the fifth of a group finds none. */
static void test_full_group(void **state)
{
	const struct kernel_case bp = { .name = "mem:0x1000/4:rw",
					.attr = BREAKPOINT(0x1000, 4, 3) };
	const struct kernel_case fifth = {
		.name = "the fifth breakpoint",
		.errnum = ENOSPC,
	};
	struct pq_open_request requests[6];
	struct pmuq_open_results *results;
	size_t before = count_descriptors();

	(void)state;
#ifndef __x86_64__
	skip();
#endif
	if (!has_pmu("breakpoint"))
		skip();
	need_all_capabilities();
	for (size_t i = 0; i < COUNT(requests); i++) {
		requests[i] = request_of(&bp);
		requests[i].members = 5;
	}
	requests[5].members = 0;
	results = open_all(requests, COUNT(requests));
	assert_int_equal(count_descriptors(), before);
	for (size_t i = 0; i < COUNT(requests); i++)
		expect(i == 4 ? &fifth : &bp, results, i);
	assert_non_null(
		strstr(pmuq_open_results_get(results, 4)->reason.p, "all breakpoint registers"));
	pmuq_open_results_free(results);
}

static void test_refused_leader(void **state)
{
	const struct kernel_case leader = {
		.name = "leader of an unknown type",
		.attr = { .type = 0x7ffffffe, .size = 64 },
		.errnum = ENOENT,
	};
	const struct kernel_case member = { .name = "cpu-clock", .attr = SOFTWARE(CPU_CLOCK) };
	struct pq_open_request requests[] = { request_of(&leader), request_of(&member) };
	struct pmuq_open_results *results;

	(void)state;
	need_all_capabilities();
	requests[0].members = requests[1].members = 2;
	results = open_all(requests, COUNT(requests));
	expect(&leader, results, 0);
	expect(&member, results, 1);
	assert_non_null(strstr(pmuq_open_results_get(results, 1)->hint.p, "outside its group"));
	pmuq_open_results_free(results);
}

/* ---------------------------------------------------------------------- in a limited child */

struct child_case {
	struct kernel_case test;
	int (*prepare)(void); /* in the child; not 0: skip */
};

/* cmocka's asserts do not cross a fork: the exit status of the child is the failed check. */
static int compare(const struct kernel_case *test, const struct pmuq_open_results *results)
{
	const char *reason = pmuq_open_results_get(results, 0)->reason.p;
	const char *change = pmuq_open_results_get(results, 0)->change.p;

	fprintf(stderr, "# %s: %s (%s)\n", test->name, reason ? reason : "opened",
		change ? change : "-");
	if (pmuq_open_results_get(results, 0)->errnum != test->errnum)
		return 2;
	if (test->reason && (!reason || !strstr(reason, test->reason)))
		return 3;
	if (test->change && (!change || strcmp(change, test->change) != 0))
		return 4;
	if (!test->change && change)
		return 5;
	return 0;
}

#define CHILD_SKIPS 77

static int child(const struct child_case *test)
{
	const struct pq_opener opener = { .kernel = pq_kernel_running(), .host = pq_host_at("/") };
	struct pq_open_request request = request_of(&test->test);
	struct pmuq_open_results *results = NULL;
	int r;

	if (test->prepare() != 0)
		return CHILD_SKIPS;
	if (pq_open_requests(&opener, &request, 1, &results, NULL) < 0)
		return 1;
	r = compare(&test->test, results);
	pmuq_open_results_free(results);
	return r;
}

/* Another run of the tests may change perf_event_paranoid for a moment: held, it is LEVEL. */
static void test_child(void **state)
{
	struct paranoid held;
	int status = 0;
	const char *why;
	pid_t pid;

	if (!paranoid_hold(LEVEL, &held, &why))
		skip();
	pid = fork();
	if (pid == 0) {
		paranoid_leave(&held);
		_exit(child(*state));
	}
	waitpid(pid, &status, 0);
	paranoid_release(&held);
	assert_true(pid > 0);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == CHILD_SKIPS)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

static int be_nobody(void)
{
	if (geteuid() != 0)
		return -1;
	return setresuid(NOBODY, NOBODY, NOBODY);
}

static int have_no_files(void)
{
	/* Open files stay open; no more can be opened. */
	const struct rlimit limit = { .rlim_cur = 0, .rlim_max = 0 };
	struct pmuq_attr attr = SOFTWARE(CPU_CLOCK);
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);

	if (fd < 0)
		return -1;
	close(fd);
	return setrlimit(RLIMIT_NOFILE, &limit);
}

static int filter_with(uint16_t errnum)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_perf_event_open, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, (uint32_t)SECCOMP_RET_ERRNO | errnum),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { .len = COUNT(code), .filter = code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0);
}

static int filter_eperm(void)
{
	return filter_with(EPERM);
}

static int filter_enosys(void)
{
	return filter_with(ENOSYS);
}

static int filter_eacces(void)
{
	return filter_with(EACCES);
}

static const struct child_case children[] = {
	{ .test = { .name = "an ordinary user may not count the kernel",
		    .attr = SOFTWARE(CPU_CLOCK),
		    .errnum = EACCES,
		    .reason = "perf_event_paranoid is 2 and this process does not have CAP_PERFMON",
		    .change = ":u" },
	  .prepare = be_nobody },
	{ .test = { .name = "an ordinary user may count user space",
		    .attr = { .type = PQ_TYPE_SOFTWARE, .size = 64, .exclude_kernel = 1 } },
	  .prepare = be_nobody },
	{ .test = { .name = "an ordinary user can use ':u' instead of ':k'",
		    .attr = { .type = PQ_TYPE_SOFTWARE, .size = 64, .exclude_user = 1 },
		    .errnum = EACCES,
		    .change = ":u instead of :k" },
	  .prepare = be_nobody },
	{ .test = { .name = "a missing capability that hides a second refusal reports both",
		    .attr = { .type = 0x7ffffffe, .size = 64 },
		    .errnum = EACCES,
		    .reason =
			    "with ':u' the kernel refuses it, too (ENOENT): the kernel has no PMU" },
	  .prepare = be_nobody },
	{ .test = { .name = "two things that must change are both found",
		    .attr = { .type = PQ_TYPE_SOFTWARE,
			      .size = 64,
			      .sample_period = UINT64_C(1) << 63 },
		    .errnum = EACCES,
		    .change = ":u and without period" },
	  .prepare = be_nobody },
	{ .test = { .name = "no descriptor is left",
		    .attr = SOFTWARE(CPU_CLOCK),
		    .errnum = EMFILE,
		    .reason = "open 0 files at most" },
	  .prepare = have_no_files },
	{ .test = { .name = "seccomp with EPERM",
		    .attr = SOFTWARE(CPU_CLOCK),
		    .errnum = EPERM,
		    .reason = "seccomp" },
	  .prepare = filter_eperm },
	{ .test = { .name = "seccomp with ENOSYS",
		    .attr = SOFTWARE(CPU_CLOCK),
		    .errnum = ENOSYS,
		    .reason = "seccomp" },
	  .prepare = filter_enosys },
	{ .test = { .name = "seccomp with EACCES",
		    .attr = SOFTWARE(CPU_CLOCK),
		    .errnum = EACCES,
		    .reason = "seccomp" },
	  .prepare = filter_eacces },
};

#define N_TESTS (COUNT(plain) + COUNT(breakpoints) + COUNT(children) + 16)

int main(void)
{
	const struct CMUnitTest single[] = {
		cmocka_unit_test(test_msr_opens),      cmocka_unit_test(test_msr_user),
		cmocka_unit_test(test_msr_unknown),    cmocka_unit_test(test_cycles),
		cmocka_unit_test(test_new_field),      cmocka_unit_test(test_cpu),
		cmocka_unit_test(test_missing_cpu),    cmocka_unit_test(test_full_group),
		cmocka_unit_test(test_refused_leader),
	};
	struct CMUnitTest tests[N_TESTS] = { 0 };
	size_t n = 0;

	n += ADD_ROWS(tests + n, test_plain, plain, name);
	n += ADD_ROWS(tests + n, test_breakpoint, breakpoints, name);
	n += ADD_ROWS(tests + n, test_child, children, test.name);
	for (size_t i = 0; i < COUNT(single); i++)
		tests[n++] = single[i];
	return _cmocka_run_group_tests("kernel", tests, n, NULL, NULL);
}
