/* SPDX-License-Identifier: MIT */
/* PMUs that one thread reads into a builder: all of a machine, or a part of them. */
#pragma once

#include "core/limits.h"
#include "discover/read/file_reader.h"

struct pq_walk_part {
	/* The caller sets these. */
	struct pq_reader reader; /* its arena is that of the part */
	struct pq_handle devices;
	const struct pq_entry *entries; /* of `devices` */
	size_t n;
	uint32_t *core_types; /* of n elements: types of the core PMUs */

	size_t n_core_types;
	uint64_t list_bytes; /* of the lists of all PMUs so far */
	size_t n_left_out;   /* PMUs that would exceed PQ_LISTS_MAX_BYTES */
	struct pq_arena scratch;
	void *first; /* its first block, which is used again from PMU to PMU */
};

/* 0 or -PMUQ_E_MEMORY; pq_walk_part_end() is called in any case. */
int pq_walk_part_begin(struct pq_walk_part *part, struct pmuq_error **reterr);
/* 0 or a resource error. */
int pq_walk_part_read(struct pq_walk_part *part, struct pmuq_error **reterr);
/* Empties the arena of the reader. */
void pq_walk_part_reset(struct pq_walk_part *part);
void pq_walk_part_end(struct pq_walk_part *part);
