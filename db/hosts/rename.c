/* SPDX-License-Identifier: MIT */
/*
 * Renames a host. Its snapshots refer to the host by id, so they stay as they are. What hosts there
 * are is up to find_host.c.
 */
#include "db/sqlite/statement.h"

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
		pq_buf_add(&hint, STR("forget that one first, or choose another name"));
		pq_work_fail_with(store, &hint, PMUQ_E_HOST_EXISTS,
				  "the database already has a host '%.*s'", STR_ARG(renaming->to));
	}
	pq_sql_run(store, "UPDATE host SET name = ? WHERE id = ?", PQ_PARAMS(renaming->to, host));
}

PQ_API int pmuq_store_rename_host(struct pmuq_store *store, const char *name, const char *new_name,
				  struct pmuq_error **reterr)
{
	struct renaming renaming = { .from = str_of(name ? name : ""), .to = str_of(new_name) };
	const struct pq_work work = { .doing = "cannot rename the host",
				      .run = rename_within,
				      .arg = &renaming };
	int r;

	if (!renaming.to.n) {
		r = pq_fail(reterr, PMUQ_E_NO_NAME, "the host's new name is empty");
		pq_error_hint(reterr, "name it");
		return r;
	}
	r = pq_store_check_writable(store, reterr);
	return r < 0 ? r : pq_store_write(store, &work, reterr);
}
