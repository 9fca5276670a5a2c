/* SPDX-License-Identifier: MIT */
/* Lines on stderr. For the journal each begins with its level: sd-daemon(3). */
#pragma once

#include "core/base.h"

enum log_level {
	LOG_LEVEL_ERROR,
	LOG_LEVEL_WARNING,
	LOG_LEVEL_INFO,
	LOG_LEVEL_DEBUG,
};

/* "error", "warning", "info" or "debug". Less important lines are left out. */
void log_set_level(const char *name);
void log_line(enum log_level level, const char *format, ...) PQ_PRINTF(2, 3);
