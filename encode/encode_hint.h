/* SPDX-License-Identifier: MIT */
/* Each function adds a hint to the error in e->reterr. It is not a failure if no hint can be made.
 */
#ifndef PQ_ENCODE_HINT_H
#define PQ_ENCODE_HINT_H

#include "encode/encoder.h"

void pq_hint_term(const struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_str word);
void pq_hint_name(const struct pq_encoder *e, struct pmuq_str word);
void pq_hint_range(const struct pq_encoder *e, const struct pmuq_format *format);
void pq_hint_tracepoint(const struct pq_encoder *e, struct pmuq_str subsystem,
			struct pmuq_str name);

#endif
