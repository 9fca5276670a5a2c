/* SPDX-License-Identifier: MIT */
/* See reasons.h. Within an errno the more special rows come first; its general one is the last. */
#include "open/reasons.h"
#include <errno.h>

/* The kernel's own "not supported", which some drivers let slip to user space. */
#define ENOTSUPP 524

#define ONE(a) PQ_CLAIM(PQ_##a)
#define TWO(a, b) (ONE(a) | ONE(b))
#define THREE(a, b, c) (ONE(a) | TWO(b, c))

#define GRANT "or give the program {capability} ({setcap})"

// clang-format off
static const struct pq_reason reasons[] = {
	/* Nothing at all may be opened. */
	{ "no-perf", ENOSYS, 0, TWO(NO_PERF, NOTHING_OPENS), 0,
	  "this kernel was built without perf events",
	  "use a kernel with CONFIG_PERF_EVENTS" },
	{ "paranoid-all", EACCES, EPERM, TWO(PARANOID_ALL, NO_PERFMON), 0,
	  "{paranoid}, which closes perf events to everyone without {capability}",
	  "set kernel.perf_event_paranoid to 2 or less, " GRANT },
	{ "seccomp-container", EPERM, ENOSYS, THREE(NOTHING_OPENS, HAS_SECCOMP, IN_CONTAINER), 0,
	  "the container's seccomp filter refuses perf_event_open(2)",
	  "start the container with {capability} (--cap-add), or with a seccomp profile that allows perf_event_open" },
	{ "seccomp", EPERM, ENOSYS, TWO(NOTHING_OPENS, HAS_SECCOMP), 0,
	  "a seccomp filter of this process refuses perf_event_open(2)",
	  "allow perf_event_open in the filter of whatever started this process (systemd: SystemCallFilter=perf_event_open)" },
	{ "seccomp-access", EACCES, 0, TWO(NOTHING_OPENS, HAS_SECCOMP), 0,
	  "a seccomp filter or a security module refuses perf_event_open(2) to this process",
	  "allow perf_event_open in the filter, and perf_event in the policy, that this process runs under" },
	{ "no-system-call", ENOSYS, 0, ONE(NOTHING_OPENS), 0,
	  "there is no perf_event_open(2) here: the kernel lacks it, or a sandbox stands in for the kernel",
	  "run outside the sandbox, or on a kernel with CONFIG_PERF_EVENTS" },
	{ "security-module", EACCES, EPERM, ONE(NOTHING_OPENS), 0,
	  "a security module (SELinux, Smack, a sandbox) refuses every event to this process",
	  "look for the refusal in the audit log, and allow perf_event in that policy" },

	/* EACCES and EPERM: privilege. */
	{ "breakpoint-admin", EPERM, EACCES, THREE(IS_BREAKPOINT, HAS_KERNEL_ADDRESS, NO_ADMIN), 0,
	  "a breakpoint on an address of the kernel takes CAP_SYS_ADMIN, which is missing",
	  "run it as root" },
	{ "paranoid-cpu", EACCES, EPERM, THREE(PARANOID_CPU, NO_PERFMON, IS_PER_CPU), 0,
	  "{paranoid}, and {capability} is missing: what a whole CPU does may not be counted",
	  "set kernel.perf_event_paranoid to 0, " GRANT },
	{ "paranoid-kernel", EACCES, EPERM, THREE(PARANOID_KERNEL, NO_PERFMON, COUNTS_KERNEL), 0,
	  "{paranoid}, and {capability} is missing: only user space may be counted",
	  "add ':u', set kernel.perf_event_paranoid to 1, " GRANT },
	{ "paranoid-tracepoint", EPERM, EACCES, THREE(PARANOID_RAW, NO_PERFMON, IS_TRACEPOINT), 0,
	  "{paranoid}, and {capability} is missing: this tracepoint may not be read",
	  "set kernel.perf_event_paranoid to -1, " GRANT },
	{ "namespace", EACCES, EPERM, TWO(IN_NAMESPACE, PARANOID_CPU), ONE(NO_PERFMON),
	  "{capability} is held in a user namespace only, and perf asks for it in the machine's first one",
	  "run it outside the (rootless) container, or lower kernel.perf_event_paranoid on the host" },
	{ "locked-down", EPERM, EACCES, TWO(IS_LOCKED_DOWN, WANTS_REGS), 0,
	  "the kernel is locked down for confidentiality, and shows nobody its registers",
	  "sample without the kernel's registers, or boot without lockdown=confidentiality" },
	{ "filter-refused", EPERM, EACCES, ONE(OPENS_UNFILTERED), 0,
	  "{pmu} cannot count user and kernel apart",
	  "take the modifier away: it counts both" },
	{ "hv-refused", EPERM, EACCES, ONE(OPENS_WITH_HV), 0,
	  "{pmu} cannot leave the hypervisor out",
	  "count without exclude_hv" },
	{ "privilege", EACCES, EPERM, ONE(NO_PERFMON), 0,
	  "{capability} is missing, and this event takes it",
	  "run it as root, " GRANT },
	{ "access", EACCES, 0, 0, 0,
	  "the kernel grants no access to this event, although {capability} is not what is missing",
	  "a security module may stand between: look into the audit log" },
	{ "permission", EPERM, 0, 0, 0,
	  "the kernel does not permit this event, although {capability} is not what is missing",
	  "a security module or a container may stand between: look into the audit log" },

	/* E2BIG: the attr's size. */
	{ "new-fields", E2BIG, 0, ONE(HAS_NEW_FIELDS), 0,
	  "this kernel knows {kernel_size} bytes of the attr, and so not {new_fields}",
	  "use a newer kernel, or an event without {new_fields}" },
	{ "small-size", E2BIG, 0, ONE(HAS_SMALL_SIZE), 0,
	  "attr.size is {size}, less than the first published size",
	  "set attr.size to 64 or more" },
	{ "size", E2BIG, 0, 0, 0,
	  "the kernel does not take an attr of {size} bytes",
	  "set attr.size to {kernel_size}" },

	/* EINVAL: what experiments proved. */
	{ "filter", EINVAL, 0, ONE(OPENS_UNFILTERED), 0,
	  "{pmu} cannot count user and kernel apart",
	  "take the modifier away: it counts both" },
	{ "hv", EINVAL, EOPNOTSUPP, ONE(OPENS_WITH_HV), 0,
	  "{pmu} cannot leave the hypervisor out",
	  "count without exclude_hv" },
	{ "idle", EINVAL, EOPNOTSUPP, ONE(OPENS_WITH_IDLE), 0,
	  "{pmu} cannot leave the idle task out",
	  "take the modifier 'I' away" },
	{ "guest", EINVAL, EOPNOTSUPP, ONE(OPENS_WITH_GUEST), 0,
	  "{pmu} cannot count host and guest apart",
	  "take the modifiers 'G' and 'H' away" },
	{ "breakpoint-user", EINVAL, 0, TWO(IS_BREAKPOINT, HAS_KERNEL_ADDRESS), ONE(COUNTS_KERNEL),
	  "a breakpoint on an address of the kernel cannot leave the kernel out",
	  "take ':u' away" },
	{ "breakpoint-aligned", EINVAL, 0, ONE(OPENS_ALIGNED), 0,
	  "a breakpoint must stand at a multiple of its length",
	  "use {address}" },
	{ "breakpoint-access", EINVAL, 0, ONE(OPENS_READ_WRITE), 0,
	  "this CPU has no breakpoint of that access alone",
	  "use rw" },
	{ "breakpoint-length", EINVAL, 0, ONE(OPENS_OTHER_LENGTH), 0,
	  "this CPU has no breakpoint of that length and access",
	  "use a length of {length}" },
	{ "less-precise", EINVAL, EOPNOTSUPP, ONE(OPENS_LESS_PRECISE), 0,
	  "{pmu} cannot say so precisely where this event happened",
	  "write fewer p" },
	{ "too-fast", EINVAL, 0, ONE(SAMPLES_TOO_FAST), 0,
	  "the frequency is above perf_event_max_sample_rate, {max_rate} Hz",
	  "sample more slowly, or raise kernel.perf_event_max_sample_rate" },
	{ "unknown-bits", EINVAL, ENOENT, ONE(OPENS_WITHOUT_BITS), 0,
	  "{pmu} has no format for the bits {bits}, and does not take them",
	  "take them away; `pmuq show` draws the PMU's bits" },
	{ "unexpected-word", EINVAL, EOPNOTSUPP, ONE(OPENS_WITHOUT_WORD), 0,
	  "{pmu} does not take {bits} with this event",
	  "take the term that sets it away" },
	{ "flag", EINVAL, EOPNOTSUPP, ONE(OPENS_WITHOUT_FLAG), 0,
	  "the kernel or {pmu} does not take {fields} here",
	  "leave {fields} 0" },
	{ "read-format", EINVAL, 0, ONE(OPENS_WITHOUT_READ_FORMAT), 0,
	  "the kernel does not take {read_bits} in read_format for this event",
	  "clear these bits" },
	{ "sample-type", EINVAL, EOPNOTSUPP, ONE(OPENS_WITHOUT_SAMPLE_TYPE), 0,
	  "the kernel does not take {sample_bits} in sample_type for this event",
	  "clear these bits" },
	{ "branches", EINVAL, EOPNOTSUPP, ONE(OPENS_WITHOUT_BRANCHES), 0,
	  "{pmu} records no branches with this event",
	  "take branch_type away" },
	{ "unsampled", EINVAL, EOPNOTSUPP, ONE(OPENS_UNSAMPLED), 0,
	  "{pmu} counts, but cannot sample (or not with this period)",
	  "count it, or sample another event" },
	{ "group-full", EINVAL, ENOSPC, TWO(IS_MEMBER, OPENS_ALONE), 0,
	  "it opens alone but not in its group: the group needs more counters than there are, or its leader counts elsewhere",
	  "make the group smaller, or open the event outside of it" },
	{ "cpu-missing", EINVAL, ENODEV, ONE(CPU_OFFLINE), 0,
	  "CPU {cpu} is offline or does not exist (online: {online})",
	  "open it on a CPU that is online, or switch that one on" },
	{ "per-task", EINVAL, EACCES, ONE(OPENS_PER_TASK), 0,
	  "it cannot be opened for a whole CPU, but for a task it can",
	  "open it with pid 0" },
	{ "per-cpu", EINVAL, ENOENT, ONE(OPENS_PER_CPU), 0,
	  "{pmu} counts per CPU only, not per task",
	  "open it with pid -1 on a CPU" },
	{ "elsewhere", 0, 0, ONE(OPENS_ELSEWHERE), 0,
	  "{pmu} cannot count it on CPU {cpu}",
	  "open it on CPU {cpus} only" },

	/* EINVAL: what can be said without proof. */
	{ "tracepoint-id", EINVAL, ENOENT, ONE(IS_TRACEPOINT), 0,
	  "the kernel has no tracepoint of id {config}, or none that can be opened",
	  "look up its id again: ids change from boot to boot" },
	{ "probe-target", EINVAL, ENOENT, ONE(IS_PROBE), 0,
	  "{pmu} finds nothing to probe at the place that was named",
	  "check the path or function, and the offset" },
	{ "breakpoint", EINVAL, EOPNOTSUPP, ONE(IS_BREAKPOINT), 0,
	  "this CPU has no breakpoint of that address, length and access",
	  "use rw, and a length of 1, 2, 4 or 8 (x: 8) at a multiple of it" },
	{ "filter-likely", EINVAL, 0, TWO(EXCLUDES, IS_DYNAMIC), 0,
	  "{pmu} has no such event here, or cannot count user and kernel apart",
	  "try it without modifiers" },
	{ "no-such-event", EINVAL, 0, ONE(IS_DYNAMIC), 0,
	  "{pmu} does not count config {config} on this CPU",
	  "`pmuq show` lists the events and formats of the PMU" },
	{ "generic-unmapped", EINVAL, ENOENT, ONE(IS_HARDWARE), TWO(NO_CORE_PMU, IS_EXTENDED),
	  "the core PMU of this CPU does not have this event",
	  "use an event of the CPU itself: `pmuq list events`" },
	{ "invalid", EINVAL, 0, 0, 0,
	  "the kernel takes no such event: some value of its attr is out of range",
	  "`pmuq explain` shows which term set which bits" },

	/* ENOENT: nobody feels responsible. */
	{ "no-core-pmu-vm", ENOENT, EOPNOTSUPP, THREE(IS_HARDWARE, NO_CORE_PMU, IN_VM), 0,
	  "this machine has no core PMU: it is {vm} that was given none",
	  "{vpmu}; cpu-clock and task-clock can be counted as they are" },
	{ "no-core-pmu", ENOENT, EOPNOTSUPP, TWO(IS_HARDWARE, NO_CORE_PMU), 0,
	  "this machine has no core PMU: the kernel has no driver for the one of this CPU, or the firmware hides it",
	  "look for 'Performance Events' in the kernel's log; cpu-clock and task-clock can be counted" },
	{ "extended", ENOENT, EINVAL, ONE(IS_EXTENDED), 0,
	  "no PMU of this kernel answers to the type in the upper half of config",
	  "look up the PMU's type again, or leave that half 0" },
	{ "no-pmu", ENOENT, 0, ONE(NO_PMU), 0,
	  "the kernel has no PMU of type {type}",
	  "load the module that brings it, and look up its type again: types change from boot to boot" },
	{ "software-unknown", ENOENT, 0, ONE(IS_SOFTWARE), 0,
	  "this kernel has no software event {config}",
	  "it may be newer than the kernel" },
	{ "not-found", ENOENT, 0, 0, 0,
	  "{pmu} does not know config {config}",
	  "`pmuq show` lists the events and formats of the PMU" },

	/* The feature is not there. */
	{ "branches-none", EOPNOTSUPP, ENOTSUPP, ONE(WANTS_BRANCHES), 0,
	  "the CPU (or the hypervisor) records no branches for this event",
	  "take branch_type away" },
	{ "precise-vm", EOPNOTSUPP, ENOTSUPP, TWO(IS_PRECISE, IN_VM), 0,
	  "this machine is {vm}, and its PMU has no precise samples",
	  "take the modifier 'p' away" },
	{ "precise-none", EOPNOTSUPP, ENOTSUPP, ONE(IS_PRECISE), 0,
	  "the CPU has no precise samples for this event",
	  "take the modifier 'p' away" },
	{ "interrupt-none", EOPNOTSUPP, ENOTSUPP, ONE(SAMPLES), 0,
	  "{pmu} has no interrupt, and so cannot sample",
	  "count it without a period or frequency" },
	{ "not-supported", EOPNOTSUPP, ENOTSUPP, 0, 0,
	  "the hardware does not have what this event needs",
	  "use another event" },
	{ "stack-user", ENOSYS, 0, ONE(WANTS_STACK), 0,
	  "this architecture cannot copy the user's stack into samples",
	  "use call-graph=fp" },
	{ "not-implemented", ENOSYS, 0, 0, 0,
	  "the kernel has not implemented this event for this architecture",
	  "use another event" },
	{ "cpu-lacks", ENODEV, 0, 0, 0,
	  "the CPU lacks a feature that {pmu} needs for this event",
	  "use another event, or another CPU" },
	{ "extra-register-vm", ENXIO, 0, TWO(HAS_EXTRA_WORDS, IN_VM), 0,
	  "this machine is {vm}, which does not pass on the extra register that config1 and above are for",
	  "use an event without that term" },
	{ "extra-register", ENXIO, 0, ONE(HAS_EXTRA_WORDS), 0,
	  "the CPU has no such extra register as config1 and above ask for",
	  "use an event without that term" },
	{ "no-register", ENXIO, 0, 0, 0,
	  "{pmu} has no register to count this event in",
	  "use another event" },

	/* Something is used up or in the way. */
	{ "breakpoints-used", ENOSPC, 0, ONE(IS_BREAKPOINT), 0,
	  "all breakpoint registers of the CPU are in use",
	  "use fewer breakpoints at once; debuggers take some, too" },
	{ "no-room-watchdog", ENOSPC, EBUSY, ONE(HAS_WATCHDOG), ONE(IS_DYNAMIC),
	  "no counter is free, and the NMI watchdog holds one",
	  "set kernel.nmi_watchdog to 0, or make the group smaller" },
	{ "no-room", ENOSPC, 0, 0, 0,
	  "no counter is free for this event",
	  "make the group smaller, or end what else is counting" },
	{ "busy", EBUSY, 0, 0, 0,
	  "another event has {pmu} for itself alone",
	  "end the other tool: one that traces (intel_pt, coresight), or a hypervisor" },
	{ "files-process", EMFILE, 0, 0, 0,
	  "this process may have no more than {max_files} files open, and each event on each CPU is one",
	  "raise the limit: ulimit -n" },
	{ "files-system", ENFILE, 0, 0, 0,
	  "the machine has as many files open as it may",
	  "raise fs.file-max, or end what holds them" },
	{ "memory", ENOMEM, 0, 0, 0,
	  "the kernel has no memory for the event",
	  "free some memory; with many CPUs, open fewer events at once" },
	{ "frames", EOVERFLOW, 0, ONE(WANTS_FRAMES), 0,
	  "samples may have {max_stack} frames (perf_event_max_stack), not {frames}",
	  "lower max-stack, or raise kernel.perf_event_max_stack" },
	{ "overflow", EOVERFLOW, 0, 0, 0,
	  "a number of the attr is above what the kernel allows",
	  "lower sample_max_stack" },
	{ "interrupted", EINTR, EAGAIN, 0, 0,
	  "the kernel broke off {tries} times; ftrace may hold the function that was to be probed",
	  "try again, without other tracers" },
	{ "bad-pointer", EFAULT, 0, 0, 0,
	  "the kernel could not read what the attr points to",
	  "give kprobe and uprobe events their text" },
	{ "bad-leader", EBADF, 0, 0, 0,
	  "the leader of the group is no event that is open",
	  "open the leader first" },
	{ "no-task", ESRCH, 0, 0, 0,
	  "the task is not there (any more)",
	  "name a task that runs" },

	{ "other", 0, 0, 0, 0,
	  "the kernel answered {errno}, which perf_event_open(2) does not document",
	  NULL },
};
// clang-format on

const struct pq_reason *pq_reason_at(size_t index)
{
	return index < COUNT(reasons) ? &reasons[index] : NULL;
}

static bool fits(const struct pq_reason *row, const struct pq_case *c)
{
	if (row->errnum && row->errnum != c->errnum && row->also != c->errnum)
		return false;
	return (c->claims & row->when) == row->when && !(c->claims & row->unless);
}

const struct pq_reason *pq_reason_find(const struct pq_case *c)
{
	size_t i = 0;

	while (i + 1 < COUNT(reasons) && !fits(&reasons[i], c))
		i++;
	return &reasons[i];
}

bool pq_reason_is_about_event(int errnum)
{
	static const int others[] = { EMFILE, ENFILE, ENOMEM, EINTR, EAGAIN, EFAULT, EBADF, ESRCH };

	for (size_t i = 0; i < COUNT(others); i++)
		if (others[i] == errnum)
			return false;
	return true;
}
