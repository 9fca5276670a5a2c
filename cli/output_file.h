/* SPDX-License-Identifier: MIT */
/* A file that is written as a whole or not at all: it takes the place of the one before it when all
 * of it is on the disk. */
#pragma once

#include <stdbool.h>

struct output {
	int fd;
	char *path;    /* where it goes, links followed */
	char *partial; /* where it is written; NULL: there */
};

/* Both return a status, and report what went wrong. What is no regular file (/dev/stdout) is
 * written to as it is. Only one output can be open at a time: a command that exits early removes
 * its partial file (atexit(3)). */
enum status output_open(struct output *output, const char *path);
enum status output_keep(struct output *output);
/* Must be called after output_open(), also if that failed; what was not kept is gone. */
void output_close(struct output *output);
