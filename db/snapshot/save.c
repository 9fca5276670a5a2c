/* SPDX-License-Identifier: MIT */
/*
 * Stores a catalog as a new snapshot of a host, or updates the newest one if it is equal. Only the
 * newest is compared: a machine that changes and changes back has three snapshots (which share
 * their contents). A document is the state of a known time, which can be before the newest
 * snapshot; snapshots are in the order of their ids, so such a state cannot be added.
 */
#include "core/sized.h"
#include "core/text/time.h"
#include "db/snapshot/snapshot.h"

struct saving {
	const struct pmuq_catalog *catalog;
	const struct pmuq_check *check; /* NULL: none */
	struct pq_snapshot snapshot;
	struct pmuq_str name;
	bool is_document;
	int64_t first_s, last_s; /* when it was seen in this state */
	struct pmuq_saved saved;
};

static int64_t add_host(struct pmuq_store *store, struct pmuq_str name)
{
	static const struct pq_sql sql = {
		.text = "INSERT INTO host (name) VALUES (?)",
		.is_insert = true,
	};
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };

	pq_stmt_begin(&stmt, store, &sql, PQ_PARAMS(name));
	return pq_stmt_insert(&stmt);
}

static void find_or_add_host(struct pmuq_store *store, struct saving *saving)
{
	int64_t *host = &saving->snapshot.row.host;

	saving->saved.is_new_host = !pq_store_find_host(store, saving->name, host);
	if (saving->saved.is_new_host)
		*host = add_host(store, saving->name);
}

/* The host's newest snapshot if it is equal; 0 otherwise. */
static int64_t find_equal(struct pmuq_store *store, const struct pq_snapshot_row *row)
{
	int64_t id = 0;

	pq_sql_number(store,
		      "SELECT id FROM snapshot WHERE hash = ?2"
		      " AND id = (SELECT max(id) FROM snapshot WHERE host = ?1)",
		      PQ_PARAMS(row->host, &row->hash), &id);
	return id;
}

/* The snapshot of an equal document, unless that was seen after all snapshots; 0 otherwise. */
static int64_t find_past(struct pmuq_store *store, const struct saving *saving)
{
	const struct pq_snapshot_row *row = &saving->snapshot.row;
	int64_t id = 0;

	pq_sql_number(store,
		      "SELECT id FROM snapshot WHERE host = ?1 AND hash = ?2 AND first_seen = ?3"
		      " AND ?4 <= (SELECT max(last_seen) FROM snapshot WHERE host = ?1)"
		      " ORDER BY id DESC LIMIT 1",
		      PQ_PARAMS(row->host, &row->hash, saving->first_s, saving->last_s), &id);
	return id;
}

/* The newest snapshot if it was seen after the document; 0 otherwise. */
static int64_t find_later(struct pmuq_store *store, struct saving *saving)
{
	int64_t id = 0;

	pq_sql_number(store,
		      "SELECT id FROM snapshot WHERE last_seen > ?2"
		      " AND id = (SELECT max(id) FROM snapshot WHERE host = ?1)",
		      PQ_PARAMS(saving->snapshot.row.host, saving->last_s), &id);
	if (id)
		pq_sql_number(store, "SELECT last_seen FROM snapshot WHERE id = ?", PQ_PARAMS(id),
			      &saving->saved.later_seen_s);
	return id;
}

/* The snapshot that makes a new one unnecessary; 0: none. */
static int64_t find_known(struct pmuq_store *store, struct saving *saving)
{
	int64_t id = find_equal(store, &saving->snapshot.row);

	if (!id && saving->is_document)
		id = find_past(store, saving);
	if (id || !saving->is_document)
		return id;
	return find_later(store, saving);
}

/* A scan is always the last, even if the clock was wrong. Called after the time was moved. */
static bool is_last_seen(struct pmuq_store *store, const struct saving *saving, int64_t id)
{
	int64_t is_later = 0;

	if (saving->is_document)
		pq_sql_number(store, "SELECT 1 FROM snapshot WHERE id = ? AND last_seen > ?",
			      PQ_PARAMS(id, saving->last_s), &is_later);
	return !is_later;
}

/* Times never decrease. Volatile facts get the current values. */
static void see_again(struct pmuq_store *store, const struct saving *saving, int64_t id)
{
	const struct pq_own_fact *fact = saving->snapshot.own_facts.v;

	pq_sql_run(store, "UPDATE snapshot SET last_seen = ?1 WHERE id = ?2 AND last_seen < ?1",
		   PQ_PARAMS(saving->last_s, id));
	if (!is_last_seen(store, saving, id))
		return;
	for (size_t i = 0; i < saving->snapshot.own_facts.n; i++)
		if (fact[i].is_volatile)
			pq_sql_run(store,
				   "UPDATE snapshot_fact SET text = ?1"
				   " WHERE snapshot = ?2 AND position = ?3 AND text <> ?1",
				   PQ_PARAMS(fact[i].text, id, (int64_t)i));
}

/* Mostly other hosts have them, too. */
static void find_contents(struct pmuq_store *store, struct pq_snapshot *snapshot)
{
	const struct pq_snapshot_row *row = &snapshot->row;
	struct pq_content *const contents[] = {
		row->layout.content,	  row->fact_set.content, row->tracepoint_set.content,
		row->problem_set.content, &snapshot->host_class,
	};

	pq_contents_find(store, contents, COUNT(contents));
}

/* The contents that the row refers to are stored first: the columns are foreign keys. */
static int64_t add_snapshot(struct pmuq_store *store, struct saving *saving)
{
	struct pq_snapshot *snapshot = &saving->snapshot;
	struct pmuq_str machine_id = str_of(pmuq_catalog_find_fact(saving->catalog, "machine_id"));
	int64_t id;

	find_contents(store, snapshot);
	pq_refs_save(store, &pq_snapshot_table, (struct pq_rows){ .v = &snapshot->row, .n = 1 });
	pq_content_save(store, &snapshot->host_class);
	snapshot->row.host_class = snapshot->host_class.id;
	id = pq_table_add(store, &pq_snapshot_table, NULL, &snapshot->row);
	pq_table_add_rows(store, &pq_own_fact_table, id, 0, snapshot->own_facts);
	pq_sql_run(store, "UPDATE host SET machine_id = ? WHERE id = ?",
		   PQ_PARAMS(machine_id, snapshot->row.host));
	return id;
}

/* A check is not part of the hash of its snapshot: a scan without a check keeps the one that the
 * machine has. False if the snapshot already has a whole check, which an interrupted one does not
 * replace. The former results are removed, if no other snapshot has them: machines that are checked
 * every hour would fill the store. */
static bool save_check(struct pmuq_store *store, const struct saving *saving, int64_t id)
{
	struct pq_content *set = saving->snapshot.check_set;
	const struct pmuq_progress *progress = pmuq_check_progress(saving->check);
	int64_t is_whole = 0, old_set = 0;

	pq_sql_number(
		store,
		"SELECT 1 FROM snapshot_check WHERE snapshot = ? AND total = (SELECT count(*)"
		" FROM checked_event WHERE checked_event.check_set = snapshot_check.check_set)",
		PQ_PARAMS(id), &is_whole);
	if (is_whole && progress->n_results < progress->n_events)
		return false;
	pq_sql_number(store, "SELECT check_set FROM snapshot_check WHERE snapshot = ?",
		      PQ_PARAMS(id), &old_set);
	pq_content_save(store, set);
	pq_sql_run(store,
		   "INSERT INTO snapshot_check (snapshot, check_set, checked, total)"
		   " VALUES (?, ?, ?, ?) ON CONFLICT (snapshot) DO UPDATE SET"
		   " check_set = excluded.check_set, checked = excluded.checked,"
		   " total = excluded.total",
		   PQ_PARAMS(id, set->id, progress->time_s, (int64_t)progress->n_events));
	pq_sql_run(store,
		   "DELETE FROM check_set WHERE id = ?1"
		   " AND NOT EXISTS (SELECT 1 FROM snapshot_check WHERE check_set = ?1)",
		   PQ_PARAMS(old_set));
	return true;
}

/* The results of a document do not replace later ones. */
static bool has_later_check(struct pmuq_store *store, const struct saving *saving, int64_t id)
{
	int64_t is_later = 0;

	pq_sql_number(store, "SELECT 1 FROM snapshot_check WHERE snapshot = ? AND checked > ?",
		      PQ_PARAMS(id, pmuq_check_progress(saving->check)->time_s), &is_later);
	return is_later;
}

/* Everything that needs no store was done before the transaction began, since it blocks writers. */
static void save_within(struct pmuq_store *store, void *arg)
{
	struct saving *saving = arg;
	struct pmuq_saved *saved = &saving->saved;

	pq_store_lock_host(store, saving->name);
	/* Saving a check deletes the one before. */
	if (saving->check)
		pq_store_lock_contents(store);
	find_or_add_host(store, saving);
	if (!saved->is_new_host)
		saved->snapshot = find_known(store, saving);
	if (saved->later_seen_s)
		return;
	saved->is_new = !saved->snapshot;
	if (saved->is_new)
		saved->snapshot = add_snapshot(store, saving);
	else
		see_again(store, saving, saved->snapshot);
	if (saving->check &&
	    !(saving->is_document && has_later_check(store, saving, saved->snapshot)))
		saved->has_old_check = !save_check(store, saving, saved->snapshot);
}

static int check_call(struct pmuq_str name, const struct pmuq_saved *ret,
		      struct pmuq_error **reterr)
{
	int r = ret ? pq_sized_check(ret, reterr) : 0;

	if (r < 0)
		return r;
	if (name.n)
		return pq_host_name_check(name, reterr);
	r = pq_fail(reterr, PMUQ_E_NO_NAME, "the name of the machine is not known");
	pq_error_hint(reterr, "name it with --name NAME");
	return r;
}

/* A check contains the kernel and the names of the PMUs of its machine. */
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

/* Documents could not have the time, and readers of the store would take it for damage. */
static int fail_time(const struct saving *saving, struct pmuq_error **reterr)
{
	int64_t time_s = pq_time_is_valid(saving->first_s) ? saving->last_s : saving->first_s;
	int r = pq_fail(reterr, PMUQ_E_BAD_CALL,
			"the time %lld of the machine is not between 1970 and 9999",
			(long long)time_s);

	pq_error_hint(reterr, "set the clock, or SOURCE_DATE_EPOCH");
	return r;
}

static int save(struct pmuq_store *store, struct saving *saving, struct pmuq_saved *ret,
		struct pmuq_error **reterr)
{
	int r = check_call(saving->name, ret, reterr);

	if (r < 0)
		return r;
	if (!pq_time_is_valid(saving->first_s) || !pq_time_is_valid(saving->last_s))
		return fail_time(saving, reterr);
	if (saving->check && !is_of_catalog(saving->check, saving->catalog))
		return pq_fail(reterr, PMUQ_E_BAD_CALL, "the check is not of this machine");
	/* A check that was interrupted at once has no result. */
	if (saving->check && !pmuq_check_progress(saving->check)->n_results)
		saving->check = NULL;
	r = pq_snapshot_make(saving->catalog, saving->check, &saving->snapshot, reterr);
	saving->snapshot.row.first_seen = saving->first_s;
	saving->snapshot.row.last_seen = saving->last_s;
	if (r == 0)
		r = pq_store_write_host(store, "cannot save the machine", save_within, saving,
					reterr);
	pq_snapshot_free(&saving->snapshot);
	if (r == 0 && ret)
		pq_sized_give(&saving->saved, sizeof(saving->saved), ret);
	return r;
}

/* In a batch a failure spoils the transaction, also one before it is used. */
static int spoil(struct pmuq_store *store, int r)
{
	store->has_failed |= store->is_in_batch && r < 0;
	return r;
}

static int save_whole(struct pmuq_store *store, struct saving *saving, struct pmuq_saved *ret,
		      struct pmuq_error **reterr)
{
	int r = pq_catalog_check_whole(saving->catalog, reterr);

	if (r == 0)
		r = save(store, saving, ret, reterr);
	return spoil(store, r);
}

PQ_API int pmuq_store_save(struct pmuq_store *store, const struct pmuq_catalog *catalog,
			   const struct pmuq_check *check, const char *name, int64_t time_s,
			   struct pmuq_saved *ret, struct pmuq_error **reterr)
{
	struct saving saving = {
		.catalog = catalog,
		.check = check ? check : pmuq_catalog_machine(catalog)->check,
		.name = str_of(name ? name : pmuq_catalog_find_fact(catalog, "hostname")),
		.first_s = time_s,
		.last_s = time_s,
	};

	return save_whole(store, &saving, ret, reterr);
}

PQ_API int pmuq_store_save_seen(struct pmuq_store *store, const struct pmuq_catalog *catalog,
				const char *name, int64_t first_seen_s, int64_t last_seen_s,
				struct pmuq_saved *ret, struct pmuq_error **reterr)
{
	struct saving saving = {
		.catalog = catalog,
		.check = pmuq_catalog_machine(catalog)->check,
		.name = str_of(name ? name : pmuq_catalog_find_fact(catalog, "hostname")),
		.is_document = true,
		.first_s = first_seen_s,
		.last_s = last_seen_s,
	};

	if (!first_seen_s || last_seen_s < first_seen_s)
		return spoil(store, pq_fail(reterr, PMUQ_E_BAD_CALL,
					    "a machine needs a time when it was first seen, and "
					    "is not last seen before it"));
	return save_whole(store, &saving, ret, reterr);
}
