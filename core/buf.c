/* SPDX-License-Identifier: MIT */
#include "core/buf.h"
#include <stdarg.h>
#include <stdio.h>

void pq_buf_free(struct pq_buf *buf)
{
	if (!buf->arena)
		free(buf->p);
	*buf = PQ_BUF_NULL;
}

static char *resize(struct pq_buf *buf, size_t room)
{
	char *p;

	if (!buf->arena)
		return realloc(buf->p, room);
	p = pq_arena_take(buf->arena, room);
	if (p && buf->n)
		memcpy(p, buf->p, buf->n);
	return p;
}

/* Room for n more bytes and a NUL. */
static bool grow(struct pq_buf *buf, size_t n)
{
	size_t need, room;
	char *p;

	if (buf->failed)
		return false;
	if (__builtin_add_overflow(buf->n, n, &need) || need > SIZE_MAX / 2 - 1) {
		buf->failed = true;
		return false;
	}
	if (need + 1 <= buf->room)
		return true;
	room = buf->room ? buf->room * 2 : 128;
	room = room < need + 1 ? need + 1 : room;
	p = resize(buf, room);
	if (!p) {
		buf->failed = true;
		return false;
	}
	buf->p = p;
	buf->room = room;
	return true;
}

void pq_buf_add(struct pq_buf *buf, struct pmuq_str s)
{
	if (!s.n || !grow(buf, s.n))
		return;
	memcpy(buf->p + buf->n, s.p, s.n);
	buf->n += s.n;
}

void pq_buf_char(struct pq_buf *buf, char c, size_t times)
{
	if (!times || !grow(buf, times))
		return;
	memset(buf->p + buf->n, c, times);
	buf->n += times;
}

void pq_buf_print(struct pq_buf *buf, const char *format, ...)
{
	va_list args, again;
	int n;

	va_start(args, format);
	va_copy(again, args);
	n = vsnprintf(NULL, 0, format, args);
	if (n < 0)
		buf->failed = true;
	if (n > 0 && grow(buf, (size_t)n)) {
		vsnprintf(buf->p + buf->n, (size_t)n + 1, format, again);
		buf->n += (size_t)n;
	}
	va_end(again);
	va_end(args);
}

void pq_buf_list(struct pq_buf *buf, size_t start, struct pmuq_str item)
{
	if (buf->n > start)
		pq_buf_add(buf, STR(", "));
	pq_buf_add(buf, item);
}

char *pq_buf_take(struct pq_buf *buf)
{
	char *p = NULL;

	if (grow(buf, 0)) {
		p = buf->p;
		p[buf->n] = '\0';
		*buf = PQ_BUF_NULL;
	}
	pq_buf_free(buf);
	return p;
}
