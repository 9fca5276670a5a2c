/* SPDX-License-Identifier: MIT */
/* Loads libpq when a store on a PostgreSQL server is opened. pg_lib.h lists the functions. */
#include "db/postgres/pg_lib.h"
#include "core/buf.h"
#include "core/library.h"

#define NAME(type, name, args) #name,
static const char *const names[] = { PQ_LIBPQ_FUNCTIONS(NAME) };

static const struct pq_library library = {
	.file = "libpq.so.5",
	.need = "a database on a PostgreSQL server needs libpq",
	/* 14 is the first with pipelines. */
	.hint = "install the package libpq5 (Debian's name), 14 or newer",
	.prefix = "PQ",
	.names = names,
	.n = COUNT(names),
};

int pq_libpq_load(struct pq_libpq *ret, struct pmuq_error **reterr)
{
	return pq_library_load(&library, ret, sizeof(*ret), reterr);
}

int pq_libpq_version(struct pq_buf *ret)
{
	struct pq_libpq lib;
	int r = pq_libpq_load(&lib, NULL), version;

	if (r < 0)
		return r;
	version = lib.libVersion();
	pq_buf_print(ret, "%d.%d", version / 10000, version % 10000);
	return 0;
}
