/* SPDX-License-Identifier: MIT */
/*
 * A snapshot becomes a catalog, the same one that was saved, and the catalog a source. The catalog
 * is built by core's builder, as from a directory or a document; every content is hashed again on
 * the way, so a database that was changed by hand, or by a bad disk, gives an error and not a wrong
 * machine.
 */
#include "core/catalog/source.h"
#include "db/db.h"
#include "db/hosts/find.h"
#include "db/snapshot/snapshot.h"

struct loading {
	struct pmuq_str name;
	int64_t id; /* 0: the newest */
	struct pmuq_catalog *catalog;
};

static int add_pmus(struct pq_builder *builder, struct pq_rows rows, struct pmuq_error **reterr)
{
	const struct pq_pmu_row *row = rows.v;
	int r = 0;

	for (size_t i = 0; r == 0 && i < rows.n; i++) {
		const struct pq_rows *rows_of = row[i].definition.content->rows;
		const struct pq_rows *attributes = row[i].attribute_set.content->rows;
		const struct pq_def def = {
			.record = { .caps = rows_of[PQ_DEFINITION_CAPS].v,
				    .n_formats = rows_of[PQ_DEFINITION_FORMATS].n,
				    .n_events = rows_of[PQ_DEFINITION_EVENTS].n,
				    .n_caps = rows_of[PQ_DEFINITION_CAPS].n },
			.formats = rows_of[PQ_DEFINITION_FORMATS].v,
			.events = rows_of[PQ_DEFINITION_EVENTS].v,
		};
		const struct pmuq_pmu pmu = {
			.name = row[i].name,
			.alias = row[i].alias,
			.cpumask = row[i].cpumask,
			.cpus_file = row[i].cpus,
			.type = (uint32_t)row[i].type.value,
			.has_type = row[i].type.is_set,
			.definition = &def.record,
			.attributes = attributes->v,
			.n_attributes = attributes->n,
		};

		r = pq_builder_copy_pmu(builder, &pmu, reterr);
	}
	return r;
}

/* The builder puts the facts in order. */
static int add_facts(struct pq_builder *builder, const struct pq_snapshot *snapshot,
		     struct pmuq_error **reterr)
{
	const struct pq_rows *shared = snapshot->row.fact_set.content->rows;
	const struct pq_own_fact *own = snapshot->own_facts.v;
	const struct pmuq_pair *fact = shared->v;
	int r = 0;

	for (size_t i = 0; r == 0 && i < shared->n; i++)
		r = pq_builder_fact(builder, fact[i].name, fact[i].text, reterr);
	for (size_t i = 0; r == 0 && i < snapshot->own_facts.n; i++)
		r = pq_builder_fact(builder, own[i].name, own[i].text, reterr);
	return r;
}

static int add_rest(struct pq_builder *builder, const struct pq_snapshot *snapshot,
		    struct pmuq_error **reterr)
{
	const struct pq_rows *tracepoints = snapshot->row.tracepoint_set.content->rows;
	const struct pq_rows *problems = snapshot->row.problem_set.content->rows;
	const struct pq_tracepoint *tracepoint = tracepoints->v;
	const struct pmuq_problem *problem = problems->v;
	int r = 0;

	for (size_t i = 0; r == 0 && i < tracepoints->n; i++)
		r = pq_builder_tracepoint(builder, &tracepoint[i], reterr);
	for (size_t i = 0; r == 0 && i < problems->n; i++)
		r = pq_builder_problem(builder, &problem[i], reterr);
	return r;
}

static struct pmuq_str find_kernel(const struct pq_snapshot *snapshot)
{
	const struct pq_rows *facts = snapshot->row.fact_set.content->rows;
	const struct pmuq_pair *fact = facts->v;

	for (size_t i = 0; i < facts->n; i++)
		if (str_eq(fact[i].name, STR("kernel")))
			return fact[i].text;
	return (struct pmuq_str){ 0 };
}

static int add_check(struct pq_builder *builder, struct pq_snapshot *snapshot, int64_t id,
		     struct pmuq_error **reterr)
{
	struct pmuq_check *check = NULL;
	int r = pq_snapshot_load_check(&snapshot->contents, id, find_kernel(snapshot), &check,
				       reterr);

	if (r == 0)
		pq_builder_check(builder, check);
	return r < 0 ? r : 0;
}

static int build(struct pq_snapshot *snapshot, int64_t id, struct pmuq_catalog **ret,
		 struct pmuq_error **reterr)
{
	struct pq_builder *builder = NULL;
	int r = pq_builder_new(&builder, reterr);

	if (r < 0)
		return r;
	r = add_pmus(builder, snapshot->row.layout.content->rows[0], reterr);
	if (r == 0)
		r = add_facts(builder, snapshot, reterr);
	if (r == 0)
		r = add_rest(builder, snapshot, reterr);
	if (r == 0)
		r = add_check(builder, snapshot, id, reterr);
	if (r == 0)
		r = pq_builder_finish(move(builder), ret, reterr);
	pq_builder_free(builder);
	return r;
}

static int load_snapshot(struct pq_snapshot *snapshot, int64_t id, struct pmuq_error **reterr)
{
	struct pq_contents *contents = &snapshot->contents;
	struct pq_hash computed;
	int r = pq_table_get(contents->store, &pq_snapshot_table, id, &contents->arena,
			     &snapshot->row, reterr);

	if (r == 0)
		r = pq_refs_load(contents, &pq_snapshot_table,
				 (struct pq_rows){ .own = &snapshot->row, .n = 1 }, reterr);
	if (r == 0)
		r = pq_table_load(contents->store, &pq_own_fact_table, id, &contents->arena,
				  &snapshot->own_facts, reterr);
	if (r < 0)
		return r;
	computed = pq_snapshot_hash(snapshot);
	return pq_hash_check(contents->store, &snapshot->row.hash, &computed, reterr);
}

static int load_within(struct pmuq_store *store, void *arg, struct pmuq_error **reterr)
{
	struct loading *loading = arg;
	struct pq_snapshot snapshot = { 0 };
	int64_t id = 0;
	int r = pq_store_find_snapshot(store, loading->name, loading->id, &id, reterr);

	if (r < 0)
		return r;
	pq_contents_begin(&snapshot.contents, store);
	r = load_snapshot(&snapshot, id, reterr);
	if (r == 0)
		r = build(&snapshot, id, &loading->catalog, reterr);
	pq_snapshot_free(&snapshot);
	return r;
}

static void forget_catalog(void *arg)
{
	struct loading *loading = arg;

	pmuq_catalog_free(move(loading->catalog));
}

PQ_API int pmuq_store_open_host(struct pmuq_store *store, const char *name, int64_t snapshot,
				struct pmuq_source **ret, struct pmuq_error **reterr)
{
	struct loading loading = { .name = str_of(name ? name : ""), .id = snapshot };
	const struct pq_work work = { .run = load_within, .undo = forget_catalog, .arg = &loading };
	int r;

	store->doing = "cannot read the snapshot";
	r = pq_store_read(store, &work, reterr);
	if (r < 0)
		return r;
	r = pq_source_of_catalog(loading.catalog, ret, reterr);
	if (r < 0)
		pmuq_catalog_free(loading.catalog);
	return r;
}
