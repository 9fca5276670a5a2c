/* SPDX-License-Identifier: MIT */
#include "cli/events/lines.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_BYTES (256 * 1024)
/* Above the 1 MiB that an event string may have. */
#define LINE_BYTES_MAX (2 * 1024 * 1024)

int lines_open(struct lines *lines, const char *path)
{
	*lines = (struct lines){ .fd = STDIN_FILENO,
				 .size = FIRST_BYTES,
				 .max_bytes = LINE_BYTES_MAX };
	if (strcmp(path, "-") != 0)
		lines->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (lines->fd < 0)
		return -errno;
	lines->buffer = malloc(lines->size);
	return lines->buffer ? 0 : -ENOMEM;
}

void lines_close(struct lines *lines)
{
	if (lines->fd > STDIN_FILENO)
		close(lines->fd);
	free(lines->buffer);
}

/* One byte more than is needed: the last line may need a NUL. */
static int grow_buffer(struct lines *lines)
{
	char *grown;

	if (lines->start > 0) {
		memmove(lines->buffer, lines->buffer + lines->start, lines->end - lines->start);
		lines->end -= lines->start;
		lines->start = 0;
	}
	if (lines->end + 1 < lines->size)
		return 0;
	grown = realloc(lines->buffer, lines->size * 2);
	if (!grown)
		return -ENOMEM;
	lines->buffer = grown;
	lines->size *= 2;
	return 0;
}

static int read_more(struct lines *lines)
{
	int r = grow_buffer(lines);
	ssize_t n;

	if (r < 0)
		return r;
	fflush(stdout);
	do
		n = read(lines->fd, lines->buffer + lines->end, lines->size - lines->end - 1);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return -errno;
	lines->is_at_end = n == 0;
	lines->end += (size_t)n;
	return 0;
}

/* What is read up to `until` is a line; it is passed over when it is the rest of a cut one. */
static bool take(struct lines *lines, size_t until, char **ret, size_t *ret_bytes)
{
	bool is_rest = lines->is_inside_cut;

	lines->buffer[until] = 0;
	*ret = lines->buffer + lines->start;
	*ret_bytes = until - lines->start;
	lines->start = until < lines->end ? until + 1 : until;
	lines->is_inside_cut = false;
	if (!is_rest)
		lines->number++;
	return !is_rest;
}

/* 1: a line is out; 0: more must be read, from `*looked` on. */
static int take_whole(struct lines *lines, size_t *looked, char **ret, size_t *ret_bytes)
{
	char *newline;

	while ((newline = memchr(lines->buffer + lines->start + *looked, '\n',
				 lines->end - lines->start - *looked))) {
		*looked = 0;
		if (take(lines, (size_t)(newline - lines->buffer), ret, ret_bytes))
			return 1;
	}
	*looked = lines->end - lines->start;
	return 0;
}

int lines_next(struct lines *lines, char **ret, size_t *ret_bytes)
{
	size_t looked = 0;

	while (!take_whole(lines, &looked, ret, ret_bytes)) {
		int r;

		if (lines->is_at_end)
			return lines->start < lines->end && take(lines, lines->end, ret, ret_bytes);
		if (looked >= lines->max_bytes) {
			bool is_out = take(lines, lines->end, ret, ret_bytes);

			lines->is_inside_cut = true;
			if (is_out)
				return 1;
			looked = 0;
		}
		r = read_more(lines);
		if (r < 0)
			return r;
	}
	return 1;
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

char *lines_event(char *line)
{
	char quote = 0, *end;

	while (is_blank(*line))
		line++;
	for (end = line; *end; end++) {
		if (quote)
			quote = *end == quote ? 0 : quote;
		else if (*end == '\'' || *end == '"')
			quote = *end;
		else if (*end == '#' && (end == line || is_blank(end[-1])))
			break;
	}
	while (end > line && is_blank(end[-1]))
		end--;
	*end = 0;
	return line;
}
