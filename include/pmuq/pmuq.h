/* SPDX-License-Identifier: MIT */
/**
 * @file
 * libpmuq: what a Linux machine can count, and how to open it.
 *
 * The objects:
 *   a *source* is a machine to query: this one, a captured sysfs tree, or a snapshot from a store;
 *   a *catalog* contains everything that a source offers, in memory; it never changes;
 *   *encodings* are what an event string means there: perf_event_attrs with names, CPUs, units;
 *   *open results* report what the running kernel did with them, *counts* what they counted;
 *   a *check* opens every event of the machine; its results are stored with the machine.
 *
 * Rules for all functions:
 *   - A function that can fail returns 0 or a negative number, `-enum pmuq_code`. Outputs (ret_…)
 *     are untouched on failure; reterr (may be NULL) is untouched on success, and on failure
 *     receives an error to be freed with pmuq_error_free(). The comment of a function lists its
 *     codes. Three more are possible: a function that reads a source may return
 *     -PMUQ_E_STALE_SOURCE (its machine is gone) and -PMUQ_E_TOO_MANY_FILES; a function of a
 *     module that the library was built without returns -PMUQ_E_NO_LIBRARY; a wrong size of a
 *     struct, or a number that is not in its enum, returns -PMUQ_E_BAD_CALL.
 *   - A pointer must not be NULL, unless a comment permits it: most functions do not check it.
 *   - Every `…_free(NULL)` does nothing.
 *   - Facts are *records*: read-only structs that begin with their `size`; the library returns
 *     pointers to them. types.h has the rules. A record and its texts live as long as the object
 *     they came from. Texts are NUL-terminated UTF-8, or whatever bytes the kernel wrote.
 *   - An index past the end is safe: the function returns NULL, 0 or false.
 *   - No globals: the library prints nothing, never exits, and reads no environment variable.
 *   - Threads: any number of threads may use one catalog, one vendor's table or one error, and
 *     read an object that never changes (names, diffs, recordings: see their pages). Only one
 *     thread at a time may use any other object.
 *
 * The API is frozen with 0.1: a program that was built with one release runs with every later
 * release of the same major version.
 */
#ifndef PMUQ_H
#define PMUQ_H

#include <pmuq/attr.h>
#include <pmuq/capture.h>
#include <pmuq/catalog.h>
#include <pmuq/check.h>
#include <pmuq/complete.h>
#include <pmuq/cpus.h>
#include <pmuq/decode.h>
#include <pmuq/diff.h>
#include <pmuq/document.h>
#include <pmuq/encode.h>
#include <pmuq/error.h>
#include <pmuq/fit.h>
#include <pmuq/formula.h>
#include <pmuq/libpfm4.h>
#include <pmuq/metric.h>
#include <pmuq/names.h>
#include <pmuq/open.h>
#include <pmuq/opened.h>
#include <pmuq/recording.h>
#include <pmuq/samples.h>
#include <pmuq/service.h>
#include <pmuq/source.h>
#include <pmuq/store.h>
#include <pmuq/types.h>
#include <pmuq/vendor.h>
#include <pmuq/watch.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version of the library that runs, "MAJOR.MINOR.PATCH". Static. */
const char *pmuq_version(void);

/**
 * How this library was built, and which optional libraries it finds; one line each: "name: value".
 * The call loads them, and they stay loaded.
 *
 * @return text to be freed with free(), NULL when out of memory
 */
char *pmuq_build_info(void);

#ifdef __cplusplus
}
#endif
#endif
