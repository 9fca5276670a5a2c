/* SPDX-License-Identifier: MIT */
/*
 * Each row of the table of reasons speaks where it should: what is asked, what the fake kernel
 * answers, what the host is like -> the row, the change that opens, and a part of the sentence.
 */
#include "core/attr/attr.h"
#include "open/diagnose/open_probe.h"
#include "open/kept.h"
#include "open/diagnose/reasons.h"
#include "open/diagnose/reason_text.h"
#include "tests/harness/fake_kernel.h"
#include "tests/unit/cmocka_all.h"
#include <errno.h>

#define ALL_CAPS UINT64_MAX
#define DYNAMIC 40 /* the type of some PMU of the machine */
#define KERNEL_ADDRESS UINT64_C(0xffffffff81000000)

struct row_case {
	const char *row, *change, *part;
	const char *remedy; /* a part of the hint */
	struct pmuq_attr attr;
	const char *pmu, *cpus;
	bool is_member, is_leader; /* of a group of two */
	bool needs_cpu;
	bool is_kept; /* it is to stay open */
	struct fake_rule rules[3];
	struct pq_host_view host;
	struct pq_pmu_view known; /* the PMU's directory */
	const char *text;	  /* of a probe */
	struct pq_target target;
	struct pq_task_view task; /* the one that the target names */
};

/* What a rule may look at. */

/* Everything but the plainest event, which a process without hindrance may open. */
static bool is_asked_for(const struct pq_trial *t)
{
	return !(t->attr.type == PQ_TYPE_SOFTWARE && t->attr.config == 1);
}

static bool is_filtered(const struct pq_trial *t)
{
	return is_asked_for(t) &&
	       (t->attr.exclude_user || t->attr.exclude_kernel || t->attr.exclude_hv);
}

/* Tried, it has the read_format that was asked for: none. */
static bool is_to_stay(const struct pq_trial *t)
{
	return t->attr.read_format != 0;
}

static bool has_hv(const struct pq_trial *t)
{
	return is_asked_for(t) && t->attr.exclude_hv;
}

static bool has_idle(const struct pq_trial *t)
{
	return t->attr.exclude_idle;
}

static bool has_guest(const struct pq_trial *t)
{
	return t->attr.exclude_guest;
}

static bool counts_kernel(const struct pq_trial *t)
{
	return !t->attr.exclude_kernel;
}

static bool is_per_cpu(const struct pq_trial *t)
{
	return t->pid == -1;
}

static bool is_per_task(const struct pq_trial *t)
{
	return t->pid == 0;
}

static bool is_member(const struct pq_trial *t)
{
	return t->group_fd >= 0;
}

static bool is_precise(const struct pq_trial *t)
{
	return t->attr.precise_ip > 1;
}

static bool is_precise_at_all(const struct pq_trial *t)
{
	return t->attr.precise_ip;
}

static bool is_fast(const struct pq_trial *t)
{
	return t->attr.freq && t->attr.sample_period > 1000;
}

static bool has_period(const struct pq_trial *t)
{
	return t->attr.sample_period;
}

static bool has_branches(const struct pq_trial *t)
{
	return t->attr.branch_sample_type;
}

static bool has_sample_type(const struct pq_trial *t)
{
	return t->attr.sample_type;
}

static bool has_read_format(const struct pq_trial *t)
{
	return t->attr.read_format & 0x100;
}

static bool has_high_bits(const struct pq_trial *t)
{
	return t->attr.config & 0xff00;
}

static bool has_config1(const struct pq_trial *t)
{
	return t->attr.config1;
}

static bool has_config3(const struct pq_trial *t)
{
	return t->attr.config3;
}

static bool has_flag(const struct pq_trial *t)
{
	return t->attr.inherit_thread;
}

static bool is_odd(const struct pq_trial *t)
{
	return t->attr.config1 & 3;
}

static bool is_read_only(const struct pq_trial *t)
{
	return t->attr.bp_type == 1;
}

static bool is_long(const struct pq_trial *t)
{
	return t->attr.config2 > 4;
}

static bool is_deep(const struct pq_trial *t)
{
	return t->attr.sample_max_stack > 127;
}

static bool is_extended(const struct pq_trial *t)
{
	return t->attr.config >> 32;
}

static bool is_small(const struct pq_trial *t)
{
	return t->attr.size < 64;
}

static bool is_cpu_9(const struct pq_trial *t)
{
	return t->cpu == 9;
}

static bool is_other_task(const struct pq_trial *t)
{
	return t->pid > 0;
}

static bool is_of_cgroup(const struct pq_trial *t)
{
	return t->is_cgroup;
}

static bool is_behind_start(const struct pq_trial *t)
{
	return t->attr.config2;
}

static bool is_cpu_0(const struct pq_trial *t)
{
	return t->cpu == 0;
}

#define ALWAYS(e)                                                                                  \
	{                                                                                          \
		{                                                                                  \
			.errnum = (e)                                                              \
		}                                                                                  \
	}
#define ALL_BUT_PLAIN(e)                                                                           \
	{                                                                                          \
		{                                                                                  \
			.fits = is_asked_for, .errnum = (e)                                        \
		}                                                                                  \
	}
#define WHERE(f, e)                                                                                \
	{                                                                                          \
		{                                                                                  \
			.fits = (f), .errnum = (e)                                                 \
		}                                                                                  \
	}

#define ATTR(number, ...) .attr = { .type = (number), .size = 136, __VA_ARGS__ }
#define MINE .pmu = "box", .known = { .exists = true, .has_type = true, .type = DYNAMIC }
#define BREAKPOINT(address, bytes, access)                                                         \
	ATTR(PQ_TYPE_BREAKPOINT, .config1 = (address), .config2 = (bytes), .bp_type = (access))

#define ROOT .has_caps = true, .caps = ALL_CAPS, .has_pmus = true, .has_core_pmu = true
#define NOBODY .has_caps = true, .has_pmus = true, .has_core_pmu = true
#define PERFMON NOBODY, .caps = UINT64_C(1) << PQ_CAP_PERFMON
#define PARANOID(level) .has_paranoid = true, .paranoid = (level)
#define BARE .has_caps = true, .caps = ALL_CAPS, .has_pmus = true
#define PROBE(name, place)                                                                         \
	.pmu = (name), .known = { .exists = true, .has_type = true, .type = DYNAMIC },             \
	.text = (place)
#define OTHER .target = { .pid = 4321 }
#define CGROUP .target = { .cgroup = "/box", .cgroup_fd = 77 }, .cpus = "0-1"
#define VM .is_vm = true, .hypervisor = "Hypo"

// clang-format off
static const struct row_case row_cases[] = {
	{ "no-perf", ATTR(0), .rules = ALWAYS(ENOSYS), .host = { ROOT, .lacks_perf = true } },
	{ "paranoid-all", ATTR(0), .rules = ALWAYS(EACCES), .host = { NOBODY, PARANOID(4) },
	  .part = "perf_event_paranoid is 4, which closes" },
	{ "paranoid-all", ATTR(0), .rules = ALWAYS(EPERM), .host = { NOBODY, PARANOID(3), .lacks_perfmon = true },
	  .part = "without CAP_SYS_ADMIN" },
	{ "paranoid-kernel", ":u", ATTR(1), .rules = WHERE(counts_kernel, EACCES), .host = { NOBODY, PARANOID(4) } },
	{ "paranoid-all-namespace", ATTR(1), .rules = ALWAYS(EACCES), .host = { ROOT, PARANOID(3), .is_in_namespace = true } },
	{ "seccomp-container", ATTR(1), .rules = ALWAYS(EPERM), .host = { ROOT, .has_seccomp = true, .is_in_container = true } },
	{ "seccomp", ATTR(1), .rules = ALWAYS(ENOSYS), .host = { ROOT, .has_seccomp = true } },
	{ "seccomp", ATTR(1), .rules = ALWAYS(EPERM), .host = { ROOT, .has_seccomp = true, .is_in_container = true, .is_init_free = true } },
	{ "seccomp-access", ATTR(1), .rules = ALWAYS(EACCES), .host = { ROOT, .has_seccomp = true } },
	{ "no-system-call", ATTR(1), .rules = ALWAYS(ENOSYS), .host = { ROOT } },
	{ "security-module", ATTR(1), .rules = ALWAYS(EACCES), .host = { ROOT, PARANOID(2) } },

	{ "breakpoint-admin", BREAKPOINT(KERNEL_ADDRESS, 4, 3), .rules = ALL_BUT_PLAIN(EPERM), .host = { NOBODY, PARANOID(1) },
	  .part = "takes CAP_SYS_ADMIN, which is missing", .remedy = "run it as root, or give the program CAP_SYS_ADMIN (setcap cap_sys_admin+ep" },
	{ "breakpoint-admin", BREAKPOINT(KERNEL_ADDRESS, 4, 3), .rules = { { counts_kernel, EPERM }, { is_asked_for, EINVAL } }, .host = { NOBODY, PARANOID(1), .is_root = true },
	  .part = "which is missing", .remedy = "give the program CAP_SYS_ADMIN" },
	{ "probe-admin", .pmu = "uprobe", .known = { .exists = true }, ATTR(DYNAMIC), .rules = ALL_BUT_PLAIN(EACCES), .host = { PERFMON, PARANOID(2) },
	  .part = "takes CAP_SYS_ADMIN" },
	{ "probe-privilege", .pmu = "kprobe", .known = { .exists = true }, ATTR(DYNAMIC), .rules = ALL_BUT_PLAIN(EACCES), .host = { NOBODY, PARANOID(2) },
	  .part = "takes CAP_PERFMON" },
	{ "task-yama", "for this process itself", OTHER, ATTR(1, .sigtrap = 1), .rules = WHERE(is_other_task, EACCES),
	  .host = { NOBODY, PARANOID(1) }, .task = { .has_yama = true } },
	{ "task-foreign", "for this process itself", OTHER, ATTR(1, .exclude_kernel = 1), .rules = WHERE(is_other_task, EACCES),
	  .host = { NOBODY, PARANOID(2) }, .task = { .is_foreign = true, .user = 33 }, .part = "process 4321 runs as another user (33), and CAP_PERFMON" },
	{ "task-foreign", ":u and for this process itself", OTHER, ATTR(1), .rules = { { counts_kernel, EACCES }, { is_other_task, EACCES } },
	  .host = { NOBODY, PARANOID(2) }, .task = { .is_foreign = true } },
	{ "task-protected", "for this process itself", OTHER, ATTR(1, .exclude_kernel = 1), .rules = WHERE(is_other_task, EACCES),
	  .host = { NOBODY, PARANOID(2) }, .task = { .is_protected = true } },
	{ "task-privilege", "for this process itself", OTHER, ATTR(1), .rules = WHERE(is_other_task, EACCES), .host = { NOBODY, .is_root = true },
	  .part = "CAP_PERFMON is missing, and without it the kernel does not let this process look into process 4321" },
	{ "task-access", "for this process itself", OTHER, ATTR(1), .rules = WHERE(is_other_task, EACCES), .host = { ROOT } },
	{ "paranoid-cgroup", CGROUP, ATTR(1), .rules = WHERE(is_of_cgroup, EACCES), .host = { NOBODY, PARANOID(1) },
	  .change = "without the cgroup, for all that the CPU does" },
	{ "paranoid-cpu", MINE, ATTR(DYNAMIC), .needs_cpu = true, .cpus = "0", .rules = WHERE(is_per_cpu, EACCES),
	  .host = { NOBODY, PARANOID(1) }, .part = "perf_event_paranoid is 1, and CAP_PERFMON is missing" },
	{ "paranoid-kernels-own", ATTR(1, .config = 3), .rules = WHERE(counts_kernel, EACCES), .host = { NOBODY, PARANOID(2) },
	  .part = "where this event never happens", .remedy = "with ':u' it would open, and stay zero" },
	{ "paranoid-kernels-own", ATTR(1, .config = 11, .exclude_user = 1), .rules = WHERE(counts_kernel, EACCES), .host = { NOBODY, PARANOID(2) } },
	{ "paranoid-kernel", ":u", ATTR(1), .rules = WHERE(counts_kernel, EACCES), .host = { NOBODY, PARANOID(2) },
	  .part = "perf_event_paranoid is 2, and CAP_PERFMON is missing" },
	{ "paranoid-kernel", ":u in place of :k", ATTR(0, .exclude_user = 1, .exclude_hv = 1),
	  .rules = WHERE(counts_kernel, EACCES), .host = { NOBODY, PARANOID(2) } },
	{ "paranoid-kernel", ATTR(0), .rules = { { counts_kernel, EACCES }, { is_asked_for, ENOENT } },
	  .host = { .has_caps = true, .has_pmus = true, VM, PARANOID(2) },
	  .part = "with ':u' it is refused, too (ENOENT): this machine has no core PMU", .remedy = "; and for the second: have the hypervisor" },
	{ "paranoid-tracepoint", ATTR(2, .exclude_kernel = 1), .rules = ALL_BUT_PLAIN(EPERM), .host = { NOBODY, PARANOID(0) } },
	{ "namespace", ATTR(1), .rules = ALL_BUT_PLAIN(EACCES), .host = { ROOT, PARANOID(2), .is_in_namespace = true },
	  .remedy = ", or lower kernel.perf_event_paranoid on the host" },
	{ "namespace", .pmu = "uprobe", .known = { .exists = true }, ATTR(DYNAMIC), .rules = ALL_BUT_PLAIN(EACCES),
	  .host = { ROOT, PARANOID(-1), .is_in_namespace = true }, .part = "CAP_SYS_ADMIN is held in a user namespace only" },
	{ "locked-down", ATTR(1, .sample_type = 1 << 18), .rules = ALL_BUT_PLAIN(EPERM), .host = { ROOT, .is_locked_down = true } },
	{ "filter-refused", "without :u", ATTR(0, .exclude_kernel = 1, .exclude_hv = 1), .rules = WHERE(is_filtered, EPERM), .host = { ROOT } },
	{ "hv-refused", "without exclude_hv", ATTR(0, .exclude_kernel = 1, .exclude_hv = 1),
	  .rules = { { .fits = has_hv, .errnum = EPERM } }, .host = { ROOT } },
	{ "paranoid-unknown", ":u", ATTR(1), .rules = WHERE(counts_kernel, EACCES), .host = { NOBODY }, .remedy = "add ':u', lower kernel.perf_event_paranoid" },
	{ "paranoid-unknown", ATTR(2, .exclude_kernel = 1), .rules = ALL_BUT_PLAIN(EPERM), .host = { NOBODY }, .remedy = "lower kernel.perf_event_paranoid, or give" },
	{ "privilege", ATTR(1, .exclude_kernel = 1), .rules = ALL_BUT_PLAIN(EACCES), .host = { NOBODY, PARANOID(1) },
	  .remedy = "run it as root, or give the program CAP_PERFMON (setcap cap_perfmon+ep PROGRAM)" },
	{ "privilege", ATTR(1, .exclude_kernel = 1), .rules = ALL_BUT_PLAIN(EACCES), .host = { NOBODY, PARANOID(1), .is_root = true, .has_bounding = true },
	  .remedy = "have what started it (a container, a service) leave it CAP_PERFMON (docker: --cap-add" },
	{ "privilege", ATTR(1, .exclude_kernel = 1), .rules = ALL_BUT_PLAIN(EACCES), .host = { NOBODY, PARANOID(1), .has_bounding = true, .bounding = ALL_CAPS, .has_no_new_privs = true },
	  .remedy = "or start it, without no_new_privs, with CAP_PERFMON" },
	{ "privilege", ATTR(1, .exclude_kernel = 1), .rules = ALL_BUT_PLAIN(EACCES), .host = { NOBODY, PARANOID(1), .is_in_namespace = true },
	  .remedy = "or run it outside of its user namespace with CAP_PERFMON" },
	{ "access", ATTR(1, .exclude_kernel = 1), .rules = ALL_BUT_PLAIN(EACCES), .host = { ROOT } },
	{ "permission", ATTR(1, .exclude_kernel = 1), .rules = ALL_BUT_PLAIN(EPERM), .host = { ROOT } },

	{ "new-fields", "without config3", ATTR(DYNAMIC, .config3 = 1), MINE,
	  .rules = { { has_config3, E2BIG, .size = 128 } }, .host = { ROOT }, .part = "128 bytes of the attr, and so not config3" },
	{ "small-size", "with attr.size 64", .attr = { .type = 1, .size = 48 }, .rules = { { is_small, E2BIG, .size = 136 } },
	  .host = { ROOT }, .part = "attr.size is 48" },
	{ "size", ATTR(1), .rules = { { .errnum = E2BIG, .size = 136 } }, .host = { ROOT } },

	{ "probe-long", PROBE("uprobe", "/very/long"), ATTR(DYNAMIC), .rules = { { .errnum = E2BIG, .size = 136 } }, .host = { ROOT } },

	{ "filter", "without :u", MINE, ATTR(DYNAMIC, .exclude_kernel = 1, .exclude_hv = 1), .rules = WHERE(is_filtered, EINVAL),
	  .host = { ROOT }, .part = "PMU 'box' cannot count user and kernel apart" },
	{ "filter", "without :k", ATTR(0, .exclude_user = 1, .exclude_hv = 1), .rules = WHERE(is_filtered, EINVAL), .host = { ROOT } },
	{ "hv", "without exclude_hv", ATTR(0, .exclude_kernel = 1, .exclude_hv = 1), .rules = WHERE(has_hv, EINVAL), .host = { ROOT } },
	{ "idle", "without :I", ATTR(0, .exclude_idle = 1), .rules = WHERE(has_idle, EINVAL), .host = { ROOT } },
	{ "guest", "without :H", ATTR(0, .exclude_guest = 1), .rules = WHERE(has_guest, EOPNOTSUPP), .host = { ROOT } },
	{ "breakpoint-user", BREAKPOINT(KERNEL_ADDRESS, 4, 3), .attr.exclude_kernel = 1, .rules = ALWAYS(EINVAL), .host = { ROOT } },
	{ "breakpoint-user", "without :u", BREAKPOINT(KERNEL_ADDRESS, 4, 3), .attr.exclude_kernel = 1, .attr.exclude_hv = 1,
	  .rules = WHERE(is_filtered, EINVAL), .host = { ROOT } },
	{ "breakpoint-aligned", "at 0x1000", BREAKPOINT(0x1002, 4, 3), .rules = WHERE(is_odd, EINVAL), .host = { ROOT } },
	{ "breakpoint-access", "with access rw", BREAKPOINT(0x1000, 4, 1), .rules = WHERE(is_read_only, EINVAL), .host = { ROOT } },
	{ "breakpoint-length", "with length 4", BREAKPOINT(0x1000, 8, 3), .rules = WHERE(is_long, EINVAL), .host = { ROOT } },
	{ "less-precise", ":p in place of :ppp", ATTR(0, .precise_ip = 3), .rules = WHERE(is_precise, EOPNOTSUPP), .host = { ROOT } },
	{ "less-precise", "without :pp", ATTR(0, .precise_ip = 2), .rules = WHERE(is_precise_at_all, EINVAL), .host = { ROOT } },
	{ "too-fast", "with freq=1000", ATTR(0, .freq = 1, .sample_period = 5000), .rules = WHERE(is_fast, EINVAL),
	  .host = { ROOT, .max_sample_rate = 1000 }, .part = "1000 Hz" },
	{ "unknown-bits", "without the bits 0x4500 of config", ATTR(DYNAMIC, .config = 0x4523), .rules = WHERE(has_high_bits, EINVAL),
	  .host = { ROOT }, .pmu = "box", .known = { true, true, true, .type = DYNAMIC, .known = { 0xff } } },
	{ "unexpected-word", "without 0x7 of config1", ATTR(DYNAMIC, .config1 = 7), MINE, .rules = WHERE(has_config1, EINVAL), .host = { ROOT } },
	{ "flag", "without inherit_thread", ATTR(0, .inherit_thread = 1), .rules = WHERE(has_flag, EINVAL), .host = { ROOT } },
	{ "read-format", "without 0x100 in read_format", ATTR(0, .read_format = 0x101), .rules = WHERE(has_read_format, EINVAL), .host = { ROOT } },
	{ "sample-type", "without 0x80000 in sample_type", ATTR(0, .sample_type = 0x80000), .rules = WHERE(has_sample_type, EINVAL), .host = { ROOT } },
	{ "branches", "without branch_type", ATTR(0, .branch_sample_type = 8), .rules = WHERE(has_branches, EOPNOTSUPP), .host = { ROOT } },
	{ "unsampled", "without period", MINE, ATTR(DYNAMIC, .sample_period = 1000), .rules = WHERE(has_period, EOPNOTSUPP), .host = { ROOT } },
	{ "unsampled", "without freq", ATTR(0, .sample_period = 1000, .freq = 1), .rules = WHERE(has_period, EINVAL), .host = { ROOT } },
	{ "group-full", "outside the group", ATTR(0), .is_member = true, .rules = WHERE(is_member, EINVAL), .host = { ROOT } },
	{ "cgroup-hierarchy", "without the cgroup, for all that the CPU does", CGROUP, ATTR(1), .rules = WHERE(is_of_cgroup, ENOENT),
	  .host = { ROOT }, .part = "cgroup '/box' stands in a hierarchy" },
	{ "cgroup-none", CGROUP, ATTR(1), .rules = WHERE(is_of_cgroup, EBADF), .host = { ROOT }, .part = "'/box' is a directory, but no cgroup" },
	{ "cgroup-per-cpu", "without the cgroup, for all that the CPU does", CGROUP, .pmu = "box", ATTR(DYNAMIC), .needs_cpu = true,
	  .known = { .exists = true }, .rules = WHERE(is_of_cgroup, EINVAL), .host = { ROOT } },
	{ "cgroup-unsupported", "without the cgroup, for all that the CPU does", CGROUP, ATTR(1), .rules = WHERE(is_of_cgroup, EINVAL), .host = { ROOT } },
	{ "cpu-missing", "on CPU 0 only", ATTR(DYNAMIC), MINE, .needs_cpu = true, .cpus = "0,9", .rules = WHERE(is_cpu_9, ENODEV),
	  .host = { ROOT, .cpus_online = STR("0-3") }, .part = "CPU 9 is offline or does not exist (online: 0-3)" },
	{ "cpu-foreign", "on CPU 4-8,10-11 only", MINE, ATTR(DYNAMIC), .cpus = "4-11", .target = { .cpus = "0" }, .rules = { { is_cpu_0, ENOENT }, { is_cpu_9, ENOENT } },
	  .host = { ROOT, .cpus_online = STR("0-11") }, .part = "counts on the CPUs 4-11, and CPU 0 is none of them" },
	{ "per-task", "per task (pid 0)", ATTR(0), .is_leader = true, .rules = WHERE(is_per_cpu, EINVAL), .host = { ROOT } },
	{ "per-cpu-target", "per CPU (pid -1, CPU 2)", MINE, OTHER, ATTR(DYNAMIC), .cpus = "2", .needs_cpu = true,
	  .host = { ROOT }, .part = "what process 4321 does cannot be told apart", .rules = { { is_other_task, EINVAL }, { is_per_task, EINVAL } } },
	{ "per-cpu", "per CPU (pid -1, CPU 2)", MINE, ATTR(DYNAMIC), .cpus = "2-3", .rules = WHERE(is_per_task, ENOENT), .host = { ROOT } },
	{ "elsewhere", "on CPU 4-8,10-11 only", MINE, ATTR(DYNAMIC), .needs_cpu = true, .cpus = "4-11", .rules = WHERE(is_cpu_9, ENOENT),
	  .host = { ROOT, .cpus_online = STR("0-11") }, .part = "on CPU 9" },

	{ "tracepoint-id", ATTR(2, .config = 77777), .rules = ALWAYS(EINVAL), .host = { ROOT }, .part = "id 0x12fd1" },
	{ "per-cpu-likely", MINE, OTHER, ATTR(DYNAMIC), .needs_cpu = true, .cpus = "2", .rules = ALWAYS(EINVAL), .host = { ROOT } },
	{ "probe-offset", "at offset 0", PROBE("uprobe", "/bin/true"), ATTR(DYNAMIC, .config2 = 0x99), .rules = WHERE(is_behind_start, EINVAL),
	  .host = { ROOT }, .part = "at offset 0x99 of '/bin/true'" },
	{ "function-none", PROBE("kprobe", "do_nothing"), ATTR(DYNAMIC), .rules = ALWAYS(ENOENT), .host = { ROOT }, .part = "no function 'do_nothing'" },
	{ "function-refused", PROBE("kprobe", "int3"), ATTR(DYNAMIC), .rules = ALWAYS(EINVAL), .host = { ROOT } },
	{ "file-none", PROBE("uprobe", "/nowhere"), ATTR(DYNAMIC), .rules = ALWAYS(ENOENT), .host = { ROOT } },
	{ "file-refused", PROBE("uprobe", "/dev/null"), ATTR(DYNAMIC), .rules = ALWAYS(EINVAL), .host = { ROOT }, .part = "'/dev/null' is no regular file" },
	{ "probe-instruction", PROBE("uprobe", "/bin/true"), ATTR(DYNAMIC), .rules = ALWAYS(524), .host = { ROOT } },
	{ "breakpoint", BREAKPOINT(0x1000, 4, 3), .rules = ALWAYS(EINVAL), .host = { ROOT } },
	{ "filter-likely", MINE, ATTR(DYNAMIC, .exclude_kernel = 1), .rules = ALWAYS(EINVAL), .host = { ROOT } },
	{ "no-such-event", MINE, ATTR(DYNAMIC, .config = 0x77), .rules = ALWAYS(EINVAL), .host = { ROOT }, .part = "config 0x77" },
	{ "core-pmu-unknown", ATTR(0), .rules = ALWAYS(ENOENT), .host = { .has_caps = true, .caps = ALL_CAPS } },
	{ "generic-unmapped", ATTR(0, .config = 7), .rules = ALWAYS(ENOENT), .host = { ROOT } },
	{ "invalid", ATTR(1), .rules = ALWAYS(EINVAL), .host = { ROOT } },

	{ "no-core-pmu-vm", ATTR(0), .rules = ALWAYS(ENOENT), .host = { BARE, VM }, .part = "a virtual machine (Hypo)" },
	{ "no-core-pmu", ATTR(4), .rules = ALWAYS(ENOENT), .host = { BARE } },
	{ "extended", ATTR(0, .config = UINT64_C(10) << 32), .rules = ALWAYS(ENOENT), .host = { ROOT } },
	{ "extended", "without the PMU's type in config", ATTR(0, .config = UINT64_C(10) << 32), .rules = WHERE(is_extended, ENOENT), .host = { ROOT } },
	{ "no-pmu", ATTR(DYNAMIC), .rules = ALWAYS(ENOENT), .host = { ROOT }, .part = "type 40" },
	{ "software-unknown", ATTR(1, .config = 99), .rules = ALWAYS(ENOENT), .host = { ROOT } },
	{ "breakpoints-none", BREAKPOINT(0x1000, 4, 2), .rules = ALWAYS(ENODEV), .host = { ROOT } },
	{ "not-found", MINE, ATTR(DYNAMIC), .rules = ALWAYS(ENOENT), .host = { ROOT } },

	{ "branches-none", ATTR(0, .branch_sample_type = 8), .rules = ALWAYS(EOPNOTSUPP), .host = { ROOT } },
	{ "precise-vm", ATTR(0, .precise_ip = 1), .rules = ALWAYS(EOPNOTSUPP), .host = { ROOT, VM } },
	{ "precise-none", ATTR(0, .precise_ip = 1), .rules = ALWAYS(EOPNOTSUPP), .host = { ROOT } },
	{ "interrupt-none", ATTR(0, .sample_period = 9), .rules = ALWAYS(EOPNOTSUPP), .host = { ROOT } },
	{ "generic-unsupported", ATTR(0), .rules = ALWAYS(EOPNOTSUPP), .host = { ROOT } },
	{ "not-supported", MINE, ATTR(DYNAMIC), .rules = ALWAYS(524), .host = { ROOT } },
	{ "stack-user", ATTR(0, .sample_type = 1 << 13), .rules = ALL_BUT_PLAIN(ENOSYS), .host = { ROOT } },
	{ "not-implemented", ATTR(0), .rules = ALL_BUT_PLAIN(ENOSYS), .host = { ROOT } },
	{ "cpu-lacks", ATTR(0), .rules = ALWAYS(ENODEV), .host = { ROOT } },
	{ "extra-register-vm", ATTR(0, .config1 = 5), .rules = ALWAYS(ENXIO), .host = { ROOT, VM } },
	{ "extra-register", ATTR(0, .config1 = 5), .rules = ALWAYS(ENXIO), .host = { ROOT } },
	{ "extra-register", "without 0x5 of config1", ATTR(0, .config1 = 5), .rules = WHERE(has_config1, ENXIO), .host = { ROOT } },
	{ "no-register", ATTR(0), .rules = ALWAYS(ENXIO), .host = { ROOT } },

	{ "breakpoints-used", BREAKPOINT(0x1000, 4, 3), .rules = ALWAYS(ENOSPC), .host = { ROOT } },
	{ "no-room-watchdog", ATTR(0), .rules = ALWAYS(ENOSPC), .host = { ROOT, .has_nmi_watchdog = true } },
	{ "no-room", ATTR(0), .rules = ALWAYS(ENOSPC), .host = { ROOT } },
	{ "busy", MINE, ATTR(DYNAMIC), .rules = ALWAYS(EBUSY), .host = { ROOT } },
	{ "files-process", ATTR(0), .rules = ALWAYS(EMFILE), .host = { ROOT, .max_files = 1024 }, .part = "no more than 1024 files" },
	{ "files-system", ATTR(0), .rules = ALWAYS(ENFILE), .host = { ROOT } },
	{ "memory", ATTR(0), .rules = ALWAYS(ENOMEM), .host = { ROOT } },
	{ "changed-meanwhile", ATTR(0), .rules = { { is_to_stay, ENOENT, 0, 2 } }, .host = { ROOT }, .is_kept = true, .part = "a moment later" },
	{ "frames", "with max-stack=127", ATTR(0, .sample_type = 1 << 5, .sample_max_stack = 500), .rules = WHERE(is_deep, EOVERFLOW),
	  .host = { ROOT, .max_stack = 127 }, .part = "127 frames (perf_event_max_stack), not 500" },
	{ "overflow", ATTR(0), .rules = ALWAYS(EOVERFLOW), .host = { ROOT } },
	{ "interrupted", ATTR(0), .rules = ALWAYS(EINTR), .host = { ROOT } },
	{ "bad-pointer", ATTR(DYNAMIC), .rules = ALWAYS(EFAULT), .host = { ROOT } },
	{ "bad-leader", ATTR(0), .rules = ALWAYS(EBADF), .host = { ROOT } },
	{ "task-dead", OTHER, ATTR(1), .rules = ALWAYS(ESRCH), .host = { ROOT }, .task = { .is_dead = true }, .part = "process 4321 has ended" },
	{ "task-gone", OTHER, ATTR(1), .rules = ALWAYS(ESRCH), .host = { ROOT }, .task = { .is_gone = true }, .part = "there is no process 4321" },
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
		fail_msg("'%s' lacks '%s'", text, part);
}

static void check_verdict(const struct row_case *row, const struct pq_verdict *verdict)
{
	assert_int_equal(verdict->status, PMUQ_REFUSED);
	assert_int_not_equal(verdict->errnum, 0);
	assert_non_null(verdict->row);
	assert_string_equal(verdict->row, row->row);
	assert_true((verdict->change != NULL) == (verdict->n_steps > 0));
	assert_true((verdict->change != NULL) == (verdict->changed != NULL));
	expect_text(verdict->reason, row->part);
	if (verdict->hint || row->remedy)
		expect_text(verdict->hint, row->remedy);
	if (row->change) {
		assert_non_null(verdict->change);
		assert_string_equal(verdict->change, row->change);
	} else if (verdict->change) {
		fail_msg("an unexpected change: %s", verdict->change);
	}
}

/* The other one of a group of two: as a leader the plainest event, as a member one that needs a
 * CPU. */
static void test_row(void **state)
{
	const struct row_case *row = *state;
	bool is_grouped = row->is_member || row->is_leader;
	const struct pmuq_attr plainest = { .type = PQ_TYPE_SOFTWARE, .size = 64, .config = 1 };
	const struct pq_request asked = {
		.attr = &row->attr,
		.pmu = row->pmu,
		.cpus = row->cpus ? row->cpus : "",
		.needs_cpu = row->needs_cpu,
		.members = is_grouped ? 2 : 0,
		.text = row->text,
	};
	const struct pq_request other = {
		.attr = &plainest,
		.cpus = row->is_leader ? "0" : "",
		.members = 2,
		.needs_cpu = row->is_leader,
	};
	const struct pq_request requests[] = {
		row->is_member ? other : asked,
		row->is_member ? asked : other,
	};
	struct fake_kernel kernel = { .rules = row->rules };
	struct fake_host host = { .view = row->host, .pmu = row->known, .task = row->task };
	const struct pq_opener opener = { fake_kernel_door(&kernel), fake_host_door(&host),
					  row->target };
	struct pmuq_verdicts *verdicts = NULL;
	struct pmuq_opened *opened = NULL;
	int r;

	while (kernel.n_rules < COUNT(row->rules) && row->rules[kernel.n_rules].errnum)
		kernel.n_rules++;
	if (row->is_kept)
		r = pq_keep_requests(&opener, requests, 1, &opened, NULL);
	else
		r = pq_open_requests(&opener, requests, is_grouped ? 2 : 1, &verdicts, NULL);
	assert_int_equal(r, 0);
	assert_int_equal(kernel.n_open, 0);
	if (kernel.fault)
		fail_msg("%s", kernel.fault);
	check_verdict(row, &(row->is_kept ? opened->verdicts : verdicts)->v[row->is_member]);
	pmuq_verdicts_free(verdicts);
	pmuq_opened_free(opened);
}

static bool is_tested(const char *name)
{
	for (size_t i = 0; i < COUNT(row_cases); i++)
		if (strcmp(row_cases[i].row, name) == 0)
			return true;
	return false;
}

static void every_row_is_tested(void **state)
{
	const struct pq_reason *row;

	(void)state;
	for (size_t i = 0; (row = pq_reason_at(i)); i++)
		if (!is_tested(row->name))
			fail_msg("no test of the row '%s'", row->name);
}

static void every_change_is_tested(void **state)
{
	const struct pq_experiment *row;
	bool found;

	(void)state;
	for (size_t i = 0; (row = pq_experiment_at(i)); i++) {
		size_t head = strcspn(row->change, "{");

		found = false;
		for (size_t k = 0; k < COUNT(row_cases) && !found; k++)
			found = row_cases[k].change &&
				strncmp(row_cases[k].change, row->change, head) == 0;
		if (!found)
			fail_msg("no test of the experiment '%s'", row->name);
	}
}

static void every_word_is_known(void **state)
{
	const struct pq_experiment *experiment;
	const struct pq_reason *row;

	(void)state;
	for (size_t i = 0; (row = pq_reason_at(i)); i++) {
		assert_true(pq_text_is_sound(row->reason));
		assert_true(!row->hint || pq_text_is_sound(row->hint));
	}
	for (size_t i = 0; (experiment = pq_experiment_at(i)); i++)
		assert_true(pq_text_is_sound(experiment->change));
	assert_false(pq_text_is_sound("{nonsense}"));
	assert_false(pq_text_is_sound("{pmu"));
}

int main(void)
{
	struct CMUnitTest tests[COUNT(row_cases) + 3] = {
		cmocka_unit_test(every_row_is_tested),
		cmocka_unit_test(every_change_is_tested),
		cmocka_unit_test(every_word_is_known),
	};
	size_t n = 3;

	for (size_t i = 0; i < COUNT(row_cases); i++)
		tests[n++] = (struct CMUnitTest){ row_cases[i].row, test_row, NULL, NULL,
						  (void *)(uintptr_t)&row_cases[i] };
	return _cmocka_run_group_tests("open_reasons", tests, n, NULL, NULL);
}
