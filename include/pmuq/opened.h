/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Opened events: encodings that were opened and stay open until they are freed, to be enabled, read
 * and disabled as often as you like. One thread at a time.
 *
 *     pmuq_encodings_open(encodings, NULL, &opened, &error);
 *     pmuq_opened_enable(opened, &error);
 *     …
 *     pmuq_opened_read_all(opened, values, pmuq_opened_count(opened), &error);
 *     pmuq_opened_free(opened);
 *
 * A count is in the units of the event: multiply it by pmuq_encoding.scale to get
 * pmuq_encoding.unit.
 */
#ifndef PMUQ_OPENED_H
#define PMUQ_OPENED_H

#include <pmuq/open.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Open encodings and keep them open, disabled, close-on-exec: groups as groups, each event on every
 * target (a task, or each of its CPUs). An event that is refused does not fail the call: its open
 * result has the reason, and what would open. A group whose member is refused is opened without it;
 * if its leader is refused, its members are opened outside a group.
 *
 * The attrs are opened as encoded, but disabled, without sigtrap (nothing here handles the signal),
 * and with a read_format of the library's own (see pmuq_target.read_format).
 * pmuq_encodings_budget() returns how many file descriptors it takes. An event that opens alone,
 * but not next to the others, is refused with a reason like any other ("files-process").
 *
 * @param encodings  of a live source; not needed afterwards
 * @param options    NULL for the defaults; not kept
 * @param ret        free with pmuq_opened_free(), which closes them
 * @return 0 (also if the kernel refuses), -PMUQ_E_BAD_CPUS, -PMUQ_E_NO_CGROUP, -PMUQ_E_BAD_CALL,
 * -PMUQ_E_MEMORY
 */
int pmuq_encodings_open(const struct pmuq_encodings *encodings,
			const struct pmuq_open_options *options, struct pmuq_opened **ret,
			struct pmuq_error **reterr);
void pmuq_opened_free(struct pmuq_opened *opened);

/** What an event counted, summed over its targets. */
struct pmuq_value {
	size_t size;		  /**< sizeof(struct pmuq_value), set by the caller */
	uint64_t value;		  /**< the count */
	uint64_t time_enabled_ns; /**< how long the event was enabled */
	uint64_t time_running_ns; /**< and how long it was on a counter */
	uint64_t scaled;	  /**< the value as it would be, had it run all the time */
};

/** As many as there were encodings, with the same indexes, opened or not. */
size_t pmuq_opened_count(const struct pmuq_opened *opened);
/** The open result of each; they live with it. */
const struct pmuq_open_results *pmuq_opened_results(const struct pmuq_opened *opened);

/**
 * Start, stop, set to zero: all of them, each group at one moment on each of its targets. The count
 * and both times are set to zero as they are read here; a program that reads the descriptor or its
 * page still gets the times of the event's whole life, since the kernel resets counts only.
 *
 * @return 0, -PMUQ_E_EVENT_FAILED if the kernel refuses one, or does not let one be read that is
 * set to zero (the others were switched anyway), -PMUQ_E_MEMORY
 */
int pmuq_opened_enable(struct pmuq_opened *opened, struct pmuq_error **reterr);
int pmuq_opened_disable(struct pmuq_opened *opened, struct pmuq_error **reterr);
int pmuq_opened_reset(struct pmuq_opened *opened, struct pmuq_error **reterr);

/**
 * Read an event: the sum over its targets, since it was opened or last set to zero. No memory is
 * allocated unless it fails, and then nothing is written.
 *
 * @param ret  its size set by the caller
 * @return 0, -PMUQ_E_EVENT_FAILED (the kernel refuses; ENODATA: a pinned event that lost its
 * counter), -PMUQ_E_BAD_CALL (it is not open, there is none of that index, or the size is not set)
 */
int pmuq_opened_read(const struct pmuq_opened *opened, size_t index, struct pmuq_value *ret,
		     struct pmuq_error **reterr);
/** The same on one of its targets. */
int pmuq_opened_read_at(const struct pmuq_opened *opened, size_t index, size_t target,
			struct pmuq_value *ret, struct pmuq_error **reterr);
/**
 * Read all of them, each group by one system call on each target, so that its values belong
 * together. Those that are not open read 0 with no time.
 *
 * @param ret  n values, the size of each set by the caller
 * @param n    pmuq_opened_count()
 * @return as pmuq_opened_read(). If the kernel refuses one, the message names the first such by its
 * index; an event that cannot be read on one of its targets has its value left as it was, and all
 * others are filled: a time_enabled_ns that was UINT64_MAX before the call still is.
 */
int pmuq_opened_read_all(const struct pmuq_opened *opened, struct pmuq_value *ret, size_t n,
			 struct pmuq_error **reterr);

/** A target that an event is open on: a task, or a CPU. */
struct pmuq_target {
	size_t size; /**< sizeof(struct pmuq_target), set by the caller */
	int cpu;     /**< the CPU; -1: any */
	int fd;	     /**< the file descriptor, to be mapped or polled, not closed */
	uint64_t id; /**< the kernel's id of it (PERF_EVENT_IOC_ID), as samples have it; or 0 */
	/** attr.read_format of the descriptor, for programs that read(2) it themselves:
	 *  TOTAL_TIME_ENABLED and TOTAL_TIME_RUNNING, in a group also ID and GROUP
	 *  (perf_event_open(2), "Reading results"). */
	uint64_t read_format;
};
/** How many targets it is open on; 0: it is not open. */
size_t pmuq_opened_target_count(const struct pmuq_opened *opened, size_t index);
/** One of them; false past the last, or if the size is not set. */
bool pmuq_opened_target(const struct pmuq_opened *opened, size_t index, size_t target,
			struct pmuq_target *ret);

#ifdef __cplusplus
}
#endif
#endif
