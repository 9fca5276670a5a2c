/* SPDX-License-Identifier: MIT */
/*
 * The table of reasons: errno and conditions → a sentence and a remedy. To explain a refusal
 * better, add a row to reasons.c and its test to tests/unit/test_open_reasons.c.
 */
#pragma once

#include "core/buf.h"
#include "open/diagnose/refusal.h"

struct pq_reason {
	const char *name;	       /* stable, for programs */
	int errnums[4];		       /* one of these; none: any errno */
	uint8_t all_of[3], none_of[2]; /* enum pq_condition */
	const char *reason, *hint;     /* with {words}; the hint may be NULL */
};

/* NULL after the last row. */
const struct pq_reason *pq_reason_at(size_t index);
/* The first row that fits; the last row fits everything. */
const struct pq_reason *pq_reason_find(const struct pq_refusal *refusal);
/* Whether the errno depends on the event, so that a changed event may open. */
bool pq_reason_is_about_event(int errnum);

/* reason_text.c: fills the {words} in the texts of reasons and probes from a refusal. An unknown
 * word is copied as it is. */
void pq_reason_text_fill(const char *text, const struct pq_refusal *refusal, struct pq_buf *ret);
