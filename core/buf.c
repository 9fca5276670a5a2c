/* SPDX-License-Identifier: MIT */
/*
 * Text that grows, by the policy of core/vec.h. After a failure nothing more is added, so that
 * callers check once.
 */
#include "core/buf.h"
#include "core/vec.h"
#include <stdarg.h>
#include <stdio.h>

void pq_buf_free(struct pq_buf *buf)
{
	if (!buf->arena)
		free(buf->p);
	*buf = PQ_BUF_NULL;
}

/* The capacity becomes 0, so that pq_buf_reserve() fails again, even for a shorter text. */
static void fail(struct pq_buf *buf)
{
	buf->failed = true;
	buf->capacity = buf->n;
}

bool pq_buf_grow(struct pq_buf *buf, size_t n)
{
	char *p = NULL;

	if (!buf->failed && n != SIZE_MAX)
		p = pq_vec_enlarge(buf->arena, buf->p, buf->n, n + 1, 1, &buf->capacity);
	if (p)
		buf->p = p;
	else
		fail(buf);
	return p;
}

void pq_buf_add(struct pq_buf *buf, struct pmuq_str s)
{
	char *p = s.n ? pq_buf_reserve(buf, s.n) : NULL;

	if (!p)
		return;
	str_copy(p, s);
	buf->n += s.n;
}

void pq_buf_char(struct pq_buf *buf, char c, size_t times)
{
	char *p = times ? pq_buf_reserve(buf, times) : NULL;

	if (!p)
		return;
	if (times == 1)
		*p = c;
	else
		memset(p, c, times);
	buf->n += times;
}

void pq_buf_print_args(struct pq_buf *buf, const char *format, va_list args)
{
	va_list again;
	int n;

	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, args);
	if (n < 0)
		fail(buf);
	if (n > 0 && pq_buf_reserve(buf, (size_t)n)) {
		vsnprintf(buf->p + buf->n, (size_t)n + 1, format, again);
		buf->n += (size_t)n;
	}
	va_end(again);
}

void pq_buf_print(struct pq_buf *buf, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	pq_buf_print_args(buf, format, args);
	va_end(args);
}

PQ_COLD void pq_buf_list(struct pq_buf *buf, size_t start, struct pmuq_str item)
{
	if (buf->n > start)
		pq_buf_add(buf, STR(", "));
	pq_buf_add(buf, item);
}

char *pq_buf_take(struct pq_buf *buf)
{
	char *p = NULL;

	if (!buf->failed && pq_buf_reserve(buf, 0)) {
		p = buf->p;
		p[buf->n] = '\0';
		*buf = PQ_BUF_NULL;
	}
	pq_buf_free(buf);
	return p;
}
