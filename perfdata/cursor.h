/* SPDX-License-Identifier: MIT */
/*
 * A stretch of the file in memory, read from front to back: numbers in the file's byte order,
 * strings as perf writes them. The first thing that is not there fails, with where in the file and
 * what was wanted; after that everything is 0 or empty, so that one look at the end is enough.
 */
#ifndef PQ_PERFDATA_CURSOR_H
#define PQ_PERFDATA_CURSOR_H

#include "perfdata/recording_input.h"

struct pq_cursor {
	const struct pq_input *input;
	const char *what; /* of which it is: "HOSTNAME" */
	const unsigned char *bytes;
	uint64_t offset; /* of bytes[0] in the file */
	size_t n, at;
	bool is_other_order;
	int r; /* a negative code from the first failure on */
	struct pmuq_error **reterr;
};

static inline size_t pq_cursor_left(const struct pq_cursor *cursor)
{
	return cursor->r < 0 ? 0 : cursor->n - cursor->at;
}

uint32_t pq_cursor_u32(struct pq_cursor *cursor, const char *name);
uint64_t pq_cursor_u64(struct pq_cursor *cursor, const char *name);
/* NULL where they are not there. */
const unsigned char *pq_cursor_bytes(struct pq_cursor *cursor, uint64_t n, const char *name);
/* A length, and the text up to its NUL in so many bytes. */
struct pmuq_str pq_cursor_str(struct pq_cursor *cursor, const char *name);
/* How many of something follow, each of which takes `each_bytes` at least. */
uint32_t pq_cursor_count(struct pq_cursor *cursor, size_t each_bytes, const char *name);
/* The file contradicts itself here, `back` bytes before what comes next. */
void pq_cursor_fail(struct pq_cursor *cursor, size_t back, const char *format, ...) PQ_PRINTF(3, 4);

uint32_t pq_load32(const unsigned char *bytes, bool is_other_order);
uint64_t pq_load64(const unsigned char *bytes, bool is_other_order);

#endif
