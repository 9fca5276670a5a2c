/* SPDX-License-Identifier: MIT */
/* Deliveries that could not be stored: they are listed with their errors, and removed. */
#include "core/freep.h"
#include "core/limits.h"
#include "inbox/inbox.h"

struct pmuq_rejections {
	struct pq_arena arena;
	struct pmuq_rejection *v;
	size_t n;
};

struct rejection_row {
	struct pmuq_str host, role, error;
	int64_t received, bytes;
};

static const struct pq_column columns[] = {
	{ PQ_COLUMN_AS(struct rejection_row, host, "agent.host") },
	{ PQ_COLUMN_AS(struct rejection_row, role, "agent.role::text") },
	{ PQ_COLUMN_AS(struct rejection_row, error, "delivery.error") },
	{ PQ_COLUMN_AS(struct rejection_row, received,
		       "extract(epoch FROM delivery.received)::bigint") },
	{ PQ_COLUMN_AS(struct rejection_row, bytes, "delivery.bytes") },
};

static void list_within(struct pmuq_store *store, void *arg)
{
	struct pmuq_rejections *list = arg;
	const struct rejection_row *rows;
	struct pq_rows found;

	pq_arena_clear(&list->arena);
	list->arena = PQ_ARENA(PQ_HOSTS_MAX_BYTES);
	list->n = 0;
	pq_inbox_check(store);
	found = pq_sql_rows(store,
			    PQ_QUERY(columns, "FROM pmuq_inbox.delivery JOIN pmuq_inbox.agent"
					      " ON agent.id = delivery.agent"
					      " WHERE delivery.error IS NOT NULL"
					      " ORDER BY agent.host"),
			    PQ_NO_PARAMS, sizeof(*rows), &list->arena);
	list->v = pq_arena_array(&list->arena, found.n, sizeof(*list->v));
	rows = found.v;
	if (!list->v)
		pq_store_fail_memory(store);
	for (; store->r == 0 && list->n < found.n; list->n++)
		list->v[list->n] = (struct pmuq_rejection){
			.size = sizeof(*list->v),
			.host = rows[list->n].host,
			.role = rows[list->n].role,
			.error = rows[list->n].error,
			.received_s = rows[list->n].received,
			.bytes = (size_t)rows[list->n].bytes,
		};
}

PQ_API int pmuq_store_list_rejections(struct pmuq_store *store, struct pmuq_rejections **ret,
				      struct pmuq_error **reterr)
{
	struct pmuq_rejections *list = calloc(1, sizeof(*list));
	int r;

	if (!list)
		return pq_fail_memory(reterr);
	r = pq_store_read(store, "cannot list the rejected deliveries", list_within, list, reterr);
	if (r == 0)
		*ret = move(list);
	pmuq_rejections_free(list);
	return r;
}

PQ_API void pmuq_rejections_free(struct pmuq_rejections *rejections)
{
	if (!rejections)
		return;
	pq_arena_clear(&rejections->arena);
	free(rejections);
}

PQ_API size_t pmuq_rejections_count(const struct pmuq_rejections *rejections)
{
	return rejections->n;
}

PQ_API const struct pmuq_rejection *pmuq_rejections_get(const struct pmuq_rejections *rejections,
							size_t index)
{
	return index < rejections->n ? &rejections->v[index] : NULL;
}

struct dropping {
	const char *host;
	int64_t n;
};

static void drop_within(struct pmuq_store *store, void *arg)
{
	struct dropping *dropping = arg;

	pq_inbox_check(store);
	pq_sql_number(store,
		      "WITH gone AS (DELETE FROM pmuq_inbox.delivery USING pmuq_inbox.agent"
		      " WHERE agent.id = delivery.agent AND delivery.error IS NOT NULL"
		      " AND (agent.host = ?1 OR ?1 IS NULL) RETURNING agent.id),"
		      " again AS (UPDATE pmuq_inbox.agent SET state = NULL, is_rejected = false"
		      " FROM gone WHERE agent.id = gone.id)"
		      " SELECT count(*) FROM gone",
		      PQ_PARAMS(str_of(dropping->host)), &dropping->n);
	if (dropping->host && !dropping->n)
		pq_store_refuse(store, PMUQ_E_UNKNOWN_HOST, 0,
				"`pmuq db rejected` lists the hosts that have one",
				"the host '%s' has no rejected delivery", dropping->host);
}

PQ_API int pmuq_store_drop_rejection(struct pmuq_store *store, const char *host, size_t *ret,
				     struct pmuq_error **reterr)
{
	struct dropping dropping = { .host = host };
	int r = pq_store_write_host(store, "cannot remove rejected deliveries", drop_within,
				    &dropping, reterr);

	if (r == 0 && ret)
		*ret = (size_t)dropping.n;
	return r;
}
