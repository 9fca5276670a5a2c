/* SPDX-License-Identifier: MIT */
/*
 * Groups the hosts of a list by the classes of their newest snapshots, and the hosts of a class by
 * the results of their checks.
 */
#include "core/buf.h"
#include "db/hosts/host_list.h"
#include "db/snapshot/snapshot.h"

/* The name of a class is this number of bytes of its hash. */
#define NAME_BYTES 4

/* A host by the id of its class, or of its check. */
struct host_entry {
	int64_t id;	/* 0: not checked */
	size_t host, n; /* n: how many hosts the class has */
};

static int compare_ids(const void *of_a, const void *of_b)
{
	const struct host_entry *a = of_a, *b = of_b;

	if (a->id != b->id)
		return a->id < b->id ? -1 : 1;
	return a->host < b->host ? -1 : a->host > b->host;
}

static int compare_sizes(const void *of_a, const void *of_b)
{
	const struct host_entry *a = of_a, *b = of_b;

	if (a->n != b->n)
		return a->n > b->n ? -1 : 1;
	return compare_ids(of_a, of_b);
}

static const struct pq_listed_snapshot *newest_of(const struct pmuq_hosts *hosts, size_t host)
{
	const struct pq_listed_host *of = &hosts->hosts.v[host];

	return &hosts->snapshots.v[of->first_snapshot + of->record.n_snapshots - 1];
}

/* Hosts in the order of their classes, the largest first. */
static struct host_entry *sorted_entries(const struct pmuq_hosts *hosts)
{
	size_t n_hosts = hosts->hosts.n, n;
	struct host_entry *entries = calloc(n_hosts + 1, sizeof(*entries));

	if (!entries)
		return NULL;
	for (size_t i = 0; i < n_hosts; i++)
		entries[i] = (struct host_entry){ .id = newest_of(hosts, i)->class_id, .host = i };
	qsort(entries, n_hosts, sizeof(*entries), compare_ids);
	for (size_t i = 0; i < n_hosts; i += n) {
		for (n = 1; i + n < n_hosts; n++)
			if (entries[i + n].id != entries[i].id)
				break;
		for (size_t k = 0; k < n; k++)
			entries[i + k].n = n;
	}
	qsort(entries, n_hosts, sizeof(*entries), compare_sizes);
	return entries;
}

/* Sorts the hosts of a class by their checks, those that are not checked first. Each check that
 * differs from the one before it is added. */
static void add_checks(const struct pmuq_hosts *hosts, struct host_entry *entries,
		       size_t *check_hosts, struct pmuq_host_class *class)
{
	for (size_t i = 0; i < class->n_hosts; i++)
		entries[i].id = newest_of(hosts, entries[i].host)->check_set;
	qsort(entries, class->n_hosts, sizeof(*entries), compare_ids);
	for (size_t i = 0; i < class->n_hosts; i++) {
		struct pmuq_host *host = &hosts->hosts.v[entries[i].host].record;

		if (entries[i].id && (i == 0 || entries[i - 1].id != entries[i].id))
			check_hosts[class->n_checks++] = entries[i].host;
		host->check = entries[i].id ? class->n_checks - 1 : PMUQ_NOT_KNOWN;
	}
	if (class->n_checks)
		class->check_hosts = check_hosts;
}

/* The class of the hosts that begin with the entry at `from`. */
static void add_class(struct pmuq_store *store, struct pmuq_hosts *hosts,
		      struct host_entry *entries, size_t from)
{
	struct pq_buf name = PQ_BUF_IN(&hosts->arena);
	struct pq_hash hash = pq_set_hash(store, &pq_host_class_set, entries->id);
	struct pmuq_host_class class = {
		.size = sizeof(class),
		.n_hosts = entries->n,
		.hosts = hosts->by_class + from,
	};

	for (size_t i = 0; i < NAME_BYTES; i++)
		pq_buf_print(&name, "%02x", hash.bytes[i]);
	class.name = pq_buf_str(&name);
	for (size_t i = 0; i < class.n_hosts; i++) {
		hosts->by_class[from + i] = entries[i].host;
		hosts->hosts.v[entries[i].host].record.host_class = hosts->classes.n;
	}
	add_checks(hosts, entries, hosts->check_hosts + from, &class);
	if (name.failed || !pq_vec_push_in(&hosts->arena, &hosts->classes, class))
		pq_store_fail_memory(store);
}

void pq_hosts_find_classes(struct pmuq_store *store, struct pmuq_hosts *hosts)
{
	auto_free struct host_entry *entries = sorted_entries(hosts);

	hosts->by_class = pq_arena_array(&hosts->arena, hosts->hosts.n, sizeof(size_t));
	hosts->check_hosts = pq_arena_array(&hosts->arena, hosts->hosts.n, sizeof(size_t));
	if (!entries || !hosts->by_class || !hosts->check_hosts)
		pq_store_fail_memory(store);
	for (size_t i = 0, n; store->r == 0 && i < hosts->hosts.n; i += n) {
		n = entries[i].n;
		add_class(store, hosts, &entries[i], i);
	}
}
