/* SPDX-License-Identifier: MIT */
/* Which machine is asked: this one, a captured tree, or one from the database. */
#ifndef PQ_CLI_SOURCE_H
#define PQ_CLI_SOURCE_H

#include "cli/cmd.h"

/* Both report what went wrong and answer an exit status, STATUS_OK when *ret is set. */
int source_open(const struct cli *cli, struct pmuq_source **ret);
int source_read(const struct cli *cli, struct pmuq_catalog **ret);

/* The database: --db, else the default place. NULL (reported) when there is none. */
char *source_db_path(const struct cli *cli);

#endif
