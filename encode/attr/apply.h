/* SPDX-License-Identifier: MIT */
/*
 * From resolved terms and modifiers to an encoding: the attr by way of assign.h, and what is kept
 * next to it (name, unit, CPUs, tool terms).
 */
#ifndef PQ_APPLY_H
#define PQ_APPLY_H

#include "encode/attr/assign.h"
#include "encode/resolve/bindings.h"

/* apply_terms.c: all of a PMU's event but its modifiers. */
int pq_apply(const struct pq_encoder *e, struct pq_bindings *bindings,
	     struct pq_encoding *encoding);
/* Keywords and names of generic events, in the order of the text. */
int pq_apply_words(const struct pq_encoder *e, struct pq_bindings *bindings,
		   struct pq_encoding *encoding);
/* cpu-clock and task-clock, if that is what the config of a software event means, count in msec. */
void pq_apply_clock_unit(uint64_t config, struct pq_encoding *encoding);
/* What perf's parser sets for bpf-output, however it was written. */
int pq_apply_bpf_output(const struct pq_encoder *e, struct pq_encoding *encoding);

/* apply_keyword.c: those that are no event by themselves. */
int pq_apply_keyword(const struct pq_encoder *e, const struct pq_bindings *bindings,
		     const struct pq_binding *binding, struct pq_encoding *encoding);
/* The number of a keyword's term, checked. */
int pq_keyword_number(const struct pq_encoder *e, const struct pq_keyword *keyword,
		      const struct pq_term *term, uint64_t *ret);
/* What an overridden keyword would have written, for explain. */
int pq_keep_overridden(const struct pq_encoder *e, const struct pq_bindings *bindings,
		       const struct pq_binding *binding, struct pq_encoding *encoding);
/* perf reads the user's terms before and after those of a named event. All but one mean the same
 * the second time: a level (u, k, hv) that stood for all branches is then added. */
int pq_repeat_branch_types(const struct pq_encoder *e, const struct pq_bindings *bindings,
			   struct pq_encoding *encoding);

/* limit_cpus.c: all cpu= terms together leave in the encoding the CPUs that they name. */
int pq_limit_cpus(const struct pq_encoder *e, const struct pq_bindings *bindings,
		  struct pq_encoding *encoding);

/* apply_probe.c: the location of the event's probe, into the attr and next to it; only for PMUs
 * that take probes. */
int pq_apply_probe(const struct pq_encoder *e, const struct pq_bindings *bindings,
		   struct pq_encoding *encoding);

/* tool_terms.c: stores a term for the tools that apply it; a later value of the name replaces an
 * earlier one, as in perf. `at` is empty for what is not written in the input. */
int pq_add_tool_term(const struct pq_encoder *e, struct pq_encoding *encoding, const char *name,
		     struct pmuq_str text, struct pq_span at, bool is_number);
/* As the decimal number. */
int pq_add_tool_number(const struct pq_encoder *e, struct pq_encoding *encoding, const char *name,
		       uint64_t value, struct pq_span at);

/* apply_modifiers.c: whose modifiers they are. */
enum pq_modifiers_of {
	PQ_OF_EVENT,
	PQ_OF_LEADERS_GROUP, /* of the group that the encoding leads */
	PQ_OF_MEMBERS_GROUP,
};
int pq_apply_modifiers(const struct pq_encoder *e, const struct pq_modifiers *modifiers,
		       enum pq_modifiers_of of, struct pq_encoding *encoding);
/* The last step of an encoding: the modifiers of the event at hand, and the attr's size. */
int pq_finish(const struct pq_encoder *e, struct pq_encoding *encoding);

#endif
