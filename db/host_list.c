/* SPDX-License-Identifier: MIT */
/* The list of what the store holds, as an object of the API. */
#include "db/host_list.h"
#include "core/sized.h"

struct listing {
	struct pmuq_hosts_filter filter;
	struct pmuq_hosts *hosts;
};

void *pq_hosts_grow(void *v, size_t n, size_t each_bytes)
{
	if (n && (n & (n - 1) || n < 16))
		return v;
	return reallocarray(v, n < 16 ? 16 : 2 * n, each_bytes);
}

static int list_within(struct pmuq_store *store, void *arg, struct pmuq_error **reterr)
{
	struct listing *listing = arg;
	struct pmuq_hosts *hosts = calloc(1, sizeof(*hosts));
	int r;

	if (!hosts)
		return pq_fail_memory(reterr);
	pq_arena_init(&hosts->arena, NULL, 0, PQ_HOSTS_MAX_BYTES);
	r = pq_hosts_read(store, &listing->filter, hosts, reterr);
	if (r == 0)
		r = pq_hosts_find_classes(store, hosts, reterr);
	if (r < 0)
		pmuq_hosts_free(hosts);
	else
		listing->hosts = hosts;
	return r;
}

static void forget_list(void *arg)
{
	struct listing *listing = arg;

	pmuq_hosts_free(move(listing->hosts));
}

PQ_API int pmuq_store_list_hosts(struct pmuq_store *store, const struct pmuq_hosts_filter *filter,
				 struct pmuq_hosts **ret, struct pmuq_error **reterr)
{
	struct listing listing = { 0 };
	const struct pq_work work = { .run = list_within, .undo = forget_list, .arg = &listing };
	int r = pq_sized_take(filter, &listing.filter, sizeof(listing.filter), reterr);

	if (r < 0)
		return r;
	store->doing = "cannot list the hosts";
	r = pq_store_read(store, &work, reterr);
	if (r == 0)
		*ret = listing.hosts;
	return r;
}

PQ_API void pmuq_hosts_free(struct pmuq_hosts *hosts)
{
	if (!hosts)
		return;
	pq_intern_free(&hosts->facts);
	pq_arena_clear(&hosts->arena);
	free(hosts->hosts);
	free(hosts->snapshots);
	free(hosts->classes);
	free(hosts->check_hosts);
	free(hosts->by_class);
	free(hosts->matched);
	free(hosts);
}

PQ_API size_t pmuq_hosts_count(const struct pmuq_hosts *hosts)
{
	return hosts->n_hosts;
}

PQ_API size_t pmuq_hosts_matched(const struct pmuq_hosts *hosts, size_t glob)
{
	return glob < hosts->n_globs ? hosts->matched[glob] : 0;
}

PQ_API const struct pmuq_host *pmuq_hosts_get(const struct pmuq_hosts *hosts, size_t index)
{
	return index < hosts->n_hosts ? &hosts->hosts[index].record : NULL;
}

PQ_API const struct pmuq_snapshot *pmuq_hosts_snapshot(const struct pmuq_hosts *hosts, size_t host,
						       size_t index)
{
	const struct pmuq_host *of = pmuq_hosts_get(hosts, host);

	if (!of || index >= of->n_snapshots)
		return NULL;
	return &hosts->snapshots[hosts->hosts[host].from + index].record;
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
	return hosts->n_classes;
}

PQ_API const struct pmuq_host_class *pmuq_hosts_class(const struct pmuq_hosts *hosts, size_t index)
{
	return index < hosts->n_classes ? &hosts->classes[index].record : NULL;
}
