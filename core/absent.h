/* SPDX-License-Identifier: MIT */
/* The error of functions that this build leaves out; scripts/absent.py generates them. */
#pragma once

#include "core/error.h"

/* -PMUQ_E_NO_LIBRARY. `part` is what is missing, `option` the build option that adds it. */
static __attribute__((noinline, unused)) int pq_absent(struct pmuq_error **reterr, const char *part,
						       const char *option)
{
	int r = pq_fail(reterr, PMUQ_E_NO_LIBRARY, "this libpmuq was built without %s", part);

	pq_error_hint(reterr, "build it with the option -D%s=enabled", option);
	return r;
}
