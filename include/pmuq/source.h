/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Sources: a machine to query, this one or a captured tree, read as it is needed; snapshots are in
 * store.h. One thread at a time. A call that fails with -PMUQ_E_TOO_MANY_FILES or -PMUQ_E_MEMORY
 * leaves the source as it was, and may be repeated.
 */
#ifndef PMUQ_SOURCE_H
#define PMUQ_SOURCE_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * This machine, read as it is needed.
 *
 * @return 0, -PMUQ_E_NO_ROOT, -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY
 */
int pmuq_source_open_live(struct pmuq_source **ret, struct pmuq_error **reterr);

/**
 * A captured tree: a directory that holds sys/ and perhaps proc/, or a tar of one, with or without
 * a directory around it, plain or packed with gzip, xz or zstd. Nothing outside it is read, no
 * symbolic link leads out of it, and only regular files are opened. A tar is read into memory as a
 * whole (by libarchive), and gives the same results as its tree. What pmuq_capture_take() could not
 * read fails as it did there.
 *
 * @param path  not kept
 * @return 0, -PMUQ_E_NO_ROOT, -PMUQ_E_BAD_TAR, -PMUQ_E_LARGE_TAR, -PMUQ_E_BAD_MANIFEST,
 *         -PMUQ_E_NO_LIBRARY, -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY
 */
int pmuq_source_open_tree(const char *path, struct pmuq_source **ret, struct pmuq_error **reterr);

/**
 * A catalog as a source, with the same results: one that was read from a document or a recording.
 *
 * @param catalog  the source's from now on; on failure still the caller's
 * @return 0, -PMUQ_E_MEMORY
 */
int pmuq_source_open_catalog(struct pmuq_catalog *catalog, struct pmuq_source **ret,
			     struct pmuq_error **reterr);

/** Whether the source is this machine, so that its encodings can be opened here. */
bool pmuq_source_is_live(const struct pmuq_source *source);

/**
 * One PMU in full, by its name or alias: all that a catalog would have of it.
 *
 * @param ret  lives as long as the source
 * @return 0, -PMUQ_E_UNKNOWN_PMU, -PMUQ_E_STALE_SOURCE, -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY
 */
int pmuq_source_find_pmu(struct pmuq_source *source, const char *name, const struct pmuq_pmu **ret,
			 struct pmuq_error **reterr);

/**
 * A fact about the host, as a catalog has it ("cpuid").
 *
 * @return text that lives as long as the source; NULL if it has no such fact, or if this process
 * has run out of memory or file descriptors: repeat the call, then
 */
const char *pmuq_source_find_fact(struct pmuq_source *source, const char *name);

/**
 * Find out whether the machine has changed since the last call: a PMU came or went with its module,
 * or got another type, a CPU went on- or offline, perf_event_paranoid was set. If so, the source
 * drops all that it has read, and reads it again when it is needed. Encodings, PMUs and texts that
 * it returned before stay as they were, and valid, until the source is freed; keep catalogs as long
 * as you like, and read a new one. While nothing changes, nothing grows. A snapshot and a tar never
 * change.
 *
 * @param ret_changed  also true the first time, when there is nothing to compare with
 * @return 0, -PMUQ_E_STALE_SOURCE (sysfs is gone), -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY
 */
int pmuq_source_refresh(struct pmuq_source *source, bool *ret_changed, struct pmuq_error **reterr);

/** How many files and directories the source has opened so far. */
uint64_t pmuq_source_opens(const struct pmuq_source *source);

/** NULL is fine. Catalogs that were read from it stay. */
void pmuq_source_free(struct pmuq_source *source);

#ifdef __cplusplus
}
#endif
#endif
