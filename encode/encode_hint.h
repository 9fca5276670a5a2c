/* SPDX-License-Identifier: MIT */
/* Hints: each adds one to the error at hand. A hint that cannot be made is not a failure. */
#ifndef PQ_ENCODE_HINT_H
#define PQ_ENCODE_HINT_H

#include "encode/encoder.h"

void pq_hint_term(const struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_str word);
void pq_hint_name(const struct pq_encoder *e, struct pmuq_str word);
void pq_hint_range(const struct pq_encoder *e, const struct pmuq_format *format);
void pq_hint_tracepoint(const struct pq_encoder *e, struct pmuq_str subsystem,
			struct pmuq_str name);

#endif
