/* SPDX-License-Identifier: MIT */
/*
 * Small files and directories of /proc and /sys below a root. Reading never blocks and never fails:
 * a file that cannot be read is treated as missing. If there was no memory, arena->is_refused is
 * set.
 */
#pragma once

#include "core/arena.h"
#include <dirent.h>

/* The first 64 KiB of the file, without white space at both ends; .p is NULL if it cannot be read.
 * `path` is relative to the directory. */
struct pmuq_str pq_small_file_read(int dir_fd, struct pq_arena *arena, const char *path);
/* False: not a decimal number. */
bool pq_small_file_number(int dir_fd, struct pq_arena *arena, const char *path, uint64_t *ret);
bool pq_small_file_exists(int dir_fd, const char *path);

/* A descriptor, or -1. An absolute path needs no directory. */
int pq_small_dir_open(int dir_fd, const char *path);
/* The directory to list, or NULL. */
DIR *pq_small_dir_list(int dir_fd, struct pq_arena *arena, const char *path);
void pq_small_dir_closep(DIR **dir);
/* The next name that does not begin with a dot; NULL at the end, and for no directory. */
const char *pq_small_dir_next(DIR *dir);
