/* SPDX-License-Identifier: MIT */
/*
 * Reads lines with read(2). getline(3) has a buffer without a limit, and does not show when it is
 * about to wait for input.
 */
#include "cli/events/lines.h"
#include "cli/report.h"
#include "core/str.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#define FIRST_BYTES ((size_t)256 * 1024)

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

struct lines {
	int fd;
	char *buffer;
	size_t size, start, end; /* size of the buffer, and what was read but not yet passed on */
	size_t max_bytes;	 /* of a line */
	bool is_at_end, is_inside_cut; /* the rest of a cut line is skipped */
	size_t number;		       /* of the last line, from 1 */
	use_lines_fn *use;
	void *of;
};

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

static void use(const struct lines *lines)
{
	if (lines->use)
		lines->use(lines->of);
}

static int read_more(struct lines *lines)
{
	ssize_t n;
	int r;

	use(lines);
	r = grow_buffer(lines);
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

/* What was read up to `until` is a line; it is skipped if it is the rest of a cut one. */
static bool take(struct lines *lines, size_t until, char **ret, size_t *ret_bytes)
{
	bool is_rest = lines->is_inside_cut;
	struct pmuq_str line = { .p = lines->buffer + lines->start, .n = until - lines->start };

	/* Editors write a byte-order mark before the first line. */
	if (lines->number == 0 && str_starts(line, STR(BYTE_ORDER_MARK)))
		lines->start += strlen(BYTE_ORDER_MARK);

	lines->buffer[until] = 0;
	*ret = lines->buffer + lines->start;
	*ret_bytes = until - lines->start;
	lines->start = until < lines->end ? until + 1 : until;
	lines->is_inside_cut = false;
	if (!is_rest)
		lines->number++;
	return !is_rest;
}

/* 1: a line was found; 0: more must be read, from `*looked` on. */
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

/* 1: *ret is the next line; 0: there is no more; or -errno. */
static int next_line(struct lines *lines, char **ret, size_t *ret_bytes)
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

enum status lines_read(const char *path, size_t max_bytes, take_line_fn *take_line,
		       use_lines_fn *use_lines, void *of)
{
	bool is_stdin = strcmp(path, "-") == 0;
	const char *shown = is_stdin ? "<stdin>" : path;
	struct lines lines = {
		.size = FIRST_BYTES, .max_bytes = max_bytes, .use = use_lines, .of = of
	};
	size_t n_bytes;
	char *text;
	int r;

	lines.fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	lines.buffer = malloc(lines.size);
	r = lines.fd < 0 ? -errno : lines.buffer ? 1 : -ENOMEM;
	while (r > 0 && (r = next_line(&lines, &text, &n_bytes)) > 0)
		take_line(of, text, n_bytes, shown, lines.number);
	use(&lines);
	if (lines.fd > STDIN_FILENO)
		close(lines.fd);
	free(lines.buffer);
	return r < 0 ? report_failed("%s: %s", shown, strerror(-r)) : STATUS_OK;
}

char *lines_event(char *line)
{
	char quote = 0, *end;

	while (char_is_space(*line))
		line++;
	for (end = line; *end; end++) {
		if (quote)
			quote = *end == quote ? 0 : quote;
		else if (*end == '\'' || *end == '"')
			quote = *end;
		else if (*end == '#' && (end == line || char_is_space(end[-1])))
			break;
	}
	while (end > line && char_is_space(end[-1]))
		end--;
	*end = 0;
	return line;
}
