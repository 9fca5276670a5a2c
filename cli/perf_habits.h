/* SPDX-License-Identifier: MIT */
/* What users of perf type, and what pmuq has instead. Only for errors of the command line. */
#pragma once

/* The hint for a command of perf that pmuq does not have, or NULL. */
const char *perf_command_hint(const char *name);
/* The hint for a type of perf's list, which may also be the name of a PMU, or NULL. */
const char *perf_list_hint(const char *word);
/* The hint for an option of perf that a command does not have, or NULL: by its letter, or by its
 * long name (without the dashes) if the letter is 0. */
const char *perf_option_hint(char letter, const char *name);
