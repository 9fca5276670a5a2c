/* SPDX-License-Identifier: MIT */
/* The check of `pmuq scan --check`: every event is opened, with a line of progress on a terminal.
 */
#pragma once

#include "cli/cmd.h"

/* STATUS_OK; STATUS_INTERRUPTED if the check was interrupted, with the results so far in *ret; or
 * the status of an error that was reported. */
enum status check_machine(const struct pmuq_catalog *catalog, int64_t time_s,
			  struct pmuq_check **ret);

/* `done` events were opened, refused or skipped; fewer than all after an interruption. */
struct check_counts {
	size_t events, done, opened, refused, skipped;
};

struct check_counts count_check(const struct pmuq_check *check);
/* "check: 163 events: 150 open, 9 refused, 4 skipped" on stdout. */
void print_check(const struct check_counts *counts);
