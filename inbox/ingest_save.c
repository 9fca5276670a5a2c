/* SPDX-License-Identifier: MIT */
/*
 * Stores the hosts of a batch, many in one statement: what db/snapshot/save.c does for one host,
 * with the same result. The rows are sent as one JSON text, because a statement per host would wait
 * for the server several times per host.
 */
#include "core/limits.h"
#include "core/text/sink.h"
#include "db/postgres/pg_server.h"
#include "inbox/ingest.h"

/* ---- rows as JSON */

static void put_number(struct pq_sink *sink, struct pmuq_str name, int64_t number)
{
	pq_sink_key(sink, name);
	pq_sink_number(sink, number);
}

/* In the form in which a column of the server contains it. */
static void put_text(struct pq_sink *sink, struct pmuq_str name, struct pmuq_str text)
{
	auto_free char *encoded = pq_pg_text_is_plain(text) ? NULL : pq_pg_text_encode(text);

	pq_sink_key(sink, name);
	pq_sink_text(sink, encoded ? str_of(encoded) : text);
}

static void put_hash(struct pq_sink *sink, struct pmuq_str name, const struct pq_hash *hash)
{
	static const char digits[] = "0123456789abcdef";
	char text[2 * sizeof(hash->bytes)];

	for (size_t i = 0; i < sizeof(hash->bytes); i++) {
		text[2 * i] = digits[hash->bytes[i] >> 4];
		text[2 * i + 1] = digits[hash->bytes[i] & 15];
	}
	pq_sink_key(sink, name);
	pq_sink_text(sink, (struct pmuq_str){ .p = text, .n = sizeof(text) });
}

static void put_facts(struct pq_sink *sink, struct pq_rows facts)
{
	const struct pq_own_fact *fact = facts.v;

	for (size_t i = 0; i < facts.n; i++)
		if (str_eq(fact[i].name, STR("machine_id")))
			put_text(sink, STR("machine_id"), fact[i].text);
	pq_sink_key(sink, STR("own"));
	pq_sink_open(sink, '[');
	for (size_t i = 0; i < facts.n; i++) {
		pq_sink_open(sink, '{');
		put_text(sink, STR("name"), fact[i].name);
		put_text(sink, STR("text"), fact[i].text);
		put_number(sink, STR("is_volatile"), fact[i].is_volatile);
		pq_sink_close(sink, '}');
	}
	pq_sink_close(sink, ']');
}

static void put_host(struct pq_sink *sink, const struct pq_delivery *delivery)
{
	const struct pq_snapshot_row *row = &delivery->content->snapshot.row;
	const struct pq_content *layout = row->layout.content, *facts = row->fact_set.content;
	const struct pq_content *tracepoints = row->tracepoint_set.content;
	const struct pq_content *problems = row->problem_set.content;
	const struct pq_hash hash =
		pq_snapshot_hash_of(delivery->own_facts, &layout->hash, &facts->hash,
				    &tracepoints->hash, &problems->hash);

	pq_sink_open(sink, '{');
	put_number(sink, STR("delivery"), delivery->id);
	put_number(sink, STR("agent"), delivery->agent);
	put_hash(sink, STR("document"), &delivery->hash);
	put_text(sink, STR("host"), delivery->host);
	put_hash(sink, STR("hash"), &hash);
	put_number(sink, STR("host_class"), row->host_class);
	put_number(sink, STR("layout"), layout->id);
	put_number(sink, STR("fact_set"), facts->id);
	put_number(sink, STR("tracepoint_set"), tracepoints->id);
	put_number(sink, STR("problem_set"), problems->id);
	put_number(sink, STR("seen"), delivery->seen);
	put_facts(sink, delivery->own_facts);
	pq_sink_close(sink, '}');
}

/* ---- statements; the parameter is such a list of rows */

/* In one order for all workers: hosts whose hashes are equal share a lock. */
static const char lock_hosts[] =
	"SELECT pg_advisory_xact_lock(" PQ_PG_LOCK_HOSTS ", number) FROM (SELECT DISTINCT"
	" hashtext(host) AS number FROM json_to_recordset(?::json) AS new (host text)"
	" ORDER BY number) AS sorted";

static const char add_hosts[] =
	"INSERT INTO host (name, machine_id) SELECT new.host, new.machine_id"
	" FROM json_to_recordset(?::json) AS new (host text, machine_id text)"
	" WHERE NOT EXISTS (SELECT 1 FROM host WHERE host.name = new.host) ORDER BY new.host";

/* Documents that were handed in with a delivery, for the next host that has the same. */
static const char add_documents[] =
	"INSERT INTO pmuq_inbox.content (hash, document) SELECT DISTINCT ON (delivery.hash)"
	" delivery.hash, delivery.document FROM pmuq_inbox.delivery WHERE delivery.id = ANY (ARRAY("
	"SELECT new.delivery FROM json_to_recordset(?::json) AS new (delivery bigint)))"
	" AND delivery.document IS NOT NULL ORDER BY delivery.hash ON CONFLICT DO NOTHING";

/* Returns the number of new snapshots. `newest` is the host's snapshot before. */
static const char add_snapshots[] =
	"WITH new AS MATERIALIZED (SELECT * FROM json_to_recordset(?::json) AS new"
	" (delivery bigint, agent bigint, document text, host text, hash text,"
	" host_class bigint, layout bigint,"
	" fact_set bigint, tracepoint_set bigint, problem_set bigint, seen bigint,"
	" machine_id text, own json)),"
	" one AS MATERIALIZED (SELECT new.*, decode(new.hash, 'hex') AS new_hash,"
	" host.id AS host_id,"
	" newest.id AS newest, newest.hash IS NOT DISTINCT FROM decode(new.hash, 'hex') AS is_same"
	" FROM new JOIN host ON host.name = new.host"
	" LEFT JOIN LATERAL (SELECT id, hash FROM snapshot WHERE snapshot.host = host.id"
	" ORDER BY id + 0 DESC LIMIT 1) AS newest ON true),"
	" added AS (INSERT INTO snapshot (host, hash, host_class, layout, fact_set,"
	" tracepoint_set, problem_set, first_seen, last_seen) SELECT host_id, new_hash, host_class,"
	" layout, fact_set, tracepoint_set, problem_set, seen, seen FROM one WHERE NOT is_same"
	" ORDER BY delivery RETURNING id, host),"
	" own AS MATERIALIZED (SELECT one.host_id, one.newest, one.is_same,"
	" fact.position - 1 AS position, fact.value ->> 'name' AS name,"
	" fact.value ->> 'text' AS text, (fact.value ->> 'is_volatile')::smallint AS is_volatile"
	" FROM one, json_array_elements(one.own) WITH ORDINALITY AS fact (value, position)),"
	" added_facts AS (INSERT INTO snapshot_fact (snapshot, position, name, text, is_volatile)"
	" SELECT added.id, own.position, own.name, own.text, own.is_volatile"
	" FROM added JOIN own ON own.host_id = added.host),"
	" known AS (UPDATE host SET machine_id = one.machine_id FROM one"
	" WHERE host.id = one.host_id AND NOT one.is_same"
	" AND host.machine_id IS DISTINCT FROM one.machine_id),"
	" again AS (UPDATE snapshot SET last_seen = one.seen FROM one"
	" WHERE snapshot.id = one.newest AND one.is_same AND snapshot.last_seen < one.seen),"
	" changed AS (UPDATE snapshot_fact SET text = own.text FROM own"
	" WHERE own.is_same AND own.is_volatile = 1 AND snapshot_fact.snapshot = own.newest"
	" AND snapshot_fact.position = own.position AND snapshot_fact.text <> own.text),"
	" taken AS (DELETE FROM pmuq_inbox.delivery WHERE id = ANY (ARRAY(SELECT delivery FROM"
	" new))),"
	" stored AS MATERIALIZED (SELECT one.agent, one.seen, one.document,"
	" coalesce(added.id, one.newest) AS snapshot FROM one LEFT JOIN added"
	" ON added.host = one.host_id),"
	" agents AS (UPDATE pmuq_inbox.agent SET snapshot = stored.snapshot,"
	" content = content.id, is_rejected = false, seen = greatest(agent.seen, stored.seen),"
	" applied = greatest(agent.applied, stored.seen)"
	" FROM stored LEFT JOIN pmuq_inbox.content"
	" ON content.hash = decode(stored.document, 'hex')"
	" WHERE agent.id = stored.agent AND agent.id = ANY (ARRAY(SELECT agent FROM new)))"
	" SELECT count(*) FROM added";

/* ---- the batch, in parts that a parameter can have */

struct batch_part {
	struct pq_buf text;
	struct pq_sink *sink;
	size_t next; /* delivery */
	size_t n;
	bool has_document;
};

static bool is_stored(const struct pq_delivery *delivery)
{
	return delivery->content && !delivery->is_rejected;
}

/* False after the last part. */
static bool next_part(struct pmuq_store *store, const struct pq_ingest *ingest,
		      struct batch_part *part)
{
	part->n = part->text.n = 0;
	part->has_document = false;
	part->sink = pq_sink_json(&part->text, 0);
	if (part->sink)
		pq_sink_open(part->sink, '[');
	for (; part->sink && part->next < ingest->n && part->text.n < PQ_INGEST_ROWS_MAX_BYTES;
	     part->next++) {
		const struct pq_delivery *delivery = &ingest->deliveries[part->next];

		if (!is_stored(delivery))
			continue;
		put_host(part->sink, delivery);
		part->has_document |= delivery->has_document;
		part->n++;
	}
	if (part->sink)
		pq_sink_close(part->sink, ']');
	if (!part->sink || part->sink->failed || part->text.failed)
		pq_store_fail_memory(store);
	pq_sink_free(move(part->sink));
	return store->r == 0 && part->n;
}

static void save_part(struct pmuq_store *store, struct pq_ingest *ingest,
		      const struct batch_part *part)
{
	struct pmuq_str rows = pq_buf_str(&part->text);
	int64_t n_new = 0;

	pq_sql_run(store, add_hosts, PQ_PARAMS(rows));
	if (part->has_document)
		pq_sql_run(store, add_documents, PQ_PARAMS(rows));
	pq_sql_number(store, add_snapshots, PQ_PARAMS(rows), &n_new);
	ingest->done.n_hosts += part->n;
	ingest->done.n_snapshots += (size_t)n_new;
}

/* All hosts are locked before a content is. The rows of this first pass have no ids of contents
 * yet. */
void pq_ingest_save_hosts(struct pmuq_store *store, struct pq_ingest *ingest)
{
	struct batch_part part = { 0 };

	while (next_part(store, ingest, &part))
		pq_sql_run(store, lock_hosts, PQ_PARAMS(pq_buf_str(&part.text)));
	if (store->r == 0)
		pq_ingest_save_contents(store, ingest);
	part.next = 0;
	while (next_part(store, ingest, &part))
		save_part(store, ingest, &part);
	pq_buf_free(&part.text);
}

void pq_ingest_save_documents(struct pmuq_store *store, const struct pq_ingest *ingest)
{
	struct batch_part part = { 0 };

	while (next_part(store, ingest, &part))
		if (part.has_document)
			pq_sql_run(store, add_documents, PQ_PARAMS(pq_buf_str(&part.text)));
	pq_buf_free(&part.text);
}

void pq_ingest_reject(struct pmuq_store *store, const struct pq_delivery *delivery,
		      const char *error)
{
	pq_sql_run(store, "DELETE FROM pmuq_inbox.delivery WHERE agent = ? AND error IS NOT NULL",
		   PQ_PARAMS(delivery->agent));
	pq_sql_run(store, "UPDATE pmuq_inbox.agent SET is_rejected = true WHERE id = ?",
		   PQ_PARAMS(delivery->agent));
	pq_sql_run(store, "UPDATE pmuq_inbox.delivery SET error = ?2 WHERE id = ?1",
		   PQ_PARAMS(delivery->id, str_of(error)));
}
