/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Metrics: numbers that vendors compute of counts, such as instructions per cycle. The tables of
 * a CPU have their formulas (vendor.h). A *plan* of metrics is what to count for them on a machine:
 * lists of events to open, each an event string with its encodings; and then it turns the counts
 * into values. A plan does not count: a program opens the lists with opened.h, or takes counts from
 * a file.
 *
 *     pmuq_store_open_metrics(store, cpuid, &metrics, &error);
 *     pmuq_source_plan_metrics(machine, metrics, "TopdownL1", &encode, NULL, &plan, &error);
 *     for (size_t i = 0; i < pmuq_metric_plan_list_count(plan); i++)
 *             open_all(pmuq_metric_plan_list(plan, i)->encodings);
 *     pmuq_metric_plan_evaluate(plan, 0, counts, n, &value, &error);
 *
 * Any number of threads may use the metrics of a CPU, or a plan.
 */
#ifndef PMUQ_METRIC_H
#define PMUQ_METRIC_H

#include <pmuq/encode.h>
#include <pmuq/formula.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A metric of a vendor's table. */
struct pmuq_metric {
	size_t size;
	struct pmuq_str name; /**< its name */
	/** The PMU's name in the tables: "default_core" (every core PMU), "cpu_atom" … */
	struct pmuq_str pmu;
	struct pmuq_str groups;	     /**< metric groups, each followed by a semicolon or the end */
	struct pmuq_str formula;     /**< MetricExpr, as in the table */
	struct pmuq_str threshold;   /**< a formula that is not 0 if the value is bad; or "" */
	struct pmuq_str scale;	     /**< exact decimal text; the value is multiplied by it */
	struct pmuq_str unit;	     /**< of the value times the scale: "%", "MB/s"; or "" */
	struct pmuq_str topic;	     /**< or "" */
	struct pmuq_str description; /**< one sentence, or "" */
	struct pmuq_str long_description; /**< the whole description, or "" */
	/** When its events are not a group: "NO_GROUP_EVENTS", "NO_GROUP_EVENTS_NMI",
	 *  "NO_GROUP_EVENTS_SMT", "NO_THRESHOLD_AND_NMI"; or "". */
	struct pmuq_str constraint;
	/** The metric groups in which they are not a group, each followed by a semicolon or the
	 *  end. */
	struct pmuq_str no_group;
	struct pmuq_str default_group; /**< its headline in `perf stat` without events; or "" */
	/** "PerChip" or "PerCore": the formula is for one chip or core, whose number is its
	 *  parameter; or "". */
	struct pmuq_str aggregation;
	/** A regular expression (POSIX extended) that matches the whole content of the file
	 *  `identifier` of a PMU of the machine; "": any machine. */
	struct pmuq_str compat;
	struct pmuq_str import;	 /**< the name of the import */
	struct pmuq_str folder;	 /**< "ARCH/FOLDER" */
	struct pmuq_str file;	 /**< its file: "ARCH/FOLDER/FILE" */
	struct pmuq_str version; /**< of that file or, if it names none, of the table; or "" */
	bool has_scale;		 /**< the table has a scale */
	bool shows_events;	 /**< `perf stat` without events prints the counts, too */
};

/** The metrics of a CPU, from pmuq_store_open_metrics() or pmuq_store_open_lazy_metrics(). */
void pmuq_metrics_free(struct pmuq_metrics *metrics);
/** How many there are. */
size_t pmuq_metrics_count(const struct pmuq_metrics *metrics);
/** The metrics: of the CPU, of all CPUs, of systems; in each by PMU, then by name. NULL after the
 *  last, or if a lazy table cannot be read. */
const struct pmuq_metric *pmuq_metrics_get(const struct pmuq_metrics *metrics, size_t index);

/** How to count metrics. Zeroed except for its size: the defaults. */
struct pmuq_metric_options {
	size_t size;		 /**< sizeof(struct pmuq_metric_options), set by the caller */
	bool without_thresholds; /**< do not count what only thresholds need */
	bool without_groups;	 /**< open each event alone */
	bool without_sharing;	 /**< open the events of each metric for it alone */
	/** Whether the watchdog takes a counter, which changes the groups of some metrics:
	 *  0: as on the machine, 1: yes, 2: no. */
	unsigned nmi_watchdog;
};

/**
 * Plan metrics: find the events of their formulas on a machine.
 *
 * @param names    metrics, metric groups and patterns with * and ?, separated by commas: "IPC",
 *                 "TopdownL1", "tma_*"; ":u" after one gives its events that modifier. Case does
 *                 not matter; not kept
 * @param encode   how to encode the events; NULL: the defaults. Its vendor is the CPU's table of
 *                 events, whose names most formulas use. Its dialect is also that of the formulas,
 *                 and some formulas depend on is_system_wide
 * @param options  NULL for the defaults
 * @param ret      free with pmuq_metric_plan_free(); before the metrics, the source and the table
 * @return 0 if the events of at least one metric exist; -PMUQ_E_UNKNOWN_METRIC,
 *         -PMUQ_E_BAD_METRIC, any code about event strings and formulas, -PMUQ_E_BAD_CALL,
 *         -PMUQ_E_STALE_SOURCE, -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY; with lazy
 *         metrics those of pmuq_store_open_metrics()
 */
int pmuq_source_plan_metrics(struct pmuq_source *source, const struct pmuq_metrics *metrics,
			     const char *names, const struct pmuq_encode_options *encode,
			     const struct pmuq_metric_options *options,
			     struct pmuq_metric_plan **ret, struct pmuq_error **reterr);
/** The same from memory. */
int pmuq_catalog_plan_metrics(const struct pmuq_catalog *catalog,
			      const struct pmuq_metrics *metrics, const char *names,
			      const struct pmuq_encode_options *encode,
			      const struct pmuq_metric_options *options,
			      struct pmuq_metric_plan **ret, struct pmuq_error **reterr);
void pmuq_metric_plan_free(struct pmuq_metric_plan *plan);

/** A list of events that are opened together: groups and single events. */
struct pmuq_metric_list {
	size_t size;
	struct pmuq_str string; /**< the event string */
	/** What it means on the machine; lives as long as the plan. */
	const struct pmuq_encodings *encodings;
};
size_t pmuq_metric_plan_list_count(const struct pmuq_metric_plan *plan);
const struct pmuq_metric_list *pmuq_metric_plan_list(const struct pmuq_metric_plan *plan,
						     size_t index);

/** How an event of a plan is counted. */
enum pmuq_metric_event_type {
	PMUQ_METRIC_COUNT = 0,	     /**< by the encodings of a list */
	PMUQ_METRIC_DURATION = 1,    /**< the time that was counted, in seconds */
	PMUQ_METRIC_USER_TIME = 2,   /**< time in user mode, in seconds */
	PMUQ_METRIC_SYSTEM_TIME = 3, /**< time in the kernel, in seconds */
	/** The latency of the retirement of an event (modifier R), in cycles. Its count is NAN:
	 * then it is the mean that the vendor's table has. */
	PMUQ_METRIC_LATENCY = 4,
};

/** An event that formulas of a plan need. */
struct pmuq_metric_event {
	size_t size;
	struct pmuq_str name;		  /**< as in an event string, without an added modifier */
	enum pmuq_metric_event_type type; /**< how it is counted */
	size_t list;			  /**< the index of its list, if it is counted by one */
	size_t event;	    /**< the index of the event in the list (struct pmuq_encoding has it) */
	size_t n_encodings; /**< how many encodings it has: 64 for 64 instances */
	/** Of a latency: the vendor's mean, in perf's dialect as a whole number; NAN: not known. Of
	 *  others NAN. */
	double latency;
};
size_t pmuq_metric_plan_event_count(const struct pmuq_metric_plan *plan);
const struct pmuq_metric_event *pmuq_metric_plan_event(const struct pmuq_metric_plan *plan,
						       size_t index);

/** A value that a plan gives. */
struct pmuq_planned_metric {
	size_t size;
	const struct pmuq_metric *metric; /**< the metric */
	struct pmuq_str modifiers;	  /**< that its events got; or "" */
	/** The core PMU that it is of, if the machine has several; or "": of all. */
	struct pmuq_str pmu;
	const size_t *events; /**< the indexes of the events that it needs */
	size_t n_events;
	/** Why it cannot be counted on this machine; NULL: it can. Lives as long as the plan. */
	const struct pmuq_error *error;
	/** How many counters the events need, of one instance of each PMU. Times and events that
	 *  have a counter of their own need none. */
	size_t n_counters;
};
size_t pmuq_metric_plan_count(const struct pmuq_metric_plan *plan);
const struct pmuq_planned_metric *pmuq_metric_plan_get(const struct pmuq_metric_plan *plan,
						       size_t index);

/**
 * Whether the count of an encoding is a part of the count of an event for a metric: the encoding is
 * of the event, and not on another core PMU than the metric's.
 *
 * @param index     of pmuq_metric_plan_get()
 * @param event     of pmuq_metric_plan_event()
 * @param encoding  of the event's list
 */
bool pmuq_metric_plan_counts(const struct pmuq_metric_plan *plan, size_t index, size_t event,
			     const struct pmuq_encoding *encoding);

/**
 * The formula of a metric as a text over its events: $N is pmuq_planned_metric.events[N], formulas
 * of other metrics are in brackets, and facts of the machine are numbers.
 *
 * @return text to be freed with free(); NULL: no memory, no such metric, one that cannot be
 *         counted, or a text of more than 128 KiB
 */
char *pmuq_metric_plan_expression(const struct pmuq_metric_plan *plan, size_t index);

/** The count of an event of a plan. The layout of this struct never changes. */
struct pmuq_metric_count {
	/** The sum over all encodings and CPUs, as counted; seconds for times. NaN: not counted. */
	double value;
	uint64_t enabled_ns; /**< how long it was enabled, and how long a counter counted it: the */
	uint64_t running_ns; /**< sums over the same; equal if there was always a counter */
	uint32_t n_counts;   /**< how many counts the value is the sum of: aggr_nr() */
	uint32_t n_pmus;     /**< on how many PMUs: source_count() */
};

/** The value of a metric by its threshold. */
enum pmuq_rating {
	PMUQ_RATING_NONE = 0, /**< it has no threshold, or what it needs is not known */
	PMUQ_RATING_GOOD = 1, /**< the threshold is 0 */
	PMUQ_RATING_BAD = 2,  /**< the threshold is not 0 */
};

/** The value of a metric. The layout of this struct never changes. */
struct pmuq_metric_value {
	double value; /**< times the scale, in the metric's unit; NaN if it is not known */
	/** How far the value may be off because counters were shared: if the rate of an event was
	 *  between 0 and twice the measured one while it was not counted. 0: not shared. */
	double error_bound;
	enum pmuq_formula_reason reason; /**< why it is not known */
	enum pmuq_rating rating;	 /**< by the threshold */
	/** What made it unknown: the index of the event in the plan, or SIZE_MAX. */
	size_t event;
};

/**
 * Evaluate a metric of a plan. The call needs no machine, no file and no memory from the heap
 * beyond 64 KiB.
 *
 * @param index   of pmuq_metric_plan_get()
 * @param counts  of each event of the plan, by its index: the sum over the encodings for which
 *                pmuq_metric_plan_counts() is true; not kept
 * @param n       pmuq_metric_plan_event_count()
 * @return 0 (also if the value is not known), -PMUQ_E_BAD_FORMULA (as pmuq_formula_evaluate()),
 *         -PMUQ_E_BAD_CALL, -PMUQ_E_MEMORY
 */
int pmuq_metric_plan_evaluate(const struct pmuq_metric_plan *plan, size_t index,
			      const struct pmuq_metric_count *counts, size_t n,
			      struct pmuq_metric_value *ret, struct pmuq_error **reterr);

#ifdef __cplusplus
}
#endif
#endif
