/* SPDX-License-Identifier: MIT */
/*
 * Properties of the terminal, from the environment and the kernel. setlocale(3) is not called: it
 * would make numbers and sorting depend on the user, and the name of the character set is enough.
 */
#include "cli/terminal.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

static enum {
	COLOR_AUTO,
	COLOR_ALWAYS,
	COLOR_NEVER,
} color;

bool terminal_set_color(const char *when)
{
	if (strcmp(when, "auto") == 0)
		color = COLOR_AUTO;
	else if (strcmp(when, "always") == 0)
		color = COLOR_ALWAYS;
	else if (strcmp(when, "never") == 0)
		color = COLOR_NEVER;
	else
		return false;
	return true;
}

/* Called for every printed word, so the kernel is queried once for each descriptor. */
bool terminal_is(FILE *to)
{
	static struct {
		bool is_known, is_terminal;
	} standard[2];
	size_t i = to == stderr;

	if (to != stdout && to != stderr)
		return false;
	if (!standard[i].is_known) {
		standard[i].is_terminal = isatty(fileno(to));
		standard[i].is_known = true;
	}
	return standard[i].is_terminal;
}

static bool is_set(const char *name)
{
	const char *text = getenv(name);

	return text && *text;
}

bool terminal_is_dumb(void)
{
	const char *term = getenv("TERM");

	return !term || !*term || strcmp(term, "dumb") == 0;
}

bool terminal_has_color(FILE *to)
{
	if (color != COLOR_AUTO)
		return color == COLOR_ALWAYS;
	return terminal_is(to) && !is_set("NO_COLOR") && !terminal_is_dumb();
}

/* The first of the three that is set, as in setlocale(3). The character set follows a dot in the
 * name, before a possible @. */
static bool locale_is_utf8(void)
{
	static const char *const names[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *charset = NULL;
	size_t n;

	for (size_t i = 0; i < 3; i++) {
		if (!is_set(names[i]))
			continue;
		charset = strchr(getenv(names[i]), '.');
		break;
	}
	if (!charset)
		return false;
	n = strcspn(++charset, "@");
	return (n == 5 && strncasecmp(charset, "UTF-8", n) == 0) ||
	       (n == 4 && strncasecmp(charset, "utf8", n) == 0);
}

bool terminal_is_utf8(FILE *to)
{
	return terminal_is(to) && locale_is_utf8();
}

#define SIZE_MAX_SHOWN 10000

/* A number from 1 on in the environment, or 0. */
static unsigned size_from(const char *name)
{
	const char *text = getenv(name);
	unsigned size = 0;

	for (; text && *text; text++) {
		if (*text < '0' || *text > '9' || size > SIZE_MAX_SHOWN)
			return 0;
		size = size * 10 + (unsigned)(*text - '0');
	}
	return size;
}

static struct winsize window(FILE *of)
{
	struct winsize size = { 0 };

	if (terminal_is(of) && ioctl(fileno(of), TIOCGWINSZ, &size) < 0)
		size = (struct winsize){ 0 };
	return size;
}

unsigned terminal_columns_of(FILE *to, unsigned otherwise)
{
	unsigned columns = size_from("COLUMNS");

	if (!columns)
		columns = window(to).ws_col;
	return columns ? columns : otherwise;
}

unsigned terminal_columns(unsigned otherwise)
{
	return terminal_columns_of(stdout, otherwise);
}

unsigned terminal_lines(void)
{
	unsigned lines = size_from("LINES");

	return lines ? lines : window(stdout).ws_row;
}
