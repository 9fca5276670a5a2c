/* SPDX-License-Identifier: MIT */
/* Makes lists of names of the API. */
#pragma once

#include "core/error.h"
#include <pmuq/names.h>

/* An empty list; NULL when out of memory. */
struct pmuq_names *pq_names_new(void);
/* Adds a copy of the name. 0 or -PMUQ_E_MEMORY. */
int pq_names_add(struct pmuq_names *names, struct pmuq_str name, struct pmuq_error **reterr);
/* Sorts the names by bytes, and removes duplicates. */
void pq_names_sort(struct pmuq_names *names);
