/* SPDX-License-Identifier: MIT */
/*
 * The queries of a machine by the event language. A lazy source reads the files that a query needs,
 * a catalog has indexes, and both return the same results: the whole library depends on that law.
 *
 * Each returns 0, PQ_NONE, or minus a code with its error. PQ_NONE means only that the machine has
 * no such PMU, event, format, cap, fact or tracepoint; for an empty list the result is 0. Results
 * live as long as `self`. Of a PMU that find_pmu() or a list returned, only the name is valid: call
 * fill() or load() before you read its other members.
 */
#pragma once

#include "core/arena.h"
#include "core/catalog/fact.h"
#include "core/catalog/model.h"
#include "core/error.h"

struct pq_tracepoint_list {
	const struct pmuq_tracepoint *const *v;
	size_t n;
};

/* The names of elements that begin with them (struct pmuq_str), in the order of str_cmp(). */
struct pq_names {
	struct pq_named_array array;
	size_t n;
};

static inline struct pmuq_str pq_names_at(const struct pq_names *names, size_t index)
{
	return pq_named_name(names->array, index);
}

struct pq_lookup_ops {
	/* By directory name, then by the content of a file `alias`: after PQ_NONE, pmu->alias of
	 * all PMUs is valid. */
	int (*find_pmu)(void *self, struct pmuq_str name, const struct pmuq_pmu **ret,
			struct pmuq_error **reterr);
	/* All of them, in the order of pq_pmu_compare(); is_core is valid. */
	int (*list_pmus)(void *self, struct pq_pmu_list *ret, struct pmuq_error **reterr);
	/* The core PMUs, in the same order; the list may be empty. */
	int (*core_pmus)(void *self, struct pq_pmu_list *ret, struct pmuq_error **reterr);
	/* The PMUs for which event() finds the event, in the same order; maybe none. */
	int (*find_event)(void *self, struct pmuq_str name, struct pq_pmu_list *ret,
			  struct pmuq_error **reterr);
	/* Reads the type and the CPUs; the file `cpus` only if they depend on it. */
	int (*fill)(void *self, const struct pmuq_pmu *pmu, struct pmuq_error **reterr);
	/* Reads the alias, the file `cpus`, and all formats, events and caps, too: all of pmu->def.
	 */
	int (*load)(void *self, const struct pmuq_pmu *pmu, struct pmuq_error **reterr);
	int (*format)(void *self, const struct pmuq_pmu *pmu, struct pmuq_str name,
		      const struct pmuq_format **ret, struct pmuq_error **reterr);
	/* The event with exactly that file name, else in lower case, else in upper case. */
	int (*event)(void *self, const struct pmuq_pmu *pmu, struct pmuq_str name,
		     const struct pmuq_event **ret, struct pmuq_error **reterr);
	/* The names of all its events, without reading their files. Consecutive PMUs of one
	 * definition get the same array, so that a caller can skip it by comparing `v`. */
	int (*event_names)(void *self, const struct pmuq_pmu *pmu, struct pq_names *ret,
			   struct pmuq_error **reterr);
	int (*cap)(void *self, const struct pmuq_pmu *pmu, struct pmuq_str name,
		   struct pmuq_str *ret, struct pmuq_error **reterr);
	/* A fact that encodings may depend on; fact.h lists these facts, and thereby defines host
	 * classes. */
	int (*fact)(void *self, enum pq_class_fact fact, struct pmuq_str *ret,
		    struct pmuq_error **reterr);
	int (*tracepoint)(void *self, struct pmuq_str subsystem, struct pmuq_str name,
			  uint64_t *ret_id, struct pmuq_error **reterr);
	/* Tracepoints whose two parts match two globs, in the order of subsystem and name. The list
	 * is allocated in the arena. */
	int (*list_tracepoints)(void *self, struct pq_arena *arena, struct pmuq_str subsystems,
				struct pmuq_str names, struct pq_tracepoint_list *ret,
				struct pmuq_error **reterr);
	/* It is the machine that this process runs on: its events can be opened here. */
	bool (*is_live)(const void *self);
};

struct pq_lookup {
	const struct pq_lookup_ops *ops;
	void *self;
};

/* A query for a struct with the members `lookup` and `reterr`. */
#define pq_query(of, op, ...) ((of)->lookup.ops->op((of)->lookup.self, __VA_ARGS__, (of)->reterr))

/* The spellings by which an event is searched for, in order, without repetitions: as written, in
 * lower case, in upper case. `buffer` has 2 * PQ_NAME_MAX_BYTES. Returns their number; 0 for a name
 * that is too long for a file. */
size_t pq_event_spellings(struct pmuq_str name, char *buffer, struct pmuq_str ret[3]);
