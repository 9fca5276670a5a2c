/* SPDX-License-Identifier: MIT */
/*
 * Finds out who else could have written the database. SQLite trusts the files next to a database: a
 * log is read as if it were part of it, and a journal can even name another file to delete. So
 * before SQLite opens the database for more than reading, only root and the effective user may be
 * able to put a file there. A database that others could have written is foreign: it is read
 * without the files next to it, and never written. inspect_file.c inspects the file itself.
 */
#include "core/buf.h"
#include "db/sqlite/sqlite_file.h"
#include <errno.h>
#include <unistd.h>

#define OTHERS_CAN_WRITE (S_IWGRP | S_IWOTH)

static bool is_owner_trusted(const struct stat *st)
{
	return st->st_uid == 0 || st->st_uid == geteuid();
}

/* Nobody else can have written it. */
static bool is_trusted(const struct stat *st)
{
	return is_owner_trusted(st) && !(st->st_mode & OTHERS_CAN_WRITE);
}

char *pq_store_directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static void fail_foreign(struct pmuq_store *store, const struct stat *st, const char *path,
			 const char *what)
{
	struct pq_buf hint = PQ_BUF_NULL;

	if (!is_owner_trusted(st)) {
		pq_buf_add(&hint, STR("`export --all-hosts` reads it, and `import` stores the "
				      "hosts in a database of your own"));
		pq_store_fail_with(store, &hint, PMUQ_E_STORE_OPEN,
				   "the database cannot be opened for writing: its %s belongs to "
				   "another user (uid %u)",
				   what, (unsigned)st->st_uid);
	} else {
		pq_buf_print(&hint, "`chmod go-w %s` if you trust its content", path);
		pq_store_fail_with(store, &hint, PMUQ_E_STORE_OPEN,
				   "the database cannot be opened for writing: other users can "
				   "write to its %s",
				   what);
	}
}

/* Sets is_foreign; a writer then fails. For a file that does not exist yet, the directory
 * counts. */
static void check_owner(struct pmuq_store *store, const char *path, const char *what)
{
	struct stat st;

	if (stat(path, &st) < 0 || is_trusted(&st)) /* opening it reports why */
		return;
	store->sqlite->is_foreign = true;
	if (store->mode != PMUQ_STORE_READ)
		fail_foreign(store, &st, path, what);
}

static void fail_planted(struct pmuq_store *store, const struct stat *st, const char *path)
{
	static const char hint[] = "pmuq did not read it; remove it unless a program that you "
				   "trust wrote it";

	if (!S_ISREG(st->st_mode))
		pq_store_refuse(store, PMUQ_E_STORE_OPEN, 0, hint,
				"cannot open the database: %s is not a regular file", path);
	else if (!is_owner_trusted(st))
		pq_store_refuse(store, PMUQ_E_STORE_OPEN, 0, hint,
				"cannot open the database: %s belongs to another user (uid %u)",
				path, (unsigned)st->st_uid);
	else
		pq_store_refuse(store, PMUQ_E_STORE_OPEN, 0, hint,
				"cannot open the database: other users can write to %s", path);
}

/* A link is not followed: SQLite would follow it. */
static void check_neighbour(struct pmuq_store *store, const char *ending)
{
	cleanup(pq_buf_free) struct pq_buf path = PQ_BUF_NULL;
	struct stat st;

	pq_buf_print(&path, "%s%s", store->sqlite->file, ending);
	if (path.failed)
		pq_store_fail_memory(store);
	else if (lstat(path.p, &st) == 0 && !(S_ISREG(st.st_mode) && is_trusted(&st)))
		fail_planted(store, &st, path.p);
}

void pq_store_check_trust(struct pmuq_store *store)
{
	auto_free char *directory =
		store->r == 0 ? pq_store_directory_of(store->sqlite->file) : NULL;

	store->sqlite->is_foreign = false;
	if (!directory) {
		pq_store_fail_memory(store);
		return;
	}
	check_owner(store, store->sqlite->file, "file");
	check_owner(store, directory, "directory");
	for (size_t i = 0; !store->sqlite->is_foreign && i < COUNT(pq_store_neighbours); i++)
		check_neighbour(store, pq_store_neighbours[i]);
}
