/* SPDX-License-Identifier: MIT */
/*
 * Finds a host by its name. If there is no such host, the hint of the error lists hosts whose names
 * begin with the word, or else similar names. find_snapshot.c finds the snapshots of a host.
 */
#include "core/limits.h"
#include "core/near.h"
#include "db/statement.h"

/* Up to this number of names the hint lists all. */
#define FEW_HOSTS 8

int pq_host_name_check(struct pmuq_str name, struct pmuq_error **reterr)
{
	int r;

	if (name.n <= PQ_HOST_NAME_MAX_BYTES)
		return 0;
	r = pq_fail(reterr, PMUQ_E_BAD_CALL, "a host's name of %zu bytes; the limit is %u", name.n,
		    PQ_HOST_NAME_MAX_BYTES);
	pq_error_hint(reterr, "choose another name (--name NAME)");
	return r;
}

bool pq_store_find_host(struct pmuq_store *store, struct pmuq_str name, int64_t *ret)
{
	return pq_sql_number(store, "SELECT id FROM host WHERE name = ?", PQ_PARAMS(name), ret);
}

/* ---- hints */

struct first_names {
	struct pmuq_str v[FEW_HOSTS];
	size_t n; /* of all; v has at most FEW_HOSTS */
};

struct known_names {
	struct pq_near near;
	struct first_names all, beginning; /* beginning: with the word */
};

static void add_first(struct first_names *names, struct pmuq_str name)
{
	if (names->n < FEW_HOSTS)
		names->v[names->n] = name;
	names->n++;
}

static void add_name(struct known_names *names, struct pmuq_str name)
{
	add_first(&names->all, name);
	if (str_starts(name, names->near.word))
		add_first(&names->beginning, name);
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

static void list_names(const struct pmuq_str *v, size_t n, struct pq_buf *hint)
{
	size_t start = hint->n;

	for (size_t i = 0; i < n && i < FEW_HOSTS; i++)
		pq_buf_list(hint, start, v[i]);
	if (n > FEW_HOSTS)
		pq_buf_list(hint, start, STR("…"));
}

static void print_names(const struct known_names *names, struct pq_buf *hint)
{
	const struct first_names *all = &names->all, *beginning = &names->beginning;

	if (!all->n) {
		pq_buf_add(hint, STR("the database is empty: `pmuq scan` adds this machine"));
	} else if (all->n <= FEW_HOSTS) {
		pq_buf_add(hint, STR("hosts here: "));
		list_names(all->v, all->n, hint);
	} else if (beginning->n) {
		pq_buf_print(hint, "hosts that begin with '%.*s' (%zu of %zu): ",
			     STR_ARG(names->near.word), beginning->n, all->n);
		list_names(beginning->v, beginning->n, hint);
	} else if (names->near.n) {
		pq_buf_print(hint, "the nearest of %zu hosts: ", all->n);
		list_names(names->near.found, names->near.n, hint);
	} else {
		pq_buf_print(hint, "none of the %zu hosts has a similar name", all->n);
	}
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
