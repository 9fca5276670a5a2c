/* SPDX-License-Identifier: MIT */
/*
 * Makes a catalog from a snapshot, the same one that was saved, and a source from the catalog. The
 * catalog is built by core's builder, as from a directory or a document; every content is hashed
 * again, so a database that was changed by hand, or by a bad disk, gives an error and not a wrong
 * machine.
 */
#include "core/catalog/source.h"
#include "db/snapshot/snapshot.h"

struct loading {
	struct pmuq_str name;
	int64_t id; /* 0: the newest */
	struct pmuq_catalog *catalog;
};

/* The builder copies everything, so the contents can be freed after it. */
static void add_pmu(struct pmuq_store *store, struct pq_builder *builder,
		    const struct pq_pmu_row *row)
{
	const struct pq_rows *rows_of = row->definition.content->rows;
	const struct pq_rows *attributes = row->attribute_set.content->rows;
	const struct pq_def def = {
		.record = { .caps = rows_of[PQ_DEFINITION_CAPS].v,
			    .n_formats = rows_of[PQ_DEFINITION_FORMATS].n,
			    .n_events = rows_of[PQ_DEFINITION_EVENTS].n,
			    .n_caps = rows_of[PQ_DEFINITION_CAPS].n },
		.formats = rows_of[PQ_DEFINITION_FORMATS].v,
		.events = rows_of[PQ_DEFINITION_EVENTS].v,
	};
	const struct pmuq_pmu pmu = {
		.name = row->name,
		.alias = row->alias,
		.cpumask = row->cpumask,
		.cpus_file = row->cpus,
		.type = (uint32_t)row->type.value,
		.has_type = row->type.is_set,
		.definition = &def.record,
		.attributes = attributes->v,
		.n_attributes = attributes->n,
	};

	store->r = pq_builder_copy_pmu(builder, &pmu, store->reterr);
}

/* The builder puts the facts in order. */
static void add_rows(struct pmuq_store *store, struct pq_builder *builder,
		     const struct pq_snapshot *snapshot)
{
	const struct pq_snapshot_row *row = &snapshot->row;
	const struct pq_rows *pmus = row->layout.content->rows;
	const struct pq_rows *facts = row->fact_set.content->rows;
	const struct pq_rows *tracepoints = row->tracepoint_set.content->rows;
	const struct pq_rows *problems = row->problem_set.content->rows;
	const struct pmuq_pair *fact = facts->v;
	const struct pq_own_fact *own = snapshot->own_facts.v;

	for (size_t i = 0; store->r == 0 && i < pmus->n; i++)
		add_pmu(store, builder, &((const struct pq_pmu_row *)pmus->v)[i]);
	for (size_t i = 0; store->r == 0 && i < facts->n; i++)
		store->r = pq_builder_fact(builder, fact[i].name, fact[i].text, store->reterr);
	for (size_t i = 0; store->r == 0 && i < snapshot->own_facts.n; i++)
		store->r = pq_builder_fact(builder, own[i].name, own[i].text, store->reterr);
	for (size_t i = 0; store->r == 0 && i < tracepoints->n; i++)
		store->r = pq_builder_tracepoint(
			builder, &((const struct pmuq_tracepoint *)tracepoints->v)[i],
			store->reterr);
	for (size_t i = 0; store->r == 0 && i < problems->n; i++)
		store->r = pq_builder_problem(
			builder, &((const struct pmuq_problem *)problems->v)[i], store->reterr);
}

/* NULL after an error. */
static struct pmuq_catalog *build(struct pq_snapshot *snapshot, int64_t id)
{
	struct pmuq_store *store = snapshot->contents.store;
	struct pmuq_catalog *catalog = NULL;
	struct pq_builder *builder = NULL;

	if (store->r == 0)
		store->r = pq_builder_new(&builder, store->reterr);
	if (store->r < 0)
		return NULL;
	add_rows(store, builder, snapshot);
	pq_builder_check(builder, pq_snapshot_load_check(&snapshot->contents, id));
	if (store->r == 0)
		store->r = pq_builder_finish(move(builder), &catalog, store->reterr);
	pq_builder_free(builder);
	return catalog;
}

/* The row, the contents that it refers to, and the facts of the host; then the hash over all of
 * them. */
static void load_snapshot(struct pq_snapshot *snapshot, int64_t id)
{
	struct pq_contents *contents = &snapshot->contents;
	struct pq_hash computed;

	if (!pq_table_get(contents->store, &pq_snapshot_table, id, &contents->arena,
			  &snapshot->row)) {
		pq_store_fail_content(contents->store, "the snapshot is missing");
		return;
	}
	pq_refs_load(contents, &pq_snapshot_table,
		     (struct pq_rows){ .own = &snapshot->row, .n = 1 });
	snapshot->own_facts =
		pq_table_load(contents->store, &pq_own_fact_table, id, &contents->arena);
	if (contents->store->r < 0)
		return;
	computed = pq_snapshot_hash(snapshot);
	pq_hash_check(contents->store, &snapshot->row.hash, &computed);
}

static void load_within(struct pmuq_store *store, void *arg)
{
	struct loading *loading = arg;
	struct pq_snapshot snapshot = { 0 };
	int64_t id = pq_store_find_snapshot(store, loading->name, loading->id);

	pmuq_catalog_free(move(loading->catalog));
	pq_contents_begin(&snapshot.contents, store);
	load_snapshot(&snapshot, id);
	loading->catalog = build(&snapshot, id);
	pq_snapshot_free(&snapshot);
}

PQ_API int pmuq_store_open_host(struct pmuq_store *store, const char *name, int64_t snapshot,
				struct pmuq_source **ret, struct pmuq_error **reterr)
{
	struct loading loading = { .name = str_of(name ? name : ""), .id = snapshot };
	int r = pq_store_read(store, "cannot read the snapshot", load_within, &loading, reterr);

	if (r == 0)
		r = pmuq_source_open_catalog(loading.catalog, ret, reterr);
	if (r < 0)
		pmuq_catalog_free(loading.catalog);
	return r;
}
