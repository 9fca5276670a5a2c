/* SPDX-License-Identifier: MIT */
/*
 * Errors: built once, where the cause is known; callers add context. The caret is made when the
 * error is printed. Warnings are the same object.
 */
#pragma once

#include "core/buf.h"
#include <pmuq/codes.h>
#include <stdarg.h>

struct pmuq_error;

/*
 * Most functions return 0, or minus a code after a failure, which a caller forwards. These results
 * are not failures: a caller handles them, and never forwards them to a caller that does not expect
 * them. A function with other results has an enum of its own.
 */
enum {
	PQ_NONE = 1, /* the object does not exist; nothing was returned */
	PQ_END = 2,  /* an iteration has no more elements */
};

/* Bytes of an input text. */
struct pq_span {
	uint32_t offset, length;
};

/*
 * Stores an error in *reterr, unless reterr is NULL, and returns -code. If there is no memory for
 * it, both are those of missing memory, whose error is a static object: so there is always an error
 * to print, and a caller returns what these return.
 */
PQ_USE_RESULT PQ_COLD int pq_fail(struct pmuq_error **reterr, enum pmuq_code code,
				  const char *format, ...) PQ_PRINTF(3, 4);
PQ_USE_RESULT PQ_COLD int pq_fail_args(struct pmuq_error **reterr, enum pmuq_code code,
				       const char *format, va_list args);
/* The same at a span of the input. */
PQ_USE_RESULT PQ_COLD int pq_fail_span(struct pmuq_error **reterr, struct pq_span at,
				       enum pmuq_code code, const char *format, ...)
	PQ_PRINTF(4, 5);
PQ_COLD int pq_fail_memory(struct pmuq_error **reterr);

/* -PMUQ_E_MEMORY or -PMUQ_E_TOO_MANY_FILES: this process has run out of something, which is not a
 * fact about the machine. Such an error is forwarded even if others are handled. */
bool pq_is_resource_error(int r);
/* Makes the error object of such a failure, for a caller that passed no reterr before. */
PQ_COLD int pq_fail_resource(struct pmuq_error **reterr, int r);

/*
 * An error in the arena, of static texts, with that span: for callers that must not use malloc().
 * It lives as long as the arena, and freeing it does nothing. NULL if there is no memory.
 */
struct pmuq_error *pq_error_plain(struct pq_arena *arena, enum pmuq_code code, struct pq_span at);

/* These add to an error, if there is one. Each copies its text. */
PQ_COLD void pq_error_at(struct pmuq_error **reterr, struct pq_span at);
PQ_COLD void pq_error_input(struct pmuq_error **reterr, struct pmuq_str input);
/* The same without a copy, for warnings, which can be as many as the bytes of the input: the input
 * must outlive the error, and end with a NUL. */
PQ_COLD void pq_error_share_input(struct pmuq_error **reterr, struct pmuq_str input);
PQ_COLD void pq_error_hint(struct pmuq_error **reterr, const char *format, ...) PQ_PRINTF(2, 3);
/* Sets the hint and frees the buffer; an empty buffer sets no hint. */
PQ_COLD void pq_error_hint_buf(struct pmuq_error **reterr, struct pq_buf *hint);
/* Makes the error a warning. False if there was no memory for a part of it: a call that succeeds
 * returns complete warnings. */
PQ_COLD bool pq_error_make_warning(struct pmuq_error **reterr);
PQ_COLD void pq_error_origin(struct pmuq_error **reterr, struct pmuq_str origin);
/* The same from a buffer, which it frees. */
PQ_COLD void pq_error_origin_buf(struct pmuq_error **reterr, struct pq_buf *origin);
PQ_COLD void pq_error_errno(struct pmuq_error **reterr, int errnum);
/* Adds words before the message: "event 'mem-loads' of cpu: ". */
PQ_COLD void pq_error_in(struct pmuq_error **reterr, const char *format, ...) PQ_PRINTF(2, 3);

/* The meaning of an errno for a file, the same in every locale. Static. */
const char *pq_errno_text(int errnum);
