/* SPDX-License-Identifier: MIT */
/* One refusal and all facts about it: the call, the kernel's errno, the host, the probes. */
#pragma once

#include "open/diagnose/conditions.h"
#include "open/host/open_host.h"
#include "open/session.h"

struct pq_probe;

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
