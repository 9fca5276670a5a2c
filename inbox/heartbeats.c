/* SPDX-License-Identifier: MIT */
/*
 * Heartbeats: an agent's call writes the time into its own row of the inbox; this moves the times
 * of the snapshots, thousands in one statement. Neither is in an index, so both tables keep their
 * sizes (schema_postgres.py, inbox.sql).
 */
#include "core/limits.h"
#include "inbox/ingest.h"

/* A host whose newest snapshot is not that of the agent's last delivery (somebody removed it, or
 * scanned the host) is not as the agent believes: it delivers everything again. */
int64_t pq_heartbeats_apply(struct pmuq_store *store)
{
	int64_t n = 0;

	pq_sql_number(
		store,
		"WITH due AS MATERIALIZED (SELECT id, snapshot, seen, is_rejected,"
		" coalesce((SELECT snapshot.id = (SELECT max(later.id + 0) FROM snapshot AS later"
		" WHERE later.host = snapshot.host) FROM snapshot WHERE snapshot.id ="
		" agent.snapshot), false) AS is_known FROM pmuq_inbox.agent WHERE seen > applied"
		" LIMIT ? FOR UPDATE SKIP LOCKED),"
		" moved AS (UPDATE snapshot SET last_seen = due.seen FROM due WHERE"
		" snapshot.id = due.snapshot AND snapshot.id = ANY (ARRAY(SELECT snapshot FROM due"
		" WHERE is_known AND NOT is_rejected)) AND snapshot.last_seen < due.seen),"
		" done AS (UPDATE pmuq_inbox.agent SET applied = seen, state = CASE WHEN id = ANY"
		" (ARRAY(SELECT id FROM due WHERE NOT is_known AND NOT is_rejected AND NOT EXISTS"
		" (SELECT 1 FROM pmuq_inbox.delivery WHERE delivery.agent = due.id)))"
		" THEN NULL ELSE state END WHERE id = ANY (ARRAY(SELECT id FROM due)))"
		" SELECT count(*) FROM due",
		PQ_PARAMS((int64_t)PQ_INGEST_HEARTBEATS), &n);
	return n;
}

/* Not more often than every ten minutes, by one process. In two statements: the second one sees the
 * deliveries that agents handed in until the contents were locked. */
void pq_ingest_drop_unused(struct pmuq_store *store)
{
	auto_arena struct pq_arena arena = PQ_ARENA(PQ_CONTENTS_MAX_BYTES);
	struct pmuq_str ids = { 0 };

	if (pq_sql_row(
		    store,
		    PQ_QUERY(
			    pq_one_text,
			    "WITH turn AS MATERIALIZED (UPDATE pmuq_inbox.inbox_setting SET"
			    " swept = extract(epoch FROM now())::bigint WHERE only_row = (SELECT"
			    " only_row FROM pmuq_inbox.inbox_setting WHERE"
			    " swept < extract(epoch FROM now()) - 600 FOR UPDATE SKIP LOCKED)"
			    " RETURNING only_row),"
			    " unused AS MATERIALIZED (SELECT id FROM pmuq_inbox.content WHERE"
			    " EXISTS (SELECT 1 FROM turn) AND id = ANY (ARRAY(SELECT id FROM"
			    " pmuq_inbox.content EXCEPT SELECT content FROM pmuq_inbox.agent EXCEPT"
			    " SELECT content FROM pmuq_inbox.delivery)) FOR UPDATE SKIP LOCKED)"
			    " SELECT array_agg(id)::text FROM unused HAVING count(*) > 0"),
		    PQ_NO_PARAMS, &ids, &arena))
		pq_sql_run(store,
			   "DELETE FROM pmuq_inbox.content WHERE id = ANY (?1::bigint[])"
			   " AND id <> ALL (ARRAY(SELECT content FROM pmuq_inbox.delivery WHERE"
			   " content = ANY (?1::bigint[])))",
			   PQ_PARAMS(ids));
}
