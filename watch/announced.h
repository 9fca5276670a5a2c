/* SPDX-License-Identifier: MIT */
/* What was announced for one change: by the kernel, or by a daemon that repeats it. */
#pragma once

#include "core/arena.h"
#include "core/vec.h"
#include <pmuq/watch.h>

struct pq_announced {
	enum pmuq_watch_cause cause;
	struct pmuq_str action, name; /* "add", "uncore_imc_0"; empty: only the cause is known */
};

/* Each once. */
struct pq_announcements {
	struct pq_arena arena;
	PQ_VEC(struct pmuq_announcement);
};

void pq_announcements_init(struct pq_announcements *list);
void pq_announcements_clear(struct pq_announcements *list);
/* Copies the texts. A list that is full, and one without memory, leaves it out. */
void pq_announcements_add(struct pq_announcements *list, const struct pq_announced *announced);
