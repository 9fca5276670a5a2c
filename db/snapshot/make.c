/* SPDX-License-Identifier: MIT */
/*
 * A catalog, and maybe a check, as contents with their hashes. The store is not used: two machines
 * can be compared without one. Nothing is copied that need not be; the contents refer to the
 * catalog and to the check. save.c stores the result.
 */
#include "core/catalog/check.h"
#include "core/catalog/fact.h"
#include "core/limits.h"
#include "db/snapshot/host_class.h"

/* Many PMUs share a definition and its attributes, many events an open result: by address. */
struct shared_content {
	struct pq_content content;
	const void *address;
};

struct maker {
	struct pq_snapshot *snapshot;
	struct pq_arena *arena;
	struct pq_intern by_address;
};

static struct pq_content *find_shared(const struct maker *maker, const void *address, uint64_t key)
{
	size_t at = pq_intern_start(&maker->by_address, key);
	struct shared_content *shared;

	while ((shared = pq_intern_next(&maker->by_address, key, &at)))
		if (shared->address == address)
			return &shared->content;
	return NULL;
}

/* The content of an address; a new one has no hash yet. NULL when out of memory. */
static struct pq_content *share(struct maker *maker, const struct pq_set *set, const void *address,
				bool *ret_is_new)
{
	/* An odd factor spreads the addresses, whose lowest bits are zero. */
	uint64_t key = (uint64_t)(uintptr_t)address * 0x9e3779b97f4a7c15u;
	struct shared_content *shared;
	struct pq_content *known;

	key ^= key >> 32;
	known = find_shared(maker, address, key);
	*ret_is_new = !known;
	if (known)
		return known;
	shared = pq_arena_zero(maker->arena, sizeof(*shared));
	if (!shared || !pq_intern_add(&maker->by_address, key, shared))
		return NULL;
	shared->address = address;
	shared->content.set = set;
	return &shared->content;
}

/* A content with rows in one table; NULL when out of memory. */
static struct pq_content *make(struct maker *maker, const struct pq_set *set, const void *v,
			       size_t n)
{
	struct pq_content *content = pq_arena_zero(maker->arena, sizeof(*content));

	if (!content)
		return NULL;
	content->set = set;
	content->rows[0] = (struct pq_rows){ .v = v, .n = n };
	pq_content_hash(content);
	return content;
}

static struct pq_content *make_definition(struct maker *maker, const struct pmuq_pmu *pmu)
{
	const struct pq_def *def = pq_def_of(pmu);
	bool is_new;
	struct pq_content *content = share(maker, &pq_definition_set, def, &is_new);

	if (!content || !is_new)
		return content;
	content->rows[PQ_DEFINITION_FORMATS] =
		(struct pq_rows){ .v = def->formats, .n = def->record.n_formats };
	content->rows[PQ_DEFINITION_EVENTS] =
		(struct pq_rows){ .v = def->events, .n = def->record.n_events };
	content->rows[PQ_DEFINITION_CAPS] =
		(struct pq_rows){ .v = def->record.caps, .n = def->record.n_caps };
	pq_content_hash(content);
	return content;
}

static struct pq_content *make_attributes(struct maker *maker, const struct pmuq_pmu *pmu)
{
	bool is_new;
	struct pq_content *content = share(maker, &pq_attribute_set, pmu->attributes, &is_new);

	if (!content || !is_new)
		return content;
	content->rows[0] = (struct pq_rows){ .v = pmu->attributes, .n = pmu->n_attributes };
	pq_content_hash(content);
	return content;
}

static bool make_layout(struct maker *maker, const struct pmuq_catalog *catalog)
{
	size_t n = pmuq_catalog_machine(catalog)->n_pmus;
	struct pq_pmu_row *rows = pq_arena_array(maker->arena, n, sizeof(*rows));

	for (size_t i = 0; rows && i < n; i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(catalog, i);

		rows[i] = (struct pq_pmu_row){
			.name = pmu->name,
			.type = { .value = pmu->type, .is_set = pmu->has_type },
			.alias = pmu->alias,
			.cpumask = pmu->cpumask,
			.cpus = pmu->cpus_file,
			.definition.content = make_definition(maker, pmu),
			.attribute_set.content = make_attributes(maker, pmu),
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
	size_t n = pmuq_catalog_machine(catalog)->n_facts, n_shared = 0, n_own = 0;
	struct pmuq_pair *shared = pq_arena_array(maker->arena, n, sizeof(*shared));
	struct pq_own_fact *own = pq_arena_array(maker->arena, n, sizeof(*own));
	struct pq_snapshot *snapshot = maker->snapshot;

	if (!shared || !own)
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct pmuq_pair *fact = pq_catalog_fact(catalog, i);
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
	size_t n_tracepoints = pq_catalog_tracepoint_count(catalog);
	size_t n_problems = pmuq_catalog_machine(catalog)->n_problems;
	struct pq_snapshot_row *row = &maker->snapshot->row;

	row->tracepoint_set.content =
		make(maker, &pq_tracepoint_set, pq_catalog_tracepoint(catalog, 0), n_tracepoints);
	row->problem_set.content =
		make(maker, &pq_problem_set, pq_catalog_problem(catalog, 0), n_problems);
	return row->tracepoint_set.content && row->problem_set.content;
}

static struct pq_content *make_result(struct maker *maker, const struct pmuq_open_result *result)
{
	bool is_new;
	struct pq_content *content = share(maker, &pq_open_result_set, result, &is_new);

	if (content && is_new) {
		content->own = result;
		pq_content_hash(content);
	}
	return content;
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
			.open_result.content = make_result(maker, result->open),
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

struct pq_hash pq_snapshot_hash(const struct pq_snapshot *snapshot)
{
	const struct pq_snapshot_row *row = &snapshot->row;
	const struct pq_own_fact *fact = snapshot->own_facts.v;
	struct pq_hasher hasher;

	pq_hash_begin(&hasher, STR("pmuq.snapshot/1"));
	for (size_t i = 0; i < snapshot->own_facts.n; i++) {
		pq_hash_text(&hasher, fact[i].name);
		if (!fact[i].is_volatile)
			pq_hash_text(&hasher, fact[i].text);
	}
	pq_hash_hash(&hasher, &row->layout.content->hash);
	pq_hash_hash(&hasher, &row->fact_set.content->hash);
	pq_hash_hash(&hasher, &row->tracepoint_set.content->hash);
	pq_hash_hash(&hasher, &row->problem_set.content->hash);
	return pq_hash_end(&hasher);
}

int pq_snapshot_make(const struct pmuq_catalog *catalog, const struct pmuq_check *check,
		     struct pq_snapshot *ret, struct pmuq_error **reterr)
{
	struct maker maker = { .snapshot = ret, .arena = &ret->contents.arena };
	bool is_made;

	*ret = (struct pq_snapshot){ 0 };
	pq_arena_init(maker.arena, NULL, 0, PQ_SNAPSHOT_MAX_BYTES);
	is_made = make_layout(&maker, catalog) && make_facts(&maker, catalog) &&
		  make_rest(&maker, catalog) && (!check || make_check(&maker, check));
	pq_intern_free(&maker.by_address);
	if (!is_made)
		return pq_fail_memory(reterr);
	ret->host_class = make_class(&ret->row);
	ret->row.hash = pq_snapshot_hash(ret);
	return 0;
}

void pq_snapshot_free(struct pq_snapshot *snapshot)
{
	pq_contents_end(&snapshot->contents);
}
