/* SPDX-License-Identifier: MIT */
/* Where the database is, and its hosts. */
#pragma once

#include "cli/cmd.h"

/* The path in --db, or the default path; to be freed. NULL if there is neither option nor default,
 * which is reported. */
char *database_path(const struct cli *cli);
/* For what works without one: --db, or the default path if there is a database. NULL if there is
 * none, which is not reported. */
char *database_path_if_there(const struct cli *cli);

/* Whether a host may have that name: an @ begins a snapshot. */
bool database_name_is_usable(const char *name);

/* The database. Reports a failure and returns its exit status, STATUS_OK if *ret is set. */
enum status database_open(const struct cli *cli, enum pmuq_store_mode mode,
			  struct pmuq_store **ret);
