/* SPDX-License-Identifier: MIT */
/*
 * NAME and NAME/terms/: finds the PMUs that the name stands for, and encodes the event on each.
 * NAME/…/ is a PMU, else a pattern or the common part of several PMUs' names, else an event.
 */
#include "core/vendor/vendor_table.h"
#include "encode/attr/apply.h"
#include "encode/attr/intel_pt.h"
#include "encode/encode_error.h"
#include "encode/encode_hint.h"
#include "encode/encode_lookup.h"
#include "encode/encode_warning.h"
#include "encode/resolve/resolve.h"
#include "encode/resolve/wildcard.h"

/* PMUs tried so far for one event of the input. */
struct expansion {
	const struct pq_named *named;		/* the event whose name was written, or NULL */
	const struct pmuq_pmu *last;		/* the PMU of the newest encoding */
	const struct pmuq_pmu *refused;		/* the newest that did not take the terms */
	const struct pmuq_vendor_event *vendor; /* of the newest encoding, or NULL */
	struct pmuq_error *first_error;
	size_t first; /* index of the first encoding */
	size_t n_tried, n_refused;
	bool is_shareable; /* the newest encoding serves all boxes of its PMU's kind */
	int r;		   /* the first refusal */
};

static bool same_kind(const struct pmuq_pmu *a, const struct pmuq_pmu *b)
{
	return a && a->definition->hash && a->definition == b->definition && a->has_type &&
	       b->has_type && a->is_core == b->is_core && a->is_uncore == b->is_uncore;
}

/* Whether nothing in the encoding but type, name of the PMU and CPUs depends on the box. */
static bool is_shareable(const struct pq_bindings *b)
{
	if (b->has_generic || b->has_cpus || b->sets_type || pq_has_default_config(b->pmu))
		return false;
	/* What a file of the box must match. */
	if (b->vendor && b->vendor->compat.n)
		return false;
	return true;
}

static int encode_on(struct pq_encoder *e, struct expansion *x, const struct pmuq_pmu *pmu,
		     struct pq_encoding *ret)
{
	struct pq_bindings bindings;
	int r = pq_bind(e, pmu, x->named, &bindings);

	if (r == 0)
		r = pq_merge(e, &bindings);
	if (r == 0)
		r = pq_encoding_init(e, pmu, ret);
	if (r == 0)
		r = pq_apply(e, &bindings, ret);
	if (r == 0)
		r = pq_finish(e, ret);
	if (r == 0)
		r = pq_warn_event(e, &bindings, ret);
	if (r == 0 && bindings.vendor)
		r = pq_warn_vendor(e, &bindings, ret);
	x->vendor = r == 0 ? bindings.vendor : NULL;
	/* Assignments name the files of their own box. */
	x->is_shareable = r == 0 && !pq_is_explained(e) && is_shareable(&bindings);
	return r;
}

/* Whether the newest encoding serves this box, too: it has the same event. */
static bool serves(const struct expansion *x, const struct pmuq_pmu *pmu)
{
	return same_kind(x->last, pmu) && (!x->vendor || pq_vendor_covers(x->vendor->pmu, pmu));
}

static void copy_to_box(const struct pq_encoding *from, const struct pmuq_pmu *pmu,
			struct pq_encoding *ret)
{
	*ret = *from;
	ret->attr.type = pmu->type;
	ret->on = pmu;
	ret->record.cpus = pmu->cpus;
	ret->warnings = NULL;
	ret->tool_terms.room = 0;
}

/* Only the first refusal is worth its words: the rest fail without an error object. */
static int note_refusal(struct pq_encoder *e, struct expansion *x, const struct pmuq_pmu *pmu,
			struct pmuq_error **reterr, int r)
{
	e->reterr = reterr;
	if (pq_is_resource_error(r))
		return pq_fail_resource(reterr, r);
	if (r == -PMUQ_E_STALE_SOURCE)
		return pq_fail(reterr, PMUQ_E_STALE_SOURCE, "%s", pmuq_code_meaning((unsigned)-r));
	if (!x->n_refused++)
		x->r = r;
	/* CPUs differ from box to box of one kind; all else that is refused is the kind's. */
	x->refused = r == -PMUQ_E_NO_CPUS_LEFT ? NULL : pmu;
	return 0;
}

/* Tries one PMU. A refusal is noted, and is no failure yet. */
static int visit(struct pq_encoder *e, struct expansion *x, const struct pmuq_pmu *pmu)
{
	struct pq_encoding *slot = pq_result_reserve(e->result, 1);
	struct pmuq_error **reterr = e->reterr;
	int r;

	if (!slot)
		return pq_fail_too_many(e, 1);
	x->n_tried++;
	if (same_kind(x->refused, pmu)) {
		x->n_refused++;
		return 0;
	}
	if (x->is_shareable && serves(x, pmu)) {
		copy_to_box(slot - 1, pmu, slot);
		x->last = pmu;
		e->result->n++;
		return 0;
	}
	r = pq_lookup_fill(e, pmu);
	if (r < 0)
		return r;
	e->reterr = reterr && !x->n_refused ? &x->first_error : NULL;
	r = encode_on(e, x, pmu, slot);
	if (r < 0)
		return note_refusal(e, x, pmu, reterr, r);
	e->reterr = reterr;
	x->last = pmu;
	e->result->n++;
	return 0;
}

static int warn_partial(struct pq_encoder *e, struct expansion *x)
{
	struct pmuq_error *why = x->first_error;

	if (!x->n_refused || x->r == -PMUQ_E_NO_CPUS_LEFT)
		return 0;
	return pq_warn_at(e, &e->result->v[x->first], e->node->name_at, PMUQ_E_INCOMPLETE_MATCH,
			  "%zu of %zu PMUs do not take it and were passed over: %s", x->n_refused,
			  x->n_tried, why ? why->message.p : "the terms are not theirs");
}

/* After all PMUs: done when one took it, else the first refusal is the answer. */
static int conclude(struct pq_encoder *e, struct expansion *x)
{
	bool is_taken = e->result->n > x->first;
	int r = is_taken ? warn_partial(e, x) : x->r;

	if (r == -PMUQ_E_MEMORY)
		pq_fail_memory(e->reterr);
	else if (!is_taken && e->reterr)
		*e->reterr = move(x->first_error);
	pmuq_error_free(x->first_error);
	return r;
}

/* Boxes that stand behind one of their kind: copies, and nothing else. Returns the index behind
 * them. There is room for the whole list. */
static size_t copy_to_kind(struct pq_encoder *e, struct expansion *x, struct pq_pmu_list list,
			   size_t i)
{
	struct pq_encoding *slot = e->result->v + e->result->n;

	for (; i < list.n && serves(x, list.v[i]); i++, slot++)
		copy_to_box(slot - 1, list.v[i], slot);
	x->n_tried += (size_t)(slot - e->result->v) - e->result->n;
	e->result->n = (size_t)(slot - e->result->v);
	return i;
}

static int visit_list(struct pq_encoder *e, struct expansion *x, struct pq_pmu_list list,
		      bool skips_core)
{
	if (list.n && !pq_result_reserve(e->result, list.n))
		return pq_fail_too_many(e, list.n);
	for (size_t i = 0; i < list.n;) {
		int r;

		if (skips_core && list.v[i]->is_core) {
			i++;
			continue;
		}
		r = visit(e, x, list.v[i++]);
		if (r < 0)
			return r;
		if (x->is_shareable)
			i = copy_to_kind(e, x, list, i);
	}
	return 0;
}

/* Every core PMU counts a generic hardware event, whether or not it has a file for it. */
static int visit_core(struct pq_encoder *e, struct expansion *x)
{
	const struct pmuq_pmu *placeholder;
	struct pq_pmu_list core;
	int r = pq_core_pmus(e, &core);

	if (r < 0)
		return r;
	if (core.n)
		return visit_list(e, x, core, false);
	r = pq_core_placeholder(e, &placeholder);
	return r < 0 ? r : visit(e, x, placeholder);
}

static int visit_software(struct pq_encoder *e, struct expansion *x)
{
	const struct pmuq_pmu *pmu;
	int r = pq_find_pmu(e, STR("software"), &pmu);

	return r < 0 ? r : visit(e, x, pmu);
}

/* All PMUs that have the event, or count it by its generic name. */
static int visit_event(struct pq_encoder *e, struct expansion *x, struct pq_named *named)
{
	struct pq_pmu_list list = { 0 };
	bool is_core = named->is_generic && (named->generic.kind == PQ_GENERIC_HARDWARE ||
					     named->generic.kind == PQ_GENERIC_CACHE);
	int r = 0;

	r = pq_find_event(e, named->word, &list);
	if (r < 0)
		return r;
	named->is_nowhere = !list.n;
	if (is_core)
		r = visit_core(e, x);
	if (r == 0)
		r = visit_list(e, x, list, is_core);
	if (r == 0 && named->is_generic && named->generic.kind == PQ_GENERIC_SOFTWARE)
		r = visit_software(e, x);
	return r;
}

static int pseudo_event(struct pq_encoder *e, struct pmuq_str word)
{
	return pq_fail_at(e, e->node->name_at, PMUQ_E_PSEUDO_EVENT,
			  "'%.*s' is of perf's own making: no kernel has such an event",
			  STR_ARG(word));
}

/* A bare word, or a word before a slash that names no PMU. An enum pq_resolved, or a failure. */
static int encode_event(struct pq_encoder *e, struct pmuq_str word)
{
	struct pq_named named = { .word = word, .at = e->node->name_at };
	struct expansion x = { .named = &named, .first = e->result->n };
	int r;

	named.is_generic = pq_allows(e, PMUQ_FROM_GENERIC) && pq_generic_find(word, &named.generic);
	r = visit_event(e, &x, &named);
	if (r < 0) {
		pmuq_error_free(x.first_error);
		return r;
	}
	if (x.n_tried)
		return conclude(e, &x);
	if (named.is_generic && named.generic.kind == PQ_GENERIC_PSEUDO)
		return pseudo_event(e, word);
	return PQ_UNKNOWN_NAME;
}

/* Patterns find "cpu" even where the machine shows no core PMU. */
static int visit_matching_placeholder(struct pq_encoder *e, struct expansion *x,
				      const struct pq_wildcard *wildcard,
				      const struct pmuq_pmu *except)
{
	const struct pmuq_pmu *placeholder;
	struct pq_pmu_list core;
	int r = pq_core_pmus(e, &core);

	if (r < 0 || core.n || !pq_wildcard_matches(wildcard, STR("cpu")))
		return r;
	r = pq_core_placeholder(e, &placeholder);
	return r < 0 || placeholder == except ? r : visit(e, x, placeholder);
}

/* All PMUs that the text stands for by name or alias. Where there is a PMU of just that name,
 * nobody asked for aliases, and they may not be known. */
static int visit_matching(struct pq_encoder *e, struct expansion *x, struct pmuq_str text,
			  const struct pmuq_pmu *except)
{
	struct pq_wildcard wildcard = pq_wildcard_of(text, pq_is_perf(e));
	bool is_default = str_eq(text, STR(PQ_DEFAULT_CORE));
	struct pq_pmu_list all;
	int r = e->lookup.ops->list_pmus(e->lookup.self, &all, e->reterr);

	if (r == 0)
		r = visit_matching_placeholder(e, x, &wildcard, except);
	for (size_t i = 0; r == 0 && i < all.n; i++) {
		const struct pmuq_pmu *pmu = all.v[i];

		if (pmu != except &&
		    ((is_default && pmu->is_core) || pq_wildcard_matches(&wildcard, pmu->name) ||
		     (!except && pmu->alias.n && pq_wildcard_matches(&wildcard, pmu->alias))))
			r = visit(e, x, pmu);
	}
	return r;
}

static int warn_single(struct pq_encoder *e, const struct expansion *x, struct pmuq_str text)
{
	if (x->n_tried != 1 || e->result->n == x->first || !str_has_glob(text))
		return 0;
	return pq_warn_at(e, &e->result->v[x->first], e->node->name_at, PMUQ_E_WILDCARD_OF_ONE,
			  "the pattern '%.*s' matches one PMU only, '%s'", STR_ARG(text),
			  e->result->v[x->first].on->name.p);
}

/* The PMU of that name; if it refuses the terms, or there is none, those that the name matches. */
int pq_encode_pmus(struct pq_encoder *e, struct pmuq_str text)
{
	struct expansion x = { .first = e->result->n };
	const struct pmuq_pmu *exact = NULL;
	int r = pq_find_pmu(e, text, &exact);

	if (r == 0)
		r = visit(e, &x, exact);
	if (r >= 0 && e->result->n == x.first)
		r = visit_matching(e, &x, text, exact);
	if (r < 0) {
		pmuq_error_free(x.first_error);
		return r;
	}
	if (!x.n_tried)
		return PQ_UNKNOWN_NAME;
	r = conclude(e, &x);
	return r < 0 ? r : warn_single(e, &x, text);
}

/* A name before a slash, or one with glob characters, was meant for a PMU. */
static int unknown_name(struct pq_encoder *e, struct pmuq_str word)
{
	struct pq_span at = e->node->name_at;
	int r;

	if (e->node->has_terms && str_eq(word, STR("tool")))
		return pseudo_event(e, word);
	if (e->node->has_terms && str_has_glob(word))
		r = pq_fail_at(e, at, PMUQ_E_NO_MATCH, "no PMU matches '%.*s'", STR_ARG(word));
	else if (e->node->has_terms)
		r = pq_fail_at(e, at, PMUQ_E_UNKNOWN_PMU, "no PMU or event is called '%.*s'",
			       STR_ARG(word));
	else
		r = pq_fail_at(e, at, PMUQ_E_UNKNOWN_EVENT, "no PMU has an event '%.*s'",
			       STR_ARG(word));
	pq_hint_name(e, word);
	return r;
}

/* Where a name is known to a source that was not allowed, that is what to say. */
static int check_sources(struct pq_encoder *e, struct pmuq_str word)
{
	struct pq_generic generic;
	struct pq_pmu_list list = { 0 };
	const char *source = NULL;
	int r = 0;

	if (!e->options.from)
		return 0;
	if (!pq_allows(e, PMUQ_FROM_GENERIC) && pq_generic_find(word, &generic))
		source = "generic";
	if (!pq_allows(e, PMUQ_FROM_SYSFS))
		r = e->lookup.ops->find_event(e->lookup.self, word, &list, e->reterr);
	if (r < 0)
		return r;
	if (list.n)
		source = "sysfs";
	if (!source)
		return 0;
	return pq_fail_at(e, e->node->name_at, PMUQ_E_EXCLUDED_SOURCE,
			  "'%.*s' is known to the source '%s', which is left out", STR_ARG(word),
			  source);
}

int pq_encode_name(struct pq_encoder *e)
{
	struct pmuq_str word = e->node->name;
	int r = PQ_UNKNOWN_NAME;

	if (e->node->has_terms)
		r = pq_encode_pmus(e, word);
	if (r == PQ_UNKNOWN_NAME && !str_eq(word, STR("cpu")))
		r = encode_event(e, word);
	if (r != PQ_UNKNOWN_NAME)
		return r;
	r = check_sources(e, word);
	if (r == 0)
		r = e->node->has_terms ? PQ_UNKNOWN_NAME : pq_encode_pfm_else(e);
	return r == PQ_UNKNOWN_NAME ? unknown_name(e, word) : r;
}
