/* SPDX-License-Identifier: MIT */
/* Reads hosts and their snapshots from the store; facts that snapshots share are read once. */
#include "db/hosts/host_list.h"
#include "db/snapshot/snapshot.h"
#include <fnmatch.h>
#include <string.h>

static const struct pq_column host_columns[] = {
	{ PQ_COLUMN(struct pq_listed_host, id) },
	{ PQ_COLUMN_AS(struct pq_listed_host, record.name, "name") },
	{ PQ_COLUMN_AS(struct pq_listed_host, record.machine_id, "machine_id"),
	  .is_nullable = true },
};

struct snapshot_row {
	struct pq_listed_snapshot snapshot;
	struct pq_optional check_set;
	int64_t host;
};

static const struct pq_column snapshot_columns[] = {
	{ PQ_COLUMN_AS(struct snapshot_row, snapshot.record.number, "id") },
	{ PQ_COLUMN(struct snapshot_row, host) },
	{ PQ_COLUMN_AS(struct snapshot_row, snapshot.record.first_seen_s, "first_seen") },
	{ PQ_COLUMN_AS(struct snapshot_row, snapshot.record.last_seen_s, "last_seen") },
	{ PQ_COLUMN_AS(struct snapshot_row, snapshot.class_id, "host_class") },
	{ PQ_COLUMN(struct snapshot_row, check_set) },
	{ PQ_COLUMN_AS(struct snapshot_row, snapshot.facts, "fact_set") },
};

/* Which hosts are read: all, or those that can match the filter. Two lists that are joined here
 * cost less than a join by an engine, which searches for each row of the other table. */
enum selection { ALL, OF_NAME, OF_MACHINE, OF_HOSTNAME };

struct list_text {
	const char *hosts;
	const char *snapshots[2]; /* all, by host and age; and in any order, to find the newest */
};

#define LIST(condition, of)                                                                        \
	{                                                                                          \
		"FROM host" condition " ORDER BY id",                                              \
		{                                                                                  \
			SNAPSHOTS of " ORDER BY host, id", SNAPSHOTS of                            \
		}                                                                                  \
	}
#define SNAPSHOTS "FROM snapshot LEFT JOIN snapshot_check ON snapshot_check.snapshot = snapshot.id"
#define SELECTED(condition)                                                                        \
	LIST(condition, " WHERE host IN (SELECT host.id FROM host" condition ")")

static const struct list_text lists[] = {
	[ALL] = LIST("", ""),
	[OF_NAME] = SELECTED(" WHERE name = ?"),
	[OF_MACHINE] = SELECTED(" WHERE machine_id = ?"),
	[OF_HOSTNAME] = SELECTED(
		" WHERE id IN (SELECT host FROM snapshot JOIN snapshot_fact"
		" ON snapshot_fact.snapshot = snapshot.id WHERE name = 'hostname' AND text = ?"
		" AND snapshot.id = (SELECT max(id) FROM snapshot AS other"
		" WHERE other.host = snapshot.host))"),
};

struct list_reader {
	struct pmuq_store *store;
	const struct pmuq_hosts_filter *filter;
	struct pmuq_hosts *hosts;
	enum selection selection;
	struct pq_param wanted; /* unless all are selected */
};

/* `columns` without a text. */
static void begin_list(struct list_reader *reader, struct pq_sql columns, const char *text,
		       struct pq_stmt *ret)
{
	bool is_long = reader->selection == ALL;

	columns.text = text;
	columns.is_long = is_long;
	pq_stmt_begin(ret, reader->store, &columns, &reader->wanted, !is_long);
	pq_stmt_queue(ret);
}

/* How many rows to reserve memory for: an array that grows in an arena does not return its former
 * memory. Without memory, adding a row fails. `text`: the query that counts them. */
static size_t count_rows(struct list_reader *reader, const char *text)
{
	int64_t n = 0;

	if (reader->selection == ALL)
		pq_sql_number(reader->store, text, PQ_NO_PARAMS, &n);
	return (size_t)n;
}

/* ---- hosts */

/* Tries every glob, to count what each matches. */
static bool matches_filter(struct list_reader *reader, const struct pmuq_host *host)
{
	const struct pmuq_hosts_filter *filter = reader->filter;
	bool is_matched = filter->n_globs == 0;

	if (filter->machine_id && !str_eq(host->machine_id, str_of(filter->machine_id)))
		return false;
	for (size_t i = 0; i < filter->n_globs; i++) {
		if (fnmatch(filter->globs[i], host->name.p, 0) != 0)
			continue;
		reader->hosts->matched[i]++;
		is_matched = true;
	}
	return is_matched;
}

static void read_hosts(struct list_reader *reader, struct pq_stmt *stmt)
{
	struct pmuq_hosts *hosts = reader->hosts;
	struct pq_listed_host host = { .record.size = sizeof(host.record) };

	while (pq_stmt_next(stmt, &host, &hosts->arena))
		if (matches_filter(reader, &host.record) &&
		    !pq_vec_push_in(&hosts->arena, &hosts->hosts, host))
			pq_store_fail_memory(reader->store);
}

static int compare_ids(const void *of_id, const void *of_host)
{
	int64_t id = *(const int64_t *)of_id, other = ((const struct pq_listed_host *)of_host)->id;

	return (id > other) - (id < other);
}

/* NULL if it is not in the list. Mostly ids have no gaps. */
static struct pq_listed_host *find_host(const struct pmuq_hosts *hosts, int64_t id)
{
	size_t n = hosts->hosts.n;
	struct pq_listed_host *v = hosts->hosts.v;
	uint64_t at = n ? (uint64_t)id - (uint64_t)v[0].id : 0;

	if (at < n && v[at].id == id)
		return &v[at];
	return n ? bsearch(&id, v, n, sizeof(*v), compare_ids) : NULL;
}

/* ---- snapshots */

static struct pq_listed_snapshot listed_snapshot(struct list_reader *reader,
						 const struct snapshot_row *row)
{
	struct pq_listed_snapshot snapshot = row->snapshot;

	pq_store_check_time(reader->store, snapshot.record.first_seen_s);
	pq_store_check_time(reader->store, snapshot.record.last_seen_s);
	snapshot.check_set = row->check_set.value;
	snapshot.record.size = sizeof(snapshot.record);
	snapshot.record.is_checked = row->check_set.is_set;
	return snapshot;
}

/* A host's snapshots come one after the other; of the newest only, the list has a place for each
 * host. */
static void add_snapshot(struct list_reader *reader, const struct snapshot_row *row)
{
	struct pmuq_hosts *hosts = reader->hosts;
	struct pq_listed_host *host = find_host(hosts, row->host);
	struct pq_listed_snapshot *kept = NULL;

	if (!host)
		return;
	if (host->record.n_snapshots && reader->filter->is_newest_only)
		kept = &hosts->snapshots.v[host->first_snapshot];
	host->record.n_stored++;
	if (kept && kept->record.number > row->snapshot.record.number)
		return;
	if (kept) {
		*kept = listed_snapshot(reader, row);
		return;
	}
	if (!host->record.n_snapshots++)
		host->first_snapshot = hosts->snapshots.n;
	if (!pq_vec_push_in(&hosts->arena, &hosts->snapshots, listed_snapshot(reader, row)))
		pq_store_fail_memory(reader->store);
}

static void read_snapshots(struct list_reader *reader, struct pq_stmt *stmt)
{
	struct pmuq_hosts *hosts = reader->hosts;
	struct snapshot_row row = { 0 };

	while (pq_stmt_next(stmt, &row, &hosts->arena))
		add_snapshot(reader, &row);
}

/* The facts (struct pmuq_pair) that snapshots share are read once for all that have them. */
static void read_facts(struct list_reader *reader)
{
	static const struct pq_column columns[] = {
		{ PQ_COLUMN(struct pq_listed_snapshot, facts), .set = &pq_fact_set },
	};
	static const struct pq_table table = { PQ_ROWS(struct pq_listed_snapshot, columns) };
	struct pmuq_hosts *hosts = reader->hosts;
	struct pq_listed_snapshot *snapshots = hosts->snapshots.v;
	size_t n = hosts->snapshots.n;

	pq_refs_load(&hosts->facts, &table, (struct pq_rows){ .own = snapshots, .n = n });
	for (size_t i = 0; reader->store->r == 0 && i < n; i++) {
		const struct pq_rows *facts = snapshots[i].facts.content->rows;

		snapshots[i].record.facts = facts->v;
		snapshots[i].record.n_facts = facts->n;
	}
}

/* ---- both */

static bool is_name(const char *glob)
{
	return !glob[strcspn(glob, "*?[\\")];
}

static void select_hosts(struct list_reader *reader)
{
	const struct pmuq_hosts_filter *filter = reader->filter;

	if (filter->hostname) {
		reader->selection = OF_HOSTNAME;
		reader->wanted = pq_param_text(str_of(filter->hostname));
	} else if (filter->machine_id) {
		reader->selection = OF_MACHINE;
		reader->wanted = pq_param_text(str_of(filter->machine_id));
	} else if (filter->n_globs == 1 && is_name(filter->globs[0])) {
		reader->selection = OF_NAME;
		reader->wanted = pq_param_text(str_of(filter->globs[0]));
	}
}

static int compare_names(const void *of_a, const void *of_b)
{
	const struct pq_listed_host *a = of_a, *b = of_b;

	return str_cmp(a->record.name, b->record.name);
}

/* Every host of a sound database has a snapshot. */
static void drop_empty(struct pmuq_hosts *hosts)
{
	size_t n = 0;

	for (size_t i = 0; i < hosts->hosts.n; i++)
		if (hosts->hosts.v[i].record.n_snapshots)
			hosts->hosts.v[n++] = hosts->hosts.v[i];
	hosts->hosts.n = n;
}

void pq_hosts_read(struct pmuq_store *store, const struct pmuq_hosts_filter *filter,
		   struct pmuq_hosts *ret)
{
	struct list_reader reader = { .store = store, .filter = filter, .hosts = ret };
	bool is_newest_only = filter->is_newest_only;
	cleanup(pq_stmt_end) struct pq_stmt hosts = { 0 }, snapshots = { 0 };

	ret->n_globs = filter->n_globs;
	ret->matched = pq_arena_array(&ret->arena, filter->n_globs, sizeof(*ret->matched));
	if (!ret->matched)
		pq_store_fail_memory(store);
	select_hosts(&reader);
	(void)pq_vec_reserve_in(&ret->arena, &ret->hosts,
				count_rows(&reader, "SELECT count(*) FROM host"));
	(void)pq_vec_reserve_in(&ret->arena, &ret->snapshots,
				is_newest_only
					? ret->hosts.capacity
					: count_rows(&reader, "SELECT count(*) FROM snapshot"));
	begin_list(&reader, (struct pq_sql){ PQ_COLUMNS(host_columns) },
		   lists[reader.selection].hosts, &hosts);
	begin_list(&reader, (struct pq_sql){ PQ_COLUMNS(snapshot_columns) },
		   lists[reader.selection].snapshots[is_newest_only], &snapshots);
	read_hosts(&reader, &hosts);
	read_snapshots(&reader, &snapshots);
	read_facts(&reader);
	drop_empty(ret);
	if (ret->hosts.n)
		qsort(ret->hosts.v, ret->hosts.n, sizeof(*ret->hosts.v), compare_names);
}
