/* SPDX-License-Identifier: MIT */
/* Whether two catalogs give the same results to every query. */
#pragma once

#include "core/catalog/catalog.h"
#include <pmuq/pmuq.h>

/* The first difference, in words, to be freed; NULL when there is none. */
char *catalog_difference(const struct pmuq_catalog *a, const struct pmuq_catalog *b);

/* The same of two checks, which may be NULL. */
char *check_difference(const struct pmuq_check *a, const struct pmuq_check *b);

/* Facts whose texts may differ (those of another boot): counted and named, but not compared. NULL
 * ends the list. */
char *catalog_difference_but(const struct pmuq_catalog *a, const struct pmuq_catalog *b,
			     const char *const *facts);
