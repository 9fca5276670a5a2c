/* SPDX-License-Identifier: MIT */
/* Where the database is, and its hosts. */
#ifndef PQ_CLI_DATABASE_H
#define PQ_CLI_DATABASE_H

#include "cli/cmd.h"

/* The path in --db, or the default path. NULL if neither exists, which is reported. */
char *database_path(const struct cli *cli);
/* For what works without one: --db, or the default path if there is a database. NULL if there is
 * none, which is not reported. */
char *database_path_if_there(const struct cli *cli);

/* Whether a host may have that name: an @ begins a snapshot. */
bool database_name_is_usable(const char *name);

/* A host of the database; `when` is a number, date or kernel, NULL: the newest snapshot. Reports a
 * failure and returns its exit status, STATUS_OK if *ret is set. */
enum status database_open_host(const char *path, const char *name, const char *when,
			       struct pmuq_source **ret);

#endif
