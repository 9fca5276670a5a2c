/* SPDX-License-Identifier: MIT */
/* Where the helper is: where it was installed, or beside the program that runs, as in a build tree.
 */
#include "pfm/client.h"
#include <stdio.h>
#include <sys/auxv.h>

/* From the folder of the program. */
static const char *const beside[] = { "../pfm/pmuq-pfm", "../libexec/pmuq/pmuq-pfm" };

static bool can_run(const char *path)
{
	return access(path, X_OK) == 0;
}

/* The folder of the program, with its slash; NULL when it cannot be told. */
static char *own_folder(void)
{
	auto_free char *path = realpath("/proc/self/exe", NULL);
	char *slash = path ? strrchr(path, '/') : NULL;

	if (!slash)
		return NULL;
	slash[1] = '\0';
	return move(path);
}

static char *find_beside(void)
{
	auto_free char *folder = own_folder();

	for (size_t i = 0; folder && i < COUNT(beside); i++) {
		auto_free char *path = NULL;

		if (asprintf(&path, "%s%s", folder, beside[i]) >= 0 && can_run(path))
			return move(path);
	}
	return NULL;
}

/* A program with more rights than its user runs nothing but what was installed. */
char *pq_pfm_find_helper(void)
{
	if (can_run(PMUQ_PFM_HELPER))
		return strdup(PMUQ_PFM_HELPER);
	return getauxval(AT_SECURE) ? NULL : find_beside();
}
