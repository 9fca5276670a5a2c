/* SPDX-License-Identifier: MIT */
/*
 * The tables of schemas/schema.sql that hold vendors' events, as row structs. The order of the
 * columns in vendor_sets.c is hashed, so it is part of the format of the store.
 */
#pragma once

#include "core/vendor/vendor_table.h"
#include "db/content/content.h"
#include "vendor/import/vendor_event.h"

/* A draft as it is stored: a row of vendor_event or of vendor_metric, and of vendor_text. */
struct pq_vendor_draft_row {
	struct pq_vendor_draft draft;
	struct pmuq_str unit, scale; /* .p NULL: none */
	int64_t row_hash;	     /* of an event: pq_vendor_row_hash() */
	struct pq_ref text;
};

/* The events and metrics of a folder. */
struct pq_vendor_set_row {
	struct pq_hash event_hash;
};
enum {
	PQ_VENDOR_SET_EVENTS,
	PQ_VENDOR_SET_METRICS,
	PQ_VENDOR_SET_FILES,
	PQ_VENDOR_SET_GROUPS,
	PQ_VENDOR_SET_COUNTERS,
};

/* An import. */
struct pq_vendor_row {
	struct pmuq_str name, directory;
	struct pmuq_str layout;	 /* as struct pmuq_vendor_import has it */
	struct pmuq_str library; /* vendor_library.h; .p NULL: not of libpfm4, or not known */
	int64_t imported;	 /* seconds since 1970 */
};

struct pq_vendor_folder_row {
	struct pmuq_str arch, path;
	bool is_system;	       /* for every CPU of the architecture that has the PMU */
	struct pmuq_str sysfs; /* of libpfm4: the PMU; .p NULL: none */
	struct pq_ref vendor_set;
};

/* A row of a mapfile.csv, in the order of the file: the first pattern that matches is used. */
struct pq_vendor_cpu_row {
	struct pmuq_str arch, pattern, version, type;
	int64_t folder; /* its position */
};

extern const struct pq_set pq_vendor_text_set, pq_vendor_metric_text_set, pq_vendor_event_set;
extern const struct pq_table pq_vendor_table, pq_vendor_folder_table, pq_vendor_cpu_table;
/* Its rows are struct pmuq_problem. */
extern const struct pq_table pq_vendor_problem_table;

/* An event as pmuq loads it; unit and scale have .p NULL if there are none. */
struct pq_vendor_stored_event {
	struct pq_vendor_event event;
	int64_t row_hash, file;
};

/*
 * The hashes cover the first columns, which are all that an encoding takes from the event; the rest
 * is for reading, and most of the bytes. The event hash of a set is checked if the whole set is
 * loaded, the hash of a row if that event alone is.
 */
#define PQ_VENDOR_HASHED_COLUMNS 8
extern const struct pq_column pq_vendor_event_columns[PQ_VENDOR_HASHED_COLUMNS + 9];
/* The same columns of a draft. */
extern const struct pq_column pq_vendor_hashed_columns[PQ_VENDOR_HASHED_COLUMNS];

/* The event hash: begin, each event of the set in order by its hashed columns, then
 * pq_hash_end(). */
void pq_vendor_event_hash_begin(struct pq_hasher *hasher);
/* The first 64 bits of the hash of the hashed columns of a row: of a draft, or of an event. */
int64_t pq_vendor_row_hash(const struct pq_column *columns, const void *row);
