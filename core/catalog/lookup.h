/* SPDX-License-Identifier: MIT */
/*
 * The questions that the event language may ask of a machine. A lazy source answers them by reading
 * what it must, a catalog from its indexes, and both give the same answers: that is the law on
 * which everything else stands.
 *
 * Every answer is 0, PQ_NONE (it is not there; nothing is put out), or a failure with its error.
 * What is put out lives as long as `self`. A PMU that came from find_pmu() or a list may be known
 * by name only: fill() it before anything but its name is looked at.
 */
#ifndef PQ_LOOKUP_H
#define PQ_LOOKUP_H

#include "core/arena.h"
#include "core/catalog/fact.h"
#include "core/catalog/model.h"
#include "core/error.h"

struct pq_tracepoint {
	struct pmuq_str subsystem, name;
	uint64_t id;
};

struct pq_tracepoint_list {
	const struct pq_tracepoint *const *v;
	size_t n;
};

/* The names of things that begin with them (struct pmuq_str), in the order of str_cmp(). */
struct pq_names {
	const void *v;
	size_t n, each_bytes;
};

static inline struct pmuq_str pq_names_at(const struct pq_names *names, size_t index)
{
	return *(const struct pmuq_str *)((const char *)names->v + index * names->each_bytes);
}

struct pq_lookup_ops {
	/* By directory name, then by the content of an `alias` file: after PQ_NONE, pmu->alias of
	 * all of them is known. */
	int (*find_pmu)(void *self, struct pmuq_str name, const struct pmuq_pmu **ret,
			struct pmuq_error **reterr);
	/* All of them, in the order of pq_pmu_compare(). */
	int (*list_pmus)(void *self, struct pq_pmu_list *ret, struct pmuq_error **reterr);
	/* The core PMUs, in the same order; maybe none. */
	int (*core_pmus)(void *self, struct pq_pmu_list *ret, struct pmuq_error **reterr);
	/* The PMUs that have the event, as event() finds it, in the same order; maybe none. */
	int (*find_event)(void *self, struct pmuq_str name, struct pq_pmu_list *ret,
			  struct pmuq_error **reterr);
	/* Type, CPUs. */
	int (*fill)(void *self, const struct pmuq_pmu *pmu, struct pmuq_error **reterr);
	/* The alias and all formats, events and caps too, so that pmu->def can be walked. */
	int (*load)(void *self, const struct pmuq_pmu *pmu, struct pmuq_error **reterr);
	int (*format)(void *self, const struct pmuq_pmu *pmu, struct pmuq_str name,
		      const struct pmuq_format **ret, struct pmuq_error **reterr);
	/* A file that is spelt exactly so, else all in lower case, else all in upper case. */
	int (*event)(void *self, const struct pmuq_pmu *pmu, struct pmuq_str name,
		     const struct pmuq_event **ret, struct pmuq_error **reterr);
	/* The names of all its events, which need not be read for that. PMUs of one kind that are
	 * asked one after the other get the same array, so that `v` tells that it has been seen. */
	int (*event_names)(void *self, const struct pmuq_pmu *pmu, struct pq_names *ret,
			   struct pmuq_error **reterr);
	int (*cap)(void *self, const struct pmuq_pmu *pmu, struct pmuq_str name,
		   struct pmuq_str *ret, struct pmuq_error **reterr);
	/* A fact that encodings may depend on: fact.h decides which, and with it the host classes.
	 */
	int (*fact)(void *self, enum pq_class_fact fact, struct pmuq_str *ret,
		    struct pmuq_error **reterr);
	int (*tracepoint)(void *self, struct pmuq_str subsystem, struct pmuq_str name,
			  uint64_t *ret_id, struct pmuq_error **reterr);
	/* Tracepoints whose halves match two globs, in the order of subsystem and name. The list is
	 * taken from the arena. */
	int (*list_tracepoints)(void *self, struct pq_arena *arena, struct pmuq_str subsystems,
				struct pmuq_str names, struct pq_tracepoint_list *ret,
				struct pmuq_error **reterr);
};

struct pq_lookup {
	const struct pq_lookup_ops *ops;
	void *self;
};

/* The spellings under which an event is looked for, best first, without repetitions: as it stands,
 * in lower, in upper case. `room` holds 2 * PQ_NAME_MAX_BYTES. Returns how many; 0 for a name that
 * is too long to be a file's. */
size_t pq_event_spellings(struct pmuq_str name, char *room, struct pmuq_str ret[3]);

#endif
