/* SPDX-License-Identifier: MIT */
/* What the helper said of names, as the public functions show it. */
#ifndef PQ_PFM_NAMES_H
#define PQ_PFM_NAMES_H

#include "core/arena.h"
#include "pfm/client.h"
#include <pmuq/pmuq.h>

struct pmuq_pfm_code {
	struct pmuq_str sysfs, terms, pmu, event, canonical;
	uint64_t config[3];
	uint32_t type;
	enum pmuq_pfm_place place;
};

struct pmuq_pfm_answer {
	struct pmuq_error *error;
	struct pmuq_pfm_code *codes;
	uint64_t *values; /* one for each bit that is set, from the lowest */
	uint32_t n_codes, set;
};

struct pmuq_pfm_answers {
	struct pq_arena arena;
	struct pmuq_pfm_answer *v;
	size_t n;
};

/* The names of a CPU without PMU are looked for as `defaults` says (pfm/cpus.h). */
int pq_pfm_encode_names(struct pmuq_pfm *pfm, struct pmuq_str defaults, const char *const *names,
			size_t n, struct pmuq_pfm_answers **ret, struct pmuq_error **reterr);
/* The code of a fault; 0 for a number that is none. */
enum pmuq_code pq_pfm_error_code(unsigned fault);

#endif
