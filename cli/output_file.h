/* SPDX-License-Identifier: MIT */
/* A file that is written completely or not at all: it replaces the previous one when all of it is
 * on the disk. */
#pragma once

#include <stdbool.h>

struct output {
	int fd;
	char *path;    /* target, after following links */
	char *partial; /* temporary file; NULL: the target itself */
};

/* Both report errors and return a status. A file that is not regular (/dev/stdout) is written
 * directly. Only one output can be open at a time: a command that exits early removes its partial
 * file (atexit(3)). */
enum status output_open(struct output *output, const char *path);
enum status output_keep(struct output *output);
/* Call this after output_open(), even if that failed; removes a file that was not kept. */
void output_close(struct output *output);
