/* SPDX-License-Identifier: MIT */
/*
 * One line on stderr that is overwritten: at most 20 times a second, so that a slow terminal does
 * not slow down the work.
 */
#include "cli/progress.h"
#include "cli/served.h"
#include "cli/terminal.h"
#include "core/base.h"
#include <string.h>
#include <time.h>

#define INTERVAL_NS 50000000
#define BAR_COLUMNS 30
/* A narrower terminal gets the numbers only. */
#define NARROW_COLUMNS 40
/* Used if the width of the terminal is not known. */
#define USUAL_COLUMNS 80
/* Columns left free: after the last column some terminals wrap, and a terminal itself prints
 * "^C". */
#define MARGIN_COLUMNS 3

/* What is on the terminal; a process draws one line at a time. */
static struct progress *drawn;

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

void progress_begin(struct progress *progress)
{
	*progress = (struct progress){ .is_on = !served && terminal_is(stderr) };
}

static void print_bar(FILE *to, size_t done, size_t total)
{
	size_t filled = total ? done * BAR_COLUMNS / total : 0;

	fprintf(to, " [");
	for (size_t i = 0; i < BAR_COLUMNS; i++)
		putc(i < filled ? '#' : '.', to);
	fprintf(to, "]");
}

/* The text without bytes that a terminal could execute; the caller frees it. */
static char *line(size_t done, size_t total, const char *what, size_t columns)
{
	char *text = NULL;
	size_t n = 0;
	FILE *to = open_memstream(&text, &n);

	if (!to)
		return NULL;
	fprintf(to, "%zu/%zu", done, total);
	if (columns > NARROW_COLUMNS)
		print_bar(to, done, total);
	fprintf(to, " %s", what ? what : "");
	fclose(to);
	if (text && n > columns)
		text[columns] = '\0';
	for (char *c = text; c && *c; c++)
		*c = *c >= ' ' && *c < 0x7f ? *c : '.';
	return text;
}

void progress_show(struct progress *progress, size_t done, size_t total, const char *what)
{
	auto_free char *text = NULL;
	unsigned columns;
	size_t n;

	if (!progress->is_on || now_ns() < progress->next_ns)
		return;
	columns = terminal_columns_of(stderr, USUAL_COLUMNS);
	if (columns <= MARGIN_COLUMNS)
		return;
	text = line(done, total, what, columns - MARGIN_COLUMNS);
	if (!text)
		return;
	n = strlen(text);
	fprintf(stderr, "\r%s%*s", text, (int)(progress->n_shown > n ? progress->n_shown - n : 0),
		"");
	fflush(stderr);
	drawn = progress;
	progress->n_shown = n;
	progress->next_ns = now_ns() + INTERVAL_NS;
}

void progress_end(struct progress *progress)
{
	if (!progress->n_shown)
		return;
	fprintf(stderr, "\r%*s\r", (int)progress->n_shown + MARGIN_COLUMNS - 1, "");
	fflush(stderr);
	progress->n_shown = 0;
	progress->next_ns = 0;
	drawn = NULL;
}

void progress_make_way(void)
{
	if (drawn)
		progress_end(drawn);
}
