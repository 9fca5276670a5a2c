/* SPDX-License-Identifier: MIT */
/*
 * The class of a snapshot: a hash of its layout, its tracepoints, and the facts that the encoder
 * can query. core/catalog/fact.h alone marks these facts: the encoder cannot name any other fact
 * (enum pq_class_fact), so a fact that it begins to use becomes part of the hash.
 */
#include "core/catalog/fact.h"
#include "db/snapshot/snapshot.h"

struct pq_hash pq_host_class_hash(const struct pq_hash *layout, const struct pq_hash *tracepoints,
				  struct pq_rows facts)
{
	const struct pmuq_pair *fact = facts.v;
	struct pq_hasher hasher;

	pq_hash_begin(&hasher, str_of(pq_host_class_set.domain));
	pq_hash_hash(&hasher, layout);
	pq_hash_hash(&hasher, tracepoints);
	for (size_t i = 0; i < facts.n; i++) {
		if (!pq_fact_is_of_class(fact[i].name))
			continue;
		pq_hash_text(&hasher, fact[i].name);
		pq_hash_text(&hasher, fact[i].text);
	}
	return pq_hash_end(&hasher);
}

/* The data from which the class of a snapshot is computed. */
struct class_input {
	int64_t layout, tracepoint_set, fact_set;
};

static const struct pq_column input_columns[] = {
	{ PQ_COLUMN(struct class_input, layout) },
	{ PQ_COLUMN(struct class_input, tracepoint_set) },
	{ PQ_COLUMN(struct class_input, fact_set) },
};

static void update(struct pmuq_store *store, const struct class_input *input)
{
	auto_arena struct pq_arena arena = PQ_ARENA(PQ_CONTENTS_MAX_BYTES);
	struct pq_content class = { .set = &pq_host_class_set };
	struct pq_hash layout = pq_set_hash(store, &pq_layout_set, input->layout);
	struct pq_hash tracepoints = pq_set_hash(store, &pq_tracepoint_set, input->tracepoint_set);

	class.hash = pq_host_class_hash(
		&layout, &tracepoints,
		pq_table_load(store, &pq_fact_set.tables[0], input->fact_set, &arena));
	pq_content_save(store, &class);
	pq_sql_run(store,
		   "UPDATE snapshot SET host_class = ?1"
		   " WHERE layout = ?2 AND tracepoint_set = ?3 AND fact_set = ?4",
		   PQ_PARAMS(class.id, input->layout, input->tracepoint_set, input->fact_set));
}

/* Without the index each of the sets would cost a scan of all snapshots, and many hosts
 * can have many sets. Nothing else needs it. */
void pq_host_class_update(struct pmuq_store *store)
{
	auto_arena struct pq_arena arena = PQ_ARENA(PQ_CONTENTS_MAX_BYTES);
	const struct class_input *inputs;
	struct pq_rows rows;

	pq_store_exec(store, "CREATE INDEX snapshot_by_sets"
			     " ON snapshot (fact_set, layout, tracepoint_set)");
	rows = pq_sql_rows(
		store,
		PQ_QUERY(input_columns, "FROM snapshot GROUP BY layout, tracepoint_set, fact_set"),
		PQ_NO_PARAMS, sizeof(*inputs), &arena);
	inputs = rows.v;
	for (size_t i = 0; store->r == 0 && i < rows.n; i++)
		update(store, &inputs[i]);
	pq_store_exec(store, "DROP INDEX snapshot_by_sets");
	pq_set_drop_unused(store, &pq_host_class_set);
}
