/* SPDX-License-Identifier: MIT */
/* A stream into a buffer that remembers a failure. */
#include "cli/output/text_stream.h"
#include "cli/or_die.h"

static ssize_t write_to(void *of, const char *bytes, size_t n)
{
	struct pq_buf *buf = of;

	pq_buf_add(buf, (struct pmuq_str){ .p = bytes, .n = n });
	return buf->failed ? 0 : (ssize_t)n;
}

void text_stream_open(struct text_stream *stream)
{
	*stream = (struct text_stream){ 0 };
	stream->to = or_die(
		fopencookie(&stream->buf, "w", (cookie_io_functions_t){ .write = write_to }));
}

char *text_stream_close(struct text_stream *stream)
{
	done_or_die(fclose(stream->to) == 0);
	return or_die(pq_buf_take(&stream->buf));
}
