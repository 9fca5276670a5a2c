/* SPDX-License-Identifier: MIT */
/*
 * Groups the hosts of a list by the classes of their newest snapshots, and the hosts of a class by
 * the results of their checks.
 */
#include "core/buf.h"
#include "core/map.h"
#include "db/hosts/host_list.h"
#include "db/snapshot/snapshot.h"

/* The name of a class is this number of bytes of its hash. */
#define NAME_BYTES 4

/* The hosts of one class whose checks have the same results. */
struct host_group {
	struct pmuq_str key; /* the bytes of `of` */
	struct pq_class_and_check of;
	size_t first_host, n_hosts;
	size_t host_class, check; /* as in struct pmuq_host */
};

/* The groups of a class. */
struct class_groups {
	struct host_group **v; /* the one that is not checked first */
	size_t n, n_hosts;
};

struct grouping {
	struct pmuq_store *store;
	struct pmuq_hosts *hosts;
	struct pq_arena arena;
	PQ_VEC(struct host_group) groups; /* in the order of their first hosts */
	PQ_VEC(struct class_groups) classes;
};

/* ---- groups */

/* The index of its group, which may be new. */
static size_t find_group(struct grouping *grouping, struct pq_map *map,
			 const struct pq_class_and_check *of)
{
	struct host_group group = { .key = { (const char *)of, sizeof(*of) }, .of = *of };
	uint32_t *slot = pq_map_slot(map, PQ_NAMED(grouping->groups.v, key), group.key);

	if (!*slot) {
		if (!pq_vec_push_in(&grouping->arena, &grouping->groups, group)) {
			pq_store_fail_memory(grouping->store);
			return 0;
		}
		*slot = (uint32_t)grouping->groups.n;
	}
	return *slot - 1;
}

/* Until the order of the classes is known, host_class is the index of the host's group. */
static void group_hosts(struct grouping *grouping)
{
	struct pmuq_hosts *hosts = grouping->hosts;
	struct pq_map map;

	if (!pq_map_init(&grouping->arena, hosts->n, &map))
		pq_store_fail_memory(grouping->store);
	for (size_t i = 0; grouping->store->r == 0 && i < hosts->n; i++) {
		struct pq_listed_host *host = hosts->by_name[i];
		size_t newest = host->first_snapshot + host->record.n_snapshots - 1;
		size_t index = find_group(grouping, &map, &hosts->snapshots.v[newest].of);

		host->record.host_class = index;
		if (grouping->store->r == 0 && !grouping->groups.v[index].n_hosts++)
			grouping->groups.v[index].first_host = i;
	}
}

/* ---- classes */

static int compare_numbers(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

static int compare_groups(const void *of_a, const void *of_b)
{
	const struct host_group *a = *(struct host_group *const *)of_a;
	const struct host_group *b = *(struct host_group *const *)of_b;
	int order = compare_numbers(a->of.class_id, b->of.class_id);

	return order ? order : compare_numbers(a->of.check_set, b->of.check_set);
}

/* The class with the most hosts first. */
static int compare_classes(const void *of_a, const void *of_b)
{
	const struct class_groups *a = of_a, *b = of_b;

	if (a->n_hosts != b->n_hosts)
		return a->n_hosts > b->n_hosts ? -1 : 1;
	return compare_numbers(a->v[0]->of.class_id, b->v[0]->of.class_id);
}

static bool is_of_class(const struct class_groups *class, const struct host_group *group)
{
	return class->n && class->v[0]->of.class_id == group->of.class_id;
}

static void find_classes(struct grouping *grouping)
{
	size_t n = grouping->groups.n;
	struct host_group **sorted = pq_arena_array(&grouping->arena, n, sizeof(*sorted));

	for (size_t i = 0; sorted && i < n; i++)
		sorted[i] = &grouping->groups.v[i];
	if (sorted && n)
		qsort(sorted, n, sizeof(struct host_group *), compare_groups);
	for (size_t i = 0; sorted && i < n;) {
		struct class_groups class = { .v = &sorted[i] };

		do
			class.n_hosts += class.v[class.n++]->n_hosts;
		while (++i < n && is_of_class(&class, sorted[i]));
		if (!pq_vec_push_in(&grouping->arena, &grouping->classes, class))
			sorted = NULL;
	}
	if (!sorted)
		pq_store_fail_memory(grouping->store);
	else if (n)
		qsort(grouping->classes.v, grouping->classes.n, sizeof(*grouping->classes.v),
		      compare_classes);
}

/* `from`: how many hosts are of the classes before it. */
static void add_class(struct grouping *grouping, const struct class_groups *groups,
		      const struct pq_hash *hash, size_t from)
{
	struct pmuq_hosts *hosts = grouping->hosts;
	struct pq_buf name = PQ_BUF_IN(&hosts->arena);
	struct pmuq_host_class class = {
		.size = sizeof(class),
		.hosts = hosts->by_class + from,
		.check_hosts = hosts->check_hosts + from,
	};

	for (size_t i = 0; i < NAME_BYTES; i++)
		pq_buf_print(&name, "%02x", hash->bytes[i]);
	class.name = pq_buf_str(&name);
	for (size_t i = 0; i < groups->n; i++) {
		struct host_group *group = groups->v[i];

		group->host_class = hosts->classes.n;
		group->check = group->of.check_set ? class.n_checks++ : PMUQ_NOT_KNOWN;
		if (group->of.check_set)
			hosts->check_hosts[from + group->check] = group->first_host;
	}
	if (!class.n_checks)
		class.check_hosts = NULL;
	if (name.failed || !pq_vec_push_in(&hosts->arena, &hosts->classes, class))
		pq_store_fail_memory(grouping->store);
}

static void add_classes(struct grouping *grouping)
{
	size_t n = grouping->classes.n, from = 0;
	struct pq_content *contents = pq_arena_array(&grouping->arena, n, sizeof(*contents));

	if (!contents) {
		pq_store_fail_memory(grouping->store);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		contents[i].set = &pq_host_class_set;
		contents[i].id = grouping->classes.v[i].v[0]->of.class_id;
	}
	pq_contents_load_hashes(grouping->store, contents, n);
	for (size_t i = 0; grouping->store->r == 0 && i < n; i++) {
		add_class(grouping, &grouping->classes.v[i], &contents[i].hash, from);
		from += grouping->classes.v[i].n_hosts;
	}
}

/* The hosts of each class are in their order of the list. */
static void fill_classes(struct grouping *grouping)
{
	struct pmuq_hosts *hosts = grouping->hosts;

	for (size_t i = 0; i < hosts->n; i++) {
		struct pmuq_host *host = &hosts->by_name[i]->record;
		const struct host_group *group = &grouping->groups.v[host->host_class];
		struct pmuq_host_class *class = &hosts->classes.v[group->host_class];

		host->host_class = group->host_class;
		host->check = group->check;
		hosts->by_class[(size_t)(class->hosts - hosts->by_class) + class->n_hosts++] = i;
	}
}

void pq_hosts_find_classes(struct pmuq_store *store, struct pmuq_hosts *hosts)
{
	struct grouping grouping = { .store = store, .hosts = hosts };

	grouping.arena = PQ_ARENA(PQ_HOSTS_MAX_BYTES);
	hosts->by_class = pq_arena_array(&hosts->arena, hosts->n, sizeof(size_t));
	hosts->check_hosts = pq_arena_array(&hosts->arena, hosts->n, sizeof(size_t));
	if (!hosts->by_class || !hosts->check_hosts)
		pq_store_fail_memory(store);
	group_hosts(&grouping);
	if (store->r == 0)
		find_classes(&grouping);
	if (store->r == 0)
		add_classes(&grouping);
	if (store->r == 0)
		fill_classes(&grouping);
	pq_arena_clear(&grouping.arena);
}
