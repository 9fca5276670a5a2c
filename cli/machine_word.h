/* SPDX-License-Identifier: MIT */
/*
 * A machine that the command line names in one word:
 *
 *     live                       this one
 *     DIR, FILE.tar              a captured tree; also the directory of a recording
 *     FILE, FILE#NAME, -         a recording; or of a document, of which NAME is a host
 *     HOST, HOST@SNAPSHOT        from the database
 *
 * What exists as a file is a file; HOST@SNAPSHOT names a host all the same, unless that is one.
 */
#ifndef PQ_CLI_MACHINE_H
#define PQ_CLI_MACHINE_H

#include "cli/cmd.h"

/* How help texts call it. */
#define MACHINE_WORDS                                                                              \
	"A MACHINE is `live` (this one), a directory or a tar of `pmuq capture`, a YAML or\n"      \
	"JSON document of `pmuq export` (FILE#NAME selects one of its hosts; - is stdin),\n"       \
	"a perf.data file, or a host of the database: NAME or NAME@SNAPSHOT.\n"

/* Whether the word is FILE or FILE#NAME, and the file a document or a recording: a machine, but
 * none that its files could be asked of. */
bool machine_is_document(const char *word);
/* Reports what went wrong and answers an exit status, STATUS_OK when *ret is set. */
enum status machine_read(const struct cli *cli, const char *word, struct pmuq_catalog **ret);

/* What a file is that is neither a document nor a recording. */
enum machine_form {
	MACHINE_OTHER,
	MACHINE_CAPTURE, /* a tree or a tar that --sysroot takes */
	MACHINE_PACKED,	 /* or a tar of something else */
	MACHINE_DATABASE,
};

enum machine_form machine_form_of(const char *path);

#endif
