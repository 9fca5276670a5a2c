/* SPDX-License-Identifier: MIT */
/* In the helper: requests are handled here, and results written as records of the protocol. */
#pragma once

#include "pfm/helper/pfm_target.h"
#include "pfm/wire.h"

/* Handles a request; false if it is invalid, and when out of memory. */
bool pq_helper_handle(struct pq_pfm_tables *tables, const struct pq_pfm_header *header,
		      struct pq_wire *in, struct pq_buf *out);
/* Encodes one name. If it has no PMU, those in `defaults` are tried: see pfm/cpus.h. */
void pq_helper_encode(struct pq_pfm_tables *tables, struct pmuq_str defaults, struct pmuq_str name,
		      struct pq_buf *out);
/* Finds out why libpfm4 rejects a name on that target. */
void pq_diagnose(struct pq_pfm_tables *tables, const struct pq_pfm_target *target,
		 const struct pq_pfm_name *name, enum pq_pfm_refusal refusal,
		 struct pq_pfm_wrong *wrong);
void pq_diagnose_pmu(const struct pq_pfm_tables *tables, const struct pq_pfm_name *name,
		     struct pq_pfm_wrong *wrong);
/* None of the PMUs has the event; similar names come from them. */
void pq_diagnose_event(struct pq_pfm_tables *tables, struct pq_pfm_pmu *const *pmus, size_t n,
		       const struct pq_pfm_name *name, struct pq_pfm_wrong *wrong);

void pq_helper_put_error(const struct pq_pfm_wrong *wrong, struct pq_buf *out);
