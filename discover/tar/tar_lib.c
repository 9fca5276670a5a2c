/* SPDX-License-Identifier: MIT */
#include "discover/tar/tar_lib.h"
#include "discover/tar/tar.h"
#include <dlfcn.h>

#define LIBRARY "libarchive.so.13"

static const struct {
	const char *symbol;
	size_t offset;
} functions[] = {
#define X(name) { .symbol = #name, .offset = offsetof(struct pq_tar_lib, name) },
	PQ_TAR_FUNCTIONS(X)
#undef X
};

static int fail_library(struct pmuq_error **reterr, const char *why)
{
	int r = pq_fail(reterr, PMUQ_E_NO_LIBRARY, "a tar needs libarchive (" LIBRARY "): %s",
			why ? why : "it cannot be loaded");

	pq_error_hint(reterr, "install the package libarchive13 (Debian's name), or use a "
			      "directory in the tar's place");
	return r;
}

int pq_tar_load(struct pq_tar_lib *ret, struct pmuq_error **reterr)
{
	void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return fail_library(reterr, dlerror());
	for (size_t i = 0; i < COUNT(functions); i++) {
		void *function = dlsym(handle, functions[i].symbol);

		if (!function) {
			int r = fail_library(reterr, dlerror());

			dlclose(handle);
			return r;
		}
		memcpy((char *)ret + functions[i].offset, &function, sizeof(function));
	}
	return 0;
}

bool pq_tar_version(struct pq_buf *ret)
{
	struct pq_tar_lib lib;

	if (pq_tar_load(&lib, NULL) < 0)
		return false;
	pq_buf_add(ret, str_of(lib.archive_version_string()));
	return true;
}
