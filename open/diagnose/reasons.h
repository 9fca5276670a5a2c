/* SPDX-License-Identifier: MIT */
/*
 * THE table: errno x what was asked x the host x what experiments proved -> a sentence and a
 * remedy. The first row that fits speaks. To explain a refusal better, add a row (and its test).
 */
#ifndef PQ_OPEN_REASONS_H
#define PQ_OPEN_REASONS_H

#include "open/diagnose/refusal.h"

struct pq_reason {
	const char *name;	   /* stable: pmuq_verdict_name() */
	int errnum, also;	   /* either; 0 in errnum: any; 0 in also: no other */
	uint64_t when;		   /* claims that must all hold: up to eight, a byte each */
	uint64_t unless;	   /* claims of which none may hold, likewise */
	const char *reason, *hint; /* with {words}; no hint: NULL */
};

/* NULL beyond the end. */
const struct pq_reason *pq_reason_at(size_t index);
/* Never NULL: the last row fits everything. */
const struct pq_reason *pq_reason_find(const struct pq_case *c);
/* Whether the errno speaks of the event, so that another event may be answered otherwise. */
bool pq_reason_is_about_event(int errnum);

#endif
