/* SPDX-License-Identifier: MIT */
/*
 * A machine that the command line names in one word, the same way in --host, diff, export and
 * forget:
 *
 *     live                      this one
 *     HOST, HOST@SNAPSHOT       from the database
 *     FILE, FILE#NAME, DIR      a capture or a recording; a document, and a host of it
 *     -, -#NAME                 a document on stdin
 *     host:HOST, host:HOST@…    from the database, whatever files exist
 *     ./FILE, DIR/FILE          a file, whatever hosts exist: the word contains a slash
 *
 * A word that is both a host and a file is refused.
 */
#pragma once

#include "cli/cmd.h"

/* For help texts. */
#define MACHINE_WORDS                                                                              \
	"A MACHINE is `live` (this one), a host of the database (NAME or NAME@SNAPSHOT),\n"        \
	"a directory or tar of `pmuq capture`, a file of `pmuq export` (FILE#NAME selects\n"       \
	"one of its hosts; - is stdin), or a perf.data file. If a word is both a host and\n"       \
	"a file, write host:NAME or ./FILE.\n"

enum machine_type {
	MACHINE_LIVE,
	MACHINE_FILE,
	MACHINE_HOST,
};

struct machine_word {
	enum machine_type type;
	char *path;	/* of a file; "-": stdin */
	char *name;	/* of a host, of the database or of the file; NULL: the file's only one */
	char *snapshot; /* NULL: the newest */
};

/* What the word means. Reports an ambiguous word as a usage error. */
enum status machine_word_read(const struct cli *cli, const char *word, struct machine_word *ret);
void machine_word_clear(struct machine_word *word);

/* Both report a failure and return its exit status, STATUS_OK if *ret is set. */
enum status machine_open(const struct cli *cli, const char *word, struct pmuq_source **ret);
enum status machine_read(const struct cli *cli, const char *word, struct pmuq_catalog **ret);

/* The same of the machine that --host or --sysroot names; by default this one. */
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
