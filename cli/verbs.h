/* SPDX-License-Identifier: MIT */
/* A command whose first operand is a verb: `vendor import`, `db init`. */
#pragma once

#include "cli/options.h"

struct verb {
	const char *name;
	enum status (*run)(const struct options *options);
	bool prints; /* it has a form of the output */
	enum option
		own[3]; /* options that the other verbs do not take, unless they list them, too */
};

/* Runs the verb of the command line; one that does not exist, or an option of another verb, is a
 * usage error. */
enum status verbs_run(const struct verb *verbs, size_t n, const struct options *options);
