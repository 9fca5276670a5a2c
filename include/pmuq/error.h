/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Errors as data: the code, what is wrong, where in the text, and what to do about it; and facts
 * about every code. An error never changes: any number of threads may read it.
 */
#ifndef PMUQ_ERROR_H
#define PMUQ_ERROR_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Why a call failed, or a warning. The caller owns an error that it received through `reterr` and
 *  frees it with pmuq_error_free(). A warning belongs to the object that returned it. */
struct pmuq_error {
	size_t size;
	struct pmuq_str message; /**< one sentence without a full stop */
	struct pmuq_str hint;	 /**< what to do about it, or none */
	/** The text that the offset points into (the event string, or an alias's), or none. */
	struct pmuq_str input;
	size_t offset;		/**< where the span begins in the input, in bytes */
	size_t length;		/**< of the span, in bytes; 0: just before that byte */
	struct pmuq_str origin; /**< the file, directory or database concerned, or none */
	enum pmuq_code code;	/**< stable forever; pmuq_code_name() returns its name */
	int errnum;		/**< the errno of the failed call, or 0 */
	bool is_warning;	/**< the call did not fail because of it */
};

/**
 * The whole diagnosis, with a caret under the span. It has several lines; the last one does not
 * end with a newline.
 *
 * @return text to be freed with free(), NULL when out of memory
 */
char *pmuq_error_format(const struct pmuq_error *error);
void pmuq_error_free(struct pmuq_error *error);

/** Texts about a code, for help. Static; NULL if the number is not a code. */
const char *pmuq_code_name(unsigned code);
const char *pmuq_code_meaning(unsigned code);
const char *pmuq_code_example(unsigned code);
const char *pmuq_code_remedy(unsigned code);
/** The n-th code in ascending order; 0 past the last. */
unsigned pmuq_code_at(size_t index);

#ifdef __cplusplus
}
#endif
#endif
