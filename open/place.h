/* SPDX-License-Identifier: MIT */
/* Where something is opened: for a task, or on CPUs, for everyone there or for a cgroup. */
#ifndef PQ_OPEN_PLACE_H
#define PQ_OPEN_PLACE_H

#include "core/cpulist.h"

/* What the caller wants counted; zeroed: this task, and on CPUs what counts per CPU only. */
struct pq_target {
	int pid;	    /* 0: none was named */
	int cgroup_fd;	    /* of its directory; only with a name */
	const char *cgroup; /* its name; NULL: none */
	const char *cpus;   /* as a list; NULL: as the PMU wants it */
};

/* What the system call takes; zeroed, it is before the first of them. */
struct pq_place {
	bool is_set, is_cgroup;
	int pid, cpu;
};

struct pq_places {
	bool is_task;	     /* of whatever CPU: there is one place */
	struct pq_cpus cpus; /* else */
	struct pq_target target;
	const char *list; /* the CPUs as text; NULL for a task */
	const char *note; /* what is to be said if all opens; static, or NULL */
};

struct pq_opening;

/* Of a PMU with these CPUs. False: out of memory. All is valid until the end of the opening. */
bool pq_places_find(struct pq_opening *opening, bool needs_cpu, const char *cpus,
		    struct pq_places *ret);
/* One CPU in their place. */
bool pq_places_put_on(struct pq_opening *opening, int cpu, struct pq_places *places);
/* The one after *place; false behind the last. */
bool pq_places_next(const struct pq_places *places, struct pq_place *place);
size_t pq_places_count(const struct pq_places *places);

/* Whether the caller named a task, CPUs, or a cgroup. */
static inline bool pq_target_is_named(const struct pq_target *target)
{
	return target->pid || target->cgroup || target->cpus;
}

#endif
