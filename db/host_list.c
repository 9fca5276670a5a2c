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
		r = pq_hosts_find_kinds(store, hosts, reterr);
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

PQ_API int pmuq_store_find_hosts(struct pmuq_store *store, const struct pmuq_hosts_filter *filter,
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

PQ_API int pmuq_store_list_hosts(struct pmuq_store *store, struct pmuq_hosts **ret,
				 struct pmuq_error **reterr)
{
	return pmuq_store_find_hosts(store, NULL, ret, reterr);
}

PQ_API void pmuq_hosts_free(struct pmuq_hosts *hosts)
{
	if (!hosts)
		return;
	pq_intern_free(&hosts->facts);
	pq_arena_clear(&hosts->arena);
	free(hosts->hosts);
	free(hosts->snapshots);
	free(hosts->kinds);
	free(hosts->checks);
	free(hosts->by_kind);
	free(hosts->matched);
	free(hosts);
}

static const struct pq_listed_host *get_host(const struct pmuq_hosts *hosts, size_t host)
{
	return host < hosts->n_hosts ? &hosts->hosts[host] : NULL;
}

static const struct pq_listed_snapshot *get(const struct pmuq_hosts *hosts, size_t host,
					    size_t snapshot)
{
	const struct pq_listed_host *of = get_host(hosts, host);

	return of && snapshot < of->n ? &hosts->snapshots[of->from + snapshot] : NULL;
}

static const struct pq_listed_kind *get_kind(const struct pmuq_hosts *hosts, size_t kind)
{
	return kind < hosts->n_kinds ? &hosts->kinds[kind] : NULL;
}

PQ_API size_t pmuq_hosts_count(const struct pmuq_hosts *hosts)
{
	return hosts->n_hosts;
}

PQ_API size_t pmuq_hosts_matched(const struct pmuq_hosts *hosts, size_t glob)
{
	return glob < hosts->n_globs ? hosts->matched[glob] : 0;
}

PQ_API const char *pmuq_hosts_name(const struct pmuq_hosts *hosts, size_t host)
{
	const struct pq_listed_host *found = get_host(hosts, host);

	return found ? found->name.p : NULL;
}

PQ_API const char *pmuq_hosts_machine_id(const struct pmuq_hosts *hosts, size_t host)
{
	const struct pq_listed_host *found = get_host(hosts, host);

	return found ? found->machine_id.p : NULL;
}

PQ_API size_t pmuq_hosts_snapshot_count(const struct pmuq_hosts *hosts, size_t host)
{
	const struct pq_listed_host *found = get_host(hosts, host);

	return found ? found->n : 0;
}

PQ_API size_t pmuq_hosts_kept_count(const struct pmuq_hosts *hosts, size_t host)
{
	const struct pq_listed_host *found = get_host(hosts, host);

	return found ? found->n_kept : 0;
}

PQ_API int64_t pmuq_hosts_snapshot_number(const struct pmuq_hosts *hosts, size_t host,
					  size_t snapshot)
{
	const struct pq_listed_snapshot *found = get(hosts, host, snapshot);

	return found ? found->number : 0;
}

PQ_API int64_t pmuq_hosts_first_seen(const struct pmuq_hosts *hosts, size_t host, size_t snapshot)
{
	const struct pq_listed_snapshot *found = get(hosts, host, snapshot);

	return found ? found->first_seen : 0;
}

PQ_API int64_t pmuq_hosts_last_seen(const struct pmuq_hosts *hosts, size_t host, size_t snapshot)
{
	const struct pq_listed_snapshot *found = get(hosts, host, snapshot);

	return found ? found->last_seen : 0;
}

PQ_API bool pmuq_hosts_is_checked(const struct pmuq_hosts *hosts, size_t host, size_t snapshot)
{
	const struct pq_listed_snapshot *found = get(hosts, host, snapshot);

	return found && found->answers;
}

PQ_API const char *pmuq_hosts_fact(const struct pmuq_hosts *hosts, size_t host, size_t snapshot,
				   const char *name)
{
	const struct pq_listed_snapshot *found = get(hosts, host, snapshot);

	for (size_t i = 0; found && i < found->facts->n; i++)
		if (str_eq(found->facts->v[i].name, str_of(name)))
			return found->facts->v[i].text.p;
	return NULL;
}

PQ_API const char *pmuq_hosts_kernel(const struct pmuq_hosts *hosts, size_t host, size_t snapshot)
{
	return pmuq_hosts_fact(hosts, host, snapshot, "kernel");
}

PQ_API size_t pmuq_hosts_kind(const struct pmuq_hosts *hosts, size_t host)
{
	const struct pq_listed_host *found = get_host(hosts, host);

	return found ? found->kind : PMUQ_NOT_KNOWN;
}

PQ_API size_t pmuq_hosts_check(const struct pmuq_hosts *hosts, size_t host)
{
	const struct pq_listed_host *found = get_host(hosts, host);

	return found ? found->check : PMUQ_NOT_KNOWN;
}

PQ_API size_t pmuq_hosts_kind_count(const struct pmuq_hosts *hosts)
{
	return hosts->n_kinds;
}

PQ_API const char *pmuq_hosts_kind_name(const struct pmuq_hosts *hosts, size_t kind)
{
	const struct pq_listed_kind *found = get_kind(hosts, kind);

	return found ? found->name.p : NULL;
}

PQ_API size_t pmuq_hosts_kind_host_count(const struct pmuq_hosts *hosts, size_t kind)
{
	const struct pq_listed_kind *found = get_kind(hosts, kind);

	return found ? found->n : 0;
}

PQ_API size_t pmuq_hosts_kind_host(const struct pmuq_hosts *hosts, size_t kind, size_t index)
{
	const struct pq_listed_kind *found = get_kind(hosts, kind);

	return found && index < found->n ? hosts->by_kind[found->from + index] : PMUQ_NOT_KNOWN;
}

PQ_API size_t pmuq_hosts_kind_check_count(const struct pmuq_hosts *hosts, size_t kind)
{
	const struct pq_listed_kind *found = get_kind(hosts, kind);

	return found ? found->n_checks : 0;
}

PQ_API size_t pmuq_hosts_kind_check_host(const struct pmuq_hosts *hosts, size_t kind, size_t check)
{
	const struct pq_listed_kind *found = get_kind(hosts, kind);

	return found && check < found->n_checks ? hosts->checks[found->first_check + check].host
						: PMUQ_NOT_KNOWN;
}
