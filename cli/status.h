/* SPDX-License-Identifier: MIT */
/* The numbers that the command may exit with. */
#pragma once

enum status {
	STATUS_OK = 0,
	STATUS_INVALID = 1, /* an event is invalid, or something that was named does not exist */
	STATUS_USAGE = 2,
	STATUS_REFUSED = 3,	  /* valid, but the kernel refused the open */
	STATUS_FAILED = 4,	  /* input or storage failed */
	STATUS_INTERRUPTED = 130, /* Ctrl-C; what is kept is printed */
};

/* The highest of many statuses. */
static inline enum status status_worse(enum status a, enum status b)
{
	return a > b ? a : b;
}
