/* SPDX-License-Identifier: MIT */
/* The check of `pmuq scan --check`: every event is opened, under the eyes of whoever waits. */
#ifndef PQ_CLI_CHECK_MACHINE_H
#define PQ_CLI_CHECK_MACHINE_H

#include "cli/cmd.h"

/* STATUS_OK, STATUS_INTERRUPTED when it was stopped and *ret holds what there is until then, or a
 * status that was reported. */
int check_machine(const struct pmuq_catalog *catalog, int64_t time_s, struct pmuq_check **ret);

/* "check: 163 events: 150 open, 9 refused, 4 skipped" on stdout. */
void print_check(const struct pmuq_check *check);

#endif
