/* SPDX-License-Identifier: MIT */
/*
 * What the caller can choose to count: another task, CPUs, a cgroup; the facts about a task; how
 * many descriptors are needed. The kernel is a fake, the machine a temporary directory.
 */
#include "core/attr/attr.h"
#include "core/sized.h"
#include "open/host/open_host.h"
#include "open/open.h"
#include "open/scope.h"
#include "tests/harness/failing_malloc.h"
#include "tests/harness/fake_kernel.h"
#include "tests/harness/names.h"
#include "tests/unit/tree.h"
#include <pmuq/codes.h>

static const struct pmuq_attr software = { .type = PQ_TYPE_SOFTWARE, .size = 64, .config = 2 };
static const struct pmuq_attr uncore = { .type = 40, .size = 64, .config = 0x10 };

/* A kernel, a host with the CPUs 0-7, and the results of the last call. */
struct fixture {
	struct fake_kernel kernel;
	struct fake_host host;
	struct pq_open_scope scope;
	struct pmuq_open_results *results;
};

static struct pq_opener opener_of(struct fixture *fixture)
{
	fixture->host.view.cpus_online = STR("0-7");
	return (struct pq_opener){
		fake_kernel_interface(&fixture->kernel),
		fake_host_interface(&fixture->host),
		fixture->scope,
	};
}

static void test_open(struct fixture *fixture, const struct pq_open_request *requests, size_t n)
{
	const struct pq_opener opener = opener_of(fixture);

	assert_int_equal(pq_open_requests(&opener, requests, n, &fixture->results, NULL), 0);
	assert_int_equal(fixture->kernel.n_open, 0);
	assert_int_equal(fixture->kernel.n_switched_on, 0);
	if (fixture->kernel.misuse)
		fail_msg("%s", fixture->kernel.misuse);
}

static void expect_opened(const struct fixture *fixture, size_t index, int pid, const char *cpus)
{
	assert_int_equal(pmuq_open_results_get(fixture->results, index)->status, PMUQ_OPENED);
	assert_int_equal(pmuq_open_results_get(fixture->results, index)->pid, pid);
	assert_string_equal(pmuq_open_results_get(fixture->results, index)->cpus.p, cpus);
}

static void another_task_is_opened_by_its_number(void **state)
{
	const struct pq_open_request requests[] = {
		{ .attr = &software, .cpus = "0-7" },
		{ .attr = &uncore, .cpus = "0", .needs_cpu = true },
	};
	struct fixture fixture = { .scope = { .pid = 77 } };

	(void)state;
	test_open(&fixture, requests, 2);
	expect_opened(&fixture, 0, 77, "-1");
	expect_opened(&fixture, 1, 77, "-1");
	assert_int_equal(fixture.kernel.last.pid, 77);
	assert_int_equal(fixture.kernel.last.cpu, -1);
	assert_int_equal(fixture.kernel.cpus_opened, 0);
	pmuq_open_results_free(fixture.results);
}

static bool is_per_task(const struct pq_open_call *t)
{
	return t->pid >= 0;
}

static void a_chosen_task_is_not_replaced_by_a_cpu(void **state)
{
	const struct fake_rule rule = { .fits = is_per_task, .errnum = EINVAL };
	const struct pq_open_request request = { .attr = &uncore, .cpus = "0" };
	struct fixture fixture = { .kernel = { .rules = &rule, .n_rules = 1 },
				   .scope = { .pid = 77 } };

	(void)state;
	test_open(&fixture, &request, 1);
	assert_int_equal(pmuq_open_results_get(fixture.results, 0)->status, PMUQ_REFUSED);
	assert_string_equal(pmuq_open_results_get(fixture.results, 0)->name.p, "per-cpu-target");
	assert_string_equal(pmuq_open_results_get(fixture.results, 0)->steps[0].p, "per-cpu");
	pmuq_open_results_free(fixture.results);
}

static void chosen_cpus_are_opened_for_all_tasks(void **state)
{
	const struct pq_open_request requests[] = { { .attr = &software, .cpus = "0-7" },
						    { .attr = &software, .cpus = "" } };
	struct fixture fixture = { .scope = { .cpus = "1,4-5" } };

	(void)state;
	test_open(&fixture, requests, COUNT(requests));
	expect_opened(&fixture, 0, -1, "1,4-5");
	expect_opened(&fixture, 1, -1, "1,4-5");
	assert_int_equal(fixture.kernel.cpus_opened, 0x32);
	assert_null(pmuq_open_results_get(fixture.results, 0)->hint.p);
	assert_null(pmuq_open_results_get(fixture.results, 1)->hint.p);
	assert_int_equal(fixture.host.n_views, 0);
	pmuq_open_results_free(fixture.results);
}

static void a_task_can_be_opened_on_chosen_cpus(void **state)
{
	const struct pq_open_request request = { .attr = &software, .cpus = "0-7" };
	struct fixture fixture = { .scope = { .pid = 77, .cpus = "3" } };

	(void)state;
	test_open(&fixture, &request, 1);
	expect_opened(&fixture, 0, 77, "3");
	assert_int_equal(fixture.kernel.last.pid, 77);
	assert_int_equal(fixture.kernel.last.cpu, 3);
	pmuq_open_results_free(fixture.results);
}

static void cpus_of_other_pmus_are_left_out(void **state)
{
	const struct pq_open_request request = { .attr = &uncore,
						 .cpus = "0,4",
						 .needs_cpu = true };
	struct fixture fixture = { .scope = { .cpus = "0-7" } };

	(void)state;
	test_open(&fixture, &request, 1);
	expect_opened(&fixture, 0, -1, "0,4");
	assert_int_equal(fixture.kernel.cpus_opened, 0x11);
	assert_non_null(strstr(pmuq_open_results_get(fixture.results, 0)->hint.p, "left out"));
	pmuq_open_results_free(fixture.results);
}

static void the_first_cpu_is_left_out_if_the_pmu_has_others(void **state)
{
	const struct pq_open_request request = { .attr = &uncore,
						 .cpus = "2-3",
						 .needs_cpu = true };
	struct fixture fixture = { .scope = { .cpus = "0-2" } };

	(void)state;
	test_open(&fixture, &request, 1);
	expect_opened(&fixture, 0, -1, "2");
	pmuq_open_results_free(fixture.results);
}

static void a_cgroup_is_opened_on_a_cpu_if_none_is_known(void **state)
{
	const struct pq_open_request request = { .attr = &software, .cpus = "" };
	struct fixture fixture = { .scope = { .cgroup = "/web", .cgroup_fd = 9 } };
	struct pq_opener opener = opener_of(&fixture);

	(void)state;
	fixture.host.view.cpus_online = STR("");
	assert_int_equal(pq_open_requests(&opener, &request, 1, &fixture.results, NULL), 0);
	expect_opened(&fixture, 0, -1, "0");
	pmuq_open_results_free(fixture.results);
}

static void offline_cpus_are_not_left_out(void **state)
{
	const struct pq_open_request request = { .attr = &software, .cpus = "0-7" };
	struct fixture fixture = { .scope = { .cpus = "6-9" } };

	(void)state;
	test_open(&fixture, &request, 1);
	expect_opened(&fixture, 0, -1, "6-9");
	pmuq_open_results_free(fixture.results);
}

static void cpus_outside_the_pmus_list_are_tried_if_there_are_no_others(void **state)
{
	const struct pq_open_request request = { .attr = &uncore, .cpus = "0", .needs_cpu = true };
	struct fixture fixture = { .scope = { .cpus = "3" } };

	(void)state;
	test_open(&fixture, &request, 1);
	expect_opened(&fixture, 0, -1, "3");
	assert_non_null(
		strstr(pmuq_open_results_get(fixture.results, 0)->hint.p, "sysfs lists others"));
	pmuq_open_results_free(fixture.results);
}

static void a_cgroup_is_opened_on_each_cpu(void **state)
{
	const struct pq_open_request requests[] = { { .attr = &software, .cpus = "2-3" },
						    { .attr = &software, .cpus = "" } };
	struct fixture fixture = { .scope = { .cgroup = "/web", .cgroup_fd = 9 } };

	(void)state;
	test_open(&fixture, requests, 2);
	expect_opened(&fixture, 0, -1, "2-3");
	expect_opened(&fixture, 1, -1, "0-7");
	assert_true(fixture.kernel.last.is_cgroup);
	assert_int_equal(fixture.kernel.last.pid, 9);
	assert_int_equal(fixture.kernel.n_calls, 10);
	pmuq_open_results_free(fixture.results);
}

static void a_group_is_opened_on_the_chosen_cpus(void **state)
{
	const struct pq_open_request requests[] = {
		{ .attr = &software, .cpus = "0-7", .leader = 0, .members = 2 },
		{ .attr = &uncore, .cpus = "4", .leader = 0, .members = 2, .needs_cpu = true },
	};
	struct fixture fixture = { .scope = { .cpus = "4-5" } };

	(void)state;
	test_open(&fixture, requests, 2);
	expect_opened(&fixture, 0, -1, "4");
	expect_opened(&fixture, 1, -1, "4");
	assert_int_equal(fixture.kernel.n_open_max, 2);
	pmuq_open_results_free(fixture.results);
}

/* ----------------------------------------------------------------------------- descriptors */

static struct pmuq_budget budget_of(struct fixture *fixture, const struct pq_open_request *requests,
				    size_t n)
{
	const struct pq_opener opener = opener_of(fixture);
	struct pmuq_budget budget;

	assert_int_equal(pq_budget_find(&opener, requests, n, &budget), 0);
	assert_int_equal(fixture->kernel.n_calls, 0);
	return budget;
}

static void a_budget_is_events_times_cpus(void **state)
{
	const struct pmuq_attr tool = { .type = UINT32_MAX, .size = 64 };
	const struct pq_open_request requests[] = {
		{ .attr = &software, .cpus = "0-7" },
		{ .attr = &uncore, .cpus = "0,4", .needs_cpu = true },
		{ .attr = &software, .cpus = "", .leader = 2, .members = 2 },
		{ .attr = &uncore, .cpus = "0-3", .leader = 2, .members = 2, .needs_cpu = true },
		{ .attr = &tool, .cpus = "" },
		{ .attr = &tool, .cpus = "", .leader = 5, .members = 2 },
		{ .attr = &software, .cpus = "", .leader = 5, .members = 2 },
		{ .cpus = "" },
	};
	const struct pq_open_request leader_last[] = {
		{ .attr = &uncore, .cpus = "0-3", .leader = 1, .members = 2, .needs_cpu = true },
		{ .attr = &software, .cpus = "", .leader = 1, .members = 2 },
	};
	struct fixture fixture = { .host.files = {
					   .n_open = 3, .limit = 1024, .hard_limit = 4096 } };
	struct pmuq_budget budget;

	(void)state;
	budget = budget_of(&fixture, requests, COUNT(requests));
	assert_int_equal(budget.needed, 1 + 2 + 2 * 4 + 1);
	assert_int_equal(budget.in_use, 3);
	assert_true(pmuq_budget_fits(&budget));

	budget = budget_of(&fixture, leader_last, COUNT(leader_last));
	assert_int_equal(budget.needed, 2 * 4);

	fixture.scope.cpus = "0-7";
	budget = budget_of(&fixture, requests, 1);
	assert_int_equal(budget.needed, 8);
	fixture.scope = (struct pq_open_scope){ .cgroup = "x" };
	budget = budget_of(&fixture, requests, 2);
	assert_int_equal(budget.needed, 8 + 2);
}

static void a_budget_fails_without_memory_for_the_descriptors_in_use(void **state)
{
	const struct pq_open_request request = { .attr = &software, .cpus = "" };
	struct fixture fixture = { .host.files.has_no_memory = true };
	const struct pq_opener opener = opener_of(&fixture);
	struct pmuq_budget budget;

	(void)state;
	assert_int_equal(pq_budget_find(&opener, &request, 1, &budget), -PMUQ_E_MEMORY);
}

static void a_budget_without_memory_for_a_group_fails(void **state)
{
	const struct pq_open_request requests[] = {
		{ .attr = &software, .cpus = "0-7", .members = 2 },
		{ .attr = &uncore, .cpus = "4", .members = 2, .needs_cpu = true },
	};
	bool has_failed = true;
	unsigned n = 0;

	(void)state;
	for (; has_failed; n++) {
		struct fixture fixture = { .scope = { .cpus = "4-5" } };
		const struct pq_opener opener = opener_of(&fixture);
		struct pmuq_budget budget;
		int r;

		fail_malloc_at(n);
		r = pq_budget_find(&opener, requests, COUNT(requests), &budget);
		has_failed = fail_malloc_no_more();
		assert_int_equal(r, has_failed ? -PMUQ_E_MEMORY : 0);
	}
	assert_true(n > 2);
}

static void expect_text(struct pmuq_budget budget, bool fits, const char *want)
{
	char *text = pmuq_budget_text(&budget);

	assert_non_null(text);
	assert_string_equal(text, want);
	assert_int_equal(pmuq_budget_fits(&budget), fits);
	free(text);
}

static void a_budget_has_a_text_and_a_remedy(void **state)
{
	(void)state;
	expect_text((struct pmuq_budget){ .needed = 6, .in_use = 7, .limit = 20000 }, true,
		    "file descriptors: 6 needed, 7 in use, limit 20,000");
	expect_text((struct pmuq_budget){ .needed = 1000, .in_use = 999, .limit = 1000000 }, true,
		    "file descriptors: 1,000 needed, 999 in use, limit 1,000,000");
	expect_text((struct pmuq_budget){ .needed = 1, .in_use = 3, .limit = 4, .hard_limit = 4 },
		    true, "file descriptors: 1 needed, 3 in use, limit 4");
	expect_text((struct pmuq_budget){ .needed = 4, .in_use = UINT64_MAX, .limit = 4 }, true,
		    "file descriptors: 4 needed, an unknown number in use, limit 4");
	expect_text(
		(struct pmuq_budget){
			.needed = 1280, .in_use = 1, .limit = 1024, .hard_limit = 4096 },
		false,
		"file descriptors: 1,280 needed, 1 in use, limit 1,024 (hard limit 4,096): raise "
		"it with ulimit -n 1281");
	expect_text(
		(struct pmuq_budget){
			.needed = 4095, .in_use = 1, .limit = 1024, .hard_limit = 4096 },
		false,
		"file descriptors: 4,095 needed, 1 in use, limit 1,024 (hard limit 4,096): raise "
		"it with ulimit -n 4096");
	expect_text((struct pmuq_budget){ .needed = 1002003, .limit = 8, .hard_limit = 8 }, false,
		    "file descriptors: 1,002,003 needed, 0 in use, limit 8 (hard limit 8): open "
		    "fewer events or CPUs at once, or let root raise the hard limit");
	expect_text((struct pmuq_budget){ .needed = 999,
					  .limit = UINT64_MAX,
					  .hard_limit = UINT64_MAX },
		    true, "file descriptors: 999 needed, 0 in use, limit unlimited");
	expect_text((struct pmuq_budget){ .needed = UINT64_MAX,
					  .in_use = 9,
					  .limit = UINT64_MAX,
					  .hard_limit = UINT64_MAX },
		    true,
		    "file descriptors: 18,446,744,073,709,551,615 needed, 9 in use, limit "
		    "unlimited");
}

/* --------------------------------------------------------------------------------- options */

static void refuse_options(const struct pmuq_open_options *options, enum pmuq_code code)
{
	struct pmuq_open_options known;
	struct pq_open_scope scope;
	struct pmuq_error *error = NULL;
	int r = pq_sized_take(options, &known, sizeof(known), &error);

	if (r == 0)
		r = pq_open_scope_init("/", &known, &scope, &error);
	assert_int_equal(r, -(int)code);
	assert_int_equal(error->code, code);
	pmuq_error_free(error);
}

static void options_are_checked(void **state)
{
	struct {
		struct pmuq_open_options options;
		uint64_t tail;
	} longer = { .options = { .size = sizeof(longer) } };
	struct pmuq_open_options known;

	(void)state;
	assert_int_equal(pq_sized_take(NULL, &known, sizeof(known), NULL), 0);
	assert_int_equal(pq_sized_take(&longer.options, &known, sizeof(known), NULL), 0);
	longer.tail = 1;
	refuse_options(&longer.options, PMUQ_E_BAD_CALL);
	refuse_options(&(struct pmuq_open_options){ .size = 0 }, PMUQ_E_BAD_CALL);
	refuse_options(&(struct pmuq_open_options){ .size = sizeof(known), .pid = -1 },
		       PMUQ_E_BAD_CALL);
	refuse_options(
		&(struct pmuq_open_options){ .size = sizeof(known), .pid = 1, .cgroup = "/" },
		PMUQ_E_BAD_CALL);
	refuse_options(&(struct pmuq_open_options){ .size = sizeof(known), .cpus = "0..3" },
		       PMUQ_E_BAD_CPUS);
	refuse_options(&(struct pmuq_open_options){ .size = sizeof(known), .cpus = "" },
		       PMUQ_E_BAD_CPUS);
	refuse_options(
		&(struct pmuq_open_options){ .size = sizeof(known), .cgroup = "/no/such/group" },
		PMUQ_E_NO_CGROUP);
}

static void options_of_an_older_caller_are_shorter(void **state)
{
	struct pmuq_open_options older = {
		.size = offsetof(struct pmuq_open_options, work_ms),
		.pid = 5,
		.work_ms = 77,
	};
	struct pmuq_open_options known;

	(void)state;
	assert_int_equal(pq_sized_take(&older, &known, sizeof(known), NULL), 0);
	assert_int_equal(known.pid, 5);
	assert_int_equal(known.work_ms, 0);
}

/* ------------------------------------------------------------------------- cgroups and tasks */

static int make_tree(void **state)
{
	struct tree *tree = calloc(1, sizeof(*tree));

	assert_non_null(tree);
	tree_make(tree);
	*state = tree;
	return 0;
}

static int remove_tree(void **state)
{
	tree_remove(*state);
	free(*state);
	return 0;
}

#define MOUNT_V2 "30 23 0:26 / /cg/two rw,nosuid shared:4 - cgroup2 cgroup2 rw\n"
#define MOUNT_V1 "31 23 0:27 / /cg/one rw - cgroup cgroup rw,cpu\n"
#define MOUNT_PERF "32 23 0:28 / /cg/perf rw - cgroup cgroup rw,perf_event\n"
#define MOUNT_ROOT "23 1 8:1 / / rw,relatime - ext4 /dev/vda rw\nrubbish\n"

/* `mark` is a file in the directory of the cgroup; NULL: there is no such cgroup. */
static void expect_cgroup(const struct tree *tree, const char *name, const char *mark)
{
	struct pmuq_error *error = NULL;
	int fd = pq_cgroup_open(tree->dir, name, &error);

	if (!mark) {
		char *mounts = tree_path(tree, "proc/self/mountinfo");
		bool has_mount = faccessat(AT_FDCWD, mounts, F_OK, 0) == 0;

		assert_int_equal(fd, -PMUQ_E_NO_CGROUP);
		assert_non_null(strstr(error->hint.p, has_mount ? "a directory below /cg/"
								: "no cgroup file system"));
		free(mounts);
		pmuq_error_free(error);
		return;
	}
	assert_true(fd >= 0);
	assert_int_equal(faccessat(fd, mark, F_OK, 0), 0);
	close(fd);
}

static void a_cgroup_is_found_below_its_mount(void **state)
{
	const struct tree *tree = *state;

	tree_file(tree, "proc/self/mountinfo", MOUNT_ROOT MOUNT_V1 MOUNT_V2);
	tree_file(tree, "cg/two/a/mark2", "");
	tree_file(tree, "cg/perf/a/markp", "");
	tree_file(tree, "cg/one/b/mark1", "");
	expect_cgroup(tree, "/a", "mark2");
	expect_cgroup(tree, "a", "mark2");
	expect_cgroup(tree, "/", "a");
	expect_cgroup(tree, "/cg/two/a", "mark2");
	expect_cgroup(tree, "/cg/one/b", "mark1");
	expect_cgroup(tree, "/b", NULL);
	expect_cgroup(tree, "b", NULL);
	expect_cgroup(tree, "/a/mark2", NULL);
	tree_file(tree, "proc/self/mountinfo", MOUNT_ROOT MOUNT_V2 MOUNT_PERF);
	expect_cgroup(tree, "/a", "markp");
}

/* Neither other file systems nor later mounts count. */
static void the_first_mount_of_cgroup2_counts(void **state)
{
	const struct tree *tree = *state;

	tree_file(tree, "proc/self/mountinfo",
		  MOUNT_ROOT MOUNT_V2 "33 23 0:29 / /cg/late rw - cgroup2 cgroup2 rw\n" MOUNT_V1
				      "34 23 0:30 / /cg/other rw - tmpfs tmpfs rw\n");
	tree_file(tree, "cg/two/a/mark2", "");
	tree_file(tree, "cg/late/a/late", "");
	tree_file(tree, "cg/other/a/other", "");
	tree_file(tree, "cg/one/a/mark1", "");
	expect_cgroup(tree, "/a", "mark2");
}

/* If standard input is closed, the machine is descriptor 0. */
static void descriptor_zero_may_be_the_machine(void **state)
{
	const struct tree *tree = *state;
	const struct pq_host host = pq_host_at(tree->dir);
	auto_arena struct pq_arena arena = PQ_ARENA(SIZE_MAX);
	struct pq_host_view view;
	struct pq_task_view task;
	struct pq_pmu_view pmu;
	int input = dup(0);

	tree_file(tree, "proc/self/mountinfo", MOUNT_ROOT MOUNT_V2);
	tree_file(tree, "cg/two/a/mark2", "");
	tree_file(tree, "proc/sys/kernel/perf_event_paranoid", "1\n");
	tree_file(tree, "proc/5/status", "State:\tZ (zombie)\n");
	tree_file(tree, "sys/bus/event_source/devices/acme/type", "21\n");
	close(0);
	expect_cgroup(tree, "a", "mark2");
	host.read_view(&host, &arena, &view);
	assert_true(view.has_paranoid);
	host.read_task(&host, 5, &task);
	assert_true(task.is_dead);
	host.read_pmu(&host, "acme", &pmu);
	assert_true(pmu.has_type);
	if (input >= 0) {
		assert_int_equal(dup2(input, 0), 0);
		close(input);
	}
}

static void the_directory_of_a_cgroup_is_open_until_the_scope_is_closed(void **state)
{
	const struct tree *tree = *state;
	const struct pmuq_open_options options = { .size = sizeof(options),
						   .cgroup = "/cg/two/a" };
	size_t n_files = count_descriptors();
	struct pq_open_scope scope;

	tree_file(tree, "cg/two/a/mark2", "");
	assert_int_equal(pq_open_scope_init(tree->dir, &options, &scope, NULL), 0);
	assert_int_equal(faccessat(scope.cgroup_fd, "mark2", F_OK, 0), 0);
	pq_open_scope_close(&scope);
	assert_int_equal(count_descriptors(), n_files);
}

static void without_a_mount_only_paths_are_found(void **state)
{
	const struct tree *tree = *state;

	tree_file(tree, "cg/two/a/mark2", "");
	expect_cgroup(tree, "/cg/two/a", "mark2");
	expect_cgroup(tree, "cg/two/a", NULL);
	expect_cgroup(tree, "/a", NULL);
}

static void a_cgroup_is_not_missing_because_memory_is(void **state)
{
	const struct tree *tree = *state;
	unsigned n = 0;
	int fd;

	tree_file(tree, "proc/self/mountinfo", MOUNT_ROOT MOUNT_V2);
	tree_file(tree, "cg/two/a/mark2", "");
	for (;; n++) {
		fail_malloc_at(n);
		fd = pq_cgroup_open(tree->dir, "a", NULL);
		if (!fail_malloc_no_more())
			break;
		assert_int_equal(fd, -PMUQ_E_MEMORY);
	}
	assert_true(n > 0 && fd >= 0);
	close(fd);
}

static struct pq_task_view task_of(const struct tree *tree, const char *status)
{
	const struct pq_host host = pq_host_at(tree->dir);
	struct pq_task_view view;

	tree_file(tree, "proc/thread-self/status", "Name:\tme\nUid:\t0\t1000\t1000\t1000\n");
	tree_file(tree, "proc/5/status", status);
	pq_task_view_read(&host, 5, &view);
	return view;
}

static void the_users_of_a_task_are_compared(void **state)
{
	const struct tree *tree = *state;

	assert_false(
		task_of(tree, "Name:\tx\nState:\tS (sleeping)\nUid:\t0\t0\t0\t0\n").is_foreign);
	assert_true(task_of(tree, "Uid:\t0\t0\t1\t0\n").is_foreign);
	assert_true(task_of(tree, "Uid:\t1\t0\t0\t0\n").is_foreign);
	assert_true(task_of(tree, "Uid:\t33\t33\t33\t33\n").is_foreign);
	assert_int_equal(task_of(tree, "Uid:\t33\t34\t33\t33\n").user, 34);
	assert_false(task_of(tree, "nothing\n").is_foreign);
	assert_false(task_of(tree, "Uid:\t0\t0\t0\t0\n").is_gone);
}

static void a_zombie_is_not_a_missing_task(void **state)
{
	const struct tree *tree = *state;
	const struct pq_host host = pq_host_at(tree->dir);
	const struct pq_host nowhere = pq_host_at("/nonexistent-root");
	struct pq_task_view view;

	assert_true(task_of(tree, "State:\tZ (zombie)\nUid:\t0\t0\t0\t0\n").is_dead);
	assert_false(task_of(tree, "State:\tR (running)\nUid:\t0\t0\t0\t0\n").is_dead);
	pq_task_view_read(&host, 6, &view);
	assert_true(view.is_gone);
	pq_task_view_read(&nowhere, 6, &view);
	assert_false(view.is_gone);
}

static void a_task_is_protected_if_another_user_owns_its_files(void **state)
{
	const struct tree *tree = *state;
	char text[64];

	snprintf(text, sizeof(text), "Uid:\t%u\t%u\t%u\t0\n", getuid(), getuid(), getuid());
	assert_false(task_of(tree, text).is_protected);
	/* The effective user owns them. */
	snprintf(text, sizeof(text), "Uid:\t%u\t%u\t%u\t0\n", getuid() + 1, getuid(), getuid());
	assert_false(task_of(tree, text).is_protected);
	snprintf(text, sizeof(text), "Uid:\t%u\t%u\t%u\t0\n", getuid() + 1, getuid() + 1, 0);
	assert_true(task_of(tree, text).is_protected);
}

static void yama_is_read(void **state)
{
	const struct tree *tree = *state;

	assert_false(task_of(tree, "").has_yama);
	tree_file(tree, "proc/sys/kernel/yama/ptrace_scope", "0\n");
	assert_false(task_of(tree, "").has_yama);
	tree_file(tree, "proc/sys/kernel/yama/ptrace_scope", "1\n");
	assert_true(task_of(tree, "").has_yama);
}

static void a_task_without_memory_to_read_it_is_marked(void **state)
{
	const struct tree *tree = *state;
	const struct pq_host host = pq_host_at(tree->dir);
	struct pq_task_view view = task_of(tree, "Uid:\t33\t33\t33\t33\n");
	unsigned n = 0;

	assert_false(view.has_no_memory);
	for (;; n++) {
		fail_malloc_at(n);
		pq_task_view_read(&host, 5, &view);
		if (!fail_malloc_no_more())
			break;
		assert_true(view.has_no_memory);
	}
	assert_true(n > 0 && view.is_foreign);
}

static void a_pmu_without_memory_to_read_it_is_marked(void **state)
{
	const struct tree *tree = *state;
	const struct pq_host host = pq_host_at(tree->dir);
	struct pq_pmu_view pmu;
	size_t n_files = count_descriptors();
	unsigned n = 0;

	tree_file(tree, "sys/bus/event_source/devices/acme/type", "21\n");
	tree_file(tree, "sys/bus/event_source/devices/acme/format/event", "config:0-7\n");
	for (;; n++) {
		fail_malloc_at(n);
		host.read_pmu(&host, "acme", &pmu);
		if (!fail_malloc_no_more())
			break;
		assert_true(pmu.has_no_memory);
		assert_int_equal(count_descriptors(), n_files);
	}
	assert_true(n > 2 && pmu.exists && pmu.known[0] == 0xff && !pmu.has_no_memory);
}

/* The two that read them do not count. */
static void descriptors_are_those_of_the_directory(void **state)
{
	const struct tree *tree = *state;
	const struct pq_host host = pq_host_at(tree->dir);
	struct pq_files_view files;

	tree_dir(tree, "proc/self/fd");
	pq_process_files_read(&host, &files);
	assert_true(files.n_open == UINT64_MAX);
	tree_file(tree, "proc/self/fd/0", "");
	pq_process_files_read(&host, &files);
	assert_true(files.n_open == UINT64_MAX);
	tree_file(tree, "proc/self/fd/1", "");
	pq_process_files_read(&host, &files);
	assert_int_equal(files.n_open, 0);
	tree_file(tree, "proc/self/fd/2", "");
	pq_process_files_read(&host, &files);
	assert_int_equal(files.n_open, 1);
}

static void descriptors_of_this_process_are_counted(void **state)
{
	const struct pq_host host = pq_host_at("/");
	const struct pq_host nowhere = pq_host_at("/nonexistent-root");
	struct pq_files_view before, after;
	int fd;

	(void)state;
	pq_process_files_read(&host, &before);
	fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	pq_process_files_read(&host, &after);
	close(fd);
	assert_true(before.limit > 0 && before.limit <= before.hard_limit);
	if (before.n_open != UINT64_MAX)
		assert_int_equal(after.n_open, before.n_open + 1);
	pq_process_files_read(&nowhere, &after);
	assert_true(after.n_open == UINT64_MAX);
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, make_tree, remove_tree)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(another_task_is_opened_by_its_number),
		cmocka_unit_test(a_chosen_task_is_not_replaced_by_a_cpu),
		cmocka_unit_test(chosen_cpus_are_opened_for_all_tasks),
		cmocka_unit_test(a_task_can_be_opened_on_chosen_cpus),
		cmocka_unit_test(cpus_of_other_pmus_are_left_out),
		cmocka_unit_test(offline_cpus_are_not_left_out),
		cmocka_unit_test(cpus_outside_the_pmus_list_are_tried_if_there_are_no_others),
		cmocka_unit_test(a_cgroup_is_opened_on_each_cpu),
		cmocka_unit_test(the_first_cpu_is_left_out_if_the_pmu_has_others),
		cmocka_unit_test(a_cgroup_is_opened_on_a_cpu_if_none_is_known),
		cmocka_unit_test(a_group_is_opened_on_the_chosen_cpus),
		cmocka_unit_test(a_budget_is_events_times_cpus),
		cmocka_unit_test(a_budget_fails_without_memory_for_the_descriptors_in_use),
		cmocka_unit_test(a_budget_without_memory_for_a_group_fails),
		cmocka_unit_test(a_budget_has_a_text_and_a_remedy),
		cmocka_unit_test(options_are_checked),
		cmocka_unit_test(options_of_an_older_caller_are_shorter),
		IN_TREE(a_cgroup_is_found_below_its_mount),
		IN_TREE(the_first_mount_of_cgroup2_counts),
		IN_TREE(descriptor_zero_may_be_the_machine),
		IN_TREE(the_directory_of_a_cgroup_is_open_until_the_scope_is_closed),
		IN_TREE(a_cgroup_is_not_missing_because_memory_is),
		IN_TREE(without_a_mount_only_paths_are_found),
		IN_TREE(the_users_of_a_task_are_compared),
		IN_TREE(a_zombie_is_not_a_missing_task),
		IN_TREE(a_task_is_protected_if_another_user_owns_its_files),
		IN_TREE(yama_is_read),
		IN_TREE(a_task_without_memory_to_read_it_is_marked),
		IN_TREE(a_pmu_without_memory_to_read_it_is_marked),
		IN_TREE(descriptors_are_those_of_the_directory),
		cmocka_unit_test(descriptors_of_this_process_are_counted),
	};

	return cmocka_run_group_tests_name("open_target", tests, NULL, NULL);
}
