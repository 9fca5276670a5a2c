/* SPDX-License-Identifier: MIT */
/*
 * The results of opening the events of a machine, one after the other. open/ opens them; this file
 * stores the results, equal ones once.
 *
 * To make a check: add all expected events in order, index the check, then add results in the same
 * order. There may be fewer results than events.
 */
#pragma once

#include "core/arena.h"
#include "core/error.h"
#include <pmuq/pmuq.h>

/* All return 0 or -PMUQ_E_MEMORY, and copy their arguments. `kernel` may have .p NULL. */
int pq_check_new(struct pmuq_str kernel, int64_t time_s, struct pmuq_check **ret,
		 struct pmuq_error **reterr);
int pq_check_expect(struct pmuq_check *check, struct pmuq_str pmu, struct pmuq_str event,
		    bool is_generic, struct pmuq_error **reterr);
/* If two events have the same PMU and name, a search finds the first. */
int pq_check_index(struct pmuq_check *check, struct pmuq_error **reterr);
/* Adds the result of the next event, which must exist. Only the members that pmuq_check_result.open
 * has are used. */
int pq_check_add(struct pmuq_check *check, const struct pmuq_open_result *result,
		 struct pmuq_error **reterr);
/* Sets the number of events of the machine, if it is larger than the number of expected ones. */
void pq_check_set_total(struct pmuq_check *check, size_t total);
/* All three steps for n results whose `pmu`, `event`, `is_generic` and `open` are set. */
int pq_check_fill(struct pmuq_check *check, const struct pmuq_check_result *results, size_t n,
		  struct pmuq_error **reterr);
/* The check at another time; nothing is copied, and either may be freed first. It is complete: no
 * results can be added to either. */
int pq_check_again(const struct pmuq_check *check, int64_t time_s, struct pmuq_check **ret,
		   struct pmuq_error **reterr);

/* Another reference to the check; free it like the first. */
struct pmuq_check *pq_check_share(const struct pmuq_check *check);
/* What checks at other times of one check have in common; NULL for NULL. Valid as long as one of
 * them. */
const void *pq_check_identity(const struct pmuq_check *check);

/* The next event to be opened; NULL after the last. */
const struct pmuq_check_result *pq_check_next(const struct pmuq_check *check);
/* The machine that is checked; stored here for the maker of the check. */
void pq_check_set_catalog(struct pmuq_check *check, const struct pmuq_catalog *catalog);
const struct pmuq_catalog *pq_check_catalog(const struct pmuq_check *check);
