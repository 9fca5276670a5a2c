/* SPDX-License-Identifier: MIT */
/* Lines with a label, wrapped at blanks to the width of the terminal. */
#include "cli/output/label.h"
#include "cli/or_die.h"
#include "cli/terminal.h"
#include <string.h>

/* The width of lines if stdout is not a terminal; prose and drawings are narrower. */
#define TEXT_COLUMNS_MAX 100
/* A text has at least this many columns, however narrow the terminal is. */
#define TEXT_COLUMNS_MIN 18

static const char blanks[] = " \n";

void label_title(const char *title)
{
	fputs(style_code(stdout, STYLE_NAME), stdout);
	print_safe(stdout, title);
	printf("%s\n", style_code(stdout, STYLE_NONE));
}

void label_begin(const char *label)
{
	printf("  %s%-*s%s", style_code(stdout, STYLE_QUIET), LABEL_COLUMNS - 2, label,
	       style_code(stdout, STYLE_NONE));
}

/* How much of the text fits into a line: up to the last blank that fits, or one long word. A
 * newline always ends the line. */
static size_t line_length(const char *text, size_t columns)
{
	size_t n = 0, word;

	do {
		size_t between = strspn(text + n, blanks);

		word = between + strcspn(text + n + between, blanks);
		if (n && (n + word > columns || memchr(text + n, '\n', between)))
			break;
		n += word;
	} while (word);
	return n;
}

static void print_wrapped(const char *label, const char *text, size_t columns)
{
	columns = columns > LABEL_COLUMNS + TEXT_COLUMNS_MIN ? columns - LABEL_COLUMNS
							     : TEXT_COLUMNS_MIN;
	while (text && *(text += strspn(text, blanks))) {
		size_t n = line_length(text, columns);
		auto_free char *line = or_die(strndup(text, n));

		label_begin(label);
		print_safe(stdout, line);
		putchar('\n');
		label = "";
		text += n;
	}
}

void label_text(const char *label, const char *text)
{
	print_wrapped(label, text, terminal_columns(TEXT_COLUMNS_MAX));
}

void label_paragraph(const char *label, const char *text)
{
	print_wrapped(label, text, terminal_columns(PROSE_COLUMNS));
}

void label_print(const char *label, const char *format, ...)
{
	auto_free char *text = NULL;
	va_list args;

	va_start(args, format);
	text = print_args_or_die(format, args);
	va_end(args);
	label_text(label, text);
}
