/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Opened events: encodings that stay open until they are freed. A program enables, reads and
 * disables them as often as it likes. One thread at a time.
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
 * Open encodings and keep them open, disabled and close-on-exec. Groups are opened as groups, each
 * event on every target (a task, or each of its CPUs). If the kernel refuses an event, the call
 * still succeeds, and the open result of that event reports the reason and what would open. If a
 * member of a group is refused, the group is opened without it. If the leader is refused, the
 * members are opened outside a group.
 *
 * The attrs are opened as encoded, except that they are disabled, have no sigtrap (the library does
 * not handle the signal) and have the read_format of pmuq_target.read_format.
 * pmuq_encodings_budget() computes the file descriptors that are needed. If too few are left for an
 * event, it is refused with a reason ("files-process").
 *
 * @param encodings  for which pmuq_encodings_are_live(); not needed afterwards
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
	uint64_t time_running_ns; /**< how long it was on a counter */
	uint64_t scaled;	  /**< the estimated count for all of time_enabled_ns */
};

/** The number of encodings, opened or not; the indexes are the same. */
size_t pmuq_opened_count(const struct pmuq_opened *opened);
/** The open results. They live as long as `opened`. */
const struct pmuq_open_results *pmuq_opened_results(const struct pmuq_opened *opened);

/**
 * Enable, disable or reset all events. On each target a group is switched at one moment. A reset
 * sets the count and both times to zero, as the functions below return them. The kernel resets
 * counts only: a program that reads the descriptor or its page still gets the times since the open.
 *
 * @return 0, -PMUQ_E_MEMORY, -PMUQ_E_EVENT_FAILED if the kernel refuses to switch one event, or to
 * read one for the reset (the other events were switched anyway)
 */
int pmuq_opened_enable(struct pmuq_opened *opened, struct pmuq_error **reterr);
int pmuq_opened_disable(struct pmuq_opened *opened, struct pmuq_error **reterr);
int pmuq_opened_reset(struct pmuq_opened *opened, struct pmuq_error **reterr);

/**
 * Read an event: the sum over its targets since it was opened or reset. A successful call allocates
 * no memory; a call that fails writes nothing.
 *
 * @param ret  the caller sets its size
 * @return 0, -PMUQ_E_EVENT_FAILED (the kernel refuses; ENODATA: a pinned event lost its counter),
 * -PMUQ_E_BAD_CALL (the event is not open, the index is too large, or the size is not set)
 */
int pmuq_opened_read(const struct pmuq_opened *opened, size_t index, struct pmuq_value *ret,
		     struct pmuq_error **reterr);
/** The same for one of its targets. */
int pmuq_opened_read_at(const struct pmuq_opened *opened, size_t index, size_t target,
			struct pmuq_value *ret, struct pmuq_error **reterr);
/**
 * Read all events. On each target a group is read by one system call, so that its values are
 * consistent. The value and the times of an event that is not open are 0.
 *
 * @param ret  n values; the caller sets the size of each
 * @param n    pmuq_opened_count()
 * @return as pmuq_opened_read(). If the kernel refuses an event, the message contains the index of
 * the first one, the values of such events are unchanged, and all others are set. To find them, set
 * time_enabled_ns to UINT64_MAX before the call.
 */
int pmuq_opened_read_all(const struct pmuq_opened *opened, struct pmuq_value *ret, size_t n,
			 struct pmuq_error **reterr);

/** A target that an event is open on: a task, or a CPU. */
struct pmuq_target {
	size_t size; /**< sizeof(struct pmuq_target), set by the caller */
	int cpu;     /**< the CPU; -1: any */
	int fd;	     /**< the file descriptor: map it or poll it, but do not close it */
	uint64_t id; /**< the kernel's id in samples (PERF_EVENT_IOC_ID), or 0 */
	/** attr.read_format of the descriptor, for programs that read(2) it themselves:
	 *  TOTAL_TIME_ENABLED and TOTAL_TIME_RUNNING, in a group also ID and GROUP
	 *  (perf_event_open(2), "Reading results"). */
	uint64_t read_format;
};
/** The number of targets of an event; 0: it is not open. */
size_t pmuq_opened_target_count(const struct pmuq_opened *opened, size_t index);
/** A target of an event. False past the last, or if the size is not set. */
bool pmuq_opened_target(const struct pmuq_opened *opened, size_t index, size_t target,
			struct pmuq_target *ret);

#ifdef __cplusplus
}
#endif
#endif
