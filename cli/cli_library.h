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

/*
 * A library's functions, named once: FUNCTIONS(X) has an X(function) each.
 *
 *     struct library { FUNCTIONS(LIBRARY_POINTER) };
 *     missing = LIBRARY_LOAD(FUNCTIONS, "libname.so.1", &library);
 */
#define LIBRARY_POINTER(function) __typeof__(&function) function;
#define LIBRARY_NAME(function) #function,
#define LIBRARY_LOAD(FUNCTIONS, file, ret)                                                         \
	library_load(file, (const char *const[]){ FUNCTIONS(LIBRARY_NAME) },                       \
		     sizeof(*(ret)) / sizeof(void *), ret)

#endif
