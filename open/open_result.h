/* SPDX-License-Identifier: MIT */
/*
 * The open results: one for each request, with its texts. They point to nothing outside themselves.
 */
#pragma once

#include "core/arena.h"
#include <pmuq/pmuq.h>

/* Texts are static, or in the arena of the results. */
struct pq_open_result {
	struct pmuq_open_result record; /* first: callers get a pointer to this */
	bool is_final; /* the request was opened, refused or skipped, and is not tried again */
	struct pmuq_str steps[2]; /* of the change: names of probes */
};

struct pmuq_open_results {
	struct pq_arena arena;
	size_t n;
	struct pq_open_result v[];
};

/* No result is final. NULL: out of memory. */
struct pmuq_open_results *pq_open_results_new(size_t n);

/* Makes a copy of the result the final one of that index. Its texts are not copied: they must be
 * static, or already in the arena of the results. */
void pq_open_result_finish(struct pmuq_open_results *results, size_t index,
			   const struct pq_open_result *result);
/* The same for a request that is not tried; the reason is static. */
void pq_open_result_skip(struct pmuq_open_results *results, size_t index, const char *reason);
