/* SPDX-License-Identifier: MIT */
#include "cli/report.h"
#include "cli/show/show.h"
#include "cli/terminal.h"
#include <string.h>

#define LABEL_COLUMNS 9

void show_title(const char *title)
{
	printf("%s", style_code(stdout, STYLE_NAME));
	print_safe(stdout, title);
	printf("%s\n", style_code(stdout, STYLE_NONE));
}

void show_field(const char *label, const char *text)
{
	if (!text || !*text)
		return;
	printf("  %s%-*s%s", style_code(stdout, STYLE_QUIET), LABEL_COLUMNS, label,
	       style_code(stdout, STYLE_NONE));
	print_safe(stdout, text);
	putchar('\n');
}

void show_print(const char *label, const char *format, ...)
{
	auto_free char *text = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	show_field(label, text);
}

/* How much of the text goes into a line: up to the last blank that does, or one long word. */
static size_t line_length(const char *text, size_t width)
{
	size_t n = 0, word;

	do {
		word = strspn(text + n, " \n") + strcspn(text + n + strspn(text + n, " \n"), " \n");
		if (n && (n + word > width || memchr(text + n, '\n', strspn(text + n, " \n"))))
			break;
		n += word;
	} while (word);
	return n;
}

void show_paragraph(const char *label, const char *text)
{
	size_t columns = terminal_columns(SHOW_COLUMNS), width = 2 * LABEL_COLUMNS;

	if (columns > 2 + LABEL_COLUMNS + width)
		width = columns - 2 - LABEL_COLUMNS;
	while (*(text += strspn(text, " \n"))) {
		size_t n = line_length(text, width);

		show_print(label, "%.*s", (int)n, text);
		label = "";
		text += n;
	}
}

void show_heading(const char *heading, size_t n)
{
	printf("%s%s%s (%zu)\n", style_code(stdout, STYLE_NAME), heading,
	       style_code(stdout, STYLE_NONE), n);
}
