/* SPDX-License-Identifier: MIT */
/* Definitions and sets of attributes out of the store. */
#include "db/load.h"

/* A vector in the arena that doubles; what it outgrows stays behind until the arena goes. */
static void *grow(struct pq_arena *arena, void *v, size_t n, size_t each_bytes)
{
	void *larger;

	if (n & (n - 1) || (n && n < 16))
		return v;
	larger = pq_arena_array(arena, n < 16 ? 16 : 2 * n, each_bytes);
	if (larger && n)
		memcpy(larger, v, n * each_bytes);
	return larger;
}

static int load_pairs(struct pq_loading *loading, enum pq_sql which, int64_t id,
		      const struct pmuq_pair **ret, size_t *ret_n, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pmuq_pair *pairs = NULL;
	size_t n = 0;
	int r = pq_stmt_begin(&stmt, loading->store, which, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, id);
	while ((r = pq_stmt_step(&stmt, reterr)) == 0) {
		pairs = grow(&loading->arena, pairs, n, sizeof(*pairs));
		if (!pairs)
			return pq_fail_memory(reterr);
		pairs[n++] = (struct pmuq_pair){
			.name = pq_column_text(&stmt, 0, &loading->arena),
			.text = pq_column_text(&stmt, 1, &loading->arena),
		};
	}
	*ret = pairs;
	*ret_n = n;
	return r < 0 ? r : 0;
}

static int load_formats(struct pq_loading *loading, int64_t id, struct pq_def *ret,
			struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pmuq_format *formats = NULL;
	int r = pq_stmt_begin(&stmt, loading->store, PQ_SQL_LOAD_FORMATS, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, id);
	while ((r = pq_stmt_step(&stmt, reterr)) == 0) {
		formats = grow(&loading->arena, formats, ret->record.n_formats, sizeof(*formats));
		if (!formats)
			return pq_fail_memory(reterr);
		formats[ret->record.n_formats++] = (struct pmuq_format){
			.name = pq_column_text(&stmt, 0, &loading->arena),
			.text = pq_column_text(&stmt, 1, &loading->arena),
		};
	}
	ret->formats = formats;
	return r < 0 ? r : 0;
}

static struct pmuq_event event_of(struct pq_stmt *stmt, struct pq_arena *arena)
{
	return (struct pmuq_event){
		.name = pq_column_text(stmt, 0, arena),
		.terms = pq_column_text(stmt, 1, arena),
		.unit = pq_column_text(stmt, 2, arena),
		.scale = pq_column_text(stmt, 3, arena),
		.is_per_pkg = pq_column_bool(stmt, 4),
		.is_snapshot = pq_column_bool(stmt, 5),
		.has_unit_file = pq_column_bool(stmt, 6),
		.has_scale_file = pq_column_bool(stmt, 7),
	};
}

static int load_events(struct pq_loading *loading, int64_t id, struct pq_def *ret,
		       struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pmuq_event *events = NULL;
	int r = pq_stmt_begin(&stmt, loading->store, PQ_SQL_LOAD_EVENTS, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, id);
	while ((r = pq_stmt_step(&stmt, reterr)) == 0) {
		events = grow(&loading->arena, events, ret->record.n_events, sizeof(*events));
		if (!events)
			return pq_fail_memory(reterr);
		events[ret->record.n_events++] = event_of(&stmt, &loading->arena);
	}
	ret->events = events;
	return r < 0 ? r : 0;
}

int pq_load_hash(struct pmuq_store *store, enum pq_sql which, int64_t id, struct pq_hash *ret,
		 struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, which, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, id);
	r = pq_stmt_step(&stmt, reterr);
	if (r == PQ_NONE)
		return pq_store_fail_content(store, "a part of the snapshot is missing", reterr);
	if (r < 0)
		return r;
	*ret = pq_column_hash(&stmt, 0);
	return pq_stmt_check(&stmt, reterr);
}

int pq_load_check(struct pmuq_store *store, const struct pq_hash *kept, const struct pq_hash *found,
		  struct pmuq_error **reterr)
{
	if (pq_hash_eq(kept, found))
		return 0;
	return pq_store_fail_content(store, "a part of the snapshot is not what was kept", reterr);
}

/* Ids count up from 1: any odd number spreads them. */
static uint64_t key_of(int64_t id)
{
	return (uint64_t)id * 0x9e3779b97f4a7c15u >> 16;
}

const struct pq_kept *pq_load_find_kept(const struct pq_intern *set, int64_t id)
{
	size_t at = pq_intern_start(set, key_of(id));
	const struct pq_kept *kept;

	while ((kept = pq_intern_next(set, key_of(id), &at)))
		if (kept->id == id)
			return kept;
	return NULL;
}

int pq_load_keep(struct pq_loading *loading, struct pq_intern *set, enum pq_sql hash_of, int64_t id,
		 struct pq_kept **ret, struct pmuq_error **reterr)
{
	struct pq_kept *kept = pq_arena_zero(&loading->arena, sizeof(*kept));

	if (!kept || !pq_intern_add(set, key_of(id), kept))
		return pq_fail_memory(reterr);
	kept->id = id;
	*ret = kept;
	return pq_load_hash(loading->store, hash_of, id, &kept->hash, reterr);
}

int pq_load_definition(struct pq_loading *loading, int64_t id, const struct pq_kept **ret,
		       struct pmuq_error **reterr)
{
	struct pq_kept *kept = NULL;
	struct pq_hash found;
	int r;

	*ret = pq_load_find_kept(&loading->definitions, id);
	if (*ret)
		return 0;
	r = pq_load_keep(loading, &loading->definitions, PQ_SQL_HASH_OF_DEFINITION, id, &kept,
			 reterr);
	if (r == 0)
		r = load_formats(loading, id, &kept->def, reterr);
	if (r == 0)
		r = load_events(loading, id, &kept->def, reterr);
	if (r == 0)
		r = load_pairs(loading, PQ_SQL_LOAD_CAPS, id, &kept->def.record.caps,
			       &kept->def.record.n_caps, reterr);
	if (r < 0)
		return r;
	*ret = kept;
	found = pq_digest_definition(&kept->def);
	return pq_load_check(loading->store, &kept->hash, &found, reterr);
}

int pq_load_attributes(struct pq_loading *loading, int64_t id, const struct pq_kept **ret,
		       struct pmuq_error **reterr)
{
	struct pq_kept *kept = NULL;
	struct pq_hash found;
	int r;

	*ret = pq_load_find_kept(&loading->attributes, id);
	if (*ret)
		return 0;
	r = pq_load_keep(loading, &loading->attributes, PQ_SQL_HASH_OF_ATTRIBUTES, id, &kept,
			 reterr);
	if (r == 0)
		r = load_pairs(loading, PQ_SQL_LOAD_ATTRIBUTES, id, &kept->attributes,
			       &kept->n_attributes, reterr);
	if (r < 0)
		return r;
	*ret = kept;
	found = pq_digest_attributes(kept->attributes, kept->n_attributes);
	return pq_load_check(loading->store, &kept->hash, &found, reterr);
}
