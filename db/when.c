/* SPDX-License-Identifier: MIT */
/*
 * A snapshot of a host by a word that a person has at hand: its number, a date, or the kernel that
 * ran. Times are UTC. Knows no clock.
 */
#include "core/num.h"
#include "db/statement.h"
#include <time.h>

#define HINT_SNAPSHOTS 4
#define KERNELS_MAX_BYTES ((size_t)64 << 20)

struct search {
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

/* Two or four digits at a place of the text, or -1. */
static int digits_at(struct pmuq_str text, size_t at, size_t n)
{
	int value = 0;

	if (at + n > text.n)
		return -1;
	for (size_t i = at; i < at + n; i++) {
		if (!char_is_digit(text.p[i]))
			return -1;
		value = value * 10 + (text.p[i] - '0');
	}
	return value;
}

/* The first second of "2026-11-01", "2026-11-01 10:30" or "2026-11-01T10:30:05Z", and how many they
 * are. */
static bool parse_time(struct pmuq_str text, int64_t *ret, int64_t *ret_n)
{
	struct tm tm = { 0 }, again;
	time_t time_s;

	if (text.n > 10 && text.p[text.n - 1] == 'Z')
		text.n--;
	if (text.n != 10 && text.n != 16 && text.n != 19)
		return false;
	tm.tm_year = digits_at(text, 0, 4) - 1900;
	tm.tm_mon = digits_at(text, 5, 2) - 1;
	tm.tm_mday = digits_at(text, 8, 2);
	if (text.p[4] != '-' || text.p[7] != '-')
		return false;
	if (text.n >= 16) {
		tm.tm_hour = digits_at(text, 11, 2);
		tm.tm_min = digits_at(text, 14, 2);
		if ((text.p[10] != ' ' && text.p[10] != 'T') || text.p[13] != ':')
			return false;
	}
	if (text.n == 19) {
		tm.tm_sec = digits_at(text, 17, 2);
		if (text.p[16] != ':')
			return false;
	}
	again = tm;
	time_s = timegm(&again);
	*ret = time_s;
	*ret_n = text.n == 10 ? 86400 : text.n == 16 ? 60 : 1;
	/* What is no date comes back as another one. */
	return again.tm_year == tm.tm_year && again.tm_mon == tm.tm_mon &&
	       again.tm_mday == tm.tm_mday && again.tm_hour == tm.tm_hour &&
	       again.tm_min == tm.tm_min && again.tm_sec == tm.tm_sec;
}

PQ_API bool pmuq_time_parse(const char *text, int64_t *ret_first, int64_t *ret_last)
{
	int64_t first = 0, n = 0;

	if (!parse_time(str_of(text), &first, &n))
		return false;
	*ret_first = first;
	*ret_last = first + n - 1;
	return true;
}

/* Of a statement that answers with one number; PQ_NONE when it has no row. */
static int find_one(struct pmuq_store *store, enum pq_sql which, int64_t host, int64_t value,
		    int64_t *ret, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, which, reterr);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, host);
	pq_bind_int(&stmt, value);
	r = pq_stmt_step(&stmt, reterr);
	if (r != 0)
		return r;
	*ret = pq_column_int(&stmt, 0);
	return pq_stmt_check(&stmt, reterr);
}

/* "6.1" means 6.1.0-40-amd64, and not 6.12. */
static bool is_part_of_kernel(struct pmuq_str when, struct pmuq_str kernel)
{
	return kernel.n > when.n && str_starts(kernel, when) && !char_is_digit(kernel.p[when.n]);
}

/* The newest that ran this very kernel, else the newest of which the name begins so. */
static int find_kernel(struct pmuq_store *store, struct pmuq_str when, int64_t host, int64_t *ret,
		       struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pq_arena arena;
	int64_t exact = 0, near = 0;
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_LIST_KERNELS, reterr);

	if (r < 0)
		return r;
	pq_arena_init(&arena, NULL, 0, KERNELS_MAX_BYTES);
	pq_bind_int(&stmt, host);
	while (!exact && (r = pq_stmt_step(&stmt, reterr)) == 0) {
		struct pmuq_str kernel = pq_column_str(&stmt, 2, &arena);

		if (kernel.p && str_eq(kernel, when))
			exact = pq_column_int(&stmt, 0);
		else if (kernel.p && !near && is_part_of_kernel(when, kernel))
			near = pq_column_int(&stmt, 0);
	}
	pq_arena_clear(&arena);
	if (r < 0)
		return r;
	*ret = exact ? exact : near;
	return *ret ? 0 : PQ_NONE;
}

static void add_state(struct pq_stmt *stmt, struct pq_arena *arena, struct pq_buf *hint)
{
	time_t time_s = (time_t)pq_column_int(stmt, 1);
	struct pmuq_str kernel = pq_column_str(stmt, 2, arena);
	struct tm tm;
	char date[16] = "";

	if (gmtime_r(&time_s, &tm))
		strftime(date, sizeof(date), "%Y-%m-%d", &tm);
	pq_buf_print(hint, "%lld (%s", (long long)pq_column_int(stmt, 0), date);
	pq_buf_add(hint, kernel.p ? STR(", ") : STR(""));
	pq_buf_add(hint, kernel);
	pq_buf_add(hint, STR(")"));
}

static void hint_states(struct pmuq_store *store, int64_t host, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	cleanup(pq_buf_free) struct pq_buf hint = PQ_BUF_NULL;
	struct pq_arena arena;

	if (pq_stmt_begin(&stmt, store, PQ_SQL_LIST_KERNELS, NULL) < 0)
		return;
	pq_arena_init(&arena, NULL, 0, KERNELS_MAX_BYTES);
	pq_bind_int(&stmt, host);
	pq_buf_add(&hint, STR("its newest snapshots, with when they were first seen: "));
	for (size_t i = 0; i < HINT_SNAPSHOTS && pq_stmt_step(&stmt, NULL) == 0; i++) {
		pq_buf_add(&hint, i ? STR(", ") : STR(""));
		add_state(&stmt, &arena, &hint);
	}
	pq_arena_clear(&arena);
	pq_error_hint_buf(reterr, &hint);
}

static int fail_unknown(struct pmuq_store *store, const struct search *search, int64_t host,
			bool is_time, struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_UNKNOWN_SNAPSHOT,
			is_time ? "host '%.*s' was not in the database on %.*s"
				: "host '%.*s' has no snapshot of a kernel '%.*s'",
			STR_ARG(search->name), STR_ARG(search->when));

	pq_error_origin(reterr, str_of(store->path));
	hint_states(store, host, reterr);
	return r;
}

/* A number of more digits than any has is that of no snapshot. */
static int find_number(struct pmuq_store *store, struct search *search, int64_t host,
		       struct pmuq_error **reterr)
{
	uint64_t number = 0;
	int r;

	if (pq_num_decimal(search->when, &number) != PQ_NUM_OK || number > INT64_MAX || !number)
		number = INT64_MAX;
	r = find_one(store, PQ_SQL_FIND_SNAPSHOT, host, (int64_t)number, &search->number, reterr);
	return r != PQ_NONE ? r
			    : pq_store_fail_unknown_snapshot(store, search->name, host,
							     (int64_t)number, reterr);
}

static int search_within(struct pmuq_store *store, void *arg, struct pmuq_error **reterr)
{
	struct search *search = arg;
	int64_t host = 0, time_s = 0, n = 0;
	bool is_time = parse_time(search->when, &time_s, &n);
	int r = pq_store_find_host(store, search->name, &host, reterr);

	if (r == PQ_NONE)
		return pq_store_fail_unknown_host(store, search->name, reterr);
	if (r < 0)
		return r;
	if (is_digits(search->when))
		return find_number(store, search, host, reterr);
	if (is_time)
		r = find_one(store, PQ_SQL_FIND_AT_TIME, host, time_s + n - 1, &search->number,
			     reterr);
	else
		r = find_kernel(store, search->when, host, &search->number, reterr);
	return r != PQ_NONE ? r : fail_unknown(store, search, host, is_time, reterr);
}

PQ_API int pmuq_store_find_snapshot(struct pmuq_store *store, const char *name, const char *when,
				    int64_t *ret, struct pmuq_error **reterr)
{
	struct search search = {
		.name = str_of(name ? name : ""),
		.when = str_of(when ? when : ""),
	};
	const struct pq_work work = { .run = search_within, .arg = &search };
	int r;

	store->doing = "cannot look for the snapshot";
	r = pq_store_read(store, &work, reterr);
	if (r == 0)
		*ret = search.number;
	return r;
}
