/* SPDX-License-Identifier: MIT */
/*
 * Makes a catalog from a snapshot, the same one that was saved, and a source from the catalog. The
 * catalog is built by core's builder, as from a directory or a document; every content is hashed
 * again, so a database that was changed by hand, or by a bad disk, gives an error and not a wrong
 * machine.
 */
#include "core/catalog/check.h"
#include "core/catalog/source.h"
#include "db/snapshot/kept.h"

struct loading {
	struct pmuq_str name;
	int64_t id; /* 0: the newest */
	struct pmuq_catalog *catalog;
};

/* The builder copies everything, so the contents can be freed after it. `known` is the definition
 * if the builder has that content already. */
static void add_pmu(struct pmuq_store *store, struct pq_builder *builder,
		    const struct pq_pmu_row *row, const struct pmuq_definition *known)
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
		.definition = known ? known : &def.record,
		.attributes = attributes->v,
		.n_attributes = attributes->n,
	};

	store->r = pq_builder_copy_pmu(builder, &pmu, store->reterr);
}

/* Instances of a PMU are adjacent, and most have one definition. */
static void add_pmus(struct pmuq_store *store, struct pq_builder *builder,
		     const struct pq_rows *pmus)
{
	const struct pq_pmu_row *rows = pmus->v;

	for (size_t i = 0; store->r == 0 && i < pmus->n; i++) {
		bool is_known = i && rows[i].definition.content == rows[i - 1].definition.content;

		add_pmu(store, builder, &rows[i],
			is_known ? pq_builder_last_definition(builder) : NULL);
	}
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

	add_pmus(store, builder, pmus);
	for (size_t i = 0; store->r == 0 && i < facts->n; i++)
		store->r = pq_builder_fact(builder, fact[i].name, fact[i].text, store->reterr);
	for (size_t i = 0; store->r == 0 && i < tracepoints->n; i++)
		store->r = pq_builder_tracepoint(
			builder, &((const struct pmuq_tracepoint *)tracepoints->v)[i],
			store->reterr);
	for (size_t i = 0; store->r == 0 && i < problems->n; i++)
		store->r = pq_builder_problem(
			builder, &((const struct pmuq_problem *)problems->v)[i], store->reterr);
}

/* Without the facts of the host and the check. NULL after an error. */
static struct pmuq_catalog *build(struct pq_snapshot *snapshot)
{
	struct pmuq_store *store = snapshot->contents.store;
	struct pmuq_catalog *catalog = NULL;
	struct pq_builder *builder = NULL;

	pq_refs_load(&snapshot->contents, &pq_snapshot_table,
		     (struct pq_rows){ .own = &snapshot->row, .n = 1 });
	if (store->r == 0)
		store->r = pq_builder_new(&builder, store->reterr);
	if (store->r < 0)
		return NULL;
	add_rows(store, builder, snapshot);
	if (store->r == 0)
		store->r = pq_builder_finish(move(builder), &catalog, store->reterr);
	pq_builder_free(builder);
	return catalog;
}

/* ---- hosts that share machines */

/* A snapshot with the hashes of its contents. */
struct stored_row {
	struct pq_snapshot_row row;
	struct pq_kept_machine hashes;
	struct pq_optional check_set;
};

static const struct pq_column stored_columns[] = {
	{ PQ_COLUMN_AS(struct stored_row, row.hash, "snapshot.hash") },
	{ PQ_COLUMN_AS(struct stored_row, row.layout, "snapshot.layout") },
	{ PQ_COLUMN_AS(struct stored_row, row.fact_set, "snapshot.fact_set") },
	{ PQ_COLUMN_AS(struct stored_row, row.tracepoint_set, "snapshot.tracepoint_set") },
	{ PQ_COLUMN_AS(struct stored_row, row.problem_set, "snapshot.problem_set") },
	{ PQ_COLUMN_AS(struct stored_row, hashes.layout, "layout.hash") },
	{ PQ_COLUMN_AS(struct stored_row, hashes.fact_set, "fact_set.hash") },
	{ PQ_COLUMN_AS(struct stored_row, hashes.tracepoint_set, "tracepoint_set.hash") },
	{ PQ_COLUMN_AS(struct stored_row, hashes.problem_set, "problem_set.hash") },
	{ PQ_COLUMN(struct stored_row, check_set) },
};

/* The row of the snapshot, the facts of its host, and the hashes of its contents: in one round trip
 * to a server. Fails unless its own hash is that of all of these. */
static void read_row(struct pq_snapshot *snapshot, int64_t id, struct stored_row *ret)
{
	struct pq_contents *contents = &snapshot->contents;
	struct pmuq_store *store = contents->store;
	struct pq_hash computed;
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };

	pq_stmt_begin(&stmt, store,
		      PQ_QUERY(stored_columns,
			       "FROM snapshot JOIN layout ON layout.id = snapshot.layout"
			       " JOIN fact_set ON fact_set.id = snapshot.fact_set"
			       " JOIN tracepoint_set ON tracepoint_set.id = snapshot.tracepoint_set"
			       " JOIN problem_set ON problem_set.id = snapshot.problem_set"
			       " LEFT JOIN snapshot_check ON snapshot_check.snapshot = snapshot.id"
			       " WHERE snapshot.id = ?"),
		      PQ_PARAMS(id));
	pq_stmt_queue(&stmt);
	snapshot->own_facts = pq_table_load(store, &pq_own_fact_table, id, &contents->arena);
	if (!pq_stmt_next(&stmt, ret, NULL)) {
		pq_store_fail_content(store, "a part of it is missing");
		return;
	}
	snapshot->row = ret->row;
	computed =
		pq_snapshot_hash_of(snapshot->own_facts, &ret->hashes.layout, &ret->hashes.fact_set,
				    &ret->hashes.tracepoint_set, &ret->hashes.problem_set);
	pq_hash_check(store, &snapshot->row.hash, &computed);
}

static bool is_small(const struct pq_contents *contents)
{
	return PQ_CONTENTS_MAX_BYTES - contents->arena.left_bytes <= PQ_KEPT_MACHINE_MAX_BYTES;
}

/* Gets the machine, and its check if it has one, from the store's memory or from the database.
 * What is in *machine is the caller's. */
static void read_machine(struct pq_snapshot *snapshot, int64_t id, bool is_checked,
			 struct pq_kept_machine *machine, int64_t *ret_checked_s)
{
	struct pq_stored_check check = { 0 };
	const struct pq_kept_machine *kept;
	bool has_check;

	if (is_checked)
		pq_snapshot_find_check(&snapshot->contents, id, &check);
	machine->check_set = check.hash;
	machine->total = check.total;
	*ret_checked_s = check.checked;
	kept = snapshot->contents.store->r == 0 ? pq_kept_find(snapshot->contents.store, machine)
						: NULL;
	machine->catalog = kept ? pmuq_catalog_share(kept->catalog) : build(snapshot);
	has_check = kept && pq_kept_has_check_of(kept, machine);
	if (has_check && kept->check)
		machine->check = pq_check_share(kept->check);
	else if (is_checked && !has_check)
		machine->check = pq_snapshot_read_check(&snapshot->contents, &check);
	if (snapshot->contents.store->r == 0 && !has_check && is_small(&snapshot->contents))
		pq_kept_add(snapshot->contents.store, machine);
}

/* The machine with the facts and the time of the check of this host. */
static void make_host(struct pq_snapshot *snapshot, const struct pq_kept_machine *machine,
		      int64_t checked_s, struct pmuq_catalog **ret)
{
	struct pmuq_store *store = snapshot->contents.store;
	const struct pq_own_fact *own = snapshot->own_facts.v;
	size_t n = snapshot->own_facts.n;
	struct pmuq_pair *facts = pq_arena_array(&snapshot->contents.arena, n, sizeof(*facts));
	struct pmuq_check *check = NULL;

	if (!facts)
		pq_store_fail_memory(store);
	for (size_t i = 0; facts && i < n; i++)
		facts[i] = (struct pmuq_pair){ .name = own[i].name, .text = own[i].text };
	if (store->r == 0 && machine->check)
		store->r = pq_check_again(machine->check, checked_s, &check, store->reterr);
	if (store->r == 0)
		store->r = pq_catalog_vary(machine->catalog, facts, n, check, ret, store->reterr);
}

static void load_within(struct pmuq_store *store, void *arg)
{
	struct loading *loading = arg;
	struct pq_snapshot snapshot = { 0 };
	struct stored_row stored = { 0 };
	struct pq_kept_machine *machine = &stored.hashes;
	int64_t id = pq_store_find_snapshot(store, loading->name, loading->id), checked_s = 0;

	pmuq_catalog_free(move(loading->catalog));
	pq_contents_begin(&snapshot.contents, store);
	read_row(&snapshot, id, &stored);
	read_machine(&snapshot, id, stored.check_set.is_set, machine, &checked_s);
	make_host(&snapshot, machine, checked_s, &loading->catalog);
	pmuq_catalog_free(machine->catalog);
	pmuq_check_free(machine->check);
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
