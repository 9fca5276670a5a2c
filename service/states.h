/* SPDX-License-Identifier: MIT */
/* The states of the machine: the newest, and those before it. */
#pragma once

#include "cli/follower.h"
#include "core/limits.h"

struct state {
	uint64_t generation;
	struct pmuq_catalog *catalog;
};

struct states {
	struct follower follower;
	/* The states before the newest, oldest first. */
	struct state before[PQ_SERVICE_GENERATIONS_MAX];
	size_t n_before;
};

enum status states_begin(struct states *states, const struct cli *cli);
void states_clear(struct states *states);

/* A step of the follower. After a change, ret->diff is set; clear *ret in any case. */
enum status states_step(struct states *states, struct follower_change *ret);

/* A state as a source, which the caller frees; PQ_NONE: that state is not kept. */
int states_source(const struct states *states, uint64_t generation, struct pmuq_source **ret,
		  struct pmuq_error **reterr);
/* The oldest generation that it still has. */
uint64_t states_oldest(const struct states *states);
