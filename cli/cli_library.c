/* SPDX-License-Identifier: MIT */
#include "cli/cli_library.h"
#include <dlfcn.h>
#include <string.h>

const char *library_load(const char *file, const char *const *names, size_t n, void *ret)
{
	void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);

	if (!handle)
		return file;
	for (size_t i = 0; i < n; i++) {
		void *symbol = dlsym(handle, names[i]);

		if (!symbol)
			return names[i];
		memcpy((char *)ret + i * sizeof(symbol), &symbol, sizeof(symbol));
	}
	return NULL;
}
