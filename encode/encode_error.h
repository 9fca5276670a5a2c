/* SPDX-License-Identifier: MIT */
/* Failures and warnings at a span of the input. */
#pragma once

#include "encode/encoder.h"

/* The caller may add a hint. */
#define pq_fail_at(e, at, code, ...) pq_fail_span((e)->reterr, at, code, __VA_ARGS__)
/* The failure if n more encodings do not fit: the string has too many, or memory ran out. */
PQ_COLD int pq_fail_too_many(const struct pq_encoder *e, size_t n);
/* Adds a warning to the encoding. A failure if the caller wants warnings as errors. */
PQ_COLD int pq_warn_at(const struct pq_encoder *e, struct pq_encoding *encoding, struct pq_span at,
		       enum pmuq_code code, const char *format, ...) PQ_PRINTF(5, 6);

/* encode_hint.c: each adds a hint to the error in e->reterr. It is not a failure if no hint can be
 * made. */
void pq_hint_term(const struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_str word);
void pq_hint_name(const struct pq_encoder *e, struct pmuq_str word);
void pq_hint_range(const struct pq_encoder *e, const struct pmuq_format *format);
void pq_hint_tracepoint(const struct pq_encoder *e, struct pmuq_str subsystem,
			struct pmuq_str name);
