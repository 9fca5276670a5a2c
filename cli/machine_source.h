/* SPDX-License-Identifier: MIT */
/* Which machine is asked: this one, a captured tree, or one from the database. */
#ifndef PQ_CLI_SOURCE_H
#define PQ_CLI_SOURCE_H

#include "cli/cmd.h"

/* Both report what went wrong and result an exit status, STATUS_OK when *ret is set. */
enum status source_open(const struct cli *cli, struct pmuq_source **ret);
enum status source_read(const struct cli *cli, struct pmuq_catalog **ret);

/*
 * What is known of whether the machine's events open: a stored machine has its last check, this one
 * the last that the database of --db has of it as it is now; a database that was not named tells
 * nothing. *ret is NULL where nothing is known; it lives in the catalog or in *ret_own, to be
 * freed.
 */
enum status source_find_check(const struct cli *cli, const struct pmuq_catalog *catalog,
			      struct pmuq_check **ret_own, const struct pmuq_check **ret);

/*
 * The tables of vendor events to use: those of a CPU that was named (--vendor), "auto" for the
 * machine's own; with NULL those of the machine's CPU if --host or --db named a database that has
 * them, for an result does not depend on a database that nobody mentioned. *ret is NULL where there
 * are none; free it after what was encoded with it.
 */
enum status source_find_vendor(const struct cli *cli, struct pmuq_source *source,
			       const char *vendor, struct pmuq_vendor **ret);

#endif
