/* SPDX-License-Identifier: MIT */
/*
 * The facts about a host that are known by name: the order in which a catalog has them, and whom
 * each belongs to. Others, of readers to come, stand behind them as they came.
 */
#ifndef PQ_FACT_H
#define PQ_FACT_H

#include "core/str.h"

/* Who a fact belongs to. */
enum pq_fact_kind {
	PQ_FACT_SHARED,	 /* machines may have it in common */
	PQ_FACT_OWN,	 /* of one host */
	PQ_FACT_PASSING, /* changes by itself: another text makes no new snapshot */
};
enum pq_fact_kind pq_fact_kind(struct pmuq_str name);
/* Its place; the same for all that are not known, behind the last. */
size_t pq_fact_rank(struct pmuq_str name);
/* By rank; .p is NULL behind the last. */
struct pmuq_str pq_fact_name(size_t rank);

#endif
