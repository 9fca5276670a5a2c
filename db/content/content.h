/* SPDX-License-Identifier: MIT */
/*
 * Contents that hosts can share, each stored once under its hash. A set describes how its contents
 * are stored: a table with id and hash (and maybe columns of its own), and tables for the rows of
 * each content. Rows can refer to contents of other sets; the hashes of those are hashed then. One
 * function saves the contents of every set, one loads them and checks their hashes.
 */
#pragma once

#include "core/catalog/intern.h"
#include "core/limits.h"
#include "db/content/content_table.h"

#define PQ_SET_TABLES_MAX 5

struct pq_set {
	struct pq_table own; /* columns that refer to it have its name; mostly it has none */
	const char *domain;  /* of the hash: the name and a version */
	struct pq_table tables[PQ_SET_TABLES_MAX]; /* up to one without a name */
};

struct pq_content {
	const struct pq_set *set;
	int64_t id; /* 0: not known to be in the store */
	struct pq_hash hash;
	const void *own; /* the row of the set's own columns; may be NULL if it has none */
	struct pq_rows rows[PQ_SET_TABLES_MAX];
};

/* Computes the hash; the contents that rows refer to must have theirs. */
void pq_content_hash(struct pq_content *content);
/* Stores the content, and those that it refers to, unless they are there. Sets the id. The hash
 * must be known: it alone decides whether the store has the content. */
void pq_content_save(struct pmuq_store *store, struct pq_content *content);

/* Sets the ids of those that the store has: of different sets, at most PQ_FIND_MAX. */
#define PQ_FIND_MAX 5
void pq_contents_find(struct pmuq_store *store, struct pq_content *const *contents, size_t n);

/* Contents in memory: each is read once, and lives until pq_contents_end(). Ids are valid within
 * one transaction, so the object must not outlive that. */
struct pq_contents {
	struct pmuq_store *store;
	struct pq_arena arena;
	struct pq_intern by_id;
};

void pq_contents_begin(struct pq_contents *contents, struct pmuq_store *store);
void pq_contents_end(struct pq_contents *contents);
/* Fails with -PMUQ_E_STORE_CORRUPT if the content does not have the hash that it is stored under:
 * an encoding from a corrupt file would be wrong. NULL after an error. */
struct pq_content *pq_content_load(struct pq_contents *contents, const struct pq_set *set,
				   int64_t id);

/* The same for all contents that rows refer to. Several are loaded together: each statement is a
 * round trip to a server. */
void pq_refs_save(struct pmuq_store *store, const struct pq_table *table, struct pq_rows rows);
void pq_refs_load(struct pq_contents *contents, const struct pq_table *table, struct pq_rows rows);

/* Fails with -PMUQ_E_STORE_CORRUPT unless both are equal. */
void pq_hash_check(struct pmuq_store *store, const struct pq_hash *stored,
		   const struct pq_hash *computed);
/* Loads the hash alone, of one stored content or of several of one set. */
struct pq_hash pq_set_hash(struct pmuq_store *store, const struct pq_set *set, int64_t id);
void pq_contents_load_hashes(struct pmuq_store *store, struct pq_content *contents, size_t n);
/* Deletes the contents that no row refers to. Sets whose rows refer to others must come first. */
void pq_set_drop_unused(struct pmuq_store *store, const struct pq_set *set);
