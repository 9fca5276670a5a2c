/* SPDX-License-Identifier: MIT */
/*
 * The list of hosts as an object of the API. It is complete when it is returned: list_read.c reads
 * it and list_classes.c groups it in one transaction, and the caller needs no store afterwards.
 * Records point into the arena of the list.
 */
#include "db/hosts/host_list.h"
#include "core/sized.h"

struct host_listing {
	struct pmuq_hosts_filter filter;
	struct pmuq_hosts *hosts;
};

static void list_within(struct pmuq_store *store, void *arg)
{
	struct host_listing *listing = arg;

	pmuq_hosts_free(listing->hosts);
	listing->hosts = calloc(1, sizeof(*listing->hosts));
	if (!listing->hosts) {
		pq_store_fail_memory(store);
		return;
	}
	listing->hosts->arena = PQ_ARENA(PQ_HOSTS_MAX_BYTES);
	pq_contents_begin(&listing->hosts->facts, store);
	pq_hosts_read(store, &listing->filter, listing->hosts);
	if (store->r == 0)
		pq_hosts_find_classes(store, listing->hosts);
}

PQ_API int pmuq_store_list_hosts(struct pmuq_store *store, const struct pmuq_hosts_filter *filter,
				 struct pmuq_hosts **ret, struct pmuq_error **reterr)
{
	struct host_listing listing = { 0 };
	int r = pq_sized_take(filter, &listing.filter, sizeof(listing.filter), reterr);

	if (r == 0)
		r = pq_store_read(store, "cannot list the hosts", list_within, &listing, reterr);
	if (r == 0)
		*ret = listing.hosts;
	else
		pmuq_hosts_free(listing.hosts);
	return r;
}

PQ_API void pmuq_hosts_free(struct pmuq_hosts *hosts)
{
	if (!hosts)
		return;
	pq_contents_end(&hosts->facts);
	pq_arena_clear(&hosts->arena);
	free(hosts);
}

PQ_API size_t pmuq_hosts_count(const struct pmuq_hosts *hosts)
{
	return hosts->n;
}

PQ_API size_t pmuq_hosts_matched(const struct pmuq_hosts *hosts, size_t glob)
{
	return glob < hosts->n_globs ? hosts->matched[glob] : 0;
}

PQ_API const struct pmuq_host *pmuq_hosts_get(const struct pmuq_hosts *hosts, size_t index)
{
	return index < hosts->n ? &hosts->by_name[index]->record : NULL;
}

PQ_API const struct pmuq_snapshot *pmuq_hosts_snapshot(const struct pmuq_hosts *hosts, size_t host,
						       size_t index)
{
	const struct pmuq_host *of = pmuq_hosts_get(hosts, host);

	if (!of || index >= of->n_snapshots)
		return NULL;
	return &hosts->snapshots.v[hosts->by_name[host]->first_snapshot + index].record;
}

PQ_API const char *pmuq_snapshot_find_fact(const struct pmuq_snapshot *snapshot, const char *name)
{
	for (size_t i = 0; snapshot && i < snapshot->n_facts; i++)
		if (str_eq(snapshot->facts[i].name, str_of(name)))
			return snapshot->facts[i].text.p;
	return NULL;
}

PQ_API size_t pmuq_hosts_class_count(const struct pmuq_hosts *hosts)
{
	return hosts->classes.n;
}

PQ_API const struct pmuq_host_class *pmuq_hosts_class(const struct pmuq_hosts *hosts, size_t index)
{
	return index < hosts->classes.n ? &hosts->classes.v[index] : NULL;
}
