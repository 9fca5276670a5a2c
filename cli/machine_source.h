/* SPDX-License-Identifier: MIT */
/* The machine that --host or --sysroot names; by default this one. */
#ifndef PQ_CLI_SOURCE_H
#define PQ_CLI_SOURCE_H

#include "cli/cmd.h"

/* Both report a failure and return its exit status, STATUS_OK if *ret is set. */
enum status source_open(const struct cli *cli, struct pmuq_source **ret);
enum status source_read(const struct cli *cli, struct pmuq_catalog **ret);

/*
 * Whether the machine's events open: a stored machine has its last check; this one has the last
 * check that the database of --db has of it as it is now. A database that was not named is not
 * read. *ret is NULL if nothing is known; it lives in the catalog or in *ret_own, to be freed.
 */
enum status source_find_check(const struct cli *cli, const struct pmuq_catalog *catalog,
			      struct pmuq_check **ret_own, const struct pmuq_check **ret);

/*
 * The table of vendor events to use: that of the CPU that --vendor names, "auto" for the machine's;
 * NULL: that of the machine's CPU if --host or --db names a database that has it, since no result
 * depends on a database that nobody named. *ret is NULL without a table; free it after what was
 * encoded with it.
 */
enum status source_find_vendor(const struct cli *cli, struct pmuq_source *source,
			       const char *vendor, struct pmuq_vendor **ret);

#endif
