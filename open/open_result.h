/* SPDX-License-Identifier: MIT */
/*
 * The open results: one for each request, with its texts. They point to nothing outside themselves.
 */
#ifndef PQ_OPEN_VERDICT_H
#define PQ_OPEN_VERDICT_H

#include "core/arena.h"
#include "core/buf.h"
#include <pmuq/pmuq.h>

struct pq_verdict {
	enum pmuq_open_status status;
	bool is_final;
	int pid, errnum;
	const char *cpus, *reason, *hint, *change; /* static, or in the arena */
	const char *row;			   /* the name of the reason; static; NULL: none */
	size_t n_steps;
	const char *steps[2];		 /* of the change: names of probes, static */
	const struct pmuq_attr *changed; /* in the arena; NULL: nothing opened */
};

struct pmuq_verdicts {
	struct pq_arena arena;
	size_t n;
	struct pq_verdict v[];
};

/* None is final. NULL: out of memory. */
struct pmuq_verdicts *pq_verdicts_new(size_t n);
void pq_verdicts_freep(struct pmuq_verdicts **verdicts);

void pq_verdict_opened(struct pq_verdict *verdict, int pid, const char *cpus);
void pq_verdict_skipped(struct pq_verdict *verdict, const char *reason);
/* A copy of the text in the arena; empties the buffer. NULL: out of memory. */
const char *pq_verdict_keep(struct pmuq_verdicts *verdicts, struct pq_buf *text);
const char *pq_verdict_keep_str(struct pmuq_verdicts *verdicts, struct pmuq_str text);

#endif
