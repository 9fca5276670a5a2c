/* SPDX-License-Identifier: MIT */
/*
 * The store as an object of the API: its paths, its mode, and the library. A store that is opened
 * for reading connects with its first transaction (sqlite/transaction.c), any other at once.
 */
#include "core/freep.h"
#include "db/sqlite/schema.h"
#include <stdio.h>
#include <unistd.h>

static int check_call(const char *path, enum pmuq_store_mode mode, struct pmuq_error **reterr)
{
	if (mode != PMUQ_STORE_READ && mode != PMUQ_STORE_WRITE && mode != PMUQ_STORE_CREATE)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "%d is not a mode of opening a store",
			       (int)mode);
	if (!path || !*path)
		return pq_fail(reterr, PMUQ_E_STORE_OPEN, "the path of the database is empty");
	return 0;
}

/* The path stays relative if the current directory has no name any more. */
static char *absolute_path(const char *path)
{
	auto_free char *here = path[0] == '/' ? NULL : getcwd(NULL, 0);
	char *absolute = NULL;

	if (!here)
		return strdup(path);
	return asprintf(&absolute, "%s/%s", here, path) < 0 ? NULL : absolute;
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
	store->name = strdup(path);
	store->path = absolute_path(path);
	if (!store->name || !store->path)
		return pq_fail_memory(reterr);
	r = pq_sqlite_load(&store->lib, reterr);
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
	pq_kept_free(store->kept);
	free(store->name);
	free(store->path);
	free(store->file);
	free(store);
}
