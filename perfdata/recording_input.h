/* SPDX-License-Identifier: MIT */
/*
 * Bytes of a file by their offset, whether it can be gone back in or not; the only code of the room
 * that reads. A regular file is read where it is asked, the rest is never touched. A pipe is read
 * forward; what of it is wanted again is kept between start_keeping and keeps = false. Memory is
 * bounded whatever is asked for, and grows only with what is really there.
 */
#ifndef PQ_PERFDATA_INPUT_H
#define PQ_PERFDATA_INPUT_H

#include "core/error.h"

/* The longest record of a stream is shorter. */
#define PQ_PEEK_MAX_BYTES ((size_t)1 << 16)

struct pq_input {
	int fd;
	const char *name;
	bool is_regular, keeps;
	uint64_t size;	     /* of a regular file */
	uint64_t bytes_read; /* in all */
	uint64_t start;	     /* where fd stood */
	/* What stands at offset `at`, forward. */
	unsigned char *window;
	size_t from, until;
	size_t read_bytes; /* at once: little at first, as most of a file is never wanted */
	uint64_t at;
	struct pq_buf kept; /* the start of what is no regular file */
};

int pq_input_open(struct pq_input *input, int fd, const char *name, struct pmuq_error **reterr);
void pq_input_close(struct pq_input *input);

/* Forward from `at`: up to n bytes (of PQ_PEEK_MAX_BYTES), fewer at the end; *ret lives until the
 * next call. */
int pq_input_peek(struct pq_input *input, size_t n, const unsigned char **ret, size_t *ret_n,
		  struct pmuq_error **reterr);
/* Passes over n bytes; fewer at the end, where `at` then stands. */
int pq_input_skip(struct pq_input *input, uint64_t n, struct pmuq_error **reterr);

/* From now on, and what is in sight already; before anything was passed over. */
int pq_input_start_keeping(struct pq_input *input, struct pmuq_error **reterr);

/* n bytes at an offset, all of them or a failure that says what was wanted ("the attrs"). *ret is
 * to be freed. */
int pq_input_load(struct pq_input *input, uint64_t offset, uint64_t n, const char *what,
		  unsigned char **ret, struct pmuq_error **reterr);

/* The failures of this room, all with the offset in the message and as the error's own. */
int pq_input_fail(const struct pq_input *input, enum pmuq_code code, uint64_t offset,
		  struct pmuq_error **reterr, const char *format, ...) PQ_PRINTF(5, 6);
/* The file ends where more was to come. */
int pq_input_fail_cut(const struct pq_input *input, uint64_t offset, uint64_t wanted,
		      const char *what, struct pmuq_error **reterr);

#endif
