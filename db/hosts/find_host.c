/* SPDX-License-Identifier: MIT */
/*
 * Finds a host by its name. If there is no such host, the hint of the error lists hosts with
 * similar names. find_snapshot.c finds the snapshots of a host.
 */
#include "core/limits.h"
#include "core/near.h"
#include "db/sqlite/statement.h"

/* Up to this number of hosts the hint lists all. */
#define FEW_HOSTS 8

bool pq_store_find_host(struct pmuq_store *store, struct pmuq_str name, int64_t *ret)
{
	return pq_sql_number(store, "SELECT id FROM host WHERE name = ?", PQ_PARAMS(name), ret);
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

static void read_names(struct pmuq_store *store, struct pq_arena *arena, struct known_names *ret)
{
	cleanup(pq_stmt_end) struct pq_stmt stmt = { 0 };
	struct pmuq_str name;

	pq_stmt_begin(&stmt, store, PQ_QUERY(pq_one_text, "SELECT name FROM host ORDER BY name"),
		      PQ_NO_PARAMS);
	while (pq_stmt_next(&stmt, &name, arena))
		add_name(ret, name);
}

static void print_names(const struct known_names *names, struct pq_buf *hint)
{
	bool is_few = names->n <= FEW_HOSTS;
	const struct pmuq_str *v = is_few ? names->first : names->near.found;
	size_t n = is_few ? names->n : names->near.n, start;

	if (!names->n)
		pq_buf_add(hint, STR("the database is empty: `pmuq scan` adds this machine"));
	else if (is_few)
		pq_buf_add(hint, STR("hosts here: "));
	else if (n)
		pq_buf_print(hint, "the nearest of %zu hosts: ", names->n);
	else
		pq_buf_print(hint, "none of the %zu hosts has a similar name", names->n);
	start = hint->n;
	for (size_t i = 0; i < n; i++)
		pq_buf_list(hint, start, v[i]);
}

int64_t pq_store_need_host(struct pmuq_store *store, struct pmuq_str name)
{
	auto_arena struct pq_arena arena = PQ_ARENA(PQ_HOST_NAMES_MAX_BYTES);
	struct known_names names = { .near.word = name };
	struct pq_buf hint = PQ_BUF_NULL;
	int64_t host = 0;

	if (pq_store_find_host(store, name, &host) || store->r < 0)
		return host;
	read_names(store, &arena, &names);
	print_names(&names, &hint);
	pq_store_fail_with(store, &hint, PMUQ_E_UNKNOWN_HOST, "the database has no host '%.*s'",
			   STR_ARG(name));
	return 0;
}
