/* SPDX-License-Identifier: MIT */
/*
 * Optional shared libraries, loaded at first use: a struct with one pointer for each function,
 * filled by their names. The types come from the library's own header, so a wrong call does not
 * compile. The struct belongs to the caller; the loader keeps no state of its own, so any thread
 * may load at any time. The C library maps a shared library once however often it is loaded, and it
 * stays mapped: what a function returned may point into it.
 *
 *     #define FUNCTIONS(X) X(yaml_parser_initialize) X(yaml_parser_delete)
 *     struct pq_yaml { FUNCTIONS(PQ_LIBRARY_POINTER) };
 *     static const char *const names[] = { FUNCTIONS(PQ_LIBRARY_NAME) };
 *     static const struct pq_library library = { .file = "libyaml-0.so.2", .names = names, … };
 *     r = pq_library_load(&library, &yaml, sizeof(yaml), reterr);
 */
#pragma once

#include "core/error.h"

#define PQ_LIBRARY_POINTER(function) __typeof__(&function) function;
#define PQ_LIBRARY_NAME(function) #function,

struct pq_library {
	const char *file;	  /* as the C library searches for it: "libyaml-0.so.2" */
	const char *need;	  /* the message: "YAML needs libyaml" */
	const char *hint;	  /* the hint: which package to install */
	const char *prefix;	  /* prefix of its functions: "yaml_" */
	const char *const *names; /* the rest of each name */
	size_t n;
};

/* Fills the n pointers of `functions`, a struct of `bytes`, in the order of the names. 0,
 * -PMUQ_E_MEMORY, or -PMUQ_E_NO_LIBRARY if the library or one of its functions is missing; the
 * struct is then not to be used. */
int pq_library_load(const struct pq_library *library, void *functions, size_t bytes,
		    struct pmuq_error **reterr);
/* The same failure for another reason, such as a version that is too old. */
int pq_library_fail(const struct pq_library *library, const char *reason,
		    struct pmuq_error **reterr);
