/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Completion: candidates that can continue an event string at the cursor, for shells, editors and
 * prompts. The command's own completion uses these functions only. One thread at a time.
 */
#ifndef PMUQ_COMPLETE_H
#define PMUQ_COMPLETE_H

#include <pmuq/encode.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The location of the cursor in the grammar of event strings. */
enum pmuq_cursor {
	PMUQ_CURSOR_NONE = 0,	   /**< the string is invalid, or only the user can continue it */
	PMUQ_CURSOR_EVENT = 1,	   /**< at the name of an event, a PMU or a tracepoint subsystem */
	PMUQ_CURSOR_COLON = 2,	   /**< after NAME and a colon: at a tracepoint, or modifiers */
	PMUQ_CURSOR_TERM = 3,	   /**< between slashes: at the key of a term, or an event */
	PMUQ_CURSOR_VALUE = 4,	   /**< at the value of a term */
	PMUQ_CURSOR_TERM_END = 5,  /**< after a complete term */
	PMUQ_CURSOR_NUMBER = 6,	   /**< at the config of TYPE:CONFIG, an address or a length */
	PMUQ_CURSOR_ACCESS = 7,	   /**< after the colon of a breakpoint: r, w, x, or modifiers */
	PMUQ_CURSOR_MODIFIER = 8,  /**< at the modifiers of an event */
	PMUQ_CURSOR_GROUP_END = 9, /**< after the closing brace of a group */
	PMUQ_CURSOR_GROUP_MODIFIER = 10, /**< at the modifiers of a group */
};

/** What a candidate is. */
enum pmuq_candidate_type {
	PMUQ_CANDIDATE_PMU = 0,	       /**< "cpu/" */
	PMUQ_CANDIDATE_INSTANCES = 1,  /**< "uncore_imc/": several PMUs by the name they share */
	PMUQ_CANDIDATE_GENERIC = 2,    /**< "cycles" */
	PMUQ_CANDIDATE_EVENT = 3,      /**< an event of a PMU, from sysfs */
	PMUQ_CANDIDATE_VENDOR = 4,     /**< an event of the CPU's imported tables */
	PMUQ_CANDIDATE_SUBSYSTEM = 5,  /**< "sched:" */
	PMUQ_CANDIDATE_TRACEPOINT = 6, /**< "sched:sched_switch" */
	PMUQ_CANDIDATE_FORMAT = 7,     /**< a format of the PMU */
	PMUQ_CANDIDATE_TERM = 8,       /**< a term that every PMU takes */
	PMUQ_CANDIDATE_PROBE = 9,      /**< a term of a kprobe or uprobe */
	PMUQ_CANDIDATE_VALUE = 10,     /**< a value of the term */
	PMUQ_CANDIDATE_ACCESS = 11,    /**< an access that a breakpoint watches: r, w or x */
	PMUQ_CANDIDATE_MODIFIER = 12,  /**< one more letter */
	PMUQ_CANDIDATE_DELIMITER = 13, /**< a comma, slash, brace … that ends the current item */
};

/** A candidate. */
struct pmuq_candidate {
	size_t size;		       /**< of the struct */
	enum pmuq_candidate_type type; /**< what it is */
	struct pmuq_str text;	       /**< replaces the text from pmuq_completion.offset on */
	struct pmuq_str about; /**< the terms of an event, the bits of a format, …; or none */
	/** One of these bytes must follow the candidate; "" if the event string may end after it,
	 * or if its last byte ("=", ",", "/", ":") itself requires more text. */
	struct pmuq_str next;
};

/** The candidates for a text, and where they belong. */
struct pmuq_completion {
	size_t size;		 /**< of the struct */
	enum pmuq_cursor cursor; /**< where the text ends */
	size_t offset;		 /**< the candidates replace the text from this byte to its end */
	struct pmuq_str pmu;	 /**< the PMU whose terms are between the slashes, or none */
	struct pmuq_str term;	 /**< the key, if the cursor is at its value; or none */
	size_t n_candidates;	 /**< see pmuq_completion_candidate() */
};

/**
 * Complete an event string. The text may end inside a list, a group, terms or quotes. Every
 * candidate leads to a string that encodes under the options: pmuq encodes the text with each
 * candidate. Names of PMUs and of bare events are not tried, because that would read their files.
 *
 * If there is no candidate, the text is invalid, or a number or a new name belongs at the cursor.
 *
 * @param text     the text before the cursor; not kept
 * @param options  as for pmuq_source_encode(), NULL for the defaults; assignments,
 *                 preset and memory are ignored
 * @param ret      free with pmuq_completion_free(); it does not need the source afterwards
 * @return 0, -PMUQ_E_STALE_SOURCE, -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_BAD_CALL, -PMUQ_E_MEMORY
 */
int pmuq_source_complete(struct pmuq_source *source, const char *text,
			 const struct pmuq_encode_options *options, struct pmuq_completion **ret,
			 struct pmuq_error **reterr);
/** The candidates, each text once: PMUs, generic events, events, tracepoints, vendors' events;
 *  in terms first the events. NULL past the last. */
const struct pmuq_candidate *pmuq_completion_candidate(const struct pmuq_completion *completion,
						       size_t index);
void pmuq_completion_free(struct pmuq_completion *completion);

#ifdef __cplusplus
}
#endif
#endif
