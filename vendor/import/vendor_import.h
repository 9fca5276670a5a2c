/* SPDX-License-Identifier: MIT */
/*
 * A vendor's tree on its way into the store, within one transaction: vendor_tree.c walks it,
 * vendor_folder.c gathers what one folder says, vendor_save.c keeps it.
 */
#ifndef PQ_VENDOR_IMPORT_H
#define PQ_VENDOR_IMPORT_H

#include "db/statement.h"
#include "vendor/import/vendor_event.h"
#include "vendor/import/vendor_mapfile.h"

struct pq_vendor_import {
	struct pmuq_store *store;
	struct pq_vendor_tree tree;
	struct pq_json *json;
	struct pmuq_pfm *pfm;  /* NULL unless it is libpfm4 that is walked */
	struct pq_arena arena; /* of names, for as long as the import takes */
	enum pq_vendor_layout layout;
	int64_t id; /* in the store */
	size_t n_folders, n_cpus, n_problems;
};

/* What one folder holds. */
struct pq_vendor_contents {
	struct pq_arena arena;
	struct pq_vendor_draft *v; /* with events, metrics, or both */
	size_t n, room;
};

/* vendor_tree.c: finds out the layout (and tells no more), then reads all of it. */
int pq_vendor_find_layout(struct pq_vendor_import *import, struct pmuq_error **reterr);
int pq_vendor_walk(struct pq_vendor_import *import, struct pmuq_error **reterr);
/* vendor_perfmon.c: the same for Intel's repository. */
int pq_vendor_walk_perfmon(struct pq_vendor_import *import, const struct pq_vendor_rows *rows,
			   struct pmuq_error **reterr);

/* vendor_pfm.c: the same for libpfm4. */
int pq_vendor_walk_pfm(struct pq_vendor_import *import, struct pmuq_error **reterr);

/* vendor_folder.c */
void pq_vendor_contents_begin(struct pq_vendor_contents *contents);
void pq_vendor_contents_end(struct pq_vendor_contents *contents);
/* False: out of memory. */
bool pq_vendor_contents_add(struct pq_vendor_contents *contents,
			    const struct pq_vendor_draft *draft);
/* What a file says, added; its events on a core are the PMU's `core_pmu`. What cannot be encoded is
 * a problem of the import. PQ_NONE when there is no such file. */
struct pq_vendor_source {
	struct pmuq_str path, topic, core_pmu;
	const struct pq_vendor_standards *standards;
};
int pq_vendor_gather(struct pq_vendor_import *import, const struct pq_vendor_source *source,
		     struct pq_vendor_contents *contents, struct pmuq_error **reterr);
/* Into their order; events of one name and PMU must be one. */
int pq_vendor_settle(struct pq_vendor_import *import, struct pq_vendor_contents *contents,
		     struct pmuq_error **reterr);

/* vendor_save.c */
int pq_vendor_add_import(struct pq_vendor_import *import, struct pmuq_str name, int64_t time_s,
			 struct pmuq_error **reterr);
int pq_vendor_add_folder(struct pq_vendor_import *import, struct pmuq_str arch,
			 struct pmuq_str path, bool is_system,
			 const struct pq_vendor_contents *contents, int64_t *ret_position,
			 struct pmuq_error **reterr);
int pq_vendor_add_cpu(struct pq_vendor_import *import, struct pmuq_str arch,
		      const struct pq_vendor_row *row, int64_t folder, struct pmuq_error **reterr);
int pq_vendor_add_problem(struct pq_vendor_import *import, const struct pq_vendor_draft *draft,
			  struct pmuq_error **reterr);

/* vendor_search.c: new texts into the index, and those that no event has out of it, before they are
 * dropped. Without FTS5 nothing happens, which searching bears with. */
int pq_vendor_index(struct pmuq_store *store, struct pmuq_error **reterr);
int pq_vendor_unindex(struct pmuq_store *store, struct pmuq_error **reterr);
/* vendor_store.c: PQ_NONE when there is no import of that name. */
int pq_vendor_drop(struct pmuq_store *store, struct pmuq_str name, struct pmuq_error **reterr);

#endif
