/* SPDX-License-Identifier: MIT */
/* Where the database is, and its hosts. */
#pragma once

#include "cli/cmd.h"

/* The path in --db, or the default path; the caller frees it. If there is neither, reports an error
 * and returns NULL. */
char *database_path(const struct cli *cli);
/* For commands that also work without a database: --db, or the default path if a database exists
 * there. NULL if there is none, without an error. */
char *database_path_if_there(const struct cli *cli);

/* Whether a host may have that name: an @ begins a snapshot. */
bool database_name_is_usable(const char *name);
/* Reports a name that is not, of a machine that can get another name. `origin` may be NULL. */
enum status database_check_name(const char *origin, const char *name);

/* Opens the database. Reports a failure and returns its exit status; STATUS_OK if *ret is set. */
enum status database_open(const struct cli *cli, enum pmuq_store_mode mode,
			  struct pmuq_store **ret);

/*
 * The store from which all parts of a command read, opened when the first of them needs it: to open
 * a database costs more than most queries. It lives until database_end(), so what is read from it
 * may, too. The first function is like database_open(), the second like pmuq_store_open().
 */
enum status database_read(const struct cli *cli, struct pmuq_store **ret);
int database_read_path(const char *path, struct pmuq_store **ret, struct pmuq_error **reterr);
void database_end(void);
