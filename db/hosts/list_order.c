/* SPDX-License-Identifier: MIT */
#include "db/hosts/list_order.h"

static int64_t id_at(struct pq_id_array array, size_t index)
{
	return *(const int64_t *)((const char *)array.v + index * array.each_bytes);
}

static int compare_ids(const void *of_a, const void *of_b)
{
	int64_t a = *(const int64_t *)of_a, b = *(const int64_t *)of_b;

	return (a > b) - (a < b);
}

void pq_order_by_id(struct pq_id_array array)
{
	for (size_t i = 1; i < array.n; i++) {
		if (id_at(array, i - 1) < id_at(array, i))
			continue;
		qsort(array.v, array.n, array.each_bytes, compare_ids);
		return;
	}
}

/* Mostly ids have no gaps. */
void *pq_find_by_id(struct pq_id_array array, int64_t id)
{
	uint64_t at = array.n ? (uint64_t)id - (uint64_t)id_at(array, 0) : 0;

	if (at < array.n && id_at(array, at) == id)
		return (char *)array.v + at * array.each_bytes;
	return array.n ? bsearch(&id, array.v, array.n, array.each_bytes, compare_ids) : NULL;
}

static int compare_names(const void *of_a, const void *of_b)
{
	const struct pq_listed_host *a = *(struct pq_listed_host *const *)of_a;
	const struct pq_listed_host *b = *(struct pq_listed_host *const *)of_b;

	return str_cmp(a->record.name, b->record.name);
}

/* Every host of a sound database has a snapshot. */
bool pq_order_by_name(struct pmuq_hosts *hosts)
{
	hosts->by_name =
		pq_arena_array(&hosts->arena, hosts->hosts.n, sizeof(struct pq_listed_host *));
	if (!hosts->by_name)
		return false;
	for (size_t i = 0; i < hosts->hosts.n; i++)
		if (hosts->hosts.v[i].record.n_snapshots)
			hosts->by_name[hosts->n++] = &hosts->hosts.v[i];
	if (hosts->n)
		qsort(hosts->by_name, hosts->n, sizeof(struct pq_listed_host *), compare_names);
	return true;
}
