/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Errors as data: which code, what was wrong, where in the text, and what to do about it; and the
 * facts about every code there is. An error never changes: any number of threads may read it.
 */
#ifndef PMUQ_ERROR_H
#define PMUQ_ERROR_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The code, stable for ever. */
enum pmuq_code pmuq_error_code(const struct pmuq_error *error);
/** "unknown-term". Static. */
const char *pmuq_error_name(const struct pmuq_error *error);
/** One sentence without a full stop. */
const char *pmuq_error_message(const struct pmuq_error *error);
/** What to do about it, or NULL. */
const char *pmuq_error_hint(const struct pmuq_error *error);
/** The text that the offset points into (the event string, or an alias's), or NULL. */
const char *pmuq_error_input(const struct pmuq_error *error);
/** Where in the input: bytes from its start, and how many (may be 0: just before that byte). */
size_t pmuq_error_offset(const struct pmuq_error *error);
size_t pmuq_error_length(const struct pmuq_error *error);
/** The file, directory or database that it is about, or NULL. */
const char *pmuq_error_origin(const struct pmuq_error *error);
/** The errno behind it, or 0. */
int pmuq_error_errno(const struct pmuq_error *error);
/**
 * The whole diagnosis with the caret under the spot, lines separated by newlines, none at the end.
 *
 * @return text to be freed with free(), NULL when out of memory
 */
char *pmuq_error_format(const struct pmuq_error *error);
void pmuq_error_free(struct pmuq_error *error);

/** Facts about a code, for help texts. Static; NULL for a number that is no code. */
const char *pmuq_code_name(unsigned code);
const char *pmuq_code_meaning(unsigned code);
const char *pmuq_code_example(unsigned code);
const char *pmuq_code_remedy(unsigned code);
/** The n-th code in ascending order; 0 beyond the last. */
unsigned pmuq_code_at(size_t index);

#ifdef __cplusplus
}
#endif
#endif
