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
 * Begin to open every event of every PMU of this machine, those of sibling instances too, and the
 * generic events that its PMUs count. Nothing is opened yet:
 *
 *     while (pmuq_check_upcoming(check) && !stopped)
 *             pmuq_check_next(check, &error);
 *
 * A check that was stopped has the results that it got to.
 *
 * @param catalog  of a live source; must outlive the last call of pmuq_check_next()
 * @param time_s   now, in seconds since 1970; stored with it
 * @param ret      free with pmuq_check_free()
 * @return 0, -PMUQ_E_BAD_CALL (not live), -PMUQ_E_MEMORY
 */
int pmuq_check_begin(const struct pmuq_catalog *catalog, int64_t time_s, struct pmuq_check **ret,
		     struct pmuq_error **reterr);
/** What will be opened next, as an event string; NULL when all is done. */
const char *pmuq_check_upcoming(const struct pmuq_check *check);
/**
 * Open the next event as pmuq_encodings_test_open() does: disabled, and closed at once. One that
 * cannot be encoded, since it needs a parameter, is skipped. When all is done, nothing happens.
 *
 * @return 0 (also if the kernel refuses), -PMUQ_E_MEMORY
 */
int pmuq_check_next(struct pmuq_check *check, struct pmuq_error **reterr);
void pmuq_check_free(struct pmuq_check *check);

/** How far a check is. pmuq_check_next() changes it. */
struct pmuq_progress {
	size_t size;
	size_t n_results;	/**< so many events were opened */
	size_t n_events;	/**< so many there are */
	int64_t time_s;		/**< when it was made, seconds since 1970 */
	struct pmuq_str kernel; /**< the kernel that ran, or none */
};
const struct pmuq_progress *pmuq_check_progress(const struct pmuq_check *check);

/** What became of one event. */
struct pmuq_check_result {
	size_t size;
	struct pmuq_str event_string; /**< "PMU/EVENT/", or the name of a generic event */
	struct pmuq_str pmu;	      /**< the PMU's name */
	struct pmuq_str event;	      /**< that of its event, or of the generic event */
	/** Shared by events with the same result: without pid, steps and changed attr. */
	const struct pmuq_open_result *open;
	bool is_generic; /**< one of the kernel's generic events, and no file of the PMU */
};
/** The results: the events of the PMUs in the catalog's order, then generic ones. */
const struct pmuq_check_result *pmuq_check_get(const struct pmuq_check *check, size_t index);
/** That of an event of a PMU, or of a generic event that it counts, by its usual name; NULL if
 *  there is none. */
const struct pmuq_check_result *pmuq_check_find(const struct pmuq_check *check, const char *pmu,
						const char *event);

#ifdef __cplusplus
}
#endif
#endif
