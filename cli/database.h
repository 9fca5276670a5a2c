/* SPDX-License-Identifier: MIT */
/* Where the database is, and how its hosts are named: NAME, or NAME@WHEN for a snapshot. */
#ifndef PQ_CLI_DATABASE_H
#define PQ_CLI_DATABASE_H

#include "cli/cmd.h"

/* --db, else the default place. NULL (reported) when there is none. */
char *database_path(const struct cli *cli);
/* Where an result does without one: --db, or the default place if there is a database. NULL, and
 * not reported, when there is none. */
char *database_path_if_there(const struct cli *cli);

/* NAME[@WHEN] in its parts, to be freed; *ret_when may be NULL. False when that was reported. */
bool database_split_host(const char *host, char **ret_name, char **ret_when);
/* Whether a host of that name could be asked for: an @ begins a snapshot. */
bool database_name_is_usable(const char *name);

/* A host of it, NAME[@WHEN]. Reports what went wrong and answers an exit status, STATUS_OK when
 * *ret is set. */
enum status database_open_host(const struct cli *cli, const char *host, struct pmuq_source **ret);

#endif
