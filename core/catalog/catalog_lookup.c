/* SPDX-License-Identifier: MIT */
/* The queries of the event language on a catalog. Every encoding goes through here. */
#include "core/catalog/catalog_private.h"

size_t pq_event_spellings(struct pmuq_str name, char *buffer, struct pmuq_str ret[3])
{
	char *lower = buffer, *upper = buffer + PQ_NAME_MAX_BYTES;
	bool has_lower = false, has_upper = false;
	size_t n = 0;

	if (!name.n || name.n > PQ_NAME_MAX_BYTES)
		return 0;
	for (size_t i = 0; i < name.n; i++) {
		lower[i] = char_lower(name.p[i]);
		upper[i] = char_upper(name.p[i]);
		has_upper |= lower[i] != name.p[i];
		has_lower |= upper[i] != name.p[i];
	}
	ret[n++] = name;
	if (has_upper)
		ret[n++] = (struct pmuq_str){ .p = lower, .n = name.n };
	if (has_lower)
		ret[n++] = (struct pmuq_str){ .p = upper, .n = name.n };
	return n;
}

static int find_pmu(void *self, struct pmuq_str name, const struct pmuq_pmu **ret,
		    struct pmuq_error **reterr)
{
	const struct pmuq_catalog *c = self;
	const struct pmuq_pmu *pmu;

	(void)reterr;
	pmu = pq_map_find(&c->by_name, PQ_NAMED(c->pmu_array, name), name);
	if (!pmu)
		pmu = pq_map_find(&c->by_alias, PQ_NAMED(c->pmu_array, alias), name);
	if (!pmu)
		return PQ_NONE;
	*ret = pmu;
	return 0;
}

static int list_pmus(void *self, struct pq_pmu_list *ret, struct pmuq_error **reterr)
{
	const struct pmuq_catalog *c = self;

	(void)reterr;
	*ret = (struct pq_pmu_list){ .v = c->pmus, .n = c->machine.n_pmus };
	return 0;
}

static int core_pmus(void *self, struct pq_pmu_list *ret, struct pmuq_error **reterr)
{
	(void)reterr;
	*ret = ((const struct pmuq_catalog *)self)->core;
	return 0;
}

/* The element whose name is the lower-case or upper-case spelling, or NULL. */
PQ_COLD static const void *find_spellings(const struct pq_map *map, struct pq_named_array array,
					  struct pmuq_str name)
{
	const void *found = NULL;
	char buffer[2 * PQ_NAME_MAX_BYTES];
	struct pmuq_str spellings[3];
	size_t n;

	n = pq_event_spellings(name, buffer, spellings);
	for (size_t i = 1; !found && i < n; i++)
		found = pq_map_find(map, array, spellings[i]);
	return found;
}

/* `array_has_upper`: a name in it has an upper-case letter. Most machines have none, and most names
 * of the user neither: then there is no other spelling to find. */
static inline const void *find_respelled(const struct pq_map *map, struct pq_named_array array,
					 bool array_has_upper, struct pmuq_str name)
{
	return array_has_upper || str_has_upper(name) ? find_spellings(map, array, name) : NULL;
}

static int find_event(void *self, struct pmuq_str name, struct pq_pmu_list *ret,
		      struct pmuq_error **reterr)
{
	const struct pmuq_catalog *c = self;
	struct pq_named_array events = PQ_NAMED(c->events, name);
	const struct pq_event_entry *entry = pq_map_find(&c->by_event, events, name);

	(void)reterr;
	if (!entry)
		entry = find_respelled(&c->by_event, events, c->has_upper, name);
	*ret = entry ? entry->pmus : (struct pq_pmu_list){ 0 };
	return 0;
}

static int nothing_to_load(void *self, const struct pmuq_pmu *pmu, struct pmuq_error **reterr)
{
	(void)self;
	(void)pmu;
	(void)reterr;
	return 0;
}

static int find_format(void *self, const struct pmuq_pmu *pmu, struct pmuq_str name,
		       const struct pmuq_format **ret, struct pmuq_error **reterr)
{
	const struct pmuq_format *format = pq_def_format(pq_def_of(pmu), name);

	(void)self;
	(void)reterr;
	if (!format)
		return PQ_NONE;
	*ret = format;
	return 0;
}

static int find_pmu_event(void *self, const struct pmuq_pmu *pmu, struct pmuq_str name,
			  const struct pmuq_event **ret, struct pmuq_error **reterr)
{
	const struct pq_def *def = pq_def_of(pmu);
	const struct pmuq_event *event = pq_def_event(def, name);

	(void)self;
	(void)reterr;
	if (!event && def->record.n_events)
		event = find_respelled(&def->events_by_name, PQ_NAMED(def->events, name),
				       def->has_upper, name);
	if (!event)
		return PQ_NONE;
	*ret = event;
	return 0;
}

static int list_event_names(void *self, const struct pmuq_pmu *pmu, struct pq_names *ret,
			    struct pmuq_error **reterr)
{
	(void)self;
	(void)reterr;
	*ret = (struct pq_names){
		.array = PQ_NAMED(pq_def_of(pmu)->events, name),
		.n = pmu->definition->n_events,
	};
	return 0;
}

static int find_pair(const struct pmuq_pair *pairs, size_t n, struct pmuq_str name,
		     struct pmuq_str *ret)
{
	const struct pmuq_pair *pair = pq_pair_find(pairs, n, name);

	if (!pair)
		return PQ_NONE;
	*ret = pair->text;
	return 0;
}

static int find_cap(void *self, const struct pmuq_pmu *pmu, struct pmuq_str name,
		    struct pmuq_str *ret, struct pmuq_error **reterr)
{
	(void)self;
	(void)reterr;
	return find_pair(pmu->definition->caps, pmu->definition->n_caps, name, ret);
}

static int find_fact(void *self, enum pq_class_fact fact, struct pmuq_str *ret,
		     struct pmuq_error **reterr)
{
	const struct pmuq_catalog *c = self;

	(void)reterr;
	return find_pair(c->machine.facts, c->machine.n_facts, pq_fact_name((enum pq_fact)fact),
			 ret);
}

/* The first tracepoint that is not before (subsystem, name). */
static size_t tracepoint_bound(const struct pmuq_catalog *c, struct pmuq_str subsystem,
			       struct pmuq_str name)
{
	size_t low = 0, high = c->machine.n_tracepoints;

	while (low < high) {
		size_t mid = (low + high) / 2;
		int r = str_cmp(c->tracepoints[mid].subsystem, subsystem);

		if (r == 0)
			r = str_cmp(c->tracepoints[mid].name, name);
		if (r < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

PQ_COLD static int find_tracepoint(void *self, struct pmuq_str subsystem, struct pmuq_str name,
				   uint64_t *ret_id, struct pmuq_error **reterr)
{
	const struct pmuq_catalog *c = self;
	size_t at = tracepoint_bound(c, subsystem, name);
	int r = pq_catalog_check_whole(c, reterr);

	if (r < 0)
		return r;
	if (at == c->machine.n_tracepoints || !str_eq(c->tracepoints[at].subsystem, subsystem) ||
	    !str_eq(c->tracepoints[at].name, name))
		return PQ_NONE;
	*ret_id = c->tracepoints[at].id;
	return 0;
}

PQ_COLD static int list_tracepoints(void *self, struct pq_arena *arena, struct pmuq_str subsystems,
				    struct pmuq_str names, struct pq_tracepoint_list *ret,
				    struct pmuq_error **reterr)
{
	const struct pmuq_catalog *c = self;
	const struct pmuq_tracepoint **v =
		pq_arena_array(arena, c->machine.n_tracepoints, sizeof(const void *));
	int r = pq_catalog_check_whole(c, reterr);

	if (r < 0)
		return r;
	if (!v)
		return pq_fail_memory(reterr);
	*ret = (struct pq_tracepoint_list){ .v = v };
	for (size_t i = 0; i < c->machine.n_tracepoints; i++)
		if (str_glob(subsystems, c->tracepoints[i].subsystem) &&
		    str_glob(names, c->tracepoints[i].name))
			v[ret->n++] = &c->tracepoints[i];
	return 0;
}

static bool is_live(const void *self)
{
	return ((const struct pmuq_catalog *)self)->machine.is_live;
}

static const struct pq_lookup_ops catalog_ops = {
	.find_pmu = find_pmu,
	.list_pmus = list_pmus,
	.core_pmus = core_pmus,
	.find_event = find_event,
	.fill = nothing_to_load,
	.load = nothing_to_load,
	.format = find_format,
	.event = find_pmu_event,
	.event_names = list_event_names,
	.cap = find_cap,
	.fact = find_fact,
	.tracepoint = find_tracepoint,
	.list_tracepoints = list_tracepoints,
	.is_live = is_live,
};

struct pq_lookup pq_catalog_lookup(const struct pmuq_catalog *catalog)
{
	/* The interface has pointers that are not const, because a lazy machine reads more at each
	 * query; a catalog does not change. */
	return (struct pq_lookup){ .ops = &catalog_ops, .self = catalog->shared };
}
