/* SPDX-License-Identifier: MIT */
/*
 * The law: a lazy source and the catalog that is read from it give the same result for every query,
 * and a repeated query is served from memory.
 */
#pragma once

#include "discover/lazy/lazy.h"
#include "tests/unit/cmocka_all.h"

static inline void assert_str(struct pmuq_str a, struct pmuq_str b)
{
	assert_int_equal(a.p != NULL, b.p != NULL);
	assert_int_equal(a.n, b.n);
	if (a.n)
		assert_memory_equal(a.p, b.p, a.n);
	if (a.p)
		assert_int_equal(a.p[a.n], '\0');
}

static inline void assert_same_list(struct pq_pmu_list a, struct pq_pmu_list b)
{
	assert_int_equal(a.n, b.n);
	for (size_t i = 0; i < a.n; i++) {
		assert_str(a.v[i]->name, b.v[i]->name);
		assert_int_equal(a.v[i]->is_core, b.v[i]->is_core);
	}
}

static inline void assert_same_format(const struct pmuq_format *a, const struct pmuq_format *b)
{
	assert_str(a->name, b->name);
	assert_str(a->text, b->text);
	assert_true(a->bits.mask == b->bits.mask);
	assert_int_equal(a->bits.word, b->bits.word);
	assert_int_equal(a->bits.width, b->bits.width);
}

static inline void assert_same_event(const struct pmuq_event *a, const struct pmuq_event *b)
{
	assert_str(a->name, b->name);
	assert_str(a->terms, b->terms);
	assert_str(a->unit, b->unit);
	assert_str(a->scale, b->scale);
	assert_int_equal(a->is_per_pkg, b->is_per_pkg);
	assert_int_equal(a->is_snapshot, b->is_snapshot);
	assert_int_equal(a->has_scale_file, b->has_scale_file);
	assert_int_equal(a->has_unit_file, b->has_unit_file);
}

static inline void assert_same_pairs(const struct pmuq_pair *a, size_t n_a,
				     const struct pmuq_pair *b, size_t n_b)
{
	assert_int_equal(n_a, n_b);
	for (size_t i = 0; i < n_a; i++) {
		assert_str(a[i].name, b[i].name);
		assert_str(a[i].text, b[i].text);
	}
}

static inline void assert_same_alias(const struct pmuq_pmu *a, const struct pmuq_pmu *b)
{
	assert_int_equal(a->alias.n, b->alias.n);
	if (a->alias.n)
		assert_str(a->alias, b->alias);
}

static inline void assert_same_pmu(const struct pmuq_pmu *a, const struct pmuq_pmu *b)
{
	assert_str(a->name, b->name);
	assert_str(a->cpumask, b->cpumask);
	assert_str(a->cpus, b->cpus);
	assert_int_equal(a->has_type, b->has_type);
	if (a->has_type)
		assert_int_equal(a->type, b->type);
	assert_int_equal(a->is_core, b->is_core);
	assert_int_equal(a->is_uncore, b->is_uncore);
}

/* The loaded catalog. */
static inline void assert_same_def(const struct pmuq_pmu *a, const struct pmuq_pmu *b)
{
	assert_int_equal(a->definition->n_formats, b->definition->n_formats);
	for (size_t i = 0; i < a->definition->n_formats; i++)
		assert_same_format(&pq_def_of(a)->formats[i], &pq_def_of(b)->formats[i]);
	assert_int_equal(a->definition->n_events, b->definition->n_events);
	for (size_t i = 0; i < a->definition->n_events; i++)
		assert_same_event(&pq_def_of(a)->events[i], &pq_def_of(b)->events[i]);
	assert_same_pairs(a->definition->caps, a->definition->n_caps, b->definition->caps,
			  b->definition->n_caps);
	assert_same_pairs(a->attributes, a->n_attributes, b->attributes, b->n_attributes);
	assert_true(a->definition->hash == b->definition->hash);
}

static inline const struct pmuq_pmu *law_find(struct pq_lookup m, struct pmuq_str name)
{
	const struct pmuq_pmu *pmu = NULL;
	int r = m.ops->find_pmu(m.self, name, &pmu, NULL);

	assert_true(r == 0 || r == PQ_NONE);
	assert_int_equal(r == 0, pmu != NULL);
	return pmu;
}

static inline void law_check_name(struct pq_lookup lazy, struct pq_lookup whole,
				  struct pmuq_str name)
{
	const struct pmuq_pmu *a = law_find(lazy, name), *b = law_find(whole, name);

	assert_int_equal(a != NULL, b != NULL);
	if (a)
		assert_str(a->name, b->name);
}

static inline void law_check_format(struct pq_lookup lazy, struct pq_lookup whole,
				    const struct pmuq_pmu *a, const struct pmuq_pmu *b,
				    struct pmuq_str name)
{
	const struct pmuq_format *x = NULL, *y = NULL, *again = NULL;

	assert_int_equal(lazy.ops->format(lazy.self, a, name, &x, NULL),
			 whole.ops->format(whole.self, b, name, &y, NULL));
	assert_int_equal(x != NULL, y != NULL);
	if (x)
		assert_same_format(x, y);
	lazy.ops->format(lazy.self, a, name, &again, NULL);
	assert_ptr_equal(x, again);
}

static inline void law_check_event(struct pq_lookup lazy, struct pq_lookup whole,
				   const struct pmuq_pmu *a, const struct pmuq_pmu *b,
				   struct pmuq_str name)
{
	const struct pmuq_event *x = NULL, *y = NULL, *again = NULL;

	assert_int_equal(lazy.ops->event(lazy.self, a, name, &x, NULL),
			 whole.ops->event(whole.self, b, name, &y, NULL));
	assert_int_equal(x != NULL, y != NULL);
	if (x)
		assert_same_event(x, y);
	lazy.ops->event(lazy.self, a, name, &again, NULL);
	assert_ptr_equal(x, again);
}

static inline void law_check_cap(struct pq_lookup lazy, struct pq_lookup whole,
				 const struct pmuq_pmu *a, const struct pmuq_pmu *b,
				 struct pmuq_str name)
{
	struct pmuq_str x = { 0 }, y = { 0 };

	assert_int_equal(lazy.ops->cap(lazy.self, a, name, &x, NULL),
			 whole.ops->cap(whole.self, b, name, &y, NULL));
	assert_str(x, y);
}

static inline void law_check_find_event(struct pq_lookup lazy, struct pq_lookup whole,
					struct pmuq_str name)
{
	struct pq_pmu_list a, b, again;

	assert_int_equal(lazy.ops->find_event(lazy.self, name, &a, NULL), 0);
	assert_int_equal(whole.ops->find_event(whole.self, name, &b, NULL), 0);
	assert_same_list(a, b);
	assert_int_equal(lazy.ops->find_event(lazy.self, name, &again, NULL), 0);
	assert_ptr_equal(a.v, again.v);
}

/* Names that do not exist, and names that must not become paths. */
static const struct pmuq_str law_strange[] = {
	{ "", 0 },
	{ ".", 1 },
	{ "..", 2 },
	{ "../type", 7 },
	{ "no-such-name", 12 },
	{ "NO-SUCH-NAME", 12 },
	{ "a/b", 3 },
	{ "a\0b", 3 },
	{ ".unit", 5 },
	/* Files that test_discover_events.c makes and that are not events. */
	{ "a.unit", 6 },
	{ "a.scale", 7 },
	{ "orphan.unit", 11 },
};

static inline void law_check_spellings(struct pq_lookup lazy, struct pq_lookup whole,
				       const struct pmuq_pmu *a, const struct pmuq_pmu *b,
				       struct pmuq_str name)
{
	char lower[PQ_NAME_MAX_BYTES], upper[PQ_NAME_MAX_BYTES];
	struct pmuq_str all[] = { name, { lower, name.n }, { upper, name.n } };

	for (size_t i = 0; i < name.n; i++) {
		lower[i] = char_lower(name.p[i]);
		upper[i] = char_upper(name.p[i]);
	}
	for (size_t i = 0; i < COUNT(all); i++) {
		law_check_event(lazy, whole, a, b, all[i]);
		law_check_find_event(lazy, whole, all[i]);
	}
}

static inline void law_check_event_names(struct pq_lookup lazy, struct pq_lookup whole,
					 const struct pmuq_pmu *a, const struct pmuq_pmu *b)
{
	struct pq_names mine = { 0 }, other = { 0 };

	assert_int_equal(lazy.ops->event_names(lazy.self, a, &mine, NULL), 0);
	assert_int_equal(whole.ops->event_names(whole.self, b, &other, NULL), 0);
	assert_int_equal(mine.n, other.n);
	for (size_t i = 0; i < mine.n; i++)
		assert_str(pq_names_at(&mine, i), pq_names_at(&other, i));
}

static inline void law_check_pmu(struct pq_lookup lazy, struct pq_lookup whole,
				 const struct pmuq_pmu *a, const struct pmuq_pmu *b)
{
	assert_int_equal(lazy.ops->fill(lazy.self, a, NULL), 0);
	assert_same_pmu(a, b);
	law_check_event_names(lazy, whole, a, b);
	law_check_name(lazy, whole, b->name);
	if (b->alias.n)
		law_check_name(lazy, whole, b->alias);
	for (size_t i = 0; i < b->definition->n_formats; i++)
		law_check_format(lazy, whole, a, b, pq_def_of(b)->formats[i].name);
	for (size_t i = 0; i < b->definition->n_events; i++)
		law_check_spellings(lazy, whole, a, b, pq_def_of(b)->events[i].name);
	for (size_t i = 0; i < b->definition->n_caps; i++)
		law_check_cap(lazy, whole, a, b, b->definition->caps[i].name);
	for (size_t i = 0; i < COUNT(law_strange); i++) {
		law_check_format(lazy, whole, a, b, law_strange[i]);
		law_check_event(lazy, whole, a, b, law_strange[i]);
		law_check_cap(lazy, whole, a, b, law_strange[i]);
	}
}

static inline void law_check_facts(struct pq_lookup lazy, const struct pmuq_catalog *catalog)
{
	struct pmuq_str text = { 0 };

	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_facts; i++) {
		struct pmuq_str name = pmuq_catalog_machine(catalog)->facts[i].name;
		enum pq_class_fact fact = (enum pq_class_fact)pq_fact_find(name);

		assert_int_equal(lazy.ops->fact(lazy.self, fact, &text, NULL), 0);
		assert_str(text, pmuq_catalog_machine(catalog)->facts[i].text);
	}
}

static inline void law_check_tracepoints(struct pq_lookup lazy, const struct pmuq_catalog *catalog)
{
	struct pq_tracepoint_list list = { 0 };
	struct pq_arena arena = PQ_ARENA(SIZE_MAX);

	assert_int_equal(
		lazy.ops->list_tracepoints(lazy.self, &arena, STR("*"), STR("*"), &list, NULL), 0);
	assert_int_equal(list.n, pmuq_catalog_machine(catalog)->n_tracepoints);
	for (size_t i = 0; i < list.n; i++) {
		const struct pmuq_tracepoint *want = pmuq_catalog_tracepoint(catalog, i);
		uint64_t id = 0;

		assert_str(list.v[i]->subsystem, want->subsystem);
		assert_str(list.v[i]->name, want->name);
		assert_true(list.v[i]->id == want->id);
		assert_int_equal(
			lazy.ops->tracepoint(lazy.self, want->subsystem, want->name, &id, NULL), 0);
		assert_true(id == want->id);
	}
	pq_arena_clear(&arena);
}

/* If `has_openat2` is false, as on a kernel without openat2(2). */
static inline struct pmuq_source *law_open(const char *dir, bool has_openat2)
{
	struct pmuq_source *source = NULL;

	assert_int_equal(pmuq_source_open_tree(dir, &source, NULL), 0);
	((struct pq_lazy *)source)->root.has_openat2 = has_openat2;
	return source;
}

/* Each query alone. */
static inline void law_check_source(struct pmuq_source *source, const struct pmuq_catalog *catalog)
{
	struct pq_lookup whole = pq_catalog_lookup(catalog), lazy = source->lookup;
	struct pq_pmu_list a, b, again;
	uint64_t opens;

	/* Before anything is listed. */
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_pmus && i < 3; i++)
		law_check_name(lazy, whole, pmuq_catalog_pmu(catalog, i)->name);
	assert_int_equal(lazy.ops->list_pmus(lazy.self, &a, NULL), 0);
	assert_int_equal(whole.ops->list_pmus(whole.self, &b, NULL), 0);
	assert_same_list(a, b);
	for (size_t i = 0; i < a.n; i++)
		law_check_pmu(lazy, whole, a.v[i], b.v[i]);
	/* An unknown name was compared with every alias. */
	law_check_name(lazy, whole, STR("nobody's name"));
	for (size_t i = 0; i < a.n; i++)
		assert_same_alias(a.v[i], b.v[i]);
	assert_int_equal(lazy.ops->core_pmus(lazy.self, &a, NULL), 0);
	assert_int_equal(whole.ops->core_pmus(whole.self, &b, NULL), 0);
	assert_same_list(a, b);
	for (size_t i = 0; i < COUNT(law_strange); i++) {
		law_check_name(lazy, whole, law_strange[i]);
		law_check_find_event(lazy, whole, law_strange[i]);
	}
	law_check_facts(lazy, catalog);
	law_check_tracepoints(lazy, catalog);

	/* The same queries again open nothing. */
	opens = pmuq_source_opens(source);
	assert_int_equal(lazy.ops->list_pmus(lazy.self, &again, NULL), 0);
	assert_int_equal(whole.ops->list_pmus(whole.self, &b, NULL), 0);
	for (size_t i = 0; i < again.n; i++)
		law_check_pmu(lazy, whole, again.v[i], b.v[i]);
	law_check_facts(lazy, catalog);
	law_check_tracepoints(lazy, catalog);
	assert_int_equal(pmuq_source_opens(source), opens);
}

/* On a source without earlier queries. */
static inline void law_check_singly(const char *dir, bool has_openat2,
				    const struct pmuq_catalog *catalog)
{
	struct pmuq_source *source = law_open(dir, has_openat2);

	law_check_source(source, catalog);
	pmuq_source_free(source);
}

/* Complete PMUs, on another source. */
static inline void law_check_loaded(const char *dir, bool has_openat2,
				    const struct pmuq_catalog *catalog)
{
	struct pq_lookup whole = pq_catalog_lookup(catalog), lazy;
	struct pmuq_source *source = law_open(dir, has_openat2);
	struct pq_pmu_list list;

	lazy = source->lookup;
	assert_int_equal(lazy.ops->list_pmus(lazy.self, &list, NULL), 0);
	for (size_t i = 0; i < list.n; i++) {
		const struct pmuq_pmu *b = law_find(whole, list.v[i]->name);
		uint64_t opens;

		assert_int_equal(lazy.ops->load(lazy.self, list.v[i], NULL), 0);
		assert_same_pmu(list.v[i], b);
		assert_same_alias(list.v[i], b);
		assert_str(list.v[i]->cpus_file, b->cpus_file);
		assert_same_def(list.v[i], b);
		opens = pmuq_source_opens(source);
		assert_int_equal(lazy.ops->load(lazy.self, list.v[i], NULL), 0);
		assert_int_equal(pmuq_source_opens(source), opens);
		law_check_pmu(lazy, whole, list.v[i], b);
	}
	pmuq_source_free(source);
}

static inline struct pmuq_catalog *law_read_with(const char *dir, bool has_openat2)
{
	struct pmuq_source *source = law_open(dir, has_openat2);
	struct pmuq_catalog *catalog = NULL;

	assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL), 0);
	pmuq_source_free(source);
	return catalog;
}

static inline struct pmuq_catalog *law_read(const char *dir)
{
	return law_read_with(dir, true);
}

static inline void assert_law(const char *dir, bool has_openat2)
{
	struct pmuq_catalog *catalog = law_read_with(dir, has_openat2);

	law_check_singly(dir, has_openat2, catalog);
	law_check_loaded(dir, has_openat2, catalog);
	pmuq_catalog_free(catalog);
}
