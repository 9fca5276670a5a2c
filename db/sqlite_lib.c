/* SPDX-License-Identifier: MIT */
#include "db/sqlite_lib.h"
#include "db/db.h"
#include <dlfcn.h>

#define LIBRARY "libsqlite3.so.0"
/* STRICT tables. */
#define OLDEST_VERSION 3037000

static const struct {
	const char *symbol;
	size_t offset;
} functions[] = {
#define X(name) { .symbol = "sqlite3_" #name, .offset = offsetof(struct pq_sqlite, name) },
	PQ_SQLITE_FUNCTIONS(X)
#undef X
};

static int fail_library(struct pmuq_error **reterr, const char *why)
{
	int r = pq_fail(reterr, PMUQ_E_NO_LIBRARY, "the store needs SQLite (" LIBRARY "): %s",
			why ? why : "it cannot be loaded");

	pq_error_hint(reterr, "install the package libsqlite3-0 (Debian's name), 3.37 or newer");
	return r;
}

static int fill(struct pq_sqlite *lib, void *handle, struct pmuq_error **reterr)
{
	for (size_t i = 0; i < COUNT(functions); i++) {
		void *function = dlsym(handle, functions[i].symbol);

		if (!function)
			return fail_library(reterr, dlerror());
		memcpy((char *)lib + functions[i].offset, &function, sizeof(function));
	}
	if (lib->libversion_number() < OLDEST_VERSION)
		return fail_library(reterr, "it is older than 3.37");
	return 0;
}

int pq_sqlite_load(struct pq_sqlite *ret, struct pmuq_error **reterr)
{
	void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	int r;

	if (!handle)
		return fail_library(reterr, dlerror());
	r = fill(ret, handle, reterr);
	if (r < 0)
		dlclose(handle);
	return r;
}

bool pq_sqlite_version(struct pq_buf *ret)
{
	struct pq_sqlite lib;

	if (pq_sqlite_load(&lib, NULL) < 0)
		return false;
	pq_buf_add(ret, str_of(lib.libversion()));
	return true;
}
