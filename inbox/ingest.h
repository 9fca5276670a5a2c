/* SPDX-License-Identifier: MIT */
/*
 * A batch of deliveries on its way from the inbox to the tables of the store. Everything of it is
 * in one transaction: a process that is killed leaves all of them in the inbox.
 */
#pragma once

#include "core/vec.h"
#include "db/snapshot/snapshot.h"
#include "inbox/inbox.h"

/* What hosts share, and its contents for the store: made of a document once, for all hosts of the
 * batch that have it. */
struct pq_ingest_content {
	struct pq_hash hash;
	struct pmuq_catalog *catalog;
	struct pq_snapshot snapshot;
	char *error; /* why the document is not stored; NULL: it is */
	bool is_listed;
};

struct pq_delivery {
	int64_t id, agent, seen;
	struct pmuq_str host, own;
	struct pq_hash hash;
	bool is_new; /* with a document that the inbox does not have */
	/* NULL: the document did not fit into the batch, and the delivery waits. */
	struct pq_ingest_content *content;
	struct pq_rows own_facts;
	bool is_rejected;
};

struct pq_ingest {
	int64_t limit; /* deliveries */
	struct pq_arena arena;
	struct pq_delivery *deliveries;
	size_t n;
	/* Of this batch, in the arena; they stay for the second transaction. */
	PQ_VEC(struct pq_ingest_content *) contents;
	size_t document_bytes;
	bool has_contents; /* new ones were stored, in a transaction before this one */
	struct pmuq_ingested done;
};

/* ---- ingest_content.c */

/* Sets the content of each delivery. After an error, pq_ingest_content_clear() in any case. */
void pq_ingest_read_contents(struct pmuq_store *store, struct pq_ingest *ingest);
void pq_ingest_content_clear(struct pq_ingest_content *content);
/* Stores what is not there yet, in the order of the hashes, and sets the ids, which are those of
 * this transaction. */
void pq_ingest_save_contents(struct pmuq_store *store, struct pq_ingest *ingest);

/* Appends the hash to the text of an array of the server; that begins with the first element. */
void pq_ingest_put_hash(struct pq_buf *array, const struct pq_hash *hash);

/* ---- ingest_save.c */

/* Keeps the documents of the batch for other hosts that have the same. */
void pq_ingest_save_documents(struct pmuq_store *store, struct pq_ingest *ingest);
/* Stores the hosts and their snapshots, and removes the deliveries. */
void pq_ingest_save_hosts(struct pmuq_store *store, struct pq_ingest *ingest);
/* Keeps a delivery with its error, in place of an earlier one of the same agent. */
void pq_ingest_reject(struct pmuq_store *store, const struct pq_delivery *delivery,
		      const char *error);

/* ---- heartbeats.c */

/* Moves the times of hosts that were seen, and returns how many. */
int64_t pq_heartbeats_apply(struct pmuq_store *store);
/* Removes contents that no agent and no delivery has. */
void pq_ingest_drop_unused(struct pmuq_store *store);
