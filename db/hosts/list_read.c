/* SPDX-License-Identifier: MIT */
/* Reads hosts and their snapshots from the store; facts that snapshots share are read once. */
#include "db/hosts/list_order.h"
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
	int64_t host;
};

static const struct pq_column snapshot_columns[] = {
	{ PQ_COLUMN_AS(struct snapshot_row, snapshot.record.number, "id") },
	{ PQ_COLUMN(struct snapshot_row, host) },
	{ PQ_COLUMN_AS(struct snapshot_row, snapshot.record.first_seen_s, "first_seen") },
	{ PQ_COLUMN_AS(struct snapshot_row, snapshot.record.last_seen_s, "last_seen") },
	{ PQ_COLUMN_AS(struct snapshot_row, snapshot.of.class_id, "host_class") },
	{ PQ_COLUMN_AS(struct snapshot_row, snapshot.facts, "fact_set") },
};

struct check_row {
	int64_t snapshot;
	int64_t check_set;
};

static const struct pq_column check_columns[] = {
	{ PQ_COLUMN(struct check_row, snapshot) },
	{ PQ_COLUMN(struct check_row, check_set) },
};

/* Which hosts are read: all, or those that can match the filter. Lists that are joined here cost
 * less than a join by an engine, which searches for each row of the other table. */
enum selection { ALL, OF_NAME, OF_MACHINE, OF_HOSTNAME };

struct list_text {
	const char *hosts, *checks;
	const char *snapshots[2]; /* all, by host and age; and in any order, to find the newest */
};

#define LIST(hosts, checks, snapshots)                                                             \
	{                                                                                          \
		"FROM host" hosts, "FROM snapshot_check" checks,                                   \
		{                                                                                  \
			"FROM snapshot" snapshots " ORDER BY host, id", "FROM snapshot" snapshots  \
		}                                                                                  \
	}
#define SELECTED(hosts)                                                                            \
	LIST(hosts, " WHERE snapshot IN (SELECT id FROM snapshot" OF(hosts) ")", OF(hosts))
#define OF(hosts) " WHERE host IN (SELECT host.id FROM host" hosts ")"

static const struct list_text lists[] = {
	[ALL] = LIST("", "", ""),
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
	struct pq_arena scratch;
	PQ_VEC(struct check_row) checks;   /* in scratch */
	size_t most_hosts, most_snapshots; /* rows */
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

/* How many rows a table has at most. The greatest id is known at once: if it is so great that there
 * could be much fewer rows, they are counted. */
#define MOST_ROWS(table)                                                                           \
	"SELECT CASE WHEN max(id) < 262144 THEN max(id) ELSE (SELECT count(*) FROM " table         \
	") END FROM " table

static void find_most_rows(struct list_reader *reader, const char *text, size_t *ret)
{
	int64_t n = 0;

	pq_sql_number(reader->store, text, PQ_NO_PARAMS, &n);
	*ret = (size_t)n;
}

/* An array that grows in an arena does not return its former memory. Without memory, adding a row
 * fails. */
static void reserve(struct list_reader *reader)
{
	struct pmuq_hosts *hosts = reader->hosts;
	bool is_newest_only = reader->filter->is_newest_only;

	if (reader->selection != ALL)
		return;
	find_most_rows(reader, MOST_ROWS("host"), &reader->most_hosts);
	if (!is_newest_only)
		find_most_rows(reader, MOST_ROWS("snapshot"), &reader->most_snapshots);
	(void)pq_vec_reserve_in(&hosts->arena, &hosts->hosts, reader->most_hosts);
	(void)pq_vec_reserve_in(&hosts->arena, &hosts->snapshots,
				is_newest_only ? reader->most_hosts : reader->most_snapshots);
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
	size_t n = 0;

	while (pq_stmt_next(stmt, &host, &hosts->arena)) {
		pq_stmt_check_count(stmt, ++n, reader->most_hosts);
		if (matches_filter(reader, &host.record) &&
		    !pq_vec_push_in(&hosts->arena, &hosts->hosts, host))
			pq_store_fail_memory(reader->store);
	}
	pq_order_by_id(PQ_ID_ARRAY(hosts->hosts));
}

/* ---- checks */

static void read_checks(struct list_reader *reader, struct pq_stmt *stmt)
{
	struct pmuq_store *store = reader->store;
	struct check_row row;

	while (pq_stmt_next(stmt, &row, NULL))
		if (!pq_vec_push_in(&reader->scratch, &reader->checks, row))
			pq_store_fail_memory(store);
	pq_order_by_id(PQ_ID_ARRAY(reader->checks));
}

/* ---- snapshots */

static struct pq_listed_snapshot listed_snapshot(struct list_reader *reader,
						 const struct snapshot_row *row)
{
	struct pq_listed_snapshot snapshot = row->snapshot;
	const struct check_row *check =
		pq_find_by_id(PQ_ID_ARRAY(reader->checks), (int64_t)snapshot.record.number);

	pq_store_check_time(reader->store, snapshot.record.first_seen_s);
	pq_store_check_time(reader->store, snapshot.record.last_seen_s);
	snapshot.of.check_set = check ? check->check_set : 0;
	snapshot.record.size = sizeof(snapshot.record);
	snapshot.record.is_checked = check != NULL;
	return snapshot;
}

/* A host's snapshots come one after the other; of the newest only, the list has a place for each
 * host. */
static void add_snapshot(struct list_reader *reader, const struct snapshot_row *row)
{
	struct pmuq_hosts *hosts = reader->hosts;
	struct pq_listed_host *host = pq_find_by_id(PQ_ID_ARRAY(hosts->hosts), row->host);
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
	size_t n = 0;

	while (pq_stmt_next(stmt, &row, &hosts->arena)) {
		pq_stmt_check_count(stmt, ++n, reader->most_snapshots);
		add_snapshot(reader, &row);
	}
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

void pq_hosts_read(struct pmuq_store *store, const struct pmuq_hosts_filter *filter,
		   struct pmuq_hosts *ret)
{
	struct list_reader reader = {
		.store = store,
		.filter = filter,
		.hosts = ret,
		.scratch = PQ_ARENA(PQ_HOSTS_MAX_BYTES),
		.most_hosts = SIZE_MAX,
		.most_snapshots = SIZE_MAX,
	};
	const struct list_text *list;
	cleanup(pq_stmt_end) struct pq_stmt hosts = { 0 }, checks = { 0 }, snapshots = { 0 };

	ret->n_globs = filter->n_globs;
	ret->matched = pq_arena_array(&ret->arena, filter->n_globs, sizeof(*ret->matched));
	if (!ret->matched)
		pq_store_fail_memory(store);
	select_hosts(&reader);
	reserve(&reader);
	list = &lists[reader.selection];
	begin_list(&reader, (struct pq_sql){ PQ_COLUMNS(host_columns) }, list->hosts, &hosts);
	begin_list(&reader, (struct pq_sql){ PQ_COLUMNS(check_columns) }, list->checks, &checks);
	begin_list(&reader, (struct pq_sql){ PQ_COLUMNS(snapshot_columns) },
		   list->snapshots[filter->is_newest_only], &snapshots);
	read_hosts(&reader, &hosts);
	read_checks(&reader, &checks);
	read_snapshots(&reader, &snapshots);
	pq_arena_clear(&reader.scratch);
	read_facts(&reader);
	if (!pq_order_by_name(ret))
		pq_store_fail_memory(store);
}
