/* SPDX-License-Identifier: MIT */
/*
 * From bound terms and modifiers to an encoding: its attr, through assign.h, and the data that is
 * not in the attr (name, unit, CPUs, tool terms).
 */
#pragma once

#include "encode/attr/assign.h"
#include "encode/resolve/bindings.h"

/* apply_terms.c: everything of a PMU's event except its modifiers. */
int pq_apply(const struct pq_encoder *e, struct pq_bindings *bindings,
	     struct pq_encoding *encoding);
/* A generic event alone; assignments are not requested. */
int pq_apply_generic(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
		     const struct pq_generic *generic, struct pq_encoding *encoding);
/* Keywords and names of generic events, in the order of the text. */
int pq_apply_words(const struct pq_encoder *e, struct pq_bindings *bindings,
		   struct pq_encoding *encoding);
/* Sets the unit of cpu-clock and task-clock to msec, by the config of a software event. */
void pq_apply_clock_unit(uint64_t config, struct pq_encoding *encoding);
/* Sets what perf's parser sets for bpf-output, in every spelling. */
void pq_apply_bpf_output(const struct pq_encoder *e, struct pq_encoding *encoding);

/* apply_keyword.c: keywords that are not an event by themselves. */
int pq_apply_keyword(const struct pq_encoder *e, const struct pq_bindings *bindings,
		     const struct pq_binding *binding, struct pq_encoding *encoding);
/* The number of a keyword's term, checked. */
int pq_keyword_number(const struct pq_encoder *e, const struct pq_keyword *keyword,
		      const struct pq_term *term, uint64_t *ret);
/* Stores what an overridden keyword would have written, for explain. */
void pq_keep_overridden(const struct pq_encoder *e, const struct pq_bindings *bindings,
			const struct pq_binding *binding, struct pq_encoding *encoding);
/* perf applies the user's terms twice, before and after those of a named event. That matters for
 * one term only: a level (u, k, hv) that meant all branches is then added to them. */
void pq_repeat_branch_types(const struct pq_encoder *e, const struct pq_bindings *bindings,
			    struct pq_encoding *encoding);

/* limit_cpus.c: limits the encoding to the CPUs that all cpu= terms name together. */
int pq_limit_cpus(const struct pq_encoder *e, const struct pq_bindings *bindings,
		  struct pq_encoding *encoding);

/* apply_probe.c: sets the location of a probe, partly in the attr; only for PMUs that take probes.
 */
int pq_apply_probe(const struct pq_encoder *e, const struct pq_bindings *bindings,
		   struct pq_encoding *encoding);

/* tool_terms.c: stores a term for the tools that apply it. The last value wins, as in perf;
 * settings of a driver are added. `at` is empty for a term that is not in the input. */
void pq_add_tool_term(const struct pq_encoder *e, struct pq_encoding *encoding, const char *name,
		      struct pmuq_str text, struct pq_span at, bool is_number);
/* The same for a number. */
void pq_add_tool_number(const struct pq_encoder *e, struct pq_encoding *encoding, const char *name,
			uint64_t value, struct pq_span at);

/* apply_modifiers.c: the source of the modifiers. */
enum pq_modifiers_of {
	PQ_OF_EVENT,
	PQ_OF_LEADERS_GROUP, /* of the group that the encoding leads */
	PQ_OF_MEMBERS_GROUP,
	PQ_OF_OPTIONS, /* the caller's privilege */
};
int pq_apply_modifiers(const struct pq_encoder *e, const struct pq_modifiers *modifiers,
		       enum pq_modifiers_of of, struct pq_encoding *encoding);
/* intel_pt.c: the config that intel_pt has before any term; 0 for all other PMUs. */
static inline bool pq_has_default_config(const struct pmuq_pmu *pmu)
{
	struct pmuq_str name = STR("intel_pt");

	return pmu->name.n == name.n && *pmu->name.p == *name.p && str_eq(pmu->name, name);
}
int pq_default_config(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
		      struct pq_encoding *encoding);

/* privilege.c: applies options.privilege to each event of the result without a level of its own. */
int pq_apply_privilege(const struct pq_encoder *e);

/* preset.c: adds what the tool of options.preset adds to every encoding. The last step of a call.
 */
int pq_apply_preset(const struct pq_encoder *e);

/* The last step of an encoding: applies e->modifiers and sets the attr's size. */
int pq_finish(const struct pq_encoder *e, struct pq_encoding *encoding);
