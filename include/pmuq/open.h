/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Opening: the running kernel opens and counts encodings. An open result reports whether the kernel
 * opened the event, and if not, why and what would open. A count reports what it counted. One
 * thread at a time.
 */
#ifndef PMUQ_OPEN_H
#define PMUQ_OPEN_H

#include <pmuq/attr.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The result of opening an event. */
enum pmuq_open_status {
	PMUQ_OPENED = 0,
	PMUQ_REFUSED = 1,
	PMUQ_SKIPPED = 2, /**< not tried; see `reason` */
};

/** The target to open events on. Zeroed except for its size, or NULL: this task. */
struct pmuq_open_options {
	size_t size; /**< sizeof(struct pmuq_open_options) */
	int pid;     /**< a process or thread; 0: this one, or with `cpus` all tasks on them */
	/** A list, "0-3,8"; NULL: any CPU, or those of the PMU. CPUs on which the PMU does not
	 *  count are skipped unless that leaves none. */
	const char *cpus;
	/** NULL, or a cgroup (its name as in /proc/PID/cgroup, or the path of its directory): count
	 *  its tasks on each CPU. Not together with pid. */
	const char *cgroup;
	unsigned work_ms; /**< for pmuq_encodings_measure(): how long each event counts; 0: 100 */
	bool wants_page;  /**< for pmuq_encodings_measure(): map each event's page (pmuq_count.page)
			   */
	unsigned wakeup_samples; /**< wake a program that waits after that many samples; 0: when a
				  *   buffer is half full */
	/** For pmuq_opened_sample(): an event of a task that its children inherit is opened for the
	 *  task on each CPU that is online, because the kernel maps it there only. */
	bool wants_samples;
};

/** The result of opening an event. */
struct pmuq_open_result {
	size_t size;
	enum pmuq_open_status status; /**< opened, refused or skipped */
	/** The task that it was opened on: 0: this task; -1: all tasks (or those of the cgroup) on
	 *  its CPUs; otherwise the pid from the options. */
	int pid;
	struct pmuq_str cpus; /**< "-1" for any CPU, or the list of CPUs it was opened on */
	/** The name of the reason ("paranoid-kernel"), stable forever, for programs, or none if
	 *  the kernel did not refuse. */
	struct pmuq_str name;
	struct pmuq_str reason; /**< why it was refused or skipped, one sentence, or none */
	/** What to do about it, or none. An opened event also has a hint if it opened only per CPU
	 *  or outside its group. */
	struct pmuq_str hint;
	/** The smallest change with which the event opened ("without :u"), or none. */
	struct pmuq_str change;
	const struct pmuq_str *steps; /**< the names of the steps of that change ("user-only") */
	size_t n_steps;		      /**< 0 to 2 */
	/** The attr that opened after the change, or NULL; config1 is 0 if it is a pointer to a
	 *  text. */
	const struct pmuq_attr *changed_attr;
	int errnum; /**< the errno of a refusal, otherwise 0 */
};

/**
 * Open each encoding on the running kernel (disabled, never enabled) and close it at once. An event
 * is opened on the task first, and on the CPUs of its PMU if the PMU needs that.
 *
 * @param encodings  for which pmuq_encodings_are_live()
 * @param options    NULL for the defaults
 * @param ret        one open result per encoding, with the same indexes; free with
 *                   pmuq_open_results_free(); it does not need the encodings
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

/** A call of perf_event_open(2) that the program made itself and that failed. */
struct pmuq_open_call {
	size_t size;	/**< sizeof(struct pmuq_open_call) */
	int pid;	/**< its pid, or the descriptor of a cgroup */
	int cpu;	/**< its cpu; -1: any */
	int group_fd;	/**< its leader, which must still be open; -1: none */
	int errnum;	/**< errno after it */
	uint64_t flags; /**< its flags (PERF_FLAG_PID_CGROUP …) */
};

/**
 * Explain why the kernel refused an encoding that the program opened itself, with the same reason,
 * hint and smallest change that opens as pmuq_encodings_test_open(). To find that change, events
 * are opened and closed at once. pmuq_source_encode_attr() makes an encoding of any attr.
 *
 * @param encodings  for which pmuq_encodings_are_live()
 * @param index      of the encoding
 * @param ret        one open result; free with pmuq_open_results_free(); it does not need the
 *                   encodings
 * @return 0, -PMUQ_E_BAD_CALL, -PMUQ_E_MEMORY
 */
int pmuq_encodings_explain_errno(const struct pmuq_encodings *encodings, size_t index,
				 const struct pmuq_open_call *call, struct pmuq_open_results **ret,
				 struct pmuq_error **reterr);

/** The file descriptors that are needed to keep all events open together, and the limit. */
struct pmuq_budget {
	size_t size;	     /**< sizeof(struct pmuq_budget), set by the caller */
	uint64_t needed;     /**< one for each event on each of its CPUs */
	uint64_t in_use;     /**< open in this process now; UINT64_MAX: not known */
	uint64_t limit;	     /**< RLIMIT_NOFILE; UINT64_MAX: none */
	uint64_t hard_limit; /**< the process may raise the limit to this without privilege */
};

/**
 * Compute the file descriptors that opening needs. The call opens nothing.
 *
 * @param encodings  NULL: only check the options
 * @return 0, -PMUQ_E_BAD_CPUS, -PMUQ_E_NO_CGROUP, -PMUQ_E_BAD_CALL, -PMUQ_E_MEMORY
 */
int pmuq_encodings_budget(const struct pmuq_encodings *encodings,
			  const struct pmuq_open_options *options, struct pmuq_budget *ret,
			  struct pmuq_error **reterr);
/** Whether the descriptors needed and those in use together stay within the limit. */
bool pmuq_budget_fits(const struct pmuq_budget *budget);
/**
 * One sentence about the budget, with what to do if it does not fit.
 *
 * @return text to be freed with free(), NULL when out of memory
 */
char *pmuq_budget_text(const struct pmuq_budget *budget);

/** "EINVAL" for 22. Static; "errno" if pmuq has no name for the number. */
const char *pmuq_errno_name(int errnum);

/** The result of counting an event. */
enum pmuq_counting {
	PMUQ_COUNTED = 0,
	PMUQ_MULTIPLEXED = 1,	  /**< on a counter only some of the time; see `scaled` */
	PMUQ_ALWAYS_ZERO = 2,	  /**< on a counter, but counted 0 */
	PMUQ_NEVER_SCHEDULED = 3, /**< opened, but never got a counter */
	PMUQ_TARGET_IDLE = 4,	  /**< the target did not run */
	PMUQ_NOT_COUNTED = 5,	  /**< not opened or not readable: see errnum */
};

/**
 * Find out whether events count. For each event (or group as a whole): open it, enable it, run some
 * work (or wait, if the target is another process or a cgroup), read it, close it. Events are
 * measured one after another, so that they do not compete for counters. A group that does not fit
 * on the counters is opened member by member and split into subgroups that fit.
 *
 * The work runs in this thread, on the CPUs of the event. It takes options.work_ms for each event
 * or group.
 *
 * @param encodings  for which pmuq_encodings_are_live()
 * @param options    NULL for the defaults
 * @param ret        one count per encoding; free with pmuq_counts_free(); it does not need the
 *                   encodings
 * @return 0 (also if nothing counts), -PMUQ_E_BAD_CPUS, -PMUQ_E_NO_CGROUP, -PMUQ_E_BAD_CALL,
 * -PMUQ_E_MEMORY
 */
int pmuq_encodings_measure(const struct pmuq_encodings *encodings,
			   const struct pmuq_open_options *options, struct pmuq_counts **ret,
			   struct pmuq_error **reterr);
void pmuq_counts_free(struct pmuq_counts *counts);
size_t pmuq_counts_count(const struct pmuq_counts *counts);
/** "counted", "multiplexed", "always-zero", … Static; NULL if the number is not a result. */
const char *pmuq_counting_name(enum pmuq_counting status);

/** The page of an event (perf_event_mmap_page), read while the event counts. */
struct pmuq_page {
	size_t size;
	/** Why the page was not mapped or the counter was not read in user space; or none. */
	struct pmuq_str reason;
	uint64_t value;		  /**< the count; the value and the times are valid if is_read */
	uint64_t time_enabled_ns; /**< how long the event was enabled */
	uint64_t time_running_ns; /**< how long it was on a counter */
	uint32_t index;		  /**< of the counter, from 1; 0: on none */
	int errnum;		  /**< the errno of mmap(2), or 0 */
	uint16_t width_bits;	  /**< of the counter */
	bool has_rdpmc;		  /**< cap_user_rdpmc */
	bool has_time;		  /**< cap_user_time */
	bool has_time_zero;	  /**< cap_user_time_zero */
	bool is_read;		  /**< the counter was read in user space */
};

/** The result of counting an event. */
struct pmuq_count {
	size_t size;
	uint64_t value;		  /**< the count, summed over the CPUs; 0 if not is_read */
	uint64_t time_enabled_ns; /**< how long the event was enabled */
	uint64_t time_running_ns; /**< how long it was on a counter */
	uint64_t scaled;	  /**< the estimated count for all of time_enabled_ns */
	/** The number of subgroups into which the group was split; 1: the group fits; 0: no member
	 *  opens. */
	size_t n_subgroups;
	size_t subgroup;	      /**< the subgroup of this event, from 0; SIZE_MAX: none */
	size_t breaker;		      /**< the first member that did not fit; SIZE_MAX: all fit */
	const struct pmuq_page *page; /**< NULL unless wants_page was set and the event opened */
	enum pmuq_counting status;    /**< the result */
	int errnum;		      /**< why it did not count, or 0 */
	bool is_read;		      /**< the value and the times are valid */
	bool is_grouped; /**< it is in a group: n_subgroups, subgroup and breaker are valid */
};
/** The count of the encoding with the same index. */
const struct pmuq_count *pmuq_counts_get(const struct pmuq_counts *counts, size_t index);

#ifdef __cplusplus
}
#endif
#endif
