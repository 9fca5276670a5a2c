/* SPDX-License-Identifier: MIT */
/**
 * @file
 * libpmuq: what a Linux machine can count, and how to open it.
 *
 * The steps, each of its own:
 *   a *source* is a machine to query: this one, a captured sysfs tree, a snapshot from a store;
 *   a *catalog* is all that a source offers, read into memory, immutable;
 *   *encodings* are what an event string means there: perf_event_attrs with names, CPUs, units;
 *   *open results* are what the running kernel does with them, *counts* what they count;
 *   a *check* opens every event of the machine; its results are stored with the machine.
 *
 * Rules for all functions:
 *   - A function that can fail returns 0 or a negative number, `-enum pmuq_code`. Outputs (ret_…)
 *     are untouched on failure; reterr (may be NULL) is untouched on success, and on failure
 *     receives an error to be freed with pmuq_error_free(). Besides the codes in its comment, a
 *     function that reads a source may return -PMUQ_E_STALE_SOURCE (its machine is gone) and
 *     -PMUQ_E_TOO_MANY_FILES, one of a module that the library was built without
 *     -PMUQ_E_NO_LIBRARY, and a call that is an error of the program -PMUQ_E_BAD_CALL.
 *   - Every `…_free(NULL)` is fine.
 *   - Facts are *records*: structs that begin with their `size`, read-only, reached by a pointer
 *     from the library. types.h has the rule. A record and its texts live as long as the object
 *     they came from. Texts are NUL-terminated UTF-8, or whatever bytes the kernel wrote.
 *   - An index past the end is harmless, and gives NULL, 0 or false.
 *   - No globals: the library prints nothing, never exits, reads no environment variable.
 *   - Threads: any number may use a catalog, a vendor's table and an error, and read what no longer
 *     changes (names, diffs, recordings: their pages say so); every other object is used by one at
 *     a time.
 *
 * Frozen with 0.1: programs built against a release run with every later one of that major version.
 */
#ifndef PMUQ_H
#define PMUQ_H

#include <pmuq/attr.h>
#include <pmuq/capture.h>
#include <pmuq/catalog.h>
#include <pmuq/check.h>
#include <pmuq/decode.h>
#include <pmuq/diff.h>
#include <pmuq/document.h>
#include <pmuq/encode.h>
#include <pmuq/error.h>
#include <pmuq/libpfm4.h>
#include <pmuq/names.h>
#include <pmuq/open.h>
#include <pmuq/opened.h>
#include <pmuq/recording.h>
#include <pmuq/source.h>
#include <pmuq/store.h>
#include <pmuq/types.h>
#include <pmuq/vendor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version of the library that runs, "MAJOR.MINOR.PATCH". Static. */
const char *pmuq_version(void);

/**
 * How this library was built and which optional libraries it found, a line each: "name: value".
 * They are loaded now, and stay loaded.
 *
 * @return text to be freed with free(), NULL when out of memory
 */
char *pmuq_build_info(void);

#ifdef __cplusplus
}
#endif
#endif
