/* SPDX-License-Identifier: MIT */
/*
 * Stores the hosts of a batch, many in one statement: what db/snapshot/save.c does for one host,
 * with the same result. A statement per host would wait for the server several times per host; so
 * each column is sent as the text of an array, which the server reads in a fifth of the time that
 * it needs for rows as JSON.
 */
#include "core/limits.h"
#include "db/postgres/pg_server.h"
#include "inbox/ingest.h"

/* ---- columns as arrays */

/* The parameters of the statements, in their order. */
enum column {
	HOST_NAME,
	HOST_MACHINE_ID,
	HOST_DELIVERY,
	HOST_AGENT,
	HOST_DOCUMENT,
	HOST_HASH,
	HOST_CLASS,
	HOST_LAYOUT,
	HOST_FACT_SET,
	HOST_TRACEPOINT_SET,
	HOST_PROBLEM_SET,
	HOST_SEEN,
	FACT_AGENT,
	FACT_POSITION,
	FACT_NAME,
	FACT_TEXT,
	FACT_IS_VOLATILE,
	N_COLUMNS,
};

/* Hosts of a batch, as many as a parameter can have, and their own facts. */
struct batch_part {
	struct pq_buf columns[N_COLUMNS];
	size_t next; /* delivery */
	size_t n, n_facts;
	size_t bytes; /* of the longest column */
};

static void begin_element(struct pq_buf *column)
{
	pq_buf_char(column, column->n ? ',' : '{', 1);
}

static void put_number(struct batch_part *part, enum column at, int64_t number)
{
	begin_element(&part->columns[at]);
	pq_buf_print(&part->columns[at], "%lld", (long long)number);
}

/* In the form in which a column of the server contains it; without one, NULL. */
static void put_text(struct batch_part *part, enum column at, struct pmuq_str text)
{
	auto_free char *encoded =
		!text.p || pq_pg_text_is_plain(text) ? NULL : pq_pg_text_encode(text);
	struct pq_buf *column = &part->columns[at];
	struct pmuq_str plain = encoded ? str_of(encoded) : text;

	begin_element(column);
	if (!text.p) {
		pq_buf_add(column, STR("NULL"));
		return;
	}
	pq_buf_char(column, '"', 1);
	for (size_t i = 0; i < plain.n; i++) {
		if (plain.p[i] == '"' || plain.p[i] == '\\')
			pq_buf_char(column, '\\', 1);
		pq_buf_char(column, plain.p[i], 1);
	}
	pq_buf_char(column, '"', 1);
	part->bytes = column->n > part->bytes ? column->n : part->bytes;
}

static void put_hash(struct batch_part *part, enum column at, const struct pq_hash *hash)
{
	pq_ingest_put_hash(&part->columns[at], hash);
}

static void put_facts(struct batch_part *part, const struct pq_delivery *delivery)
{
	const struct pq_own_fact *fact = delivery->own_facts.v;
	struct pmuq_str machine_id = { 0 };

	for (size_t i = 0; i < delivery->own_facts.n; i++) {
		if (str_eq(fact[i].name, STR("machine_id")))
			machine_id = fact[i].text;
		put_number(part, FACT_AGENT, delivery->agent);
		put_number(part, FACT_POSITION, (int64_t)i);
		put_text(part, FACT_NAME, fact[i].name);
		put_text(part, FACT_TEXT, fact[i].text);
		put_number(part, FACT_IS_VOLATILE, fact[i].is_volatile);
		part->n_facts++;
	}
	put_text(part, HOST_MACHINE_ID, machine_id);
}

static void put_host(struct batch_part *part, const struct pq_delivery *delivery)
{
	const struct pq_snapshot_row *row = &delivery->content->snapshot.row;
	const struct pq_content *layout = row->layout.content, *facts = row->fact_set.content;
	const struct pq_content *tracepoints = row->tracepoint_set.content;
	const struct pq_content *problems = row->problem_set.content;
	const struct pq_hash hash =
		pq_snapshot_hash_of(delivery->own_facts, &layout->hash, &facts->hash,
				    &tracepoints->hash, &problems->hash);

	put_text(part, HOST_NAME, delivery->host);
	put_number(part, HOST_DELIVERY, delivery->id);
	put_number(part, HOST_AGENT, delivery->agent);
	put_hash(part, HOST_DOCUMENT, &delivery->hash);
	put_hash(part, HOST_HASH, &hash);
	put_number(part, HOST_CLASS, row->host_class);
	put_number(part, HOST_LAYOUT, layout->id);
	put_number(part, HOST_FACT_SET, facts->id);
	put_number(part, HOST_TRACEPOINT_SET, tracepoints->id);
	put_number(part, HOST_PROBLEM_SET, problems->id);
	put_number(part, HOST_SEEN, delivery->seen);
	put_facts(part, delivery);
}

/* ---- statements */

/* In one order for all workers: hosts whose hashes are equal share a lock. */
static const char lock_hosts[] =
	"SELECT pg_advisory_xact_lock(" PQ_PG_LOCK_HOSTS ", number) FROM (SELECT DISTINCT"
	" hashtext(host) AS number FROM unnest(?::text[]) AS new (host) ORDER BY number) AS sorted";

/* The query of one row is in the index, whatever the server believes of the size of the table. */
static const char add_hosts[] =
	"INSERT INTO host (name, machine_id) SELECT new.host, new.machine_id"
	" FROM unnest(?1::text[], ?2::text[]) AS new (host, machine_id)"
	" WHERE (SELECT id FROM host WHERE host.name = new.host) IS NULL ORDER BY new.host";

/* Documents that were handed in with a delivery, for the next host that has the same. */
static const char add_documents[] =
	"INSERT INTO pmuq_inbox.content (hash, document) SELECT DISTINCT ON (delivery.hash)"
	" delivery.hash, delivery.document FROM pmuq_inbox.delivery WHERE delivery.id ="
	" ANY (?::bigint[]) AND delivery.document IS NOT NULL ORDER BY delivery.hash"
	" ON CONFLICT DO NOTHING";

/* Returns the number of new snapshots. `newest` is the host's snapshot before. generate_series()
 * is there for the planner: it expects 1,000 rows of it, and of unnest() ten. */
static const char add_snapshots[] =
	"WITH new AS MATERIALIZED (SELECT * FROM ROWS FROM (unnest(?1::text[]), unnest(?2::text[]),"
	" unnest(?3::bigint[]), unnest(?4::bigint[]), unnest(?5::bytea[]), unnest(?6::bytea[]),"
	" unnest(?7::bigint[]), unnest(?8::bigint[]), unnest(?9::bigint[]), unnest(?10::bigint[]),"
	" unnest(?11::bigint[]), unnest(?12::bigint[]), generate_series(1, ?18)) AS new (host,"
	" machine_id, delivery, agent, document, hash, host_class, layout, fact_set,"
	" tracepoint_set, problem_set, seen, number)),"
	" fact AS MATERIALIZED (SELECT * FROM ROWS FROM (unnest(?13::bigint[]),"
	" unnest(?14::bigint[]), unnest(?15::text[]), unnest(?16::text[]), unnest(?17::smallint[]),"
	" generate_series(1, ?19)) AS fact (agent, position, name, text, is_volatile, number)),"
	" one AS MATERIALIZED (SELECT new.*, host.id AS host_id, newest.id AS newest,"
	" newest.hash IS NOT DISTINCT FROM new.hash AS is_same"
	" FROM new JOIN LATERAL (SELECT id FROM host WHERE host.name = new.host LIMIT 1) AS host"
	" ON true LEFT JOIN LATERAL (SELECT id, hash FROM snapshot WHERE snapshot.host = host.id"
	" ORDER BY id + 0 DESC LIMIT 1) AS newest ON true),"
	" added AS (INSERT INTO snapshot (host, hash, host_class, layout, fact_set,"
	" tracepoint_set, problem_set, first_seen, last_seen) SELECT host_id, hash, host_class,"
	" layout, fact_set, tracepoint_set, problem_set, seen, seen FROM one WHERE NOT is_same"
	" ORDER BY delivery RETURNING id, host),"
	" stored AS MATERIALIZED (SELECT one.agent, one.host_id, one.machine_id, one.seen,"
	" one.document, one.is_same, coalesce(added.id, one.newest) AS snapshot FROM one"
	" LEFT JOIN added ON added.host = one.host_id),"
	" own AS MATERIALIZED (SELECT stored.snapshot, stored.is_same, fact.position, fact.name,"
	" fact.text, fact.is_volatile FROM stored JOIN fact ON fact.agent = stored.agent),"
	" added_facts AS (INSERT INTO snapshot_fact (snapshot, position, name, text, is_volatile)"
	" SELECT snapshot, position, name, text, is_volatile FROM own WHERE NOT is_same),"
	" known AS (UPDATE host SET machine_id = stored.machine_id FROM stored"
	" WHERE host.id = stored.host_id AND host.id = ANY (ARRAY(SELECT host_id FROM stored"
	" WHERE NOT is_same)) AND host.machine_id IS DISTINCT FROM stored.machine_id),"
	" again AS (UPDATE snapshot SET last_seen = stored.seen FROM stored"
	" WHERE snapshot.id = stored.snapshot AND snapshot.id = ANY (ARRAY(SELECT snapshot"
	" FROM stored WHERE is_same)) AND snapshot.last_seen < stored.seen),"
	" changed AS (UPDATE snapshot_fact SET text = own.text FROM own"
	" WHERE own.is_same AND own.is_volatile = 1 AND snapshot_fact.snapshot = own.snapshot"
	" AND snapshot_fact.snapshot = ANY (ARRAY(SELECT snapshot FROM own WHERE is_same))"
	" AND snapshot_fact.position = own.position AND snapshot_fact.text <> own.text),"
	" taken AS (DELETE FROM pmuq_inbox.delivery WHERE id = ANY (?3::bigint[])),"
	" agents AS (UPDATE pmuq_inbox.agent SET snapshot = stored.snapshot,"
	" content = (SELECT id FROM pmuq_inbox.content WHERE content.hash = stored.document),"
	" is_rejected = false, seen = greatest(agent.seen, stored.seen),"
	" applied = greatest(agent.applied, stored.seen)"
	" FROM stored WHERE agent.id = stored.agent AND agent.id = ANY (?4::bigint[]))"
	" SELECT count(*) FROM added";

/* ---- the batch, in parts */

static bool is_stored(const struct pq_delivery *delivery)
{
	return delivery->content && !delivery->is_rejected;
}

static void clear_part(struct batch_part *part)
{
	part->n = part->n_facts = part->bytes = 0;
	for (size_t i = 0; i < N_COLUMNS; i++)
		part->columns[i].n = 0;
}

/* True, unless there is no memory. */
static bool end_part(struct batch_part *part)
{
	bool has_failed = false;

	for (size_t i = 0; i < N_COLUMNS; i++) {
		pq_buf_add(&part->columns[i], part->columns[i].n ? STR("}") : STR("{}"));
		has_failed |= part->columns[i].failed;
	}
	return !has_failed;
}

static void free_part(struct batch_part *part)
{
	for (size_t i = 0; i < N_COLUMNS; i++)
		pq_buf_free(&part->columns[i]);
}

/* False after the last part. */
static bool next_part(struct pmuq_store *store, const struct pq_ingest *ingest,
		      struct batch_part *part)
{
	clear_part(part);
	for (; part->next < ingest->n && part->bytes < PQ_INGEST_ROWS_MAX_BYTES; part->next++) {
		if (!is_stored(&ingest->deliveries[part->next]))
			continue;
		put_host(part, &ingest->deliveries[part->next]);
		part->n++;
	}
	if (!end_part(part))
		pq_store_fail_memory(store);
	return store->r == 0 && part->n;
}

static void save_part(struct pmuq_store *store, struct pq_ingest *ingest,
		      const struct batch_part *part)
{
	struct pq_param params[N_COLUMNS + 2];
	int64_t n_new = 0;

	for (size_t i = 0; i < N_COLUMNS; i++)
		params[i] = pq_param_text(pq_buf_str(&part->columns[i]));
	params[N_COLUMNS] = pq_param_number((int64_t)part->n);
	params[N_COLUMNS + 1] = pq_param_number((int64_t)part->n_facts);
	pq_sql_run(store, add_hosts, params, HOST_MACHINE_ID + 1);
	pq_sql_number(store, add_snapshots, params, COUNT(params), &n_new);
	ingest->done.n_hosts += part->n;
	ingest->done.n_snapshots += (size_t)n_new;
}

/* All hosts are locked before a content is. The rows of this first pass have no ids of contents
 * yet. */
void pq_ingest_save_hosts(struct pmuq_store *store, struct pq_ingest *ingest)
{
	struct batch_part part = { 0 };

	while (next_part(store, ingest, &part))
		pq_sql_run(store, lock_hosts, PQ_PARAMS(pq_buf_str(&part.columns[HOST_NAME])));
	pq_ingest_save_contents(store, ingest);
	pq_ingest_save_documents(store, ingest);
	part.next = 0;
	while (next_part(store, ingest, &part))
		save_part(store, ingest, &part);
	free_part(&part);
}

/* One delivery of each document is enough. */
void pq_ingest_save_documents(struct pmuq_store *store, struct pq_ingest *ingest)
{
	cleanup(pq_buf_free) struct pq_buf ids = PQ_BUF_NULL;

	for (size_t i = 0; i < ingest->contents.n; i++)
		ingest->contents.v[i]->is_listed = false;
	for (size_t i = 0; i < ingest->n; i++) {
		const struct pq_delivery *delivery = &ingest->deliveries[i];

		if (!is_stored(delivery) || !delivery->is_new || delivery->content->is_listed)
			continue;
		delivery->content->is_listed = true;
		begin_element(&ids);
		pq_buf_print(&ids, "%lld", (long long)delivery->id);
	}
	if (!ids.n)
		return;
	pq_buf_char(&ids, '}', 1);
	if (ids.failed)
		pq_store_fail_memory(store);
	pq_sql_run(store, add_documents, PQ_PARAMS(pq_buf_str(&ids)));
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
