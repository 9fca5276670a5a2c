/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Diffs: what changed between two machines, or between two snapshots of one. A diff never changes:
 * any number of threads may read it. It does not need the catalogs afterwards.
 */
#ifndef PMUQ_DIFF_H
#define PMUQ_DIFF_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How a change affects users of the machine; the heaviest comes first. */
enum pmuq_weight {
	PMUQ_WEIGHT_BREAKING = 0, /**< something stopped working */
	PMUQ_WEIGHT_MEANING = 1,  /**< the same event string means something else */
	PMUQ_WEIGHT_ADDITION = 2, /**< something new */
	PMUQ_WEIGHT_COSMETIC = 3, /**< another text with the same meaning */
	PMUQ_WEIGHT_PASSING = 4,  /**< a property of one boot or one host, not of a host class */
};

/** What changed. */
enum pmuq_change_type {
	PMUQ_CHANGE_PMU_GONE = 0,
	PMUQ_CHANGE_PMU_NEW = 1,
	PMUQ_CHANGE_PMU_RENAMED = 2,	/**< the same PMU under another name */
	PMUQ_CHANGE_INSTANCES_GONE = 3, /**< sibling instances still exist */
	PMUQ_CHANGE_INSTANCES_NEW = 4,
	PMUQ_CHANGE_PMU_TYPE = 5,
	PMUQ_CHANGE_PMU_CPUS = 6,
	PMUQ_CHANGE_PMU_ALIAS = 7,
	PMUQ_CHANGE_FORMAT_GONE = 8,
	PMUQ_CHANGE_FORMAT_NEW = 9,
	PMUQ_CHANGE_FORMAT_MOVED = 10,	  /**< a value goes to other bits */
	PMUQ_CHANGE_FORMAT_NARROWED = 11, /**< large values do not fit any more */
	PMUQ_CHANGE_FORMAT_WIDENED = 12,
	PMUQ_CHANGE_FORMAT_TEXT = 13, /**< the same bits */
	PMUQ_CHANGE_EVENT_GONE = 14,
	PMUQ_CHANGE_EVENT_NEW = 15,
	PMUQ_CHANGE_EVENT_RENAMED = 16, /**< the same bits under another name */
	PMUQ_CHANGE_EVENT_BROKEN = 17,	/**< cannot be encoded any more */
	PMUQ_CHANGE_EVENT_FIXED = 18,	/**< can be encoded now */
	PMUQ_CHANGE_EVENT_BITS = 19,	/**< other bits of the config words */
	PMUQ_CHANGE_EVENT_SETTINGS =
		20,		     /**< other parameters, or terms that set no bits of these */
	PMUQ_CHANGE_EVENT_TEXT = 21, /**< the same bits and settings */
	PMUQ_CHANGE_EVENT_UNIT = 22,
	PMUQ_CHANGE_EVENT_SCALE = 23,
	PMUQ_CHANGE_EVENT_FLAGS = 24, /**< per-pkg, snapshot */
	PMUQ_CHANGE_CAP_GONE = 25,
	PMUQ_CHANGE_CAP_NEW = 26,
	PMUQ_CHANGE_CAP = 27,
	PMUQ_CHANGE_ATTRIBUTE_GONE = 28, /**< a plain file of the PMU's directory */
	PMUQ_CHANGE_ATTRIBUTE_NEW = 29,
	PMUQ_CHANGE_ATTRIBUTE = 30,
	PMUQ_CHANGE_FACT_GONE = 31,
	PMUQ_CHANGE_FACT_NEW = 32,
	PMUQ_CHANGE_FACT = 33,
	PMUQ_CHANGE_TRACEPOINT_GONE = 34, /**< "SUBSYSTEM:NAME", or "SUBSYSTEM:*" for all of them */
	PMUQ_CHANGE_TRACEPOINT_NEW = 35,
	PMUQ_CHANGE_TRACEPOINTS_UNKNOWN = 36, /**< one of the two has none */
	PMUQ_CHANGE_OPENS_NO_MORE = 37,	      /**< the kernel refuses what it opened before */
	PMUQ_CHANGE_OPENS_NOW = 38,
	PMUQ_CHANGE_REFUSED_OTHERWISE = 39, /**< refused as before, for another reason */
};

/** What else to compare. Zeroed except for its size: nothing. */
struct pmuq_diff_options {
	size_t size; /**< sizeof(struct pmuq_diff_options), set by the caller */
	/** Which events opened on the first machine; NULL: the check in its catalog. */
	const struct pmuq_check *check_before;
	const struct pmuq_check *check_after; /**< the same for the second machine */
};

/**
 * Compare two machines: PMUs, formats, events, caps, plain files, facts, tracepoints, and, if both
 * were checked, which events open. Events are compared by the bits that their terms set through
 * each machine's own formats. Sibling instances that changed alike are one change.
 *
 * If a machine is incomplete (it has the fact "incomplete"), anything missing from it is not a
 * change.
 *
 * @param options  NULL for all defaults
 * @param ret      free with pmuq_diff_free(); does not need the catalogs
 * @return 0, -PMUQ_E_BAD_CALL (options of a later version), -PMUQ_E_MEMORY
 */
int pmuq_catalog_diff(const struct pmuq_catalog *before, const struct pmuq_catalog *after,
		      const struct pmuq_diff_options *options, struct pmuq_diff **ret,
		      struct pmuq_error **reterr);
void pmuq_diff_free(struct pmuq_diff *diff);

/** One change. */
struct pmuq_change {
	size_t size;
	/** The names of the PMUs concerned, before the change (of new PMUs: after it); none: the
	 *  host. If no sibling instance kept its name: the name without a number, which event
	 *  strings may use. */
	const struct pmuq_str *pmus;
	size_t n_pmus;
	const struct pmuq_str *new_pmus; /**< the new names of PMUs that were renamed */
	size_t n_new_pmus;
	/** The event, format, cap, file, fact or tracepoint, or none if the PMU itself changed. */
	struct pmuq_str name;
	/** The text on the first machine: the terms, the format's text …; the old name of
	 *  something renamed; or none. */
	struct pmuq_str before;
	struct pmuq_str after; /**< the same on the second machine, or none */
	struct pmuq_str text;  /**< what happened: one sentence without the PMU's name */
	/**
	 * The bits of the config words (0: config … 4: config4) that the event sets, or that the
	 * format can set. All words are 0 if the change does not concern bits.
	 */
	const uint64_t *words_before;
	const uint64_t *words_after; /**< the same on the second machine */
	size_t n_words;
	enum pmuq_change_type type; /**< what changed */
	enum pmuq_weight weight;    /**< how that affects users of the machine */
};

/** The changes, the heaviest first; within a weight the host, PMUs in the catalog's order, then
 *  tracepoints. */
size_t pmuq_diff_count(const struct pmuq_diff *diff);
const struct pmuq_change *pmuq_diff_get(const struct pmuq_diff *diff, size_t index);
/** The number of changes with that weight. */
size_t pmuq_diff_weight_count(const struct pmuq_diff *diff, enum pmuq_weight weight);

/** "breaking" …; NULL if the number is not a weight. */
const char *pmuq_weight_name(enum pmuq_weight weight);
/** "event-bits" …; NULL if the number is not a type. */
const char *pmuq_change_type_name(enum pmuq_change_type type);

#ifdef __cplusplus
}
#endif
#endif
