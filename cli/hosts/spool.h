/* SPDX-License-Identifier: MIT */
/*
 * A directory in which `pmuq push` keeps machines while the server is away: each is a document, as
 * `pmuq export` writes it, in a file whose name begins with its time, and which only its owner may
 * read. One process at a time uses it.
 */
#pragma once

#include "cli/status.h"
#include "core/vec.h"
#include <pmuq/pmuq.h>

struct spool {
	int fd;
	const char *path;
	PQ_VEC(char *) names; /* of the files that are there, oldest first */
};

/* Creates the directory if it does not exist. Reports a failure; call spool_close() in any case. */
enum status spool_open(struct spool *spool, const char *path);
void spool_close(struct spool *spool);

/* Reads the oldest file, with the time when the machine was in that state. Reports a failure. */
enum status spool_read_oldest(const struct spool *spool, struct pmuq_catalog **ret,
			      int64_t *ret_time_s);
void spool_remove_oldest(struct spool *spool);
/* Adds a machine, unless the newest file has it in the same state. If there are too many files, the
 * oldest are removed: *ret_lost of them. */
enum status spool_add(struct spool *spool, const struct pmuq_catalog *catalog, int64_t time_s,
		      size_t *ret_lost);
