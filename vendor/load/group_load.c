/* SPDX-License-Identifier: MIT */
/* The metric groups of one CPU: those that its metrics are in, and what those are for. */
#include "core/limits.h"
#include "core/vec.h"
#include "db/statement.h"
#include "vendor/load/metric_folders.h"
#include "vendor/vendor_sets.h"
#include <stdlib.h>

struct loaded_groups {
	PQ_VEC(struct pmuq_metric_group);
};

struct pmuq_metric_groups {
	struct pq_arena arena;
	struct loaded_groups list; /* by name */
};

static void add(struct pmuq_store *store, struct pmuq_metric_groups *groups, struct pmuq_str name,
		struct pmuq_str description, size_t n_metrics)
{
	const struct pmuq_metric_group group = {
		.size = sizeof(group),
		.name = pq_arena_str(&groups->arena, name),
		.description = description,
		.n_metrics = n_metrics,
	};

	if (!group.name.p || !pq_vec_push_in(&groups->arena, &groups->list, group))
		pq_store_fail_memory(store);
}

static void add_of_metrics(struct pmuq_store *store, int64_t vendor_set,
			   struct pmuq_metric_groups *groups)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pmuq_str rest, name;

	pq_stmt_begin(&stmt, store,
		      PQ_QUERY(pq_one_text, "SELECT groups FROM vendor_metric WHERE vendor_set = ?"
					    " ORDER BY position"),
		      PQ_PARAMS(vendor_set));
	while (pq_stmt_next(&stmt, &rest, NULL))
		while (store->r == 0 && str_next(&rest, ';', &name))
			if (name.n)
				add(store, groups, name, STR(""), 1);
}

static void add_described(struct pmuq_store *store, int64_t vendor_set,
			  struct pmuq_metric_groups *groups)
{
	struct pq_rows rows =
		pq_table_load(store, &pq_vendor_event_set.tables[PQ_VENDOR_SET_GROUPS], vendor_set,
			      &groups->arena);
	const struct pq_vendor_group *group = rows.v;

	for (size_t i = 0; store->r == 0 && i < rows.n; i++)
		add(store, groups, group[i].name, group[i].description, 0);
}

static int compare(const void *a, const void *b)
{
	const struct pmuq_metric_group *x = a, *y = b;
	int order = str_cmp(x->name, y->name);

	return order ? order : str_cmp(x->description, y->description);
}

/* Of two descriptions one counts, always the same one. */
static void merge(struct loaded_groups *list)
{
	struct pmuq_metric_group *v = list->v;
	size_t n = 0;

	if (list->n)
		qsort(v, list->n, sizeof(*v), compare);
	for (size_t i = 0; i < list->n; i++) {
		if (!n || !str_eq(v[n - 1].name, v[i].name)) {
			v[n++] = v[i];
			continue;
		}
		v[n - 1].n_metrics += v[i].n_metrics;
		if (!v[n - 1].description.n)
			v[n - 1].description = v[i].description;
	}
	list->n = n;
}

struct group_loading {
	struct pmuq_str cpuid;
	struct pmuq_metric_groups *groups;
};

static void load_within(struct pmuq_store *store, void *arg)
{
	struct group_loading *loading = arg;
	struct pq_metric_folders folders;
	struct pmuq_metric_groups *groups;

	pmuq_metric_groups_free(move(loading->groups));
	loading->groups = groups = calloc(1, sizeof(*groups));
	if (!groups) {
		pq_store_fail_memory(store);
		return;
	}
	groups->arena = PQ_ARENA(PQ_METRICS_MAX_BYTES);
	pq_metric_find_folders(store, loading->cpuid, &groups->arena, &folders);
	for (size_t i = 0; store->r == 0 && i < folders.n; i++) {
		add_of_metrics(store, folders.v[i].vendor_set, groups);
		add_described(store, folders.v[i].vendor_set, groups);
	}
	if (store->r == 0)
		merge(&groups->list);
}

PQ_API int pmuq_store_list_metric_groups(struct pmuq_store *store, const char *cpuid,
					 struct pmuq_metric_groups **ret,
					 struct pmuq_error **reterr)
{
	struct group_loading loading = { .cpuid = str_of(cpuid ? cpuid : "") };
	int r = pq_store_read(store, "cannot read the metric groups", load_within, &loading,
			      reterr);

	if (r == 0)
		*ret = loading.groups;
	else
		pmuq_metric_groups_free(loading.groups);
	return r;
}

PQ_API void pmuq_metric_groups_free(struct pmuq_metric_groups *groups)
{
	if (!groups)
		return;
	pq_arena_clear(&groups->arena);
	free(groups);
}

PQ_API size_t pmuq_metric_groups_count(const struct pmuq_metric_groups *groups)
{
	return groups->list.n;
}

PQ_API const struct pmuq_metric_group *
pmuq_metric_groups_get(const struct pmuq_metric_groups *groups, size_t index)
{
	return index < groups->list.n ? &groups->list.v[index] : NULL;
}
