/* SPDX-License-Identifier: MIT */
#include "cli/output/label.h"
#include <string.h>

struct label_line label_begin(FILE *to, const char *label)
{
	fprintf(to, "  %s%-*s%s", style_code(to, STYLE_QUIET), LABEL_COLUMNS - 2, label,
		style_code(to, STYLE_NONE));
	return (struct label_line){ .to = to, .column = LABEL_COLUMNS };
}

void label_word(struct label_line *line, const char *word)
{
	int n = (int)strlen(word);

	if (line->column > LABEL_COLUMNS && line->column + 1 + n > LABEL_LINE_COLUMNS) {
		fprintf(line->to, "\n%*s", LABEL_COLUMNS, "");
		line->column = LABEL_COLUMNS;
	} else if (line->column > LABEL_COLUMNS) {
		putc(' ', line->to);
		line->column++;
	}
	print_safe(line->to, word);
	line->column += n;
}

void label_print(struct label_line *line, const char *format, ...)
{
	auto_free char *word = NULL;
	va_list args;

	va_start(args, format);
	if (vasprintf(&word, format, args) < 0)
		word = NULL;
	va_end(args);
	if (word)
		label_word(line, word);
}

void label_end(struct label_line *line)
{
	putc('\n', line->to);
}
