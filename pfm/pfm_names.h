/* SPDX-License-Identifier: MIT */
/* What the helper said of names, as the public functions show it. */
#ifndef PQ_PFM_NAMES_H
#define PQ_PFM_NAMES_H

#include "core/arena.h"
#include "pfm/client.h"
#include <pmuq/pmuq.h>

struct pq_pfm_encoding {
	struct pmuq_pfm_encoding record; /* first: what is handed out is this */
	struct pmuq_error *error;	 /* the record's, to be freed */
	struct pmuq_pfm_code *codes;
	uint64_t *values; /* one for each bit that is set, from the lowest */
	uint32_t set;
};

struct pmuq_pfm_encodings {
	struct pq_arena arena;
	struct pq_pfm_encoding *v;
	size_t n;
};

/* The names of a CPU without PMU are looked for as `defaults` says (pfm/cpus.h). */
int pq_pfm_encode_names(struct pmuq_pfm *pfm, struct pmuq_str defaults, const char *const *names,
			size_t n, struct pmuq_pfm_encodings **ret, struct pmuq_error **reterr);
/* The code of a fault; 0 for a number that is none. */
enum pmuq_code pq_pfm_error_code(unsigned fault);

#endif
