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
	/* Owned, freed by machine_word_clear(). */
	char *path;	/* of a file; "-": stdin */
	char *name;	/* of a host, in the database or the file; NULL: the file's only one */
	char *snapshot; /* NULL: the newest */
};

/* What the word means. Reports an ambiguous word as a usage error. */
enum status machine_word_read(const struct cli *cli, const char *word, struct machine_word *ret);
void machine_word_clear(struct machine_word *word);

/* Both report a failure and return its exit status; STATUS_OK if *ret is set, which the caller
 * frees. */
enum status machine_open(const struct cli *cli, const char *word, struct pmuq_source **ret);
enum status machine_read(const struct cli *cli, const char *word, struct pmuq_catalog **ret);

/* The same for the machine that --host or --sysroot names; by default this machine. */
enum status source_open(const struct cli *cli, struct pmuq_source **ret);
enum status source_read(const struct cli *cli, struct pmuq_catalog **ret);

/*
 * Finds the last check of the machine: whether its events open. A stored machine contains it. For
 * this machine pmuq reads it from the database, if --db names one and the machine has not changed
 * since. *ret is NULL if there is no check. It belongs to the catalog or to *ret_own, which the
 * caller frees.
 */
enum status source_find_check(const struct cli *cli, const struct pmuq_catalog *catalog,
			      struct pmuq_check **ret_own, const struct pmuq_check **ret);

/*
 * Finds the table of vendor events to use. --vendor names its CPU; "auto" is the machine's CPU.
 * Without --vendor it is the table of the machine's CPU, if --host or --db names a database:
 * results must not depend on a database that the user did not name, unless (uses_default) the user
 * requests something of a table. *ret is NULL if there is no
 * table; free it after the last event that was encoded with it.
 */
enum status source_find_vendor(const struct cli *cli, struct pmuq_source *source,
			       const char *vendor, bool uses_default, struct pmuq_vendor **ret);
/* The same, for commands that encode few event strings: the table reads what they name. */
enum status source_find_lazy_vendor(const struct cli *cli, struct pmuq_source *source,
				    const char *vendor, bool uses_default,
				    struct pmuq_vendor **ret);
/* Finds the metrics of that CPU, by default of the machine's, in the database that the user named,
 * or in the default one. Without a table for it, fails if they are needed; else *ret stays NULL. */
enum status source_find_metrics(const struct cli *cli, struct pmuq_source *source,
				const char *vendor, bool is_needed, struct pmuq_metrics **ret);
/* The same for a plan of a few, which are needed. */
enum status source_find_lazy_metrics(const struct cli *cli, struct pmuq_source *source,
				     const char *vendor, struct pmuq_metrics **ret);
/* The same for its metric groups. */
enum status source_find_metric_groups(const struct cli *cli, struct pmuq_source *source,
				      const char *vendor, struct pmuq_metric_groups **ret);
