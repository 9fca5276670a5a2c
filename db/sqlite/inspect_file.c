/* SPDX-License-Identifier: MIT */
/*
 * Inspects the file before SQLite can change anything: a database of another program, of a newer
 * pmuq, or a corrupt one must not even get a journal next to it.
 */
#include "core/buf.h"
#include "db/schema.h"
#include "db/sqlite/sqlite_file.h"
#include <errno.h>
#include <fcntl.h>

/* Offsets in the header of a database (sqlite.org/fileformat2.html). */
#define HEADER_BYTES 100
#define AT_USER_VERSION 60
#define AT_APPLICATION_ID 68

const char *const pq_store_neighbours[] = { "-journal", "-wal", "-shm" };
/* The first of them contain what a writer has not merged. */
#define LOGS 2

static const char magic[16] = "SQLite format 3";

static uint32_t big_endian(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void fail_open(struct pmuq_store *store, int errnum, const char *why, const char *hint)
{
	pq_store_refuse(store, PMUQ_E_STORE_OPEN, errnum, hint, "cannot open the database: %s",
			why ? why : pq_errno_text(errnum));
}

/* Whether the file exists. The messages of SQLite about directories and missing permissions are not
 * helpful. */
static bool inspect_type(struct pmuq_store *store)
{
	bool is_read = store->mode == PMUQ_STORE_READ;

	if (stat(store->sqlite->path, &store->sqlite->seen) < 0) {
		if (errno != ENOENT)
			fail_open(store, errno, NULL, NULL);
		return false;
	}
	if (S_ISDIR(store->sqlite->seen.st_mode))
		fail_open(store, EISDIR, "it is a directory",
			  "name a file in it: the directory's name, then /pmuq.db");
	else if (!S_ISREG(store->sqlite->seen.st_mode))
		fail_open(store, 0, "it is not a regular file", NULL);
	else if (faccessat(AT_FDCWD, store->sqlite->path, is_read ? R_OK : R_OK | W_OK,
			   AT_EACCESS) < 0)
		fail_open(store, errno, NULL,
			  is_read ? "the file must be readable" : "the file must be writable");
	return true;
}

/*
 * Reads through SQLite's own file layer: closing a separate descriptor would drop the locks that
 * other stores of this process hold on the file.
 */
static void read_header(struct pmuq_store *store, uint8_t header[HEADER_BYTES])
{
	sqlite3_vfs *vfs = store->sqlite->lib.vfs_find(NULL);
	auto_free sqlite3_file *file = vfs ? calloc(1, (size_t)vfs->szOsFile) : NULL;
	int flags = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_READONLY, rc;

	if (!file) {
		pq_store_fail_memory(store);
		return;
	}
	rc = vfs->xOpen(vfs, store->sqlite->file, file, flags, &flags);
	if (rc == SQLITE_OK)
		rc = file->pMethods->xRead(file, header, HEADER_BYTES, 0);
	if (file->pMethods)
		file->pMethods->xClose(file);
	if (rc != SQLITE_OK && rc != SQLITE_IOERR_SHORT_READ) /* the rest is zeroed then */
		pq_sqlite_fail(store, rc);
}

void pq_store_check_ids(struct pmuq_store *store, uint32_t application_id, uint32_t user_version)
{
	if (application_id != PQ_APPLICATION_ID || !user_version)
		pq_store_refuse(store, PMUQ_E_STORE_FOREIGN, 0,
				"name another file; this one was not changed",
				"the database is not pmuq's");
	else if (user_version > store->schema->n)
		pq_store_refuse(
			store, PMUQ_E_STORE_NEWER, 0,
			"use the pmuq that wrote it; the file was not changed",
			"the database has schema %u, and this pmuq supports schemas up to %u",
			user_version, store->schema->n);
}

/* Type and permissions first, then the header: magic, application and version. */
enum pq_store_file pq_store_inspect(struct pmuq_store *store)
{
	uint8_t header[HEADER_BYTES] = { 0 };
	bool exists = inspect_type(store);

	if (store->r == 0 && exists && store->sqlite->seen.st_size)
		read_header(store, header);
	else if (store->mode != PMUQ_STORE_CREATE)
		fail_open(store, exists ? 0 : ENOENT,
			  exists ? "the file is empty" : "there is no such file",
			  "`pmuq scan` creates a database");
	if (!exists || !store->sqlite->seen.st_size)
		return exists ? PQ_STORE_FILE_EMPTY : PQ_STORE_FILE_MISSING;
	if (memcmp(header, magic, sizeof(magic)) != 0)
		pq_store_refuse(store, PMUQ_E_STORE_FOREIGN, 0,
				"name the file that `pmuq scan` made; this one was not changed",
				"cannot open the database: the file is not an SQLite database");
	store->sqlite->header_version = big_endian(header + AT_USER_VERSION);
	pq_store_check_ids(store, big_endian(header + AT_APPLICATION_ID),
			   store->sqlite->header_version);
	return PQ_STORE_FILE_OURS;
}

/* An empty log comes from a writer that had nothing to write. Out of memory counts as a log: locks
 * are used then, which is always correct. */
bool pq_store_has_log(const struct pmuq_store *store)
{
	struct stat st;

	for (size_t i = 0; i < LOGS; i++) {
		cleanup(pq_buf_free) struct pq_buf path = PQ_BUF_NULL;

		pq_buf_print(&path, "%s%s", store->sqlite->file, pq_store_neighbours[i]);
		if (path.failed || (stat(path.p, &st) == 0 && st.st_size > 0))
			return true;
	}
	return false;
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec &&
	       a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

bool pq_store_is_changed(const struct pmuq_store *store)
{
	struct stat now;

	return stat(store->sqlite->path, &now) < 0 || !is_same_file(&now, &store->sqlite->seen);
}
