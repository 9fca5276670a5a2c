/* SPDX-License-Identifier: MIT */
#include "cli/or_die.h"
#include "cli/report.h"
#include <stdarg.h>
#include <stdlib.h>

void done_or_die(bool is_done)
{
	if (!is_done)
		exit(report_failed("out of memory"));
}

void *or_die(void *memory)
{
	done_or_die(memory);
	return memory;
}

char *print_or_die(const char *format, ...)
{
	char *text = NULL;
	va_list args;

	va_start(args, format);
	done_or_die(vasprintf(&text, format, args) >= 0);
	va_end(args);
	return text;
}
