/* SPDX-License-Identifier: MIT */
/*
 * Builds a catalog from drafts in any order. At the end it sorts the PMUs, numbers the definitions,
 * and has catalog_index.c build the indexes.
 */
#include "core/catalog/catalog_private.h"
#include "core/catalog/fact.h"
#include "core/catalog/intern.h"
#include "core/instance.h"
#include "core/limits.h"
#include "core/vec.h"
#include <pmuq/pmuq.h>

struct pq_builder {
	struct pmuq_catalog *catalog;
	PQ_VEC(struct pmuq_pair) facts;
	PQ_VEC(struct pmuq_pmu) pmus; /* until all are sorted */
	PQ_VEC(struct pq_def *) defs; /* until the PMUs are sorted, `number` is the index here */
	PQ_VEC(struct pmuq_problem) problems;
	PQ_VEC(struct pmuq_tracepoint) tracepoints;
	struct pq_intern def_set, pairs_set, str_set;
	struct pq_arena interned; /* what the sets contain, unless the catalog does */
};

int pq_builder_new(struct pq_builder **ret, struct pmuq_error **reterr)
{
	struct pq_builder *builder = calloc(1, sizeof(*builder));

	if (!builder)
		return pq_fail_memory(reterr);
	builder->catalog = calloc(1, sizeof(*builder->catalog));
	if (!builder->catalog) {
		free(builder);
		return pq_fail_memory(reterr);
	}
	builder->catalog->references = 1;
	builder->catalog->shared = builder->catalog;
	builder->catalog->machine.size = sizeof(builder->catalog->machine);
	builder->catalog->arena = PQ_ARENA(PQ_CATALOG_MAX_BYTES);
	builder->interned = PQ_ARENA(PQ_CATALOG_MAX_BYTES);
	*ret = builder;
	return 0;
}

void pq_builder_free(struct pq_builder *builder)
{
	if (!builder)
		return;
	pmuq_catalog_free(builder->catalog);
	free(builder->facts.v);
	free(builder->pmus.v);
	free(builder->defs.v);
	free(builder->problems.v);
	free(builder->tracepoints.v);
	pq_intern_free(&builder->def_set);
	pq_intern_free(&builder->pairs_set);
	pq_intern_free(&builder->str_set);
	pq_arena_clear(&builder->interned);
	free(builder);
}

/* Replaces the string by a copy that equal strings share. NULL, for a file that does not exist,
 * stays NULL. */
static bool intern_str(struct pq_builder *b, struct pmuq_str *s)
{
	uint64_t hash = str_hash(*s);
	size_t at = pq_intern_start(&b->str_set, hash);
	const struct pmuq_str *known;
	struct pmuq_str *copy;

	if (!s->p)
		return true;
	while ((known = pq_intern_next(&b->str_set, hash, &at))) {
		if (!str_eq(*known, *s))
			continue;
		*s = *known;
		return true;
	}
	copy = pq_arena_zero(&b->interned, sizeof(*copy));
	if (!copy)
		return false;
	*s = *copy = pq_arena_str(&b->catalog->arena, *s);
	return s->p && pq_intern_add(&b->str_set, hash, copy);
}

static const struct pmuq_definition *intern_def(struct pq_builder *b, const struct pq_def *content)
{
	struct pq_def *def;
	uint64_t hash;
	size_t at;

	if (content->number < b->defs.n && b->defs.v[content->number] == content)
		return &content->record;
	hash = pq_def_hash(content);
	at = pq_intern_start(&b->def_set, hash);
	while ((def = pq_intern_next(&b->def_set, hash, &at)))
		if (pq_def_equals(content, def))
			return &def->record;
	def = pq_def_copy(&b->catalog->arena, content, hash);
	if (!def || !pq_intern_add(&b->def_set, hash, def))
		return NULL;
	def->number = (uint32_t)b->defs.n;
	return pq_vec_push(&b->defs, def) ? &def->record : NULL;
}

struct pairs {
	const struct pmuq_pair *v;
	size_t n;
};

static const struct pmuq_pair *intern_pairs(struct pq_builder *b, const struct pmuq_pair *v,
					    size_t n)
{
	uint64_t hash = pq_pairs_hash(v, n);
	size_t at = pq_intern_start(&b->pairs_set, hash);
	const struct pairs *known;
	struct pairs *pairs;

	while ((known = pq_intern_next(&b->pairs_set, hash, &at)))
		if (known->n == n && pq_pairs_equal(v, known->v, n))
			return known->v;
	pairs = pq_arena_zero(&b->interned, sizeof(*pairs));
	if (!pairs)
		return NULL;
	*pairs = (struct pairs){ .v = pq_pairs_copy(&b->catalog->arena, v, n), .n = n };
	return pairs->v && pq_intern_add(&b->pairs_set, hash, pairs) ? pairs->v : NULL;
}

int pq_builder_pmu(struct pq_builder *builder, struct pq_pmu_draft *draft,
		   struct pmuq_error **reterr)
{
	struct pq_def content = pq_draft_content(draft);
	struct pmuq_pmu pmu = {
		.name = draft->name,
		.alias = draft->alias,
		.cpumask = draft->cpumask,
		.cpus_file = draft->cpus_file,
		.definition = &content.record,
		.attributes = draft->attributes,
		.n_attributes = draft->n_attributes,
		.type = draft->type,
		.has_type = draft->has_type,
	};

	return pq_builder_copy_pmu(builder, &pmu, reterr);
}

int pq_builder_copy_pmu(struct pq_builder *builder, const struct pmuq_pmu *from,
			struct pmuq_error **reterr)
{
	struct pmuq_pmu pmu = {
		.size = sizeof(pmu),
		.name = pq_arena_str(&builder->catalog->arena, from->name),
		.alias = from->alias,
		.cpumask = from->cpumask,
		.cpus_file = from->cpus_file,
		.definition = intern_def(builder, pq_def_of(from)),
		.attributes = intern_pairs(builder, from->attributes, from->n_attributes),
		.n_attributes = from->n_attributes,
		.type = from->type,
		.has_type = from->has_type,
	};

	if (!pmu.name.p || !pmu.definition || !pmu.attributes || !intern_str(builder, &pmu.alias) ||
	    !intern_str(builder, &pmu.cpumask) || !intern_str(builder, &pmu.cpus_file) ||
	    !pq_vec_push(&builder->pmus, pmu))
		return pq_fail_memory(reterr);
	return 0;
}

const struct pmuq_definition *pq_builder_last_definition(const struct pq_builder *builder)
{
	return builder->pmus.n ? builder->pmus.v[builder->pmus.n - 1].definition : NULL;
}

int pq_builder_fact(struct pq_builder *builder, struct pmuq_str name, struct pmuq_str text,
		    struct pmuq_error **reterr)
{
	struct pmuq_pair fact = { .name = name, .text = text };

	if (!pq_arena_keep(&builder->catalog->arena, &fact.name) ||
	    !pq_arena_keep(&builder->catalog->arena, &fact.text) ||
	    !pq_vec_push(&builder->facts, fact))
		return pq_fail_memory(reterr);
	return 0;
}

int pq_builder_problem(struct pq_builder *builder, const struct pmuq_problem *problem,
		       struct pmuq_error **reterr)
{
	struct pmuq_problem copy = *problem;

	copy.size = sizeof(copy);
	if (!pq_arena_keep(&builder->catalog->arena, &copy.path) ||
	    !pq_arena_keep(&builder->catalog->arena, &copy.message) ||
	    !pq_vec_push(&builder->problems, copy))
		return pq_fail_memory(reterr);
	return 0;
}

int pq_builder_tracepoint(struct pq_builder *builder, const struct pmuq_tracepoint *tracepoint,
			  struct pmuq_error **reterr)
{
	struct pmuq_tracepoint copy = *tracepoint;

	copy.size = sizeof(copy);
	if (!pq_arena_keep(&builder->catalog->arena, &copy.name) ||
	    !intern_str(builder, &copy.subsystem) || !pq_vec_push(&builder->tracepoints, copy))
		return pq_fail_memory(reterr);
	return 0;
}

int pq_builder_join(struct pq_builder *builder, const struct pq_builder *from,
		    struct pmuq_error **reterr)
{
	int r = 0;

	for (size_t i = 0; r == 0 && i < from->pmus.n; i++)
		r = pq_builder_copy_pmu(builder, &from->pmus.v[i], reterr);
	for (size_t i = 0; r == 0 && i < from->problems.n; i++)
		r = pq_builder_problem(builder, &from->problems.v[i], reterr);
	return r;
}

static int compare_problems(const void *a, const void *b)
{
	const struct pmuq_problem *x = a, *y = b;
	int r = str_cmp(x->path, y->path);

	return r ? r : str_cmp(x->message, y->message);
}

static int compare_tracepoints(const void *a, const void *b)
{
	const struct pmuq_tracepoint *x = a, *y = b;
	int r = str_cmp(x->subsystem, y->subsystem);

	return r ? r : str_cmp(x->name, y->name);
}

/* Copies an array into the catalog, where it lives as long as the catalog. */
static void *keep_array(struct pq_builder *b, const void *v, size_t n, size_t each_bytes,
			int (*compare)(const void *, const void *))
{
	void *kept = pq_arena_array(&b->catalog->arena, n, each_bytes);

	if (kept && n)
		memcpy(kept, v, n * each_bytes);
	if (kept && n && compare)
		qsort(kept, n, each_bytes, compare);
	return kept;
}

/* Sorts the facts into the order of the table; other facts keep their order. There are few, so
 * insertion sort is enough. */
static void sort_facts(struct pmuq_pair *facts, size_t n)
{
	for (size_t i = 1; i < n; i++)
		pq_fact_insert(facts, i, facts[i]);
}

/* Definitions in the order of the PMUs that use them, so that equal machines have equal numbers. */
static bool order_defs(struct pq_builder *b)
{
	struct pmuq_catalog *c = b->catalog;
	struct pq_def **defs = pq_arena_array(&c->arena, b->defs.n, sizeof(*defs));
	auto_free bool *is_listed = calloc(b->defs.n + 1, sizeof(*is_listed));

	if (!defs || !is_listed)
		return false;
	for (size_t p = 0; p < c->machine.n_pmus; p++) {
		uint32_t made = pq_def_of(c->pmus[p])->number;

		if (!is_listed[made])
			defs[c->n_defs++] = b->defs.v[made];
		is_listed[made] = true;
	}
	for (uint32_t i = 0; i < c->n_defs; i++)
		defs[i]->number = i;
	c->defs = (const struct pq_def *const *)defs;
	return true;
}

static bool are_siblings(const struct pmuq_pmu *a, const struct pmuq_pmu *b)
{
	if (a->is_core != b->is_core || a->is_uncore != b->is_uncore ||
	    !pq_instance_are_siblings(a->name, b->name))
		return false;
	return (!a->alias.n && !b->alias.n) || pq_instance_are_siblings(a->alias, b->alias);
}

static bool keep_arrays(struct pq_builder *b)
{
	struct pmuq_catalog *c = b->catalog;

	sort_facts(b->facts.v, b->facts.n);
	c->machine.n_facts = b->facts.n;
	c->machine.facts = keep_array(b, b->facts.v, c->machine.n_facts, sizeof(*b->facts.v), NULL);
	c->machine.n_problems = b->problems.n;
	c->problems = keep_array(b, b->problems.v, c->machine.n_problems, sizeof(*b->problems.v),
				 compare_problems);
	c->machine.n_tracepoints = b->tracepoints.n;
	c->tracepoints = keep_array(b, b->tracepoints.v, c->machine.n_tracepoints,
				    sizeof(*b->tracepoints.v), compare_tracepoints);
	return c->machine.facts && c->problems && c->tracepoints;
}

/* Sorts the PMUs, and sets their positions and numbers of siblings. */
static bool order_pmus(struct pq_builder *b)
{
	struct pmuq_catalog *c = b->catalog;
	size_t n = b->pmus.n;
	struct pmuq_pmu *pmus = pq_arena_array(&c->arena, n, sizeof(*pmus));
	const struct pmuq_pmu **sorted = pq_arena_array(&c->arena, n, sizeof(*sorted));

	if (!pmus || !sorted)
		return false;
	for (size_t i = 0; i < n; i++)
		sorted[i] = &b->pmus.v[i];
	if (!pq_pmus_sort(sorted, n))
		return false;
	for (size_t i = n; i-- > 0;) {
		pmus[i] = *sorted[i];
		pmus[i].index = (uint32_t)i;
		if (i + 1 < n && are_siblings(&pmus[i], &pmus[i + 1]))
			pmus[i].n_siblings = pmus[i + 1].n_siblings + 1;
		sorted[i] = &pmus[i];
	}
	c->pmu_array = pmus;
	c->pmus = sorted;
	c->machine.n_pmus = n;
	return true;
}

static bool fill_catalog(struct pq_builder *b)
{
	struct pmuq_catalog *c = b->catalog;
	const struct pmuq_pair *online;

	if (!keep_arrays(b))
		return false;
	online = pq_pair_find(c->machine.facts, c->machine.n_facts, STR("cpus_online"));
	for (size_t i = 0; i < b->pmus.n; i++)
		pq_pmu_finalize(&b->pmus.v[i], online ? online->text : (struct pmuq_str){ 0 });
	return order_pmus(b) && order_defs(b) && pq_catalog_index(c);
}

void pq_builder_check(struct pq_builder *builder, struct pmuq_check *check)
{
	pmuq_check_free(builder->catalog->check);
	builder->catalog->machine.check = builder->catalog->check = check;
}

void pq_builder_count_tracepoints(struct pq_builder *builder, size_t n)
{
	builder->catalog->machine.n_counted = n;
}

void pq_catalog_is_live(struct pmuq_catalog *catalog)
{
	catalog->machine.is_live = true;
}

void pq_builder_is_live(struct pq_builder *builder)
{
	pq_catalog_is_live(builder->catalog);
}

int pq_builder_finish(struct pq_builder *builder, struct pmuq_catalog **ret,
		      struct pmuq_error **reterr)
{
	bool is_full = fill_catalog(builder);

	if (is_full)
		*ret = move(builder->catalog);
	pq_builder_free(builder);
	return is_full ? 0 : pq_fail_memory(reterr);
}
