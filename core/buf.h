/* SPDX-License-Identifier: MIT */
/*
 * Text that grows. A failure sticks: append as much as you like, and check `failed` once. The
 * library prints only integers with it: doubles depend on the locale.
 */
#pragma once

#include "core/arena.h"
#include <stdarg.h>

struct pq_buf {
	char *p;
	size_t n, capacity;
	struct pq_arena *arena; /* NULL: the heap */
	bool failed;
};

#define PQ_BUF_NULL ((struct pq_buf){ 0 })
/* A buffer in an arena, which need not be freed. */
#define PQ_BUF_IN(of) ((struct pq_buf){ .arena = (of) })

void pq_buf_free(struct pq_buf *buf);
bool pq_buf_grow(struct pq_buf *buf, size_t n);
/* The end of the text, with memory for n more bytes and a NUL, for a caller that adds to buf->n
 * itself; NULL if there is no memory. */
static inline char *pq_buf_reserve(struct pq_buf *buf, size_t n)
{
	if (n >= buf->capacity - buf->n && !pq_buf_grow(buf, n))
		return NULL;
	return buf->p + buf->n;
}
void pq_buf_add(struct pq_buf *buf, struct pmuq_str s);
void pq_buf_char(struct pq_buf *buf, char c, size_t times);
void pq_buf_print(struct pq_buf *buf, const char *format, ...) PQ_PRINTF(2, 3);
void pq_buf_print_args(struct pq_buf *buf, const char *format, va_list args) PQ_PRINTF(2, 0);
/* Appends a comma and a space before all items except the first of a list that began at length
 * `start`. */
void pq_buf_list(struct pq_buf *buf, size_t start, struct pmuq_str item);
static inline struct pmuq_str pq_buf_str(const struct pq_buf *buf)
{
	return (struct pmuq_str){ .p = buf->p ? buf->p : "", .n = buf->n };
}
/* The text as a C string that the caller frees, unless it is in an arena; NULL if anything failed.
 * The buffer is empty afterwards. */
char *pq_buf_take(struct pq_buf *buf);

/* The same as a slice; its .p is NULL after a failure. */
static inline struct pmuq_str pq_buf_take_str(struct pq_buf *buf)
{
	size_t n = buf->n;
	char *p = pq_buf_take(buf);

	return (struct pmuq_str){ .p = p, .n = p ? n : 0 };
}
