/* SPDX-License-Identifier: MIT */
/* What a build does without says so: for the functions that scripts/absent.py makes. */
#ifndef PQ_ABSENT_H
#define PQ_ABSENT_H

#include "core/error.h"

/* -PMUQ_E_NO_LIBRARY. `part` is what is not there, `option` the build's that brings it. */
static __attribute__((noinline, unused)) int pq_absent(struct pmuq_error **reterr, const char *part,
						       const char *option)
{
	int r = pq_fail(reterr, PMUQ_E_NO_LIBRARY, "this libpmuq was built without %s", part);

	pq_error_hint(reterr, "build it with the option -D%s=enabled", option);
	return r;
}

#endif
