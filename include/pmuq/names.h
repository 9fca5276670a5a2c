/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Names, for programs that list or complete them: the names of a machine's PMUs, events and
 * tracepoints, and the words of the event language. Only one thread at a time may use a source. A
 * list of names never changes: any number of threads may read it.
 */
#ifndef PMUQ_NAMES_H
#define PMUQ_NAMES_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * List the names that begin with `head`: of all PMUs (in the order of a catalog), of the events of
 * all PMUs, or of the tracepoints whose id can be read ("sched:sched_switch"). Events and
 * tracepoints are sorted by bytes, and each name is listed once. Of PMUs whose names differ in a
 * number only, except core PMUs, the events of the first are listed: the kernel lets tools treat
 * them as instances of one (Documentation/ABI/testing/sysfs-bus-event_source-devices). These calls
 * read directories only, so they are far faster than reading a catalog.
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
/**
 * List the events of one PMU, sorted by bytes. It reads one directory.
 *
 * @param pmu  its name or alias; not kept
 * @param ret  free with pmuq_names_free(); it does not need the source afterwards
 * @return 0, -PMUQ_E_UNKNOWN_PMU, -PMUQ_E_STALE_SOURCE, -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY
 */
int pmuq_source_list_events_of(struct pmuq_source *source, const char *pmu, struct pmuq_names **ret,
			       struct pmuq_error **reterr);
void pmuq_names_free(struct pmuq_names *names);
size_t pmuq_names_count(const struct pmuq_names *names);
const char *pmuq_names_get(const struct pmuq_names *names, size_t index);

/**
 * The terms that every PMU accepts: "config", "period", "name" …
 *
 * @param ret_takes_value  false if the word alone is the term; may be NULL
 * @return static; NULL past the last
 */
const char *pmuq_term_name(size_t index, bool *ret_takes_value);
/**
 * The modifiers of events, each with its meaning in a few words.
 *
 * @param ret_letter  the modifier's letter; may be NULL
 * @return static; NULL past the last
 */
const char *pmuq_modifier_meaning(size_t index, char *ret_letter);

/**
 * Write a name as an event string must: as it is, or in single quotes if the parser would take it
 * for modifiers, a number or a raw event.
 *
 * @param name  of an event, a PMU or a group; not kept
 * @param ret   text to be freed with free(); NULL if no event string can contain the name
 * @return 0, -PMUQ_E_MEMORY
 */
int pmuq_name_in_event(const char *name, char **ret, struct pmuq_error **reterr);

#ifdef __cplusplus
}
#endif
#endif
