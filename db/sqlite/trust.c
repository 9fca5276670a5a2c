/* SPDX-License-Identifier: MIT */
/*
 * Finds out who else could have written the database. SQLite believes the files next to a database:
 * a log is read as if it were part of it, and a journal can even name another file to delete. So
 * before SQLite opens the database for more than reading, it must be certain that only root and the
 * effective user can put a file there. A database that others could have written is foreign: it is
 * read as it is, without the files next to it, and never written. inspect_file.c inspects the file
 * itself.
 */
#include "core/buf.h"
#include "db/db.h"
#include <errno.h>
#include <unistd.h>

#define OTHERS_CAN_WRITE (S_IWGRP | S_IWOTH)

static bool is_owner_trusted(const struct stat *st)
{
	return st->st_uid == 0 || st->st_uid == geteuid();
}

/* The path up to its last slash, or the current directory. */
static char *directory_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return strdup(".");
	return strndup(path, slash == path ? 1 : (size_t)(slash - path));
}

static int fail_foreign(const struct pmuq_store *store, const struct stat *st, const char *path,
			const char *what, struct pmuq_error **reterr)
{
	int r;

	if (!is_owner_trusted(st)) {
		r = pq_fail(reterr, PMUQ_E_STORE_OPEN,
			    "the database cannot be opened for writing: its %s belongs to another "
			    "user (uid %u)",
			    what, (unsigned)st->st_uid);
		pq_error_hint(reterr, "`export --all-hosts` reads it, and `import` stores the "
				      "hosts in a database of your own");
	} else {
		r = pq_fail(reterr, PMUQ_E_STORE_OPEN,
			    "the database cannot be opened for writing: other users can write to "
			    "its %s",
			    what);
		pq_error_hint(reterr, "`chmod go-w %s` if you trust its content", path);
	}
	pq_error_origin(reterr, str_of(store->name));
	return r;
}

/* Sets is_foreign; a writer fails then. A file that does not exist yet has a directory. */
static int check_owner(struct pmuq_store *store, const char *path, const char *what,
		       struct pmuq_error **reterr)
{
	struct stat st;

	if (stat(path, &st) < 0) /* opening it reports why */
		return 0;
	if (is_owner_trusted(&st) && !(st.st_mode & OTHERS_CAN_WRITE))
		return 0;
	store->is_foreign = true;
	if (store->mode == PMUQ_STORE_READ)
		return 0;
	return fail_foreign(store, &st, path, what, reterr);
}

static int fail_planted(const struct pmuq_store *store, const struct stat *st, const char *path,
			struct pmuq_error **reterr)
{
	static const char hint[] = "pmuq did not read it; remove it unless a program that you "
				   "trust wrote it";

	if (!S_ISREG(st->st_mode))
		return pq_store_refuse(store, PMUQ_E_STORE_OPEN, 0, hint, reterr,
				       "cannot open the database: %s is not a regular file", path);
	if (!is_owner_trusted(st))
		return pq_store_refuse(
			store, PMUQ_E_STORE_OPEN, 0, hint, reterr,
			"cannot open the database: %s belongs to another user (uid %u)", path,
			(unsigned)st->st_uid);
	return pq_store_refuse(store, PMUQ_E_STORE_OPEN, 0, hint, reterr,
			       "cannot open the database: other users can write to %s", path);
}

/* A link is not followed: SQLite would follow it. */
static int check_neighbour(const struct pmuq_store *store, const char *ending,
			   struct pmuq_error **reterr)
{
	cleanup(pq_buf_free) struct pq_buf path = PQ_BUF_NULL;
	struct stat st;

	pq_buf_print(&path, "%s%s", store->file, ending);
	if (path.failed)
		return pq_fail_memory(reterr);
	if (lstat(path.p, &st) < 0)
		return 0;
	if (S_ISREG(st.st_mode) && is_owner_trusted(&st) && !(st.st_mode & OTHERS_CAN_WRITE))
		return 0;
	return fail_planted(store, &st, path.p, reterr);
}

int pq_store_check_trust(struct pmuq_store *store, struct pmuq_error **reterr)
{
	auto_free char *directory = directory_of(store->file);
	int r;

	store->is_foreign = false;
	if (!directory)
		return pq_fail_memory(reterr);
	r = check_owner(store, store->file, "file", reterr);
	if (r == 0)
		r = check_owner(store, directory, "directory", reterr);
	for (size_t i = 0; r == 0 && !store->is_foreign && i < COUNT(pq_store_neighbours); i++)
		r = check_neighbour(store, pq_store_neighbours[i], reterr);
	return r;
}
