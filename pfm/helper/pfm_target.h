/* SPDX-License-Identifier: MIT */
/*
 * In the helper: the PMU that a name stands before, or that one without a PMU is looked for in. A
 * box beyond those that the library has compiled in is encoded as the first of its family.
 */
#ifndef PQ_PFM_TARGET_H
#define PQ_PFM_TARGET_H

#include "pfm/helper/pfm_name.h"
#include "pfm/helper/pfm_tables.h"
#include <pmuq/pmuq.h>

struct pq_pfm_target {
	struct pq_pfm_pmu *pmu; /* whose tables are asked */
	bool is_family;		/* all boxes were meant */
	bool is_other_box;	/* this one, which the library has not */
	uint32_t box;
};

/* "skx", "skx_unc_imc0", "skx_unc_imc7", "skx_unc_imc", "skx_unc_imc*". */
bool pq_pfm_target_find(const struct pq_pfm_tables *tables, struct pmuq_str pmu,
			struct pq_pfm_target *ret);
/* The name as the library takes it, in `room`. */
#define PQ_PFM_FULL_MAX_BYTES (PQ_PFM_NAME_MAX_BYTES + 64)
bool pq_pfm_target_full(const struct pq_pfm_target *target, struct pmuq_str rest, char *room);
/* How the target is called: libpfm4's name, the family's, or that of the other box. */
void pq_pfm_target_print(const struct pq_pfm_target *target, struct pq_buf *ret);
/* What the kernel calls it, given the name that the library asked for. */
enum pmuq_pfm_place pq_pfm_target_place(const struct pq_pfm_target *target,
					const struct pq_pfm_coded *coded, struct pq_buf *ret_sysfs);

#endif
