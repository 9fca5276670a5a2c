/* SPDX-License-Identifier: MIT */
/* The counts: one for each request. Points to nothing outside itself. */
#pragma once

#include "core/base.h"
#include <pmuq/pmuq.h>

struct pq_count {
	struct pmuq_count record; /* first: what is handed out is this */
	struct pmuq_page page;
	size_t leader; /* of the group: until the end only its record is right about the group */
	bool is_final;
};

struct pmuq_counts {
	size_t n;
	struct pq_count v[];
};

/* None counted, none in a group. NULL: out of memory. */
struct pmuq_counts *pq_counts_new(size_t n);
/* Gives each member of a group what its leader's record has about the group. */
void pq_counts_complete(struct pmuq_counts *counts);
