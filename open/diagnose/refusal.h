/* SPDX-License-Identifier: MIT */
/*
 * One refusal and all that is known about it: what was asked, what the kernel said, the host, and
 * what the experiments found. The claims are what the table of reasons looks at.
 */
#ifndef PQ_OPEN_CASE_H
#define PQ_OPEN_CASE_H

#include "open/diagnose/host_view.h"
#include "open/kernel.h"
#include "open/open.h"

struct pq_experiment;

/* Each says one thing about a case that is true or false; 0 is none. */
enum pq_claim {
	PQ_IS_HARDWARE = 1, /* a generic hardware or cache event, or a raw one of the core PMU */
	PQ_IS_SOFTWARE,
	PQ_IS_TRACEPOINT,
	PQ_IS_BREAKPOINT,
	PQ_IS_DYNAMIC,	/* a PMU whose type number the kernel gave out at run time */
	PQ_IS_PROBE,	/* of kprobe or uprobe */
	PQ_IS_KPROBE,	/* its text names a function of the kernel */
	PQ_IS_UPROBE,	/* its text names a file */
	PQ_IS_EXTENDED, /* the PMU's type stands in the upper half of config */
	PQ_TAKES_ADMIN, /* CAP_SYS_ADMIN, which CAP_PERFMON is no substitute for */
	PQ_IS_MEMBER,	/* opened in a group, not as its leader */
	PQ_IS_PER_CPU,	/* what everyone, or a cgroup, does on a CPU */
	PQ_IS_CGROUP,	/* of that */
	PQ_HAS_TARGET,	/* a task that was named, or a cgroup */
	PQ_NEEDS_CPU,	/* its PMU counts per CPU only, as sysfs says */
	PQ_TRAPS,	/* sends the task a SIGTRAP */
	PQ_IS_PRECISE,
	PQ_COUNTS_KERNEL,
	PQ_IS_KERNELS_OWN, /* happens nowhere else: with ':u' it opens, and stays zero */
	PQ_EXCLUDES,	   /* some exclude_* is set */
	PQ_SAMPLES,
	PQ_SAMPLES_TOO_FAST, /* above perf_event_max_sample_rate */
	PQ_WANTS_BRANCHES,
	PQ_WANTS_STACK,	       /* a copy of the user's stack */
	PQ_WANTS_FRAMES,       /* more of them than perf_event_max_stack */
	PQ_WANTS_REGS,	       /* those of the kernel at the interrupt */
	PQ_HAS_EXTRA_WORDS,    /* config1 or above */
	PQ_HAS_KERNEL_ADDRESS, /* of a breakpoint */
	PQ_HAS_SMALL_SIZE,     /* below the first published one */
	PQ_HAS_NEW_FIELDS,     /* set ones, behind the end of the attr that the kernel knows */

	PQ_NO_CORE_PMU,
	PQ_NO_PMU, /* none has this type */
	PQ_NO_PERF,
	PQ_NO_PERFMON,	/* neither CAP_PERFMON nor CAP_SYS_ADMIN */
	PQ_NO_ADMIN,	/* not CAP_SYS_ADMIN */
	PQ_NO_PARANOID, /* perf_event_paranoid cannot be read */
	PQ_NO_PMU_LIST, /* nor can the list of PMUs */
	PQ_IN_NAMESPACE,
	PQ_IN_VM,
	PQ_IN_CONTAINER,
	PQ_HAS_SECCOMP,
	PQ_IS_INIT_FREE, /* of seccomp filters */
	PQ_IS_LOCKED_DOWN,
	PQ_HAS_WATCHDOG,
	PQ_PARANOID_RAW,    /* perf_event_paranoid is 0 or more */
	PQ_PARANOID_CPU,    /* 1 or more */
	PQ_PARANOID_KERNEL, /* 2 or more */
	PQ_PARANOID_ALL,    /* 3 or more, which only distributions know */
	PQ_CPU_OFFLINE,
	PQ_CPU_FOREIGN, /* not one of the PMU's */

	/* The task that was named. */
	PQ_TASK_GONE,
	PQ_TASK_DEAD,	   /* its exit is not collected yet */
	PQ_TASK_FOREIGN,   /* of another user */
	PQ_TASK_PROTECTED, /* its program may not be looked into, whoever started it */
	PQ_HAS_YAMA,	   /* kernel.yama.ptrace_scope is 1 or more */

	PQ_NOTHING_OPENS, /* the plainest event is refused in the same way */
	PQ_OPENS_WITH_HV,
	PQ_OPENS_WITH_IDLE,
	PQ_OPENS_WITH_GUEST,
	PQ_OPENS_UNFILTERED,
	PQ_OPENS_USER_ONLY,
	PQ_OPENS_LESS_PRECISE,
	PQ_OPENS_SLOWER,
	PQ_OPENS_UNSAMPLED,
	PQ_OPENS_WITHOUT_BRANCHES,
	PQ_OPENS_WITHOUT_SAMPLE_TYPE,
	PQ_OPENS_WITHOUT_READ_FORMAT,
	PQ_OPENS_WITHOUT_BITS,
	PQ_OPENS_WITHOUT_WORD,
	PQ_OPENS_UNEXTENDED,
	PQ_OPENS_ALIGNED,
	PQ_OPENS_READ_WRITE,
	PQ_OPENS_OTHER_LENGTH,
	PQ_OPENS_WITHOUT_FLAG,
	PQ_OPENS_ALONE,
	PQ_OPENS_PER_CPU,
	PQ_OPENS_PER_TASK,
	PQ_OPENS_ELSEWHERE, /* on another CPU */
	PQ_OPENS_OWN_TASK,  /* for this task, not for the one that was named */
	PQ_OPENS_WITHOUT_CGROUP,
	PQ_OPENS_AT_START, /* of the function or file */
	PQ_OPENED_BEFORE,  /* when it was tried, before it was to stay open */
	PQ_N_CLAIMS,
};

/* A set of them. */
struct pq_claims {
	uint64_t words[PQ_N_CLAIMS / 64 + 1];
};

static inline void pq_claims_add(struct pq_claims *claims, enum pq_claim claim)
{
	claims->words[claim / 64] |= UINT64_C(1) << claim % 64;
}

static inline bool pq_claims_has(const struct pq_claims *claims, unsigned claim)
{
	return claims->words[claim / 64] >> claim % 64 & 1;
}

/* How many experiments are made at once. */
#define PQ_CHANGES_MAX 2u

struct pq_finding {
	size_t n_changes; /* 0: nothing that was tried opens */
	const struct pq_experiment *changes[PQ_CHANGES_MAX];
	struct pq_trial steps[PQ_CHANGES_MAX]; /* the last of them opened */
	struct pq_claims proved;
	struct pmuq_str cpus; /* in the arena of the opening; where it opened, when tried on all */
	struct pq_trial user_only; /* what was tried with ':u' … */
	int user_only_errnum;	   /* … and the answer; 0 when it was not tried, or opened */
};

struct pq_case {
	const struct pq_request *request;
	struct pq_trial trial; /* as it was refused */
	int errnum;
	uint32_t kernel_size; /* of an attr, as said with E2BIG; else 0 */
	const struct pq_host_view *host;
	struct pq_pmu_view pmu;
	struct pq_task_view task;
	const struct pq_target *target;
	struct pq_finding finding;
	struct pq_claims claims;
	/* For words in texts about a change: the attr after it. */
	const struct pq_trial *varied;
};

static inline bool pq_case_is(const struct pq_case *c, enum pq_claim claim)
{
	return pq_claims_has(&c->claims, claim);
}

/* The claims about what was asked and about the host; those that experiments prove are added later.
 */
struct pq_claims pq_case_claims(const struct pq_case *c);

/* Types from here on are perf's own inventions, which no kernel gives out. */
#define PQ_TYPE_PSEUDO UINT32_C(0x80000000)

#endif
