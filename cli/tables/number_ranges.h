/* SPDX-License-Identifier: MIT */
/* Numbers, and names that end in numbers, told as ranges: "17-22", "uncore_imc_[0-3,5]". */
#ifndef PQ_CLI_RANGES_H
#define PQ_CLI_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In their order; to be freed, NULL when out of memory. */
char *ranges_of_numbers(const uint64_t *numbers, size_t n);
/* Names of one stem behind each other stand as one, others behind commas. */
char *ranges_of_names(const char *const *names, size_t n);

/* How much of a name stands before the number that it ends in; all of it when there is none. */
size_t ranges_stem(const char *name);
/* Whether two names differ in their numbers alone. */
bool ranges_same_stem(const char *a, const char *b);

#endif
