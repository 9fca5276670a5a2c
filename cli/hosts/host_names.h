/* SPDX-License-Identifier: MIT */
/*
 * Names of hosts in natural order, and a short form of many names: "web[1-200].example.org,
 * db[01-04]". The brackets are those of a shell or a nodeset.
 */
#pragma once

#include <stddef.h>

/* For qsort(3), on const char *: numbers within names are compared as numbers. */
int names_compare(const void *a, const void *b);
void names_sort(const char **names, size_t n);
/* Of sorted names: at most `max` ranges, and the number of the other names; 0: all. The caller
 * frees the text. */
char *names_fold(const char *const *names, size_t n, size_t max);
