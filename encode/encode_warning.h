/* SPDX-License-Identifier: MIT */
/* Legal but surprising: warnings about one event on its PMU. All return 0, or a failure if the
 * caller wants warnings as errors. */
#pragma once

#include "encode/resolve/bindings.h"

/* The binding sets a whole config word, and a later one sets it again. */
int pq_warn_no_effect(const struct pq_encoder *e, struct pq_encoding *encoding,
		      const struct pq_binding *binding);
/* Two different formats set the same bits. */
int pq_warn_shared_bits(const struct pq_encoder *e, const struct pq_bindings *bindings,
			struct pq_encoding *encoding);
/* All warnings that need the complete encoding. */
int pq_warn_event(const struct pq_encoder *e, const struct pq_bindings *bindings,
		  struct pq_encoding *encoding);
