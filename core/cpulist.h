/* SPDX-License-Identifier: MIT */
/* A CPU list as the kernel writes it, "0-3,8", as a set of numbers. */
#pragma once

#include "core/arena.h"
#include "core/buf.h"
#include "core/limits.h"

struct pmuq_error;

/* The size of a first block of an arena that is large enough for any set. */
#define PQ_CPUS_BYTES (PQ_CPUS_MAX / 8 + 64)

struct pq_cpus {
	uint64_t *words;
	size_t n_words;
};

/* False if the text is not a CPU list; an empty text is a list. The set lives in the arena. */
bool pq_cpus_parse(struct pq_arena *arena, struct pmuq_str text, struct pq_cpus *ret);
bool pq_cpus_has(const struct pq_cpus *cpus, uint64_t cpu);
size_t pq_cpus_count(const struct pq_cpus *cpus);
/* The first CPU from `from` on; PQ_CPUS_MAX if there is none. */
unsigned pq_cpus_next(const struct pq_cpus *cpus, unsigned from);
/* A set without CPUs that has the words for all; false if there is no memory. */
bool pq_cpus_begin(struct pq_arena *arena, struct pq_cpus *ret);
/* Adds low to high to such a set; false if a CPU is in the set already. */
bool pq_cpus_add_new(struct pq_cpus *cpus, unsigned low, unsigned high);
/* Removes from `cpus` the CPUs that are not in `with`. */
void pq_cpus_intersect(struct pq_cpus *cpus, const struct pq_cpus *with);
/* Adds the CPUs of `with`; false if there is no memory. */
bool pq_cpus_unite(struct pq_arena *arena, struct pq_cpus *cpus, const struct pq_cpus *with);
/* Removes a CPU that is in the set. */
static inline void pq_cpus_drop(struct pq_cpus *cpus, unsigned cpu)
{
	cpus->words[cpu / 64] &= ~(UINT64_C(1) << cpu % 64);
}
void pq_cpus_print(const struct pq_cpus *cpus, struct pq_buf *ret);

/* For a text, without memory: whether it is a list of at least one CPU; and the first CPU from
 * `from` on, PQ_CPUS_MAX if there is none or the text is not a list. */
bool pq_cpus_text_is_list(struct pmuq_str text);
/* The same with an error that has the span of the first part that is wrong. */
int pq_cpus_check(struct pmuq_str text, struct pmuq_error **reterr);
unsigned pq_cpus_text_next(struct pmuq_str text, unsigned from);
