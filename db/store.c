/* SPDX-License-Identifier: MIT */
/*
 * The store as an object of the API: its engine, its mode, and its connection. A store that is
 * opened for reading connects with its first transaction (transaction.c), any other at once.
 */
#include "core/freep.h"
#include "db/engine.h"
#include "db/schema.h"

static int check_call(const char *path, enum pmuq_store_mode mode, struct pmuq_error **reterr)
{
	if (mode != PMUQ_STORE_READ && mode != PMUQ_STORE_WRITE && mode != PMUQ_STORE_CREATE)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "%d is not a mode of opening a store",
			       (int)mode);
	if (!path || !*path)
		return pq_fail(reterr, PMUQ_E_STORE_OPEN, "the path of the database is empty");
	return 0;
}

void pq_store_connect(struct pmuq_store *store)
{
	store->doing = "cannot open the database";
	store->engine->connect(store);
	store->is_ready = store->r == 0;
}

void pq_store_disconnect(struct pmuq_store *store)
{
	for (size_t i = 0; i < COUNT(store->statements); i++)
		if (store->statements[i].text)
			store->engine->finalize(store, store->statements[i].compiled);
	memset(store->statements, 0, sizeof(store->statements));
	store->engine->disconnect(store);
	store->is_ready = false;
}

void pq_store_exec(struct pmuq_store *store, const char *sql)
{
	if (store->r == 0)
		store->engine->exec(store, sql);
}

int64_t pq_store_number(struct pmuq_store *store, const char *sql)
{
	return store->r == 0 ? store->engine->number(store, sql) : 0;
}

/* Reading connects by itself, and again after a writer disturbed it. */
static int connect_store(struct pmuq_store *store, struct pmuq_error **reterr)
{
	static const char doing[] = "cannot open the database";

	if (store->mode == PMUQ_STORE_READ)
		return pq_store_read(store, doing, NULL, NULL, reterr);
	pq_store_begin_call(store, doing, reterr);
	pq_store_connect(store);
	return pq_store_end_call(store);
}

int pq_store_open_with(const char *path, enum pmuq_store_mode mode, const struct pq_schema *schema,
		       struct pmuq_store **ret, struct pmuq_error **reterr)
{
	cleanup(pmuq_store_freep) struct pmuq_store *store = NULL;
	int r = check_call(path, mode, reterr);

	if (r < 0)
		return r;
	store = calloc(1, sizeof(*store));
	if (!store)
		return pq_fail_memory(reterr);
	store->mode = mode;
	store->schema = schema;
	store->engine = pq_pg_is_named(path) ? &pq_pg_engine : &pq_sqlite_engine;
	r = store->engine->open(store, path, reterr);
	if (r == 0)
		r = connect_store(store, reterr);
	if (r < 0)
		return r;
	*ret = move(store);
	return 0;
}

PQ_API int pmuq_store_open(const char *path, enum pmuq_store_mode mode, struct pmuq_store **ret,
			   struct pmuq_error **reterr)
{
	return pq_store_open_with(path, mode, &pq_schema, ret, reterr);
}

PQ_API void pmuq_store_free(struct pmuq_store *store)
{
	if (!store)
		return;
	pq_store_disconnect(store);
	store->engine->close(store);
	pq_kept_free(store->kept);
	free(store->name);
	free(store);
}
