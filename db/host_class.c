/* SPDX-License-Identifier: MIT */
/*
 * Kinds of machines: snapshots that give the same answers to every event string have one. It is
 * worked out from what is in the store, so that a save and a migration cannot differ.
 */
#include "db/load.h"
#include "db/save.h"

struct sets {
	int64_t layout, tracepoints, facts;
};

/* Of the facts only those that encodings depend on. */
static int add_facts(struct pmuq_store *store, int64_t facts, struct pq_digest *digest,
		     struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_arena arena;
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_LIST_FACTS, reterr);

	if (r < 0)
		return r;
	pq_arena_init(&arena, NULL, 0, PQ_KIND_MAX_BYTES);
	pq_bind_int(&stmt, facts);
	while ((r = pq_stmt_step(&stmt, reterr)) == 0) {
		struct pmuq_str name = pq_column_text(&stmt, 0, &arena);

		if (!pq_fact_is_of_class(name))
			continue;
		pq_digest_str(digest, name);
		pq_digest_str(digest, pq_column_text(&stmt, 1, &arena));
	}
	pq_arena_clear(&arena);
	return r < 0 ? r : 0;
}

static int add_hash(struct pmuq_store *store, enum pq_sql which, int64_t id,
		    struct pq_digest *digest, struct pmuq_error **reterr)
{
	struct pq_hash hash;
	int r = pq_load_hash(store, which, id, &hash, reterr);

	if (r >= 0)
		pq_digest_hash(digest, &hash);
	return r;
}

static int kind_of(struct pmuq_store *store, const struct sets *sets, int64_t *ret,
		   struct pmuq_error **reterr)
{
	struct pq_digest digest;
	struct pq_hash hash;
	int r;

	pq_digest_begin(&digest, STR("pmuq.kind/1"));
	r = add_hash(store, PQ_SQL_HASH_OF_LAYOUT, sets->layout, &digest, reterr);
	if (r == 0)
		r = add_hash(store, PQ_SQL_HASH_OF_TRACEPOINTS, sets->tracepoints, &digest, reterr);
	if (r == 0)
		r = add_facts(store, sets->facts, &digest, reterr);
	if (r < 0)
		return r;
	hash = pq_digest_end(&digest);
	r = pq_save_find_or_add(store, PQ_SQL_FIND_KIND, PQ_SQL_ADD_KIND, &hash, ret, reterr);
	return r < 0 ? r : 0;
}

int pq_save_kind(struct pmuq_store *store, const struct pq_set_ids *ids, int64_t *ret,
		 struct pmuq_error **reterr)
{
	const struct sets sets = {
		.layout = ids->layout,
		.tracepoints = ids->tracepoints,
		.facts = ids->facts,
	};

	return kind_of(store, &sets, ret, reterr);
}

/* PQ_NONE when every snapshot has its kind. */
static int next_unknown(struct pmuq_store *store, struct sets *ret, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_NEXT_WITHOUT_KIND, reterr);

	if (r < 0)
		return r;
	r = pq_stmt_step(&stmt, reterr);
	if (r != 0)
		return r;
	*ret = (struct sets){
		.layout = pq_column_int(&stmt, 0),
		.tracepoints = pq_column_int(&stmt, 1),
		.facts = pq_column_int(&stmt, 2),
	};
	return pq_stmt_check(&stmt, reterr);
}

static int set_kind(struct pmuq_store *store, const struct sets *sets, int64_t kind,
		    struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_SET_KIND, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, kind);
	pq_bind_int(&stmt, sets->layout);
	pq_bind_int(&stmt, sets->tracepoints);
	pq_bind_int(&stmt, sets->facts);
	return pq_stmt_run(&stmt, reterr);
}

int pq_kinds_fill(struct pmuq_store *store, struct pmuq_error **reterr)
{
	struct sets sets;
	int r;

	while ((r = next_unknown(store, &sets, reterr)) == 0) {
		int64_t kind = 0;

		r = kind_of(store, &sets, &kind, reterr);
		if (r == 0)
			r = set_kind(store, &sets, kind, reterr);
		if (r < 0)
			break;
	}
	return r < 0 ? r : 0;
}
