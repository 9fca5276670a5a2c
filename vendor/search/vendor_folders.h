/* SPDX-License-Identifier: MIT */
/*
 * The folders of all CPUs that have an event or metric. Most events that a search finds are in the
 * same few sets: the folders of each set are read once.
 */
#pragma once

#include "core/vec.h"
#include "db/statement.h"

/* The folders of a set. */
struct pq_vendor_set_folders {
	int64_t vendor_set;
	struct pq_rows folders;
};

struct pq_vendor_folders {
	struct pq_arena *arena; /* set by the caller */
	PQ_VEC(struct pq_vendor_set_folders);
};

/* Adds "x86/icelakex, x86/skylakex" for a text of an event or of a metric. Returns whether they are
 * folders of libpfm4. */
bool pq_vendor_folders_print(struct pmuq_store *store, struct pq_vendor_folders *folders,
			     int64_t text, bool is_metric, struct pq_buf *ret);
