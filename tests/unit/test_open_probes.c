/* SPDX-License-Identifier: MIT */
/*
 * Which changes of a refused call are tried, and in which order: the kernel is a fake that refuses
 * all of them. test_open_reasons.c has what is reported if one opens.
 */
#include "core/attr/attr.h"
#include "core/flags.h"
#include "open/diagnose/probe.h"
#include "open/open.h"
#include "tests/harness/fake_kernel.h"
#include "tests/unit/cmocka_all.h"
#include <errno.h>

/* The refused call, the same again, and 96 changes; a row with fewer CPUs has no more calls. */
#define CALLS_MAX (2 + 96)
#define DYNAMIC 40 /* the type of some PMU of the machine */

/* The calls with a changed event, in their order. */
static struct {
	struct pq_open_call calls[CALLS_MAX];
	size_t n;
} tried;

static bool note(const struct pq_open_call *call)
{
	if (tried.n < CALLS_MAX)
		tried.calls[tried.n] = *call;
	tried.n++;
	return true;
}

struct probes_case {
	const char *name;
	struct pmuq_attr attr;
	const char *pmu, *cpus, *text;
	bool is_member, needs_cpu;
	struct pq_open_scope scope;
	struct pq_host_view host;
	struct pq_pmu_view known; /* the PMU's directory */
	int errnum;
	uint32_t kernel_size; /* with E2BIG */
	/* Each call: what differs from the refused one. The first calls, or (is_all) all. */
	const char *want;
	bool is_all;
};

#define MINE .pmu = "acme", .known = { .exists = true, .has_type = true, .type = DYNAMIC }

// clang-format off
static const struct probes_case probes_cases[] = {
	{ "each field of an event that samples",
	  .attr = { .type = DYNAMIC, .size = 136, .config = 0x4523, .config1 = 0x7ff, .config2 = 5, .config3 = 0x101, .precise_ip = 2, .freq = 1, .sample_period = 5000,
		    .sample_type = PQ_SAMPLE_IP | PQ_SAMPLE_BRANCH_STACK, .read_format = 0x103, .branch_sample_type = 8, .sample_max_stack = 500,
		    .exclude_user = 1, .exclude_hv = 1, .exclude_idle = 1, .exclude_host = 1, .inherit = 1, .sample_id_all = 1 },
	  .pmu = "acme", .cpus = "2-3", .known = { true, true, true, .type = DYNAMIC, .known = { 0xff, 0xff, 0xff, 0xff } },
	  .host = { .max_sample_rate = 1000, .max_stack = 127 }, .errnum = EOPNOTSUPP,
	  .want =
	    ";exclude_hv=0x0;exclude_idle=0x0;exclude_host=0x0;exclude_user=0x0 exclude_hv=0x0;"
	    "exclude_user=0x0 exclude_kernel=0x1;precise_ip=0x1;precise_ip=0x0;sample_period=0x3e8;sample_max_stack=0x7f;"
	    "sample_type=0x1 branch_sample_type=0x0;config=0x23;config1=0xff;config3=0x1;inherit=0x0;sample_id_all=0x0;"
	    "sample_type=0x800;sample_type=0x1;read_format=0x102;read_format=0x101;read_format=0x3;"
	    "sample_period=0x0 freq=0x0;config1=0x0;config2=0x0;config3=0x0;pid=-1 cpu=2;exclude_hv=0x0 exclude_idle=0x0;"
	    "exclude_hv=0x0 exclude_host=0x0;exclude_user=0x0 exclude_hv=0x0;exclude_user=0x0 exclude_kernel=0x1;" },
	{ "an event of user space", .attr = { .type = 1, .size = 64, .exclude_kernel = 1 }, .errnum = ENODEV,
	  .want = ";exclude_kernel=0x0;pid=-1 cpu=0;exclude_kernel=0x0 pid=-1 cpu=0;", .is_all = true },
	{ "the hypervisor alone is excluded", .attr = { .type = 1, .size = 64, .exclude_hv = 1 }, .errnum = ENODEV,
	  .want =
	    ";exclude_hv=0x0;exclude_kernel=0x1;pid=-1 cpu=0;exclude_kernel=0x1;exclude_hv=0x0 pid=-1 cpu=0;"
	    "exclude_kernel=0x1 pid=-1 cpu=0;", .is_all = true },
	{ "an event that only the kernel counts", .attr = { .type = 1, .size = 64, .config = 3 }, .errnum = ENODEV,
	  .want = ";pid=-1 cpu=0;", .is_all = true },
	{ "a rate and a stack at their limits", .attr = { .type = 1, .size = 136, .freq = 1, .sample_period = 1000, .sample_type = PQ_SAMPLE_CALLCHAIN, .sample_max_stack = 127 },
	  .host = { .max_sample_rate = 1000, .max_stack = 127 }, .errnum = ENODEV,
	  .want =
	    ";exclude_kernel=0x1 exclude_hv=0x1;sample_type=0x0;sample_period=0x0 freq=0x0;pid=-1 cpu=0;"
	    "sample_type=0x0 exclude_kernel=0x1 exclude_hv=0x1;sample_period=0x0 exclude_kernel=0x1 exclude_hv=0x1 freq=0x0;"
	    "exclude_kernel=0x1 exclude_hv=0x1 pid=-1 cpu=0;sample_period=0x0 sample_type=0x0 freq=0x0;"
	    "sample_type=0x0 pid=-1 cpu=0;sample_period=0x0 freq=0x0 pid=-1 cpu=0;", .is_all = true },
	{ "limits that are not known", .attr = { .type = 1, .size = 136, .freq = 1, .sample_period = 1000, .sample_max_stack = 127 },
	  .errnum = ENODEV,
	  .want =
	    ";exclude_kernel=0x1 exclude_hv=0x1;sample_period=0x0 freq=0x0;pid=-1 cpu=0;"
	    "sample_period=0x0 exclude_kernel=0x1 exclude_hv=0x1 freq=0x0;exclude_kernel=0x1 exclude_hv=0x1 pid=-1 cpu=0;"
	    "sample_period=0x0 freq=0x0 pid=-1 cpu=0;", .is_all = true },
	{ "a breakpoint", .attr = { .type = PQ_TYPE_BREAKPOINT, .size = 136, .config1 = 0x1003, .config2 = 2, .bp_type = 1 }, .errnum = EINVAL,
	  .want =
	    "pid=-1 cpu=0;;exclude_kernel=0x1 exclude_hv=0x1;config1=0x1002;bp_type=0x3;config2=0x4;config2=0x8;config2=0x1;"
	    "pid=-1 cpu=0;exclude_kernel=0x1 exclude_hv=0x1 config1=0x1002;exclude_kernel=0x1 exclude_hv=0x1 bp_type=0x3;"
	    "exclude_kernel=0x1 exclude_hv=0x1 config2=0x4;exclude_kernel=0x1 exclude_hv=0x1 config2=0x8;"
	    "exclude_kernel=0x1 exclude_hv=0x1 config2=0x1;exclude_kernel=0x1 exclude_hv=0x1 pid=-1 cpu=0;"
	    "bp_type=0x3 config1=0x1002;config1=0x1002 config2=0x4;config1=0x1002 config2=0x8;config1=0x1002 config2=0x1;"
	    "config1=0x1002 pid=-1 cpu=0;bp_type=0x3 config2=0x4;bp_type=0x3 config2=0x8;bp_type=0x3 config2=0x1;"
	    "bp_type=0x3 pid=-1 cpu=0;config2=0x4 pid=-1 cpu=0;config2=0x8 pid=-1 cpu=0;config2=0x1 pid=-1 cpu=0;", .is_all = true },
	{ "a breakpoint of an odd length", .attr = { .type = PQ_TYPE_BREAKPOINT, .size = 136, .config1 = 0x1003, .config2 = 3, .bp_type = 4 }, .errnum = EINVAL,
	  .want =
	    "pid=-1 cpu=0;;exclude_kernel=0x1 exclude_hv=0x1;config2=0x4;config2=0x8;config2=0x2;config2=0x1;pid=-1 cpu=0;"
	    "exclude_kernel=0x1 exclude_hv=0x1 config2=0x4;exclude_kernel=0x1 exclude_hv=0x1 config2=0x8;"
	    "exclude_kernel=0x1 exclude_hv=0x1 config2=0x2;exclude_kernel=0x1 exclude_hv=0x1 config2=0x1;"
	    "exclude_kernel=0x1 exclude_hv=0x1 pid=-1 cpu=0;config2=0x4 pid=-1 cpu=0;config2=0x8 pid=-1 cpu=0;"
	    "config2=0x2 pid=-1 cpu=0;config2=0x1 pid=-1 cpu=0;", .is_all = true },
	{ "a PMU in the upper half", .attr = { .type = 0, .size = 64, .config = UINT64_C(10) << 32 | 7 }, .errnum = ENODEV,
	  .want =
	    ";exclude_kernel=0x1 exclude_hv=0x1;config=0x7;pid=-1 cpu=0;config=0x7 exclude_kernel=0x1 exclude_hv=0x1;"
	    "exclude_kernel=0x1 exclude_hv=0x1 pid=-1 cpu=0;config=0x7 pid=-1 cpu=0;", .is_all = true },
	{ "an offset of a function", .attr = { .type = DYNAMIC, .size = 136, .config = 1, .config2 = 0x99 }, .pmu = "kprobe", .text = "do_exit",
	  .known = { true, true, true, .type = DYNAMIC, .known = { 1 } }, .errnum = ENODEV,
	  .want =
	    ";exclude_kernel=0x1 exclude_hv=0x1;config2=0x0;pid=-1 cpu=0;exclude_kernel=0x1 exclude_hv=0x1 config2=0x0;"
	    "exclude_kernel=0x1 exclude_hv=0x1 pid=-1 cpu=0;config2=0x0 pid=-1 cpu=0;", .is_all = true },
	{ "a member", .attr = { .type = 1, .size = 64 }, .is_member = true, .cpus = "2", .errnum = ENODEV,
	  .want =
	    ";exclude_kernel=0x1 exclude_hv=0x1;disabled=0x1 group_fd=-1;"
	    "disabled=0x1 exclude_kernel=0x1 exclude_hv=0x1 group_fd=-1;", .is_all = true },
	{ "another task", MINE, .attr = { .type = DYNAMIC, .size = 64 }, .cpus = "2-3", .scope = { .pid = 1 }, .errnum = ENODEV,
	  .want =
	    ";exclude_kernel=0x1 exclude_hv=0x1;pid=0;pid=-1 cpu=2;exclude_kernel=0x1 exclude_hv=0x1 pid=0;"
	    "exclude_kernel=0x1 exclude_hv=0x1 pid=-1 cpu=2;pid=-1 cpu=2;", .is_all = true },
	{ "a cgroup", MINE, .attr = { .type = DYNAMIC, .size = 64 }, .cpus = "2-3", .scope = { .cgroup = "/web", .cgroup_fd = 77 }, .errnum = ENODEV,
	  .want = ";exclude_kernel=0x1 exclude_hv=0x1;cgroup=0 pid=-1;;cpu=3;exclude_kernel=0x1 exclude_hv=0x1 cgroup=0 pid=-1;", .is_all = true },
	{ "a member of a group of a cgroup", .attr = { .type = 1, .size = 64, .exclude_kernel = 1 }, .is_member = true, .scope = { .cgroup = "/web", .cgroup_fd = 77 },
	  .errnum = ENODEV,
	  .want = ";exclude_kernel=0x0;disabled=0x1 group_fd=-1;disabled=0x1 exclude_kernel=0x0 group_fd=-1;", .is_all = true },
	{ "each CPU of a PMU", MINE, .attr = { .type = DYNAMIC, .size = 64 }, .cpus = "2-3", .needs_cpu = true, .host = { .cpus_online = STR("0-5") }, .errnum = ENODEV,
	  .want = ";exclude_kernel=0x1 exclude_hv=0x1;;cpu=3;cpu=0;cpu=1;;cpu=3;cpu=4;cpu=5;", .is_all = true },
	{ "a CPU for an event of any task", .attr = { .type = 1, .size = 64 }, .scope = { .cpus = "4" }, .host = { .cpus_online = STR("0,4") }, .errnum = ENODEV,
	  .want = ";exclude_kernel=0x1 exclude_hv=0x1;cpu=0;;", .is_all = true },
	{ "fields that the kernel does not have", .attr = { .type = 1, .size = 136, .config2 = 5, .branch_sample_type = 8, .config3 = 1 }, .errnum = E2BIG, .kernel_size = 72,
	  .want =
	    ";size=0x48 branch_sample_type=0x0 config3=0x0;exclude_kernel=0x1 exclude_hv=0x1;branch_sample_type=0x0;"
	    "config2=0x0;config3=0x0;pid=-1 cpu=0;"
	    "size=0x48 exclude_kernel=0x1 exclude_hv=0x1 branch_sample_type=0x0 config3=0x0;"
	    "size=0x48 config2=0x0 branch_sample_type=0x0 config3=0x0;"
	    "size=0x48 branch_sample_type=0x0 config3=0x0 pid=-1 cpu=0;"
	    "exclude_kernel=0x1 exclude_hv=0x1 branch_sample_type=0x0;exclude_kernel=0x1 exclude_hv=0x1 config2=0x0;"
	    "exclude_kernel=0x1 exclude_hv=0x1 config3=0x0;exclude_kernel=0x1 exclude_hv=0x1 pid=-1 cpu=0;"
	    "config2=0x0 branch_sample_type=0x0;branch_sample_type=0x0 config3=0x0;branch_sample_type=0x0 pid=-1 cpu=0;"
	    "config2=0x0 pid=-1 cpu=0;config3=0x0 pid=-1 cpu=0;", .is_all = true },
	{ "a CPU for a PMU whose CPUs are not known", MINE, .attr = { .type = DYNAMIC, .size = 64, .exclude_hv = 1 }, .cpus = "rubbish", .scope = { .cpus = "4" },
	  .host = { .cpus_online = STR("0,4") }, .errnum = ENODEV,
	  .want = ";exclude_hv=0x0;exclude_kernel=0x1;cpu=0;;exclude_kernel=0x1;", .is_all = true },
	{ "a frequency of nothing", .attr = { .type = 1, .size = 64, .freq = 1 }, .errnum = ENODEV,
	  .want = ";exclude_kernel=0x1 exclude_hv=0x1;pid=-1 cpu=0;exclude_kernel=0x1 exclude_hv=0x1 pid=-1 cpu=0;", .is_all = true },
	{ "a size that is too small", .attr = { .type = 1, .size = 48 }, .errnum = E2BIG, .kernel_size = 136,
	  .want =
	    ";size=0x40;exclude_kernel=0x1 exclude_hv=0x1;pid=-1 cpu=0;size=0x40 exclude_kernel=0x1 exclude_hv=0x1;"
	    "size=0x40 pid=-1 cpu=0;exclude_kernel=0x1 exclude_hv=0x1 pid=-1 cpu=0;", .is_all = true },
};
// clang-format on

/* "exclude_hv=0x0 cpu=2" */
static void put_difference(const struct pq_open_call *from, const struct pq_open_call *to,
			   struct pq_buf *ret)
{
	size_t start = ret->n;

	for (unsigned i = 0; pmuq_attr_field(i); i++)
		if (pmuq_attr_get(&from->attr, i) != pmuq_attr_get(&to->attr, i))
			pq_buf_print(ret, "%s%s=0x%llx", ret->n > start ? " " : "",
				     pmuq_attr_field(i)->name.p,
				     (unsigned long long)pmuq_attr_get(&to->attr, i));
	if (from->is_cgroup != to->is_cgroup)
		pq_buf_print(ret, "%scgroup=%d", ret->n > start ? " " : "", to->is_cgroup);
	if (from->pid != to->pid)
		pq_buf_print(ret, "%spid=%d", ret->n > start ? " " : "", to->pid);
	if (from->cpu != to->cpu)
		pq_buf_print(ret, "%scpu=%d", ret->n > start ? " " : "", to->cpu);
	if (from->group_fd != to->group_fd)
		pq_buf_print(ret, "%sgroup_fd=%d", ret->n > start ? " " : "", to->group_fd);
}

static bool is_simplest(const struct pq_open_call *call)
{
	return call->attr.type == PQ_TYPE_SOFTWARE && call->attr.config == 1;
}

static void test_row(void **state)
{
	const struct probes_case *row = *state;
	const struct pmuq_attr leader = { .type = PQ_TYPE_SOFTWARE, .size = 64, .config = 1 };
	const struct pq_open_request requests[] = {
		{ .attr = &leader, .cpus = "", .members = 2 },
		{ .attr = &row->attr,
		  .pmu = row->pmu,
		  .cpus = row->cpus ? row->cpus : "",
		  .text = row->text,
		  .members = row->is_member ? 2 : 0,
		  .needs_cpu = row->needs_cpu },
	};
	const struct fake_rule rules[] = {
		{ .fits = is_simplest, .errnum = 0 },
		{ .fits = note, .errnum = row->errnum, .size = row->kernel_size },
	};
	struct fake_kernel kernel = { .rules = rules, .n_rules = COUNT(rules) };
	struct fake_host host = { .view = row->host, .pmu = row->known };
	const struct pq_opener opener = { fake_kernel_interface(&kernel),
					  fake_host_interface(&host), row->scope };
	struct pmuq_open_results *results = NULL;
	struct pq_buf text = PQ_BUF_NULL;

	tried.n = 0;
	assert_int_equal(pq_open_requests(&opener, &requests[!row->is_member], 1 + row->is_member,
					  &results, NULL),
			 0);
	assert_true(tried.n >= 2 && tried.n <= CALLS_MAX);
	/* The second one is the unchanged call again. */
	for (size_t i = 1; i < tried.n; i++) {
		put_difference(&tried.calls[0], &tried.calls[i], &text);
		pq_buf_char(&text, ';', 1);
	}
	pq_buf_char(&text, '\0', 1);
	if (row->is_all ? strcmp(text.p, row->want) != 0
			: strncmp(text.p, row->want, strlen(row->want)) != 0)
		fail_msg("%s", text.p);
	pq_buf_free(&text);
	pmuq_open_results_free(results);
}

int main(void)
{
	struct CMUnitTest tests[COUNT(probes_cases)];
	size_t n = ADD_ROWS(tests, test_row, probes_cases, name);

	return _cmocka_run_group_tests("open_probes", tests, n, NULL, NULL);
}
