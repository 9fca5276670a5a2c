/* SPDX-License-Identifier: MIT */
/**
 * @file
 * libpmuq: what a Linux machine can count, and how to ask the kernel for it.
 *
 * Four steps, each of its own:
 *   a *source* is a machine to ask: this one, a captured sysfs tree, a snapshot from a store;
 *   a *catalog* is all that a source offers, read into memory, immutable;
 *   *encodings* are what an event string means there: perf_event_attrs with names, CPUs, units;
 *   *verdicts* are what the running kernel says when they are opened, *counts* what comes of it;
 *   a *check* is the same of every event of the machine, to be kept with it.
 *
 * Rules that hold throughout:
 *   - A function that can fail returns 0 or a negative number, `-enum pmuq_code`. Outputs (ret_…)
 *     are untouched on failure; reterr (may be NULL) is untouched on success, and on failure
 *     receives an error to be freed with pmuq_error_free(). Beside the codes that are listed, any
 *     that asks a source may give -PMUQ_E_STALE_SOURCE (its machine is gone) and
 *     -PMUQ_E_TOO_MANY_FILES, one of a part that the library was built without
 *     -PMUQ_E_NO_LIBRARY, and a call that no program should make -PMUQ_E_BAD_CALL.
 *   - Every `…_free(NULL)` is fine.
 *   - A pointer got by an accessor lives as long as the object it was asked of; strings are
 *     NUL-terminated UTF-8 or whatever bytes the kernel wrote. Indexes beyond the end are harmless,
 *     and give NULL, 0, false, or what stands for none.
 *   - No globals: the library prints nothing, exits never, reads no environment variable.
 *   - Threads: a catalog, a vendor's table and an error may be used by any number at once, and what
 *     does not change any more (names, diffs, recordings: their pages say so) may be read by any
 *     number; every other object is used by one at a time.
 *
 * Frozen with 0.1: programs built against a release run with every later one of that major version.
 */
#ifndef PMUQ_H
#define PMUQ_H

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
 * How this library was built and what it found, a line each: "name: value". Optional libraries are
 * looked for now (and stay loaded).
 *
 * @return text to be freed with free(), NULL when out of memory
 */
char *pmuq_build_info(void);

#ifdef __cplusplus
}
#endif
#endif
