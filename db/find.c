/* SPDX-License-Identifier: MIT */
/* Finding a host by its name, and what to say when it, or a snapshot of it, is not there. */
#include "db/statement.h"

#define HINT_NAMES 3
#define HINT_SNAPSHOTS 5
/* All are listed up to here. */
#define FEW_HOSTS 8
/* So many edits away is another name, however long. */
#define FAR_DISTANCE 4

#define NAMES_MAX_BYTES ((size_t)64 << 20)

int pq_store_find_host(struct pmuq_store *store, struct pmuq_str name, int64_t *ret,
		       struct pmuq_error **reterr)
{
	return pq_stmt_find_id(store, PQ_SQL_FIND_HOST, name, ret, reterr);
}

struct near {
	struct pmuq_str name;
	size_t distance;
};

struct names {
	struct near nearest[HINT_NAMES]; /* best first; those that are far have no name */
	struct pmuq_str first[FEW_HOSTS];
	size_t n;
};

/* How many edits away is too far: a third of the name. */
static size_t far_distance(struct pmuq_str wanted)
{
	return wanted.n / 3 + 2 < FAR_DISTANCE ? wanted.n / 3 + 2 : FAR_DISTANCE;
}

/* Behind those that are as near: names come in order. */
static void note_nearness(struct names *names, struct near near)
{
	size_t at = 0;

	while (at < HINT_NAMES && names->nearest[at].name.p &&
	       names->nearest[at].distance <= near.distance)
		at++;
	if (at == HINT_NAMES)
		return;
	memmove(&names->nearest[at + 1], &names->nearest[at], (HINT_NAMES - 1 - at) * sizeof(near));
	names->nearest[at] = near;
}

static void note_name(struct names *names, struct pmuq_str name, struct pmuq_str wanted)
{
	size_t limit = far_distance(wanted);
	struct near near = { .name = name, .distance = str_distance(wanted, name, limit) };

	if (names->n < FEW_HOSTS)
		names->first[names->n] = name;
	names->n++;
	if (near.distance < limit)
		note_nearness(names, near);
}

static int read_names(struct pmuq_store *store, struct pmuq_str wanted, struct pq_arena *arena,
		      struct names *ret, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_LIST_NAMES, reterr);

	if (r < 0)
		return r;
	while ((r = pq_stmt_step(&stmt, reterr)) == 0) {
		struct pmuq_str name = pq_column_text(&stmt, 0, arena);

		note_name(ret, name, wanted);
	}
	return r < 0 ? r : 0;
}

static void hint_names(const struct names *names, struct pmuq_error **reterr)
{
	struct pq_buf hint = PQ_BUF_NULL;
	size_t start;

	if (!names->n)
		pq_buf_add(&hint,
			   STR("the database is empty: `pmuq scan` keeps this machine in it"));
	else if (names->n <= FEW_HOSTS)
		pq_buf_add(&hint, STR("hosts here: "));
	else if (names->nearest[0].name.p)
		pq_buf_print(&hint, "the nearest of %zu hosts: ", names->n);
	else
		pq_buf_print(&hint, "none of the %zu hosts has a name like that", names->n);
	start = hint.n;
	for (size_t i = 0; names->n <= FEW_HOSTS && i < names->n; i++)
		pq_buf_list(&hint, start, names->first[i]);
	for (size_t i = 0; names->n > FEW_HOSTS && i < HINT_NAMES && names->nearest[i].name.p; i++)
		pq_buf_list(&hint, start, names->nearest[i].name);
	pq_error_hint_buf(reterr, &hint);
}

int pq_store_fail_unknown_host(struct pmuq_store *store, struct pmuq_str name,
			       struct pmuq_error **reterr)
{
	struct names names = { 0 };
	struct pq_arena arena;
	int r;

	pq_arena_init(&arena, NULL, 0, NAMES_MAX_BYTES);
	r = read_names(store, name, &arena, &names, reterr);
	if (r == 0) {
		r = pq_fail(reterr, PMUQ_E_UNKNOWN_HOST, "the database has no host '%.*s'",
			    STR_ARG(name));
		pq_error_origin(reterr, str_of(store->path));
		hint_names(&names, reterr);
	}
	pq_arena_clear(&arena);
	return r;
}

static int hint_snapshots(struct pmuq_store *store, int64_t host, struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	cleanup(pq_buf_free) struct pq_buf hint = PQ_BUF_NULL;
	size_t n = 0, start;
	int r = pq_stmt_begin(&stmt, store, PQ_SQL_LIST_SNAPSHOTS, NULL);

	if (r < 0)
		return r;
	pq_bind_int(&stmt, host);
	pq_buf_add(&hint, STR("its newest snapshots: "));
	start = hint.n;
	for (; n < HINT_SNAPSHOTS && pq_stmt_step(&stmt, NULL) == 0; n++) {
		pq_buf_add(&hint, hint.n > start ? STR(", ") : STR(""));
		pq_buf_print(&hint, "%lld", (long long)pq_column_int(&stmt, 0));
	}
	if (n)
		pq_error_hint_buf(reterr, &hint);
	return 0;
}

int pq_store_fail_unknown_snapshot(struct pmuq_store *store, struct pmuq_str name, int64_t host,
				   int64_t snapshot, struct pmuq_error **reterr)
{
	int r;

	if (!snapshot)
		return pq_store_fail_content(store, "the host has no snapshot", reterr);
	r = pq_fail(reterr, PMUQ_E_UNKNOWN_SNAPSHOT, "host '%.*s' has no snapshot %lld",
		    STR_ARG(name), (long long)snapshot);
	pq_error_origin(reterr, str_of(store->path));
	hint_snapshots(store, host, reterr);
	return r;
}
