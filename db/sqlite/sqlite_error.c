/* SPDX-License-Identifier: MIT */
/*
 * Result codes of SQLite as errors of pmuq. The message is SQLite's own, after a description of the
 * operation; the code and the hint come from a table. Only after -PMUQ_E_STORE_BUSY may a program
 * try again.
 */
#include "db/sqlite/sqlite_file.h"

#define IN_USE "another process is using it; try again"
#define NOT_WRITABLE "the file and its directory must be writable"
#define RESTORE PQ_SQLITE_RESTORE
#define UNCHANGED "the data that was there is unchanged"

/* The first row that matches the result code and the state of the store is used. */
static const struct sqlite_reason {
	int rc; /* 0: all others */
	enum {
		ALWAYS,
		OPENED_TO_READ,
		NOT_YET_OPEN,
	} when;
	enum pmuq_code code;
	const char *hint;
	const char *message; /* NULL: SQLite's own */
} reasons[] = {
	// clang-format off
	{ .rc = SQLITE_BUSY, .code = PMUQ_E_STORE_BUSY, .hint = IN_USE },
	{ .rc = SQLITE_LOCKED, .code = PMUQ_E_STORE_BUSY, .hint = IN_USE },
	{ .rc = SQLITE_PROTOCOL, .code = PMUQ_E_STORE_BUSY, .hint = IN_USE },
	{ .rc = SQLITE_FULL, .code = PMUQ_E_STORE_WRITE, .hint = "free some space; " UNCHANGED },
	{ .rc = SQLITE_TOOBIG, .when = OPENED_TO_READ, .code = PMUQ_E_STORE_CORRUPT, .hint = RESTORE,
	  .message = "a text in it is too long, or a list" },
	{ .rc = SQLITE_TOOBIG, .when = NOT_YET_OPEN, .code = PMUQ_E_STORE_CORRUPT, .hint = RESTORE,
	  .message = "a text in it is too long, or a list" },
	{ .rc = SQLITE_TOOBIG, .code = PMUQ_E_STORE_WRITE, .hint = UNCHANGED, .message = "a text is too long, or a list" },
	/* Only the bounds of guard.c interrupt statements. */
	{ .rc = SQLITE_INTERRUPT, .code = PMUQ_E_STORE_CORRUPT, .hint = RESTORE,
	  .message = "it takes more work or memory than a file of its size can need" },
	/* A reader cannot finish or undo the work of a killed writer. */
	{ .rc = SQLITE_READONLY, .when = OPENED_TO_READ, .code = PMUQ_E_STORE_OPEN,
	  .hint = "a writer was interrupted; `pmuq scan` repairs it" },
	{ .rc = SQLITE_READONLY, .when = NOT_YET_OPEN, .code = PMUQ_E_STORE_OPEN, .hint = NOT_WRITABLE },
	{ .rc = SQLITE_READONLY, .code = PMUQ_E_STORE_WRITE, .hint = NOT_WRITABLE },
	{ .rc = SQLITE_IOERR, .when = OPENED_TO_READ, .code = PMUQ_E_STORE_OPEN },
	/* Opening for writing creates files next to the database. */
	{ .rc = SQLITE_IOERR, .when = NOT_YET_OPEN, .code = PMUQ_E_STORE_OPEN,
	  .hint = "if the disk is full, free some space; " UNCHANGED },
	{ .rc = SQLITE_IOERR, .code = PMUQ_E_STORE_WRITE, .hint = UNCHANGED },
	{ .rc = SQLITE_CANTOPEN, .code = PMUQ_E_STORE_OPEN, .hint = "its directory must be accessible, too" },
	{ .rc = SQLITE_PERM, .code = PMUQ_E_STORE_OPEN },
	{ .rc = SQLITE_AUTH, .code = PMUQ_E_STORE_OPEN },
	{ .rc = SQLITE_NOLFS, .code = PMUQ_E_STORE_OPEN },
	/* A statement that does not compile or breaks a constraint: the tables are not those of pmuq. */
	{ .code = PMUQ_E_STORE_CORRUPT, .hint = RESTORE },
	// clang-format on
};

static const struct sqlite_reason *find_reason(const struct pmuq_store *store, int rc)
{
	const struct sqlite_reason *reason = reasons;
	const bool applies[] = {
		[ALWAYS] = true,
		[OPENED_TO_READ] = store->mode == PMUQ_STORE_READ,
		[NOT_YET_OPEN] = !store->is_ready,
	};

	while (reason->rc && (reason->rc != (rc & 0xff) || !applies[reason->when]))
		reason++;
	return reason;
}

void pq_sqlite_fail(struct pmuq_store *store, int rc)
{
	bool is_current =
		store->sqlite->db && store->sqlite->lib.extended_errcode(store->sqlite->db) == rc;
	const struct sqlite_reason *reason = find_reason(store, rc);

	if ((rc & 0xff) == SQLITE_NOMEM)
		pq_store_fail_memory(store);
	pq_store_refuse(store, reason->code,
			is_current ? store->sqlite->lib.system_errno(store->sqlite->db) : 0,
			reason->hint, "%s: %s", store->doing,
			reason->message ? reason->message
			: is_current	? store->sqlite->lib.errmsg(store->sqlite->db)
					: store->sqlite->lib.errstr(rc));
}
