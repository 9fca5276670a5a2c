/* SPDX-License-Identifier: MIT */
/* Finds the helper: where it was installed, or next to the running program, as in a build tree. */
#include "pfm/client.h"
#include <stdio.h>
#include <sys/auxv.h>

/* Relative to the directory of the program. */
static const char *const nearby[] = { "../pfm/pmuq-pfm", "../libexec/pmuq/pmuq-pfm" };

static bool can_run(const char *path)
{
	return access(path, X_OK) == 0;
}

/* The directory of the program, with its slash; NULL if it is not known. */
static char *own_directory(void)
{
	auto_free char *path = realpath("/proc/self/exe", NULL);
	char *slash = path ? strrchr(path, '/') : NULL;

	if (!slash)
		return NULL;
	slash[1] = '\0';
	return move(path);
}

static char *find_nearby(void)
{
	auto_free char *directory = own_directory();

	for (size_t i = 0; directory && i < COUNT(nearby); i++) {
		auto_free char *path = NULL;

		if (asprintf(&path, "%s%s", directory, nearby[i]) >= 0 && can_run(path))
			return move(path);
	}
	return NULL;
}

/* A set-user-ID program runs only the installed helper. */
char *pq_pfm_find_helper(void)
{
	if (can_run(PMUQ_PFM_HELPER))
		return strdup(PMUQ_PFM_HELPER);
	return getauxval(AT_SECURE) ? NULL : find_nearby();
}
