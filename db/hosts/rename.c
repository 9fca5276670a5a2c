/* SPDX-License-Identifier: MIT */
/*
 * Renames a host. Its snapshots refer to the host by id, so they stay unchanged. If an agent pushes
 * the host, it goes on with the new name. find_host.c finds hosts.
 */
#include "db/statement.h"

struct renaming {
	struct pmuq_str from, to;
};

static bool has_inbox(struct pmuq_store *store)
{
	return store->r >= 0 && store->pg &&
	       pq_store_number(store, "SELECT count(*) FROM pg_class WHERE relname = 'agent'"
				      " AND relnamespace = to_regnamespace('pmuq_inbox')");
}

/* Whether an agent has a host of that name, which may not be ingested yet. */
static bool has_agent(struct pmuq_store *store, struct pmuq_str name)
{
	int64_t n = 0;

	if (has_inbox(store))
		pq_sql_number(store, "SELECT count(*) FROM pmuq_inbox.agent WHERE host = ?",
			      PQ_PARAMS(name), &n);
	return n;
}

static void rename_within(struct pmuq_store *store, void *arg)
{
	const struct renaming *renaming = arg;
	int64_t host = pq_store_need_host(store, renaming->from), other = host;
	struct pq_buf hint = PQ_BUF_NULL;

	pq_store_find_host(store, renaming->to, &other);
	if (other != host ||
	    (!str_eq(renaming->from, renaming->to) && has_agent(store, renaming->to))) {
		pq_buf_add(&hint, STR("forget that host first, or choose another name"));
		pq_store_fail_with(store, &hint, PMUQ_E_HOST_EXISTS,
				   "the database already has a host '%.*s'", STR_ARG(renaming->to));
	}
	/* Before the host, as an ingest locks them. */
	if (has_inbox(store))
		pq_sql_run(store, "UPDATE pmuq_inbox.agent SET host = ? WHERE host = ?",
			   PQ_PARAMS(renaming->to, renaming->from));
	pq_sql_run(store, "UPDATE host SET name = ? WHERE id = ?", PQ_PARAMS(renaming->to, host));
}

PQ_API int pmuq_store_rename_host(struct pmuq_store *store, const char *name, const char *new_name,
				  struct pmuq_error **reterr)
{
	struct renaming renaming = { .from = str_of(name ? name : ""), .to = str_of(new_name) };
	int r;

	if (!renaming.to.n) {
		r = pq_fail(reterr, PMUQ_E_NO_NAME, "the host's new name is empty");
		pq_error_hint(reterr, "name the host");
		return r;
	}
	r = pq_host_name_check(renaming.to, reterr);
	if (r < 0)
		return r;
	return pq_store_write(store, "cannot rename the host", rename_within, &renaming, reterr);
}
