/* SPDX-License-Identifier: MIT */
/* The part of an input that fits a line, and the carets below it. */
#include "core/caret.h"

#define SHOWN_BYTES 90
#define SHOWN_BEFORE_BYTES 36

static void add_visible(struct pq_buf *buf, struct pmuq_str s)
{
	for (size_t i = 0; i < s.n; i++)
		pq_buf_char(buf, s.p[i] >= ' ' && s.p[i] < 0x7f ? s.p[i] : '.', 1);
}

static void begin_line(struct pq_buf *buf, const struct pq_caret *caret)
{
	pq_buf_add(buf, str_of(caret->indent));
	pq_buf_char(buf, ' ', 2);
}

void pq_caret_draw(struct pq_buf *buf, struct pq_caret caret)
{
	struct pmuq_str input = caret.input, before = STR("");
	size_t offset = caret.offset < input.n ? caret.offset : input.n;
	size_t from = 0, to = input.n, length;

	if (input.n > SHOWN_BYTES) {
		from = offset > SHOWN_BEFORE_BYTES ? offset - SHOWN_BEFORE_BYTES : 0;
		to = from + SHOWN_BYTES < input.n ? from + SHOWN_BYTES : input.n;
	}
	if (from)
		before = STR("...");
	length = caret.length < to - offset ? caret.length : to - offset;
	begin_line(buf, &caret);
	pq_buf_add(buf, before);
	add_visible(buf, str_part(input, from, to));
	pq_buf_add(buf, to < input.n ? STR("...") : STR(""));
	pq_buf_char(buf, '\n', 1);
	begin_line(buf, &caret);
	pq_buf_char(buf, ' ', before.n + offset - from);
	pq_buf_add(buf, str_of(caret.begin));
	pq_buf_char(buf, '^', length ? length : 1);
	pq_buf_add(buf, str_of(caret.end));
}
