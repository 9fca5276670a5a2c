/* SPDX-License-Identifier: MIT */
/*
 * The path of the helper, which the build fixes: the library contains the installed path. Programs
 * that are only run in the build tree contain this file once more, with the path in the build tree.
 * No other path is tried: a file near the program could be anybody's.
 */
#include "pfm/client.h"

const char *pq_pfm_find_helper(void)
{
	return access(PMUQ_PFM_HELPER, X_OK) == 0 ? PMUQ_PFM_HELPER : NULL;
}
