/* SPDX-License-Identifier: MIT */
/*
 * The running kernel: other processes, CPUs, cgroups, probes, and counting, with groups that do not
 * fit. A test that makes no sense on this machine is skipped.
 */
#include "core/attr/attr.h"
#include "open/count/measure.h"
#include "open/open.h"
#include "open/scope.h"
#include "tests/harness/names.h"
#include "tests/unit/cmocka_all.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define CPU_CLOCK 0
#define PAGES 2
#define NOBODY 65534
#define DEVICES "/sys/bus/event_source/devices/"

static const struct pmuq_attr clock_event = { .type = PQ_TYPE_SOFTWARE, .size = 64 };
static const struct pmuq_attr pages = { .type = PQ_TYPE_SOFTWARE, .size = 64, .config = 2 };
static const struct pmuq_attr user_clock = {
	.type = PQ_TYPE_SOFTWARE, .size = 64, .exclude_kernel = 1, .exclude_hv = 1
};

static void need_all_capabilities(void)
{
	struct pmuq_attr attr = clock_event;
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, 0, -1, 0);

	if (fd < 0)
		skip();
	close(fd);
}

static long read_type(const char *pmu)
{
	char path[128];
	long type = -1;
	FILE *file;

	snprintf(path, sizeof(path), DEVICES "%s/type", pmu);
	file = fopen(path, "re");
	if (!file)
		return -1;
	if (fscanf(file, "%ld", &type) != 1)
		type = -1;
	fclose(file);
	return type;
}

static struct pmuq_open_results *open_for(const struct pq_open_request *request,
					  struct pq_open_scope scope)
{
	const struct pq_opener opener = { pq_kernel_running(), pq_host_at("/"), scope };
	struct pmuq_open_results *results = NULL;
	size_t before = count_descriptors();

	assert_int_equal(pq_open_requests(&opener, request, 1, &results, NULL), 0);
	assert_int_equal(count_descriptors(), before);
	return results;
}

static void expect_row(const struct pq_open_request *request, struct pq_open_scope scope,
		       const char *row, int errnum)
{
	struct pmuq_open_results *results = open_for(request, scope);

	if (pmuq_open_results_get(results, 0)->reason.p)
		print_message("# %s\n", pmuq_open_results_get(results, 0)->reason.p);
	assert_int_equal(pmuq_open_results_get(results, 0)->errnum, errnum);
	if (row)
		assert_string_equal(pmuq_open_results_get(results, 0)->name.p, row);
	else
		assert_null(pmuq_open_results_get(results, 0)->name.p);
	pmuq_open_results_free(results);
}

/* --------------------------------------------------------------------------------- targets */

static const struct pq_open_request clock_request = { .attr = &clock_event, .cpus = "0" };

static void a_child_can_be_counted_until_it_ends(void **state)
{
	pid_t child = fork();
	siginfo_t info;

	(void)state;
	assert_true(child >= 0);
	if (child == 0) {
		pause();
		_exit(0);
	}
	need_all_capabilities();
	expect_row(&clock_request, (struct pq_open_scope){ .pid = child }, NULL, 0);
	kill(child, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
	expect_row(&clock_request, (struct pq_open_scope){ .pid = child }, "task-dead", ESRCH);
	assert_int_equal(waitpid(child, NULL, 0), child);
	expect_row(&clock_request, (struct pq_open_scope){ .pid = child }, "task-gone", ESRCH);
}

/* cmocka's asserts do not cross a fork: the exit status of the child is the result. */
static int open_as_nobody(pid_t pid)
{
	const struct pq_open_request request = { .attr = &user_clock, .cpus = "0" };
	const struct pq_opener opener = { pq_kernel_running(), pq_host_at("/"), { .pid = pid } };
	struct pmuq_open_results *results;
	int found;

	if (setresuid(NOBODY, NOBODY, NOBODY) < 0 ||
	    pq_open_requests(&opener, &request, 1, &results, NULL) < 0)
		return 1;
	found = pmuq_open_results_get(results, 0)->name.p &&
		strcmp(pmuq_open_results_get(results, 0)->name.p, "task-foreign") == 0 &&
		strcmp(pmuq_open_results_get(results, 0)->change.p, "for this process itself") == 0;
	pmuq_open_results_free(results);
	return found ? 0 : 2;
}

static void the_task_of_another_user_is_refused(void **state)
{
	pid_t parent = getpid(), child;
	int status = 0;

	(void)state;
	need_all_capabilities();
	if (geteuid() != 0)
		skip();
	child = fork();
	assert_true(child >= 0);
	if (child == 0)
		_exit(open_as_nobody(parent));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static void a_missing_cpu_is_reported(void **state)
{
	(void)state;
	need_all_capabilities();
	expect_row(&clock_request, (struct pq_open_scope){ .cpus = "0" }, NULL, 0);
	expect_row(&clock_request, (struct pq_open_scope){ .cpus = "60000" }, "cpu-missing",
		   EINVAL);
}

static struct pq_open_scope open_cgroup(const char *name)
{
	const struct pmuq_open_options options = { .size = sizeof(options), .cgroup = name };
	struct pq_open_scope scope;

	need_all_capabilities();
	if (pq_open_scope_init("/", &options, &scope, NULL) < 0)
		skip();
	return scope;
}

static void the_root_cgroup_opens_or_has_a_reason(void **state)
{
	struct pq_open_scope scope = open_cgroup("/");
	struct pmuq_open_results *results = open_for(&clock_request, scope);

	(void)state;
	if (pmuq_open_results_get(results, 0)->errnum)
		assert_non_null(strstr(pmuq_open_results_get(results, 0)->name.p, "cgroup"));
	else
		assert_int_equal(pmuq_open_results_get(results, 0)->pid, -1);
	pmuq_open_results_free(results);
	pq_open_scope_close(&scope);
}

static void a_directory_is_not_a_cgroup(void **state)
{
	struct pq_open_scope scope = open_cgroup("/proc/self/fdinfo");

	(void)state;
	expect_row(&clock_request, scope, "cgroup-none", EBADF);
	pq_open_scope_close(&scope);
}

/* ---------------------------------------------------------------------------------- probes */

struct probe_case {
	const char *name, *path;
	uint64_t offset;
	const char *row; /* NULL: it opens */
	int errnum;
};

static const struct probe_case probes[] = {
	{ "a program can be probed", "/bin/true", 0x40, NULL, 0 },
	{ "a file that is not there", "/no/such/file", 0, "file-none", ENOENT },
	{ "a path through a file", "/proc/self/exe/x", 0, "file-none", ENOTDIR },
	{ "a device is not a program", "/dev/null", 0, "file-refused", EINVAL },
	{ "an offset after the end", "/proc/self/exe", UINT64_C(1) << 40, "probe-offset", EINVAL },
};

static void test_probe(void **state)
{
	const struct probe_case *test = *state;
	long type = read_type("uprobe");
	struct pmuq_attr attr = { .type = (uint32_t)type, .size = 72, .config2 = test->offset };
	const struct pq_open_request request = {
		.attr = &attr, .cpus = "", .pmu = "uprobe", .text = test->path
	};

	if (type < 0)
		skip();
	need_all_capabilities();
	expect_row(&request, (struct pq_open_scope){ 0 }, test->row, test->errnum);
}

/* -------------------------------------------------------------------------------- counting */

static struct pmuq_counts *measure(const struct pq_open_request *requests, size_t n,
				   struct pq_open_scope scope, bool wants_page)
{
	const struct pq_opener opener = { pq_kernel_running(), pq_host_at("/"), scope };
	const struct pmuq_open_options how = { .work_ms = 20, .wants_page = wants_page };
	struct pmuq_counts *counts = NULL;
	size_t before = count_descriptors();

	need_all_capabilities();
	assert_int_equal(pq_count_requests(&opener, requests, n, &how, &counts, NULL), 0);
	assert_int_equal(count_descriptors(), before);
	return counts;
}

static uint64_t value_of(const struct pmuq_counts *counts, size_t index)
{
	const struct pmuq_count *count = pmuq_counts_get(counts, index);

	assert_int_equal(count->status, PMUQ_COUNTED);
	assert_true(count->is_read);
	return count->value;
}

static void work_is_counted(void **state)
{
	const struct pq_open_request requests[] = {
		{ .attr = &clock_event, .cpus = "" },
		{ .attr = &pages, .cpus = "" },
		{ .attr = &clock_event, .cpus = "0", .needs_cpu = true },
	};
	struct pmuq_counts *counts =
		measure(requests, COUNT(requests), (struct pq_open_scope){ 0 }, false);

	(void)state;
	assert_true(value_of(counts, 0) > 100000);
	assert_true(value_of(counts, 1) >= 16);
	assert_true(value_of(counts, 2) >= 10000000);
	pmuq_counts_free(counts);
}

/* What this task does on one CPU: pages that it touches first. */
static int open_pages_on(int cpu)
{
	struct pmuq_attr attr = pages;

	return (int)syscall(SYS_perf_event_open, &attr, 0, cpu, -1, 0);
}

static void work_visits_each_cpu_and_returns(void **state)
{
	auto_arena struct pq_arena arena = PQ_ARENA(SIZE_MAX);
	struct pq_cpus cpus;
	const struct pq_busy_work work = {
		.ms = 5, .cpus = &cpus, .visits_each = true, .scratch = &arena
	};
	cpu_set_t before, after;
	int fds[2] = { -1, -1 };

	(void)state;
	need_all_capabilities();
	assert_true(pq_cpus_parse(&arena, STR("0-1"), &cpus));
	assert_int_equal(sched_getaffinity(0, sizeof(before), &before), 0);
	for (int cpu = 0; cpu < (int)COUNT(fds); cpu++) {
		if (!CPU_ISSET(cpu, &before))
			continue;
		fds[cpu] = open_pages_on(cpu);
		assert_true(fds[cpu] >= 0);
	}
	pq_busy_work_do(&work);
	assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
	assert_true(CPU_EQUAL(&before, &after));
	for (size_t i = 0; i < COUNT(fds); i++) {
		uint64_t n = 0;

		if (fds[i] < 0)
			continue;
		assert_int_equal(read(fds[i], &n, sizeof(n)), sizeof(n));
		assert_true(n > 0);
		close(fds[i]);
	}
}

/* One ring for two events, through the functions of the kernel. */
static void an_event_can_write_to_the_ring_of_another(void **state)
{
	const struct pq_kernel kernel = pq_kernel_running();
	struct pmuq_attr attr = user_clock;
	int first, second;
	void *ring;

	(void)state;
	attr.sample_period = 1000000;
	first = kernel.open_event(kernel.self, &attr, 0, -1, -1, 0);
	second = kernel.open_event(kernel.self, &attr, 0, -1, -1, 0);
	if (first < 0 || second < 0)
		skip();
	assert_int_equal(kernel.redirect(kernel.self, second, first), -EINVAL);
	assert_int_equal(kernel.map(kernel.self, first, 2 * pq_page_bytes(), true, &ring), 0);
	assert_int_equal(kernel.redirect(kernel.self, second, first), 0);
	kernel.unmap(kernel.self, ring, 2 * pq_page_bytes());
	kernel.close_event(kernel.self, second);
	kernel.close_event(kernel.self, first);
}

static void work_without_a_cpu_is_done_where_the_thread_is(void **state)
{
	const struct pq_cpus none = { 0 };
	const struct pq_busy_work work = { .ms = 5, .cpus = &none, .visits_each = true };
	uint64_t before, after;
	int fd;

	(void)state;
	need_all_capabilities();
	fd = open_pages_on(-1);
	assert_int_equal(read(fd, &before, sizeof(before)), sizeof(before));
	pq_busy_work_do(&work);
	assert_int_equal(read(fd, &after, sizeof(after)), sizeof(after));
	close(fd);
	assert_true(after > before);
}

static void the_time_stamp_counter_counts(void **state)
{
	long type = read_type("msr");
	struct pmuq_attr attr = { .type = (uint32_t)type, .size = 64 };
	const struct pq_open_request request = { .attr = &attr, .cpus = "", .pmu = "msr" };
	const struct pmuq_page *page;
	struct pmuq_counts *counts;

	(void)state;
	if (type < 0)
		skip();
	counts = measure(&request, 1, (struct pq_open_scope){ 0 }, true);
	assert_true(value_of(counts, 0) > 100000);
	page = pmuq_counts_get(counts, 0)->page;
	assert_non_null(page);
	assert_int_equal(page->errnum, 0);
	assert_true(page->is_read == !page->reason.p);
	pmuq_counts_free(counts);
}

/* If the core PMU allows it, user space reads the same count as the kernel. */
static void a_counter_is_read_in_user_space(void **state)
{
	const struct pmuq_attr cycles = {
		.type = PQ_TYPE_HARDWARE, .size = 64, .exclude_kernel = 1, .exclude_hv = 1
	};
	const struct pq_open_request request = { .attr = &cycles, .cpus = "" };
	struct pmuq_counts *counts = measure(&request, 1, (struct pq_open_scope){ 0 }, true);
	const struct pmuq_page *page = pmuq_counts_get(counts, 0)->page;
	bool is_read = page && page->is_read;

	(void)state;
	if (is_read)
		assert_true(page->value > 0 && page->value <= value_of(counts, 0));
	pmuq_counts_free(counts);
	if (!is_read)
		skip();
}

static void a_sleeping_task_is_idle(void **state)
{
	const struct pq_open_request request = { .attr = &user_clock, .cpus = "" };
	pid_t child = fork();
	struct pmuq_counts *counts;

	(void)state;
	assert_true(child >= 0);
	if (child == 0) {
		pause();
		_exit(0);
	}
	usleep(50000);
	counts = measure(&request, 1, (struct pq_open_scope){ .pid = child }, false);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(pmuq_counts_get(counts, 0)->status, PMUQ_TARGET_IDLE);
	pmuq_counts_free(counts);
}

/* An x86 CPU has four breakpoint registers: the fifth begins another group. */
static void a_group_of_five_breakpoints_is_split(void **state)
{
	struct pmuq_attr attr = {
		.type = PQ_TYPE_BREAKPOINT, .size = 72, .bp_type = 3, .config1 = 0x10, .config2 = 4
	};
	struct pq_open_request requests[5];
	struct pmuq_counts *counts;

	(void)state;
#ifndef __x86_64__
	skip();
#endif
	if (read_type("breakpoint") < 0)
		skip();
	for (size_t i = 0; i < COUNT(requests); i++)
		requests[i] = (struct pq_open_request){ .attr = &attr, .cpus = "", .members = 5 };
	counts = measure(requests, COUNT(requests), (struct pq_open_scope){ 0 }, false);
	assert_true(pmuq_counts_get(counts, 0)->is_grouped);
	assert_int_equal(pmuq_counts_get(counts, 0)->n_subgroups, 2);
	assert_int_equal(pmuq_counts_get(counts, 0)->breaker, 4);
	for (size_t i = 0; i < COUNT(requests); i++) {
		assert_int_equal(pmuq_counts_get(counts, i)->status, PMUQ_ALWAYS_ZERO);
		assert_int_equal(pmuq_counts_get(counts, i)->subgroup, i / 4);
	}
	pmuq_counts_free(counts);
}

int main(void)
{
	const struct CMUnitTest single[] = {
		cmocka_unit_test(a_child_can_be_counted_until_it_ends),
		cmocka_unit_test(the_task_of_another_user_is_refused),
		cmocka_unit_test(a_missing_cpu_is_reported),
		cmocka_unit_test(the_root_cgroup_opens_or_has_a_reason),
		cmocka_unit_test(a_directory_is_not_a_cgroup),
		cmocka_unit_test(work_is_counted),
		cmocka_unit_test(work_visits_each_cpu_and_returns),
		cmocka_unit_test(an_event_can_write_to_the_ring_of_another),
		cmocka_unit_test(work_without_a_cpu_is_done_where_the_thread_is),
		cmocka_unit_test(the_time_stamp_counter_counts),
		cmocka_unit_test(a_counter_is_read_in_user_space),
		cmocka_unit_test(a_sleeping_task_is_idle),
		cmocka_unit_test(a_group_of_five_breakpoints_is_split),
	};
	struct CMUnitTest tests[COUNT(single) + COUNT(probes)];
	size_t n = 0;

	for (size_t i = 0; i < COUNT(single); i++)
		tests[n++] = single[i];
	n += ADD_ROWS(tests + n, test_probe, probes, name);
	return _cmocka_run_group_tests("kernel_count", tests, n, NULL, NULL);
}
