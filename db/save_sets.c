/* SPDX-License-Identifier: MIT */
/* Contents into the store, each unless it is there already. */
#include "db/save.h"

int pq_save_find(struct pmuq_store *store, enum pq_sql find, const struct pq_hash *hash,
		 int64_t *ret_id, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt found = { 0 };
	int r = pq_stmt_begin(&found, store, find, reterr);

	if (r < 0)
		return r;
	pq_bind_hash(&found, hash);
	r = pq_stmt_step(&found, reterr);
	if (r != 0)
		return r;
	*ret_id = pq_column_int(&found, 0);
	return pq_stmt_check(&found, reterr);
}

int pq_save_find_or_add(struct pmuq_store *store, enum pq_sql find, enum pq_sql add,
			const struct pq_hash *hash, int64_t *ret_id, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt added = { 0 };
	int r = pq_save_find(store, find, hash, ret_id, reterr);

	if (r != PQ_NONE)
		return r;
	r = pq_stmt_begin(&added, store, add, reterr);
	if (r < 0)
		return r;
	pq_bind_hash(&added, hash);
	r = pq_stmt_run(&added, reterr);
	if (r < 0)
		return r;
	*ret_id = store->lib.last_insert_rowid(store->db);
	return PQ_NONE;
}

static int fill_pairs(struct pmuq_store *store, enum pq_sql add, int64_t id,
		      const struct pmuq_pair *pairs, size_t n, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, add, reterr);

	for (size_t i = 0; r == 0 && i < n; i++) {
		pq_bind_int(&stmt, id);
		pq_bind_int(&stmt, (int64_t)i);
		pq_bind_str(&stmt, pairs[i].name);
		pq_bind_str(&stmt, pairs[i].text);
		r = pq_stmt_run(&stmt, reterr);
	}
	return r;
}

static int fill_formats(struct pmuq_store *store, int64_t id, const struct pq_def *def,
			struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_ADD_FORMAT, reterr);

	for (size_t i = 0; r == 0 && i < def->record.n_formats; i++) {
		pq_bind_int(&stmt, id);
		pq_bind_int(&stmt, (int64_t)i);
		pq_bind_str(&stmt, def->formats[i].name);
		pq_bind_str(&stmt, def->formats[i].text);
		r = pq_stmt_run(&stmt, reterr);
	}
	return r;
}

static int fill_events(struct pmuq_store *store, int64_t id, const struct pq_def *def,
		       struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_ADD_EVENT, reterr);

	for (size_t i = 0; r == 0 && i < def->record.n_events; i++) {
		const struct pmuq_event *event = &def->events[i];

		pq_bind_int(&stmt, id);
		pq_bind_int(&stmt, (int64_t)i);
		pq_bind_str(&stmt, event->name);
		pq_bind_str(&stmt, event->terms);
		pq_bind_str(&stmt, event->unit);
		pq_bind_str(&stmt, event->scale);
		pq_bind_int(&stmt, event->is_per_pkg);
		pq_bind_int(&stmt, event->is_snapshot);
		pq_bind_int(&stmt, event->has_unit_file);
		pq_bind_int(&stmt, event->has_scale_file);
		r = pq_stmt_run(&stmt, reterr);
	}
	return r;
}

static int save_definition(struct pmuq_store *store, const struct pq_def *def,
			   struct pq_shared *shared, struct pmuq_error **reterr)
{
	int r;

	if (shared->id)
		return 0;
	r = pq_save_find_or_add(store, PQ_SQL_FIND_DEFINITION, PQ_SQL_ADD_DEFINITION, &shared->hash,
				&shared->id, reterr);
	if (r != PQ_NONE)
		return r;
	r = fill_formats(store, shared->id, def, reterr);
	if (r == 0)
		r = fill_events(store, shared->id, def, reterr);
	if (r == 0)
		r = fill_pairs(store, PQ_SQL_ADD_CAP, shared->id, def->record.caps,
			       def->record.n_caps, reterr);
	return r;
}

static int save_attributes(struct pmuq_store *store, const struct pmuq_pmu *pmu,
			   struct pq_shared *shared, struct pmuq_error **reterr)
{
	int r;

	if (shared->id)
		return 0;
	r = pq_save_find_or_add(store, PQ_SQL_FIND_ATTRIBUTES, PQ_SQL_ADD_ATTRIBUTES, &shared->hash,
				&shared->id, reterr);
	if (r != PQ_NONE)
		return r;
	return fill_pairs(store, PQ_SQL_ADD_ATTRIBUTE, shared->id, pmu->attributes,
			  pmu->n_attributes, reterr);
}

static int add_pmu(struct pq_stmt *stmt, int64_t layout, size_t position,
		   const struct pmuq_pmu *pmu, const struct pq_measured *measured,
		   struct pmuq_error **reterr)
{
	pq_bind_int(stmt, layout);
	pq_bind_int(stmt, (int64_t)position);
	pq_bind_str(stmt, pmu->name);
	if (pmu->has_type)
		pq_bind_int(stmt, pmu->type);
	else
		pq_bind_null(stmt);
	pq_bind_str(stmt, pmu->alias);
	pq_bind_str(stmt, pmu->cpumask);
	pq_bind_str(stmt, pmu->cpus_file);
	pq_bind_int(stmt, measured->definitions[position]->id);
	pq_bind_int(stmt, measured->attributes[position]->id);
	return pq_stmt_run(stmt, reterr);
}

static int fill_layout(struct pmuq_store *store, int64_t id, const struct pmuq_catalog *catalog,
		       const struct pq_measured *measured, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_ADD_PMU, reterr);

	for (size_t i = 0; r == 0 && i < pmuq_catalog_machine(catalog)->n_pmus; i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(catalog, i);

		r = save_definition(store, pq_def_of(pmu), measured->definitions[i], reterr);
		if (r == 0)
			r = save_attributes(store, pmu, measured->attributes[i], reterr);
		if (r == 0)
			r = add_pmu(&stmt, id, i, pmu, measured, reterr);
	}
	return r;
}

static int fill_facts(struct pmuq_store *store, int64_t id, const struct pmuq_catalog *catalog,
		      const struct pq_measured *measured, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_ADD_FACT, reterr);

	(void)measured;
	for (size_t i = 0; r == 0 && i < pmuq_catalog_machine(catalog)->n_facts; i++) {
		const struct pmuq_pair *fact = pq_catalog_fact(catalog, i);

		if (pq_fact_owner(fact->name) != PQ_FACT_SHARED)
			continue;
		pq_bind_int(&stmt, id);
		pq_bind_int(&stmt, (int64_t)i);
		pq_bind_str(&stmt, fact->name);
		pq_bind_str(&stmt, fact->text);
		r = pq_stmt_run(&stmt, reterr);
	}
	return r;
}

static int fill_tracepoints(struct pmuq_store *store, int64_t id,
			    const struct pmuq_catalog *catalog, const struct pq_measured *measured,
			    struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_ADD_TRACEPOINT, reterr);

	(void)measured;
	for (size_t i = 0; r == 0 && i < pq_catalog_tracepoint_count(catalog); i++) {
		const struct pq_tracepoint *tracepoint = pq_catalog_tracepoint(catalog, i);

		pq_bind_int(&stmt, id);
		pq_bind_int(&stmt, (int64_t)i);
		pq_bind_str(&stmt, tracepoint->subsystem);
		pq_bind_str(&stmt, tracepoint->name);
		pq_bind_int(&stmt, (int64_t)tracepoint->id);
		r = pq_stmt_run(&stmt, reterr);
	}
	return r;
}

static int fill_problems(struct pmuq_store *store, int64_t id, const struct pmuq_catalog *catalog,
			 const struct pq_measured *measured, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_ADD_PROBLEM, reterr);

	(void)measured;
	for (size_t i = 0; r == 0 && i < pmuq_catalog_machine(catalog)->n_problems; i++) {
		const struct pmuq_problem *problem = pq_catalog_problem(catalog, i);

		pq_bind_int(&stmt, id);
		pq_bind_int(&stmt, (int64_t)i);
		pq_bind_str(&stmt, problem->path);
		pq_bind_str(&stmt, problem->message);
		pq_bind_int(&stmt, problem->code);
		pq_bind_int(&stmt, problem->errnum);
		r = pq_stmt_run(&stmt, reterr);
	}
	return r;
}

/* The four sets of a snapshot. */
static const struct set {
	enum pq_sql find, add;
	size_t hash, id; /* where they stand in pq_measured and pq_set_ids */
	int (*fill)(struct pmuq_store *store, int64_t id, const struct pmuq_catalog *catalog,
		    const struct pq_measured *measured, struct pmuq_error **reterr);
} sets[] = {
	{
		.find = PQ_SQL_FIND_LAYOUT,
		.add = PQ_SQL_ADD_LAYOUT,
		.hash = offsetof(struct pq_measured, layout),
		.id = offsetof(struct pq_set_ids, layout),
		.fill = fill_layout,
	},
	{
		.find = PQ_SQL_FIND_FACTS,
		.add = PQ_SQL_ADD_FACTS,
		.hash = offsetof(struct pq_measured, facts),
		.id = offsetof(struct pq_set_ids, facts),
		.fill = fill_facts,
	},
	{
		.find = PQ_SQL_FIND_TRACEPOINTS,
		.add = PQ_SQL_ADD_TRACEPOINTS,
		.hash = offsetof(struct pq_measured, tracepoints),
		.id = offsetof(struct pq_set_ids, tracepoints),
		.fill = fill_tracepoints,
	},
	{
		.find = PQ_SQL_FIND_PROBLEMS,
		.add = PQ_SQL_ADD_PROBLEMS,
		.hash = offsetof(struct pq_measured, problems),
		.id = offsetof(struct pq_set_ids, problems),
		.fill = fill_problems,
	},
};

int pq_save_sets(struct pmuq_store *store, const struct pmuq_catalog *catalog,
		 const struct pq_measured *measured, struct pq_set_ids *ret,
		 struct pmuq_error **reterr)
{
	for (size_t i = 0; i < COUNT(sets); i++) {
		const struct pq_hash *hash = (const void *)((const char *)measured + sets[i].hash);
		int64_t *id = (void *)((char *)ret + sets[i].id);
		int r = pq_save_find_or_add(store, sets[i].find, sets[i].add, hash, id, reterr);

		if (r == PQ_NONE)
			r = sets[i].fill(store, *id, catalog, measured, reterr);
		if (r < 0)
			return r;
	}
	return 0;
}
