/* SPDX-License-Identifier: MIT */
/*
 * Each row of the table of reasons is found when it should be: an event, the errno of the fake
 * kernel and the facts about the host -> the row, the change that opens, and a part of each text. A
 * row, a probe or a condition without a test here fails.
 */
#include "core/attr/attr.h"
#include "open/diagnose/probe.h"
#include "open/diagnose/reasons.h"
#include "open/open.h"
#include "tests/harness/fake_kernel.h"
#include "tests/unit/cmocka_all.h"
#include <errno.h>

#define ALL_CAPS UINT64_MAX
#define DYNAMIC 40 /* the type of some PMU of the machine */
#define KERNEL_ADDRESS UINT64_C(0xffffffff81000000)

struct reason_case {
	const char *row, *change, *part;
	const char *hint; /* a part */
	struct pmuq_attr attr;
	const char *pmu, *cpus;
	bool is_member, is_leader; /* of a group of two */
	bool needs_cpu;
	struct fake_rule rules[3];
	struct pq_host_view host;
	struct pq_pmu_view known; /* the PMU's directory */
	const char *text;	  /* of a probe */
	struct pq_open_scope scope;
	struct pq_task_view task; /* the one of the scope */
};

/* When the rules apply. */

/* All except the simplest event, which any process may open. */
static bool is_not_simplest(const struct pq_open_call *t)
{
	return !(t->attr.type == PQ_TYPE_SOFTWARE && t->attr.config == 1);
}

static bool is_filtered(const struct pq_open_call *t)
{
	return is_not_simplest(t) &&
	       (t->attr.exclude_user || t->attr.exclude_kernel || t->attr.exclude_hv);
}

static bool has_hv(const struct pq_open_call *t)
{
	return is_not_simplest(t) && t->attr.exclude_hv;
}

static bool has_idle(const struct pq_open_call *t)
{
	return t->attr.exclude_idle;
}

static bool has_guest(const struct pq_open_call *t)
{
	return t->attr.exclude_guest;
}

static bool counts_kernel(const struct pq_open_call *t)
{
	return !t->attr.exclude_kernel;
}

static bool counts_nothing(const struct pq_open_call *t)
{
	return t->attr.exclude_kernel && t->attr.exclude_user;
}

static bool is_per_cpu(const struct pq_open_call *t)
{
	return t->pid == -1;
}

static bool is_per_task(const struct pq_open_call *t)
{
	return t->pid == 0;
}

static bool is_member(const struct pq_open_call *t)
{
	return t->group_fd >= 0;
}

static bool is_precise(const struct pq_open_call *t)
{
	return t->attr.precise_ip > 1;
}

static bool is_precise_at_all(const struct pq_open_call *t)
{
	return t->attr.precise_ip;
}

static bool is_fast(const struct pq_open_call *t)
{
	return t->attr.freq && t->attr.sample_period > 1000;
}

static bool has_period(const struct pq_open_call *t)
{
	return t->attr.sample_period;
}

static bool has_branches(const struct pq_open_call *t)
{
	return t->attr.branch_sample_type;
}

static bool has_sample_type(const struct pq_open_call *t)
{
	return t->attr.sample_type;
}

static bool has_read_format(const struct pq_open_call *t)
{
	return t->attr.read_format & 0x100;
}

static bool has_high_bits(const struct pq_open_call *t)
{
	return t->attr.config & 0xff00;
}

static bool has_config1_above_its_format(const struct pq_open_call *t)
{
	return t->attr.config1 > 0xff;
}

static bool has_config1(const struct pq_open_call *t)
{
	return t->attr.config1;
}

static bool has_config3(const struct pq_open_call *t)
{
	return t->attr.config3;
}

static bool has_flag(const struct pq_open_call *t)
{
	return t->attr.inherit_thread;
}

static bool is_odd(const struct pq_open_call *t)
{
	return t->attr.config1 & (t->attr.config2 - 1);
}

static bool is_read_only(const struct pq_open_call *t)
{
	return t->attr.bp_type == 1;
}

static bool is_long(const struct pq_open_call *t)
{
	return t->attr.config2 > 4;
}

static bool is_wide(const struct pq_open_call *t)
{
	return t->attr.config2 != 1;
}

static bool is_deep(const struct pq_open_call *t)
{
	return t->attr.sample_max_stack > 127;
}

static bool is_extended(const struct pq_open_call *t)
{
	return t->attr.config >> 32;
}

static bool is_small(const struct pq_open_call *t)
{
	return t->attr.size < 64;
}

static bool is_cpu_9(const struct pq_open_call *t)
{
	return t->cpu == 9;
}

static bool is_own_task(const struct pq_open_call *t)
{
	return is_not_simplest(t) && t->pid == 0;
}

static bool is_other_task(const struct pq_open_call *t)
{
	return t->pid > 0;
}

static bool is_of_cgroup(const struct pq_open_call *t)
{
	return t->is_cgroup;
}

static bool is_after_start(const struct pq_open_call *t)
{
	return t->attr.config2;
}

static bool is_cpu_0(const struct pq_open_call *t)
{
	return t->cpu == 0;
}

#define ALWAYS(e)                                                                                  \
	{                                                                                          \
		{                                                                                  \
			.errnum = (e)                                                              \
		}                                                                                  \
	}
#define ALL_BUT_SIMPLEST(e)                                                                        \
	{                                                                                          \
		{                                                                                  \
			.fits = is_not_simplest, .errnum = (e)                                     \
		}                                                                                  \
	}
#define WHERE(f, e)                                                                                \
	{                                                                                          \
		{                                                                                  \
			.fits = (f), .errnum = (e)                                                 \
		}                                                                                  \
	}

#define ATTR(number, ...) .attr = { .type = (number), .size = 136, __VA_ARGS__ }
#define MINE .pmu = "acme", .known = { .exists = true, .has_type = true, .type = DYNAMIC }
#define BREAKPOINT(address, bytes, access)                                                         \
	ATTR(PQ_TYPE_BREAKPOINT, .config1 = (address), .config2 = (bytes), .bp_type = (access))

#define ROOT .has_caps = true, .caps = ALL_CAPS, .has_pmus = true, .has_core_pmu = true
#define NOBODY .has_caps = true, .has_pmus = true, .has_core_pmu = true
#define PERFMON NOBODY, .caps = UINT64_C(1) << PQ_CAP_PERFMON
#define PARANOID(level) .has_paranoid = true, .paranoid = (level)
#define BARE .has_caps = true, .caps = ALL_CAPS, .has_pmus = true
#define PROBE(name, path)                                                                          \
	.pmu = (name), .known = { .exists = true, .has_type = true, .type = DYNAMIC },             \
	.text = (path)
#define OTHER .scope = { .pid = 4321 }
#define CGROUP .scope = { .cgroup = "/web", .cgroup_fd = 77 }, .cpus = "0-1"
#define VM .is_vm = true, .hypervisor = "Hypo"

// clang-format off
static const struct reason_case reason_cases[] = {
	{ "no-perf", ATTR(0), .rules = ALWAYS(ENOSYS), .host = { ROOT, .is_without_perf = true } },
	{ "paranoid-all", ATTR(0), .rules = ALWAYS(EACCES), .host = { NOBODY, PARANOID(4) },
	  .part = "perf_event_paranoid is 4: it takes CAP_PERFMON" },
	{ "paranoid-all", ATTR(0), .rules = ALWAYS(EPERM), .host = { NOBODY, PARANOID(3), .is_without_cap_perfmon = true },
	  .part = "it takes CAP_SYS_ADMIN" },
	{ "paranoid-kernel", ":u", ATTR(1), .rules = WHERE(counts_kernel, EACCES), .host = { NOBODY, PARANOID(4) } },
	{ "paranoid-all-namespace", ATTR(1), .rules = ALWAYS(EACCES), .host = { ROOT, PARANOID(3), .is_in_namespace = true } },
	{ "seccomp-container", ATTR(1), .rules = ALWAYS(EPERM), .host = { NOBODY, .has_seccomp = true, .is_in_container = true },
	  .hint = "start the container with CAP_PERFMON" },
	{ "seccomp-profile", ATTR(1), .rules = ALWAYS(EPERM), .host = { PERFMON, .has_seccomp = true, .is_in_container = true },
	  .hint = "or with CAP_SYS_ADMIN, which older profiles require" },
	{ "seccomp", ATTR(1), .rules = ALWAYS(ENOSYS), .host = { ROOT, .has_seccomp = true } },
	{ "seccomp", ATTR(1), .rules = ALWAYS(EPERM), .host = { ROOT, .has_seccomp = true, .is_in_container = true, .is_init_without_seccomp = true } },
	{ "seccomp-access", ATTR(1), .rules = ALWAYS(EACCES), .host = { ROOT, .has_seccomp = true } },
	{ "no-system-call", ATTR(1), .rules = ALWAYS(ENOSYS), .host = { ROOT } },
	{ "security-module", ATTR(1), .rules = ALWAYS(EACCES), .host = { ROOT, PARANOID(2) } },
	{ "security-module", ATTR(1), .rules = ALWAYS(EACCES), .host = { NOBODY, PARANOID(2) } },

	{ "breakpoint-admin", BREAKPOINT(KERNEL_ADDRESS, 4, 3), .rules = ALL_BUT_SIMPLEST(EPERM), .host = { NOBODY, PARANOID(1) },
	  .part = "needs CAP_SYS_ADMIN, which this process does not have", .hint = "run it as root, or give the program CAP_SYS_ADMIN (setcap cap_sys_admin+ep" },
	{ "breakpoint-admin", BREAKPOINT(KERNEL_ADDRESS, 4, 3), .rules = { { counts_kernel, EPERM }, { is_not_simplest, EINVAL } }, .host = { NOBODY, PARANOID(1), .is_root = true },
	  .part = "a breakpoint on a kernel address", .hint = "give the program CAP_SYS_ADMIN" },
	{ "breakpoint-admin", BREAKPOINT(KERNEL_ADDRESS, 4, 3), .rules = ALL_BUT_SIMPLEST(EPERM),
	  .host = { NOBODY, .caps = ~(UINT64_C(1) << PQ_CAP_SYS_ADMIN), PARANOID(1) } },
	{ "probe-admin", .pmu = "uprobe", .known = { .exists = true }, ATTR(DYNAMIC), .rules = ALL_BUT_SIMPLEST(EACCES), .host = { PERFMON, PARANOID(2) },
	  .part = "a uprobe needs CAP_SYS_ADMIN" },
	{ "probe-capability", .pmu = "kprobe", .known = { .exists = true }, ATTR(DYNAMIC), .rules = ALL_BUT_SIMPLEST(EACCES), .host = { NOBODY, PARANOID(2) },
	  .part = "a kprobe needs CAP_PERFMON" },
	{ "task-yama", "for this process itself", OTHER, ATTR(1, .sigtrap = 1), .rules = WHERE(is_other_task, EACCES),
	  .host = { NOBODY, PARANOID(1) }, .task = { .has_yama = true } },
	{ "task-foreign", "for this process itself", OTHER, ATTR(1, .exclude_kernel = 1), .rules = WHERE(is_other_task, EACCES),
	  .host = { NOBODY, PARANOID(2) }, .task = { .is_foreign = true, .user = 33 }, .part = "process 4321 runs as another user (33), and this process does not have CAP_PERFMON" },
	{ "task-foreign", ":u and for this process itself", OTHER, ATTR(1), .rules = { { counts_kernel, EACCES }, { is_other_task, EACCES } },
	  .host = { NOBODY, PARANOID(2) }, .task = { .is_foreign = true } },
	{ "task-protected", "for this process itself", OTHER, ATTR(1, .exclude_kernel = 1), .rules = WHERE(is_other_task, EACCES),
	  .host = { NOBODY, PARANOID(2) }, .task = { .is_protected = true } },
	{ "task-protected", "for this process itself", .scope = { .pid = 1 }, ATTR(1, .exclude_kernel = 1), .rules = WHERE(is_other_task, EACCES),
	  .host = { NOBODY, PARANOID(2) }, .task = { .is_protected = true } },
	{ "task-capability", "for this process itself", OTHER, ATTR(1), .rules = WHERE(is_other_task, EACCES), .host = { NOBODY, .is_root = true },
	  .part = "without CAP_PERFMON the kernel does not let this process inspect process 4321" },
	{ "task-access", "for this process itself", OTHER, ATTR(1), .rules = WHERE(is_other_task, EACCES), .host = { ROOT } },
	{ "task-access", "for this process itself", .scope = { .pid = 1 }, ATTR(1), .rules = WHERE(is_other_task, EACCES), .host = { ROOT } },
	{ "paranoid-cgroup", CGROUP, ATTR(1), .rules = { { is_of_cgroup, EACCES }, { is_own_task, EACCES } }, .host = { NOBODY, PARANOID(1) },
	  .change = "for the whole CPU instead of the cgroup" },
	{ "paranoid-cpu", MINE, ATTR(DYNAMIC), .needs_cpu = true, .cpus = "0", .rules = WHERE(is_per_cpu, EACCES),
	  .host = { NOBODY, PARANOID(1) }, .part = "perf_event_paranoid is 1 and this process does not have CAP_PERFMON: it may not count a whole CPU" },
	{ "paranoid-kernel-only", ATTR(1, .config = 3), .rules = WHERE(counts_kernel, EACCES), .host = { NOBODY, PARANOID(2) },
	  .part = "where this event never happens", .hint = "with ':u' the event would open but count 0" },
	{ "paranoid-kernel-only", ATTR(1, .config = 4), .rules = WHERE(counts_kernel, EACCES), .host = { NOBODY, PARANOID(2) } },
	{ "paranoid-kernel-only", ATTR(1, .config = 11, .exclude_user = 1), .rules = WHERE(counts_kernel, EACCES), .host = { NOBODY, PARANOID(2) } },
	{ "paranoid-kernel", ":u", ATTR(1), .rules = WHERE(counts_kernel, EACCES), .host = { NOBODY, PARANOID(2) },
	  .part = "perf_event_paranoid is 2 and this process does not have CAP_PERFMON: it may count user space only" },
	{ "paranoid-kernel", ":u instead of :k", ATTR(0, .exclude_user = 1, .exclude_hv = 1),
	  .rules = { { counts_kernel, EACCES }, { counts_nothing, EINVAL } }, .host = { NOBODY, PARANOID(2) } },
	{ "paranoid-kernel", ATTR(0), .rules = { { counts_kernel, EACCES }, { is_not_simplest, ENOENT } },
	  .host = { .has_caps = true, .has_pmus = true, VM, PARANOID(2) },
	  .part = "with ':u' the kernel refuses it, too (ENOENT): this machine has no core PMU", .hint = "; for the second reason: give the guest a virtual PMU" },
	{ "paranoid-kernel", MINE, ATTR(DYNAMIC), .rules = { { counts_kernel, EACCES }, { is_not_simplest, EINVAL } }, .host = { NOBODY, PARANOID(2) },
	  .part = "with ':u' the kernel refuses it, too (EINVAL): PMU 'acme' does not have this event, or cannot count user and kernel separately" },
	{ "paranoid-kernel", ATTR(DYNAMIC), .rules = { { counts_kernel, EACCES }, { is_not_simplest, ENOENT } }, .host = { NOBODY, PARANOID(2) },
	  .part = "with ':u' the kernel refuses it, too (ENOENT): the kernel has no PMU of type 40", .hint = "; for the second reason: load the module of the PMU" },
	{ "paranoid-kernel", ":u", BREAKPOINT(KERNEL_ADDRESS >> 1, 4, 3), .rules = WHERE(counts_kernel, EACCES), .host = { NOBODY, PARANOID(2) } },
	{ "paranoid-tracepoint", ATTR(2, .exclude_kernel = 1), .rules = ALL_BUT_SIMPLEST(EPERM), .host = { NOBODY, PARANOID(0) } },
	{ "namespace", ATTR(1), .rules = ALL_BUT_SIMPLEST(EACCES), .host = { ROOT, PARANOID(2), .is_in_namespace = true },
	  .hint = ", or lower kernel.perf_event_paranoid on the host" },
	{ "namespace", .pmu = "uprobe", .known = { .exists = true }, ATTR(DYNAMIC), .rules = ALL_BUT_SIMPLEST(EACCES),
	  .host = { ROOT, PARANOID(-1), .is_in_namespace = true }, .part = "this process has CAP_SYS_ADMIN only inside a user namespace" },
	{ "locked-down", ATTR(1, .sample_type = 1 << 18), .rules = ALL_BUT_SIMPLEST(EPERM), .host = { ROOT, .is_locked_down = true } },
	{ "filter", "without :u", ATTR(0, .exclude_kernel = 1, .exclude_hv = 1), .rules = WHERE(is_filtered, EPERM), .host = { ROOT },
	  .part = "the core PMU cannot count" },
	{ "hv", "without exclude_hv", ATTR(0, .exclude_kernel = 1, .exclude_hv = 1),
	  .rules = { { .fits = has_hv, .errnum = EPERM } }, .host = { ROOT } },
	{ "paranoid-unknown", ":u", ATTR(1), .rules = WHERE(counts_kernel, EACCES), .host = { NOBODY }, .hint = "add ':u', lower kernel.perf_event_paranoid" },
	{ "paranoid-unknown", ATTR(2, .exclude_kernel = 1), .rules = ALL_BUT_SIMPLEST(EPERM), .host = { NOBODY }, .hint = "lower kernel.perf_event_paranoid, or give" },
	{ "capability", ATTR(1), .rules = ALL_BUT_SIMPLEST(EACCES), .host = { NOBODY, PARANOID(1) } },
	{ "capability", MINE, ATTR(DYNAMIC), .needs_cpu = true, .cpus = "0", .rules = WHERE(is_per_cpu, EACCES), .host = { NOBODY, PARANOID(0) } },
	{ "capability", ATTR(2, .exclude_kernel = 1), .rules = ALL_BUT_SIMPLEST(EPERM), .host = { NOBODY, PARANOID(-1) } },
	{ "capability", ATTR(1, .exclude_kernel = 1), .rules = ALL_BUT_SIMPLEST(EACCES), .host = { NOBODY, PARANOID(1) },
	  .hint = "run it as root, or give the program CAP_PERFMON (setcap cap_perfmon+ep PROGRAM)" },
	{ "capability", ATTR(1, .exclude_kernel = 1), .rules = ALL_BUT_SIMPLEST(EACCES), .host = { NOBODY, PARANOID(1), .is_root = true, .has_bounding = true },
	  .hint = "let what started it (a container, a service) keep CAP_PERFMON (docker: --cap-add" },
	{ "capability", ATTR(1, .exclude_kernel = 1), .rules = ALL_BUT_SIMPLEST(EACCES), .host = { NOBODY, PARANOID(1), .has_bounding = true, .bounding = UINT64_C(1) << PQ_CAP_PERFMON, .has_no_new_privs = true },
	  .hint = "or start it with CAP_PERFMON and without no_new_privs" },
	{ "capability", ATTR(1, .exclude_kernel = 1), .rules = ALL_BUT_SIMPLEST(EACCES), .host = { NOBODY, PARANOID(1), .is_in_namespace = true },
	  .hint = "or run it outside its user namespace with CAP_PERFMON" },
	{ "access", ATTR(1, .exclude_kernel = 1), .rules = ALL_BUT_SIMPLEST(EACCES), .host = { ROOT } },
	{ "permission", ATTR(1, .exclude_kernel = 1), .rules = ALL_BUT_SIMPLEST(EPERM), .host = { ROOT } },

	{ "new-fields", "without config3", ATTR(DYNAMIC, .sig_data = 1, .config3 = 1), MINE,
	  .rules = { { has_config3, E2BIG, .size = 128 } }, .host = { ROOT }, .part = "128 bytes, without config3" },
	{ "small-size", "with attr.size 64", .attr = { .type = 1, .size = 48 }, .rules = { { is_small, E2BIG, .size = 136 } },
	  .host = { ROOT }, .part = "attr.size is 48" },
	{ "size", ATTR(1), .rules = { { .errnum = E2BIG, .size = 136 } }, .host = { ROOT } },
	/* The kernel has the field that ends with its attr. */
	{ "size", ATTR(1, .config2 = 5), .rules = { { .errnum = E2BIG, .size = 72 } }, .host = { ROOT } },

	{ "probe-long", PROBE("uprobe", "/very/long"), ATTR(DYNAMIC), .rules = { { .errnum = E2BIG, .size = 136 } }, .host = { ROOT } },

	{ "filter", "without :u", MINE, ATTR(DYNAMIC, .exclude_kernel = 1, .exclude_hv = 1), .rules = WHERE(is_filtered, EINVAL),
	  .host = { ROOT }, .part = "PMU 'acme' cannot count user and kernel separately" },
	{ "filter", "without :k", ATTR(0, .exclude_user = 1, .exclude_hv = 1), .rules = WHERE(is_filtered, EINVAL), .host = { ROOT } },
	{ "hv", "without exclude_hv", ATTR(0, .exclude_kernel = 1, .exclude_hv = 1), .rules = WHERE(has_hv, EINVAL), .host = { ROOT } },
	{ "idle", "without :I", ATTR(0, .exclude_idle = 1), .rules = WHERE(has_idle, EINVAL), .host = { ROOT } },
	{ "guest", "without :H", ATTR(0, .exclude_guest = 1), .rules = WHERE(has_guest, EOPNOTSUPP), .host = { ROOT } },
	{ "guest", "without exclude_host and exclude_guest", ATTR(0, .exclude_host = 1, .exclude_guest = 1),
	  .rules = WHERE(has_guest, EOPNOTSUPP), .host = { ROOT } },
	{ "breakpoint-user", BREAKPOINT(KERNEL_ADDRESS, 4, 3), .attr.exclude_kernel = 1, .rules = ALWAYS(EINVAL), .host = { ROOT } },
	{ "breakpoint-user", "without :u", BREAKPOINT(KERNEL_ADDRESS, 4, 3), .attr.exclude_kernel = 1, .attr.exclude_hv = 1,
	  .rules = WHERE(is_filtered, EINVAL), .host = { ROOT } },
	{ "breakpoint-aligned", "at 0x1000", BREAKPOINT(0x1002, 4, 3), .rules = WHERE(is_odd, EINVAL), .host = { ROOT } },
	{ "breakpoint-aligned", "at 0x1000", BREAKPOINT(0x1004, 8, 3), .rules = WHERE(is_odd, EINVAL), .host = { ROOT } },
	{ "breakpoint-aligned", "at 0x1004", BREAKPOINT(0x1005, 2, 3), .rules = WHERE(is_odd, EINVAL), .host = { ROOT } },
	{ "breakpoint-access", "with access rw", BREAKPOINT(0x1000, 4, 1), .rules = WHERE(is_read_only, EINVAL), .host = { ROOT } },
	{ "breakpoint-length", "with length 1", BREAKPOINT(0x1001, 8, 3), .rules = WHERE(is_wide, EINVAL), .host = { ROOT } },
	{ "breakpoint-length", "with length 4", BREAKPOINT(0x1000, 8, 3), .rules = WHERE(is_long, EINVAL), .host = { ROOT } },
	{ "less-precise", ":p instead of :ppp", ATTR(0, .precise_ip = 3), .rules = WHERE(is_precise, EOPNOTSUPP), .host = { ROOT } },
	{ "less-precise", "without :pp", ATTR(0, .precise_ip = 2), .rules = WHERE(is_precise_at_all, EINVAL), .host = { ROOT } },
	{ "too-fast", "with freq=1000", ATTR(0, .freq = 1, .sample_period = 5000), .rules = WHERE(is_fast, EINVAL),
	  .host = { ROOT, .max_sample_rate = 1000 }, .part = "1000 Hz" },
	{ "invalid", ATTR(1, .freq = 1, .sample_period = 1000), .rules = ALWAYS(EINVAL), .host = { ROOT, .max_sample_rate = 1000 } },
	{ "unknown-bits", "without the bits 0x4500 of config", ATTR(DYNAMIC, .config = 0x4523), .rules = WHERE(has_high_bits, EINVAL),
	  .host = { ROOT }, .pmu = "acme", .known = { true, true, true, .type = DYNAMIC, .known = { 0xff } },
	  .part = "no format for the bits 0x4500 of config, and" },
	{ "unknown-bits", "without the bits 0x4500 of config and without 0x7ff of config1", ATTR(DYNAMIC, .config = 0x4523, .config1 = 0x7ff),
	  .rules = { { has_high_bits, EINVAL }, { has_config1_above_its_format, EINVAL } },
	  .host = { ROOT }, .pmu = "acme", .known = { true, true, true, .type = DYNAMIC, .known = { 0xff, 0xff } } },
	{ "unknown-bits", "without the bits 0x700 of config1", ATTR(DYNAMIC, .config = 0x4523, .config1 = 0x7ff), .rules = WHERE(has_config1_above_its_format, EINVAL),
	  .host = { ROOT }, .pmu = "acme", .known = { true, true, true, .type = DYNAMIC, .known = { 0xff, 0xff } },
	  .part = "no format for the bits 0x700 of config1, and" },
	{ "unexpected-word", "without 0x7 of config1", ATTR(DYNAMIC, .config1 = 7), MINE, .rules = WHERE(has_config1, EINVAL), .host = { ROOT },
	  .part = "rejects 0x7 of config1 with this event" },
	{ "flag", "without inherit_thread", ATTR(0, .inherit_thread = 1), .rules = WHERE(has_flag, EINVAL), .host = { ROOT },
	  .part = "rejects inherit_thread with", .hint = "leave inherit_thread 0" },
	{ "read-format", "without 0x100 in read_format", ATTR(0, .read_format = 0x101), .rules = WHERE(has_read_format, EINVAL), .host = { ROOT },
	  .part = "rejects 0x100 in read_format" },
	{ "sample-type", "without 0x80000 in sample_type", ATTR(0, .sample_type = 0x80000), .rules = WHERE(has_sample_type, EINVAL), .host = { ROOT },
	  .part = "rejects 0x80000 in sample_type" },
	{ "branches", "without branch_type", ATTR(0, .branch_sample_type = 8), .rules = WHERE(has_branches, EOPNOTSUPP), .host = { ROOT } },
	{ "unsampled", "without period", MINE, ATTR(DYNAMIC, .sample_period = 1000), .rules = WHERE(has_period, EOPNOTSUPP), .host = { ROOT } },
	{ "unsampled", "without freq", ATTR(0, .sample_period = 1000, .freq = 1), .rules = WHERE(has_period, EINVAL), .host = { ROOT } },
	{ "group-full", "outside the group", ATTR(0), .is_member = true, .rules = WHERE(is_member, EINVAL), .host = { ROOT } },
	{ "cgroup-hierarchy", "for the whole CPU instead of the cgroup", CGROUP, ATTR(1), .rules = WHERE(is_of_cgroup, ENOENT),
	  .host = { ROOT }, .part = "cgroup '/web' is in a hierarchy" },
	{ "cgroup-none", CGROUP, ATTR(1), .rules = WHERE(is_of_cgroup, EBADF), .host = { ROOT }, .part = "'/web' is a directory, but not a cgroup" },
	{ "cgroup-per-cpu", "for the whole CPU instead of the cgroup", CGROUP, .pmu = "acme", ATTR(DYNAMIC), .needs_cpu = true,
	  .known = { .exists = true }, .rules = WHERE(is_of_cgroup, EINVAL), .host = { ROOT } },
	{ "cgroup-unsupported", "for the whole CPU instead of the cgroup", CGROUP, ATTR(1), .rules = WHERE(is_of_cgroup, EINVAL), .host = { ROOT } },
	{ "cpu-missing", "on CPU 0 only", ATTR(DYNAMIC), MINE, .needs_cpu = true, .cpus = "0,9", .rules = WHERE(is_cpu_9, ENODEV),
	  .host = { ROOT, .cpus_online = STR("0-3") }, .part = "CPU 9 is offline or does not exist (online: 0-3)" },
	{ "cpu-foreign", "on CPU 4-8,10-11 only", MINE, ATTR(DYNAMIC), .cpus = "4-11", .scope = { .cpus = "0" }, .rules = { { is_cpu_0, ENOENT }, { is_cpu_9, ENOENT } },
	  .host = { ROOT, .cpus_online = STR("0-11") }, .part = "counts on the CPUs 4-11 only, not on CPU 0" },
	{ "per-task", "per task (pid 0)", ATTR(0), .is_leader = true, .rules = WHERE(is_per_cpu, EINVAL), .host = { ROOT } },
	{ "per-cpu-target", "per CPU (pid -1, CPU 2)", MINE, OTHER, ATTR(DYNAMIC), .cpus = "2", .needs_cpu = true,
	  .host = { ROOT }, .part = "cannot count process 4321 separately", .rules = { { is_other_task, EINVAL }, { is_per_task, EINVAL } } },
	{ "per-cpu", "per CPU (pid -1, CPU 2)", MINE, ATTR(DYNAMIC), .cpus = "2-3", .rules = WHERE(is_per_task, ENOENT), .host = { ROOT } },
	{ "other-cpus", "on CPU 4-8,10-11 only", MINE, ATTR(DYNAMIC), .needs_cpu = true, .cpus = "4-11", .rules = WHERE(is_cpu_9, ENOENT),
	  .host = { ROOT, .cpus_online = STR("0-11") }, .part = "on CPU 9" },
	{ "other-cpus", "on CPU 4-8,10-11 only", MINE, ATTR(DYNAMIC), .needs_cpu = true, .cpus = "9", .rules = WHERE(is_cpu_9, ENOENT),
	  .host = { ROOT, .cpus_online = STR("4-11") }, .part = "on CPU 9" },

	{ "tracepoint-id", ATTR(2, .config = 77777), .rules = ALWAYS(EINVAL), .host = { ROOT }, .part = "id 0x12fd1" },
	{ "per-cpu-likely", MINE, OTHER, ATTR(DYNAMIC), .needs_cpu = true, .cpus = "2", .rules = ALWAYS(EINVAL), .host = { ROOT } },
	{ "per-cpu-likely", CGROUP, .pmu = "acme", ATTR(DYNAMIC), .needs_cpu = true, .known = { .exists = true }, .rules = ALWAYS(EINVAL), .host = { ROOT },
	  .part = "cannot count cgroup '/web' separately" },
	{ "probe-offset", "at offset 0", PROBE("uprobe", "/bin/true"), ATTR(DYNAMIC, .config2 = 0x99), .rules = WHERE(is_after_start, EINVAL),
	  .host = { ROOT }, .part = "offset 0x99 of '/bin/true'" },
	{ "function-none", PROBE("kprobe", "do_nothing"), ATTR(DYNAMIC), .rules = ALWAYS(ENOENT), .host = { ROOT }, .part = "no function 'do_nothing'" },
	{ "function-refused", PROBE("kprobe", "int3"), ATTR(DYNAMIC), .rules = ALWAYS(EINVAL), .host = { ROOT } },
	{ "file-none", PROBE("uprobe", "/nowhere"), ATTR(DYNAMIC), .rules = ALWAYS(ENOENT), .host = { ROOT } },
	{ "file-refused", PROBE("uprobe", "/dev/null"), ATTR(DYNAMIC), .rules = ALWAYS(EINVAL), .host = { ROOT }, .part = "'/dev/null' is not a regular file" },
	{ "probe-instruction", PROBE("uprobe", "/bin/true"), ATTR(DYNAMIC), .rules = ALWAYS(524), .host = { ROOT } },
	{ "breakpoint", BREAKPOINT(0x1000, 4, 3), .rules = ALWAYS(EINVAL), .host = { ROOT } },
	{ "filter-likely", MINE, ATTR(DYNAMIC, .exclude_kernel = 1), .rules = ALWAYS(EINVAL), .host = { ROOT } },
	{ "filter-likely", MINE, ATTR(DYNAMIC, .exclude_user = 1), .rules = ALWAYS(EINVAL), .host = { ROOT } },
	{ "filter-likely", MINE, ATTR(DYNAMIC, .exclude_hv = 1), .rules = ALWAYS(EINVAL), .host = { ROOT } },
	{ "filter-likely", MINE, ATTR(DYNAMIC, .exclude_idle = 1), .rules = ALWAYS(EINVAL), .host = { ROOT } },
	{ "filter-likely", MINE, ATTR(DYNAMIC, .exclude_host = 1), .rules = ALWAYS(EINVAL), .host = { ROOT } },
	{ "filter-likely", MINE, ATTR(DYNAMIC, .exclude_guest = 1), .rules = ALWAYS(EINVAL), .host = { ROOT } },
	{ "no-such-event", MINE, ATTR(DYNAMIC, .config = 0x77), .rules = ALWAYS(EINVAL), .host = { ROOT }, .part = "config 0x77" },
	{ "core-pmu-unknown", ATTR(0), .rules = ALWAYS(ENOENT), .host = { .has_caps = true, .caps = ALL_CAPS } },
	{ "generic-unmapped", ATTR(0, .config = 7), .rules = ALWAYS(ENOENT), .host = { ROOT } },
	{ "invalid", ATTR(1), .rules = ALWAYS(EINVAL), .host = { ROOT } },

	{ "no-core-pmu-vm", ATTR(0), .rules = ALWAYS(ENOENT), .host = { BARE, VM }, .part = "a virtual machine (Hypo)" },
	{ "no-core-pmu-vm", ATTR(0), .rules = ALWAYS(ENOENT), .host = { BARE, .is_vm = true }, .part = "it is a virtual machine without a virtual PMU" },
	{ "no-core-pmu", ATTR(4), .rules = ALWAYS(ENOENT), .host = { BARE } },
	{ "extended", ATTR(0, .config = UINT64_C(10) << 32), .rules = ALWAYS(ENOENT), .host = { ROOT } },
	{ "extended", "without the PMU's type in config", ATTR(0, .config = UINT64_C(10) << 32), .rules = WHERE(is_extended, ENOENT), .host = { ROOT } },
	{ "no-pmu", ATTR(DYNAMIC), .rules = ALWAYS(ENOENT), .host = { ROOT }, .part = "type 40" },
	/* The PMU is gone, or has another type now. */
	{ "no-pmu", .pmu = "acme", ATTR(DYNAMIC), .rules = ALWAYS(ENOENT), .host = { ROOT } },
	{ "no-pmu", .pmu = "acme", ATTR(DYNAMIC), .known = { .exists = true, .has_type = true, .type = DYNAMIC + 1 }, .rules = ALWAYS(ENOENT), .host = { ROOT } },
	{ "not-found", .pmu = "acme", ATTR(DYNAMIC), .known = { .exists = true }, .rules = ALWAYS(ENOENT), .host = { ROOT } },
	{ "filter", "without :u", ATTR(1, .exclude_kernel = 1, .exclude_hv = 1), .rules = WHERE(is_filtered, EINVAL), .host = { ROOT },
	  .part = "PMU 'software' cannot count user and kernel separately" },
	{ "software-unknown", ATTR(1, .config = 99), .rules = ALWAYS(ENOENT), .host = { ROOT } },
	{ "breakpoints-none", BREAKPOINT(0x1000, 4, 2), .rules = ALWAYS(ENODEV), .host = { ROOT } },
	{ "not-found", MINE, ATTR(DYNAMIC), .rules = ALWAYS(ENOENT), .host = { ROOT } },

	{ "branches-none", ATTR(0, .branch_sample_type = 8), .rules = ALWAYS(EOPNOTSUPP), .host = { ROOT } },
	{ "precise-vm", ATTR(0, .precise_ip = 1), .rules = ALWAYS(EOPNOTSUPP), .host = { ROOT, VM } },
	{ "precise-none", ATTR(0, .precise_ip = 1), .rules = ALWAYS(EOPNOTSUPP), .host = { ROOT } },
	{ "interrupt-none", ATTR(0, .sample_period = 9), .rules = ALWAYS(EOPNOTSUPP), .host = { ROOT } },
	{ "interrupt-none", ATTR(DYNAMIC, .sample_period = 9), .rules = ALWAYS(EOPNOTSUPP), .host = { ROOT }, .part = "the PMU of type 40 has no interrupt" },
	{ "generic-unmapped", ATTR(0), .rules = ALWAYS(EOPNOTSUPP), .host = { ROOT } },
	{ "not-supported", MINE, ATTR(DYNAMIC), .rules = ALWAYS(524), .host = { ROOT } },
	{ "stack-user", ATTR(0, .sample_type = 1 << 13), .rules = ALL_BUT_SIMPLEST(ENOSYS), .host = { ROOT } },
	{ "not-implemented", ATTR(0), .rules = ALL_BUT_SIMPLEST(ENOSYS), .host = { ROOT } },
	{ "cpu-feature", ATTR(0), .rules = ALWAYS(ENODEV), .host = { ROOT } },
	{ "extra-register-vm", ATTR(0, .config1 = 5), .rules = ALWAYS(ENXIO), .host = { ROOT, VM } },
	{ "extra-register", ATTR(0, .config1 = 5), .rules = ALWAYS(ENXIO), .host = { ROOT } },
	{ "extra-register", ATTR(0, .config2 = 5), .rules = ALWAYS(ENXIO), .host = { ROOT } },
	{ "extra-register", ATTR(0, .config3 = 5), .rules = ALWAYS(ENXIO), .host = { ROOT } },
	{ "extra-register", .attr = { .size = 144, .config4 = 5 }, .rules = ALWAYS(ENXIO), .host = { ROOT } },
	{ "extra-register", "without 0x5 of config1", ATTR(0, .config1 = 5), .rules = WHERE(has_config1, ENXIO), .host = { ROOT } },
	{ "no-register", ATTR(0), .rules = ALWAYS(ENXIO), .host = { ROOT } },

	{ "breakpoints-used", BREAKPOINT(0x1000, 4, 3), .rules = ALWAYS(ENOSPC), .host = { ROOT } },
	{ "no-counter-watchdog", ATTR(0), .rules = ALWAYS(ENOSPC), .host = { ROOT, .has_nmi_watchdog = true } },
	{ "no-counter", ATTR(0), .rules = ALWAYS(ENOSPC), .host = { ROOT } },
	{ "busy", MINE, ATTR(DYNAMIC), .rules = ALWAYS(EBUSY), .host = { ROOT } },
	{ "files-process", ATTR(0), .rules = ALWAYS(EMFILE), .host = { ROOT, .max_files = 1024 }, .part = "open 1024 files at most" },
	{ "files-system", ATTR(0), .rules = ALWAYS(ENFILE), .host = { ROOT } },
	{ "memory", ATTR(0), .rules = ALWAYS(ENOMEM), .host = { ROOT } },
	{ "changed-meanwhile", ATTR(0), .rules = { { .errnum = ENOENT, .times = 1 } }, .host = { ROOT }, .part = "opened it a moment later" },
	{ "frames", "with max-stack=127", ATTR(0, .sample_type = 1 << 5, .sample_max_stack = 500), .rules = WHERE(is_deep, EOVERFLOW),
	  .host = { ROOT, .max_stack = 127 }, .part = "127 frames (perf_event_max_stack), not 500" },
	{ "overflow", ATTR(0), .rules = ALWAYS(EOVERFLOW), .host = { ROOT } },
	{ "interrupted", ATTR(0), .rules = ALWAYS(EINTR), .host = { ROOT } },
	{ "bad-pointer", ATTR(DYNAMIC), .rules = ALWAYS(EFAULT), .host = { ROOT } },
	{ "bad-leader", ATTR(0), .rules = ALWAYS(EBADF), .host = { ROOT } },
	{ "task-dead", OTHER, ATTR(1), .rules = ALWAYS(ESRCH), .host = { ROOT }, .task = { .is_dead = true }, .part = "process 4321 has ended" },
	{ "task-gone", OTHER, ATTR(1), .rules = ALWAYS(ESRCH), .host = { ROOT }, .task = { .is_gone = true }, .part = "process 4321 does not exist" },
	{ "task-gone", .scope = { .pid = 1 }, ATTR(1), .rules = ALWAYS(ESRCH), .host = { ROOT }, .task = { .is_gone = true }, .part = "process 1 does not exist" },
	{ "no-task", ATTR(0), .rules = ALWAYS(ESRCH), .host = { ROOT } },
	{ "other", ATTR(0), .rules = ALWAYS(EDOM), .host = { ROOT }, .part = "EDOM" },
	{ "other", ATTR(0), .rules = ALWAYS(4000), .host = { ROOT }, .part = "errno 4000" },
};
// clang-format on

static void expect_text(const char *text, const char *part)
{
	assert_non_null(text);
	assert_null(strpbrk(text, "{}"));
	if (part && !strstr(text, part))
		fail_msg("'%s' does not contain '%s'", text, part);
}

/* The words are in the text only if the row expects them. */
static void expect_if_wanted(const char *text, const char *want, const char *words)
{
	if (text && strstr(text, words) && !(want && strstr(want, words)))
		fail_msg("'%s' is not expected in '%s'", words, text);
}

static void check_result(const struct reason_case *row, const struct pq_open_result *result)
{
	assert_int_equal(result->record.status, PMUQ_REFUSED);
	assert_int_not_equal(result->record.errnum, 0);
	assert_non_null(result->record.name.p);
	assert_string_equal(result->record.name.p, row->row);
	assert_true((result->record.change.p != NULL) == (result->record.n_steps > 0));
	assert_true((result->record.change.p != NULL) == (result->record.changed_attr != NULL));
	expect_text(result->record.reason.p, row->part);
	expect_if_wanted(result->record.reason.p, row->part, "the kernel refuses it, too");
	expect_if_wanted(result->record.hint.p, row->hint, "for the second reason");
	if (!row->change || !strstr(row->change, ":u"))
		expect_if_wanted(result->record.hint.p, row->hint, "add ':u'");
	if (row->scope.cgroup)
		assert_int_equal(result->record.pid, -1);
	for (size_t i = 0; i < result->record.n_steps; i++)
		assert_int_equal(strcmp(result->steps[i].p, "other-cpus") == 0,
				 strncmp(row->change, "on CPU", strlen("on CPU")) == 0);
	/* A pointer of this process is nothing for the caller. */
	if (row->text && result->record.changed_attr)
		assert_int_equal(result->record.changed_attr->config1, 0);
	if (result->record.hint.p || row->hint)
		expect_text(result->record.hint.p, row->hint);
	if (row->change) {
		assert_non_null(result->record.change.p);
		assert_string_equal(result->record.change.p, row->change);
	} else if (result->record.change.p) {
		fail_msg("an unexpected change: %s", result->record.change.p);
	}
}

/* The other event of a group of two: as a leader the simplest one, as a member one that needs a
 * CPU. */
static void test_row(void **state)
{
	const struct reason_case *row = *state;
	bool is_grouped = row->is_member || row->is_leader;
	const struct pmuq_attr simplest = { .type = PQ_TYPE_SOFTWARE, .size = 64, .config = 1 };
	const struct pq_open_request tested = {
		.attr = &row->attr,
		.pmu = row->pmu,
		.cpus = row->cpus ? row->cpus : "",
		.needs_cpu = row->needs_cpu,
		.members = is_grouped ? 2 : 0,
		.text = row->text,
	};
	const struct pq_open_request other = {
		.attr = &simplest,
		.cpus = row->is_leader ? "0" : "",
		.members = 2,
		.needs_cpu = row->is_leader,
	};
	const struct pq_open_request requests[] = {
		row->is_member ? other : tested,
		row->is_member ? tested : other,
	};
	struct fake_kernel kernel = { .rules = row->rules };
	struct fake_host host = { .view = row->host, .pmu = row->known, .task = row->task };
	const struct pq_opener opener = { fake_kernel_interface(&kernel),
					  fake_host_interface(&host), row->scope };
	struct pmuq_open_results *results = NULL;

	while (kernel.n_rules < COUNT(row->rules) && row->rules[kernel.n_rules].errnum)
		kernel.n_rules++;
	assert_int_equal(pq_open_requests(&opener, requests, is_grouped ? 2 : 1, &results, NULL),
			 0);
	assert_int_equal(kernel.n_open, 0);
	if (kernel.misuse)
		fail_msg("%s", kernel.misuse);
	if (host.misuse)
		fail_msg("%s", host.misuse);
	check_result(row, &results->v[row->is_member]);
	pmuq_open_results_free(results);
}

static bool is_tested(const char *name)
{
	for (size_t i = 0; i < COUNT(reason_cases); i++)
		if (strcmp(reason_cases[i].row, name) == 0)
			return true;
	return false;
}

static void every_reason_is_tested(void **state)
{
	const struct pq_reason *row;

	(void)state;
	for (size_t i = 0; (row = pq_reason_at(i)); i++)
		if (!is_tested(row->name))
			fail_msg("no test of the reason '%s'", row->name);
}

static void every_reason_has_its_own_name(void **state)
{
	const struct pq_reason *row;

	(void)state;
	for (size_t i = 0; (row = pq_reason_at(i)); i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(row->name, pq_reason_at(k)->name) == 0)
				fail_msg("two reasons are named '%s'", row->name);
}

static void every_probe_is_tested(void **state)
{
	const struct pq_probe *probe;
	bool found;

	(void)state;
	for (size_t i = 0; (probe = pq_probe_at(i)); i++) {
		size_t head = strcspn(probe->text, "{");

		found = false;
		for (size_t k = 0; k < COUNT(reason_cases) && !found; k++)
			found = reason_cases[k].change &&
				strncmp(reason_cases[k].change, probe->text, head) == 0;
		if (!found)
			fail_msg("no test of the probe '%s'", probe->name);
	}
}

static bool is_in(const uint8_t *list, size_t n, unsigned condition)
{
	for (size_t i = 0; i < n; i++)
		if (list[i] == condition)
			return true;
	return false;
}

static bool is_used(unsigned condition)
{
	const struct pq_reason *row;

	for (size_t i = 0; (row = pq_reason_at(i)); i++)
		if (is_in(row->all_of, COUNT(row->all_of), condition) ||
		    is_in(row->none_of, COUNT(row->none_of), condition))
			return true;
	return false;
}

static void every_condition_is_used_by_a_reason(void **state)
{
	/* The texts and probes use these. */
	static const uint8_t others[] = { PQ_IF_NEEDS_ADMIN, PQ_IF_OPENS_USER_ONLY };

	(void)state;
	for (unsigned i = PQ_IF_NOTHING + 1; i < PQ_N_CONDITIONS; i++)
		if (!is_used(i) && !is_in(others, COUNT(others), i))
			fail_msg("no reason uses the condition %u", i);
}

static char *fill(const char *text)
{
	static const struct pq_open_request request = { .cpus = "0" };
	static const struct pq_host_view host = { .max_stack = 127 };
	static const struct pq_open_scope scope = { .cgroup = "/web" };
	const struct pq_refusal refusal = { .request = &request, .host = &host, .scope = &scope };
	struct pq_buf filled = PQ_BUF_NULL;

	pq_reason_text_fill(text, &refusal, &filled);
	return pq_buf_take(&filled);
}

static void expect_known_words(const char *text)
{
	char *filled = fill(text);

	if (strpbrk(filled, "{}"))
		fail_msg("an unknown word: %s", filled);
	free(filled);
}

static void every_word_is_known(void **state)
{
	const struct pq_probe *probe;
	const struct pq_reason *row;
	char *unknown = fill("a {nonsense} {pmu");

	(void)state;
	for (size_t i = 0; (row = pq_reason_at(i)); i++) {
		expect_known_words(row->reason);
		expect_known_words(row->hint ? row->hint : "");
	}
	for (size_t i = 0; (probe = pq_probe_at(i)); i++)
		expect_known_words(probe->text);
	assert_string_equal(unknown, "a {nonsense} {pmu");
	free(unknown);
}

int main(void)
{
	struct CMUnitTest tests[COUNT(reason_cases) + 5] = {
		cmocka_unit_test(every_reason_is_tested),
		cmocka_unit_test(every_reason_has_its_own_name),
		cmocka_unit_test(every_probe_is_tested),
		cmocka_unit_test(every_condition_is_used_by_a_reason),
		cmocka_unit_test(every_word_is_known),
	};
	size_t n = 5;

	n += ADD_ROWS(tests + n, test_row, reason_cases, row);
	return _cmocka_run_group_tests("open_reasons", tests, n, NULL, NULL);
}
