/* SPDX-License-Identifier: MIT */
/*
 * Finds a host by its name and a snapshot by its number. If there is no such host, the hint of the
 * error lists hosts with similar names. find_snapshot.c finds snapshots by other words.
 */
#include "core/near.h"
#include "db/db.h"
#include "db/hosts/find.h"

/* Up to so many hosts the hint lists all. */
#define FEW_HOSTS 8

#define NAMES_MAX_BYTES ((size_t)64 << 20)

static const struct pq_sql find_host = {
	.text = "SELECT id FROM host WHERE name = ?",
	PQ_ONE_NUMBER,
};

int pq_store_find_host(struct pmuq_store *store, struct pmuq_str name, int64_t *ret,
		       struct pmuq_error **reterr)
{
	return pq_sql_row(store, &find_host, PQ_PARAMS(pq_param_text(name)), ret, NULL, reterr);
}

static const struct pq_sql find_snapshot = {
	.text = "SELECT id FROM snapshot WHERE host = ?1 AND (id = ?2 OR ?2 = 0)"
		" ORDER BY id DESC LIMIT 1",
	PQ_ONE_NUMBER,
};

int pq_store_find_snapshot(struct pmuq_store *store, struct pmuq_str name, int64_t number,
			   int64_t *ret, struct pmuq_error **reterr)
{
	int64_t host = 0;
	int r = pq_store_find_host(store, name, &host, reterr);

	if (r == PQ_NONE)
		return pq_store_fail_unknown_host(store, name, reterr);
	if (r == 0)
		r = pq_sql_row(store, &find_snapshot,
			       PQ_PARAMS(pq_param_number(host), pq_param_number(number)), ret, NULL,
			       reterr);
	return r == PQ_NONE ? pq_store_fail_unknown_snapshot(store, name, host, number, reterr) : r;
}

/* ---- hints */

struct known_names {
	struct pq_near near;
	struct pmuq_str first[FEW_HOSTS];
	size_t n;
};

static void add_name(struct known_names *names, struct pmuq_str name)
{
	if (names->n < FEW_HOSTS)
		names->first[names->n] = name;
	names->n++;
	pq_near_consider(&names->near, name);
}

static const struct pq_sql list_names = {
	.text = "SELECT name FROM host ORDER BY name",
	PQ_ONE_TEXT,
};

static int read_names(struct pmuq_store *store, struct pq_arena *arena, struct known_names *ret,
		      struct pmuq_error **reterr)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pmuq_str name;
	int r = pq_stmt_begin(&stmt, store, &list_names, PQ_NO_PARAMS, reterr);

	if (r < 0)
		return r;
	while ((r = pq_stmt_next(&stmt, &name, arena, reterr)) == 0)
		add_name(ret, name);
	return r < 0 ? r : 0;
}

static void hint_names(const struct known_names *names, struct pmuq_error **reterr)
{
	struct pq_buf hint = PQ_BUF_NULL;
	size_t start;

	if (!names->n)
		pq_buf_add(&hint, STR("the database is empty: `pmuq scan` adds this machine"));
	else if (names->n <= FEW_HOSTS)
		pq_buf_add(&hint, STR("hosts here: "));
	else if (names->near.n)
		pq_buf_print(&hint, "the nearest of %zu hosts: ", names->n);
	else
		pq_buf_print(&hint, "none of the %zu hosts has a similar name", names->n);
	start = hint.n;
	for (size_t i = 0; names->n <= FEW_HOSTS && i < names->n; i++)
		pq_buf_list(&hint, start, names->first[i]);
	for (size_t i = 0; names->n > FEW_HOSTS && i < names->near.n; i++)
		pq_buf_list(&hint, start, names->near.found[i]);
	pq_error_hint_buf(reterr, &hint);
}

int pq_store_fail_unknown_host(struct pmuq_store *store, struct pmuq_str name,
			       struct pmuq_error **reterr)
{
	cleanup(pq_arena_clear) struct pq_arena arena = { 0 };
	struct known_names names = { .near.word = name };
	int r;

	pq_arena_init(&arena, NULL, 0, NAMES_MAX_BYTES);
	r = read_names(store, &arena, &names, reterr);
	if (r < 0)
		return r;
	r = pq_fail(reterr, PMUQ_E_UNKNOWN_HOST, "the database has no host '%.*s'", STR_ARG(name));
	pq_error_origin(reterr, str_of(store->name));
	hint_names(&names, reterr);
	return r;
}
