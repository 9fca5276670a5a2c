/* SPDX-License-Identifier: MIT */
/*
 * Renames a host. Its snapshots refer to the host by id, so they stay unchanged. find_host.c finds
 * hosts.
 */
#include "db/statement.h"

struct renaming {
	struct pmuq_str from, to;
};

static void rename_within(struct pmuq_store *store, void *arg)
{
	const struct renaming *renaming = arg;
	int64_t host = pq_store_need_host(store, renaming->from), other = host;
	struct pq_buf hint = PQ_BUF_NULL;

	pq_store_find_host(store, renaming->to, &other);
	if (other != host) {
		pq_buf_add(&hint, STR("forget that host first, or choose another name"));
		pq_store_fail_with(store, &hint, PMUQ_E_HOST_EXISTS,
				   "the database already has a host '%.*s'", STR_ARG(renaming->to));
	}
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
	return pq_store_write(store, "cannot rename the host", rename_within, &renaming, reterr);
}
