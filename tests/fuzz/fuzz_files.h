/* SPDX-License-Identifier: MIT */
/*
 * The files of a machine, as an input lists them: records with a byte 0xff between them. A record
 * is a letter, a path, a newline and a text:
 *
 *	f PATH \n CONTENT     d PATH     l PATH \n TARGET     p PATH (a FIFO)     - PATH (removed)
 *
 * "@" at the beginning of a path is the directory of PMUs. A record that no file system could have
 * (a file below a file, "..") is left out. A later record replaces an earlier one of that path.
 */
#pragma once

#include "core/buf.h"
#include "tests/fuzz/fuzz.h"
#include "tests/unit/tree.h"

#define FUZZ_FILES_MAX 256u
/* As tar.h writes them. */
#define FUZZ_PATH_BYTES 100u

struct fuzz_file {
	char type;
	char path[FUZZ_PATH_BYTES];
	struct pmuq_str text; /* lives in the input */
};

struct fuzz_files {
	struct fuzz_file v[FUZZ_FILES_MAX];
	size_t n;
};

/* Adds one file, or all records of an input. */
void fuzz_files_put(struct fuzz_files *files, char type, struct pmuq_str path,
		    struct pmuq_str text);
void fuzz_files_read(struct fuzz_files *files, struct pmuq_str input);

/* A tar in memory: its descriptor, and the path under which it can be opened, to be freed. */
struct fuzz_tar {
	int fd;
	char *path;
};
struct fuzz_tar fuzz_tar_of_bytes(struct pmuq_str bytes);
struct fuzz_tar fuzz_tar_of_files(const struct fuzz_files *files);
void fuzz_tar_close(struct fuzz_tar *tar);

/* The files as a directory, which the caller removes. */
struct tree fuzz_tree_of_files(const struct fuzz_files *files);

/* The whole machine in a directory or a tar; NULL if there is none, which *reterr explains. */
struct pmuq_catalog *fuzz_catalog_of(const char *path, struct pmuq_error **reterr);
/* A capture of the machine, written as a tar, has the same catalog. */
void fuzz_law_of_capture(const char *path, const struct pmuq_catalog *catalog);
/* Aborts unless the two are equal except for the facts, a list that ends with NULL. */
void fuzz_same_catalog(const char *what, const struct pmuq_catalog *a, const struct pmuq_catalog *b,
		       const char *const *facts);
