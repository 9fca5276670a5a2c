/* SPDX-License-Identifier: MIT */
/*
 * Shows a long text through $PAGER, as git and systemd do. The pager runs in a shell, because
 * $PAGER may have options. If it cannot be run the text is printed anyway.
 */
#include "cli/pager.h"
#include "cli/report.h"
#include "cli/terminal.h"
#include "core/text/utf8.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* F: exit if the text fits; R: colours; X: keep the text on the screen. */
#define DEFAULT_PAGER "if command -v less >/dev/null; then exec less -FRX; else exec more; fi"

/* The exit status of a shell that could not start a command. */
#define SHELL_CANNOT_RUN 126
#define SHELL_NOT_FOUND 127

/* A character a column; an escape sequence takes none. */
static size_t shown_columns(const char *line, const char *end)
{
	size_t n = 0;

	while (line < end) {
		size_t bytes = pq_utf8_length(str_part(str_of(line), 0, (size_t)(end - line)));

		if (*line == '\033') {
			while (line < end && *line != 'm')
				line++;
			line++;
			continue;
		}
		n++;
		line += bytes ? bytes : 1;
	}
	return n;
}

size_t pager_lines(const char *text, unsigned columns)
{
	size_t n_lines = 0;

	while (*text) {
		const char *end = strchrnul(text, '\n');
		size_t n = shown_columns(text, end);

		n_lines += n && columns ? (n + columns - 1) / columns : 1;
		text = *end ? end + 1 : end;
	}
	return n_lines;
}

/* NULL: none. PAGER empty or "cat" means no pager. */
static const char *pager_command(void)
{
	const char *pager = getenv("PAGER");

	if (terminal_is_dumb())
		return NULL;
	if (!pager)
		return DEFAULT_PAGER;
	return *pager && strcmp(pager, "cat") != 0 ? pager : NULL;
}

static bool is_too_long(const char *text)
{
	unsigned lines = terminal_lines();

	/* One line is for the prompt. */
	return lines > 0 && pager_lines(text, terminal_columns(0)) >= lines;
}

/* While the pager runs, keys that end a program are for the pager, which may exit early. */
static const int left_to_pager[] = { SIGINT, SIGQUIT, SIGPIPE };
#define N_LEFT (sizeof(left_to_pager) / sizeof(left_to_pager[0]))

static bool run_pager(const char *command, const char *text)
{
	struct sigaction ignored = { .sa_handler = SIG_IGN }, before[N_LEFT];
	FILE *to = popen(command, "we");
	enum status status;

	if (!to)
		return false;
	/* After popen(), so that the pager does not inherit it. */
	for (size_t i = 0; i < N_LEFT; i++)
		sigaction(left_to_pager[i], &ignored, &before[i]);
	fputs(text, to);
	status = pclose(to);
	for (size_t i = 0; i < N_LEFT; i++)
		sigaction(left_to_pager[i], &before[i], NULL);
	return !WIFEXITED(status) ||
	       (WEXITSTATUS(status) != SHELL_CANNOT_RUN && WEXITSTATUS(status) != SHELL_NOT_FOUND);
}

void pager_print(const char *text, bool wants_pager)
{
	const char *command = pager_command();

	fflush(stdout);
	if (wants_pager && command && terminal_is(stdout) && is_too_long(text) &&
	    run_pager(command, text))
		return;
	fputs(text, stdout);
}
