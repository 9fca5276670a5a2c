/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Opening: open results, which are whether the running kernel opens an encoding, and if not, why,
 * and what would open; and counts. One thread at a time.
 */
#ifndef PMUQ_OPEN_H
#define PMUQ_OPEN_H

#include <pmuq/attr.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What became of an event. */
enum pmuq_open_status {
	PMUQ_OPENED = 0,
	PMUQ_REFUSED = 1,
	PMUQ_SKIPPED = 2, /**< not tried; the reason says why */
};

/** The target of an open. Zeroed but for its size, or NULL: this task. */
struct pmuq_open_options {
	size_t size; /**< sizeof(struct pmuq_open_options) */
	int pid;     /**< a process or thread; 0: this one, or with `cpus` everything on them */
	/** A list, "0-3,8"; NULL: any, or those that the PMU counts on. CPUs of other PMUs are left
	 *  out if there is a choice. */
	const char *cpus;
	/** NULL, or a cgroup, on each of its CPUs: as /proc/PID/cgroup has it, or the path of its
	 *  directory. Not together with pid. */
	const char *cgroup;
	unsigned work_ms; /**< to measure: how long each event counts; 0: 100 */
	bool wants_page;  /**< to measure: map each event's page, see pmuq_count.page */
};

/** What became of an event that was opened. */
struct pmuq_open_result {
	size_t size;
	enum pmuq_open_status status; /**< opened, refused or skipped */
	/** What it was opened on: 0 for this task, the process that was named, or -1 for all on its
	 *  CPUs, be it of a cgroup only. */
	int pid;
	struct pmuq_str cpus; /**< "-1" for any CPU, or the list of CPUs it was opened on */
	/** The reason's name, stable forever, for programs to switch on ("paranoid-kernel"); none
	 *  if not refused. */
	struct pmuq_str name;
	struct pmuq_str reason; /**< why it was refused or skipped, one sentence; none if opened */
	/** What to do about it, or none. An opened event also has one if it opened in another way
	 *  than wanted: only per CPU, or outside its group. */
	struct pmuq_str hint;
	/** The smallest change that opens, as tried ("without :u"), or none. */
	struct pmuq_str change;
	const struct pmuq_str *steps; /**< what the change consists of, by name ("user-only") */
	size_t n_steps;		      /**< 0 to 2 */
	/** The attr that opened after the change, or NULL; 0 in place of a text, as encodings have
	 *  it. */
	const struct pmuq_attr *changed_attr;
	int errnum; /**< the errno of a refusal, else 0 */
};

/**
 * Open each encoding on the running kernel (disabled, never enabled) and close it at once, per task
 * first, and on the CPUs of the PMU if it demands that.
 *
 * @param encodings  of a live source
 * @param options    NULL for the defaults
 * @param ret        one open result per encoding, with the same indexes; free with
 *                   pmuq_open_results_free(); independent of the encodings
 * @return 0 (also if the kernel refuses), -PMUQ_E_BAD_CPUS, -PMUQ_E_NO_CGROUP, -PMUQ_E_BAD_CALL,
 * -PMUQ_E_MEMORY
 */
int pmuq_encodings_test_open(const struct pmuq_encodings *encodings,
			     const struct pmuq_open_options *options,
			     struct pmuq_open_results **ret, struct pmuq_error **reterr);
void pmuq_open_results_free(struct pmuq_open_results *results);
size_t pmuq_open_results_count(const struct pmuq_open_results *results);
const struct pmuq_open_result *pmuq_open_results_get(const struct pmuq_open_results *results,
						     size_t index);

/** How many file descriptors it takes to keep all events open together, and the limit. */
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
	PMUQ_MULTIPLEXED = 1,	  /**< only some of the time; `scaled` makes up for it */
	PMUQ_ALWAYS_ZERO = 2,	  /**< it was on a counter, and counted 0 */
	PMUQ_NEVER_SCHEDULED = 3, /**< it opens, but no counter was free for it */
	PMUQ_TARGET_IDLE = 4,	  /**< what is counted did not run at all */
	PMUQ_NOT_COUNTED = 5,	  /**< not opened, or not readable: see errnum */
};

/**
 * Find out whether events count: open each (a group as a whole), enable it, do some work (or, for
 * another process or a cgroup, wait), read, close. One after another, so that they do not
 * compete; a group that does not fit is opened member by member, and split into subgroups that fit.
 *
 * The work runs in this thread, on the CPUs of the event, and takes options.work_ms for each event
 * or group.
 *
 * @param encodings  of a live source
 * @param options    NULL for the defaults
 * @param ret        one count per encoding, free with pmuq_counts_free(); independent of encodings
 * @return 0 (also when nothing counts), -PMUQ_E_BAD_CPUS, -PMUQ_E_NO_CGROUP, -PMUQ_E_BAD_CALL,
 * -PMUQ_E_MEMORY
 */
int pmuq_encodings_measure(const struct pmuq_encodings *encodings,
			   const struct pmuq_open_options *options, struct pmuq_counts **ret,
			   struct pmuq_error **reterr);
void pmuq_counts_free(struct pmuq_counts *counts);
size_t pmuq_counts_count(const struct pmuq_counts *counts);
/** "counted", "multiplexed", "always-zero", … Static; NULL for a number that is none. */
const char *pmuq_counting_name(enum pmuq_counting status);

/** The page that the kernel maps for an event (perf_event_mmap_page), while the event counts. */
struct pmuq_page {
	size_t size;
	/** Why the page was not mapped, or the counter not read in user space; or none. */
	struct pmuq_str reason;
	uint64_t value;		  /**< the count; this and the times only if is_read */
	uint64_t time_enabled_ns; /**< how long the event was enabled */
	uint64_t time_running_ns; /**< and how long it was on a counter */
	uint32_t index;		  /**< of the counter, from 1; 0: on none */
	int errnum;		  /**< why it could not be mapped, else 0 */
	uint16_t width_bits;	  /**< of the counter */
	bool has_rdpmc;		  /**< cap_user_rdpmc */
	bool has_time;		  /**< cap_user_time */
	bool has_time_zero;	  /**< cap_user_time_zero */
	bool is_read;		  /**< the counter was read in user space */
};

/** What came of counting an event. */
struct pmuq_count {
	size_t size;
	uint64_t value;		  /**< the count, summed over the CPUs; 0 if not is_read */
	uint64_t time_enabled_ns; /**< how long the event was enabled */
	uint64_t time_running_ns; /**< and how long it was on a counter */
	uint64_t scaled;	  /**< the value as it would be, had it run all the time */
	/** How many groups the members of its group can be opened in; 1: as it is; 0: in none. */
	size_t n_subgroups;
	/** The one of them that it fits into, from 0, as tried; SIZE_MAX: in none. */
	size_t subgroup;
	/** The first member of its group that did not fit; SIZE_MAX if all do. */
	size_t breaker;
	const struct pmuq_page *page; /**< NULL unless wants_page, and it was opened */
	enum pmuq_counting status;    /**< what came of it */
	int errnum;		      /**< why it did not count, or 0 */
	bool is_read;		      /**< it was counted, so that the values above are there */
	bool is_grouped; /**< it is in a group, so that the members about groups count */
};
/** That of the encoding of the same index. */
const struct pmuq_count *pmuq_counts_get(const struct pmuq_counts *counts, size_t index);

#ifdef __cplusplus
}
#endif
#endif
