/* SPDX-License-Identifier: MIT */
/*
 * Finds a snapshot of a host by a word: its number, a date (UTC), or the kernel that ran. The
 * present time is not used. If there is no such snapshot, the hint of the error lists the newest
 * ones, with the words that find them.
 */
#include "core/buf.h"
#include "core/num.h"
#include "core/text/time.h"
#include "db/statement.h"
#include <time.h>

#define HINT_SNAPSHOTS "4"

struct snapshot_search {
	struct pmuq_str name, when;
	int64_t number;
};

static bool is_digits(struct pmuq_str text)
{
	for (size_t i = 0; i < text.n; i++)
		if (!char_is_digit(text.p[i]))
			return false;
	return text.n > 0;
}

/* Parses "2026-11-01", "2026-11-01 10:30" or "2026-11-01T10:30:05Z" into a range: the first second
 * and the length in seconds. */
static bool parse_time(struct pmuq_str text, int64_t *ret, int64_t *ret_n)
{
	char whole[] = "0000-00-00T00:00:00Z";

	if (text.n > 10 && text.p[text.n - 1] == 'Z')
		text.n--;
	if (text.n != 10 && text.n != 16 && text.n != 19)
		return false;
	memcpy(whole, text.p, text.n);
	if (whole[10] == ' ')
		whole[10] = 'T';
	*ret_n = text.n == 10 ? 86400 : text.n == 16 ? 60 : 1;
	return pq_time_read(str_of(whole), ret);
}

PQ_API bool pmuq_time_parse(const char *text, int64_t *ret_first, int64_t *ret_last)
{
	int64_t first, n;

	if (!parse_time(str_of(text), &first, &n))
		return false;
	*ret_first = first;
	*ret_last = first + n - 1;
	return true;
}

static bool find_at_time(struct pmuq_store *store, int64_t host, int64_t time_s, int64_t *ret)
{
	return pq_sql_number(store,
			     "SELECT id FROM snapshot WHERE host = ? AND first_seen <= ?"
			     " ORDER BY id DESC LIMIT 1",
			     PQ_PARAMS(host, time_s), ret);
}

/* ---- by kernel */

struct kernel_state {
	int64_t id, first_seen;
	struct pmuq_str kernel;
};

static const struct pq_column state_columns[] = {
	{ PQ_COLUMN(struct kernel_state, id) },
	{ PQ_COLUMN(struct kernel_state, first_seen) },
	{ PQ_COLUMN_AS(struct kernel_state, kernel,
		       "(SELECT text FROM fact WHERE fact.fact_set = snapshot.fact_set"
		       " AND name = 'kernel')"),
	  .is_nullable = true },
};

/* The newest with this very kernel, else the newest whose kernel begins with it: "6.1" means
 * 6.1.0-40-amd64, and not 6.12. */
static bool find_by_kernel(struct pmuq_store *store, struct pmuq_str when, int64_t host,
			   int64_t *ret)
{
	return pq_sql_number(store,
			     "SELECT id FROM snapshot JOIN fact USING (fact_set)"
			     " WHERE host = ?1 AND name = 'kernel' AND (text = ?2"
			     " OR (substr(text, 1, length(?2)) = ?2 AND length(text) > length(?2)"
			     " AND substr(text, length(?2) + 1, 1) NOT BETWEEN '0' AND '9'))"
			     " ORDER BY text = ?2 DESC, id DESC LIMIT 1",
			     PQ_PARAMS(host, when), ret);
}

/* ---- errors */

static void add_state(const struct kernel_state *state, struct pq_buf *hint)
{
	time_t time_s = (time_t)state->first_seen;
	char date[16] = "";
	struct tm tm;

	if (gmtime_r(&time_s, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d", &tm);
	pq_buf_print(hint, "%lld (%s%s%.*s)", (long long)state->id, date,
		     state->kernel.p ? ", " : "", STR_ARG(state->kernel));
}

static struct pq_buf hint_states(struct pmuq_store *store, int64_t host)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_buf hint = PQ_BUF_NULL;
	struct kernel_state state;

	pq_stmt_begin(
		&stmt, store,
		PQ_QUERY(state_columns,
			 "FROM snapshot WHERE host = ? ORDER BY id DESC LIMIT " HINT_SNAPSHOTS),
		PQ_PARAMS(host));
	pq_buf_add(&hint, STR("its newest snapshots: "));
	for (size_t i = 0; pq_stmt_next(&stmt, &state, NULL); i++) {
		pq_buf_add(&hint, i ? STR(", ") : STR(""));
		add_state(&state, &hint);
	}
	return hint;
}

static void fail_number(struct pmuq_store *store, struct pmuq_str name, struct pmuq_str number)
{
	int64_t host = pq_store_need_host(store, name);
	struct pq_buf hint = hint_states(store, host);

	pq_store_fail_with(store, &hint, PMUQ_E_UNKNOWN_SNAPSHOT,
			   "host '%.*s' has no snapshot %.*s", STR_ARG(name), STR_ARG(number));
}

int64_t pq_store_find_snapshot(struct pmuq_store *store, struct pmuq_str name, int64_t number)
{
	cleanup(pq_buf_free) struct pq_buf shown = PQ_BUF_NULL;
	int64_t snapshot = 0;

	if (pq_sql_number(store,
			  "SELECT id FROM snapshot WHERE host = (SELECT id FROM host WHERE"
			  " name = ?1) AND (id = ?2 OR ?2 = 0) ORDER BY id DESC LIMIT 1",
			  PQ_PARAMS(name, number), &snapshot))
		return snapshot;
	pq_store_need_host(store, name);
	if (!number)
		pq_store_fail_content(store, "the host has no snapshot");
	pq_buf_print(&shown, "%lld", (long long)number);
	fail_number(store, name, pq_buf_str(&shown));
	return 0;
}

/* 0 is the newest snapshot in calls, and no number of one. */
static int64_t find_number(struct pmuq_store *store, struct pmuq_str name, struct pmuq_str digits)
{
	uint64_t number = 0;

	if (pq_num_decimal(digits, &number) == PQ_NUM_OK && number && number <= INT64_MAX)
		return pq_store_find_snapshot(store, name, (int64_t)number);
	fail_number(store, name, digits);
	return 0;
}

static void search_within(struct pmuq_store *store, void *arg)
{
	struct snapshot_search *search = arg;
	int64_t time_s = 0, n = 0, host;
	bool is_time = parse_time(search->when, &time_s, &n), is_found;
	struct pq_buf hint;

	if (is_digits(search->when)) {
		search->number = find_number(store, search->name, search->when);
		return;
	}
	host = pq_store_need_host(store, search->name);
	is_found = is_time ? find_at_time(store, host, time_s + n - 1, &search->number)
			   : find_by_kernel(store, search->when, host, &search->number);
	if (is_found)
		return;
	hint = hint_states(store, host);
	pq_store_fail_with(store, &hint, PMUQ_E_UNKNOWN_SNAPSHOT,
			   is_time ? "host '%.*s' was not in the database on %.*s"
				   : "host '%.*s' has no snapshot with a kernel '%.*s'",
			   STR_ARG(search->name), STR_ARG(search->when));
}

PQ_API int pmuq_store_find_snapshot(struct pmuq_store *store, const char *name, const char *when,
				    int64_t *ret, struct pmuq_error **reterr)
{
	struct snapshot_search search = {
		.name = str_of(name ? name : ""),
		.when = str_of(when ? when : ""),
	};
	int r = pq_store_read(store, "cannot find the snapshot", search_within, &search, reterr);

	if (r == 0)
		*ret = search.number;
	return r;
}
