/* SPDX-License-Identifier: MIT */
/* Hosts and their snapshots out of the store: a row each, and what they share once. */
#include "db/host_list.h"
#include <fnmatch.h>

/* A host's row, as the columns of LIST_HOSTS and LIST_NEWEST come. */
enum {
	AT_HOST,
	AT_NAME,
	AT_MACHINE_ID,
	AT_SNAPSHOT,
	AT_FIRST_SEEN,
	AT_LAST_SEEN,
	AT_FACTS,
	AT_KIND,
	AT_ANSWERS,
	AT_KEPT
};

struct reading {
	struct pmuq_store *store;
	const struct pmuq_hosts_filter *filter;
	struct pmuq_hosts *hosts;
	int64_t skipped; /* the host whose rows are not wanted */
};

static int count_facts(struct pmuq_store *store, int64_t id, size_t *ret,
		       struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_COUNT_FACTS, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, id);
	r = pq_stmt_step(&stmt, reterr);
	if (r == 0)
		*ret = (size_t)pq_column_int(&stmt, 0);
	return r < 0 ? r : pq_stmt_check(&stmt, reterr);
}

static int read_facts(struct reading *reading, int64_t id, struct pq_listed_facts *ret,
		      struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_arena *arena = &reading->hosts->arena;
	size_t room = 0;
	struct pmuq_pair *v;
	int r = count_facts(reading->store, id, &room, reterr);

	if (r == 0)
		r = pq_stmt_begin(&stmt, reading->store, PQ_SQL_LIST_FACTS, reterr);
	if (r < 0)
		return r;
	v = pq_arena_array(arena, room, sizeof(*v));
	if (!v)
		return pq_fail_memory(reterr);
	pq_bind_int(&stmt, id);
	while (ret->n < room && (r = pq_stmt_step(&stmt, reterr)) == 0)
		v[ret->n++] = (struct pmuq_pair){ .name = pq_column_text(&stmt, 0, arena),
						  .text = pq_column_text(&stmt, 1, arena) };
	ret->v = v;
	return r < 0 ? r : pq_stmt_check(&stmt, reterr);
}

static const struct pq_listed_facts *find_facts(const struct pmuq_hosts *hosts, int64_t id)
{
	const struct pq_listed_facts *facts;
	size_t at = pq_intern_start(&hosts->facts, (uint64_t)id);

	while ((facts = pq_intern_next(&hosts->facts, (uint64_t)id, &at)))
		if (facts->id == id)
			return facts;
	return NULL;
}

static int facts_of(struct reading *reading, int64_t id, const struct pq_listed_facts **ret,
		    struct pmuq_error **reterr)
{
	struct pmuq_hosts *hosts = reading->hosts;
	struct pq_listed_facts *facts;
	int r;

	*ret = find_facts(hosts, id);
	if (*ret)
		return 0;
	facts = pq_arena_zero(&hosts->arena, sizeof(*facts));
	if (!facts)
		return pq_fail_memory(reterr);
	facts->id = id;
	r = read_facts(reading, id, facts, reterr);
	if (r < 0)
		return r;
	if (!pq_intern_add(&hosts->facts, (uint64_t)id, facts))
		return pq_fail_memory(reterr);
	*ret = facts;
	return 0;
}

/* Every glob is asked, so that each learns whether it found something. */
static bool is_wanted(struct reading *reading, const struct pq_listed_host *host)
{
	const struct pmuq_hosts_filter *filter = reading->filter;
	bool is_matched = filter->n_globs == 0;

	if (filter->machine_id && !str_eq(host->record.machine_id, str_of(filter->machine_id)))
		return false;
	for (size_t i = 0; i < filter->n_globs; i++) {
		if (fnmatch(filter->globs[i], host->record.name.p, 0) != 0)
			continue;
		reading->hosts->matched[i]++;
		is_matched = true;
	}
	return is_matched;
}

/* False: out of memory. */
static bool add_host(struct reading *reading, struct pq_stmt *stmt)
{
	struct pmuq_hosts *hosts = reading->hosts;
	struct pq_listed_host host = {
		.record = { .size = sizeof(host.record),
			    .name = pq_column_text(stmt, AT_NAME, &hosts->arena),
			    .machine_id = pq_column_str(stmt, AT_MACHINE_ID, &hosts->arena),
			    .n_stored = (size_t)pq_column_int(stmt, AT_KEPT) },
		.id = pq_column_int(stmt, AT_HOST),
		.from = hosts->n_snapshots,
	};
	void *v;

	if (!host.record.name.p)
		return stmt->rc != SQLITE_OK; /* told by the next step */
	if (!is_wanted(reading, &host)) {
		reading->skipped = host.id;
		return true;
	}
	v = pq_hosts_grow(hosts->hosts, hosts->n_hosts, sizeof(host));
	if (!v)
		return false;
	hosts->hosts = v;
	hosts->hosts[hosts->n_hosts++] = host;
	return true;
}

static int add_snapshot(struct reading *reading, struct pq_stmt *stmt, struct pmuq_error **reterr)
{
	struct pmuq_hosts *hosts = reading->hosts;
	struct pq_listed_snapshot snapshot = {
		.record = { .size = sizeof(snapshot.record),
			    .number = pq_column_int(stmt, AT_SNAPSHOT),
			    .first_seen_s = pq_column_int(stmt, AT_FIRST_SEEN),
			    .last_seen_s = pq_column_int(stmt, AT_LAST_SEEN) },
		.kind = pq_column_int(stmt, AT_KIND),
		.answers =
			pq_column_is_null(stmt, AT_ANSWERS) ? 0 : pq_column_int(stmt, AT_ANSWERS),
	};
	const struct pq_listed_facts *facts;
	int r = facts_of(reading, pq_column_int(stmt, AT_FACTS), &facts, reterr);
	void *v;

	if (r < 0)
		return r;
	snapshot.record.facts = facts->v;
	snapshot.record.n_facts = facts->n;
	snapshot.record.is_checked = snapshot.answers != 0;
	v = pq_hosts_grow(hosts->snapshots, hosts->n_snapshots, sizeof(snapshot));
	if (!v)
		return pq_fail_memory(reterr);
	hosts->snapshots = v;
	hosts->snapshots[hosts->n_snapshots++] = snapshot;
	hosts->hosts[hosts->n_hosts - 1].record.n_snapshots++;
	return 0;
}

/* A host that called itself otherwise is skipped. */
static int check_hostname(struct reading *reading, int64_t id, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pmuq_hosts *hosts = reading->hosts;
	struct pmuq_str hostname = { 0 };
	int r = pq_stmt_begin(&stmt, reading->store, PQ_SQL_HOSTNAME_OF, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, id);
	r = pq_stmt_step(&stmt, reterr);
	if (r == 0)
		hostname = pq_column_text(&stmt, 0, &hosts->arena);
	if (r >= 0 && !str_eq(hostname, str_of(reading->filter->hostname)))
		reading->skipped = id;
	return r < 0 ? r : pq_stmt_check(&stmt, reterr);
}

static int add_row(struct reading *reading, struct pq_stmt *stmt, struct pmuq_error **reterr)
{
	struct pmuq_hosts *hosts = reading->hosts;
	int64_t id = pq_column_int(stmt, AT_HOST);
	bool is_same = hosts->n_hosts && hosts->hosts[hosts->n_hosts - 1].id == id;

	if (!is_same && id != reading->skipped && reading->filter->hostname) {
		int r = check_hostname(reading, id, reterr);

		if (r < 0)
			return r;
	}
	if (id == reading->skipped)
		return 0;
	if (!is_same && !add_host(reading, stmt))
		return pq_fail_memory(reterr);
	if (id == reading->skipped || stmt->rc != SQLITE_OK)
		return 0;
	return add_snapshot(reading, stmt, reterr);
}

int pq_hosts_read(struct pmuq_store *store, const struct pmuq_hosts_filter *filter,
		  struct pmuq_hosts *ret, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct reading reading = { .store = store, .filter = filter, .hosts = ret };
	int r = pq_stmt_begin(&stmt, store,
			      filter->is_newest_only ? PQ_SQL_LIST_NEWEST : PQ_SQL_LIST_HOSTS,
			      reterr);

	if (r < 0)
		return r;
	ret->n_globs = filter->n_globs;
	ret->matched = calloc(filter->n_globs + 1, sizeof(*ret->matched));
	if (!ret->matched)
		return pq_fail_memory(reterr);
	while ((r = pq_stmt_step(&stmt, reterr)) == 0) {
		r = add_row(&reading, &stmt, reterr);
		if (r < 0)
			return r;
	}
	return r < 0 ? r : 0;
}
