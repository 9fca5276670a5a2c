/* SPDX-License-Identifier: MIT */
/* One refusal and all facts about it: the call, the kernel's errno, the host, the probes. */
#pragma once

#include "open/host/open_host.h"
#include "open/session.h"

struct pq_probe;

/* Conditions: each is one true or false fact about a refusal. The rows of the table of reasons
 * (reasons.c) require some of them and exclude others. */
enum pq_condition {
	PQ_IF_NOTHING, /* ends a list of conditions */

	/* The event. */
	PQ_IF_HARDWARE, /* a generic hardware or cache event, or a raw one of the core PMU */
	PQ_IF_SOFTWARE,
	PQ_IF_TRACEPOINT,
	PQ_IF_BREAKPOINT,
	PQ_IF_DYNAMIC_PMU, /* the kernel assigned the PMU's type number at run time */
	PQ_IF_CODE_PROBE,  /* of PMU kprobe or uprobe */
	PQ_IF_KPROBE,
	PQ_IF_UPROBE,
	PQ_IF_EXTENDED_TYPE, /* the upper half of config holds the PMU's type */
	PQ_IF_NEEDS_ADMIN,   /* needs CAP_SYS_ADMIN: CAP_PERFMON is not enough */
	PQ_IF_MEMBER,	     /* opened in a group, not as its leader */
	PQ_IF_PER_CPU,	     /* counts all tasks, or a cgroup, on one CPU */
	PQ_IF_CGROUP,
	PQ_IF_OTHER_TARGET, /* another task, or a cgroup */
	PQ_IF_PMU_PER_CPU,  /* sysfs: the PMU counts per CPU only */
	PQ_IF_SIGTRAP,
	PQ_IF_PRECISE,
	PQ_IF_COUNTS_KERNEL,
	PQ_IF_KERNEL_ONLY, /* never happens in user space: with ':u' it opens and counts 0 */
	PQ_IF_EXCLUDES,	   /* some exclude_* is set */
	PQ_IF_SAMPLES,
	PQ_IF_SAMPLES_TOO_FAST, /* above perf_event_max_sample_rate */
	PQ_IF_WANTS_BRANCHES,
	PQ_IF_WANTS_STACK,  /* a copy of the user stack */
	PQ_IF_WANTS_FRAMES, /* more than perf_event_max_stack */
	PQ_IF_WANTS_REGS,   /* kernel registers at the interrupt */
	PQ_IF_EXTRA_WORDS,  /* config1 or above */
	PQ_IF_KERNEL_ADDRESS,
	PQ_IF_SMALL_SIZE, /* attr.size is below the first published one */
	PQ_IF_NEW_FIELDS, /* sets fields after the end of the kernel's attr */

	/* The host. */
	PQ_IF_NO_CORE_PMU,
	PQ_IF_NO_PMU, /* none has this type */
	PQ_IF_NO_PERF,
	PQ_IF_NO_PERFMON,  /* neither CAP_PERFMON nor CAP_SYS_ADMIN */
	PQ_IF_NO_ADMIN,	   /* no CAP_SYS_ADMIN */
	PQ_IF_NO_PARANOID, /* perf_event_paranoid cannot be read */
	PQ_IF_NO_PMU_LIST, /* the list of PMUs cannot be read */
	PQ_IF_IN_NAMESPACE,
	PQ_IF_IN_VM,
	PQ_IF_IN_CONTAINER,
	PQ_IF_SECCOMP,
	PQ_IF_INIT_WITHOUT_SECCOMP, /* so the filter is not the container's */
	PQ_IF_LOCKED_DOWN,
	PQ_IF_WATCHDOG,
	PQ_IF_PARANOID_RAW,    /* perf_event_paranoid is 0 or more */
	PQ_IF_PARANOID_CPU,    /* 1 or more */
	PQ_IF_PARANOID_KERNEL, /* 2 or more */
	PQ_IF_PARANOID_ALL,    /* 3 or more; patched kernels of distributions only */
	PQ_IF_CPU_OFFLINE,
	PQ_IF_CPU_OF_OTHERS, /* not in the PMU's list */

	/* The task to count. */
	PQ_IF_TASK_GONE,
	PQ_IF_TASK_DEAD,      /* a zombie */
	PQ_IF_TASK_FOREIGN,   /* of another user */
	PQ_IF_TASK_PROTECTED, /* not dumpable */
	PQ_IF_YAMA,	      /* kernel.yama.ptrace_scope is 1 or more */

	/* What probing the kernel proved. */
	PQ_IF_NOTHING_OPENS, /* it refuses the simplest event with the same errno */
	PQ_IF_OPENS_AGAIN,   /* unchanged, a moment later */
	PQ_IF_OPENS_WITH_HV,
	PQ_IF_OPENS_WITH_IDLE,
	PQ_IF_OPENS_WITH_GUEST,
	PQ_IF_OPENS_UNFILTERED,
	PQ_IF_OPENS_USER_ONLY,
	PQ_IF_OPENS_LESS_PRECISE,
	PQ_IF_OPENS_UNSAMPLED,
	PQ_IF_OPENS_WITHOUT_BRANCHES,
	PQ_IF_OPENS_WITHOUT_SAMPLE_TYPE,
	PQ_IF_OPENS_WITHOUT_READ_FORMAT,
	PQ_IF_OPENS_WITHOUT_BITS,
	PQ_IF_OPENS_WITHOUT_WORD,
	PQ_IF_OPENS_ALIGNED,
	PQ_IF_OPENS_READ_WRITE,
	PQ_IF_OPENS_OTHER_LENGTH,
	PQ_IF_OPENS_WITHOUT_FLAG,
	PQ_IF_OPENS_ALONE,
	PQ_IF_OPENS_PER_CPU,
	PQ_IF_OPENS_PER_TASK,
	PQ_IF_OPENS_ON_OTHER_CPUS,
	PQ_IF_OPENS_OWN_TASK, /* for this task instead of the other target */
	PQ_IF_OPENS_WITHOUT_CGROUP,
	PQ_IF_OPENS_AT_START, /* of the function or file */

	PQ_N_CONDITIONS,
};

struct pq_conditions {
	uint64_t words[PQ_N_CONDITIONS / 64 + 1];
};

static inline void pq_conditions_set(struct pq_conditions *conditions, enum pq_condition condition)
{
	conditions->words[condition / 64] |= UINT64_C(1) << condition % 64;
}

/* How many changes are combined at most. */
#define PQ_PROBES_MAX 2u

/* What probing the kernel found: the smallest change that opens. */
struct pq_findings {
	size_t n_probes; /* 0: no change opens */
	const struct pq_probe *probes[PQ_PROBES_MAX];
	struct pq_open_call calls[PQ_PROBES_MAX]; /* after each probe; the last one opened */
	struct pmuq_str cpus;			  /* the CPUs that open, if the others do not */
	struct pq_open_call user_only;		  /* the call with ':u' … */
	int user_only_errnum; /* … and its errno; 0: it opened, or was not tried */
};

struct pq_refusal {
	const struct pq_open_request *request;
	struct pq_open_call call; /* as refused */
	int errnum;
	uint32_t kernel_size; /* of an attr; set with E2BIG only, else 0 */
	const struct pq_host_view *host;
	struct pq_pmu_view pmu;
	struct pq_task_view task;
	const struct pq_open_scope *scope;
	struct pq_conditions conditions;
	struct pq_findings findings;
	const struct pq_open_call *changed; /* for texts: the call after the change; may be NULL */
};

static inline bool pq_refusal_is(const struct pq_refusal *refusal, enum pq_condition condition)
{
	return refusal->conditions.words[condition / 64] >> condition % 64 & 1;
}

/* The conditions of the event, the host and the task. Only probing adds the others. */
struct pq_conditions pq_conditions_find(const struct pq_refusal *refusal);
