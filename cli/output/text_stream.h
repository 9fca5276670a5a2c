/* SPDX-License-Identifier: MIT */
/*
 * A stream into memory. Its text is whole, or the command ends: open_memstream(3) cuts it without
 * an error if there is no memory.
 */
#pragma once

#include "core/buf.h"
#include <stdio.h>

/* It must stay where it is until it is closed. */
struct text_stream {
	FILE *to;
	struct pq_buf buf;
};

void text_stream_open(struct text_stream *stream);
/* The text, to be freed. */
char *text_stream_close(struct text_stream *stream);
