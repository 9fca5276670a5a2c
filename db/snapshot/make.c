/* SPDX-License-Identifier: MIT */
/*
 * A catalog, and maybe a check, as contents with their hashes. The store is not used: two machines
 * can be compared without one. The contents refer to the catalog and to the check where possible,
 * instead of copying. save.c stores the result.
 */
#include "core/catalog/check.h"
#include "core/catalog/fact.h"
#include "core/limits.h"
#include "db/snapshot/snapshot.h"

struct maker {
	struct pq_snapshot *snapshot;
	struct pq_arena *arena;
	/* Many PMUs share a definition and its attributes, many events an open result. */
	struct pq_intern by_address;
};

/* Keeps the content and computes its hash; NULL when out of memory. */
static struct pq_content *keep(struct maker *maker, struct pq_content content)
{
	struct pq_content *kept = pq_arena_take(maker->arena, sizeof(*kept));

	if (!kept)
		return NULL;
	*kept = content;
	pq_content_hash(kept);
	return kept;
}

/* The content of an address; NULL if none was added. */
static struct pq_content *find_shared(const struct maker *maker, const void *address)
{
	return pq_intern_get(&maker->by_address, pq_intern_key(address));
}

/* NULL when out of memory. */
static struct pq_content *add_shared(struct maker *maker, const void *address,
				     struct pq_content content)
{
	struct pq_content *kept = keep(maker, content);

	return kept && pq_intern_add(&maker->by_address, pq_intern_key(address), kept) ? kept
										       : NULL;
}

/* A content with rows in one table; NULL when out of memory. */
static struct pq_content *make(struct maker *maker, const struct pq_set *set, const void *v,
			       size_t n)
{
	return keep(maker, (struct pq_content){ .set = set, .rows = { { .v = v, .n = n } } });
}

static struct pq_content *make_definition(struct maker *maker, const struct pq_def *def)
{
	const struct pq_content content = {
		.set = &pq_definition_set,
		.rows = {
			[PQ_DEFINITION_FORMATS] = { .v = def->formats, .n = def->record.n_formats },
			[PQ_DEFINITION_EVENTS] = { .v = def->events, .n = def->record.n_events },
			[PQ_DEFINITION_CAPS] = { .v = def->record.caps, .n = def->record.n_caps },
		},
	};

	return add_shared(maker, def, content);
}

static struct pq_content *make_attributes(struct maker *maker, const struct pmuq_pmu *pmu)
{
	const struct pq_content content = {
		.set = &pq_attribute_set,
		.rows = { { .v = pmu->attributes, .n = pmu->n_attributes } },
	};

	return add_shared(maker, pmu->attributes, content);
}

static struct pq_content *make_result(struct maker *maker, const struct pmuq_open_result *result)
{
	return add_shared(maker, result,
			  (struct pq_content){ .set = &pq_open_result_set, .own = result });
}

static bool make_layout(struct maker *maker, const struct pmuq_catalog *catalog)
{
	size_t n = pmuq_catalog_machine(catalog)->n_pmus;
	struct pq_pmu_row *rows = pq_arena_array(maker->arena, n, sizeof(*rows));

	for (size_t i = 0; rows && i < n; i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(catalog, i);
		const struct pq_def *def = pq_def_of(pmu);

		rows[i] = (struct pq_pmu_row){
			.name = pmu->name,
			.type = { .value = pmu->type, .is_set = pmu->has_type },
			.alias = pmu->alias,
			.cpumask = pmu->cpumask,
			.cpus = pmu->cpus_file,
			.definition.content =
				find_shared(maker, def) ?: make_definition(maker, def),
			.attribute_set.content =
				find_shared(maker, pmu->attributes) ?: make_attributes(maker, pmu),
		};
		if (!rows[i].definition.content || !rows[i].attribute_set.content)
			return false;
	}
	if (!rows)
		return false;
	maker->snapshot->row.layout.content = make(maker, &pq_layout_set, rows, n);
	return maker->snapshot->row.layout.content;
}

static bool make_facts(struct maker *maker, const struct pmuq_catalog *catalog)
{
	const struct pmuq_machine *machine = pmuq_catalog_machine(catalog);
	size_t n = machine->n_facts, n_shared = 0, n_own = 0;
	struct pmuq_pair *shared = pq_arena_array(maker->arena, n, sizeof(*shared));
	struct pq_own_fact *own = pq_arena_array(maker->arena, n, sizeof(*own));
	struct pq_snapshot *snapshot = maker->snapshot;

	if (!shared || !own)
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct pmuq_pair *fact = &machine->facts[i];
		enum pq_fact_owner owner = pq_fact_owner(fact->name);

		if (owner == PQ_FACT_SHARED)
			shared[n_shared++] = *fact;
		else
			own[n_own++] = (struct pq_own_fact){
				.name = fact->name,
				.text = fact->text,
				.is_volatile = owner == PQ_FACT_VOLATILE,
			};
	}
	snapshot->own_facts = (struct pq_rows){ .v = own, .n = n_own };
	snapshot->row.fact_set.content = make(maker, &pq_fact_set, shared, n_shared);
	return snapshot->row.fact_set.content;
}

static bool make_rest(struct maker *maker, const struct pmuq_catalog *catalog)
{
	size_t n_tracepoints = pmuq_catalog_machine(catalog)->n_tracepoints;
	size_t n_problems = pmuq_catalog_machine(catalog)->n_problems;
	struct pq_snapshot_row *row = &maker->snapshot->row;

	row->tracepoint_set.content =
		make(maker, &pq_tracepoint_set, pmuq_catalog_tracepoint(catalog, 0), n_tracepoints);
	row->problem_set.content =
		make(maker, &pq_problem_set, pmuq_catalog_problem(catalog, 0), n_problems);
	return row->tracepoint_set.content && row->problem_set.content;
}

static bool make_check(struct maker *maker, const struct pmuq_check *check)
{
	size_t n = pmuq_check_progress(check)->n_results;
	struct pq_checked_event *rows = pq_arena_array(maker->arena, n, sizeof(*rows));

	for (size_t i = 0; rows && i < n; i++) {
		const struct pmuq_check_result *result = pmuq_check_get(check, i);

		rows[i] = (struct pq_checked_event){
			.pmu = result->pmu,
			.event = result->event,
			.is_generic = result->is_generic,
			.open_result.content = find_shared(maker, result->open)
						       ?: make_result(maker, result->open),
		};
		if (!rows[i].open_result.content)
			return false;
	}
	if (!rows)
		return false;
	maker->snapshot->check_set = make(maker, &pq_check_set, rows, n);
	return maker->snapshot->check_set;
}

static struct pq_content make_class(const struct pq_snapshot_row *row)
{
	return (struct pq_content){
		.set = &pq_host_class_set,
		.hash = pq_host_class_hash(&row->layout.content->hash,
					   &row->tracepoint_set.content->hash,
					   row->fact_set.content->rows[0]),
	};
}

struct pq_hash pq_snapshot_hash_of(struct pq_rows own_facts, const struct pq_hash *layout,
				   const struct pq_hash *fact_set,
				   const struct pq_hash *tracepoint_set,
				   const struct pq_hash *problem_set)
{
	const struct pq_own_fact *fact = own_facts.v;
	struct pq_hasher hasher;

	pq_hash_begin(&hasher, STR("pmuq.snapshot/1"));
	for (size_t i = 0; i < own_facts.n; i++) {
		pq_hash_text(&hasher, fact[i].name);
		if (!fact[i].is_volatile)
			pq_hash_text(&hasher, fact[i].text);
	}
	pq_hash_hash(&hasher, layout);
	pq_hash_hash(&hasher, fact_set);
	pq_hash_hash(&hasher, tracepoint_set);
	pq_hash_hash(&hasher, problem_set);
	return pq_hash_end(&hasher);
}

int pq_snapshot_make(const struct pmuq_catalog *catalog, const struct pmuq_check *check,
		     struct pq_snapshot *ret, struct pmuq_error **reterr)
{
	struct maker maker = { .snapshot = ret, .arena = &ret->contents.arena };
	bool is_made;

	*ret = (struct pq_snapshot){ 0 };
	*maker.arena = PQ_ARENA(PQ_SNAPSHOT_MAX_BYTES);
	is_made = make_layout(&maker, catalog) && make_facts(&maker, catalog) &&
		  make_rest(&maker, catalog) && (!check || make_check(&maker, check));
	pq_intern_free(&maker.by_address);
	if (!is_made)
		return pq_fail_memory(reterr);
	ret->host_class = make_class(&ret->row);
	ret->row.hash = pq_snapshot_hash_of(
		ret->own_facts, &ret->row.layout.content->hash, &ret->row.fact_set.content->hash,
		&ret->row.tracepoint_set.content->hash, &ret->row.problem_set.content->hash);
	return 0;
}

void pq_snapshot_free(struct pq_snapshot *snapshot)
{
	pq_contents_end(&snapshot->contents);
}
