/* SPDX-License-Identifier: MIT */
/*
 * Creates the inbox and the roles. The statements are in schemas/; what they need is checked
 * before, because a message about a missing right has to name what an administrator does about it.
 */
#include "core/sized.h"
#include "inbox/inbox.h"
#include <pmuq/pmuq.h>

#define VERSION 1
/* With "_reader", shorter than PostgreSQL's longest name. */
#define PREFIX_MAX_BYTES 40

struct making {
	const char *prefix;
	struct pmuq_inbox_made made;
};

static int64_t number_with_prefix(struct pmuq_store *store, const char *sql,
				  const struct making *making)
{
	int64_t number = 0;

	pq_sql_number(store, sql, PQ_PARAMS(str_of(making->prefix)), &number);
	return number;
}

void pq_inbox_check(struct pmuq_store *store)
{
	if (store->r < 0)
		return;
	if (!store->pg)
		pq_store_refuse(store, PMUQ_E_INBOX_MISSING, 0,
				"for example: --db postgresql://user@host/database",
				"%s: only a database on a PostgreSQL server has an inbox",
				store->doing);
	else if (!pq_store_number(store, "SELECT count(*) FROM pg_namespace"
					 " WHERE nspname = 'pmuq_inbox'"))
		pq_store_refuse(store, PMUQ_E_INBOX_MISSING, 0, "`pmuq db init` creates it",
				"%s: the database has no inbox", store->doing);
}

/* ---- what is there, and what is permitted */

static void find_roles(struct pmuq_store *store, struct making *making)
{
	struct pmuq_inbox_made *made = &making->made;

	made->has_new_reader = !number_with_prefix(
		store, "SELECT count(*) FROM pg_roles WHERE rolname = ? || '_reader'", making);
	made->has_new_writer = !number_with_prefix(
		store, "SELECT count(*) FROM pg_roles WHERE rolname = ? || '_writer'", making);
	made->has_new_agent = !number_with_prefix(
		store, "SELECT count(*) FROM pg_roles WHERE rolname = ? || '_agent'", making);
	made->is_new = !pq_store_number(
		store, "SELECT count(*) FROM pg_namespace WHERE nspname = 'pmuq_inbox'");
}

static void check_version(struct pmuq_store *store)
{
	int64_t version;

	if (!pq_store_number(store, "SELECT count(*) FROM pg_class WHERE relname = 'inbox_setting'"
				    " AND relnamespace = 'pmuq_inbox'::regnamespace"))
		pq_store_refuse(store, PMUQ_E_STORE_FOREIGN, 0,
				"name another database; this one was not changed",
				"%s: its schema `pmuq_inbox` is not pmuq's", store->doing);
	version = pq_store_number(store, "SELECT version FROM pmuq_inbox.inbox_setting");
	if (version > VERSION)
		pq_store_refuse(store, PMUQ_E_STORE_NEWER, 0,
				"use the pmuq that updated it; nothing was changed",
				"the inbox has version %lld, and this pmuq supports versions up "
				"to %d",
				(long long)version, VERSION);
}

static void fail_roles(struct pmuq_store *store, const char *prefix)
{
	struct pq_buf hint = PQ_BUF_NULL;

	pq_buf_print(&hint,
		     "let an administrator `ALTER ROLE … CREATEROLE`, or `CREATE ROLE` %s_reader, "
		     "%s_writer and %s_agent; then run this again",
		     prefix, prefix, prefix);
	pq_store_fail_with(store, &hint, PMUQ_E_STORE_OPEN, "%s: this role may not create roles",
			   store->doing);
}

static void check_rights(struct pmuq_store *store, const struct making *making)
{
	const struct pmuq_inbox_made *made = &making->made;
	bool has_new_role = made->has_new_reader || made->has_new_writer || made->has_new_agent;

	if (!pq_store_number(store, "SELECT count(*) FROM pg_namespace"
				    " WHERE nspname IN ('pmuq', 'pmuq_inbox')"
				    " HAVING bool_and(pg_has_role(nspowner, 'USAGE'))"))
		pq_store_refuse(store, PMUQ_E_STORE_OPEN, 0,
				"run it as the role that owns them (`\\dn` of psql shows it), or "
				"as a superuser",
				"%s: the schemas `pmuq` and `pmuq_inbox` belong to another role",
				store->doing);
	if (made->is_new && !pq_store_number(store, "SELECT has_database_privilege("
						    "current_database(), 'CREATE')"))
		pq_store_refuse(store, PMUQ_E_STORE_OPEN, 0,
				"run it as the owner of the database, or let the owner `GRANT "
				"CREATE ON DATABASE`",
				"%s: this role may not create a schema", store->doing);
	if (has_new_role && !pq_store_number(store, "SELECT rolsuper OR rolcreaterole FROM pg_roles"
						    " WHERE rolname = current_user"))
		fail_roles(store, making->prefix);
}

/* ---- the work */

/* The same text with the prefix of the roles. */
static void exec(struct pmuq_store *store, const struct making *making, const char *sql)
{
	static const char mark[] = "%PREFIX%";
	cleanup(pq_buf_free) struct pq_buf text = PQ_BUF_NULL;
	const char *at;

	for (; (at = strstr(sql, mark)); sql = at + sizeof(mark) - 1) {
		pq_buf_add(&text, (struct pmuq_str){ .p = sql, .n = (size_t)(at - sql) });
		pq_buf_add(&text, str_of(making->prefix));
	}
	pq_buf_print(&text, "%s", sql); /* also ends it with a NUL */
	if (text.failed)
		pq_store_fail_memory(store);
	pq_store_exec(store, text.p);
}

static void make_within(struct pmuq_store *store, void *arg)
{
	struct making *making = arg;

	find_roles(store, making);
	if (!making->made.is_new)
		check_version(store);
	check_rights(store, making);
	exec(store, making, pq_inbox_sql);
	making->made.is_closed = pq_store_number(
		store, "SELECT rolsuper FROM pg_roles WHERE rolname = current_user");
	if (making->made.is_closed)
		exec(store, making, pq_inbox_close_sql);
}

static bool is_prefix(struct pmuq_str prefix)
{
	if (!prefix.n || prefix.n > PREFIX_MAX_BYTES || char_is_digit(prefix.p[0]))
		return false;
	for (size_t i = 0; i < prefix.n; i++)
		if (!(prefix.p[i] >= 'a' && prefix.p[i] <= 'z') && !char_is_digit(prefix.p[i]) &&
		    prefix.p[i] != '_')
			return false;
	return true;
}

PQ_API int pmuq_store_make_inbox(struct pmuq_store *store, const char *prefix,
				 struct pmuq_inbox_made *ret, struct pmuq_error **reterr)
{
	static const char doing[] = "cannot create the inbox";
	struct making making = { .prefix = prefix ? prefix : "pmuq" };
	int r = ret ? pq_sized_check(ret, reterr) : 0;

	if (r < 0)
		return r;
	if (!is_prefix(str_of(making.prefix)))
		return pq_fail(reterr, PMUQ_E_BAD_CALL,
			       "'%s' cannot begin the names of roles: at most %d lower-case "
			       "letters, digits and _",
			       making.prefix, PREFIX_MAX_BYTES);
	if (!store->pg) {
		pq_store_begin_call(store, doing, reterr);
		pq_inbox_check(store);
		return pq_store_end_call(store);
	}
	r = pq_store_write(store, doing, make_within, &making, reterr);
	if (r == 0 && ret)
		pq_sized_give(&making.made, sizeof(making.made), ret);
	return r;
}
