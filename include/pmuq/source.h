/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Sources: a machine to ask (this one, or a captured tree; snapshots are in store.h), read as
 * questions come. One thread at a time.
 */
#ifndef PMUQ_SOURCE_H
#define PMUQ_SOURCE_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * This machine, read as questions come.
 *
 * @return 0, -PMUQ_E_NO_ROOT, -PMUQ_E_MEMORY
 */
int pmuq_source_open_live(struct pmuq_source **ret, struct pmuq_error **reterr);

/**
 * A captured tree: a directory that holds sys/ and perhaps proc/. Nothing outside it is read, no
 * symbolic link leads out of it, and only regular files are opened.
 *
 * @param dir  not kept
 * @return 0, -PMUQ_E_NO_ROOT, -PMUQ_E_MEMORY
 */
int pmuq_source_open_tree(const char *dir, struct pmuq_source **ret, struct pmuq_error **reterr);

/** Whether the source is this machine, so that its encodings can be opened here. */
bool pmuq_source_is_live(const struct pmuq_source *source);

/**
 * One PMU in full, by its name or alias: all that a catalog would hold of it.
 *
 * @param ret  lives as long as the source
 * @return 0, -PMUQ_E_UNKNOWN_PMU, -PMUQ_E_NO_ROOT, -PMUQ_E_MEMORY
 */
int pmuq_source_find_pmu(struct pmuq_source *source, const char *name, const struct pmuq_pmu **ret,
			 struct pmuq_error **reterr);

/**
 * A fact about the host, as a catalog has it ("cpuid").
 *
 * @return text that lives as long as the source; NULL when it does not tell it
 */
const char *pmuq_source_find_fact(struct pmuq_source *source, const char *name);

/** How many files and directories the source has opened so far. */
uint64_t pmuq_source_opens(const struct pmuq_source *source);

void pmuq_source_free(struct pmuq_source *source);

#ifdef __cplusplus
}
#endif
#endif
