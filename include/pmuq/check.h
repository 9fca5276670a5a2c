/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Checks: whether the running kernel opens each event of a machine, to be stored with the machine.
 * One thread at a time.
 */
#ifndef PMUQ_CHECK_H
#define PMUQ_CHECK_H

#include <pmuq/open.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Prepare a check of every event of every PMU of this machine (also of sibling instances) and of
 * the generic events that its PMUs count. This call opens nothing:
 *
 *     while (pmuq_check_upcoming(check) && !stopped)
 *             pmuq_check_next(check, &error);
 *
 * A check that was stopped early contains the results so far.
 *
 * @param catalog  of a live source; must outlive the last call of pmuq_check_next()
 * @param time_s   now, in seconds since 1970; stored with it
 * @param ret      free with pmuq_check_free()
 * @return 0, -PMUQ_E_BAD_CALL (not live), -PMUQ_E_MEMORY
 */
int pmuq_check_begin(const struct pmuq_catalog *catalog, int64_t time_s, struct pmuq_check **ret,
		     struct pmuq_error **reterr);
/** The event string that pmuq_check_next() opens next; NULL at the end. */
const char *pmuq_check_upcoming(const struct pmuq_check *check);
/**
 * Open the next event as pmuq_encodings_test_open() does: disabled, and closed at once. An event
 * that needs a parameter is skipped. At the end the call does nothing.
 *
 * @return 0 (also if the kernel refuses), -PMUQ_E_MEMORY
 */
int pmuq_check_next(struct pmuq_check *check, struct pmuq_error **reterr);
void pmuq_check_free(struct pmuq_check *check);

/** The progress of a check. pmuq_check_next() changes it. */
struct pmuq_progress {
	size_t size;
	size_t n_results;	/**< the number of results so far */
	size_t n_events;	/**< the number of all events */
	int64_t time_s;		/**< when the check began, seconds since 1970 */
	struct pmuq_str kernel; /**< the release of the running kernel, or none */
};
const struct pmuq_progress *pmuq_check_progress(const struct pmuq_check *check);

/** The result of one event. */
struct pmuq_check_result {
	size_t size;
	struct pmuq_str event_string; /**< "PMU/EVENT/", or the name of a generic event */
	struct pmuq_str pmu;	      /**< the PMU's name */
	struct pmuq_str event;	      /**< the name of the event */
	/** Shared by events with the same result; it has no pid, steps and changed attr. */
	const struct pmuq_open_result *open;
	bool is_generic; /**< one of the kernel's generic events, not a file of the PMU */
};
/** The results: the events of the PMUs in the catalog's order, then generic ones. */
const struct pmuq_check_result *pmuq_check_get(const struct pmuq_check *check, size_t index);
/** The result of a PMU's event, or of a generic event that the PMU counts (by its usual name);
 *  NULL if there is none. */
const struct pmuq_check_result *pmuq_check_find(const struct pmuq_check *check, const char *pmu,
						const char *event);

#ifdef __cplusplus
}
#endif
#endif
