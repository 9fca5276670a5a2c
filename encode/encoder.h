/* SPDX-License-Identifier: MIT */
/*
 * The state of one call of encode, which all stages share. README.md lists the stages; each
 * directory has small headers of its own.
 */
#pragma once

#include "core/event/modifier.h"
#include "core/limits.h"
#include "encode/parse/ast.h"
#include "encode/result.h"

/* cpu, software, tracepoint and breakpoint. */
#define PQ_PLACEHOLDERS_MAX 4u

/* Facts of the machine that every event may need, each queried once per call; and its failure. */
struct pq_encoder_facts {
	struct pmuq_str online;
	struct pq_pmu_list core;
	size_t n_events; /* events of the string that were begun */
	bool knows_online, knows_core, knows_extended, takes_extended;
	/* There was no memory to store a text, tool term or assignment, or to make a hint. The call
	 * fails at its end. */
	bool failed;
	/* Substitutes for PMUs that the machine does not show, one per type. */
	const struct pmuq_pmu *placeholders[PQ_PLACEHOLDERS_MAX];
	size_t n_placeholders;
};

/*
 * The context of one event. It never changes: a stage that needs another node, or that catches
 * errors, passes on a copy.
 */
struct pq_encoder {
	struct pq_lookup lookup;
	const struct pmuq_encode_options *options;
	struct pmuq_encodings *result;
	struct pq_encoder_facts *facts;
	struct pq_arena *arena;	  /* the result's */
	struct pq_arena *scratch; /* until the call ends */
	struct pmuq_error **reterr;
	struct pmuq_str input;
	const struct pq_node *node; /* the event; NULL before the first and after the last */
	const struct pq_modifiers *modifiers; /* its own */
	size_t event;			      /* its index in the string */
	const struct pq_warning *warned;      /* the newest warning when it began */
	bool is_in_group;
};

static inline bool pq_is_perf(const struct pq_encoder *e)
{
	return e->options->dialect == PMUQ_DIALECT_PERF;
}

/* Checks the options that encode and decode share. */
int pq_check_choice(enum pmuq_dialect dialect, unsigned from, struct pmuq_error **reterr);

static inline bool pq_allows(const struct pq_encoder *e, enum pmuq_origin origin)
{
	return !e->options->from || e->options->from & origin;
}

/* The CPU's events that may be used, or NULL. */
static inline const struct pmuq_vendor *pq_tables(const struct pq_encoder *e)
{
	return PQ_HAS_TABLES && pq_allows(e, PMUQ_FROM_JSON) ? e->options->vendor : NULL;
}

/* encode.c: all of it, as pmuq_source_encode(). */
int pq_encode(struct pq_lookup lookup, const char *text, const struct pmuq_encode_options *options,
	      struct pmuq_encodings **ret, struct pmuq_error **reterr);

/* Whether assignments are requested (attr/assign.h). */
static inline bool pq_is_explained(const struct pq_encoder *e)
{
	return __builtin_expect(e->options->with_assignments, false);
}

/* The text of the span, as it is written. */
static inline struct pmuq_str pq_input_at(const struct pq_encoder *e, struct pq_span at)
{
	return str_part(e->input, at.offset, at.offset + at.length);
}

/* A copy of the text in the result. Without memory its .p is NULL, and the call fails at its end;
 * do not read the text before that. */
static inline struct pmuq_str pq_keep_str(const struct pq_encoder *e, struct pmuq_str text)
{
	struct pmuq_str kept = pq_arena_str(e->arena, text);

	if (__builtin_expect(!kept.p, false))
		e->facts->failed = true;
	return kept;
}

/* encoding.c: an encoding of the node on the PMU (NULL for none), before any term.
 * pq_encoding_new() makes it after the result's last encoding, and does not count it yet. */
int pq_encoding_new(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
		    struct pq_encoding **ret);
int pq_encoding_init(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
		     struct pq_encoding *ret);

/* encode_error.c: failures and warnings at a span of the input. */

/* The caller may add a hint. */
#define pq_fail_at(e, at, code, ...) pq_fail_span((e)->reterr, at, code, __VA_ARGS__)
/* The failure if n more encodings do not fit: the string has too many, or memory ran out. */
PQ_COLD int pq_fail_too_many(const struct pq_encoder *e, size_t n);
/* Adds the warnings of one encoding to another of the same event. */
PQ_COLD int pq_share_warnings(const struct pq_encoder *e, const struct pq_encoding *from,
			      struct pq_encoding *to);
/* Adds a warning to the encoding; of one event, each about the same span is one object that its
 * encodings share. A failure if the caller wants warnings as errors. */
PQ_COLD int pq_warn_at(const struct pq_encoder *e, struct pq_encoding *encoding, struct pq_span at,
		       enum pmuq_code code, const char *format, ...) PQ_PRINTF(5, 6);
/* The error of an event whose PMU, in the words of its table, the machine does not show. */
PQ_COLD int pq_fail_absent(const struct pq_encoder *e, struct pq_span at, struct pmuq_str pmu,
			   struct pmuq_str event);
/* A failure if a source that the options exclude knows the name, as an event of the PMU or, if that
 * is NULL, of any PMU. */
PQ_COLD int pq_check_sources(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
			     struct pmuq_str word, struct pq_span at);
/* A failure if the options exclude the source of an encoding. Names are refused before; this is for
 * strings without a name, such as r1a. */
PQ_COLD int pq_check_origins(const struct pq_encoder *e);
