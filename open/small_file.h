/* SPDX-License-Identifier: MIT */
/* Small files of /proc and /sys below a root. Never blocks; what cannot be read is not there. */
#ifndef PQ_OPEN_SMALL_FILE_H
#define PQ_OPEN_SMALL_FILE_H

#include "core/arena.h"

/* The first bytes of the file (64 KiB at most), without white space at its ends; .p is NULL when it
 * cannot be read. `path` is relative. */
struct pmuq_str pq_small_file_read(int root_fd, struct pq_arena *arena, const char *path);
bool pq_small_file_number(int root_fd, struct pq_arena *arena, const char *path, uint64_t *ret);
bool pq_small_file_exists(int root_fd, const char *path);
/* The status of the thread that asks. */
struct pmuq_str pq_small_file_status(int root_fd, struct pq_arena *arena);
/* The text behind "key:" at the start of a line, trimmed; .p is NULL when there is no such line. */
struct pmuq_str pq_small_file_line(struct pmuq_str text, struct pmuq_str key);

#endif
