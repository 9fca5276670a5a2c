/* SPDX-License-Identifier: MIT */
/*
 * A whole machine in memory: built once from drafts of PMUs, then indexed and immutable. Instances
 * with the same formats, events and caps share one definition, so memory grows with distinct
 * content. Facts are put into the order of core/catalog/fact.h.
 */
#pragma once

#include "core/arena.h"
#include "core/catalog/lookup.h"

struct pmuq_catalog;
struct pmuq_check;
struct pq_builder;

/* The data of one PMU, in any order; the builder copies it. */
struct pq_pmu_draft {
	struct pmuq_str name, alias, cpumask, cpus_file; /* .p is NULL if there is no such file */
	uint32_t type;
	bool has_type;
	struct pmuq_format *formats; /* will be sorted; bits need not be set */
	struct pmuq_event *events;
	struct pmuq_pair *caps, *attributes;
	size_t n_formats, n_events, n_caps, n_attributes;
};

/* All return 0 or -PMUQ_E_MEMORY. The builder is consumed by pq_builder_finish() or freed. */
int pq_builder_new(struct pq_builder **ret, struct pmuq_error **reterr);
void pq_builder_free(struct pq_builder *builder);
int pq_builder_fact(struct pq_builder *builder, struct pmuq_str name, struct pmuq_str text,
		    struct pmuq_error **reterr);
/* The bytes that the draft's PMU takes in a list of formats, events and caps, with its attributes.
 * PMUs may share a definition, so that a small machine can have long lists: a caller that adds PMUs
 * from untrusted input limits the sum by PQ_LISTS_MAX_BYTES. */
uint64_t pq_draft_list_bytes(const struct pq_pmu_draft *draft);
int pq_builder_pmu(struct pq_builder *builder, struct pq_pmu_draft *draft,
		   struct pmuq_error **reterr);
/* Copies a PMU of another catalog, or one whose arrays are in the order of their names. Its
 * definition may be one that the builder has already. */
int pq_builder_copy_pmu(struct pq_builder *builder, const struct pmuq_pmu *pmu,
			struct pmuq_error **reterr);
/* The definition of the PMU that was added last; NULL: none was. */
const struct pmuq_definition *pq_builder_last_definition(const struct pq_builder *builder);
/* Adds the PMUs and the problems of another builder, which is unchanged. */
int pq_builder_join(struct pq_builder *builder, const struct pq_builder *from,
		    struct pmuq_error **reterr);
int pq_builder_problem(struct pq_builder *builder, const struct pmuq_problem *problem,
		       struct pmuq_error **reterr);
int pq_builder_tracepoint(struct pq_builder *builder, const struct pmuq_tracepoint *tracepoint,
			  struct pmuq_error **reterr);
/* Their number, if the tracepoints themselves are not added. */
void pq_builder_count_tracepoints(struct pq_builder *builder, size_t n);
/* Sets the check of the machine; the builder takes ownership of it. */
void pq_builder_check(struct pq_builder *builder, struct pmuq_check *check);
/* Marks the catalog as that of the machine on which this process runs; after pq_builder_finish()
 * only before others see it. */
void pq_builder_is_live(struct pq_builder *builder);
void pq_catalog_is_live(struct pmuq_catalog *catalog);
int pq_builder_finish(struct pq_builder *builder, struct pmuq_catalog **ret,
		      struct pmuq_error **reterr);

/*
 * A machine that has these facts, which must be facts of one host (core/catalog/fact.h), in
 * addition to those of another machine, and shares everything else with it: only the facts are
 * copied, and either may be freed first. Its check is `check`, which the function takes ownership
 * of, also on failure.
 */
int pq_catalog_vary(const struct pmuq_catalog *base, const struct pmuq_pair *facts, size_t n,
		    struct pmuq_check *check, struct pmuq_catalog **ret,
		    struct pmuq_error **reterr);
/* The catalog that a machine shares everything with but facts and check, which it has in addition;
 * NULL: none. */
const struct pmuq_catalog *pq_catalog_base(const struct pmuq_catalog *catalog);
/* Another reference to the catalog; free it like the first. */
struct pmuq_catalog *pmuq_catalog_share(const struct pmuq_catalog *catalog);

/* What a catalog is read for. */
enum pq_part {
	PQ_PART_ALL,
	PQ_PART_PMUS, /* of pmuq_source_read_pmus(); a source that has all in memory gives all */
};

/* Fails if tracepoints of the catalog were only counted. */
int pq_catalog_check_whole(const struct pmuq_catalog *catalog, struct pmuq_error **reterr);

/* The queries of the event language on the catalog. They do not change it. */
struct pq_lookup pq_catalog_lookup(const struct pmuq_catalog *catalog);

/* Distinct definitions, in the order in which they first occur among the PMUs. */
size_t pq_catalog_def_count(const struct pmuq_catalog *catalog);
const struct pq_def *pq_catalog_def(const struct pmuq_catalog *catalog, size_t index);
/* The first pair with that name, or NULL. Lists of pairs are short. */
const struct pmuq_pair *pq_pair_find(const struct pmuq_pair *pairs, size_t n, struct pmuq_str name);
