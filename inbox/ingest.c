/* SPDX-License-Identifier: MIT */
/*
 * Takes deliveries out of the inbox. Workers do not wait for each other: each takes the oldest
 * deliveries whose rows, and whose agents' rows, nobody has locked, and of each agent only the
 * first, so that a host's states are stored in their order. The locks are those of pg_engine.c:
 * writers shared, then the hosts in one order, then the contents if one is new.
 */
#include "inbox/ingest.h"
#include "core/error.h"
#include "core/limits.h"
#include "core/sized.h"
#include "inbox/own_facts.h"

static const struct pq_column delivery_columns[] = {
	{ PQ_COLUMN_AS(struct pq_delivery, id, "first.id") },
	{ PQ_COLUMN_AS(struct pq_delivery, agent, "first.agent") },
	{ PQ_COLUMN_AS(struct pq_delivery, seen, "first.seen") },
	{ PQ_COLUMN_AS(struct pq_delivery, host, "first.host") },
	{ PQ_COLUMN_AS(struct pq_delivery, own, "first.own") },
	{ PQ_COLUMN_AS(struct pq_delivery, hash, "first.hash") },
	{ PQ_COLUMN_AS(struct pq_delivery, is_new, "first.is_new") },
};

/* Each table is locked by a query of its own: a row that another worker has changed in the meantime
 * makes the server run the conditions for it again, and with a join that would be the whole join.
 */
static void take(struct pmuq_store *store, struct pq_ingest *ingest)
{
	struct pq_rows rows = pq_sql_rows(
		store,
		PQ_QUERY(
			delivery_columns,
			"FROM (WITH first AS MATERIALIZED (SELECT id, agent, seen, own, hash,"
			" document IS NOT NULL AND (SELECT content.id FROM pmuq_inbox.content WHERE"
			" content.hash = delivery.hash) IS NULL AS is_new"
			" FROM pmuq_inbox.delivery WHERE"
			" error IS NULL AND coalesce((SELECT earlier.error IS NOT NULL FROM"
			" pmuq_inbox.delivery AS earlier WHERE earlier.id = delivery.before), true)"
			" ORDER BY id LIMIT ? FOR UPDATE SKIP LOCKED),"
			" free AS MATERIALIZED (SELECT id, host FROM pmuq_inbox.agent WHERE"
			" id = ANY (ARRAY(SELECT agent FROM first)) FOR UPDATE SKIP LOCKED)"
			" SELECT first.*, free.host FROM first JOIN free ON free.id = first.agent)"
			" AS first ORDER BY first.id"),
		PQ_PARAMS(ingest->limit), sizeof(struct pq_delivery), &ingest->arena);

	ingest->deliveries = rows.own;
	ingest->n = store->r == 0 ? rows.n : 0;
}

static void read_own(struct pmuq_store *store, struct pq_ingest *ingest)
{
	for (size_t i = 0; store->r == 0 && i < ingest->n; i++) {
		struct pq_delivery *delivery = &ingest->deliveries[i];

		delivery->is_rejected =
			!pq_own_facts_read(delivery->own, &ingest->arena, &delivery->own_facts);
		if (!delivery->own_facts.v)
			pq_store_fail_memory(store);
	}
}

static void reject_bad(struct pmuq_store *store, struct pq_ingest *ingest)
{
	for (size_t i = 0; store->r == 0 && i < ingest->n; i++) {
		struct pq_delivery *delivery = &ingest->deliveries[i];
		const char *error = delivery->content ? delivery->content->error : NULL;

		if (delivery->is_rejected)
			error = "its facts cannot be read: no pmuq delivered them";
		if (!error)
			continue;
		delivery->is_rejected = true;
		pq_ingest_reject(store, delivery, error);
		ingest->done.n_rejected++;
	}
}

static bool has_new_content(const struct pq_ingest *ingest)
{
	for (size_t i = 0; i < ingest->n; i++)
		if (ingest->deliveries[i].is_new)
			return true;
	return false;
}

/* New contents are stored in a transaction of their own, because only one process at a time may add
 * some: the hosts, which take longer, follow in a second one without that lock. */
static void store_all(struct pmuq_store *store, struct pq_ingest *ingest)
{
	pq_ingest_read_contents(store, ingest);
	read_own(store, ingest);
	reject_bad(store, ingest);
	if (!ingest->has_contents && has_new_content(ingest)) {
		pq_ingest_save_contents(store, ingest);
		pq_ingest_save_documents(store, ingest);
		ingest->has_contents = true;
		return;
	}
	pq_ingest_save_hosts(store, ingest);
}

/* The tables of the inbox are empty at one moment, and have a million rows at the next. The server
 * believes its statistics of the first moment, and keeps plans: so it would read a whole table for
 * each delivery, or compare each delivery with all others. For the same reason no statement here
 * leaves a choice between two indexes (hence `id + 0`, which is in none), or joins deliveries
 * with a table without naming its rows (hence `id = ANY (ARRAY(…))`). */
static const char plans[] = "SET LOCAL enable_seqscan = off; SET LOCAL enable_mergejoin = off;"
			    " SET LOCAL enable_nestloop = off";

static void ingest_within(struct pmuq_store *store, void *arg)
{
	struct pq_ingest *ingest = arg;

	pq_inbox_check(store);
	pq_store_exec(store, plans);
	take(store, ingest);
	if (ingest->n)
		store_all(store, ingest);
	else if (store->r == 0)
		ingest->done.n_heartbeats = (size_t)pq_heartbeats_apply(store);
	if (!ingest->n && !ingest->has_contents && !ingest->done.n_heartbeats)
		pq_ingest_drop_unused(store);
	ingest->done.n_waiting = (size_t)pq_store_number(
		store,
		"SELECT coalesce((SELECT id FROM pmuq_inbox.delivery ORDER BY id DESC LIMIT 1) + 1"
		" - (SELECT id FROM pmuq_inbox.delivery ORDER BY id LIMIT 1), 0)");
}

static void clear(struct pq_ingest *ingest)
{
	for (size_t i = 0; i < ingest->contents.n; i++)
		pq_ingest_content_clear(ingest->contents.v[i]);
	pq_arena_clear(&ingest->arena);
	*ingest = (struct pq_ingest){ .limit = ingest->limit };
}

static int run(struct pmuq_store *store, struct pq_ingest *ingest, struct pmuq_error **reterr)
{
	static const char doing[] = "cannot store deliveries";
	int r;

	clear(ingest);
	ingest->arena = PQ_ARENA(PQ_CONTENTS_MAX_BYTES);
	r = pq_store_write_host(store, doing, ingest_within, ingest, reterr);
	if (r == 0 && ingest->has_contents)
		r = pq_store_write_host(store, doing, ingest_within, ingest, reterr);
	return r;
}

/* ---- a delivery that the server refuses */

struct refused {
	const struct pq_delivery *delivery;
	const char *error;
};

static void reject_within(struct pmuq_store *store, void *arg)
{
	const struct refused *refused = arg;

	pq_ingest_reject(store, refused->delivery, refused->error);
}

/* What could be read and yet breaks a constraint of a table stops nobody: each delivery is tried
 * alone until it is found. */
static int run_alone(struct pmuq_store *store, struct pq_ingest *ingest, struct pmuq_error **reterr)
{
	struct pmuq_error *error = NULL;
	struct refused refused;
	int r;

	ingest->limit = 1;
	r = run(store, ingest, &error);
	refused = (struct refused){ .delivery = ingest->deliveries,
				    .error = error ? error->message.p : "it cannot be stored" };
	if (r == -PMUQ_E_STORE_CORRUPT && ingest->n) {
		r = pq_store_write_host(store, "cannot reject a delivery", reject_within, &refused,
					reterr);
		ingest->done = (struct pmuq_ingested){ .n_rejected = r == 0 };
	} else if (r < 0 && reterr) {
		*reterr = move(error);
	}
	pmuq_error_free(error);
	return r;
}

PQ_API int pmuq_store_ingest(struct pmuq_store *store, struct pmuq_ingested *ret,
			     struct pmuq_error **reterr)
{
	struct pq_ingest ingest = { .limit = PQ_INGEST_DELIVERIES };
	struct pmuq_error *error = NULL;
	int r = ret ? pq_sized_check(ret, reterr) : 0;

	if (r < 0)
		return r;
	r = run(store, &ingest, &error);
	if (r == -PMUQ_E_STORE_CORRUPT && ingest.n)
		r = run_alone(store, &ingest, reterr);
	else if (r < 0 && reterr)
		*reterr = move(error);
	pmuq_error_free(error);
	if (r == 0 && ret)
		pq_sized_give(&ingest.done, sizeof(ingest.done), ret);
	clear(&ingest);
	return r;
}
