/* SPDX-License-Identifier: MIT */
/*
 * A stream into memory. Its text is complete, or the command ends: open_memstream(3) cuts the text
 * without an error if there is no memory.
 */
#pragma once

#include "core/buf.h"
#include <stdio.h>

/* Do not move the struct until it is closed. */
struct text_stream {
	FILE *to;
	struct pq_buf buf;
};

void text_stream_open(struct text_stream *stream);
/* Returns the text, which the caller frees. */
char *text_stream_close(struct text_stream *stream);
