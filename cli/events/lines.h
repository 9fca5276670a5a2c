/* SPDX-License-Identifier: MIT */
/*
 * Event strings from a file or a pipe, one a line. Memory stays flat: a line beyond the limit is
 * cut (the library refuses what is so long). Before it waits for input it sends off what is in
 * stdout.
 */
#ifndef PQ_CLI_LINES_H
#define PQ_CLI_LINES_H

#include <stdbool.h>
#include <stddef.h>

struct lines {
	int fd;
	char *buffer;
	size_t size, start, end;
	size_t max_bytes;	       /* of a line; lines_open() sets what event strings need */
	bool is_at_end, is_inside_cut; /* the rest of a cut line is to be passed over */
	size_t number;		       /* of the last line, from 1 */
};

/* 0 or -errno. "-" is stdin. */
int lines_open(struct lines *lines, const char *path);
void lines_close(struct lines *lines);
/*
 * The next line without its newline, NUL-terminated, until the next call; *ret_bytes tells a NUL in
 * it. 1, 0 at the end, or -errno.
 */
int lines_next(struct lines *lines, char **ret, size_t *ret_bytes);

/* The event string of a line, in place: without blanks at either end, without a comment (a # at the
 * start or after a blank, outside of quotes). May be empty. */
char *lines_event(char *line);

#endif
