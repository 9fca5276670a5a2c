/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Diffs: what changed between two machines, or between two snapshots of one. Immutable; any number
 * of threads may use one. A diff does not need the catalogs that it was made of.
 */
#ifndef PMUQ_DIFF_H
#define PMUQ_DIFF_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a change does to those who use the machine; the heaviest first. */
enum pmuq_weight {
	PMUQ_WEIGHT_BREAKING = 0, /**< what worked does not work any more */
	PMUQ_WEIGHT_MEANING = 1,  /**< the same words ask for something else */
	PMUQ_WEIGHT_ADDITION = 2, /**< there is more than there was */
	PMUQ_WEIGHT_COSMETIC = 3, /**< said in another way; who asks gets the same */
	PMUQ_WEIGHT_PASSING = 4,  /**< belongs to a boot or a host, and not to a kind of machine */
};

/** What changed. */
enum pmuq_change_kind {
	PMUQ_CHANGE_PMU_GONE = 0,
	PMUQ_CHANGE_PMU_NEW = 1,
	PMUQ_CHANGE_PMU_RENAMED = 2, /**< all of it is there under another name */
	PMUQ_CHANGE_BOXES_GONE = 3,  /**< others of that kind are still there */
	PMUQ_CHANGE_BOXES_NEW = 4,
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
	PMUQ_CHANGE_EVENT_MENDED = 18,	/**< can be encoded now */
	PMUQ_CHANGE_EVENT_BITS = 19,	/**< other bits of the config words */
	PMUQ_CHANGE_EVENT_SETTINGS =
		20,		     /**< other parameters, or terms that are no bits of these */
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
	PMUQ_CHANGE_TRACEPOINTS_UNTOLD = 36, /**< one of the two does not tell any */
	PMUQ_CHANGE_OPENS_NO_MORE = 37,	     /**< the kernel refuses what it opened */
	PMUQ_CHANGE_OPENS_NOW = 38,
	PMUQ_CHANGE_REFUSED_OTHERWISE = 39, /**< refused as before, for another reason */
};

/** What is compared besides. Zeroed but for its size: nothing. */
struct pmuq_diff_options {
	size_t size; /**< sizeof(struct pmuq_diff_options), set by the caller */
	/** What is known of whether events open; NULL: what the catalogs know themselves. */
	const struct pmuq_check *check_before;
	const struct pmuq_check *check_after; /**< likewise, of the second machine */
};

/**
 * Compare two machines: PMUs, formats, events, caps, plain files, facts, tracepoints, and, where
 * both were checked, which events open. Events are compared by the bits that their terms set
 * through each machine's own formats. PMUs of one kind that changed alike are one change.
 *
 * What a machine of which only a part is known (the fact "incomplete") does not tell is no change.
 *
 * @param options  NULL for all defaults
 * @param ret      free with pmuq_diff_free()
 * @return 0, -PMUQ_E_BAD_CALL (options of a later version), -PMUQ_E_MEMORY
 */
int pmuq_catalog_diff(const struct pmuq_catalog *before, const struct pmuq_catalog *after,
		      const struct pmuq_diff_options *options, struct pmuq_diff **ret,
		      struct pmuq_error **reterr);
void pmuq_diff_free(struct pmuq_diff *diff);

/** The changes: the heaviest first; those of the host, of PMUs in the catalog's order, tracepoints.
 */
size_t pmuq_diff_count(const struct pmuq_diff *diff);
const struct pmuq_change *pmuq_diff_get(const struct pmuq_diff *diff, size_t index);
/** How many have that weight. */
size_t pmuq_diff_weight_count(const struct pmuq_diff *diff, enum pmuq_weight weight);

/** "breaking" …; NULL for a number that is none. */
const char *pmuq_weight_name(enum pmuq_weight weight);
/** "event-bits" …; NULL for a number that is none. */
const char *pmuq_change_kind_name(enum pmuq_change_kind kind);

/** What changed, and what it weighs. */
enum pmuq_change_kind pmuq_change_get_kind(const struct pmuq_change *change);
enum pmuq_weight pmuq_change_get_weight(const struct pmuq_change *change);
/** The PMUs that it is about, as they are called before (new ones: after); none: the host. Where no
 *  box of a kind has kept its name, the name without a number, which event strings may use. */
size_t pmuq_change_pmu_count(const struct pmuq_change *change);
const char *pmuq_change_pmu(const struct pmuq_change *change, size_t index);
/** The new names of PMUs that were renamed. */
size_t pmuq_change_new_pmu_count(const struct pmuq_change *change);
const char *pmuq_change_new_pmu(const struct pmuq_change *change, size_t index);
/** Of the event, format, cap, file, fact or tracepoint; NULL where the PMU itself changed. */
const char *pmuq_change_name(const struct pmuq_change *change);
/** As the machine tells it: the terms, the format's text …; for one that was renamed its names;
 *  NULL where there is none. */
const char *pmuq_change_before(const struct pmuq_change *change);
const char *pmuq_change_after(const struct pmuq_change *change);
/**
 * What the event, or all values of the format, set in a config word (0: config … 4: config4).
 *
 * @return whether it differs; false also where the change is about no bits
 */
bool pmuq_change_word(const struct pmuq_change *change, unsigned word, uint64_t *ret_before,
		      uint64_t *ret_after);
/** What happened, in a sentence without the PMU's name. */
const char *pmuq_change_text(const struct pmuq_change *change);

#ifdef __cplusplus
}
#endif
#endif
