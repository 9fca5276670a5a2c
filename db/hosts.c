/* SPDX-License-Identifier: MIT */
/* The list of what the store holds, as an object of the API. */
#include "db/bind.h"

#define HOSTS_MAX_BYTES ((size_t)256 << 20)

struct snapshot {
	int64_t number, first_seen, last_seen;
	struct str kernel;
};

struct host {
	int64_t id;
	struct str name;
	size_t from, n; /* its snapshots */
};

struct pmuq_hosts {
	struct pq_arena arena; /* the strings */
	struct host *hosts;
	struct snapshot *snapshots;
	size_t n_hosts, n_snapshots;
};

/* Makes room for one more; NULL when out of memory (what was there stays). */
static void *grow(void *v, size_t n, size_t each_bytes)
{
	if (n && (n & (n - 1) || n < 16))
		return v;
	return reallocarray(v, n < 16 ? 16 : 2 * n, each_bytes);
}

static bool add_host(struct pmuq_hosts *hosts, const struct host *host)
{
	void *v = grow(hosts->hosts, hosts->n_hosts, sizeof(*host));

	if (!v)
		return false;
	hosts->hosts = v;
	hosts->hosts[hosts->n_hosts++] = *host;
	return true;
}

static bool add_snapshot(struct pmuq_hosts *hosts, const struct snapshot *snapshot)
{
	void *v = grow(hosts->snapshots, hosts->n_snapshots, sizeof(*snapshot));

	if (!v)
		return false;
	hosts->snapshots = v;
	hosts->snapshots[hosts->n_snapshots++] = *snapshot;
	hosts->hosts[hosts->n_hosts - 1].n++;
	return true;
}

static bool add_row(struct pmuq_hosts *hosts, struct pq_stmt *stmt)
{
	int64_t id = pq_column_int(stmt, 0);
	struct snapshot snapshot = {
		.number = pq_column_int(stmt, 2),
		.first_seen = pq_column_int(stmt, 3),
		.last_seen = pq_column_int(stmt, 4),
		.kernel = pq_column_str(stmt, 5, &hosts->arena),
	};

	if (!hosts->n_hosts || hosts->hosts[hosts->n_hosts - 1].id != id) {
		struct host host = {
			.id = id,
			.name = pq_column_text(stmt, 1, &hosts->arena),
			.from = hosts->n_snapshots,
		};

		if (!add_host(hosts, &host))
			return false;
	}
	return add_snapshot(hosts, &snapshot);
}

static int list_within(struct pmuq_store *store, void *arg, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pmuq_hosts **ret = arg, *hosts;
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_LIST_HOSTS, reterr);

	if (r < 0)
		return r;
	hosts = calloc(1, sizeof(*hosts));
	if (!hosts)
		return pq_fail_memory(reterr);
	pq_arena_init(&hosts->arena, NULL, 0, HOSTS_MAX_BYTES);
	while ((r = pq_stmt_step(&stmt, reterr)) == 0) {
		if (add_row(hosts, &stmt))
			continue;
		r = pq_fail_memory(reterr);
		break;
	}
	if (r < 0)
		pmuq_hosts_free(hosts);
	else
		*ret = hosts;
	return r < 0 ? r : 0;
}

static void forget_list(void *arg)
{
	struct pmuq_hosts **hosts = arg;

	pmuq_hosts_free(move(*hosts));
}

PQ_API int pmuq_store_list_hosts(struct pmuq_store *store, struct pmuq_hosts **ret,
				 struct pmuq_error **reterr)
{
	struct pmuq_hosts *hosts = NULL;
	const struct pq_work work = { .run = list_within, .undo = forget_list, .arg = &hosts };
	int r;

	store->doing = "cannot list the hosts";
	r = pq_store_read(store, &work, reterr);
	if (r == 0)
		*ret = hosts;
	return r;
}

PQ_API void pmuq_hosts_free(struct pmuq_hosts *hosts)
{
	if (!hosts)
		return;
	pq_arena_clear(&hosts->arena);
	free(hosts->hosts);
	free(hosts->snapshots);
	free(hosts);
}

static const struct snapshot *get(const struct pmuq_hosts *hosts, size_t host, size_t snapshot)
{
	if (host >= hosts->n_hosts || snapshot >= hosts->hosts[host].n)
		return NULL;
	return &hosts->snapshots[hosts->hosts[host].from + snapshot];
}

PQ_API size_t pmuq_hosts_count(const struct pmuq_hosts *hosts)
{
	return hosts->n_hosts;
}

PQ_API const char *pmuq_hosts_name(const struct pmuq_hosts *hosts, size_t host)
{
	return host < hosts->n_hosts ? hosts->hosts[host].name.p : NULL;
}

PQ_API size_t pmuq_hosts_snapshot_count(const struct pmuq_hosts *hosts, size_t host)
{
	return host < hosts->n_hosts ? hosts->hosts[host].n : 0;
}

PQ_API int64_t pmuq_hosts_snapshot_number(const struct pmuq_hosts *hosts, size_t host,
					  size_t snapshot)
{
	const struct snapshot *found = get(hosts, host, snapshot);

	return found ? found->number : 0;
}

PQ_API int64_t pmuq_hosts_first_seen(const struct pmuq_hosts *hosts, size_t host, size_t snapshot)
{
	const struct snapshot *found = get(hosts, host, snapshot);

	return found ? found->first_seen : 0;
}

PQ_API int64_t pmuq_hosts_last_seen(const struct pmuq_hosts *hosts, size_t host, size_t snapshot)
{
	const struct snapshot *found = get(hosts, host, snapshot);

	return found ? found->last_seen : 0;
}

PQ_API const char *pmuq_hosts_kernel(const struct pmuq_hosts *hosts, size_t host, size_t snapshot)
{
	const struct snapshot *found = get(hosts, host, snapshot);

	return found ? found->kernel.p : NULL;
}
