/* SPDX-License-Identifier: MIT */
/*
 * Reads a range of the file from front to back: numbers in the file's byte order, strings as perf
 * writes them. The first read beyond its end sets an error with the offset and the name of what was
 * read. Every read after that returns 0 or an empty text, so that callers check for errors once, at
 * the end. The cursor owns nothing: texts and bytes point into the range and live as long as it.
 */
#pragma once

#include "perfdata/recording_input.h"

struct pq_file_cursor {
	struct pq_input *input; /* has the error */
	const char *what;	/* the range, for errors: "HOSTNAME" */
	const unsigned char *bytes;
	uint64_t offset; /* of bytes[0] in the file */
	size_t n, at;
};

static inline size_t pq_file_cursor_left(const struct pq_file_cursor *cursor)
{
	return cursor->input->r < 0 ? 0 : cursor->n - cursor->at;
}

uint32_t pq_file_cursor_u32(struct pq_file_cursor *cursor, const char *name);
uint64_t pq_file_cursor_u64(struct pq_file_cursor *cursor, const char *name);
/* NULL if fewer than n bytes are left. */
const unsigned char *pq_file_cursor_bytes(struct pq_file_cursor *cursor, uint64_t n,
					  const char *name);
/* Reads a length (u32) and that many bytes: the text ends at the first NUL. perf pads with NULs to
 * a multiple of 64 bytes, and counts them in the length. An error if there is no NUL. */
struct pmuq_str pq_file_cursor_str(struct pq_file_cursor *cursor, const char *name);
/* Reads a count (u32). An error if that many elements of at least `each_bytes` do not fit into the
 * rest of the range: so a wrong count cannot make a loop long. 0 after an error. */
uint32_t pq_file_cursor_count(struct pq_file_cursor *cursor, size_t each_bytes, const char *name);
/* Sets an error at `back` bytes before the next read: the file contradicts itself. */
void pq_file_cursor_fail(struct pq_file_cursor *cursor, size_t back, const char *format, ...)
	PQ_PRINTF(3, 4);

/* Numbers in the file's byte order; the bytes need not be aligned. */
uint32_t pq_load32(const struct pq_input *input, const unsigned char *bytes);
uint64_t pq_load64(const struct pq_input *input, const unsigned char *bytes);
