/* SPDX-License-Identifier: MIT */
/* A snapshot becomes a catalog, the very one that was saved, and that a source. */
#include "db/load.h"
#include "core/catalog/source.h"

struct request {
	struct pmuq_str name;
	int64_t snapshot; /* 0: the newest */
	struct pmuq_catalog *catalog;
};

struct snapshot {
	int64_t id, layout, facts, tracepoints, problems;
	struct pq_hash hash;
};

static int load_snapshot(struct pmuq_store *store, const struct request *request, int64_t host,
			 struct snapshot *ret, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_LOAD_SNAPSHOT, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, host);
	pq_bind_int(&stmt, request->snapshot);
	r = pq_stmt_step(&stmt, reterr);
	if (r == PQ_NONE)
		return pq_store_fail_unknown_snapshot(store, request->name, host, request->snapshot,
						      reterr);
	if (r < 0)
		return r;
	*ret = (struct snapshot){
		.id = pq_column_int(&stmt, 0),
		.hash = pq_column_hash(&stmt, 1),
		.layout = pq_column_int(&stmt, 2),
		.facts = pq_column_int(&stmt, 3),
		.tracepoints = pq_column_int(&stmt, 4),
		.problems = pq_column_int(&stmt, 5),
	};
	return pq_stmt_check(&stmt, reterr);
}

/* Fails when the content of a set is not what its hash says; else puts the hash out. */
static int check_set(struct pmuq_store *store, enum pq_sql hash_of, int64_t id,
		     struct pq_digest *digest, struct pq_hash *ret, struct pmuq_error **reterr)
{
	struct pq_hash kept;
	int r = pq_load_hash(store, hash_of, id, &kept, reterr);

	if (r < 0)
		return r;
	*ret = pq_digest_end(digest);
	return pq_load_check(store, &kept, ret, reterr);
}

static int pmu_of(struct pq_loading *loading, struct pq_stmt *stmt, struct pmuq_pmu *ret,
		  struct pmuq_error **reterr)
{
	int64_t type = pq_column_is_null(stmt, 1) ? 0 : pq_column_int(stmt, 1);

	*ret = (struct pmuq_pmu){
		.name = pq_column_text(stmt, 0, &loading->arena),
		.type = (uint32_t)type,
		.has_type = !pq_column_is_null(stmt, 1),
		.alias = pq_column_str(stmt, 2, &loading->arena),
		.cpumask = pq_column_str(stmt, 3, &loading->arena),
		.cpus_file = pq_column_str(stmt, 4, &loading->arena),
	};
	return pq_stmt_check(stmt, reterr);
}

static int add_pmu(struct pq_loading *loading, const struct pmuq_pmu *pmu,
		   const struct pq_kept *definition, const struct pq_kept *attributes,
		   struct pmuq_error **reterr)
{
	struct pmuq_pmu whole = *pmu;

	whole.definition = &definition->def.record;
	whole.attributes = attributes->attributes;
	whole.n_attributes = attributes->n_attributes;
	return pq_builder_copy_pmu(loading->builder, &whole, reterr);
}

static int load_pmu(struct pq_loading *loading, struct pq_stmt *stmt, struct pq_digest *digest,
		    struct pmuq_error **reterr)
{
	const struct pq_kept *definition = NULL, *attributes = NULL;
	struct pmuq_pmu pmu;
	int r = pmu_of(loading, stmt, &pmu, reterr);

	if (r == 0)
		r = pq_load_definition(loading, pq_column_int(stmt, 5), &definition, reterr);
	if (r == 0)
		r = pq_load_attributes(loading, pq_column_int(stmt, 6), &attributes, reterr);
	if (r < 0)
		return r;
	pq_digest_pmu(digest, &pmu, &definition->hash, &attributes->hash);
	return add_pmu(loading, &pmu, definition, attributes, reterr);
}

static int load_pmus(struct pq_loading *loading, int64_t layout, struct pq_hash *ret,
		     struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_digest digest;
	int r = pq_stmt_begin(&stmt, loading->store, PQ_SQL_LOAD_PMUS, reterr);

	if (r < 0)
		return r;
	pq_digest_begin(&digest, PQ_KIND_LAYOUT);
	pq_bind_int(&stmt, layout);
	while ((r = pq_stmt_step(&stmt, reterr)) == 0) {
		r = load_pmu(loading, &stmt, &digest, reterr);
		if (r < 0)
			return r;
	}
	if (r < 0)
		return r;
	return check_set(loading->store, PQ_SQL_HASH_OF_LAYOUT, layout, &digest, ret, reterr);
}

/* *own is the digest of the snapshot, which its own facts belong to. */
static int load_facts(struct pq_loading *loading, const struct snapshot *snapshot,
		      struct pq_digest *own, struct pq_hash *ret, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_digest shared;
	int r = pq_stmt_begin(&stmt, loading->store, PQ_SQL_LOAD_FACTS, reterr);

	if (r < 0)
		return r;
	pq_digest_begin(&shared, PQ_KIND_FACTS);
	pq_digest_begin(own, PQ_KIND_SNAPSHOT);
	pq_bind_int(&stmt, snapshot->facts);
	pq_bind_int(&stmt, snapshot->id);
	while ((r = pq_stmt_step(&stmt, reterr)) == 0) {
		struct pmuq_pair fact = { .name = pq_column_text(&stmt, 1, &loading->arena),
					  .text = pq_column_text(&stmt, 2, &loading->arena) };
		bool is_own = pq_column_bool(&stmt, 3), is_passing = pq_column_bool(&stmt, 4);

		pq_digest_fact(is_own ? own : &shared, is_passing ? PQ_FACT_VOLATILE : PQ_FACT_HOST,
			       (size_t)pq_column_int(&stmt, 0), &fact);
		if (str_eq(fact.name, STR("kernel")))
			loading->kernel = fact.text;
		r = pq_builder_fact(loading->builder, fact.name, fact.text, reterr);
		if (r < 0)
			return r;
	}
	if (r < 0)
		return r;
	return check_set(loading->store, PQ_SQL_HASH_OF_FACTS, snapshot->facts, &shared, ret,
			 reterr);
}

static int load_tracepoints(struct pq_loading *loading, int64_t set, struct pq_hash *ret,
			    struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_digest digest;
	int r = pq_stmt_begin(&stmt, loading->store, PQ_SQL_LOAD_TRACEPOINTS, reterr);

	if (r < 0)
		return r;
	pq_digest_begin(&digest, PQ_KIND_TRACEPOINTS);
	pq_bind_int(&stmt, set);
	while ((r = pq_stmt_step(&stmt, reterr)) == 0) {
		struct pq_tracepoint tracepoint = {
			.subsystem = pq_column_text(&stmt, 0, &loading->arena),
			.name = pq_column_text(&stmt, 1, &loading->arena),
			.id = (uint64_t)pq_column_int(&stmt, 2),
		};

		pq_digest_tracepoint(&digest, &tracepoint);
		r = pq_builder_tracepoint(loading->builder, &tracepoint, reterr);
		if (r < 0)
			return r;
	}
	if (r < 0)
		return r;
	return check_set(loading->store, PQ_SQL_HASH_OF_TRACEPOINTS, set, &digest, ret, reterr);
}

static int load_problems(struct pq_loading *loading, int64_t set, struct pq_hash *ret,
			 struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_digest digest;
	int r = pq_stmt_begin(&stmt, loading->store, PQ_SQL_LOAD_PROBLEMS, reterr);

	if (r < 0)
		return r;
	pq_digest_begin(&digest, PQ_KIND_PROBLEMS);
	pq_bind_int(&stmt, set);
	while ((r = pq_stmt_step(&stmt, reterr)) == 0) {
		struct pmuq_problem problem = {
			.path = pq_column_text(&stmt, 0, &loading->arena),
			.message = pq_column_text(&stmt, 1, &loading->arena),
			.code = (enum pmuq_code)pq_column_int(&stmt, 2),
			.errnum = (int)pq_column_int(&stmt, 3),
		};

		pq_digest_problem(&digest, &problem);
		r = pq_builder_problem(loading->builder, &problem, reterr);
		if (r < 0)
			return r;
	}
	if (r < 0)
		return r;
	return check_set(loading->store, PQ_SQL_HASH_OF_PROBLEMS, set, &digest, ret, reterr);
}

static int load_check(struct pq_loading *loading, const struct snapshot *snapshot,
		      struct pmuq_error **reterr)
{
	struct pmuq_check *check = NULL;
	int r = pq_load_check_of(loading, snapshot->id, loading->kernel, &check, reterr);

	if (r == 0)
		pq_builder_check(loading->builder, check);
	return r < 0 ? r : 0;
}

static int load_all(struct pq_loading *loading, const struct snapshot *snapshot,
		    struct pmuq_error **reterr)
{
	struct pq_hash layout, facts, tracepoints, problems, found;
	struct pq_digest own;
	int r = load_pmus(loading, snapshot->layout, &layout, reterr);

	if (r == 0)
		r = load_facts(loading, snapshot, &own, &facts, reterr);
	if (r == 0)
		r = load_tracepoints(loading, snapshot->tracepoints, &tracepoints, reterr);
	if (r == 0)
		r = load_problems(loading, snapshot->problems, &problems, reterr);
	if (r < 0)
		return r;
	found = pq_digest_snapshot(&own, &layout, &facts, &tracepoints, &problems);
	r = pq_load_check(loading->store, &snapshot->hash, &found, reterr);
	return r < 0 ? r : load_check(loading, snapshot, reterr);
}

static int load_catalog(struct pmuq_store *store, const struct snapshot *snapshot,
			struct pmuq_catalog **ret, struct pmuq_error **reterr)
{
	struct pq_loading loading = { .store = store };
	int r = pq_builder_new(&loading.builder, reterr);

	if (r < 0)
		return r;
	pq_arena_init(&loading.arena, NULL, 0, PQ_LOAD_MAX_BYTES);
	r = load_all(&loading, snapshot, reterr);
	if (r == 0)
		r = pq_builder_finish(move(loading.builder), ret, reterr);
	pq_builder_free(loading.builder);
	pq_intern_free(&loading.definitions);
	pq_intern_free(&loading.attributes);
	pq_intern_free(&loading.replies);
	pq_arena_clear(&loading.arena);
	return r;
}

static int load_within(struct pmuq_store *store, void *arg, struct pmuq_error **reterr)
{
	struct request *request = arg;
	struct snapshot snapshot;
	int64_t host = 0;
	int r = pq_store_find_host(store, request->name, &host, reterr);

	if (r == PQ_NONE)
		return pq_store_fail_unknown_host(store, request->name, reterr);
	if (r == 0)
		r = load_snapshot(store, request, host, &snapshot, reterr);
	return r < 0 ? r : load_catalog(store, &snapshot, &request->catalog, reterr);
}

static void forget_catalog(void *arg)
{
	struct request *request = arg;

	pmuq_catalog_free(move(request->catalog));
}

PQ_API int pmuq_store_open_host(struct pmuq_store *store, const char *name, int64_t snapshot,
				struct pmuq_source **ret, struct pmuq_error **reterr)
{
	struct request request = { .name = str_of(name ? name : ""), .snapshot = snapshot };
	const struct pq_work work = { .run = load_within, .undo = forget_catalog, .arg = &request };
	int r;

	store->doing = "cannot read the snapshot";
	r = pq_store_read(store, &work, reterr);
	if (r < 0)
		return r;
	r = pq_source_of_catalog(request.catalog, ret, reterr);
	if (r < 0)
		pmuq_catalog_free(request.catalog);
	return r;
}
