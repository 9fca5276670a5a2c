/* SPDX-License-Identifier: MIT */
/*
 * Memory for a command. If an allocation fails, the command ends with a message and STATUS_FAILED,
 * because its output would be wrong. A file that is being written is not replaced, and a
 * transaction of the database is rolled back.
 */
#pragma once

#include "core/buf.h"
#include "core/vec.h"

/* Checks the result of an allocation. */
void *or_die(void *memory);
/* Checks the result of a call that can fail only without memory. */
void done_or_die(bool is_done);
/* Checks the result of a call of the library; does not report its other failures. */
int optional_or_die(int r);
/* Formats a text, which the caller frees. */
char *print_or_die(const char *format, ...) PQ_PRINTF(1, 2);
char *print_args_or_die(const char *format, va_list args) PQ_PRINTF(1, 0);
/* The text of a buffer as a C string; valid until the buffer is changed or freed. */
const char *text_or_die(struct pq_buf *buf);
/* pq_vec_push() */
#define push_or_die(vec, ...) done_or_die(pq_vec_push(vec, __VA_ARGS__))
