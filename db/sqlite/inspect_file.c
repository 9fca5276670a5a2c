/* SPDX-License-Identifier: MIT */
/*
 * Inspects the file before SQLite can change anything: a database of another program, of a newer
 * pmuq, or a corrupt one must not even get a journal next to it.
 */
#include "core/buf.h"
#include "db/sqlite/schema.h"
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

static int fail_open(const struct pmuq_store *store, int errnum, const char *why, const char *hint,
		     struct pmuq_error **reterr)
{
	return pq_store_refuse(store, PMUQ_E_STORE_OPEN, errnum, hint, reterr,
			       "cannot open the database: %s", why ? why : pq_errno_text(errnum));
}

/* SQLite reports neither a directory nor a missing right in words that help. */
static int inspect_type(struct pmuq_store *store, bool *ret_exists, struct pmuq_error **reterr)
{
	bool is_read = store->mode == PMUQ_STORE_READ;

	*ret_exists = stat(store->path, &store->seen) == 0;
	if (!*ret_exists && errno == ENOENT)
		return 0;
	if (!*ret_exists)
		return fail_open(store, errno, NULL, NULL, reterr);
	if (S_ISDIR(store->seen.st_mode))
		return fail_open(store, EISDIR, "it is a directory",
				 "name a file in it: the directory's name, then /pmuq.db", reterr);
	if (!S_ISREG(store->seen.st_mode))
		return fail_open(store, 0, "it is not a regular file", NULL, reterr);
	if (faccessat(AT_FDCWD, store->path, is_read ? R_OK : R_OK | W_OK, AT_EACCESS) == 0)
		return 0;
	return fail_open(store, errno, NULL,
			 is_read ? "the file must be readable" : "the file must be writable",
			 reterr);
}

/*
 * Reads through SQLite's own file layer: closing a descriptor of our own would drop the locks that
 * other stores of this process hold on the file.
 */
static int read_header(struct pmuq_store *store, uint8_t header[HEADER_BYTES],
		       struct pmuq_error **reterr)
{
	sqlite3_vfs *vfs = store->lib.vfs_find(NULL);
	auto_free sqlite3_file *file = vfs ? calloc(1, (size_t)vfs->szOsFile) : NULL;
	int flags = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_READONLY, rc;

	if (!file)
		return pq_fail_memory(reterr);
	rc = vfs->xOpen(vfs, store->file, file, flags, &flags);
	if (rc == SQLITE_OK)
		rc = file->pMethods->xRead(file, header, HEADER_BYTES, 0);
	if (file->pMethods)
		file->pMethods->xClose(file);
	if (rc == SQLITE_OK || rc == SQLITE_IOERR_SHORT_READ) /* the rest is zeroed then */
		return 0;
	return pq_store_fail(store, rc, reterr);
}

int pq_store_check_ids(struct pmuq_store *store, uint32_t application_id, uint32_t user_version,
		       struct pmuq_error **reterr)
{
	if (application_id != PQ_APPLICATION_ID || !user_version)
		return pq_store_refuse(store, PMUQ_E_STORE_FOREIGN, 0,
				       "name another file; this one was not changed", reterr,
				       "the database is not pmuq's");
	if (user_version > store->schema->n)
		return pq_store_refuse(
			store, PMUQ_E_STORE_NEWER, 0,
			"use the pmuq that wrote it; the file was not changed", reterr,
			"the database has schema %u, and this pmuq supports schemas up to %u",
			user_version, store->schema->n);
	return 0;
}

/* Type and rights first, then the header: magic, application and version. */
int pq_store_inspect(struct pmuq_store *store, enum pq_store_file *ret, struct pmuq_error **reterr)
{
	uint8_t header[HEADER_BYTES] = { 0 };
	bool exists;
	int r = inspect_type(store, &exists, reterr);

	if (r < 0)
		return r;
	if (!exists || !store->seen.st_size) {
		*ret = exists ? PQ_STORE_FILE_EMPTY : PQ_STORE_FILE_MISSING;
		if (store->mode == PMUQ_STORE_CREATE)
			return 0;
		return fail_open(store, exists ? 0 : ENOENT,
				 exists ? "the file is empty" : "there is no such file",
				 "`pmuq scan` creates a database", reterr);
	}
	r = read_header(store, header, reterr);
	if (r < 0)
		return r;
	if (memcmp(header, magic, sizeof(magic)) != 0)
		return pq_store_fail_content(store, "the file is not an SQLite database", reterr);
	*ret = PQ_STORE_FILE_OURS;
	store->header_version = big_endian(header + AT_USER_VERSION);
	return pq_store_check_ids(store, big_endian(header + AT_APPLICATION_ID),
				  store->header_version, reterr);
}

/* An empty log is what a writer leaves behind that had nothing to write. Out of memory counts as a
 * log: then locks are used, which is always right. */
bool pq_store_has_log(const struct pmuq_store *store)
{
	struct stat st;

	for (size_t i = 0; i < LOGS; i++) {
		cleanup(pq_buf_free) struct pq_buf path = PQ_BUF_NULL;

		pq_buf_print(&path, "%s%s", store->file, pq_store_neighbours[i]);
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

	return stat(store->path, &now) < 0 || !is_same_file(&now, &store->seen);
}
