/* SPDX-License-Identifier: MIT */
/*
 * Renames a host. Its snapshots refer to the host by id, so they stay as they are. What hosts there
 * are is up to find_host.c.
 */
#include "db/db.h"
#include "db/hosts/find.h"

struct renaming {
	struct pmuq_str from, to;
};

static const struct pq_sql rename_host = { .text = "UPDATE host SET name = ? WHERE id = ?" };

static int fail_taken(struct pmuq_store *store, struct pmuq_str name, struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_HOST_EXISTS, "the database already has a host '%.*s'",
			STR_ARG(name));

	pq_error_origin(reterr, str_of(store->name));
	pq_error_hint(reterr, "forget that one first, or choose another name");
	return r;
}

static int rename_within(struct pmuq_store *store, void *arg, struct pmuq_error **reterr)
{
	const struct renaming *renaming = arg;
	int64_t host = 0, other = 0;
	int r = pq_store_find_host(store, renaming->from, &host, reterr);

	if (r == PQ_NONE)
		return pq_store_fail_unknown_host(store, renaming->from, reterr);
	if (r == 0)
		r = pq_store_find_host(store, renaming->to, &other, reterr);
	if (r == 0 && other != host)
		return fail_taken(store, renaming->to, reterr);
	if (r < 0)
		return r;
	return pq_sql_run(store, &rename_host,
			  PQ_PARAMS(pq_param_text(renaming->to), pq_param_number(host)), reterr);
}

PQ_API int pmuq_store_rename_host(struct pmuq_store *store, const char *name, const char *new_name,
				  struct pmuq_error **reterr)
{
	struct renaming renaming = { .from = str_of(name ? name : ""), .to = str_of(new_name) };
	const struct pq_work work = { .run = rename_within, .arg = &renaming };
	int r;

	if (!renaming.to.n) {
		r = pq_fail(reterr, PMUQ_E_NO_NAME, "the host's new name is empty");
		pq_error_hint(reterr, "name it");
		return r;
	}
	r = pq_store_check_writable(store, reterr);
	if (r < 0)
		return r;
	store->doing = "cannot rename the host";
	return pq_store_write(store, &work, reterr);
}
