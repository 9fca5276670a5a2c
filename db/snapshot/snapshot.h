/* SPDX-License-Identifier: MIT */
/*
 * A snapshot: a host's machine as contents, in memory. It is made from a catalog to be saved, and
 * loaded to make a catalog again.
 */
#pragma once

#include "core/catalog/catalog.h"
#include "db/content/content.h"

/* The tables of a definition. */
enum {
	PQ_DEFINITION_FORMATS,
	PQ_DEFINITION_EVENTS,
	PQ_DEFINITION_CAPS,
};

struct pq_pmu_row {
	struct pmuq_str name, alias, cpumask, cpus; /* .p NULL: no such file */
	struct pq_optional type;
	struct pq_ref definition, attribute_set;
};

/* The row of the table `snapshot`, without the id. */
struct pq_snapshot_row {
	int64_t host, host_class, first_seen, last_seen;
	/* Covers everything except the texts of volatile facts. If a host's newest snapshot has the
	 * same hash, it is updated; otherwise there is a new one. */
	struct pq_hash hash;
	struct pq_ref layout, fact_set, tracepoint_set, problem_set;
};

struct pq_snapshot {
	struct pq_contents contents;
	struct pq_snapshot_row row;
	struct pq_rows own_facts; /* struct pq_own_fact */
	struct pq_content host_class;
	struct pq_content *check_set; /* NULL: no check */
};

/* A fact of one host alone. */
struct pq_own_fact {
	struct pmuq_str name, text;
	bool is_volatile;
};

struct pq_checked_event {
	struct pmuq_str pmu, event;
	bool is_generic;
	struct pq_ref open_result; /* its own row is a struct pmuq_open_result */
};

extern const struct pq_set pq_layout_set, pq_definition_set, pq_attribute_set, pq_fact_set,
	pq_tracepoint_set, pq_problem_set, pq_check_set, pq_open_result_set, pq_host_class_set;
extern const struct pq_table pq_snapshot_table, pq_own_fact_table;

/* Makes the contents of a catalog and computes their hashes; it refers to the catalog and to the
 * check (which may be NULL), so both must live as long. It needs no store: ids are 0, and set when
 * the contents are saved. 0 or -PMUQ_E_MEMORY. */
int pq_snapshot_make(const struct pmuq_catalog *catalog, const struct pmuq_check *check,
		     struct pq_snapshot *ret, struct pmuq_error **reterr);
void pq_snapshot_free(struct pq_snapshot *snapshot);

/* Computed from the facts of the host and the hashes of the contents that the row refers to. */
struct pq_hash pq_snapshot_hash_of(struct pq_rows own_facts, const struct pq_hash *layout,
				   const struct pq_hash *fact_set,
				   const struct pq_hash *tracepoint_set,
				   const struct pq_hash *problem_set);

/* The row of a check, which its hash is the only part of that the contents have. */
struct pq_stored_check {
	struct pq_ref check_set;
	struct pq_hash hash;
	int64_t checked, total;
	struct pmuq_str kernel;
};
/* False if the snapshot was not checked, and after an error. */
bool pq_snapshot_find_check(struct pq_contents *contents, int64_t snapshot,
			    struct pq_stored_check *ret);
/* What it returns is the caller's, after an error, too; then it may be NULL. */
struct pmuq_check *pq_snapshot_read_check(struct pq_contents *contents,
					  const struct pq_stored_check *stored);

/* Host classes (host_class.c): event strings mean the same on all hosts of a class. A class is a
 * hash of everything that the encoder can query: PMUs, tracepoints, and the facts that
 * core/catalog/fact.h marks with CLASS. */
struct pq_hash pq_host_class_hash(const struct pq_hash *layout, const struct pq_hash *tracepoints,
				  struct pq_rows facts);
/* Computes the classes of all stored snapshots again. */
void pq_host_class_update(struct pmuq_store *store);
