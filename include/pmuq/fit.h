/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Counters: how many a PMU has, and whether events can be counted at the same time. A group that
 * needs more counters than there are never counts, and the kernel may open it all the same; events
 * that are not in a group take turns then.
 *
 *     pmuq_source_encode(machine, "{a,b,c}", &encode, &encodings, &error);
 *     pmuq_source_fit(machine, encodings, &options, &fit, &error);
 *     for (size_t i = 0; (set = pmuq_fit_get(fit, i)); i++)
 *             if (set->counts == PMUQ_FIT_NO)
 *                     puts(set->reason.p);
 *
 * Most is known with the vendor's table of the CPU (vendor.h): how many counters there are, and
 * which of them can count an event. The result can also be that too little is known. Events are
 * those of an idle machine: nobody else counts, except for the kernel's watchdog. Any number of
 * threads may use a result.
 */
#ifndef PMUQ_FIT_H
#define PMUQ_FIT_H

#include <pmuq/encode.h>

#ifdef __cplusplus
extern "C" {
#endif

/** From where a number of counters is known. */
enum pmuq_counters_source {
	PMUQ_COUNTERS_UNKNOWN = 0,
	PMUQ_COUNTERS_TABLE = 1,  /**< the vendor's table has the number */
	PMUQ_COUNTERS_EVENTS = 2, /**< events of the table name that many counters */
	PMUQ_COUNTERS_CPU = 3,	  /**< the running CPU (the instruction CPUID) */
	PMUQ_COUNTERS_MANUAL = 4, /**< documents of the CPU or of the kernel */
};
/** "table", "events", "cpu", "manual"; "" for UNKNOWN. Static; NULL if it is not a source. */
const char *pmuq_counters_source_name(enum pmuq_counters_source source);

/** The counters of a PMU, of each of its CPUs or instances. */
struct pmuq_counters {
	size_t size;	       /**< sizeof(struct pmuq_counters), set by the caller */
	unsigned generic;      /**< counters for any event, at least */
	unsigned generic_most; /**< at most: the same if the number is known */
	unsigned fixed;	       /**< counters for one event each */
	enum pmuq_counters_source generic_source; /**< UNKNOWN: the numbers mean nothing */
	enum pmuq_counters_source fixed_source;	  /**< UNKNOWN: the number means nothing */
	/** Its events never compete: each has a counter of its own, or needs none. */
	bool is_unlimited;
	/** The kernel's NMI watchdog counts cycles there, and takes one of the counters. */
	bool has_watchdog;
};

/**
 * Find out how many counters a PMU has.
 *
 * @param pmu     its name; not kept
 * @param vendor  the CPU's table, or NULL
 * @param ret     its size is set by the caller
 * @return 0 (also if nothing is known), -PMUQ_E_UNKNOWN_PMU, -PMUQ_E_BAD_CALL,
 *         -PMUQ_E_STALE_SOURCE, -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY
 */
int pmuq_source_find_counters(struct pmuq_source *source, const char *pmu,
			      const struct pmuq_vendor *vendor, struct pmuq_counters *ret,
			      struct pmuq_error **reterr);

/** How to match events with counters. Zeroed except for its size: the defaults. */
struct pmuq_fit_options {
	size_t size;			  /**< sizeof(struct pmuq_fit_options), set by the caller */
	const struct pmuq_vendor *vendor; /**< the CPU's table, or NULL */
	/** Whether the watchdog takes a counter: 0: as on the machine, 1: yes, 2: no. */
	unsigned nmi_watchdog;
	/** Only groups that can never be counted are in the result. Of a lazy table that needs no
	 *  more events than the string names, if its groups fit. */
	bool wants_unfit_only;
};

/**
 * Find out which encodings can be counted at the same time.
 *
 * @param encodings  of the same source
 * @param options    NULL for the defaults
 * @param ret        free with pmuq_fit_free(); it does not need the others afterwards
 * @return 0 (whatever fits), -PMUQ_E_STALE_SOURCE, -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_BAD_CALL,
 *         -PMUQ_E_MEMORY; with a lazy table also -PMUQ_E_STORE_CORRUPT, -PMUQ_E_STORE_BUSY
 */
int pmuq_source_fit(struct pmuq_source *source, const struct pmuq_encodings *encodings,
		    const struct pmuq_fit_options *options, struct pmuq_fit **ret,
		    struct pmuq_error **reterr);
void pmuq_fit_free(struct pmuq_fit *fit);

/** Whether events fit. */
enum pmuq_fit_status {
	PMUQ_FIT_UNKNOWN = 0, /**< too little is known about the counters */
	PMUQ_FIT_YES = 1,
	PMUQ_FIT_NO = 2,
};
/** "unknown", "yes", "no". Static; NULL if it is not a status. */
const char *pmuq_fit_status_name(enum pmuq_fit_status status);

/** Events of a PMU that may compete: a group, or all events of the string. */
struct pmuq_fit_set {
	size_t size;
	struct pmuq_str pmu; /**< the PMU, or the first of its instances with the same events */
	size_t n_pmus;	     /**< how many instances those are */
	/** The index of the encoding that leads the group; SIZE_MAX: it is not a group, but all
	 *  events of the string on the PMU, which take turns if they do not fit. */
	size_t leader;
	size_t n_members;  /**< see pmuq_fit_member() */
	size_t n_counters; /**< how many counters they need, in all parts together */
	size_t n_parts; /**< the smallest number of parts that fit; 0: it is not known, or none */
	/** Whether they can be counted at the same time. */
	enum pmuq_fit_status counts;
	/** Whether the kernel should open the group: it does not heed its own watchdog then, nor
	 *  does it know which events must be alone. */
	enum pmuq_fit_status opens;
	/** Which members compete for what, or what is not known; "" if they fit. */
	struct pmuq_str reason;
	/** The parts as event strings, separated by commas, "{a,b},{c}"; "" without parts. */
	struct pmuq_str split;
	/** Of a group that cannot be counted: the reason as a warning about the string, with the
	 *  split as its hint; NULL for others, and for a weak group (:W) that the kernel does not
	 *  open, because tools open its members alone then. */
	const struct pmuq_error *warning;
	bool is_smallest; /**< false: the search was ended, and fewer parts may do */
};
/** How many sets there are. */
size_t pmuq_fit_count(const struct pmuq_fit *fit);
/** Groups first, in their order; then PMUs. */
const struct pmuq_fit_set *pmuq_fit_get(const struct pmuq_fit *fit, size_t index);

/** An event of a set. */
struct pmuq_fit_event {
	size_t size;
	size_t encoding; /**< its index in the encodings */
	size_t part;	 /**< the part that it is in, from 0 */
	/** The counters that can count it: "0-3", "0-7, fixed 1", "none" (it needs none), "own"
	 *  (nobody else uses it); "" if they are not known. */
	struct pmuq_str counters;
	struct pmuq_str counter; /**< the one that it has in its part: "2", "fixed 1"; or "" */
	/** A register that it needs with a value of its own: "offcore_rsp"; or "". */
	struct pmuq_str needs;
	bool competes;	     /**< it is one of those that the reason is about */
	bool is_added;	     /**< pmuq added it: see struct pmuq_encoding */
	bool is_taken_alone; /**< by the vendor's table no other event may be counted with it */
};
/** By the index of the set, in the order of the encodings. */
const struct pmuq_fit_event *pmuq_fit_member(const struct pmuq_fit *fit, size_t set, size_t index);

#ifdef __cplusplus
}
#endif
#endif
