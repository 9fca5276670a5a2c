/* SPDX-License-Identifier: MIT */
#include "document/yaml_lib.h"
#include <dlfcn.h>

#define LIBRARY "libyaml-0.so.2"

static const struct {
	const char *symbol;
	size_t offset;
} functions[] = {
#define X(name) { .symbol = "yaml_" #name, .offset = offsetof(struct pq_yaml, name) },
	PQ_YAML_FUNCTIONS(X)
#undef X
};

static int fail_library(struct pmuq_error **reterr)
{
	const char *why = dlerror();
	int r = pq_fail(reterr, PMUQ_E_NO_LIBRARY, "YAML needs libyaml (" LIBRARY "): %s",
			why ? why : "it cannot be loaded");

	pq_error_hint(reterr, "install the package libyaml-0-2 (Debian's name); JSON needs none");
	return r;
}

int pq_yaml_load(struct pq_yaml *ret, struct pmuq_error **reterr)
{
	void *handle = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return fail_library(reterr);
	for (size_t i = 0; i < COUNT(functions); i++) {
		void *function = dlsym(handle, functions[i].symbol);

		if (!function) {
			int r = fail_library(reterr);

			dlclose(handle);
			return r;
		}
		memcpy((char *)ret + functions[i].offset, &function, sizeof(function));
	}
	return 0;
}
