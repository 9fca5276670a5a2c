/* SPDX-License-Identifier: MIT */
#include "service/log.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include <string.h>

static const struct {
	const char *name, *prefix; /* of syslog(3) */
} levels[] = {
	[LOG_LEVEL_ERROR] = { "error", "<3>" },
	[LOG_LEVEL_WARNING] = { "warning", "<4>" },
	[LOG_LEVEL_INFO] = { "info", "<6>" },
	[LOG_LEVEL_DEBUG] = { "debug", "<7>" },
};

static enum log_level least = LOG_LEVEL_INFO;

void log_set_level(const char *name)
{
	for (size_t i = 0; i < COUNT(levels); i++)
		if (strcmp(levels[i].name, name) == 0)
			least = (enum log_level)i;
}

void log_line(enum log_level level, const char *format, ...)
{
	auto_free char *text = NULL;
	va_list args;

	if (level > least)
		return;
	va_start(args, format);
	text = print_args_or_die(format, args);
	va_end(args);
	print_safe_line(stderr, "%spmuqd: %s", getenv("JOURNAL_STREAM") ? levels[level].prefix : "",
			text);
}
