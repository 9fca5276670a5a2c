/* SPDX-License-Identifier: MIT */
/*
 * The fields of an attr as designators of C, each with a comment. A field that some headers of the
 * last ten years do not have is inside an #if. Does not depend on the source of the attr.
 */
#pragma once

#include "cli/output/record.h"
#include <stdio.h>

struct attr_c_needs {
	bool guard;   /* a field is inside an #if */
	bool version; /* an #if needs LINUX_VERSION_CODE of <linux/version.h> */
};
struct attr_c_needs attr_c_needs(const struct pmuq_attr *attr);

/* One line for each field, and more if an #if guards it. `pmu` may be NULL; `bytes` is the name of
 * the array that the #error recommends. */
void attr_c_write(FILE *to, const struct pmuq_attr *attr, const char *pmu, const char *bytes);

/* Text that cannot end a comment and that no compiler misreads: plain ASCII. */
void attr_c_comment(FILE *to, const char *text);
