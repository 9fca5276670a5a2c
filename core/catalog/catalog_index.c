/* SPDX-License-Identifier: MIT */
/* The indexes of a catalog: PMUs by name and alias, events by name to the PMUs that have them. */
#include "core/catalog/catalog_private.h"

static bool index_pmu_names(struct pmuq_catalog *c)
{
	size_t n_aliases = 0;

	for (size_t i = 0; i < c->machine.n_pmus; i++)
		n_aliases += c->pmu_array[i].alias.n > 0;
	if (!pq_map_build(&c->arena, PQ_NAMED(c->pmu_array, name), c->machine.n_pmus,
			  &c->by_name) ||
	    !pq_map_init(&c->arena, n_aliases, &c->by_alias))
		return false;
	for (size_t i = 0; i < c->machine.n_pmus; i++)
		if (c->pmu_array[i].alias.n)
			pq_map_add(&c->by_alias, PQ_NAMED(c->pmu_array, alias), i);
	return true;
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

/* The PMUs of one definition in the catalog. */
struct users {
	size_t first, last, n;
	const struct pmuq_pmu *
		*v; /* NULL: they follow each other, so their list is there already */
};

static struct users *count_users(const struct pmuq_catalog *c)
{
	struct users *of_def = calloc(c->n_defs + 1, sizeof(*of_def));

	for (size_t p = 0; of_def && p < c->machine.n_pmus; p++) {
		struct users *users = &of_def[pq_def_of(c->pmus[p])->number];

		if (!users->n++)
			users->first = p;
		users->last = p;
	}
	return of_def;
}

/* The PMUs of each definition, in the catalog's order. */
static bool list_by_def(struct pmuq_catalog *c, struct pq_pmu_list *of_def)
{
	auto_free struct users *users = count_users(c);

	for (size_t d = 0; users && d < c->n_defs; d++) {
		bool is_run = users[d].last - users[d].first + 1 == users[d].n;

		if (!is_run)
			users[d].v = pq_arena_array(&c->arena, users[d].n, sizeof(const void *));
		if (!is_run && !users[d].v)
			return false;
		of_def[d].v = is_run ? c->pmus + users[d].first : users[d].v;
		of_def[d].n = users[d].n;
	}
	for (size_t p = 0; users && p < c->machine.n_pmus; p++) {
		const struct pmuq_pmu ***v = &users[pq_def_of(c->pmus[p])->number].v;

		if (*v)
			*(*v)++ = c->pmus[p];
	}
	return users;
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
	auto_free struct pq_pmu_list *alone = calloc(c->n_events + 1, sizeof(*alone));
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
	for (size_t d = 0; d < c->n_defs; d++)
		c->has_upper |= c->defs[d]->has_upper;
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
