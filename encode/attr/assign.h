/* SPDX-License-Identifier: MIT */
/*
 * Assignments: every write to the attr of an encoding is a pq_assign() or pq_assign_config(). If
 * assignments are requested (pmuq_encode_options.with_assignments), the same call stores which term
 * wrote which bits; so the assignments add up to the attr. Only `size` is not assigned: it follows
 * from the other fields.
 */
#pragma once

#include "encode/encoder.h"

enum pq_assign_how {
	PQ_ASSIGN_REPLACES, /* the mask's bits are cleared first */
	PQ_ASSIGN_ORS,
	PQ_ASSIGN_IS_OVERRIDDEN, /* nothing is written: another term replaces this one */
};

/* The cause of a value: a binding, the type number of a PMU, or neither; the members from `type` on
 * then contain it. */
struct pq_cause {
	const struct pq_bindings *bindings; /* of the binding */
	const struct pq_binding *binding;
	const struct pmuq_pmu *pmu;
	enum pmuq_cause type;
	struct pmuq_str term;
	struct pq_span at;
	const struct pmuq_format *format;
};

static inline struct pq_cause pq_cause_binding(const struct pq_bindings *bindings,
					       const struct pq_binding *binding)
{
	return (struct pq_cause){ .bindings = bindings, .binding = binding };
}

static inline struct pq_cause pq_cause_type(const struct pmuq_pmu *pmu)
{
	return (struct pq_cause){ .pmu = pmu };
}

static inline struct pq_cause pq_cause_text(struct pmuq_str term, struct pq_span at)
{
	return (struct pq_cause){ .type = PMUQ_CAUSE_TEXT, .term = term, .at = at };
}

static inline struct pq_cause pq_cause_default(struct pmuq_str term)
{
	return (struct pq_cause){ .type = PMUQ_CAUSE_DEFAULT, .term = term };
}

/* Stores the assignment; without memory the call fails at its end. Cold, because most callers do
 * not request assignments. */
PQ_COLD void pq_assign_keep(const struct pq_encoder *e, struct pq_encoding *encoding,
			    enum pq_attr_field field, enum pq_assign_how how, uint64_t mask,
			    uint64_t value, const struct pq_cause *cause);

static inline uint64_t pq_assign_result(uint64_t before, enum pq_assign_how how, uint64_t mask,
					uint64_t value)
{
	if (how == PQ_ASSIGN_IS_OVERRIDDEN)
		return before;
	return (how == PQ_ASSIGN_REPLACES ? before & ~mask : before) | value;
}

PQ_INLINE void pq_assign_write(struct pq_encoding *encoding, enum pq_attr_field field,
			       enum pq_assign_how how, uint64_t mask, uint64_t value)
{
	uint64_t before = 0;

	if (how != PQ_ASSIGN_REPLACES || mask != UINT64_MAX)
		before = pq_attr_get(&encoding->attr, field);
	pq_attr_set(&encoding->attr, field, pq_assign_result(before, how, mask, value));
}

/* A macro, because the cause is only evaluated if assignments are requested. */
#define PQ_ASSIGN_KEEP(e, encoding, field, how, mask, value, by)                                   \
	do {                                                                                       \
		if (pq_is_explained(e)) {                                                          \
			struct pq_cause assigned_by = (by);                                        \
			pq_assign_keep(e, encoding, field, how, mask, value, &assigned_by);        \
		}                                                                                  \
	} while (0)

/* Writes the value, which is within the mask, into the field. */
#define pq_assign(e, encoding, field, how, mask, value, cause)                                     \
	do {                                                                                       \
		uint64_t assigned = (value);                                                       \
		pq_assign_write(encoding, field, how, mask, assigned);                             \
		PQ_ASSIGN_KEEP(e, encoding, field, how, mask, assigned, cause);                    \
	} while (0)

/* The same for the whole field. */
#define pq_assign_all(e, encoding, field, value, cause)                                            \
	do {                                                                                       \
		uint64_t assigned = (value);                                                       \
		pq_attr_set(&(encoding)->attr, field, assigned);                                   \
		PQ_ASSIGN_KEEP(e, encoding, field, PQ_ASSIGN_REPLACES, PQ_WHOLE_FIELD, assigned,   \
			       cause);                                                             \
	} while (0)

/* The same for config, config1 … by number. */
#define pq_assign_config(e, encoding, word, how, mask, value, cause)                               \
	do {                                                                                       \
		uint64_t assigned = (value), *config = pq_attr_config(&(encoding)->attr, word);    \
		*config = pq_assign_result(*config, how, mask, assigned);                          \
		PQ_ASSIGN_KEEP(e, encoding, pq_attr_config_field(word), how, mask, assigned,       \
			       cause);                                                             \
	} while (0)

/* Assigns the whole field. */
#define PQ_WHOLE_FIELD UINT64_MAX

/* For a copy of an encoding: clears the field, and makes a list of the copy's own without the
 * field's assignments. */
void pq_assign_anew(const struct pq_encoder *e, struct pq_encoding *copy, enum pq_attr_field field);

/* The whole term, with the closing quote of its value; `text` contains it. */
struct pq_span pq_term_span(const struct pq_term *term, struct pmuq_str text);

/* "sys/bus/event_source/devices/cpu/events/mem-loads"; `dir` may be empty. .p is NULL if out of
 * memory. */
struct pmuq_str pq_pmu_path(struct pq_arena *arena, const struct pmuq_pmu *pmu, struct pmuq_str dir,
			    struct pmuq_str file);
