/* SPDX-License-Identifier: MIT */
/* What is legal but surprising about one event on its PMU. Each returns 0, or the failure where
 * warnings are errors. */
#ifndef PQ_ENCODE_WARNING_H
#define PQ_ENCODE_WARNING_H

#include "encode/resolve/bindings.h"

/* The binding wrote a whole config word that a later one wrote again. */
int pq_warn_no_effect(const struct pq_encoder *e, struct pq_encoding *encoding,
		      const struct pq_binding *binding);
/* Two formats of other names wrote the same bits. */
int pq_warn_shared_bits(const struct pq_encoder *e, const struct pq_bindings *bindings,
			struct pq_encoding *encoding);
/* All that the complete encoding gives a reason for. */
int pq_warn_event(const struct pq_encoder *e, const struct pq_bindings *bindings,
		  struct pq_encoding *encoding);

#endif
