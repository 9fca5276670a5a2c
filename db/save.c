/* SPDX-License-Identifier: MIT */
/*
 * A catalog becomes a snapshot of a host, or proves to be the newest one again. Only the newest
 * counts: a machine that changes and changes back has three snapshots (which share their contents).
 */
#include "db/save.h"
#include "core/sized.h"

struct saving {
	const struct pmuq_catalog *catalog;
	const struct pmuq_check *check; /* NULL: none that is new */
	struct pq_measured measured;
	struct pmuq_str name;
	int64_t time_s;
	struct pmuq_saved saved;
};

static int host_id(struct pmuq_store *store, struct pmuq_str name, int64_t *ret, bool *ret_is_new,
		   struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_store_find_host(store, name, ret, reterr);

	*ret_is_new = r == PQ_NONE;
	if (r != PQ_NONE)
		return r;
	r = pq_stmt_begin(&stmt, store, PQ_SQL_ADD_HOST, reterr);
	if (r < 0)
		return r;
	pq_bind_str(&stmt, name);
	r = pq_stmt_run(&stmt, reterr);
	if (r == 0)
		*ret = store->lib.last_insert_rowid(store->db);
	return r;
}

/* The host's newest snapshot if it is this one; PQ_NONE otherwise. */
static int find_same(struct pmuq_store *store, const struct saving *saving, int64_t host,
		     int64_t *ret, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_hash hash;
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_NEWEST_HASH, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, host);
	r = pq_stmt_step(&stmt, reterr);
	if (r != 0)
		return r;
	*ret = pq_column_int(&stmt, 0);
	hash = pq_column_hash(&stmt, 1);
	r = pq_stmt_check(&stmt, reterr);
	if (r < 0)
		return r;
	return pq_hash_eq(&hash, &saving->measured.snapshot) ? 0 : PQ_NONE;
}

/* The passing facts are those of the last time. */
static int pass_facts(struct pmuq_store *store, const struct saving *saving, int64_t snapshot,
		      struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_PASS_FACT, reterr);

	for (size_t i = 0; r == 0 && i < pmuq_catalog_machine(saving->catalog)->n_facts; i++) {
		const struct pmuq_pair *fact = pq_catalog_fact(saving->catalog, i);

		if (pq_fact_owner(fact->name) != PQ_FACT_VOLATILE)
			continue;
		pq_bind_str(&stmt, fact->text);
		pq_bind_int(&stmt, snapshot);
		pq_bind_int(&stmt, (int64_t)i);
		r = pq_stmt_run(&stmt, reterr);
	}
	return r;
}

static int see_again(struct pmuq_store *store, const struct saving *saving, int64_t snapshot,
		     struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_SEE_SNAPSHOT, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, saving->time_s);
	pq_bind_int(&stmt, snapshot);
	r = pq_stmt_run(&stmt, reterr);
	return r < 0 ? r : pass_facts(store, saving, snapshot, reterr);
}

static int add_own_facts(struct pmuq_store *store, const struct saving *saving, int64_t snapshot,
			 struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_ADD_SNAPSHOT_FACT, reterr);

	for (size_t i = 0; r == 0 && i < pmuq_catalog_machine(saving->catalog)->n_facts; i++) {
		const struct pmuq_pair *fact = pq_catalog_fact(saving->catalog, i);
		enum pq_fact_owner owner = pq_fact_owner(fact->name);

		if (owner == PQ_FACT_SHARED)
			continue;
		pq_bind_int(&stmt, snapshot);
		pq_bind_int(&stmt, (int64_t)i);
		pq_bind_str(&stmt, fact->name);
		pq_bind_str(&stmt, fact->text);
		pq_bind_int(&stmt, owner == PQ_FACT_VOLATILE);
		r = pq_stmt_run(&stmt, reterr);
	}
	return r;
}

static int name_machine(struct pmuq_store *store, const struct saving *saving, int64_t host,
			struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_NAME_MACHINE, reterr);

	if (r < 0)
		return r;
	pq_bind_str(&stmt, str_of(pmuq_catalog_find_fact(saving->catalog, "machine_id")));
	pq_bind_int(&stmt, host);
	return pq_stmt_run(&stmt, reterr);
}

static int add_snapshot(struct pmuq_store *store, const struct saving *saving, int64_t host,
			int64_t *ret, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_set_ids ids = { 0 };
	int64_t kind = 0;
	int r = pq_save_sets(store, saving->catalog, &saving->measured, &ids, reterr);

	if (r == 0)
		r = pq_save_kind(store, &ids, &kind, reterr);
	if (r == 0)
		r = pq_stmt_begin(&stmt, store, PQ_SQL_ADD_SNAPSHOT, reterr);
	if (r < 0)
		return r;
	pq_bind_int(&stmt, host);
	pq_bind_hash(&stmt, &saving->measured.snapshot);
	pq_bind_int(&stmt, ids.layout);
	pq_bind_int(&stmt, ids.facts);
	pq_bind_int(&stmt, ids.tracepoints);
	pq_bind_int(&stmt, ids.problems);
	pq_bind_int(&stmt, saving->time_s);
	pq_bind_int(&stmt, kind);
	r = pq_stmt_run(&stmt, reterr);
	if (r < 0)
		return r;
	*ret = store->lib.last_insert_rowid(store->db);
	r = add_own_facts(store, saving, *ret, reterr);
	return r < 0 ? r : name_machine(store, saving, host, reterr);
}

static int save_within(struct pmuq_store *store, void *arg, struct pmuq_error **reterr)
{
	struct saving *saving = arg;
	int64_t host = 0;
	int r = host_id(store, saving->name, &host, &saving->saved.is_new_host, reterr);

	if (r < 0)
		return r;
	r = find_same(store, saving, host, &saving->saved.snapshot, reterr);
	if (r < 0)
		return r;
	saving->saved.is_new = r == PQ_NONE;
	if (saving->saved.is_new)
		r = add_snapshot(store, saving, host, &saving->saved.snapshot, reterr);
	else
		r = see_again(store, saving, saving->saved.snapshot, reterr);
	if (r < 0 || !saving->check)
		return r;
	return pq_save_check(store, saving->check, &saving->measured, saving->saved.snapshot,
			     &saving->saved.has_old_check, reterr);
}

static int check_call(const struct pmuq_store *store, struct pmuq_str name,
		      const struct pmuq_saved *ret, struct pmuq_error **reterr)
{
	int r = ret ? pq_sized_check(ret, reterr) : 0;

	if (r < 0)
		return r;
	if (!name.n) {
		r = pq_fail(reterr, PMUQ_E_NO_NAME, "the machine does not tell its name");
		pq_error_hint(reterr, "give it one, as --name NAME does");
		return r;
	}
	if (store->mode != PMUQ_STORE_READ)
		return 0;
	r = pq_fail(reterr, PMUQ_E_STORE_WRITE, "the database was opened for reading only");
	pq_error_origin(reterr, str_of(store->path));
	return r;
}

/* By the kernel and the names of its PMUs: a check knows no more of its machine. */
static bool is_of_catalog(const struct pmuq_check *check, const struct pmuq_catalog *catalog)
{
	const char *kernel = pmuq_catalog_find_fact(catalog, "kernel");

	if (!str_eq(str_of(kernel), pmuq_check_progress(check)->kernel))
		return false;
	for (size_t i = 0; i < pmuq_check_progress(check)->n_results; i++)
		if (!pmuq_catalog_find_pmu(catalog, pmuq_check_get(check, i)->pmu.p))
			return false;
	return true;
}

static int save(struct pmuq_store *store, const struct pmuq_catalog *catalog,
		const struct pmuq_check *check, const char *name, int64_t time_s,
		struct pmuq_saved *ret, struct pmuq_error **reterr)
{
	struct saving saving = {
		.catalog = catalog,
		.check = check ? check : pmuq_catalog_machine(catalog)->check,
		.name = str_of(name ? name : pmuq_catalog_find_fact(catalog, "hostname")),
		.time_s = time_s,
	};
	const struct pq_work work = { .run = save_within, .arg = &saving };
	int r = check_call(store, saving.name, ret, reterr);

	if (r < 0)
		return r;
	if (saving.check && !is_of_catalog(saving.check, catalog))
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "the check is not of this machine");
	/* Of one that was stopped at once nothing is known. */
	if (saving.check && !pmuq_check_progress(saving.check)->n_results)
		saving.check = NULL;
	store->doing = "cannot save the machine";
	r = pq_measure(catalog, saving.check, &saving.measured, reterr);
	if (r == 0)
		r = pq_store_write(store, &work, reterr);
	pq_measured_free(&saving.measured);
	if (r == 0 && ret)
		pq_sized_give(&saving.saved, sizeof(saving.saved), ret);
	return r;
}

PQ_API int pmuq_store_save(struct pmuq_store *store, const struct pmuq_catalog *catalog,
			   const struct pmuq_check *check, const char *name, int64_t time_s,
			   struct pmuq_saved *ret, struct pmuq_error **reterr)
{
	int r = save(store, catalog, check, name, time_s, ret, reterr);

	store->is_spoilt |= store->is_in_batch && r < 0;
	return r;
}
