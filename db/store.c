/* SPDX-License-Identifier: MIT */
/* The store as an object of the API. How the file is opened is connect.c's business. */
#include "db/db.h"
#include <stdio.h>
#include <unistd.h>

static void freep(struct pmuq_store **store)
{
	pmuq_store_free(*store);
}

static int check_call(const char *path, enum pmuq_store_mode mode, struct pmuq_error **reterr)
{
	if (mode != PMUQ_STORE_READ && mode != PMUQ_STORE_WRITE && mode != PMUQ_STORE_CREATE)
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "%d is no mode of opening a store",
			       (int)mode);
	if (!path || !*path)
		return pq_fail(reterr, PMUQ_E_STORE_OPEN, "no path of a database was given");
	return 0;
}

/* Of what is not to be found from here any more, as it was given. */
static char *place_of(const char *path)
{
	auto_free char *here = path[0] == '/' ? NULL : getcwd(NULL, 0);
	char *place = NULL;

	if (!here)
		return strdup(path);
	return asprintf(&place, "%s/%s", here, path) < 0 ? NULL : place;
}

static int do_nothing(struct pmuq_store *store, void *arg, struct pmuq_error **reterr)
{
	(void)store;
	(void)arg;
	(void)reterr;
	return 0;
}

/* Reading connects by itself, and again where a writer comes between. */
static int connect_store(struct pmuq_store *store, struct pmuq_error **reterr)
{
	static const struct pq_work nothing = { .run = do_nothing };

	if (store->mode != PMUQ_STORE_READ)
		return pq_store_connect(store, reterr);
	store->doing = "cannot open the database";
	return pq_store_read(store, &nothing, reterr);
}

PQ_API int pmuq_store_open(const char *path, enum pmuq_store_mode mode, struct pmuq_store **ret,
			   struct pmuq_error **reterr)
{
	cleanup(freep) struct pmuq_store *store = NULL;
	int r = check_call(path, mode, reterr);

	if (r < 0)
		return r;
	store = calloc(1, sizeof(*store));
	if (!store)
		return pq_fail_memory(reterr);
	store->mode = mode;
	store->path = strdup(path);
	store->place = place_of(path);
	if (!store->path || !store->place)
		return pq_fail_memory(reterr);
	r = pq_sqlite_load(&store->lib, reterr);
	if (r == 0)
		r = connect_store(store, reterr);
	if (r < 0)
		return r;
	*ret = move(store);
	return 0;
}

PQ_API void pmuq_store_free(struct pmuq_store *store)
{
	if (!store)
		return;
	pq_store_disconnect(store);
	free(store->path);
	free(store->place);
	free(store->file);
	free(store);
}
