/* SPDX-License-Identifier: MIT */
/* The names of PMUs, events and tracepoints of a machine, as a list of the API. It queries names
 * only, so that no other file is read. */
#include "core/catalog/source_names.h"
#include "core/catalog/source.h"
#include "core/freep.h"
#include "core/instance.h"
#include "core/vec.h"

struct pmuq_names {
	struct pq_arena arena;
	PQ_VEC(const char *); /* texts in the arena */
};

PQ_API void pmuq_names_free(struct pmuq_names *names)
{
	if (!names)
		return;
	pq_arena_clear(&names->arena);
	free(names->v);
	free(names);
}

PQ_API size_t pmuq_names_count(const struct pmuq_names *names)
{
	return names->n;
}

PQ_API const char *pmuq_names_get(const struct pmuq_names *names, size_t index)
{
	return index < names->n ? names->v[index] : NULL;
}

struct pmuq_names *pq_names_new(void)
{
	struct pmuq_names *names = calloc(1, sizeof(*names));

	if (names)
		names->arena = PQ_ARENA(SIZE_MAX);
	return names;
}

int pq_names_add(struct pmuq_names *names, struct pmuq_str name, struct pmuq_error **reterr)
{
	struct pmuq_str kept = pq_arena_str(&names->arena, name);

	if (!kept.p || !pq_vec_push(names, kept.p))
		return pq_fail_memory(reterr);
	return 0;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void pq_names_sort(struct pmuq_names *names)
{
	size_t n = 0;

	if (names->n)
		qsort(names->v, names->n, sizeof(*names->v), compare);
	for (size_t i = 0; i < names->n; i++)
		if (n == 0 || strcmp(names->v[n - 1], names->v[i]) != 0)
			names->v[n++] = names->v[i];
	names->n = n;
}

static int add_pmus(struct pmuq_names *names, struct pq_lookup lookup, struct pmuq_str head,
		    struct pmuq_error **reterr)
{
	struct pq_pmu_list pmus = { 0 };
	int r = lookup.ops->list_pmus(lookup.self, &pmus, reterr);

	for (size_t i = 0; r == 0 && i < pmus.n; i++)
		if (str_starts(pmus.v[i]->name, head))
			r = pq_names_add(names, pmus.v[i]->name, reterr);
	return r;
}

/* Tools may treat PMUs whose names differ in a number as instances of one (kernel,
 * Documentation/ABI/testing/sysfs-bus-event_source-devices): they follow one another, and the first
 * has the events of all. Core PMUs are of different CPUs: armv8_pmuv3_0 and armv8_pmuv3_1. */
static bool is_further_instance(const struct pq_pmu_list *pmus, size_t i)
{
	return i > 0 && !pmus->v[i]->is_core &&
	       pq_instance_are_siblings(pmus->v[i - 1]->name, pmus->v[i]->name);
}

/* Unless they are the last names, which are those of an instance of the same PMU. */
static int add_events_of(struct pmuq_names *names, struct pq_lookup lookup,
			 const struct pmuq_pmu *pmu, struct pmuq_str head, const void **last,
			 struct pmuq_error **reterr)
{
	struct pq_names found = { 0 };
	int r = lookup.ops->event_names(lookup.self, pmu, &found, reterr);

	if (r != 0 || found.array.v == *last)
		return r;
	*last = found.array.v;
	for (size_t i = 0; r == 0 && i < found.n; i++)
		if (str_starts(pq_names_at(&found, i), head))
			r = pq_names_add(names, pq_names_at(&found, i), reterr);
	return r;
}

static int add_events(struct pmuq_names *names, struct pq_lookup lookup, struct pmuq_str head,
		      struct pmuq_error **reterr)
{
	struct pq_pmu_list pmus = { 0 };
	const void *last = NULL;
	int r = lookup.ops->list_pmus(lookup.self, &pmus, reterr);

	for (size_t i = 0; r == 0 && i < pmus.n; i++)
		if (!is_further_instance(&pmus, i))
			r = add_events_of(names, lookup, pmus.v[i], head, &last, reterr);
	pq_names_sort(names);
	return r;
}

static int add_events_of_pmu(struct pmuq_names *names, struct pq_lookup lookup, struct pmuq_str pmu,
			     struct pmuq_error **reterr)
{
	const struct pmuq_pmu *found;
	const void *last = NULL;
	int r = pq_source_find_pmu(lookup, pmu, &found, reterr);

	return r < 0 ? r : add_events_of(names, lookup, found, STR(""), &last, reterr);
}

/* The beginning of a name as two globs: "sch" → "sch*" and "*", "sched:sw" → "sched" and "sw*". */
static bool split_head(struct pq_arena *arena, struct pmuq_str head,
		       struct pmuq_str *ret_subsystems, struct pmuq_str *ret_names)
{
	struct pmuq_str front = head, rest = STR("");
	bool has_colon = str_cut(head, ':', &front, &rest);
	struct pmuq_str open = has_colon ? rest : front;
	char *glob = pq_arena_take(arena, open.n + 1);

	if (!glob)
		return false;
	if (open.n)
		memcpy(glob, open.p, open.n);
	glob[open.n] = '*';
	open = (struct pmuq_str){ .p = glob, .n = open.n + 1 };
	*ret_subsystems = has_colon ? front : open;
	*ret_names = has_colon ? open : STR("*");
	return true;
}

static int add_tracepoint(struct pmuq_names *names, const struct pmuq_tracepoint *tracepoint,
			  struct pmuq_str head, struct pmuq_error **reterr)
{
	size_t n = tracepoint->subsystem.n + 1 + tracepoint->name.n;
	char *text = pq_arena_take(&names->arena, n);

	if (!text)
		return pq_fail_memory(reterr);
	memcpy(text, tracepoint->subsystem.p, tracepoint->subsystem.n);
	text[tracepoint->subsystem.n] = ':';
	memcpy(text + tracepoint->subsystem.n + 1, tracepoint->name.p, tracepoint->name.n);
	if (!str_starts((struct pmuq_str){ .p = text, .n = n }, head))
		return 0;
	return pq_names_add(names, (struct pmuq_str){ .p = text, .n = n }, reterr);
}

static int add_tracepoints(struct pmuq_names *names, struct pq_lookup lookup, struct pmuq_str head,
			   struct pmuq_error **reterr)
{
	struct pq_tracepoint_list found = { 0 };
	struct pmuq_str subsystems, events;
	int r;

	if (!split_head(&names->arena, head, &subsystems, &events))
		return pq_fail_memory(reterr);
	r = lookup.ops->list_tracepoints(lookup.self, &names->arena, subsystems, events, &found,
					 reterr);
	r = r < 0 ? r : 0;
	for (size_t i = 0; r == 0 && i < found.n; i++)
		r = add_tracepoint(names, found.v[i], head, reterr);
	pq_names_sort(names);
	return r;
}

static int list(int (*add_all)(struct pmuq_names *names, struct pq_lookup lookup,
			       struct pmuq_str head, struct pmuq_error **reterr),
		struct pmuq_source *source, const char *head, struct pmuq_names **ret,
		struct pmuq_error **reterr)
{
	cleanup(pmuq_names_freep) struct pmuq_names *names = pq_names_new();
	int r;

	if (!names)
		return pq_fail_memory(reterr);
	r = add_all(names, source->lookup, str_of(head), reterr);
	if (r < 0)
		return r;
	*ret = move(names);
	return 0;
}

PQ_API int pmuq_source_list_pmus(struct pmuq_source *source, const char *head,
				 struct pmuq_names **ret, struct pmuq_error **reterr)
{
	return list(add_pmus, source, head, ret, reterr);
}

PQ_API int pmuq_source_list_events(struct pmuq_source *source, const char *head,
				   struct pmuq_names **ret, struct pmuq_error **reterr)
{
	return list(add_events, source, head, ret, reterr);
}

PQ_API int pmuq_source_list_events_of(struct pmuq_source *source, const char *pmu,
				      struct pmuq_names **ret, struct pmuq_error **reterr)
{
	return list(add_events_of_pmu, source, pmu, ret, reterr);
}

PQ_API int pmuq_source_list_tracepoints(struct pmuq_source *source, const char *head,
					struct pmuq_names **ret, struct pmuq_error **reterr)
{
	return list(add_tracepoints, source, head, ret, reterr);
}
