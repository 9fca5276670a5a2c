/* SPDX-License-Identifier: MIT */
/* Prints tables by libsmartcols: as wide as their texts. Only this module uses the library, which
 * is loaded for the first table. */
#pragma once

#include "cli/output/text_table.h"
#include <stdio.h>

struct smartcols;

/* Returns NULL and reports an error if the library is missing. The caller frees it. */
struct smartcols *smartcols_load(void);
/* Returns false after a failure, which was reported. */
bool smartcols_print(const struct smartcols *library, const struct text_table *table, FILE *to);

/* "2.38.1", which is static. 0, -PMUQ_E_NO_LIBRARY, -PMUQ_E_MEMORY. */
int smartcols_version(const char **ret);
