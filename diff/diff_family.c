/* SPDX-License-Identifier: MIT */
/*
 * PMUs in families: all whose names differ only by an instance number. A whole family can be gone,
 * new or renamed; instances of one can be gone or new. Instances that both sides have are compared;
 * those with the same pair of definitions are compared only once.
 */
#include "core/catalog/intern.h"
#include "core/instance.h"
#include "diff/diff.h"

struct entry {
	struct pmuq_str base;
	uint64_t number; /* of the instance */
	const struct pmuq_pmu *pmu;
	int side;
};

struct family {
	const struct entry *entries; /* by number, then name, then side */
	size_t n, n_sides[PQ_SIDES];
	const struct pmuq_pmu *first; /* of side 0 if it has one */
	const struct family *renamed; /* on the other side */
};

/* All families of both machines. Its arrays live in the scratch memory of the differ. */
struct families {
	struct pq_differ *d;
	struct entry *entries;
	size_t n_entries;
	PQ_VEC(struct family) families;
};

/* ------------------------------------------------------------------------------------ grouping */

static int compare_entries(const struct entry *a, const struct entry *b)
{
	int r = str_cmp(a->base, b->base);

	if (r)
		return r;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	r = str_cmp(a->pmu->name, b->pmu->name);
	return r ? r : a->side - b->side;
}

/* Some PMUs of a catalog, which are in the order of compare_entries(). */
struct sorted_run {
	const struct pmuq_catalog *catalog;
	size_t next, end;
	struct entry entry; /* the one before `next`; without a PMU after the last */
};

/* The PMUs of a large machine are not in the processor's caches, and not in this order in memory:
 * they are requested before they are needed, and their names when they have come. */
#define AHEAD 8u

static void prefetch(const struct sorted_run *run)
{
	if (run->next + 2 * AHEAD < run->end)
		__builtin_prefetch(pmuq_catalog_pmu(run->catalog, run->next + 2 * AHEAD));
	if (run->next + AHEAD < run->end)
		__builtin_prefetch(pmuq_catalog_pmu(run->catalog, run->next + AHEAD)->name.p);
}

static void advance(struct sorted_run *run)
{
	struct entry *entry = &run->entry;

	if (run->next == run->end) {
		entry->pmu = NULL;
		return;
	}
	prefetch(run);
	entry->pmu = pmuq_catalog_pmu(run->catalog, run->next++);
	pq_instance_split(entry->pmu->name, &entry->base, &entry->number);
}

static size_t count_cores(const struct pmuq_catalog *catalog)
{
	size_t n = pmuq_catalog_machine(catalog)->n_pmus, n_core = 0;

	while (n_core < n && pmuq_catalog_pmu(catalog, n_core)->is_core)
		n_core++;
	return n_core;
}

/* A catalog has the core PMUs first, and each half in that order. */
#define RUNS (2 * PQ_SIDES)

static void begin_runs(const struct pmuq_catalog *const *catalogs, struct sorted_run *runs)
{
	for (int i = 0; i < RUNS; i++) {
		const struct pmuq_catalog *catalog = catalogs[i / 2];
		size_t n_core = count_cores(catalog);

		runs[i] = (struct sorted_run){
			.catalog = catalog,
			.next = i % 2 ? n_core : 0,
			.end = i % 2 ? pmuq_catalog_machine(catalog)->n_pmus : n_core,
			.entry = { .side = i / 2 },
		};
		advance(&runs[i]);
	}
}

/* The run with the least entry; NULL after the last. */
static struct sorted_run *least_run(struct sorted_run *runs)
{
	struct sorted_run *least = NULL;

	for (int i = 0; i < RUNS; i++)
		if (runs[i].entry.pmu &&
		    (!least || compare_entries(&runs[i].entry, &least->entry) < 0))
			least = &runs[i];
	return least;
}

/* Both machines in one array, in one order: instances of one name are neighbours then. */
static void gather_entries(struct families *g)
{
	const struct pmuq_catalog *const *catalogs = g->d->catalogs;
	size_t n = pmuq_catalog_machine(catalogs[PQ_BEFORE])->n_pmus +
		   pmuq_catalog_machine(catalogs[PQ_AFTER])->n_pmus;
	struct sorted_run runs[RUNS], *run;

	g->entries = pq_diff_array(g->d, n, sizeof(*g->entries));
	if (!g->entries)
		return;
	begin_runs(catalogs, runs);
	while ((run = least_run(runs))) {
		g->entries[g->n_entries++] = run->entry;
		advance(run);
	}
}

/* Counts the instances of each side, and chooses the PMU by which the family is sorted. */
static void fill_group(struct family *family)
{
	const struct pmuq_pmu *first[PQ_SIDES] = { 0 };

	for (size_t i = 0; i < family->n; i++) {
		const struct entry *entry = &family->entries[i];

		family->n_sides[entry->side]++;
		if (!first[entry->side])
			first[entry->side] = entry->pmu;
	}
	family->first = first[PQ_BEFORE] ? first[PQ_BEFORE] : first[PQ_AFTER];
}

/* The order of a catalog, so that changes come in the order that `pmuq list` has. */
static int compare_groups(const void *of_a, const void *of_b)
{
	const struct family *a = of_a, *b = of_b;

	return pq_pmu_compare(a->first, b->first);
}

static void make_groups(struct families *g)
{
	gather_entries(g);
	for (size_t i = 0; i < g->n_entries;) {
		struct family *family = pq_vec_add_in(&g->d->scratch, &g->families);

		g->d->is_out_of_memory |= !family;
		if (!family)
			return;
		family->entries = &g->entries[i];
		while (i < g->n_entries && str_eq(g->entries[i].base, family->entries->base))
			family->n++, i++;
		fill_group(family);
	}
	if (g->families.n)
		qsort(g->families.v, g->families.n, sizeof(*g->families.v), compare_groups);
}

/* ----------------------------------------------------------------------------- one side only */

/* The names of the instances that only this side has. */
static struct pq_pmu_names gather_lone(struct pq_differ *d, const struct family *family, int side)
{
	const struct pmuq_pmu **pmus = pq_diff_array(d, family->n, sizeof(const void *));
	size_t n = 0;

	for (size_t i = 0; pmus && i < family->n; i++) {
		const struct entry *e = &family->entries[i];
		bool has_before = i > 0 && str_eq(e[-1].pmu->name, e->pmu->name);
		bool has_after = i + 1 < family->n && str_eq(e[1].pmu->name, e->pmu->name);

		if (e->side == side && !has_before && !has_after)
			pmus[n++] = e->pmu;
	}
	return pq_diff_names(d, pmus, n);
}

/* If a whole family is gone, every string that names it fails. If the family stays, strings without
 * a number continue to work, with fewer counts. */
static void add_lone(struct pq_differ *d, const struct family *family, int side)
{
	bool is_gone = side == PQ_BEFORE;
	int other = pq_other_side(side);
	struct pq_change change = {
		.weight = is_gone ? PMUQ_WEIGHT_BREAKING : PMUQ_WEIGHT_ADDITION,
		.pmus = gather_lone(d, family, side),
	};

	if (!change.pmus.n || d->is_incomplete[other])
		return;
	if (!family->n_sides[other]) {
		change.type = is_gone ? PMUQ_CHANGE_PMU_GONE : PMUQ_CHANGE_PMU_NEW;
		pq_diff_add(d, &change, "the PMU is %s", is_gone ? "gone" : "new");
		return;
	}
	change.type = is_gone ? PMUQ_CHANGE_INSTANCES_GONE : PMUQ_CHANGE_INSTANCES_NEW;
	pq_diff_add(d, &change, "%zu instance%s %s: there were %zu, there are %zu", change.pmus.n,
		    change.pmus.n == 1 ? "" : "s", is_gone ? "gone" : "more",
		    family->n_sides[PQ_BEFORE], family->n_sides[PQ_AFTER]);
}

/* ------------------------------------------------------------------------------------- renames */

/* Whether all instances have the same definition, which has events, and the same CPUs: only such a
 * family can be recognised under another name. */
static bool is_uniform(const struct family *family)
{
	const struct pmuq_pmu *first = family->first;

	if (!first->definition->n_events)
		return false;
	for (size_t i = 1; i < family->n; i++)
		if (family->entries[i].pmu->definition != first->definition ||
		    !str_eq(family->entries[i].pmu->cpus, first->cpus))
			return false;
	return true;
}

/* A candidate for a rename. */
static bool is_only_on(const struct family *family, int side)
{
	return family->n_sides[side] == family->n && is_uniform(family);
}

/* The hashes are already equal; this excludes a collision. */
static bool is_alike(const struct family *a, const struct family *b)
{
	return a->n == b->n && str_eq(a->first->cpus, b->first->cpus) &&
	       a->first->is_core == b->first->is_core &&
	       a->first->is_uncore == b->first->is_uncore &&
	       pq_def_equals(pq_def_of(a->first), pq_def_of(b->first));
}

/* Brings families with equal definitions together, first the one of side 0. */
static int compare_hashes(const void *of_a, const void *of_b)
{
	const struct family *a = *(struct family *const *)of_a, *b = *(struct family *const *)of_b;
	uint64_t x = a->first->definition->hash, y = b->first->definition->hash;

	if (x != y)
		return x < y ? -1 : 1;
	return (a->n_sides[PQ_BEFORE] == 0) - (b->n_sides[PQ_BEFORE] == 0);
}

/* If two families are alike, each on one side only, the family was renamed, unless a third is like
 * them. */
static void find_renamed(struct families *g)
{
	struct family *of = g->families.v, **v = pq_diff_array(g->d, g->families.n, sizeof(*v));
	size_t n = 0, n_same;

	for (size_t i = 0; v && i < g->families.n; i++)
		if (is_only_on(&of[i], PQ_BEFORE) || is_only_on(&of[i], PQ_AFTER))
			v[n++] = &of[i];
	if (n)
		qsort(v, n, sizeof(*v), compare_hashes);
	for (size_t i = 0; i < n; i += n_same) {
		for (n_same = 1; i + n_same < n; n_same++)
			if (v[i + n_same]->first->definition->hash != v[i]->first->definition->hash)
				break;
		if (n_same != 2 || !v[i]->n_sides[PQ_BEFORE] || !v[i + 1]->n_sides[PQ_AFTER] ||
		    !is_alike(v[i], v[i + 1]))
			continue;
		v[i]->renamed = v[i + 1];
		v[i + 1]->renamed = v[i];
	}
}

/* Reported under the old name. */
static void add_renamed(struct pq_differ *d, const struct family *family)
{
	struct pq_change change = {
		.type = PMUQ_CHANGE_PMU_RENAMED,
		.weight = PMUQ_WEIGHT_BREAKING,
	};

	if (!family->n_sides[PQ_BEFORE])
		return;
	change.pmus = gather_lone(d, family, PQ_BEFORE);
	change.new_pmus = gather_lone(d, family->renamed, PQ_AFTER);
	pq_diff_add(d, &change, "the PMU is called '%.*s' now: its formats and events are the same",
		    STR_ARG(family->renamed->entries->base));
}

/* ---------------------------------------------------------------------------------- both sides */

/* An instance that both sides have. */
struct match {
	const struct pmuq_pmu *pmu[PQ_SIDES];
	size_t number, first; /* first: of those that have the same definitions */
};

/* Only brings equal pairs together: the order of pointers must not decide the order of changes. */
static int compare_defs(const void *of_a, const void *of_b)
{
	const struct match *a = of_a, *b = of_b;

	for (int side = 0; side < PQ_SIDES; side++)
		if (a->pmu[side]->definition != b->pmu[side]->definition)
			return (uintptr_t)a->pmu[side]->definition <
					       (uintptr_t)b->pmu[side]->definition
				       ? -1
				       : 1;
	return pq_diff_order(a->number, b->number);
}

static int compare_firsts(const void *of_a, const void *of_b)
{
	const struct match *a = of_a, *b = of_b;
	int r = pq_diff_order(a->first, b->first);

	return r ? r : pq_diff_order(a->number, b->number);
}

/* The usual case: instances of one PMU share their definition. */
static bool are_of_one_pair(const struct match *matches, size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (int side = 0; side < PQ_SIDES; side++)
			if (matches[i].pmu[side]->definition != matches[0].pmu[side]->definition)
				return false;
	return true;
}

/* Brings matches with the same pair of definitions together, in the order of the first of each
 * pair, so that each pair is compared once. */
static void sort_matches(struct match *matches, size_t n)
{
	if (are_of_one_pair(matches, n))
		return;
	qsort(matches, n, sizeof(*matches), compare_defs);
	for (size_t i = 0; i < n; i++) {
		bool is_first = i == 0 ||
				matches[i].pmu[PQ_BEFORE]->definition !=
					matches[i - 1].pmu[PQ_BEFORE]->definition ||
				matches[i].pmu[PQ_AFTER]->definition !=
					matches[i - 1].pmu[PQ_AFTER]->definition;

		matches[i].first = is_first ? matches[i].number : matches[i - 1].first;
	}
	qsort(matches, n, sizeof(*matches), compare_firsts);
}

/* The quick test first: between two boots of one kernel all definitions are the same. It compares
 * texts; whether the bits changed is for diff_event.c. Changes get the names of `named`. */
static void compare_definitions(struct pq_differ *d, struct pq_pairing *pairing,
				const struct pmuq_pmu *const *named, size_t n_named)
{
	if (pq_def_equals(pq_pairing_def(pairing, PQ_BEFORE), pq_pairing_def(pairing, PQ_AFTER)))
		return;
	pairing->names = pq_diff_names(d, named, n_named);
	pq_diff_formats(d, pairing);
	pq_diff_events(d, pairing);
	pq_diff_caps(d, pairing);
}

/* All instances of the pairing together: with a hundred instances a change is found once, not a
 * hundred times. */
static void compare_pairing(struct pq_differ *d, const struct match *matches, size_t n)
{
	const struct pmuq_pmu **pmus = pq_diff_array(d, 2 * n, sizeof(const void *));
	struct pq_pairing pairing = { .n = n };

	if (!pmus)
		return;
	pairing.pmus[PQ_BEFORE] = pmus;
	pairing.pmus[PQ_AFTER] = pmus + n;
	for (size_t i = 0; i < n; i++) {
		pmus[i] = matches[i].pmu[PQ_BEFORE];
		pmus[n + i] = matches[i].pmu[PQ_AFTER];
	}
	pq_diff_types(d, &pairing);
	for (size_t i = 0; i < n; i++) {
		pq_diff_own(d, pmus[i], pmus[n + i]);
		pq_diff_attributes(d, pmus[i], pmus[n + i]);
	}
	pq_diff_opens(d, &pairing);
	pq_diff_finish_singles(d);
	compare_definitions(d, &pairing, pmus, n);
}

/* The instances of one name on both sides: the entries are sorted by name, then by side. */
static size_t gather_matches(const struct family *family, struct match *ret)
{
	size_t n = 0;

	for (size_t i = 0; i + 1 < family->n; i++) {
		const struct entry *e = &family->entries[i];

		if (!str_eq(e[0].pmu->name, e[1].pmu->name))
			continue;
		ret[n] = (struct match){ .pmu = { e[0].pmu, e[1].pmu }, .number = n };
		n++, i++;
	}
	return n;
}

static void compare_matched(struct pq_differ *d, struct match *matches, size_t n)
{
	sort_matches(matches, n);
	for (size_t i = 0, n_same; i < n; i += n_same) {
		for (n_same = 1; i + n_same < n; n_same++)
			if (matches[i + n_same].first != matches[i].first)
				break;
		compare_pairing(d, matches + i, n_same);
	}
}

/* The family has no name on both sides: "uncore_imc" became "uncore_imc_0" and "uncore_imc_1".
 * Event strings that name the family still find it, so its definitions are compared. */
static void compare_unmatched(struct pq_differ *d, const struct family *family)
{
	const struct pmuq_pmu *pmus[PQ_SIDES] = { 0 };
	struct pq_pairing pairing = { .pmus = { &pmus[PQ_BEFORE], &pmus[PQ_AFTER] }, .n = 1 };
	const struct pmuq_pmu named = { .name = family->entries->base };
	const struct pmuq_pmu *const name = &named;

	for (size_t i = family->n; i-- > 0;)
		pmus[family->entries[i].side] = family->entries[i].pmu;
	if (!pmus[PQ_BEFORE] || !pmus[PQ_AFTER])
		return;
	compare_definitions(d, &pairing, &name, 1);
}

static void compare_group(struct pq_differ *d, const struct family *family)
{
	struct match *matches = pq_diff_array(d, family->n / 2, sizeof(*matches));
	size_t n = matches ? gather_matches(family, matches) : 0;

	for (int side = 0; 2 * n < family->n && side < PQ_SIDES; side++)
		add_lone(d, family, side);
	if (n)
		compare_matched(d, matches, n);
	else
		compare_unmatched(d, family);
}

/* The rank of a family orders its changes among those of the same weight. */
void pq_diff_pmus(struct pq_differ *d)
{
	struct families g = { .d = d };

	make_groups(&g);
	find_renamed(&g);
	for (size_t i = 0; i < g.families.n; i++) {
		const struct family *family = &g.families.v[i];

		d->rank = PQ_RANK_PMUS + i;
		if (family->renamed)
			add_renamed(d, family);
		else
			compare_group(d, family);
	}
}
