/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a file by their offset, seekable or not; only this file of the module reads. From a
 * regular file, only the requested bytes are read. A pipe is read forward; bytes that must be read
 * twice are kept, from pq_input_start_keeping() until `keeps` is set to false. Memory is bounded
 * for every request, and grows only with existing bytes.
 */
#pragma once

#include "core/error.h"

/* The longest record of a stream is shorter. */
#define PQ_PEEK_MAX_BYTES ((size_t)1 << 16)

/*
 * The first error sticks: it is in `error`, and its code in r. After it, all functions that read do
 * nothing and return an empty value. pq_recording_note() makes a problem of it and reading
 * continues; otherwise it fails the call.
 */
struct pq_input {
	int r;
	struct pmuq_error *error; /* to be freed, by pq_input_close() at the latest */
	int fd;			  /* the caller's */
	const char *name;	  /* for errors; the caller's */
	bool is_regular, keeps;
	bool is_other_order; /* the file's byte order is not this machine's */
	uint64_t size;	     /* of a regular file, from `start` */
	uint64_t bytes_read; /* in total */
	uint64_t start;	     /* the position of fd when it was passed in */
	/* The bytes from offset `at` on that were read already: window[from] to window[until]. */
	unsigned char *window;
	size_t from, until;
	size_t read_bytes; /* by one read: few at first, as most of a file is never needed */
	uint64_t at;
	struct pq_buf kept; /* the start of a pipe */
};

/* A failure is in input->r. The input must be closed, also after a failure; that does not close
 * fd. */
void pq_input_open(struct pq_input *input, int fd, const char *name);
void pq_input_close(struct pq_input *input);

/* The next n bytes (at most PQ_PEEK_MAX_BYTES) from `at` on; *ret_n is smaller at the end, and 0
 * after an error. Valid until the next call. */
const unsigned char *pq_input_peek(struct pq_input *input, size_t n, size_t *ret_n);
/* Skips n bytes, fewer at the end: `at` has the new offset. */
void pq_input_skip(struct pq_input *input, uint64_t n);

/* Keeps all bytes from the start on. It must be called before anything is skipped. */
void pq_input_start_keeping(struct pq_input *input);

/* Loads n bytes at an offset, which the caller frees. On failure NULL and an error with `what`
 * ("the attrs") in its message: -PMUQ_E_CUT_RECORDING if the file has not all of them,
 * -PMUQ_E_LARGE_RECORDING above PQ_FEATURE_MAX_BYTES, -PMUQ_E_RECORDING_ORDER if a pipe is past the
 * offset and did not keep the bytes. */
unsigned char *pq_input_load(struct pq_input *input, uint64_t offset, uint64_t n, const char *what);

/* Each sets the error unless there is one. It has the offset, in the message and as a number. */
void pq_input_fail(struct pq_input *input, enum pmuq_code code, uint64_t offset, const char *format,
		   ...) PQ_PRINTF(4, 5);
/* The error of a file that ends too early. */
void pq_input_fail_cut(struct pq_input *input, uint64_t offset, uint64_t wanted, const char *what);
void pq_input_fail_memory(struct pq_input *input);
