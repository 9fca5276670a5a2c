/* SPDX-License-Identifier: MIT */
/*
 * Events of a CPU's tables (pmuq_encode_options.vendor). They take precedence over the machine's
 * own events of the same name, as the tables that are built into perf do.
 */
#include "core/vendor/vendor_table.h"
#include "encode/attr/assign.h"
#include "encode/encode_lookup.h"
#include "encode/resolve/bindings.h"
#include "encode/resolve/resolve.h"

int pq_vendor_event(const struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_str name,
		    const struct pmuq_vendor_event **ret)
{
	const struct pmuq_vendor_event *found;
	struct pq_vendor_list events;
	int r;

	if (!pq_tables(e) || pq_is_placeholder(pmu))
		return PQ_NONE;
	r = pq_vendor_find(pq_tables(e), name, &events, e->reterr);
	if (r < 0 || !events.n)
		return r < 0 ? r : PQ_NONE;
	r = pq_lookup_all(e, pmu);
	if (r < 0)
		return r;
	if (r == PQ_UNREADABLE)
		return PQ_NONE;
	found = pq_vendor_first_on(events, pmu);
	if (!found)
		return PQ_NONE;
	*ret = found;
	return 0;
}

static bool is_covered(struct pq_vendor_list events, const struct pmuq_pmu *pmu)
{
	for (size_t i = 0; i < events.n; i++)
		if (pq_vendor_covers(events.v[i].record.pmu, pmu))
			return true;
	return false;
}

static bool may_be_covered(struct pq_vendor_list events, const struct pmuq_pmu *pmu)
{
	for (size_t i = 0; i < events.n; i++)
		if (pq_vendor_may_cover(events.v[i].record.pmu, pmu))
			return true;
	return false;
}

/* Whether the PMU is in a list of the same order, from *at on. */
static bool is_next(struct pq_pmu_list list, size_t *at, const struct pmuq_pmu *pmu)
{
	if (*at == list.n || list.v[*at] != pmu)
		return false;
	++*at;
	return true;
}

static bool are_of_core(struct pq_vendor_list events)
{
	for (size_t i = 0; i < events.n; i++)
		if (!str_eq(events.v[i].record.pmu, STR(PQ_DEFAULT_CORE)))
			return false;
	return true;
}

/* The machine's PMUs that have the event in events/ or in the tables, in its order. */
static int add_covered(const struct pq_encoder *e, struct pq_vendor_list events,
		       struct pq_pmu_list *list)
{
	struct pq_pmu_list all;
	const struct pmuq_pmu **both;
	size_t n = 0, at = 0;
	int r;

	/* Most PMUs are, and most names are not in a file: the other PMUs need not be checked. */
	if (!list->n && are_of_core(events))
		return pq_core_pmus(e, list);
	r = pq_query(e, list_pmus, &all);
	if (r < 0)
		return r;
	both = pq_arena_take(e->scratch, (all.n ? all.n : 1) * sizeof(*both));
	if (!both)
		return pq_fail_memory(e->reterr);
	for (size_t i = 0, end; i < all.n; i = end) {
		bool may_be;

		end = i + 1 + all.v[i]->n_siblings;
		r = pq_lookup_fill(e, all.v[i]);
		if (r < 0)
			return r;
		may_be = may_be_covered(events, all.v[i]);
		/* There are many instances, but few definitions. */
		if (!may_be && at == list->n)
			continue;
		for (size_t k = i; k < end; k++) {
			r = pq_lookup_fill(e, all.v[k]);
			if (r < 0)
				return r;
			if (is_next(*list, &at, all.v[k]) ||
			    (may_be && is_covered(events, all.v[k])))
				both[n++] = all.v[k];
		}
	}
	*list = (struct pq_pmu_list){ .v = both, .n = n };
	return 0;
}

int pq_find_event(const struct pq_encoder *e, struct pmuq_str name, struct pq_pmu_list *ret)
{
	struct pq_vendor_list events;
	int r = 0;

	*ret = (struct pq_pmu_list){ 0 };
	if (pq_allows(e, PMUQ_FROM_SYSFS))
		r = pq_query(e, find_event, name, ret);
	if (r < 0 || !pq_tables(e))
		return r;
	r = pq_vendor_find(pq_tables(e), name, &events, e->reterr);
	return r == 0 && events.n ? add_covered(e, events, ret) : r;
}

struct pmuq_str pq_event_origin(const struct pq_encoder *e, struct pq_arena *arena,
				const struct pq_bindings *b)
{
	if (b->vendor)
		return pq_arena_str(arena, pmuq_vendor_content(pq_tables(e))->folder);
	return pq_pmu_path(arena, b->pmu, STR("events"), b->event->name);
}

int pq_warn_vendor(const struct pq_encoder *e, const struct pq_bindings *b,
		   struct pq_encoding *encoding)
{
	if (!b->vendor || !b->vendor->is_deprecated)
		return 0;
	return pq_warn_at(e, encoding, b->event_at, PMUQ_E_DEPRECATED_EVENT,
			  "'%s' is deprecated%s%s", b->vendor->event->name.p,
			  b->vendor->description.n ? ": " : "", b->vendor->description.p);
}
