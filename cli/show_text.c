/* SPDX-License-Identifier: MIT */
#include "cli/report.h"
#include "cli/show.h"

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

void show_heading(const char *heading, size_t n)
{
	printf("%s%s%s (%zu)\n", style_code(stdout, STYLE_NAME), heading,
	       style_code(stdout, STYLE_NONE), n);
}
