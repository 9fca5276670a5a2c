/* SPDX-License-Identifier: MIT */
/*
 * Assignments: which term put which value where, remembered for who asked for that. They are made
 * beside the attr and never change it; the tests hold the two together. Every function here may be
 * called at any time and does nothing when nobody asked.
 */
#ifndef PQ_ASSIGN_H
#define PQ_ASSIGN_H

#include "core/arena.h"
#include "encode/result.h"

struct pq_encoder;
struct pq_bindings;
struct pq_keyword;
struct pq_term;

/* What becomes of the values that stand in the bits already. */
enum pq_assign_how {
	PQ_ASSIGN_REPLACES,
	PQ_ASSIGN_ORS,
	PQ_ASSIGN_IS_OVERRIDDEN, /* nothing: it came too late itself */
};

/* Keeps a copy of the draft, with its term. */
int pq_assign(struct pq_encoder *e, struct pmuq_encoding *encoding,
	      const struct pmuq_assignment *draft, struct pmuq_str term, enum pq_assign_how how);
/* A term of the event string that sets all of a field. `field` is a literal. */
int pq_assign_field(struct pq_encoder *e, struct pmuq_encoding *encoding, const char *field,
		    uint64_t value, struct pmuq_str term, struct pq_span at);
/* The same, said by nobody. */
int pq_assign_default(struct pq_encoder *e, struct pmuq_encoding *encoding, const char *field,
		      uint64_t value, struct pmuq_str term);
/* The type number of the PMU, in these bits of the field. */
int pq_assign_type(struct pq_encoder *e, struct pmuq_encoding *encoding, const struct pmuq_pmu *pmu,
		   const char *field, uint64_t mask);
/* What a preset did: all that the attrs hold and nobody has said by now. */
int pq_assign_preset(struct pq_encoder *e);
/* What stands in a field by now, as far as it is known. */
uint64_t pq_assigned(const struct pmuq_encoding *encoding, const char *field);
/* The event slots that a topdown metric brings along: all is the metric's but its config. */
int pq_assign_slots(struct pq_encoder *e, struct pmuq_encoding *slots, uint64_t config);

/* assign_terms.c: all that pq_apply() did with the bindings, but for a default config. */
int pq_assign_bindings(struct pq_encoder *e, const struct pq_bindings *bindings,
		       struct pmuq_encoding *encoding);
/* A keyword's effect on the attr; `encoding` as it is behind it. */
int pq_assign_keyword(struct pq_encoder *e, struct pmuq_encoding *encoding,
		      const struct pq_keyword *keyword, const struct pq_term *term);

/* assign_modifiers.c: the letters of an event or, behind them, of its group. */
int pq_assign_modifiers(struct pq_encoder *e, struct pmuq_encoding *encoding,
			struct pmuq_str letters, struct pq_span at, bool reaches_leader);

/* "sys/bus/event_source/devices/cpu/events/mem-loads"; `dir` may be empty. .p is NULL when out of
 * memory. */
struct pmuq_str pq_pmu_path(struct pq_arena *arena, const struct pmuq_pmu *pmu, struct pmuq_str dir,
			    struct pmuq_str file);

#endif
