/* SPDX-License-Identifier: MIT */
/*
 * A machine that is followed while it changes. The newest catalog is whole: after a change the
 * machine is read until two reads agree, because a PMU appears before all of its files exist.
 */
#pragma once

#include "cli/cmd.h"
#include "core/vec.h"

struct follow_cause {
	enum pmuq_watch_cause cause;
	char *action, *name; /* "add", "uncore_imc_0"; NULL: nothing was announced */
};

/* What happened since the catalog before. */
struct follow_causes {
	PQ_VEC(struct follow_cause);
};

struct follow {
	struct pmuq_source *source;
	struct pmuq_watch *watch;
	struct pmuq_catalog *catalog; /* the newest */
	uint64_t generation;	      /* its number, from 1 */
	bool is_announced;	      /* by the kernel; otherwise a timer finds changes */
	/* A newer one, which is read again to confirm it; NULL: none. */
	struct pmuq_catalog *candidate;
	int64_t confirm_ms; /* when */
	unsigned n_reads;   /* of the candidate */
	struct follow_causes causes;
};

/* Reads the machine of the command line, and begins to watch. Clear it even after a failure. */
enum status follow_begin(struct follow *follow, const struct cli *cli);
void follow_clear(struct follow *follow);

/* A change, from `before` to follow->catalog. */
struct follow_change {
	struct pmuq_catalog *before;
	struct pmuq_diff *diff;
	struct follow_causes causes;
	int64_t time_s;
};

/* Waits at most so long (-1: any time), and reads the machine again if it is time. Without a
 * change, ret->before is NULL. Clear *ret even after a failure. */
enum status follow_wait(struct follow *follow, int64_t most_ms, struct follow_change *ret);
void follow_change_clear(struct follow_change *change);
