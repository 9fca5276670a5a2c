/* SPDX-License-Identifier: MIT */
/* What SQLite answers, as an error of ours: one table. */
#include "db/db.h"
#include <errno.h>

static const struct reason {
	int rc;
	enum pmuq_code code;
	const char *hint;
} reasons[] = {
	{ SQLITE_BUSY, PMUQ_E_STORE_BUSY, "another process is using it; try again" },
	{ SQLITE_LOCKED, PMUQ_E_STORE_BUSY, "another process is using it; try again" },
	{ SQLITE_FULL, PMUQ_E_STORE_WRITE, "make room; what was there before is untouched" },
	{ SQLITE_READONLY, PMUQ_E_STORE_WRITE, "the file and its directory must be writable" },
	{ SQLITE_TOOBIG, PMUQ_E_STORE_WRITE, NULL },
	{ SQLITE_CANTOPEN, PMUQ_E_STORE_OPEN, "the directory, too, must be accessible" },
	{ SQLITE_PERM, PMUQ_E_STORE_OPEN, NULL },
	{ SQLITE_AUTH, PMUQ_E_STORE_OPEN, NULL },
	{ SQLITE_NOLFS, PMUQ_E_STORE_OPEN, NULL },
	{ SQLITE_PROTOCOL, PMUQ_E_STORE_BUSY, "another process is using it; try again" },
};

/* One who only reads cannot finish or undo what a killed writer left. */
static const struct reason reason_left_over = { SQLITE_READONLY, PMUQ_E_STORE_OPEN,
						"a writer was interrupted; `pmuq scan` mends it" };
static const struct reason reason_no_writing = { SQLITE_READONLY, PMUQ_E_STORE_OPEN,
						 "the file and its directory must be writable" };
/* A fault of the disk is the writer's when one writes. */
static const struct reason reason_io_write = { SQLITE_IOERR, PMUQ_E_STORE_WRITE,
					       "what was there before is untouched" };
/* To open one for writing takes room for the files beside it. */
static const struct reason reason_io_open = {
	SQLITE_IOERR, PMUQ_E_STORE_OPEN,
	"if the disk is full, make room; what was there before is untouched"
};
static const struct reason reason_io_read = { SQLITE_IOERR, PMUQ_E_STORE_OPEN, NULL };
/* Statements that do not compile or break a constraint: these are not the tables that pmuq made. */
static const struct reason reason_other = {
	SQLITE_ERROR, PMUQ_E_STORE_CORRUPT,
	"restore it from a copy, or move it away and scan again; it was left as it is"
};

static const struct reason *find_reason(const struct pmuq_store *store, int rc)
{
	if ((rc & 0xff) == SQLITE_READONLY && store->mode == PMUQ_STORE_READ)
		return &reason_left_over;
	if ((rc & 0xff) == SQLITE_READONLY && !store->is_ready)
		return &reason_no_writing;
	for (size_t i = 0; i < COUNT(reasons); i++)
		if (reasons[i].rc == (rc & 0xff))
			return &reasons[i];
	if ((rc & 0xff) != SQLITE_IOERR)
		return &reason_other;
	if (store->mode == PMUQ_STORE_READ)
		return &reason_io_read;
	return store->is_ready ? &reason_io_write : &reason_io_open;
}

int pq_store_fail(struct pmuq_store *store, int rc, struct pmuq_error **reterr)
{
	bool is_current = store->db && store->lib.extended_errcode(store->db) == rc;
	const struct reason *reason = find_reason(store, rc);
	int r;

	if ((rc & 0xff) == SQLITE_NOMEM)
		return pq_fail_memory(reterr);
	r = pq_fail(reterr, reason->code, "%s: %s", store->doing,
		    is_current ? store->lib.errmsg(store->db) : store->lib.errstr(rc));
	pq_error_origin(reterr, str_of(store->path));
	if (is_current)
		pq_error_errno(reterr, store->lib.system_errno(store->db));
	if (reason->hint)
		pq_error_hint(reterr, "%s", reason->hint);
	return r;
}

int pq_store_fail_content(struct pmuq_store *store, const char *what, struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_STORE_CORRUPT, "%s: %s", store->doing, what);

	pq_error_origin(reterr, str_of(store->path));
	pq_error_hint(reterr, "%s", reason_other.hint);
	return r;
}

const char *pq_store_errno_text(int errnum)
{
	static const struct {
		int errnum;
		const char *text;
	} texts[] = {
		{ EACCES, "permission denied" },
		{ EPERM, "not permitted" },
		{ ENOENT, "there is no such file or directory" },
		{ ENOTDIR, "a part of the path is no directory" },
		{ EEXIST, "something else stands there" },
		{ EROFS, "the file system is read-only" },
		{ ENOSPC, "the disk is full" },
		{ EDQUOT, "the quota is used up" },
		{ ELOOP, "its symbolic links go in circles" },
		{ ENAMETOOLONG, "the path is too long" },
		{ EIO, "the disk failed" },
	};

	for (size_t i = 0; i < COUNT(texts); i++)
		if (texts[i].errnum == errnum)
			return texts[i].text;
	return "the system refused";
}
