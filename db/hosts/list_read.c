/* SPDX-License-Identifier: MIT */
/* Hosts and their snapshots out of the store; facts that snapshots share are read once. */
#include "core/buf.h"
#include "db/db.h"
#include "db/hosts/host_list.h"
#include "db/snapshot/snapshot.h"
#include <fnmatch.h>

struct listed_row {
	int64_t host, snapshot, first_seen, last_seen, fact_set, host_class, n_stored;
	struct pq_optional check_set;
	struct pmuq_str name, machine_id;
};

static const struct pq_column row_columns[] = {
	{ PQ_COLUMN_AS(struct listed_row, host, "host.id") },
	{ PQ_COLUMN_AS(struct listed_row, name, "host.name") },
	{ PQ_COLUMN_AS(struct listed_row, machine_id, "host.machine_id"), .is_nullable = true },
	{ PQ_COLUMN_AS(struct listed_row, snapshot, "snapshot.id") },
	{ PQ_COLUMN(struct listed_row, first_seen) },
	{ PQ_COLUMN(struct listed_row, last_seen) },
	{ PQ_COLUMN(struct listed_row, fact_set) },
	{ PQ_COLUMN(struct listed_row, host_class) },
	{ PQ_COLUMN(struct listed_row, check_set) },
	{ PQ_COLUMN(struct listed_row, n_stored) },
};

/* CROSS JOIN: in this order. */
#define FROM_HOSTS                                                                                 \
	"FROM (SELECT host, max(id) AS newest, count(*) AS n_stored FROM snapshot GROUP BY host)"  \
	" AS stored CROSS JOIN host ON host.id = stored.host CROSS JOIN snapshot ON "
#define WITH_CHECK " LEFT JOIN snapshot_check ON snapshot_check.snapshot = snapshot.id"

static const struct pq_sql list_all = {
	.text = FROM_HOSTS "snapshot.host = host.id" WITH_CHECK " ORDER BY host.name, snapshot.id",
	PQ_COLUMNS(row_columns),
};

static const struct pq_sql list_newest = {
	.text = FROM_HOSTS "snapshot.id = newest" WITH_CHECK " ORDER BY host.name",
	PQ_COLUMNS(row_columns),
};

struct list_reader {
	struct pmuq_store *store;
	const struct pmuq_hosts_filter *filter;
	struct pmuq_hosts *hosts;
	int64_t skipped; /* the host whose rows are not wanted */
};

/* ---- facts */

static const struct pq_listed_facts *find_facts(const struct pmuq_hosts *hosts, int64_t id)
{
	const struct pq_listed_facts *facts;
	size_t at = pq_intern_start(&hosts->facts, (uint64_t)id);

	while ((facts = pq_intern_next(&hosts->facts, (uint64_t)id, &at)))
		if (facts->id == id)
			return facts;
	return NULL;
}

static int get_facts(struct list_reader *reader, int64_t id, const struct pq_listed_facts **ret,
		     struct pmuq_error **reterr)
{
	struct pmuq_hosts *hosts = reader->hosts;
	struct pq_listed_facts *facts;
	int r;

	*ret = find_facts(hosts, id);
	if (*ret)
		return 0;
	*ret = facts = pq_arena_zero(&hosts->arena, sizeof(*facts));
	if (!facts || !pq_intern_add(&hosts->facts, (uint64_t)id, facts))
		return pq_fail_memory(reterr);
	r = pq_table_load(reader->store, &pq_fact_table, id, &hosts->arena, &facts->rows, reterr);
	facts->id = id;
	return r;
}

/* ---- hosts */

/* Tries every glob, to count what each matches. */
static bool matches_filter(struct list_reader *reader, const struct listed_row *row)
{
	const struct pmuq_hosts_filter *filter = reader->filter;
	bool is_matched = filter->n_globs == 0;

	if (filter->machine_id && !str_eq(row->machine_id, str_of(filter->machine_id)))
		return false;
	for (size_t i = 0; i < filter->n_globs; i++) {
		if (fnmatch(filter->globs[i], row->name.p, 0) != 0)
			continue;
		reader->hosts->matched[i]++;
		is_matched = true;
	}
	return is_matched;
}

static const struct pq_sql get_hostname = {
	.text = "SELECT text FROM snapshot_fact WHERE name = 'hostname' AND snapshot ="
		" (SELECT max(id) FROM snapshot WHERE host = ?)",
	PQ_ONE_TEXT,
};

/* The filter's hostname is compared with that of the newest snapshot. */
static int is_wanted(struct list_reader *reader, const struct listed_row *row, bool *ret,
		     struct pmuq_error **reterr)
{
	struct pmuq_str hostname = { 0 };
	int r;

	if (!reader->filter->hostname) {
		*ret = matches_filter(reader, row);
		return 0;
	}
	r = pq_sql_row(reader->store, &get_hostname, PQ_PARAMS(pq_param_number(row->host)),
		       &hostname, &reader->hosts->arena, reterr);
	if (r < 0)
		return r;
	*ret = str_eq(hostname, str_of(reader->filter->hostname)) && matches_filter(reader, row);
	return 0;
}

static int add_host(struct list_reader *reader, const struct listed_row *row,
		    struct pmuq_error **reterr)
{
	struct pmuq_hosts *hosts = reader->hosts;
	const struct pq_listed_host host = {
		.record = { .size = sizeof(host.record),
			    .name = row->name,
			    .machine_id = row->machine_id,
			    .n_stored = (size_t)row->n_stored },
		.id = row->host,
		.first_snapshot = hosts->snapshots.n,
	};

	return pq_vec_push_in(&hosts->arena, &hosts->hosts, host) ? 0 : pq_fail_memory(reterr);
}

static int add_snapshot(struct list_reader *reader, const struct listed_row *row,
			struct pmuq_error **reterr)
{
	struct pmuq_hosts *hosts = reader->hosts;
	struct pq_listed_snapshot snapshot = {
		.record = { .size = sizeof(snapshot.record),
			    .number = row->snapshot,
			    .first_seen_s = row->first_seen,
			    .last_seen_s = row->last_seen,
			    .is_checked = row->check_set.is_set },
		.class_id = row->host_class,
		.check_set = row->check_set.value,
	};
	const struct pq_listed_facts *facts;
	int r = get_facts(reader, row->fact_set, &facts, reterr);

	if (r < 0)
		return r;
	snapshot.record.facts = facts->rows.v;
	snapshot.record.n_facts = facts->rows.n;
	hosts->hosts.v[hosts->hosts.n - 1].record.n_snapshots++;
	return pq_vec_push_in(&hosts->arena, &hosts->snapshots, snapshot) ? 0
									  : pq_fail_memory(reterr);
}

static int add_row(struct list_reader *reader, const struct listed_row *row,
		   struct pmuq_error **reterr)
{
	const struct pq_listed_hosts *hosts = &reader->hosts->hosts;
	bool is_new = !hosts->n || hosts->v[hosts->n - 1].id != row->host, wanted = true;
	int r = 0;

	if (row->host == reader->skipped)
		return 0;
	if (is_new)
		r = is_wanted(reader, row, &wanted, reterr);
	if (r == 0 && !wanted)
		reader->skipped = row->host;
	if (r == 0 && is_new && wanted)
		r = add_host(reader, row, reterr);
	return r == 0 && wanted ? add_snapshot(reader, row, reterr) : r;
}

int pq_hosts_read(struct pmuq_store *store, const struct pmuq_hosts_filter *filter,
		  struct pmuq_hosts *ret, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct list_reader reader = { .store = store, .filter = filter, .hosts = ret };
	struct listed_row row;
	int r;

	ret->n_globs = filter->n_globs;
	ret->matched = pq_arena_array(&ret->arena, filter->n_globs, sizeof(*ret->matched));
	if (!ret->matched)
		return pq_fail_memory(reterr);
	r = pq_stmt_begin(&stmt, store, filter->is_newest_only ? &list_newest : &list_all,
			  PQ_NO_PARAMS, reterr);
	if (r < 0)
		return r;
	while ((r = pq_stmt_next(&stmt, &row, &ret->arena, reterr)) == 0) {
		r = add_row(&reader, &row, reterr);
		if (r < 0)
			return r;
	}
	return r < 0 ? r : 0;
}
