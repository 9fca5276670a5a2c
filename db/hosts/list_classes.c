/* SPDX-License-Identifier: MIT */
/*
 * Groups the hosts of a list by the classes of their newest snapshots, and the hosts of a class by
 * the results of their checks.
 */
#include "core/buf.h"
#include "db/hosts/host_list.h"
#include "db/snapshot/snapshot.h"

/* So many bytes of its hash are the name of a class. */
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

static void add_class(struct pmuq_store *store, struct pmuq_hosts *hosts,
		      const struct host_entry *entry, size_t from)
{
	struct pq_buf name = PQ_BUF_IN(&hosts->arena);
	struct pq_hash hash = pq_set_hash(store, &pq_host_class_set, entry->id);
	struct pq_listed_class class = {
		.record = { .size = sizeof(class.record), .n_hosts = entry->n }, .from = from
	};

	for (size_t i = 0; i < NAME_BYTES; i++)
		pq_buf_print(&name, "%02x", hash.bytes[i]);
	class.record.name = pq_buf_str(&name);
	if (name.failed || !pq_vec_push_in(&hosts->arena, &hosts->classes, class))
		pq_store_fail_memory(store);
}

/* The hosts of a class by their checks; hosts that are not checked come first. */
static void sort_by_check(const struct pmuq_hosts *hosts, const struct pq_listed_class *class,
			  struct host_entry *ret)
{
	for (size_t i = 0; i < class->record.n_hosts; i++) {
		size_t host = hosts->by_class[class->from + i];

		ret[i] = (struct host_entry){
			.id = newest_of(hosts, host)->check_set,
			.host = host,
		};
	}
	qsort(ret, class->record.n_hosts, sizeof(*ret), compare_ids);
}

/* Each check that differs from the one before it is added. False: out of memory. */
static bool add_checks(struct pmuq_hosts *hosts, struct pq_listed_class *class,
		       struct host_entry *checked)
{
	sort_by_check(hosts, class, checked);
	class->first_check = hosts->check_hosts.n;
	for (size_t i = 0; i < class->record.n_hosts; i++) {
		const struct host_entry *at = &checked[i];
		bool is_new = i == 0 || checked[i - 1].id != at->id;

		hosts->hosts.v[at->host].record.check = PMUQ_NOT_KNOWN;
		if (!at->id)
			continue;
		if (is_new && !pq_vec_push_in(&hosts->arena, &hosts->check_hosts, at->host))
			return false;
		class->record.n_checks += is_new;
		hosts->hosts.v[at->host].record.check = class->record.n_checks - 1;
	}
	return true;
}

/* False: out of memory. */
static bool find_checks(struct pmuq_hosts *hosts)
{
	auto_free struct host_entry *checked = calloc(hosts->hosts.n + 1, sizeof(*checked));

	if (!checked)
		return false;
	for (size_t i = 0; i < hosts->classes.n; i++)
		if (!add_checks(hosts, &hosts->classes.v[i], checked))
			return false;
	/* The arrays do not grow any more. */
	for (size_t i = 0; i < hosts->classes.n; i++) {
		struct pq_listed_class *class = &hosts->classes.v[i];

		class->record.hosts = hosts->by_class + class->from;
		if (class->record.n_checks)
			class->record.check_hosts = hosts->check_hosts.v + class->first_check;
	}
	return true;
}

void pq_hosts_find_classes(struct pmuq_store *store, struct pmuq_hosts *hosts)
{
	auto_free struct host_entry *entries = sorted_entries(hosts);

	hosts->by_class = pq_arena_array(&hosts->arena, hosts->hosts.n, sizeof(*hosts->by_class));
	if (!entries || !hosts->by_class)
		pq_store_fail_memory(store);
	for (size_t i = 0; store->r == 0 && i < hosts->hosts.n; i++) {
		if (i == 0 || entries[i - 1].id != entries[i].id)
			add_class(store, hosts, &entries[i], i);
		hosts->by_class[i] = entries[i].host;
		hosts->hosts.v[entries[i].host].record.host_class = hosts->classes.n - 1;
	}
	if (store->r == 0 && !find_checks(hosts))
		pq_store_fail_memory(store);
}
