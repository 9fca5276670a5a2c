/* SPDX-License-Identifier: MIT */
/*
 * The machine that decodes the attrs of a recording: the one that the command line names, the host
 * of that name in the database, or the content of the recording.
 */
#pragma once

#include "cli/cmd.h"

struct recorded_machine {
	struct pmuq_catalog *own;     /* made from the recording */
	struct pmuq_catalog *catalog; /* a more complete machine, or NULL */
	int64_t snapshot;	      /* number of the host's snapshot in the database; 0: none */
	char *about;		      /* which machine it is, and why, for people */
};

/* Reports what went wrong and returns an exit status. */
enum status recorded_machine_find(const struct cli *cli, const struct pmuq_recording *recording,
				  struct recorded_machine *ret);
void recorded_machine_clear(struct recorded_machine *machine);

/*
 * The catalog that decodes an attr of the recording. *ret_attr is the attr with that machine's
 * number for the PMU: numbers differ from boot to boot, and the recording contains the name of the
 * PMU.
 */
const struct pmuq_catalog *recorded_machine_attr(const struct recorded_machine *machine,
						 const struct pmuq_attr *attr,
						 struct pmuq_attr *ret_attr);

/* Whether an argument names a recording: "-", NAME.data, or a file that begins like one. */
bool recorded_is_named(const char *argument);
/* "-" is stdin. 0, or the error is set. */
int recorded_open(const char *path, struct pmuq_recording **ret, struct pmuq_error **reterr);
/* The first text of a feature (its number is that of the header's bit), or NULL. */
const char *recorded_text(const struct pmuq_recording *recording, unsigned feature);
/* Reports each problem; STATUS_OK if there are none. */
enum status recorded_report_problems(const struct pmuq_recording *recording);
