/* SPDX-License-Identifier: MIT */
/*
 * One call of encode, from tree to result: what the stages hand to each other. The stages in order:
 * names.c (which PMUs does a name stand for), bind.c (what is each term on that PMU), merge.c
 * (which of them wins), apply.c (values into the attr), and for what is no PMU's event, direct.c.
 */
#ifndef PQ_ENCODER_H
#define PQ_ENCODER_H

#include "encode/attr/assign.h"
#include "encode/limits.h"
#include "encode/parse/ast.h"
#include "encode/resolve/probe_terms.h"
#include "encode/result.h"
#include "encode/words/generic.h"
#include "encode/words/keyword.h"
#include "encode/words/modifier.h"

/* cpu, software, tracepoint and breakpoint. */
#define PQ_PLACEHOLDERS_MAX 4u

struct pq_encoder {
	struct pq_lookup lookup;
	struct pmuq_encode_options options;
	struct pmuq_encodings *result;
	struct pq_arena *arena;	  /* the result's */
	struct pq_arena *scratch; /* until the call ends */
	struct pmuq_error **reterr;
	struct pmuq_str input;
	struct pmuq_str kept_input;    /* a copy in the result, once a warning points into it */
	const struct pq_node *node;    /* the event at hand */
	struct pq_modifiers modifiers; /* its own */
	bool is_in_group;
	const struct pq_warning *warned; /* the newest warning when it began */
	/* Answers that every event may need, asked once. */
	struct pmuq_str online;
	struct pq_pmu_list core;
	bool knows_online, knows_core, knows_extended, takes_extended;
	/* What stands in for PMUs that the machine does not show; one of a type. */
	const struct pmuq_pmu *placeholders[PQ_PLACEHOLDERS_MAX];
	size_t n_placeholders;
};

/* What a term turned out to be on one PMU. */
enum pq_role {
	PQ_ROLE_KEYWORD, /* a term that every PMU takes */
	PQ_ROLE_FORMAT,
	PQ_ROLE_GENERIC, /* a generic event's name */
	PQ_ROLE_PROBE,	 /* where a probe goes */
	PQ_ROLE_DROPPED, /* overridden, or used up by a parameter */
};

struct pq_binding {
	const struct pq_term *term;
	const struct pq_keyword *keyword;
	const struct pmuq_format *format;
	const struct pq_probe_term *probe;
	struct pq_generic generic;
	uint64_t value;
	enum pq_role role;
	bool is_alias;	   /* from the text of a sysfs event, not from the user */
	bool is_parameter; /* "?": the value is to come from the user's term of that name */
	bool is_given;	   /* it did: `term` is the user's */
};

struct pq_bindings {
	struct pq_binding *v;
	size_t n, room;
	const struct pmuq_pmu *pmu;
	const struct pmuq_event *event;		/* the sysfs event that was named, or NULL */
	const struct pmuq_vendor_event *vendor; /* whose `event` that is, or NULL */
	struct pq_span event_at;
	bool has_event, has_generic, has_cpus, has_keyword, has_parameter, has_probe;
};

/* The name of a bare event, which counts as a last term. */
struct pq_named {
	struct pmuq_str word;
	struct pq_span at;
	bool is_nowhere; /* no PMU has a file of that name */
	bool is_generic;
	struct pq_generic generic;
};

static inline bool pq_is_perf(const struct pq_encoder *e)
{
	return e->options.dialect == PMUQ_DIALECT_PERF;
}

/* Options of both directions. */
int pq_check_choice(enum pmuq_dialect dialect, unsigned from, struct pmuq_error **reterr);

static inline bool pq_allows(const struct pq_encoder *e, enum pmuq_origin origin)
{
	return !e->options.from || e->options.from & origin;
}

/* encode.c: all of it, as pmuq_source_encode(). */
int pq_encode(struct pq_lookup lookup, const char *text, const struct pmuq_encode_options *options,
	      struct pmuq_encodings **ret, struct pmuq_error **reterr);

/* Whether assignments are wanted (assign.h). */
static inline bool pq_is_explained(const struct pq_encoder *e)
{
	return e->options.with_assignments;
}

/* fault.c: a failure at a spot of the input, with its message; the caller adds a hint. */
int pq_fail_at(struct pq_encoder *e, struct pq_span at, enum pmuq_code code, const char *format,
	       ...) PQ_PRINTF(4, 5);
/* There is no room for n more encodings: more than one string may stand for, or out of memory. */
int pq_fail_too_many(struct pq_encoder *e, size_t n);
/* A warning of the encoding. Where warnings are errors, the failure. */
int pq_warn_at(struct pq_encoder *e, struct pmuq_encoding *encoding, struct pq_span at,
	       enum pmuq_code code, const char *format, ...) PQ_PRINTF(5, 6);

/* ask.c: the machine's facts. */
int pq_online_cpus(struct pq_encoder *e, struct pmuq_str *ret);
int pq_core_pmus(struct pq_encoder *e, struct pq_pmu_list *ret);
int pq_takes_extended(struct pq_encoder *e, bool *ret);
/* "cpu" without formats, which stands in where the machine shows no core PMU. */
int pq_core_placeholder(struct pq_encoder *e, const struct pmuq_pmu **ret);
bool pq_is_placeholder(const struct pmuq_pmu *pmu);
/* The first core PMU; where that does not take the terms, all core PMUs. */
#define PQ_DEFAULT_CORE "default_core"
/* The PMU of that name or alias, or PQ_DEFAULT_CORE. Those whose types never change ("software",
 * "tracepoint", "breakpoint"), and "cpu" where there is no core PMU, are there even if the machine
 * does not show them. Else PQ_NONE. */
int pq_find_pmu(struct pq_encoder *e, struct pmuq_str name, const struct pmuq_pmu **ret);
/* encoding.c: an encoding of the node on the PMU (NULL for none), before any term;
 * pq_encoding_new() in the result's next place, which is not counted yet. */
int pq_encoding_new(struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_encoding **ret);
int pq_encoding_init(struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_encoding *ret);

/* names.c: NAME and NAME/terms/. Appends to the result. */
int pq_encode_name(struct pq_encoder *e);
/* doubt.c: warnings about an encoding that is complete. */
int pq_doubt(struct pq_encoder *e, const struct pq_bindings *bindings,
	     struct pmuq_encoding *encoding);

/* ask.c: the look-ups that are about one PMU; the placeholder has nothing to look up. */
int pq_ask_fill(struct pq_encoder *e, const struct pmuq_pmu *pmu);
int pq_ask_format(struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_str name,
		  const struct pmuq_format **ret);
int pq_ask_event(struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_str name,
		 const struct pmuq_event **ret);
int pq_ask_cap(struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_str name,
	       struct pmuq_str *ret);
/* All of the PMU, so that its definition can be walked. PQ_NONE when that cannot be had, which is a
 * failure only for what this process lacks. */
int pq_ask_load(struct pq_encoder *e, const struct pmuq_pmu *pmu);
/* The same for hints, beside an error that is told already: 0 when it could be had. */
int pq_try_load(const struct pq_encoder *e, const struct pmuq_pmu *pmu);

/* group.c: makes a group of the encodings from `first` on, and applies its modifiers. */
int pq_group(struct pq_encoder *e, const struct pq_item *item, size_t first);
/* direct.c: what is no PMU's event. Appends to the result. */
int pq_encode_raw(struct pq_encoder *e);
int pq_encode_numeric(struct pq_encoder *e);
int pq_encode_breakpoint(struct pq_encoder *e);
int pq_encode_tracepoint(struct pq_encoder *e);

/* names.c: the event's terms on the PMUs that the text stands for; PQ_NONE when it is none. */
int pq_encode_pmus(struct pq_encoder *e, struct pmuq_str text);
/* pfm_name.c: the event at hand is a name of libpfm4. */
int pq_encode_pfm(struct pq_encoder *e);
/* Nothing else knows the event at hand: PQ_NONE when libpfm4 is not to be asked, or has no event of
 * that name, either. */
int pq_encode_pfm_else(struct pq_encoder *e);

/* vendor.c: the event of that name that a CPU's tables have for the PMU; PQ_NONE for none. */
int pq_vendor_event(struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_str name,
		    const struct pmuq_vendor_event **ret);
/* The PMUs that have the event, in their own files or in the tables, in the order of PMUs. */
int pq_find_event(struct pq_encoder *e, struct pmuq_str name, struct pq_pmu_list *ret);
/* Where the terms of the event stand: its file, or the folder of the tables. */
struct pmuq_str pq_event_origin(const struct pq_encoder *e, struct pq_arena *arena,
				const struct pq_bindings *bindings);
int pq_doubt_vendor(struct pq_encoder *e, const struct pq_bindings *bindings,
		    struct pmuq_encoding *encoding);

/* wildcard.c: whether TEXT/…/ stands for the PMU of that name. TEXT is not empty. */
struct pq_wildcard {
	struct pmuq_str text;
	bool has_glob, keeps_uncore;
};
struct pq_wildcard pq_wildcard_of(struct pmuq_str text, bool is_perf);
bool pq_wildcard_matches(const struct pq_wildcard *wildcard, struct pmuq_str pmu_name);

/* bind.c: the user's terms, and the named event's, as what they are on the PMU. */
int pq_bind(struct pq_encoder *e, const struct pmuq_pmu *pmu, const struct pq_named *named,
	    struct pq_bindings *ret);
/* What a later stage says of a term, the fault in the text that the term comes from. Returns r. */
int pq_blame(struct pq_encoder *e, const struct pq_bindings *b, const struct pq_binding *binding,
	     int r);
/* merge.c: repetitions, overrides and parameters, by dialect. */
int pq_merge(struct pq_encoder *e, struct pq_bindings *bindings);
/* apply.c: bindings into the encoding. */
int pq_apply(struct pq_encoder *e, const struct pq_bindings *bindings,
	     struct pmuq_encoding *encoding);
/* terms.c: one keyword's effect; also for events without formats. */
int pq_apply_keyword(struct pq_encoder *e, const struct pq_keyword *keyword,
		     const struct pq_term *term, struct pmuq_encoding *encoding);
/* The number of a keyword's term, checked. */
int pq_keyword_number(struct pq_encoder *e, const struct pq_keyword *keyword,
		      const struct pq_term *term, uint64_t *ret);
/* All cpu= terms together: leaves in the encoding the CPUs that they name. */
int pq_limit_cpus(struct pq_encoder *e, const struct pq_bindings *bindings,
		  struct pmuq_encoding *encoding);
/* The last step of an encoding: the modifiers of the event at hand, into the attr and the deferred
 * ones, and the attr's size. */
int pq_apply_modifiers(struct pq_encoder *e, struct pmuq_encoding *encoding);
/* Those of an event or a group that only a tool applies. */
int pq_defer_modifiers(struct pq_encoder *e, const struct pq_modifiers *modifiers,
		       struct pmuq_encoding *encoding);
/* cpu-clock and task-clock, if that is what the config of a software event means, count in msec. */
void pq_apply_clock_unit(uint64_t config, struct pmuq_encoding *encoding);
/* What perf's parser asks of bpf-output, whatever way it was written. */
void pq_apply_bpf_output(const struct pq_encoder *e, struct pmuq_encoding *encoding);
int pq_assign_bpf_output(struct pq_encoder *e, struct pmuq_encoding *encoding);
/* Remembers a term for the tools that apply it. */
int pq_defer(struct pq_encoder *e, struct pmuq_encoding *encoding, const char *name,
	     struct pmuq_str text, struct pq_span at, bool is_number);

/* Asked of every event. */
static inline bool pq_takes_probes(const struct pmuq_pmu *pmu)
{
	struct pmuq_str name = pmu->name;

	return name.n == 6 && !memcmp(name.p + 1, "probe", 5) && (*name.p == 'k' || *name.p == 'u');
}

/* probe.c: what a term of a probe holds, as the kernel takes it. */
int pq_check_probe_term(struct pq_encoder *e, const struct pq_term *term,
			const struct pq_probe_term *probe);
/* The place of the event's probe, into the attr and beside it; only for PMUs that take probes. */
int pq_apply_probe(struct pq_encoder *e, const struct pq_bindings *bindings,
		   struct pmuq_encoding *encoding);

/* preset.c: what the tool of options.preset adds to every encoding; the last step of all. */
int pq_apply_preset(struct pq_encoder *e);

/* intel_pt.c: the config that this PMU has before any term; 0 for all others. */
bool pq_has_default_config(const struct pmuq_pmu *pmu);
int pq_default_config(struct pq_encoder *e, const struct pmuq_pmu *pmu,
		      struct pmuq_encoding *encoding);

/* hint.c: each adds a hint to the error at hand; a failure to make one is no failure. */
void pq_hint_term(struct pq_encoder *e, const struct pmuq_pmu *pmu, struct pmuq_str word);
void pq_hint_name(struct pq_encoder *e, struct pmuq_str word);
void pq_hint_range(struct pq_encoder *e, const struct pmuq_format *format);
void pq_hint_tracepoint(struct pq_encoder *e, struct pmuq_str subsystem, struct pmuq_str name);

#endif
