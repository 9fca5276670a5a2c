/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Opened events: encodings that were opened and stay so until they are freed, to be enabled, read
 * and disabled as often as you like. One thread at a time; since 0.1.
 *
 *     pmuq_encodings_open(encodings, NULL, &opened, &error);
 *     pmuq_opened_enable(opened, &error);
 *     …
 *     pmuq_opened_read_all(opened, readings, pmuq_opened_count(opened), &error);
 *     pmuq_opened_free(opened);
 *
 * What is read is in the units of the event: multiply by pmuq_encoding_scale() for those of
 * pmuq_encoding_unit().
 */
#ifndef PMUQ_OPENED_H
#define PMUQ_OPENED_H

#include <pmuq/open.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Open encodings and keep them open, disabled, close-on-exec: groups as groups, each event in every
 * place that it counts in (for a task, or on each of its CPUs). An event that is refused does not
 * fail the call: its verdict says why, and what would help. A group whose member is refused is kept
 * without it; one whose leader is refused, as events of their own.
 *
 * The attrs are opened as encoded, but disabled, without sigtrap (nobody here expects the signal),
 * and with a read_format of the library's own (see pmuq_opened_read_format()). How many descriptors
 * it takes is told by pmuq_encodings_budget(). What opens when it is tried, but not when it is to
 * stay open beside the others, is refused, with a reason as any ("files-process").
 *
 * @param encodings  of a live source; not needed afterwards
 * @param options    NULL for the defaults; not kept
 * @param ret        free with pmuq_opened_free(), which closes them
 * @return 0 (also when the kernel refuses), -PMUQ_E_BAD_CPUS, -PMUQ_E_NO_CGROUP, -PMUQ_E_BAD_CALL,
 * -PMUQ_E_MEMORY
 */
int pmuq_encodings_open(const struct pmuq_encodings *encodings,
			const struct pmuq_open_options *options, struct pmuq_opened **ret,
			struct pmuq_error **reterr);
void pmuq_opened_free(struct pmuq_opened *opened);

/** As many as there were encodings, with the same indexes, opened or not. */
size_t pmuq_opened_count(const struct pmuq_opened *opened);
/** What the kernel said to each; lives with it. */
const struct pmuq_verdicts *pmuq_opened_verdicts(const struct pmuq_opened *opened);

/**
 * Start, stop, set to zero: all of them, each group at one moment in each of its places. Set to
 * zero are the count and both times, as they are read here; those that are read from the descriptor
 * or its page keep the times of their whole life, for the kernel sets no more than counts to zero.
 *
 * @return 0, -PMUQ_E_EVENT_FAILED when the kernel refuses one, or does not let one be read that is
 * set to zero (the others were switched all the same), -PMUQ_E_MEMORY
 */
int pmuq_opened_enable(struct pmuq_opened *opened, struct pmuq_error **reterr);
int pmuq_opened_disable(struct pmuq_opened *opened, struct pmuq_error **reterr);
int pmuq_opened_reset(struct pmuq_opened *opened, struct pmuq_error **reterr);

/**
 * Read an event: the sum over its places, since it was opened or last set to zero. No memory is
 * allocated unless it fails, and then nothing is written.
 *
 * @param ret  its size set by the caller
 * @return 0, -PMUQ_E_EVENT_FAILED (the kernel refuses; ENODATA: a pinned event that lost its
 * counter), -PMUQ_E_BAD_CALL (it is not open, there is none of that index, or the size is not set)
 */
int pmuq_opened_read(const struct pmuq_opened *opened, size_t index, struct pmuq_reading *ret,
		     struct pmuq_error **reterr);
/** The same in one of its places. */
int pmuq_opened_read_at(const struct pmuq_opened *opened, size_t index, size_t place,
			struct pmuq_reading *ret, struct pmuq_error **reterr);
/**
 * Read all of them, each group by one system call in each place, so that its values belong
 * together. Those that are not open read 0 with no time.
 *
 * @param ret  room for n readings, the size of each set by the caller
 * @param n    pmuq_opened_count()
 * @return as pmuq_opened_read(). When the kernel refuses one, the message names the first such by
 * its index; an event that cannot be read in one of its places has its reading left as it was, and
 * all others are filled: who sets time_enabled_ns to UINT64_MAX before sees it there still.
 */
int pmuq_opened_read_all(const struct pmuq_opened *opened, struct pmuq_reading *ret, size_t n,
			 struct pmuq_error **reterr);

/** In how many places it is open; 0: it is not. */
size_t pmuq_opened_place_count(const struct pmuq_opened *opened, size_t index);
/** The CPU of a place; -1: any. */
int pmuq_opened_cpu(const struct pmuq_opened *opened, size_t index, size_t place);
/** The descriptor there, to be mapped or polled, not closed; -1 when there is none. */
int pmuq_opened_fd(const struct pmuq_opened *opened, size_t index, size_t place);
/** The kernel's id of it there (PERF_EVENT_IOC_ID), as samples carry it; 0 when there is none. */
uint64_t pmuq_opened_id(const struct pmuq_opened *opened, size_t index, size_t place);
/**
 * attr.read_format of the descriptor, for those who read(2) it themselves: TOTAL_TIME_ENABLED and
 * TOTAL_TIME_RUNNING, in a group also ID and GROUP (perf_event_open(2), "Reading results").
 */
uint64_t pmuq_opened_read_format(const struct pmuq_opened *opened, size_t index);

#ifdef __cplusplus
}
#endif
#endif
