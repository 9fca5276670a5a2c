/* SPDX-License-Identifier: MIT */
/*
 * Reads libpfm4's names for the CPU of a machine in another thread: that takes as long as all other
 * sources together. libpfm4 starts while the machine is still read.
 */
#pragma once

#include "cli/tables/list_pfm.h"
#include <pthread.h>

struct pfm_reader {
	bool is_named; /* the user named libpfm4: it must be there */
	struct list_pfm *pfm;
	enum status status;
	pthread_t thread;
	bool has_thread;
};

/* In this order: each waits for the work of the one before. The first two begin theirs in the
 * thread. */
void pfm_reader_open(struct pfm_reader *reader);
void pfm_reader_read(struct pfm_reader *reader, const struct pmuq_catalog *catalog);
/* The events; prints a note if libpfm4 does not know the CPU of a machine for which it was named.
 * The texts live until pfm_reader_close(). */
enum status pfm_reader_take(struct pfm_reader *reader, const struct pmuq_catalog *catalog,
			    struct list_events *events);
/* At any time, also if nothing was opened. */
void pfm_reader_close(struct pfm_reader *reader);
