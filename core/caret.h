/* SPDX-License-Identifier: MIT */
/* An input, and carets below the part of it that is wrong. */
#pragma once

#include "core/buf.h"

struct pq_caret {
	struct pmuq_str input;
	size_t offset, length;	 /* of the wrong part, in bytes; what is beyond the input is cut */
	const char *indent;	 /* before each line; NULL: none */
	const char *begin, *end; /* escape sequences around the carets; NULL: none */
};

/*
 * Appends two lines without the last newline. Each byte takes one column, so that the caret is
 * below the right one: bytes that are not printable ASCII are dots. Of a longer input, only the
 * part around the offset is shown.
 */
void pq_caret_draw(struct pq_buf *buf, struct pq_caret caret);
