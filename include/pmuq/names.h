/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Names, for programs that offer or complete them: what a machine calls its PMUs, events and
 * tracepoints, read without what they name, and the words of the event language. One thread at a
 * time uses a source; a list never changes, and any number of threads may read it, and the words.
 */
#ifndef PMUQ_NAMES_H
#define PMUQ_NAMES_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The names of all PMUs that begin with `head` (in the order of a catalog), of the events of all
 * PMUs, and of tracepoints ("sched:sched_switch"; those whose number can be read). Events and
 * tracepoints are in the order of their bytes, each name once. No PMU is read for that, so it is
 * far faster than a catalog.
 *
 * @param head  "" for all; not kept
 * @param ret   free with pmuq_names_free(); it does not need the source afterwards
 * @return 0, -PMUQ_E_STALE_SOURCE (sysfs is gone), -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY
 */
int pmuq_source_list_pmus(struct pmuq_source *source, const char *head, struct pmuq_names **ret,
			  struct pmuq_error **reterr);
int pmuq_source_list_events(struct pmuq_source *source, const char *head, struct pmuq_names **ret,
			    struct pmuq_error **reterr);
int pmuq_source_list_tracepoints(struct pmuq_source *source, const char *head,
				 struct pmuq_names **ret, struct pmuq_error **reterr);
void pmuq_names_free(struct pmuq_names *names);
size_t pmuq_names_count(const struct pmuq_names *names);
const char *pmuq_names_get(const struct pmuq_names *names, size_t index);

/**
 * The terms that every PMU takes, whatever its formats: "config", "period", "name" …
 *
 * @param ret_takes_value  false if the word alone is the term; may be NULL
 * @return static; NULL past the last
 */
const char *pmuq_term_name(size_t index, bool *ret_takes_value);
/**
 * What a modifier after an event means, in a few words.
 *
 * @param ret_letter  how it is written; may be NULL
 * @return static; NULL past the last
 */
const char *pmuq_modifier_meaning(size_t index, char *ret_letter);

#ifdef __cplusplus
}
#endif
#endif
