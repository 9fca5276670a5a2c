/* SPDX-License-Identifier: MIT */
/*
 * A file layer of SQLite for tests: the system's own, with one operation that fails, or that kills
 * the process. It becomes the default of the process, so that every store uses it. Syncing is
 * counted, but not done: a killed process keeps what it wrote.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum failure {
	FAIL_NONE,
	FAIL_IO,    /* the operation reports an I/O error and does nothing */
	FAIL_FULL,  /* half of a write is done, then the disk is full; other operations succeed */
	FAIL_SHORT, /* a system call reads only half; other operations succeed */
	FAIL_CUT,   /* the file ends within a read; other operations succeed */
	FAIL_KILL,  /* the process ends before the operation, of a write after one half */
};

void failing_vfs_install(void);
/* Counts operations from 1 again; the one with the number `at` fails (0: none). */
void failing_vfs_arm(enum failure failure, size_t at);
/* Operations since then, the name of the one that failed last (NULL: none did), and open files. */
size_t failing_vfs_count(void);
const char *failing_vfs_failed(void);
size_t failing_vfs_open_files(void);
