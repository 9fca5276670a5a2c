/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Sources: machines to query. A source is this machine or a captured tree; a file is read when a
 * query needs it. store.h opens snapshots as sources. One thread at a time. If a call fails with
 * -PMUQ_E_TOO_MANY_FILES or -PMUQ_E_MEMORY, the source is unchanged and the call may be repeated.
 */
#ifndef PMUQ_SOURCE_H
#define PMUQ_SOURCE_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Open this machine.
 *
 * @return 0, -PMUQ_E_NO_ROOT, -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY
 */
int pmuq_source_open_live(struct pmuq_source **ret, struct pmuq_error **reterr);

/**
 * Open a captured tree: a directory that contains sys/ and perhaps proc/, or a tar of it. The tar
 * may have one directory around everything, and may be compressed with gzip, xz or zstd. pmuq reads
 * nothing outside the tree, follows no symbolic link out of it, and opens regular files only. A tar
 * is read into memory as a whole (with libarchive) and gives the same results as its tree. A file
 * that pmuq_capture_take() could not read fails with the same error.
 *
 * @param path  not kept
 * @return 0, -PMUQ_E_NO_ROOT, -PMUQ_E_BAD_TAR, -PMUQ_E_LARGE_TAR, -PMUQ_E_BAD_MANIFEST,
 *         -PMUQ_E_NO_LIBRARY, -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY
 */
int pmuq_source_open_tree(const char *path, struct pmuq_source **ret, struct pmuq_error **reterr);

/**
 * Open a captured sysfs: a directory that is itself a copy of /sys, under any name, as the fixtures
 * of tests often are. The machine has no facts that come from /proc: no cpuid, no kernel release.
 * Names of vendors' tables need the CPU; everything else encodes as in a captured tree.
 *
 * @param path  not kept
 * @return 0, -PMUQ_E_NO_ROOT, -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY
 */
int pmuq_source_open_sysfs(const char *path, struct pmuq_source **ret, struct pmuq_error **reterr);

/**
 * Use a catalog as a source, for example one from a document or a recording. Both give the same
 * results.
 *
 * @param catalog  the source takes it over; on failure the caller keeps it
 * @return 0, -PMUQ_E_MEMORY
 */
int pmuq_source_open_catalog(struct pmuq_catalog *catalog, struct pmuq_source **ret,
			     struct pmuq_error **reterr);

/** Whether the source is this machine, or a catalog that was read from it, so that its encodings
 *  can be opened here. */
bool pmuq_source_is_live(const struct pmuq_source *source);

/**
 * Read one PMU, by its name or alias, as completely as a catalog has it.
 *
 * @param ret  lives as long as the source
 * @return 0, -PMUQ_E_UNKNOWN_PMU, -PMUQ_E_STALE_SOURCE, -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY
 */
int pmuq_source_find_pmu(struct pmuq_source *source, const char *name, const struct pmuq_pmu **ret,
			 struct pmuq_error **reterr);

/**
 * Read a fact about the host by its name ("cpuid"); pmuq_machine.facts lists the names.
 *
 * @param ret  text that lives as long as the source; NULL if there is no such fact
 * @return 0, -PMUQ_E_STALE_SOURCE, -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY
 */
int pmuq_source_find_fact(struct pmuq_source *source, const char *name, const char **ret,
			  struct pmuq_error **reterr);

/**
 * Find out whether the machine has changed since the last call: a module added or removed a PMU, a
 * PMU has another type, a CPU went online or offline, or perf_event_paranoid was set. If so, the
 * source forgets what it has read and reads it again when a query needs it. Encodings, PMUs and
 * texts that it returned before stay valid and unchanged until the source is freed. Catalogs do not
 * change either: read a new one. If nothing has changed, the call allocates nothing. Snapshots and
 * tars never change.
 *
 * @param ret_changed  also true the first time, when there is nothing to compare with
 * @return 0, -PMUQ_E_STALE_SOURCE (sysfs is gone), -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY
 */
int pmuq_source_refresh(struct pmuq_source *source, bool *ret_changed, struct pmuq_error **reterr);

/** The number of files and directories that the source has opened so far. */
uint64_t pmuq_source_opens(const struct pmuq_source *source);

/** Catalogs that were read from the source stay valid. */
void pmuq_source_free(struct pmuq_source *source);

#ifdef __cplusplus
}
#endif
#endif
