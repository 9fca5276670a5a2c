/* SPDX-License-Identifier: MIT */
/*
 * Loads an optional library. A handle is never closed after success: results of the library may
 * point into it.
 */
#include "core/library.h"
#include <assert.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>

/* A longer name would be cut, and is not in the library. */
#define FUNCTION_NAME_BYTES 96u

int pq_library_fail(const struct pq_library *library, const char *reason,
		    struct pmuq_error **reterr)
{
	int r = pq_fail(reterr, PMUQ_E_NO_LIBRARY, "%s (%s): %s", library->need, library->file,
			reason ? reason : "it cannot be loaded");

	pq_error_hint(reterr, "%s", library->hint);
	return r;
}

int pq_library_load(const struct pq_library *library, void *functions, size_t bytes,
		    struct pmuq_error **reterr)
{
	char name[FUNCTION_NAME_BYTES];
	void *handle;

	errno = 0;
	handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
	(void)bytes; /* of use to the assertion alone */
	assert(bytes == library->n * sizeof(void *));
	if (!handle && errno == ENOMEM)
		return pq_fail_memory(reterr);
	if (!handle)
		return pq_library_fail(library, dlerror(), reterr);
	for (size_t i = 0; i < library->n; i++) {
		void *function;

		snprintf(name, sizeof(name), "%s%s", library->prefix ? library->prefix : "",
			 library->names[i]);
		function = dlsym(handle, name);
		if (!function) {
			int r = pq_library_fail(library, dlerror(), reterr);

			dlclose(handle);
			return r;
		}
		/* POSIX guarantees that a data pointer can contain a function's address; ISO C does
		 * not. */
		memcpy((char *)functions + i * sizeof(function), &function, sizeof(function));
	}
	return 0;
}
