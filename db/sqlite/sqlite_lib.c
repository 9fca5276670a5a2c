/* SPDX-License-Identifier: MIT */
/*
 * Loads SQLite when a store is opened, so that commands without a store need no library.
 * sqlite_lib.h lists the functions; their types come from SQLite's header.
 */
#include "db/sqlite/sqlite_lib.h"
#include "core/buf.h"
#include "core/library.h"

/* STRICT tables. */
#define OLDEST_VERSION 3037000

static const char *const names[] = { PQ_SQLITE_FUNCTIONS(PQ_LIBRARY_NAME) };

static const struct pq_library library = {
	.file = "libsqlite3.so.0",
	.need = "the database needs SQLite",
	.hint = "install the package libsqlite3-0 (Debian's name), 3.37 or newer",
	.prefix = "sqlite3_",
	.names = names,
	.n = COUNT(names),
};

int pq_sqlite_load(struct pq_sqlite *ret, struct pmuq_error **reterr)
{
	int r = pq_library_load(&library, ret, sizeof(*ret), reterr);

	if (r == 0 && ret->libversion_number() < OLDEST_VERSION)
		r = pq_library_fail(&library, "it is older than 3.37", reterr);
	return r;
}

int pq_sqlite_version(struct pq_buf *ret)
{
	struct pq_sqlite lib;
	int r = pq_sqlite_load(&lib, NULL);

	if (r == 0)
		pq_buf_add(ret, str_of(lib.libversion()));
	return r;
}
