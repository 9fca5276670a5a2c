/* SPDX-License-Identifier: MIT */
/* Optional libraries, loaded at first use: a struct of pointers, one a function. */
#ifndef PQ_CLI_LIBRARY_H
#define PQ_CLI_LIBRARY_H

#include <stddef.h>

/*
 * Fills n pointers at `ret` with the functions of these names. The name of what is missing, the
 * library's own or a function's, or NULL when all are there. What was loaded stays loaded.
 */
const char *library_load(const char *file, const char *const *names, size_t n, void *ret);

#endif
