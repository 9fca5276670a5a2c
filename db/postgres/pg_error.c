/* SPDX-License-Identifier: MIT */
/*
 * Errors of the server and of libpq as errors of pmuq. The message is theirs, after a description
 * of the operation; the code and the hint come from a table by SQLSTATE (PostgreSQL's manual,
 * appendix A). Only after -PMUQ_E_STORE_BUSY may a program try again.
 */
#include "core/buf.h"
#include "db/postgres/pg_server.h"

#define AGAIN "try again; the data that was there is unchanged"
/* The server does not name the missing right: a writer also needs locks, which only pmuq_writer
 * has after `db init`, and the inbox has a schema of its own. */
#define NO_RIGHT                                                                                   \
	"after `pmuq db init`, `GRANT pmuq_reader TO` this role lets it read, and `GRANT "         \
	"pmuq_writer TO` it write and use the inbox; without these roles the owner can `GRANT "    \
	"USAGE ON SCHEMA pmuq` and `GRANT SELECT ON ALL TABLES IN SCHEMA pmuq`, to write also "    \
	"INSERT, UPDATE and DELETE"

/* The first row is used whose state the error's state begins with, and whose code fits. */
static const struct pg_reason {
	const char *state;
	enum pmuq_code code;
	const char *hint;
} reasons[] = {
	// clang-format off
	{ .state = "40", .code = PMUQ_E_STORE_BUSY, .hint = AGAIN }, /* deadlock, serialization */
	{ .state = "55P03", .code = PMUQ_E_STORE_BUSY, .hint = "another process is writing; " AGAIN },
	{ .state = "57014", .code = PMUQ_E_STORE_BUSY, .hint = "the server limits the time of statements; " AGAIN },
	{ .state = "42501", .code = PMUQ_E_STORE_OPEN, .hint = NO_RIGHT },
	{ .state = "25006", .code = PMUQ_E_STORE_WRITE, .hint = "this server or this user may only read: name the primary server" },
	{ .state = "53", .code = PMUQ_E_STORE_WRITE, .hint = "the server has no more memory, disk or connections" },
	{ .state = "54", .code = PMUQ_E_STORE_WRITE, .hint = "a name is too long for PostgreSQL" },
	{ .state = "57P", .code = PMUQ_E_STORE_OPEN, .hint = "the server was stopped; " AGAIN },
	{ .state = "08", .code = PMUQ_E_STORE_OPEN, .hint = "the connection was lost; " AGAIN },
	/* Tables that are missing, or constraints that do not hold: the tables are not pmuq's. */
	{ .state = "", .code = PMUQ_E_STORE_CORRUPT, .hint = "restore the schema `pmuq` from a copy; pmuq did not change it" },
	// clang-format on
};

/* The same for an agent (inbox/). schemas/inbox.sql defines the states PQ…. */
static const struct pg_reason agent_reasons[] = {
	// clang-format off
	{ .state = "PQ001", .code = PMUQ_E_INBOX_REFUSED, .hint = "the owner of the inbox can raise document_max_bytes in pmuq_inbox.inbox_setting" },
	{ .state = "PQ002", .code = PMUQ_E_INBOX_REFUSED, .hint = "its server has another pmuq: install the newer one on both" },
	{ .state = "PQ003", .code = PMUQ_E_INBOX_FULL, .hint = "`pmuq ingest` takes them on the server; its owner can raise the limits in pmuq_inbox.agent" },
	{ .state = "PQ004", .code = PMUQ_E_INBOX_REFUSED, .hint = "its owner can give the role another host in pmuq_inbox.agent" },
	{ .state = "42501", .code = PMUQ_E_INBOX_MISSING, .hint = "`GRANT pmuq_agent TO` this role lets it hand in its machine" },
	{ .state = "3F000", .code = PMUQ_E_INBOX_MISSING, .hint = "`pmuq db init` creates it on the server" },
	{ .state = "42883", .code = PMUQ_E_INBOX_MISSING, .hint = "`pmuq db init` of a newer pmuq brings it up to date" },
	// clang-format on
};

/* libpq adds further lines, which repeat the connection's target; the first one has the reason. */
static struct pmuq_str first_line(const char *message)
{
	struct pmuq_str line, rest;

	str_cut(str_of(message ? message : ""), '\n', &line, &rest);
	return line;
}

static const struct pg_reason *find_reason(const struct pmuq_store *store, const char *state)
{
	const struct pg_reason *reason = reasons;

	for (size_t i = 0; !store->schema && i < COUNT(agent_reasons); i++)
		if (str_eq(str_of(state), str_of(agent_reasons[i].state)))
			return &agent_reasons[i];
	while (!str_starts(str_of(state), str_of(reason->state)))
		reason++;
	return reason;
}

bool pq_pg_is_memory_error(const char *message)
{
	return (strstr(message, "out of memory") && !strstr(message, "FATAL")) ||
	       strstr(message, "Memory allocation failure");
}

void pq_pg_fail(struct pmuq_store *store, const struct pg_result *result)
{
	const struct pq_pg_server *pg = store->pg;
	const char *state = result ? pg->lib.resultErrorField(result, PQ_PG_DIAG_SQLSTATE) : NULL;
	const char *text = result ? pg->lib.resultErrorField(result, PQ_PG_DIAG_MESSAGE) : NULL;
	const struct pmuq_str message =
		text ? str_of(text) : first_line(pg->lib.errorMessage(pg->connection));
	/* libpq has no state for its own errors: a lost connection, or no memory. */
	const struct pg_reason *reason = find_reason(store, state ? state : "08");

	store->pg->has_failed = true;
	if (!state && pq_pg_is_memory_error(message.p))
		pq_store_fail_memory(store);
	pq_store_refuse(store, reason->code, 0, reason->hint, "%s: %.*s", store->doing,
			STR_ARG(message));
}

/* libpq passes no state of a connection that failed: only what it did with the password. The
 * server's messages can be in another language, so nothing but the hint depends on them. */
static const char *connect_hint(const struct pq_pg_server *pg, struct pmuq_str message)
{
	if (pg->lib.connectionNeedsPassword(pg->connection))
		return "the server wants a password: ~/.pgpass, PGPASSWORD or a service file "
		       "can contain it";
	if (pg->lib.connectionUsedPassword(pg->connection))
		return "check the user and the password";
	if (strstr(message.p, "database \"") && strstr(message.p, "does not exist"))
		return "`createdb` creates a database; pmuq creates its tables in it";
	if (strstr(message.p, "role \"") && strstr(message.p, "does not exist"))
		return "name another user, as in postgresql://user@host/database, or let "
		       "`createuser` create this one";
	return "check that the server runs, and that it accepts connections from here";
}

void pq_pg_fail_connect(struct pmuq_store *store)
{
	const struct pq_pg_server *pg = store->pg;
	const struct pmuq_str message = first_line(pg->lib.errorMessage(pg->connection));

	if (pq_pg_is_memory_error(message.p))
		pq_store_fail_memory(store);
	pq_store_refuse(store, PMUQ_E_STORE_OPEN, 0, connect_hint(pg, message), "%s: %.*s",
			store->doing, STR_ARG(message));
}
