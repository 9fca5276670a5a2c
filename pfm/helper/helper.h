/* SPDX-License-Identifier: MIT */
/*
 * In the helper: requests are handled here, and results written as records of the protocol. When it
 * is out of memory the helper ends, which closes the socket; the library reports that. So
 * functions that write to `out` need no check between their steps.
 */
#pragma once

#include "pfm/helper/pfm_encode.h"
#include "pfm/helper/pfm_name.h"
#include "pfm/helper/pfm_tables.h"
#include "pfm/wire.h"
#include <pmuq/pmuq.h>

/* ---- pfm_target.c: the PMU that a name belongs to. An instance with a higher number than libpfm4
 * has compiled in is encoded as the first instance. */

struct pq_pfm_target {
	struct pq_pfm_pmu *pmu; /* the one whose tables are used */
	bool is_family;		/* all instances are meant */
	bool is_other_instance; /* `instance` is meant, which libpfm4 does not have */
	uint32_t instance;
};

/* "skx", "skx_unc_imc0", "skx_unc_imc7", "skx_unc_imc", "skx_unc_imc*". */
bool pq_pfm_target_find(const struct pq_pfm_tables *tables, struct pmuq_str pmu,
			struct pq_pfm_target *ret);
/* Writes the name in the form that libpfm4 accepts into `text`, which has PQ_PFM_FULL_MAX_BYTES;
 * false if it is too long. `rest` is the name from the event on. */
#define PQ_PFM_FULL_MAX_BYTES (PQ_PFM_NAME_MAX_BYTES + 64)
bool pq_pfm_target_full(const struct pq_pfm_target *target, struct pmuq_str rest, char *text);
/* Prints the target's name: libpfm4's, or the one of all instances or of the other instance. */
void pq_pfm_target_print(const struct pq_pfm_target *target, struct pq_buf *ret);
/* Prints the kernel's name of the PMU, from the name that libpfm4 looked up in sysfs. `coded` is
 * the last result of pq_pfm_encode(). */
enum pmuq_pfm_scope pq_pfm_target_scope(const struct pq_pfm_target *target,
					const struct pq_pfm_coded *coded, struct pq_buf *ret_sysfs);

/* ---- requests */

/* Handles a request: appends all frames of the result to `out`. False if the request is invalid,
 * and when out of memory: then the helper ends. */
bool pq_helper_handle(struct pq_pfm_tables *tables, const struct pq_pfm_header *header,
		      struct pq_wire *in, struct pq_buf *out);
/* Encodes one name. If it has no PMU, those in `defaults` are tried: see pfm/cpus.h. */
void pq_helper_encode(struct pq_pfm_tables *tables, struct pmuq_str defaults, struct pmuq_str name,
		      struct pq_buf *out);
/* Whether the name is safe to pass to libpfm4. Also true if the PMU has no such event: libpfm4
 * reports that before it fills the array. */
bool pq_helper_fits(struct pq_pfm_tables *tables, struct pq_pfm_pmu *pmu,
		    const struct pq_pfm_name *name);
/* Handles a RAW request (helper_raw.c): false as pq_helper_handle(). */
bool pq_helper_raw(struct pq_pfm_tables *tables, struct pq_wire *in, struct pq_buf *out);
/* Finds out why libpfm4 rejects a name on that target. name->wrong must have no texts yet. */
void pq_diagnose(struct pq_pfm_tables *tables, const struct pq_pfm_target *target,
		 const struct pq_pfm_name *name, enum pq_pfm_refusal refusal);
void pq_diagnose_pmu(const struct pq_pfm_tables *tables, const struct pq_pfm_name *name);
/* None of the PMUs, one at least, has the event; similar names come from them. */
void pq_diagnose_event(struct pq_pfm_tables *tables, struct pq_pfm_pmu *const *pmus, size_t n,
		       const struct pq_pfm_name *name);

void pq_helper_put_error(const struct pq_pfm_wrong *wrong, struct pq_buf *out);
