/* SPDX-License-Identifier: MIT */
/*
 * A machine that is followed while it changes. The newest catalog is whole: after a change the
 * machine is read until two reads agree, because a PMU appears before all of its files exist. Of
 * the machine of a daemon, which does that, each state is read once.
 */
#pragma once

#include "cli/cmd.h"
#include "core/vec.h"
#include <sys/stat.h>

struct follower_cause {
	enum pmuq_watch_cause cause;
	char *action, *name; /* "add", "uncore_imc_0"; NULL: nothing was announced */
};

/* What happened since the catalog before. */
struct follower_causes {
	PQ_VEC(struct follower_cause);
};

struct follower {
	struct pmuq_source *source;
	struct pmuq_watch *watch;
	struct pmuq_catalog *catalog; /* the newest */
	uint64_t generation;	      /* its number, from 1 */
	bool is_announced;	      /* by the kernel; otherwise a timer finds changes */
	bool is_served;		      /* by a daemon */
	bool is_unreadable;	      /* the last read failed, which was reported */
	const char *tree;	      /* of a captured machine in a directory; else NULL */
	struct stat tree_info;
	/* A newer one, which is read again to confirm it; NULL: none. */
	struct pmuq_catalog *candidate;
	int64_t confirm_ms; /* when */
	unsigned n_reads;   /* of the candidate */
	int64_t read_ms;    /* when the catalog was read, or found to be true */
	int64_t cost_ms;    /* of the last refresh that found no difference */
	struct follower_causes causes;
};

/* Reads the machine of the command line, and begins to watch. Clear it even after a failure. */
enum status follower_begin(struct follower *follower, const struct cli *cli);
void follower_clear(struct follower *follower);

/* A change, from `before` to follower->catalog. */
struct follower_change {
	struct pmuq_catalog *before;
	struct pmuq_diff *diff;
	struct follower_causes causes;
	int64_t time_s;
};

/* Waits at most so long (-1: any time), and then does a step. */
enum status follower_wait(struct follower *follower, int64_t most_ms, struct follower_change *ret);

/* For a loop of the caller's own: when the descriptor is readable, or after timeout_ms (-1: any
 * time), do a step. It reads the machine again if it is time. Without a change, ret->before is
 * NULL. Clear *ret even after a failure. */
int follower_fd(const struct follower *follower);
int follower_timeout_ms(const struct follower *follower);
enum status follower_step(struct follower *follower, struct follower_change *ret);
/* Reads the machine again unless the newest catalog is younger than most_ms, or, up to 2 s, than 20
 * times what a read costs: nothing announces that a number in /proc/sys was set, or that a probe
 * was made, but clients that never pause must not keep a slow machine busy with it. A difference
 * that matters has to be confirmed by steps. */
enum status follower_refresh(struct follower *follower, int64_t most_ms);
void follower_change_clear(struct follower_change *change);
