/* SPDX-License-Identifier: MIT */
/*
 * A group of events, or one event alone, that is opened on all of its targets: to test that the
 * kernel opens it, to stay open, or to count at once.
 */
#pragma once

#include "open/session.h"
#include "open/targets.h"

enum pq_open_purpose {
	PQ_OPEN_TO_TEST,  /* closed target by target; refused members are diagnosed */
	PQ_OPEN_TO_STAY,  /* on all targets at once, without the members that are refused */
	PQ_OPEN_TO_COUNT, /* on all targets at once, or not at all */
};

struct pq_open_set {
	struct pq_open_session *session;
	enum pq_open_purpose purpose;
	/* Indexes of the requests, the leader's first. Refused members leave an open set that is to
	 * stay. */
	size_t *indexes;
	size_t n;
	uint64_t read_format; /* if it does not test */
	struct pq_open_targets targets;
	int *fds;      /* fds[target * n + member]; -1: not open there */
	size_t n_open; /* targets on which the events are open */
	int single_fd; /* memory for fds of a test of one event */

	/* The refusal that ended it: of the leader, or of any event to count. */
	int errnum;		   /* 0: none */
	uint32_t kernel_size;	   /* of an attr; set with E2BIG only */
	struct pq_open_call *call; /* the caller's memory: the last call, or the refused one */
};

/*
 * Opens the set, whose session, purpose, indexes, n and call the caller has set. `arena` keeps the
 * descriptors. After a refusal the events before it are still open, to be probed; the set must be
 * closed, also after a failure.
 *
 * Returns 0, also after a refusal, or -PMUQ_E_MEMORY without an error object.
 */
int pq_open_set_open(struct pq_open_set *set, struct pq_arena *arena);
/* Members are closed before their leader: a member whose leader is gone would count alone. */
void pq_open_set_close(struct pq_open_set *set);
