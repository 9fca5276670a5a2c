/* SPDX-License-Identifier: MIT */
/*
 * The result: one verdict a request, with its texts. Refers to nothing outside itself, so that it
 * outlives what was opened.
 */
#ifndef PQ_OPEN_VERDICT_H
#define PQ_OPEN_VERDICT_H

#include "core/arena.h"
#include "core/buf.h"
#include <pmuq/pmuq.h>

struct pq_verdict {
	enum pmuq_open_status status;
	bool is_settled;
	int pid, errnum;
	const char *cpus, *reason, *hint, *change; /* static, or in the arena of the verdicts */
	const char *row; /* of the table of reasons that spoke; static; NULL when none did */
	size_t n_steps;
	const char *steps[2];		 /* of the change: names of experiments, static */
	const struct pmuq_attr *changed; /* in the arena; NULL: nothing opened */
};

struct pmuq_verdicts {
	struct pq_arena arena;
	size_t n;
	struct pq_verdict v[];
};

/* All unsettled. NULL when out of memory. */
struct pmuq_verdicts *pq_verdicts_new(size_t n);
void pq_verdicts_freep(struct pmuq_verdicts **verdicts);

void pq_verdict_opened(struct pq_verdict *verdict, int pid, const char *cpus);
void pq_verdict_skipped(struct pq_verdict *verdict, const char *reason);
/* The buffer's text in the arena (the buffer is empty then): NULL when out of memory. */
const char *pq_verdict_keep(struct pmuq_verdicts *verdicts, struct pq_buf *text);
const char *pq_verdict_keep_str(struct pmuq_verdicts *verdicts, struct pmuq_str text);

#endif
