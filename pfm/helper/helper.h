/* SPDX-License-Identifier: MIT */
/* In the helper: the answers to requests, as records of the protocol. */
#ifndef PQ_PFM_HELPER_H
#define PQ_PFM_HELPER_H

#include "pfm/helper/pfm_target.h"
#include "pfm/wire.h"

/* One name; where it names no PMU, `defaults` are looked through: see pfm/cpus.h. */
void pq_answer_name(struct pq_pfm_tables *tables, struct pmuq_str defaults, struct pmuq_str name,
		    struct pq_buf *out);
/* Why the library refuses it. The target is what `name->pmu` is. */
void pq_diagnose(struct pq_pfm_tables *tables, const struct pq_pfm_target *target,
		 const struct pq_pfm_name *name, enum pq_pfm_refusal refusal,
		 struct pq_pfm_wrong *wrong);
void pq_diagnose_pmu(const struct pq_pfm_tables *tables, const struct pq_pfm_name *name,
		     struct pq_pfm_wrong *wrong);
/* None of the PMUs has it; they are given for the near names. */
void pq_diagnose_event(struct pq_pfm_tables *tables, struct pq_pfm_pmu *const *pmus, size_t n,
		       const struct pq_pfm_name *name, struct pq_pfm_wrong *wrong);

void pq_answer_fault(const struct pq_pfm_wrong *wrong, struct pq_buf *out);
/* Whole frames; false when out of memory. */
bool pq_answer_pmus(struct pq_pfm_tables *tables, struct pq_buf *out);
bool pq_answer_events(struct pq_pfm_tables *tables, struct pmuq_str pmu, bool with_attributes,
		      struct pq_buf *out);

#endif
