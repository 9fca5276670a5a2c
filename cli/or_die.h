/* SPDX-License-Identifier: MIT */
/*
 * Memory for a command. If there is none, the command ends here with a message and STATUS_FAILED:
 * nothing that it could still print would be right. A file that is being written is not replaced,
 * and a transaction of the database is rolled back.
 */
#pragma once

#include "core/vec.h"

/* What was allocated. */
void *or_die(void *memory);
/* Of a call that fails for want of memory only. */
void done_or_die(bool is_done);
/* A text that is formatted; to be freed. */
char *print_or_die(const char *format, ...) PQ_PRINTF(1, 2);
/* pq_vec_push() */
#define push_or_die(vec, ...) done_or_die(pq_vec_push(vec, __VA_ARGS__))
