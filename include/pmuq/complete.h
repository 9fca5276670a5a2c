/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Completion: how an event string that somebody is typing may go on. For shells, editors and
 * prompts; the command's own completion uses nothing else. One thread at a time.
 */
#ifndef PMUQ_COMPLETE_H
#define PMUQ_COMPLETE_H

#include <pmuq/encode.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Where in an event string the cursor is. */
enum pmuq_cursor {
	PMUQ_CURSOR_NONE = 0,	   /**< the string is wrong, or only the caller can go on with it */
	PMUQ_CURSOR_EVENT = 1,	   /**< at the name of an event, of a PMU or of tracepoints */
	PMUQ_CURSOR_COLON = 2,	   /**< after NAME and a colon: at a tracepoint, or modifiers */
	PMUQ_CURSOR_TERM = 3,	   /**< between slashes: at the key of a term, or an event */
	PMUQ_CURSOR_VALUE = 4,	   /**< at the value of a term */
	PMUQ_CURSOR_TERM_END = 5,  /**< after a term that nothing can be added to */
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
	PMUQ_CANDIDATE_FORMAT = 7,     /**< a term of the PMU's own */
	PMUQ_CANDIDATE_TERM = 8,       /**< a term that every PMU takes */
	PMUQ_CANDIDATE_PROBE = 9,      /**< a term of a kprobe or uprobe */
	PMUQ_CANDIDATE_VALUE = 10,     /**< a value of the term */
	PMUQ_CANDIDATE_ACCESS = 11,    /**< what a breakpoint is to watch: r, w or x */
	PMUQ_CANDIDATE_MODIFIER = 12,  /**< a letter more */
	PMUQ_CANDIDATE_DELIMITER = 13, /**< what is there ends: with a comma, a slash, a brace … */
};

/** One way to go on. */
struct pmuq_candidate {
	size_t size;		       /**< of the struct */
	enum pmuq_candidate_type type; /**< what it is */
	struct pmuq_str text;	       /**< to be written from pmuq_completion.offset on */
	struct pmuq_str about; /**< the terms of an event, the bits of a format, …; or none */
	/** One of these bytes must follow; "" if the event string may also end here, or if the text
	 *  itself ends with what asks for more ("=", ",", "/", ":"). */
	struct pmuq_str next;
};

/** How a text may go on. */
struct pmuq_completion {
	size_t size;		 /**< of the struct */
	enum pmuq_cursor cursor; /**< where the text ends */
	size_t offset;	     /**< of the word that the candidates replace, to the end of the text */
	struct pmuq_str pmu; /**< the PMU whose terms are between the slashes, or none */
	struct pmuq_str term; /**< the key whose value the cursor is at, or none */
	size_t n_candidates;  /**< how many there are */
};

/**
 * Complete an event string. `text` is what is before the cursor; a list, a group, terms or quotes
 * may be open in it. Every candidate goes on to a string that encodes under the options: pmuq
 * encodes what is before the cursor, and then each candidate with it. Only the names of PMUs and
 * of bare events are listed without that, since no file that they name is read.
 *
 * No candidate means that the text is wrong, or that a number or a name of the user's own belongs
 * at the cursor.
 *
 * @param text     not kept
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
