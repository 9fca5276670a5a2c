/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Checks: what the running kernel says of every event of a machine, to be kept with it. One thread
 * at a time.
 */
#ifndef PMUQ_CHECK_H
#define PMUQ_CHECK_H

#include <pmuq/open.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Begin to ask the running kernel for every event of every PMU of this machine, also those of boxes
 * that are alike, and for the generic events that its PMUs count. Nothing is opened yet:
 *
 *     while (pmuq_check_count(check) < pmuq_check_total(check) && !stopped)
 *             pmuq_check_next(check, &error);
 *
 * A check that was stopped knows of the events that it got to.
 *
 * @param catalog  of a live source; must outlive the last call of pmuq_check_next()
 * @param time_s   now, in seconds since 1970; kept with it
 * @param ret      free with pmuq_check_free()
 * @return 0, -PMUQ_E_BAD_CALL (not live), -PMUQ_E_MEMORY
 */
int pmuq_check_begin(const struct pmuq_catalog *catalog, int64_t time_s, struct pmuq_check **ret,
		     struct pmuq_error **reterr);
/** What will be opened next, as an event string; NULL when all is done. */
const char *pmuq_check_upcoming(const struct pmuq_check *check);
/**
 * Ask for the next event, as pmuq_encodings_test_open() does: it is opened disabled, and closed at
 * once. One that cannot be encoded, since it wants a parameter, is skipped. When all is done,
 * nothing happens.
 *
 * @return 0 (also when the kernel refuses), -PMUQ_E_MEMORY
 */
int pmuq_check_next(struct pmuq_check *check, struct pmuq_error **reterr);
void pmuq_check_free(struct pmuq_check *check);

/** How many events were asked for, and how many there are. */
size_t pmuq_check_count(const struct pmuq_check *check);
size_t pmuq_check_total(const struct pmuq_check *check);
/** When it was made, seconds since 1970; and the kernel that was asked, or NULL. */
int64_t pmuq_check_time_s(const struct pmuq_check *check);
const char *pmuq_check_kernel(const struct pmuq_check *check);
/** The answers: the events of the PMUs in the catalog's order, then generic ones. */
const struct pmuq_answer *pmuq_check_get(const struct pmuq_check *check, size_t index);
/** The answer about an event of a PMU, or a generic event that it counts, by its usual name; NULL
 *  when there is none. */
const struct pmuq_answer *pmuq_check_find(const struct pmuq_check *check, const char *pmu,
					  const char *event);

/** What was opened: the name of the PMU, and of its event or of the generic event. */
const char *pmuq_answer_pmu(const struct pmuq_answer *answer);
const char *pmuq_answer_event(const struct pmuq_answer *answer);
/** The event string that was opened: "PMU/EVENT/", or the name of a generic event. */
const char *pmuq_answer_string(const struct pmuq_answer *answer);
/** What became of it. */
enum pmuq_open_status pmuq_answer_status(const struct pmuq_answer *answer);
/** As of a verdict: the CPUs it was opened on ("-1": any, for a task), the errno, the reason's
 *  name, the reason, what to do, the smallest change that opens. */
const char *pmuq_answer_cpus(const struct pmuq_answer *answer);
int pmuq_answer_errno(const struct pmuq_answer *answer);
const char *pmuq_answer_name(const struct pmuq_answer *answer);
const char *pmuq_answer_reason(const struct pmuq_answer *answer);
const char *pmuq_answer_hint(const struct pmuq_answer *answer);
const char *pmuq_answer_change(const struct pmuq_answer *answer);

/** What is known of a stored machine: its last check, or NULL. It changes no other answer. */
const struct pmuq_check *pmuq_catalog_check(const struct pmuq_catalog *catalog);

#ifdef __cplusplus
}
#endif
#endif
