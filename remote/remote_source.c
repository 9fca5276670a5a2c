/* SPDX-License-Identifier: MIT */
/*
 * The machine of a daemon as a source: its document, read once, as a catalog. Everything that was
 * returned before a refresh remains valid, so catalogs are kept until the source is freed.
 */
#include "core/catalog/source.h"
#include "core/freep.h"
#include "core/limits.h"
#include "core/num.h"
#include "core/vec.h"
#include "remote/remote_call.h"
#include <pmuq/service.h>

#define DEFAULT_PATH "/run/pmuq/io.pmuq"

struct remote_source {
	struct pmuq_source source;
	struct pq_remote remote;
	uint64_t generation;	/* of the newest catalog, */
	unsigned n_connections; /* on this connection */
	PQ_VEC(struct pmuq_catalog *) catalogs;
	bool is_live; /* all of them */
};

static struct pmuq_catalog *newest(const struct remote_source *remote)
{
	return remote->catalogs.v[remote->catalogs.n - 1];
}

/* ----------------------------------------------------------------------------------- reading */

static int parse_document(struct pmuq_str text, const char *path, struct pmuq_catalog **ret,
			  struct pmuq_error **reterr)
{
	cleanup(pmuq_reader_freep) struct pmuq_reader *reader = NULL;
	int r = pmuq_reader_new(&reader, reterr);

	if (r == 0)
		r = pmuq_reader_open_bytes(reader, text.p, text.n, path, reterr);
	if (r == 0)
		r = pmuq_reader_next(reader, ret, reterr);
	if (r == 0 && !*ret) {
		r = pq_fail(reterr, PMUQ_E_BAD_SERVICE, "the reply has no machine");
		pq_error_origin(reterr, str_of(path));
	}
	return r == 0 || pq_is_resource_error(r) ? r : -PMUQ_E_BAD_SERVICE;
}

static int take_generation(struct remote_source *remote, const char *method, uint64_t *ret,
			   struct pmuq_error **reterr)
{
	struct pmuq_str text;
	int r = pq_remote_get(&remote->remote, method, "generation", &text, reterr);

	remote->source.opens++;
	if (r == 0 && pq_num_decimal(text, ret) != PQ_NUM_OK)
		return pq_fail(reterr, PMUQ_E_BAD_SERVICE, "the generation is not a number");
	return r;
}

static int read_machine(struct remote_source *remote, struct pmuq_error **reterr)
{
	cleanup(pmuq_catalog_freep) struct pmuq_catalog *catalog = NULL;
	struct pmuq_str text;
	uint64_t generation;
	int r = take_generation(remote, "Export", &generation, reterr);

	if (r == 0)
		r = pq_remote_find(&remote->remote, "document", &text, reterr);
	if (r == 0)
		r = parse_document(text, remote->remote.path, &catalog, reterr);
	if (r < 0)
		return r;
	pq_remote_drop(&remote->remote);
	if (remote->is_live)
		pq_catalog_is_live(catalog);
	if (!pq_vec_push(&remote->catalogs, catalog))
		return pq_fail_memory(reterr);
	remote->source.lookup = pq_catalog_lookup(move(catalog));
	remote->generation = generation;
	remote->n_connections = remote->remote.n_connections;
	return 0;
}

/* The daemon serves this machine if it runs on this kernel, and reads it and not a captured tree.
 */
static int find_is_live(struct remote_source *remote, struct pmuq_error **reterr)
{
	cleanup(pmuq_source_freep) struct pmuq_source *own = NULL;
	const char *boot = pmuq_catalog_find_fact(newest(remote), "boot_id"), *own_boot = NULL;
	struct pmuq_str live;
	int r = pq_remote_get(&remote->remote, "GetInfo", "live", &live, reterr);

	if (r < 0 || !boot || !str_eq(live, STR("true")))
		return r;
	r = pmuq_source_open_live(&own, reterr);
	if (r == 0)
		r = pmuq_source_find_fact(own, "boot_id", &own_boot, reterr);
	remote->is_live = r == 0 && own_boot && strcmp(boot, own_boot) == 0;
	if (remote->is_live)
		pq_catalog_is_live(newest(remote));
	return r;
}

/* ---------------------------------------------------------------------------------- operations */

static int find_fact(struct pmuq_source *source, const char *name, const char **ret,
		     struct pmuq_error **reterr)
{
	(void)reterr;
	*ret = pmuq_catalog_find_fact(newest((struct remote_source *)source), name);
	return 0;
}

static int read_catalog(struct pmuq_source *source, enum pq_part part,
			struct pmuq_catalog **ret, struct pmuq_error **reterr)
{
	(void)part;
	(void)reterr;
	*ret = pmuq_catalog_share(newest((struct remote_source *)source));
	return 0;
}

static int refresh(struct pmuq_source *source, bool *ret_changed, struct pmuq_error **reterr)
{
	struct remote_source *remote = (struct remote_source *)source;
	uint64_t generation;
	int r = take_generation(remote, "GetInfo", &generation, reterr);

	if (r < 0)
		return r;
	/* A daemon that was started again counts from 1: the same number can be another state. */
	*ret_changed = generation != remote->generation ||
		       remote->n_connections != remote->remote.n_connections;
	return *ret_changed ? read_machine(remote, reterr) : 0;
}

static void free_source(struct pmuq_source *source)
{
	struct remote_source *remote = (struct remote_source *)source;

	for (size_t i = 0; i < remote->catalogs.n; i++)
		pmuq_catalog_free(remote->catalogs.v[i]);
	pq_vec_free(&remote->catalogs);
	pq_remote_clear(&remote->remote);
	free(remote);
}

PQ_API int pmuq_source_open_service(const char *path, struct pmuq_source **ret,
				    struct pmuq_error **reterr)
{
	struct remote_source *remote = calloc(1, sizeof(*remote));
	int r;

	if (!remote)
		return pq_fail_memory(reterr);
	remote->source.find_fact = find_fact;
	remote->source.read_catalog = read_catalog;
	remote->source.refresh = refresh;
	remote->source.free = free_source;
	r = pq_remote_open(&remote->remote, path ? path : DEFAULT_PATH, PQ_DOCUMENT_MAX_BYTES,
			   reterr);
	if (r == 0)
		r = read_machine(remote, reterr);
	if (r == 0)
		r = find_is_live(remote, reterr);
	if (r < 0) {
		free_source(&remote->source);
		return r;
	}
	*ret = &remote->source;
	return 0;
}
