/* SPDX-License-Identifier: MIT */
/*
 * Bindings: the meaning of the terms of one event on one PMU. bind_terms.c makes them,
 * merge_terms.c decides which of them win, attr/apply_terms.c writes them into the attr.
 */
#pragma once

#include "core/vec.h"
#include "encode/encoder.h"
#include "encode/words/generic.h"
#include "encode/words/keyword.h"
#include "encode/words/probe_terms.h"

/* The meaning of a term on one PMU. */
enum pq_role {
	PQ_ROLE_KEYWORD, /* a term that every PMU takes */
	PQ_ROLE_FORMAT,
	PQ_ROLE_GENERIC,    /* a generic event's name */
	PQ_ROLE_PROBE,	    /* the location of a probe */
	PQ_ROLE_OVERRIDDEN, /* a keyword or format of the event, which the user's term replaces */
	PQ_ROLE_USED,	    /* its value was used for a parameter */
};

struct pq_binding {
	const struct pq_term *term; /* NULL for a bare event name */
	const struct pq_keyword *keyword;
	const struct pmuq_format *format;
	const struct pq_probe_term *probe;
	struct pq_generic generic;
	uint64_t value;
	enum pq_role role;
	bool is_alias;	     /* from the text of a sysfs or vendor event, not from the user */
	bool is_parameter;   /* "?": the value must come from the user's term of that name */
	bool is_user_valued; /* the value came from there: `term` is the user's */
};

struct pq_bindings {
	PQ_VEC(struct pq_binding);
	const struct pmuq_pmu *pmu;
	const struct pmuq_event *event;		/* the event that was named, or NULL */
	const struct pmuq_vendor_event *vendor; /* whose `event` that is, or NULL */
	struct pq_span event_at;
	/* The last writer of a whole config word; set while the bindings are applied. */
	const struct pq_binding *setters[PQ_CONFIG_WORDS];
	const struct pq_binding *generic; /* the generic event, once it is applied */
	bool has_event, has_generic, has_cpus, has_keyword, has_parameter, has_probe;
	bool sets_type; /* a generic event gives the attr's type, not the PMU */
};

/* The name of a bare event, which has the precedence of a last term. */
struct pq_named {
	struct pmuq_str word;
	struct pq_span at;
	bool is_nowhere; /* no PMU has a file of that name */
	bool is_generic;
	/* A generic event without terms, for which no PMU has a file: its number is all that there
	 * is to apply. False in perf's dialect, in which it may be a format, and if assignments are
	 * requested, whose cause is a binding. */
	bool is_alone;
	struct pq_generic generic;
};

/* Whether the term is in the event's own text, so that its span is not in the input. */
static inline bool pq_is_of_event(const struct pq_binding *binding)
{
	return binding->is_alias && !binding->is_user_valued;
}

/* A generic event, by its name or its number. */
static inline bool pq_is_generic(const struct pq_binding *binding)
{
	return binding->role == PQ_ROLE_GENERIC ||
	       (binding->keyword && (binding->keyword->effect == PQ_SETS_HARDWARE ||
				     binding->keyword->effect == PQ_SETS_CACHE));
}

/* Software events count on the software PMU, hardware and cache events on core PMUs; pseudo events,
 * which only perf has, on none. */
static inline bool pq_counts_generic(const struct pmuq_pmu *pmu, const struct pq_generic *generic)
{
	if (generic->type == PQ_GENERIC_SOFTWARE)
		return pmu->has_type && pmu->type == PQ_TYPE_SOFTWARE;
	return pmu->is_core && generic->type != PQ_GENERIC_PSEUDO;
}

/* Binds the user's terms and those of the named event (NULL for none). */
int pq_bind(const struct pq_encoder *e, const struct pmuq_pmu *pmu, const struct pq_named *named,
	    struct pq_bindings *ret);
/* Binds one keyword of the user's, for events that have no formats. */
int pq_bind_keyword(const struct pq_encoder *e, struct pq_bindings *b, const struct pq_term *term,
		    const struct pq_keyword *keyword);
/* Resolves repetitions, overrides and parameters by the rules of the dialect. */
int pq_merge(const struct pq_encoder *e, struct pq_bindings *bindings);
/* For a stage that rejects a term in the event's own text: the error then shows that text. Returns
 * r. */
int pq_fail_in_event(const struct pq_encoder *e, const struct pq_bindings *b,
		     const struct pq_binding *binding, int r);
/* The source of the event's terms: its file, or the directory of the tables. */
struct pmuq_str pq_event_origin(const struct pq_encoder *e, struct pq_arena *arena,
				const struct pq_bindings *bindings);

/* ../encode_warning.c: legal but surprising strings. All return 0, or a failure if the caller
 * treats warnings as errors. */

/* The binding sets a whole config word, and a later one sets it again. */
int pq_warn_no_effect(const struct pq_encoder *e, struct pq_encoding *encoding,
		      const struct pq_binding *binding);
/* Two different formats set the same bits. */
int pq_warn_shared_bits(const struct pq_encoder *e, const struct pq_bindings *bindings,
			struct pq_encoding *encoding);
/* All warnings that need the complete encoding. */
/* Bits of an event by number, whose config is written at `at`. */
int pq_warn_raw(const struct pq_encoder *e, struct pq_span at, struct pq_encoding *encoding);
int pq_warn_event(const struct pq_encoder *e, const struct pq_bindings *bindings,
		  struct pq_encoding *encoding);
/* Those about modifiers, which need no bindings. */
PQ_COLD int pq_warn_modifiers(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
			      struct pq_encoding *encoding);
/* Whether there may be any: a usual event is not precise, pinned or of an uncore PMU. */
static inline bool pq_may_warn_modifiers(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
					 const struct pq_encoding *encoding)
{
	return e->node->modifiers.n &&
	       (encoding->attr.precise_ip || encoding->attr.pinned || pmu->is_uncore);
}
