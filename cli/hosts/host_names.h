/* SPDX-License-Identifier: MIT */
/*
 * Names of hosts in natural order, and many of them in short:
 * "web[1-200].example.org, db[01-04]". The brackets are those of a shell's or a nodeset's.
 */
#pragma once

#include <stddef.h>

/* For qsort(3), on const char *: numbers within names are numbers. */
int names_compare(const void *a, const void *b);
/* `names` is put in order. At most `max` ranges and names, and then how many there are more; 0:
 * all. To be freed. */
char *names_fold(const char **names, size_t n, size_t max);
