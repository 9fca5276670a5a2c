/* SPDX-License-Identifier: MIT */
/* The machine for whose user a search is: the sets of events of its CPU, and which of their PMUs it
 * has. Errors stick in the store. */
#pragma once

#include "core/catalog/lookup.h"
#include "core/vec.h"
#include "db/ids.h"
#include "db/statement.h"

/* A PMU of the CPU's table, or a folder of libpfm4. */
struct pq_vendor_machine_pmu {
	struct pmuq_str name;
	bool is_here;
};

struct pq_vendor_machine {
	struct pq_lookup lookup; /* set by the caller */
	struct pq_arena *arena;	 /* too */
	struct pmuq_error **reterr;
	struct pmuq_str sets;		      /* for vendor_query.h; "": none */
	struct pq_ids texts;		      /* the texts of the sets; in SQLite only */
	PQ_VEC(struct pq_vendor_machine_pmu); /* in the arena: those that are known */
};

/* Finds the sets; `with_pfm`: also those of libpfm4's last import. */
void pq_vendor_machine_read(struct pmuq_store *store, struct pq_vendor_machine *machine,
			    bool with_pfm);
/* Whether it has a PMU of its CPU's table, or of libpfm4. */
bool pq_vendor_machine_has(struct pmuq_store *store, struct pq_vendor_machine *machine,
			   struct pmuq_str pmu);
/* Whether that PMU of the machine has an identifier that matches. */
bool pq_vendor_machine_matches(struct pmuq_store *store, const struct pq_vendor_machine *machine,
			       struct pmuq_str pmu, struct pmuq_str compat);
