/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Asking the running kernel: verdicts on encodings (does it open, and if not, why, and what would),
 * and counts (does it count). One thread at a time.
 */
#ifndef PMUQ_OPEN_H
#define PMUQ_OPEN_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What became of an event. */
enum pmuq_open_status {
	PMUQ_OPENED = 0,
	PMUQ_REFUSED = 1,
	PMUQ_SKIPPED = 2, /**< not tried; the reason says why */
};

/** What to open for. Zeroed but for its size, or NULL in its place: this task. */
struct pmuq_open_options {
	size_t size; /**< sizeof(struct pmuq_open_options) */
	int pid;     /**< a process or thread; 0: this one, or with `cpus` everything on them */
	/** A list, "0-3,8"; NULL: any, or those that the PMU counts on. CPUs of other PMUs are left
	 *  out where there is a choice. */
	const char *cpus;
	/** NULL, or a cgroup, on each of its CPUs: as /proc/PID/cgroup has it, or the path of its
	 *  directory. Not together with pid. */
	const char *cgroup;
	unsigned work_ms; /**< to measure: how long each event counts; 0: 100 */
	bool wants_page;  /**< to measure: map each event's page, see pmuq_count_page() */
};

/**
 * Ask the running kernel: open each encoding (disabled, never enabled) and close it at once, per
 * task first, and on the CPUs of the PMU where it demands that.
 *
 * @param encodings  of a live source
 * @param options    NULL for the defaults
 * @param ret        one verdict an encoding, free with pmuq_verdicts_free(); independent of
 * encodings
 * @return 0 (also when the kernel refuses), -PMUQ_E_BAD_CPUS, -PMUQ_E_NO_CGROUP, -PMUQ_E_BAD_CALL,
 * -PMUQ_E_MEMORY
 */
int pmuq_encodings_test_open(const struct pmuq_encodings *encodings,
			     const struct pmuq_open_options *options, struct pmuq_verdicts **ret,
			     struct pmuq_error **reterr);
void pmuq_verdicts_free(struct pmuq_verdicts *verdicts);
size_t pmuq_verdicts_count(const struct pmuq_verdicts *verdicts);
/** What became of the encoding of that index. */
enum pmuq_open_status pmuq_verdict_status(const struct pmuq_verdicts *verdicts, size_t index);
/** What it was opened on: 0 for this task, the process that was named, or -1 for all on its CPUs,
 *  be it of a cgroup only. */
int pmuq_verdict_pid(const struct pmuq_verdicts *verdicts, size_t index);
/** "-1" for any CPU, or the list of CPUs it was opened on. */
const char *pmuq_verdict_cpus(const struct pmuq_verdicts *verdicts, size_t index);
/** The errno of a refusal, else 0. */
int pmuq_verdict_errno(const struct pmuq_verdicts *verdicts, size_t index);
/** Why it was refused or skipped, one sentence; NULL when opened. */
const char *pmuq_verdict_reason(const struct pmuq_verdicts *verdicts, size_t index);
/** What to do about it, or NULL. An opened event has one, too, where it opened in another way than
 *  asked: only per CPU, or outside its group. */
const char *pmuq_verdict_hint(const struct pmuq_verdicts *verdicts, size_t index);
/** The smallest change that opens, as tried ("without :u"), or NULL. */
const char *pmuq_verdict_change(const struct pmuq_verdicts *verdicts, size_t index);
/** The reason's name, stable for ever, for programs to switch on ("paranoid-kernel"); NULL when not
 *  refused. Static. */
const char *pmuq_verdict_name(const struct pmuq_verdicts *verdicts, size_t index);
/** The steps that the change is made of, by name ("user-only"): none, one or two. Static. */
size_t pmuq_verdict_step_count(const struct pmuq_verdicts *verdicts, size_t index);
const char *pmuq_verdict_step(const struct pmuq_verdicts *verdicts, size_t index, size_t step);
/** The attr that opened after the change, or NULL; 0 where a text goes, as encodings have it. */
const struct pmuq_attr *pmuq_verdict_changed_attr(const struct pmuq_verdicts *verdicts,
						  size_t index);

/** How many descriptors it takes to keep all events open at once, and how many there may be. */
struct pmuq_budget {
	size_t size;	     /**< sizeof(struct pmuq_budget), set by the caller */
	uint64_t needed;     /**< one for each event on each of its CPUs */
	uint64_t in_use;     /**< by this process, now */
	uint64_t limit;	     /**< RLIMIT_NOFILE; UINT64_MAX: none */
	uint64_t hard_limit; /**< what it may be raised to without privilege */
};

/**
 * Work out, before anything is opened, what opening will take. Nothing is opened.
 *
 * @param encodings  NULL: the options are checked, and nothing is needed
 * @return 0, -PMUQ_E_BAD_CPUS, -PMUQ_E_NO_CGROUP, -PMUQ_E_BAD_CALL, -PMUQ_E_MEMORY
 */
int pmuq_encodings_budget(const struct pmuq_encodings *encodings,
			  const struct pmuq_open_options *options, struct pmuq_budget *ret,
			  struct pmuq_error **reterr);
/** Whether what is needed and what is in use stay within the limit. */
bool pmuq_budget_fits(const struct pmuq_budget *budget);
/** One sentence about it, with what to do if it does not fit; to be freed with free(), or NULL. */
char *pmuq_budget_text(const struct pmuq_budget *budget);

/** "EINVAL" for 22. Static; "errno" for one without a name here. */
const char *pmuq_errno_name(int errnum);

/** What came of counting an event. */
enum pmuq_counting {
	PMUQ_COUNTED = 0,
	PMUQ_MULTIPLEXED = 1,	  /**< for a part of the time only; `scaled` makes up for it */
	PMUQ_ALWAYS_ZERO = 2,	  /**< it was on a counter, and nothing came of it */
	PMUQ_NEVER_SCHEDULED = 3, /**< it opens, but no counter was free for it all the while */
	PMUQ_TARGET_IDLE = 4,	  /**< what is counted did not run at all */
	PMUQ_NOT_COUNTED = 5,	  /**< not opened, or not readable: the errno says why */
};

/**
 * Ask whether events count: open each (a group as a whole), enable it, do some work (or, for
 * another process or a cgroup, wait), read, close. One after another, so that they are in nobody's
 * way; a group that does not fit is opened member by member, and split into parts that do fit.
 *
 * The work runs in this thread, on the CPUs of the event, and takes options.work_ms for each event
 * or group.
 *
 * @param encodings  of a live source
 * @param options    NULL for the defaults
 * @param ret        one count an encoding, free with pmuq_counts_free(); independent of encodings
 * @return 0 (also when nothing counts), -PMUQ_E_BAD_CPUS, -PMUQ_E_NO_CGROUP, -PMUQ_E_BAD_CALL,
 * -PMUQ_E_MEMORY
 */
int pmuq_encodings_measure(const struct pmuq_encodings *encodings,
			   const struct pmuq_open_options *options, struct pmuq_counts **ret,
			   struct pmuq_error **reterr);
void pmuq_counts_free(struct pmuq_counts *counts);
size_t pmuq_counts_count(const struct pmuq_counts *counts);
/** What came of the encoding of that index. */
enum pmuq_counting pmuq_count_status(const struct pmuq_counts *counts, size_t index);
/** "counted", "multiplexed", "always-zero", … Static. */
const char *pmuq_counting_name(enum pmuq_counting status);
/** What stood in the way of counting, or 0. */
int pmuq_count_errno(const struct pmuq_counts *counts, size_t index);

/** Sums over the CPUs. */
struct pmuq_reading {
	size_t size;		  /**< sizeof(struct pmuq_reading), set by the caller */
	uint64_t value;		  /**< the count */
	uint64_t time_enabled_ns; /**< how long the event was enabled */
	uint64_t time_running_ns; /**< and how long it was on a counter */
	uint64_t scaled;	  /**< the value as it would be, had it run all the time */
};

/** False when it was not counted, or the size is not set. */
bool pmuq_count_reading(const struct pmuq_counts *counts, size_t index, struct pmuq_reading *ret);

/**
 * About the group of an encoding.
 *
 * @param ret_parts    how many groups its members can be opened in; 1: as it is; 0: in none
 * @param ret_breaker  the first member that did not fit; SIZE_MAX when all do
 * @return false when it is in no group
 */
bool pmuq_counts_group(const struct pmuq_counts *counts, size_t index, size_t *ret_parts,
		       size_t *ret_breaker);
/** The part that it fits into, from 0, as tried; SIZE_MAX when in none. */
size_t pmuq_count_part(const struct pmuq_counts *counts, size_t index);

/** What the page that the kernel maps for an event says (perf_event_mmap_page) while it counts. */
struct pmuq_page {
	size_t size;	     /**< sizeof(struct pmuq_page), set by the caller */
	int errnum;	     /**< why it could not be mapped, else 0 */
	bool has_rdpmc;	     /**< cap_user_rdpmc */
	bool has_time;	     /**< cap_user_time */
	bool has_time_zero;  /**< cap_user_time_zero */
	uint32_t index;	     /**< of the counter, from 1; 0: on none */
	uint16_t width_bits; /**< of the counter */
	bool is_read;	     /**< the counter was read in user space, and gave the next three */
	uint64_t value;	     /**< the count */
	uint64_t time_enabled_ns; /**< how long the event was enabled */
	uint64_t time_running_ns; /**< and how long it was on a counter */
};

/** False when it was not asked for (wants_page), the event was not opened, or the size is not set.
 */
bool pmuq_count_page(const struct pmuq_counts *counts, size_t index, struct pmuq_page *ret);
/** Why the page was not mapped, or the counter not read in user space; NULL when it was. Static. */
const char *pmuq_count_page_reason(const struct pmuq_counts *counts, size_t index);

#ifdef __cplusplus
}
#endif
#endif
