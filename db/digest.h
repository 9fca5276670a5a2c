/* SPDX-License-Identifier: MIT */
/*
 * The name of a content: SHA-256 over the kind of content and its fields in order, each text with
 * its length before it and apart from one that is not there. What is hashed here is the format of
 * the store: changing it means a new kind ("…/2") and a migration.
 */
#ifndef PQ_DIGEST_H
#define PQ_DIGEST_H

#include "core/catalog/check.h"
#include "core/catalog/fact.h"
#include "core/catalog/lookup.h"
#include "core/sha256.h"
#include "core/vendor/vendor_table.h"

struct pq_hash {
	uint8_t bytes[PQ_SHA256_BYTES];
};

struct pq_digest {
	struct pq_sha256 sha;
};

void pq_digest_begin(struct pq_digest *digest, struct pmuq_str kind);
void pq_digest_number(struct pq_digest *digest, uint64_t number);
void pq_digest_str(struct pq_digest *digest, struct pmuq_str text);
void pq_digest_hash(struct pq_digest *digest, const struct pq_hash *hash);
struct pq_hash pq_digest_end(struct pq_digest *digest);
bool pq_hash_eq(const struct pq_hash *a, const struct pq_hash *b);

/* Whole contents. */
struct pq_hash pq_digest_definition(const struct pq_def *def);
struct pq_hash pq_digest_attributes(const struct pmuq_pair *attributes, size_t n);
struct pq_hash pq_digest_reply(const struct pmuq_open_result *reply);

/* The sets of a snapshot grow item by item, in their order. */
#define PQ_KIND_LAYOUT STR("pmuq.layout/1")
#define PQ_KIND_FACTS STR("pmuq.facts/1")
#define PQ_KIND_TRACEPOINTS STR("pmuq.tracepoints/1")
#define PQ_KIND_PROBLEMS STR("pmuq.problems/1")
#define PQ_KIND_SNAPSHOT STR("pmuq.snapshot/1")
/* Of a check, which a snapshot may have. */
#define PQ_KIND_ANSWERS STR("pmuq.answers/1")
/* Of a vendor's folder, what encodings take from its events. */
#define PQ_KIND_VENDOR_KEPT STR("pmuq.vendor-kept/1")

void pq_digest_pmu(struct pq_digest *digest, const struct pmuq_pmu *pmu,
		   const struct pq_hash *definition, const struct pq_hash *attributes);
void pq_digest_tracepoint(struct pq_digest *digest, const struct pq_tracepoint *tracepoint);
void pq_digest_problem(struct pq_digest *digest, const struct pmuq_problem *problem);
void pq_digest_answer(struct pq_digest *digest, const struct pmuq_check_result *answer,
		      const struct pq_hash *reply);

void pq_digest_vendor_event(struct pq_digest *digest, const struct pq_vendor_event *event);

/* To the digest of the facts, or of the snapshot: whichever keeps facts of that kind. */
void pq_digest_fact(struct pq_digest *digest, enum pq_fact_owner owner, size_t position,
		    const struct pmuq_pair *fact);
/* Of the digest that its own facts went to, and its sets. */
struct pq_hash pq_digest_snapshot(struct pq_digest *digest, const struct pq_hash *layout,
				  const struct pq_hash *facts, const struct pq_hash *tracepoints,
				  const struct pq_hash *problems);

#endif
