/* SPDX-License-Identifier: MIT */
/*
 * Encodings of names by the helper, as the public functions return them. All memory is in the
 * arena, except the errors, which pmuq_pfm_encodings_free() frees one by one.
 */
#pragma once

#include "core/arena.h"
#include "pfm/client.h"
#include <pmuq/pmuq.h>

struct pq_pfm_encoding {
	struct pmuq_pfm_encoding record; /* first: callers see this */
	struct pmuq_error *error;	 /* the record's, to be freed */
	struct pmuq_pfm_code *codes;	 /* record.n_codes of them; none if there is an error */
	uint64_t *values;		 /* one for each bit that is set, from the lowest */
	uint32_t set;			 /* a bit for each enum pmuq_pfm_modifier in the name */
};

struct pmuq_pfm_encodings {
	struct pq_arena arena;
	struct pq_pfm_encoding *v; /* in the order of the names */
	size_t n;
};

/* Names without a PMU are tried on those in `defaults` (pfm/cpus.h). Returns 0 also if names are
 * wrong: each has an error of its own. Otherwise the codes of pfm/client.h. */
int pq_pfm_encode_names(struct pmuq_pfm *pfm, struct pmuq_str defaults, const char *const *names,
			size_t n, struct pmuq_pfm_encodings **ret, struct pmuq_error **reterr);
/* Reads an error record, and returns the part of the name that it is about, which the caller must
 * compare with the name. Sets *ret, for the caller to free, unless the record is invalid. */
struct pq_span pq_pfm_take_error(struct pq_wire *in, struct pmuq_error **ret);
