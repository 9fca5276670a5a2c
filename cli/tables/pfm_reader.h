/* SPDX-License-Identifier: MIT */
/*
 * Reads libpfm4's names for the CPU of a machine in another thread, while the machine and its
 * tables are read: that takes longer than all other sources together.
 */
#pragma once

#include "cli/tables/list_pfm.h"
#include <pthread.h>

struct pfm_reader {
	bool is_named;	   /* the user named libpfm4: it must be there */
	const char *cpuid; /* of the machine; or NULL. It must live as long as the reader. */
	bool is_live;
	/* Of this module. */
	struct list_pfm *pfm;
	enum status status;
	pthread_t thread;
	bool has_thread;
};

void pfm_reader_begin(struct pfm_reader *reader);
/* Waits for the events; prints a note if libpfm4 does not know the CPU of a machine for which it
 * was named. The texts live until pfm_reader_close(). */
enum status pfm_reader_take(struct pfm_reader *reader, const struct machine_pmus *pmus,
			    struct list_events *events);
/* At any time, also if nothing was opened. */
void pfm_reader_close(struct pfm_reader *reader);
