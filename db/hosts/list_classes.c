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

/* A host with the ids of its class and of its check (0: not checked). */
struct host_entry {
	int64_t class_id, check_set;
	size_t host;
};

/* The hosts of a class, as entries that follow one another. */
struct class_entries {
	const struct host_entry *v;
	size_t n;
};

struct class_list {
	PQ_VEC(struct class_entries);
};

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_entries(const void *of_a, const void *of_b)
{
	const struct host_entry *a = of_a, *b = of_b;
	int order = compare_numbers(a->class_id, b->class_id);

	if (order == 0)
		order = compare_numbers(a->check_set, b->check_set);
	return order ? order : (a->host > b->host) - (a->host < b->host);
}

/* The class with the most hosts first. */
static int compare_classes(const void *of_a, const void *of_b)
{
	const struct class_entries *a = of_a, *b = of_b;

	if (a->n != b->n)
		return a->n > b->n ? -1 : 1;
	return compare_numbers(a->v->class_id, b->v->class_id);
}

/* NULL if there is no memory. */
static struct host_entry *sorted_entries(const struct pmuq_hosts *hosts)
{
	size_t n = hosts->hosts.n;
	struct host_entry *entries = calloc(n + 1, sizeof(*entries));

	if (!entries)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		const struct pq_listed_host *host = &hosts->hosts.v[i];
		const struct pq_listed_snapshot *newest =
			&hosts->snapshots.v[host->first_snapshot + host->record.n_snapshots - 1];

		entries[i] = (struct host_entry){ newest->class_id, newest->check_set, i };
	}
	qsort(entries, n, sizeof(*entries), compare_entries);
	return entries;
}

static bool split_classes(const struct host_entry *entries, size_t n, struct class_list *ret)
{
	for (size_t i = 0; i < n; i += ret->v[ret->n - 1].n) {
		struct class_entries class = { .v = &entries[i], .n = 1 };

		while (i + class.n < n && class.v[class.n].class_id == class.v->class_id)
			class.n++;
		if (!pq_vec_push(ret, class))
			return false;
	}
	if (ret->n)
		qsort(ret->v, ret->n, sizeof(*ret->v), compare_classes);
	return true;
}

/* Each check that differs from the one before it is added. */
static void add_checks(const struct pmuq_hosts *hosts, const struct class_entries *entries,
		       size_t *check_hosts, struct pmuq_host_class *class)
{
	for (size_t i = 0; i < entries->n; i++) {
		const struct host_entry *entry = &entries->v[i];
		struct pmuq_host *host = &hosts->hosts.v[entry->host].record;

		if (entry->check_set && (i == 0 || entry[-1].check_set != entry->check_set))
			check_hosts[class->n_checks++] = entry->host;
		host->check = entry->check_set ? class->n_checks - 1 : PMUQ_NOT_KNOWN;
		host->host_class = hosts->classes.n;
	}
	if (class->n_checks)
		class->check_hosts = check_hosts;
}

/* `from`: how many hosts are of the classes before it. */
static void add_class(struct pmuq_store *store, struct pmuq_hosts *hosts,
		      const struct class_entries *entries, const struct pq_hash *hash, size_t from)
{
	struct pq_buf name = PQ_BUF_IN(&hosts->arena);
	struct pmuq_host_class class = {
		.size = sizeof(class),
		.n_hosts = entries->n,
		.hosts = hosts->by_class + from,
	};

	for (size_t i = 0; i < NAME_BYTES; i++)
		pq_buf_print(&name, "%02x", hash->bytes[i]);
	class.name = pq_buf_str(&name);
	add_checks(hosts, entries, hosts->check_hosts + from, &class);
	if (name.failed || !pq_vec_push_in(&hosts->arena, &hosts->classes, class))
		pq_store_fail_memory(store);
}

static void add_classes(struct pmuq_store *store, struct pmuq_hosts *hosts,
			const struct class_list *classes)
{
	auto_free struct pq_content *contents = calloc(classes->n + 1, sizeof(*contents));
	size_t from = 0;

	if (!contents) {
		pq_store_fail_memory(store);
		return;
	}
	for (size_t i = 0; i < classes->n; i++)
		contents[i] = (struct pq_content){ .set = &pq_host_class_set,
						   .id = classes->v[i].v->class_id };
	pq_contents_load_hashes(store, contents, classes->n);
	for (size_t i = 0; store->r == 0 && i < classes->n; i++) {
		add_class(store, hosts, &classes->v[i], &contents[i].hash, from);
		from += classes->v[i].n;
	}
}

/* The hosts of each class are in their order of the list. */
static void fill_by_class(struct pmuq_hosts *hosts)
{
	for (size_t i = 0; i < hosts->classes.n; i++)
		hosts->classes.v[i].n_hosts = 0;
	for (size_t i = 0; i < hosts->hosts.n; i++) {
		struct pmuq_host_class *class =
			&hosts->classes.v[hosts->hosts.v[i].record.host_class];

		hosts->by_class[(size_t)(class->hosts - hosts->by_class) + class->n_hosts++] = i;
	}
}

void pq_hosts_find_classes(struct pmuq_store *store, struct pmuq_hosts *hosts)
{
	auto_free struct host_entry *entries = sorted_entries(hosts);
	struct class_list classes = { 0 };

	hosts->by_class = pq_arena_array(&hosts->arena, hosts->hosts.n, sizeof(size_t));
	hosts->check_hosts = pq_arena_array(&hosts->arena, hosts->hosts.n, sizeof(size_t));
	if (!entries || !hosts->by_class || !hosts->check_hosts ||
	    !split_classes(entries, hosts->hosts.n, &classes))
		pq_store_fail_memory(store);
	if (store->r == 0)
		add_classes(store, hosts, &classes);
	if (store->r == 0)
		fill_by_class(hosts);
	pq_vec_free(&classes);
}
