/* SPDX-License-Identifier: MIT */
/* Reads hosts and their snapshots from the store; facts that snapshots share are read once. */
#include "db/hosts/host_list.h"
#include "db/snapshot/snapshot.h"
#include <fnmatch.h>
#include <string.h>

struct listed_row {
	struct pq_listed_host host;
	struct pq_listed_snapshot snapshot;
	struct pq_optional check_set;
	int64_t fact_set;
};

static const struct pq_column row_columns[] = {
	{ PQ_COLUMN_AS(struct listed_row, host.id, "host.id") },
	{ PQ_COLUMN_AS(struct listed_row, host.record.name, "host.name") },
	{ PQ_COLUMN_AS(struct listed_row, host.record.machine_id, "host.machine_id"),
	  .is_nullable = true },
	{ PQ_COLUMN_AS(struct listed_row, host.record.n_stored, "n_stored") },
	{ PQ_COLUMN_AS(struct listed_row, snapshot.record.number, "snapshot.id") },
	{ PQ_COLUMN_AS(struct listed_row, snapshot.record.first_seen_s, "first_seen") },
	{ PQ_COLUMN_AS(struct listed_row, snapshot.record.last_seen_s, "last_seen") },
	{ PQ_COLUMN_AS(struct listed_row, snapshot.class_id, "host_class") },
	{ PQ_COLUMN(struct listed_row, check_set) },
	{ PQ_COLUMN(struct listed_row, fact_set) },
};

/* CROSS JOIN: in this order. */
#define FROM_HOSTS(condition)                                                                      \
	"FROM (SELECT host, max(id) AS newest, count(*) AS n_stored FROM snapshot" condition       \
	" GROUP BY host) AS stored CROSS JOIN host ON host.id = stored.host CROSS JOIN snapshot"
#define CHECK " LEFT JOIN snapshot_check ON snapshot_check.snapshot = snapshot.id"
#define LIST(condition)                                                                            \
	{                                                                                          \
		FROM_HOSTS(condition)                                                              \
		" ON snapshot.host = host.id" CHECK " ORDER BY host.name, snapshot.id",            \
			FROM_HOSTS(condition) " ON snapshot.id = newest" CHECK                     \
	}

/* Which hosts are read: all, or those that can match the filter. The second text of each is that of
 * the newest snapshots, one for each host: sort_hosts() sorts them in less time than an engine. */
enum selection { ALL, OF_NAME, OF_MACHINE };

static const char *const lists[][2] = {
	[ALL] = LIST(""),
	[OF_NAME] = LIST(" WHERE host IN (SELECT id FROM host WHERE name = ?)"),
	[OF_MACHINE] = LIST(" WHERE host IN (SELECT id FROM host WHERE machine_id = ?)"),
};

struct list_reader {
	struct pmuq_store *store;
	const struct pmuq_hosts_filter *filter;
	struct pmuq_hosts *hosts;
	int64_t skipped; /* the host whose rows are skipped */
};

/* ---- facts */

/* The shared facts (struct pmuq_pair) of a snapshot: read once for all that have them. */
static struct pq_rows get_facts(struct list_reader *reader, int64_t id)
{
	const struct pq_content *facts = pq_content_load(&reader->hosts->facts, &pq_fact_set, id);

	return facts ? facts->rows[0] : (struct pq_rows){ 0 };
}

/* ---- hosts */

/* Tries every glob, to count what each matches. */
static bool matches_filter(struct list_reader *reader, const struct listed_row *row)
{
	const struct pmuq_hosts_filter *filter = reader->filter;
	bool is_matched = filter->n_globs == 0;

	if (filter->machine_id && !str_eq(row->host.record.machine_id, str_of(filter->machine_id)))
		return false;
	for (size_t i = 0; i < filter->n_globs; i++) {
		if (fnmatch(filter->globs[i], row->host.record.name.p, 0) != 0)
			continue;
		reader->hosts->matched[i]++;
		is_matched = true;
	}
	return is_matched;
}

/* The filter's hostname is compared with that of the newest snapshot. */
static bool is_wanted(struct list_reader *reader, const struct listed_row *row)
{
	const char *wanted = reader->filter->hostname;
	struct pmuq_str hostname = { 0 };

	if (wanted)
		pq_sql_row(
			reader->store,
			PQ_QUERY(pq_one_text,
				 "SELECT text FROM snapshot_fact WHERE name = 'hostname'"
				 " AND snapshot = (SELECT max(id) FROM snapshot WHERE host = ?)"),
			PQ_PARAMS(row->host.id), &hostname, &reader->hosts->arena);
	return (!wanted || str_eq(hostname, str_of(wanted))) && matches_filter(reader, row);
}

static void add_host(struct list_reader *reader, const struct listed_row *row)
{
	struct pmuq_hosts *hosts = reader->hosts;
	struct pq_listed_host host = row->host;

	host.record.size = sizeof(host.record);
	host.first_snapshot = hosts->snapshots.n;
	if (!pq_vec_push_in(&hosts->arena, &hosts->hosts, host))
		pq_store_fail_memory(reader->store);
}

/* Of the host that was added last. */
static void add_snapshot(struct list_reader *reader, const struct listed_row *row)
{
	struct pmuq_hosts *hosts = reader->hosts;
	struct pq_rows facts = get_facts(reader, row->fact_set);
	struct pq_listed_snapshot snapshot = row->snapshot;

	pq_store_check_time(reader->store, snapshot.record.first_seen_s);
	pq_store_check_time(reader->store, snapshot.record.last_seen_s);
	snapshot.check_set = row->check_set.value;
	snapshot.record.size = sizeof(snapshot.record);
	snapshot.record.is_checked = row->check_set.is_set;
	snapshot.record.facts = facts.v;
	snapshot.record.n_facts = facts.n;
	hosts->hosts.v[hosts->hosts.n - 1].record.n_snapshots++;
	if (!pq_vec_push_in(&hosts->arena, &hosts->snapshots, snapshot))
		pq_store_fail_memory(reader->store);
}

/* The rows of a host come one after the other. */
static void add_row(struct list_reader *reader, const struct listed_row *row)
{
	const struct pmuq_hosts *list = reader->hosts;
	bool is_new = !list->hosts.n || list->hosts.v[list->hosts.n - 1].id != row->host.id;

	if (row->host.id == reader->skipped)
		return;
	if (is_new && !is_wanted(reader, row)) {
		reader->skipped = row->host.id;
		return;
	}
	if (is_new)
		add_host(reader, row);
	if (reader->store->r == 0)
		add_snapshot(reader, row);
}

struct row_counts {
	size_t n_hosts, n_snapshots;
};

static const struct pq_column count_columns[] = {
	{ PQ_COLUMN_AS(struct row_counts, n_hosts, "(SELECT count(*) FROM host)") },
	{ PQ_COLUMN_AS(struct row_counts, n_snapshots, "(SELECT count(*) FROM snapshot)") },
};

/* An array that grows in an arena does not return its former memory. */
static void reserve(struct list_reader *reader)
{
	struct pmuq_hosts *hosts = reader->hosts;
	struct row_counts n = { 0 };

	pq_sql_row(reader->store, PQ_QUERY(count_columns, ""), PQ_NO_PARAMS, &n, &hosts->arena);
	if (reader->filter->is_newest_only)
		n.n_snapshots = n.n_hosts;
	/* Without memory, adding a row fails. */
	(void)pq_vec_reserve_in(&hosts->arena, &hosts->hosts, n.n_hosts);
	(void)pq_vec_reserve_in(&hosts->arena, &hosts->snapshots, n.n_snapshots);
}

static bool is_name(const char *glob)
{
	return !glob[strcspn(glob, "*?[\\")];
}

static enum selection select_hosts(const struct pmuq_hosts_filter *filter)
{
	if (filter->machine_id)
		return OF_MACHINE;
	return filter->n_globs == 1 && is_name(filter->globs[0]) ? OF_NAME : ALL;
}

static void read_rows(struct list_reader *reader)
{
	const struct pmuq_hosts_filter *filter = reader->filter;
	enum selection selection = select_hosts(filter);
	const struct pq_sql sql = {
		.text = lists[selection][filter->is_newest_only],
		PQ_COLUMNS(row_columns),
	};
	const char *wanted = selection == OF_NAME ? filter->globs[0] : filter->machine_id;
	struct pq_param param = pq_param_text(str_of(wanted));
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct listed_row row = { 0 };

	if (selection == ALL)
		reserve(reader);
	pq_stmt_begin(&stmt, reader->store, &sql, &param, selection != ALL);
	while (pq_stmt_next(&stmt, &row, &reader->hosts->arena))
		add_row(reader, &row);
}

static int compare_names(const void *of_a, const void *of_b)
{
	const struct pq_listed_host *a = of_a, *b = of_b;

	return str_cmp(a->record.name, b->record.name);
}

static void sort_hosts(struct pmuq_hosts *hosts)
{
	if (hosts->hosts.n)
		qsort(hosts->hosts.v, hosts->hosts.n, sizeof(*hosts->hosts.v), compare_names);
}

void pq_hosts_read(struct pmuq_store *store, const struct pmuq_hosts_filter *filter,
		   struct pmuq_hosts *ret)
{
	struct list_reader reader = { .store = store, .filter = filter, .hosts = ret };

	ret->n_globs = filter->n_globs;
	ret->matched = pq_arena_array(&ret->arena, filter->n_globs, sizeof(*ret->matched));
	if (!ret->matched)
		pq_store_fail_memory(store);
	read_rows(&reader);
	if (filter->is_newest_only)
		sort_hosts(ret);
}
