/* SPDX-License-Identifier: MIT */
/*
 * The fields of an attr as designators of C, a comment each. A field that not every header of the
 * last ten years has is within an #if. Does not depend on the source of the attr.
 */
#pragma once

#include "cli/output/record.h"
#include <stdio.h>

struct attr_c_needs {
	bool guard;   /* a field of it is within an #if */
	bool version; /* one of these needs LINUX_VERSION_CODE of <linux/version.h> */
};
struct attr_c_needs attr_c_needs(const struct pmuq_attr *attr);

/* A line a field, and more where it is guarded. `pmu` may be NULL; `bytes` is the name of the array
 * that an #error sends the reader to. */
void attr_c_write(FILE *to, const struct pmuq_attr *attr, const char *pmu, const char *bytes);

/* Text that can neither end a comment nor upset a compiler that reads it: plain ASCII. */
void attr_c_comment(FILE *to, const char *text);
