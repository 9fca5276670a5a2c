/* SPDX-License-Identifier: MIT */
/*
 * The open results: one for each request, with its texts. They point to nothing outside themselves.
 */
#pragma once

#include "core/arena.h"
#include "core/buf.h"
#include <pmuq/pmuq.h>

/* Texts are static, or in the arena of the results. */
struct pq_open_result {
	struct pmuq_open_result record; /* first: what is handed out is this */
	bool is_final;
	struct pmuq_str steps[2]; /* of the change: names of probes */
};

struct pmuq_open_results {
	struct pq_arena arena;
	size_t n;
	struct pq_open_result v[];
};

/* None is final. NULL: out of memory. */
struct pmuq_open_results *pq_open_results_new(size_t n);

/* Each makes the result of that index a final one. */
void pq_open_result_opened(struct pmuq_open_results *results, size_t index, int pid,
			   struct pmuq_str cpus);
void pq_open_result_skipped(struct pmuq_open_results *results, size_t index, const char *reason);
void pq_open_result_refused(struct pmuq_open_results *results, size_t index,
			    const struct pq_open_result *result);
/* A copy of the text in the arena; empties the buffer. .p is NULL when out of memory. */
struct pmuq_str pq_open_result_keep(struct pmuq_open_results *results, struct pq_buf *text);
struct pmuq_str pq_open_result_keep_str(struct pmuq_open_results *results, struct pmuq_str text);
