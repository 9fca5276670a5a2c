/* SPDX-License-Identifier: MIT */
/*
 * What came of opening the events of a machine, one after the other. open/ opens them; here are the
 * results, equal ones stored once.
 *
 * Making one: every event is expected, in order; the check is indexed; then results are added in
 * the same order, as many as the maker gets to.
 */
#pragma once

#include "core/arena.h"
#include "core/error.h"
#include <pmuq/pmuq.h>

/* All return 0 or -PMUQ_E_MEMORY, and copy what they are given. `kernel` may have .p NULL. */
int pq_check_new(struct pmuq_str kernel, int64_t time_s, struct pmuq_check **ret,
		 struct pmuq_error **reterr);
int pq_check_expect(struct pmuq_check *check, struct pmuq_str pmu, struct pmuq_str event,
		    bool is_generic, struct pmuq_error **reterr);
/* Of two that have the same PMU and name, the first is found. */
int pq_check_index(struct pmuq_check *check, struct pmuq_error **reterr);
/* Of the next event; there must be one. Of the result only what pmuq_check_result.open has. */
int pq_check_add(struct pmuq_check *check, const struct pmuq_open_result *result,
		 struct pmuq_error **reterr);
/* The number of events of the machine, if it is larger than of those that are expected. */
void pq_check_set_total(struct pmuq_check *check, size_t total);
/* All three steps for n results that are known: their `pmu`, `event`, `is_generic` and `open`. */
int pq_check_fill(struct pmuq_check *check, const struct pmuq_check_result *results, size_t n,
		  struct pmuq_error **reterr);
/* The check at another time; nothing is copied, and either may be freed first. It is complete:
 * neither gets any more results. */
int pq_check_again(const struct pmuq_check *check, int64_t time_s, struct pmuq_check **ret,
		   struct pmuq_error **reterr);

/* The next event to be opened; NULL after the last. */
const struct pmuq_check_result *pq_check_next(const struct pmuq_check *check);
/* The machine that is checked; only stored here, for the maker of the check. */
void pq_check_set_catalog(struct pmuq_check *check, const struct pmuq_catalog *catalog);
const struct pmuq_catalog *pq_check_catalog(const struct pmuq_check *check);
