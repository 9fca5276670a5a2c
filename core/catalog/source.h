/* SPDX-License-Identifier: MIT */
/*
 * Any machine as an object of the API: discover/ and db/ make sources, encode/ and the command use
 * them. The maker embeds this struct at the start of its own object.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "core/catalog/lookup.h"
#include <pmuq/pmuq.h>

struct pmuq_source {
	struct pq_lookup lookup;
	/* Any fact by its name; NULL if the machine does not have it. */
	int (*find_fact)(struct pmuq_source *source, const char *name, const char **ret,
			 struct pmuq_error **reterr);
	int (*read_catalog)(struct pmuq_source *source, enum pq_part part,
			    struct pmuq_catalog **ret, struct pmuq_error **reterr);
	int (*refresh)(struct pmuq_source *source, bool *ret_changed,
		       struct pmuq_error **reterr); /* NULL if it never changes */
	void (*free)(struct pmuq_source *source);
	uint64_t opens;
};

/* Finds a PMU by its name or alias; fails if the machine has none. Of that PMU only the name is
 * valid (lookup.h). */
int pq_source_find_pmu(struct pq_lookup lookup, struct pmuq_str name, const struct pmuq_pmu **ret,
		       struct pmuq_error **reterr);
