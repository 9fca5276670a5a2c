/* SPDX-License-Identifier: MIT */
/* The indexes of a catalog: PMUs by name and alias, events by name to the PMUs that have them. */
#include "core/catalog/catalog_private.h"

static bool index_pmu_names(struct pmuq_catalog *c)
{
	struct pq_name_entry *names, *aliases;
	size_t n_aliases = 0;

	for (size_t i = 0; i < c->machine.n_pmus; i++)
		n_aliases += c->pmus[i]->alias.n > 0;
	names = pq_arena_array(&c->arena, c->machine.n_pmus, sizeof(*names));
	aliases = pq_arena_array(&c->arena, n_aliases, sizeof(*aliases));
	if (!names || !aliases)
		return false;
	for (size_t i = 0; i < c->machine.n_pmus; i++) {
		const struct pmuq_pmu *pmu = c->pmus[i];

		names[c->n_names++] = (struct pq_name_entry){ .name = pmu->name, .pmu = pmu };
		if (pmu->alias.n)
			aliases[c->n_aliases++] =
				(struct pq_name_entry){ .name = pmu->alias, .pmu = pmu };
	}
	c->names = names;
	c->aliases = aliases;
	return pq_map_build(&c->arena, PQ_NAMED(names, name), c->n_names, &c->by_name) &&
	       pq_map_build(&c->arena, PQ_NAMED(aliases, name), c->n_aliases, &c->by_alias);
}

/* Core PMUs come first. */
static void index_core(struct pmuq_catalog *c)
{
	c->core.v = c->pmus;
	while (c->core.n < c->machine.n_pmus && c->pmus[c->core.n]->is_core)
		c->core.n++;
}

/* An event of one definition, or of several that share its name. */
struct mention {
	struct pmuq_str name;
	size_t def; /* index */
};

static int compare_mentions(const void *a, const void *b)
{
	const struct mention *x = a, *y = b;

	return str_cmp(x->name, y->name);
}

static size_t collect_mentions(const struct pmuq_catalog *c, struct mention *mentions)
{
	size_t n = 0;

	for (size_t d = 0; d < c->n_defs; d++)
		for (size_t e = 0; e < c->defs[d]->record.n_events; e++, n++)
			if (mentions)
				mentions[n] = (struct mention){ .name = c->defs[d]->events[e].name,
								.def = d };
	return n;
}

/* The PMUs of each definition, in the catalog's order. */
static bool list_by_def(struct pmuq_catalog *c, struct pq_pmu_list *of_def)
{
	const struct pmuq_pmu **v =
		pq_arena_array(&c->arena, c->machine.n_pmus, sizeof(const void *));
	auto_free size_t *next = calloc(c->n_defs + 1, sizeof(*next));

	if (!v || !next)
		return false;
	for (size_t p = 0; p < c->machine.n_pmus; p++)
		of_def[pq_def_of(c->pmus[p])->number].n++;
	for (size_t d = 0, at = 0; d < c->n_defs; at += of_def[d++].n) {
		of_def[d].v = v + at;
		next[d] = at;
	}
	for (size_t p = 0; p < c->machine.n_pmus; p++)
		v[next[pq_def_of(c->pmus[p])->number]++] = c->pmus[p];
	return true;
}

static int compare_positions(const void *of_a, const void *of_b)
{
	const struct pmuq_pmu *a = *(const struct pmuq_pmu *const *)of_a;
	const struct pmuq_pmu *b = *(const struct pmuq_pmu *const *)of_b;

	return a->index < b->index ? -1 : a->index > b->index;
}

/* The PMUs, in the catalog's order, that have one of the n definitions. */
static bool list_mentioned(struct pmuq_catalog *c, const struct mention *mentions, size_t n,
			   const struct pq_pmu_list *of_def, struct pq_pmu_list *ret)
{
	const struct pmuq_pmu **v;
	size_t count = 0, kept = 0;

	for (size_t m = 0; m < n; m++)
		count += of_def[mentions[m].def].n;
	v = pq_arena_array(&c->arena, count, sizeof(const void *));
	if (!v)
		return false;
	count = 0;
	for (size_t m = 0; m < n; m++) {
		const struct pq_pmu_list *list = &of_def[mentions[m].def];

		if (list->n)
			memcpy(v + count, list->v, list->n * sizeof(const void *));
		count += list->n;
	}
	if (count)
		qsort(v, count, sizeof(const void *), compare_positions);
	for (size_t i = 0; i < count; i++)
		if (!kept || v[kept - 1] != v[i])
			v[kept++] = v[i];
	*ret = (struct pq_pmu_list){ .v = v, .n = kept };
	return true;
}

/* Gathers consecutive mentions of one name into an entry. Names of one definition share its
 * list. */
static bool fill_entries(struct pmuq_catalog *c, struct pq_event_entry *entries,
			 const struct mention *mentions, size_t n, const struct pq_pmu_list *of_def)
{
	for (size_t from = 0, to; from < n; from = to) {
		struct pq_pmu_list list = of_def[mentions[from].def];

		for (to = from + 1; to < n && str_eq(mentions[to].name, mentions[from].name);)
			to++;
		if (to - from > 1 && !list_mentioned(c, mentions + from, to - from, of_def, &list))
			return false;
		entries[c->n_events++] =
			(struct pq_event_entry){ .name = mentions[from].name, .pmus = list };
	}
	return true;
}

static bool unite(struct pmuq_catalog *c, struct pq_pmu_list *list, struct pq_pmu_list with)
{
	const struct pmuq_pmu **v =
		pq_arena_array(&c->arena, list->n + with.n, sizeof(const void *));
	size_t n = 0, a = 0, b = 0;

	if (!v)
		return false;
	while (a < list->n || b < with.n) {
		bool is_a = b == with.n || (a < list->n && list->v[a]->index <= with.v[b]->index);
		const struct pmuq_pmu *pmu = is_a ? list->v[a] : with.v[b];

		a += a < list->n && list->v[a] == pmu;
		b += b < with.n && with.v[b] == pmu;
		v[n++] = pmu;
	}
	*list = (struct pq_pmu_list){ .v = v, .n = n };
	return true;
}

/* A name also finds its lower-case and upper-case spellings on other PMUs. */
static bool unite_spellings(struct pmuq_catalog *c, struct pq_event_entry *entries)
{
	struct pq_pmu_list *alone = pq_arena_array(&c->arena, c->n_events, sizeof(*alone));
	char buffer[2 * PQ_NAME_MAX_BYTES];
	struct pmuq_str spellings[3];

	if (!alone)
		return false;
	for (size_t i = 0; i < c->n_events; i++)
		alone[i] = entries[i].pmus;
	for (size_t i = 0; i < c->n_events; i++) {
		size_t n = pq_event_spellings(entries[i].name, buffer, spellings);

		for (size_t s = 1; s < n; s++) {
			const struct pq_event_entry *other =
				pq_map_find(&c->by_event, PQ_NAMED(entries, name), spellings[s]);

			if (other && !unite(c, &entries[i].pmus, alone[other - entries]))
				return false;
		}
	}
	return true;
}

static bool index_events(struct pmuq_catalog *c)
{
	size_t n = collect_mentions(c, NULL);
	auto_free struct mention *mentions = calloc(n + 1, sizeof(*mentions));
	auto_free struct pq_pmu_list *of_def = calloc(c->n_defs + 1, sizeof(*of_def));
	struct pq_event_entry *entries = pq_arena_array(&c->arena, n, sizeof(*entries));

	if (!mentions || !of_def || !entries)
		return false;
	collect_mentions(c, mentions);
	qsort(mentions, n, sizeof(*mentions), compare_mentions);
	c->events = entries;
	return list_by_def(c, of_def) && fill_entries(c, entries, mentions, n, of_def) &&
	       pq_map_build(&c->arena, PQ_NAMED(entries, name), c->n_events, &c->by_event) &&
	       unite_spellings(c, entries);
}

bool pq_catalog_index(struct pmuq_catalog *catalog)
{
	index_core(catalog);
	return index_pmu_names(catalog) && index_events(catalog);
}
