/* SPDX-License-Identifier: MIT */
/*
 * The fields of an attr as designators of C, a comment each. A field that not every header of the
 * last ten years has is within an #if. Does not depend on the source of the attr.
 */
#ifndef PQ_CLI_ATTR_C_H
#define PQ_CLI_ATTR_C_H

#include "cli/cli_base.h"

/* Whether a field of it is within an #if, and whether one of these needs a version, which
 * <linux/version.h> defines. */
bool attr_c_is_guarded(const struct pmuq_attr *attr);
bool attr_c_wants_version(const struct pmuq_attr *attr);

/* A line a field, and more where it is guarded. `pmu` may be NULL; `bytes` is the name of the array
 * that an #error sends the reader to. */
void attr_c_write(FILE *to, const struct pmuq_attr *attr, const char *pmu, const char *bytes);

/* Text that can neither end a comment nor upset a compiler that reads it: plain ASCII. */
void attr_c_comment(FILE *to, const char *text);

#endif
