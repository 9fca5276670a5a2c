/* SPDX-License-Identifier: MIT */
#include "cli/or_die.h"
#include "cli/status.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* report.h needs memory itself. */
void done_or_die(bool is_done)
{
	if (is_done)
		return;
	fflush(stdout);
	fputs("pmuq: error: out of memory\n", stderr);
	exit(STATUS_FAILED);
}

void *or_die(void *memory)
{
	done_or_die(memory);
	return memory;
}

int optional_or_die(int r)
{
	done_or_die(r != -PMUQ_E_MEMORY);
	return r;
}

char *print_args_or_die(const char *format, va_list args)
{
	char *text = NULL;

	done_or_die(vasprintf(&text, format, args) >= 0);
	return text;
}

char *print_or_die(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = print_args_or_die(format, args);
	va_end(args);
	return text;
}

const char *text_or_die(struct pq_buf *buf)
{
	char *end = buf->failed ? NULL : pq_buf_reserve(buf, 0);

	done_or_die(end);
	*end = '\0';
	return buf->p;
}
