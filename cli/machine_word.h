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
#ifndef PQ_CLI_MACHINE_WORD_H
#define PQ_CLI_MACHINE_WORD_H

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

/* --sysroot: the same of a file. */
enum status machine_open_file(const char *path, struct pmuq_source **ret);

#endif
