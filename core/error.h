/* SPDX-License-Identifier: MIT */
/*
 * Errors: built once, where the fault is known, and enriched on the way up. The caret is drawn only
 * when printing. Warnings are the same object.
 */
#ifndef PQ_ERROR_H
#define PQ_ERROR_H

#include "core/buf.h"
#include <pmuq/codes.h>
#include <stdarg.h>

struct pmuq_error;

/* Bytes of an input text. */
struct pq_span {
	uint32_t offset, length;
};

/*
 * Puts an error into *reterr (unless reterr is NULL) and returns -code. Out of memory is reported
 * by a static object, so there is always something to show.
 */
int pq_fail(struct pmuq_error **reterr, enum pmuq_code code, const char *format, ...)
	PQ_PRINTF(3, 4);
int pq_fail_args(struct pmuq_error **reterr, enum pmuq_code code, const char *format, va_list args);
int pq_fail_memory(struct pmuq_error **reterr);

/* -PMUQ_E_MEMORY or -PMUQ_E_TOO_MANY_FILES: what this process lacks is no answer to anything, and
 * so is forwarded even where other failures are not. */
bool pq_is_lack(int r);
/* Such a failure, of which the error object was not asked for, with one. */
int pq_fail_lack(struct pmuq_error **reterr, int r);

/*
 * An error in the arena that says no more than its code does, at that spot: for who must do without
 * malloc(). It lives as long as the arena, and freeing it does nothing. NULL: no room.
 */
struct pmuq_error *pq_error_plain(struct pq_arena *arena, enum pmuq_code code, struct pq_span at);

/* Enrich an error that is there; each copies its text, and does nothing on NULL. */
void pq_error_at(struct pmuq_error **reterr, struct pq_span at);
void pq_error_input(struct pmuq_error **reterr, struct pmuq_str input);
/* The same without a copy, for warnings, of which there may be as many as the input is long: it
 * must outlive the error, and have a NUL behind it. */
void pq_error_share_input(struct pmuq_error **reterr, struct pmuq_str input);
void pq_error_hint(struct pmuq_error **reterr, const char *format, ...) PQ_PRINTF(2, 3);
/* Takes the text over; a failed or empty buffer gives no hint. */
void pq_error_hint_buf(struct pmuq_error **reterr, struct pq_buf *hint);
/* Shown as a warning from now on. */
void pq_error_is_warning(struct pmuq_error **reterr);
void pq_error_origin(struct pmuq_error **reterr, struct pmuq_str origin);
void pq_error_errno(struct pmuq_error **reterr, int errnum);
/* Puts words before the message: "event 'mem-loads' of cpu: ". */
void pq_error_in(struct pmuq_error **reterr, const char *format, ...) PQ_PRINTF(2, 3);
bool pq_error_has_input(struct pmuq_error *const *reterr);

#endif
