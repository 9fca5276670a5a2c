/* SPDX-License-Identifier: MIT */
/*
 * NAME and NAME/terms/: finds the PMUs of the name, and has the event encoded on each (expand.c).
 * NAME/…/ is a PMU, else a pattern or the common part of several PMUs' names, else an event.
 */
#include "core/instance.h"
#include "core/vendor/vendor_table.h"
#include "encode/hint/hint.h"
#include "encode/resolve/expand.h"
#include "encode/resolve/resolve.h"

/* Every core PMU counts generic hardware events, with or without a file for them. */
static int visit_core(const struct pq_encoder *e, struct pq_expansion *x)
{
	const struct pmuq_pmu *placeholder;
	struct pq_pmu_list core;
	int r = pq_core_pmus(e, &core);

	if (r < 0)
		return r;
	if (core.n)
		return pq_expand_on_list(e, x, core, false);
	r = pq_core_placeholder(e, &placeholder);
	return r < 0 ? r : pq_expand_on(e, x, placeholder);
}

/* Unless it is one of the PMUs with an event of that name, which were visited. */
static int visit_software(const struct pq_encoder *e, struct pq_expansion *x,
			  struct pq_pmu_list visited)
{
	const struct pmuq_pmu *pmu;
	int r = pq_find_pmu(e, STR("software"), &pmu);

	for (size_t i = 0; r == 0 && i < visited.n; i++)
		if (visited.v[i] == pmu)
			return 0;
	return r < 0 ? r : pq_expand_on(e, x, pmu);
}

/* Whether it is a generic event of core PMUs. */
static bool is_of_core(const struct pq_named *named)
{
	return named->is_generic && (named->generic.type == PQ_GENERIC_HARDWARE ||
				     named->generic.type == PQ_GENERIC_CACHE);
}

/* All PMUs that have the event, or that count the generic event of that name. */
static int visit_event(const struct pq_encoder *e, struct pq_expansion *x, struct pq_named *named)
{
	struct pq_pmu_list list = { 0 };
	bool is_core = is_of_core(named);
	int r = 0;

	r = pq_find_event(e, named->word, &list);
	if (r < 0)
		return r;
	named->is_nowhere = !list.n;
	named->is_alone = named->is_generic && !list.n && !e->node->terms && !pq_is_perf(e) &&
			  !pq_is_explained(e);
	if (is_core)
		r = visit_core(e, x);
	if (r == 0 && list.n)
		r = pq_expand_on_list(e, x, list, is_core);
	if (r == 0 && named->is_generic && named->generic.type == PQ_GENERIC_SOFTWARE)
		r = visit_software(e, x, list);
	return r;
}

/* cycles may also be an event of an interconnect. */
PQ_COLD static int warn_uncore(const struct pq_encoder *e, size_t first)
{
	int r = 0;

	for (size_t i = first; r == 0 && i < e->result->n; i++) {
		struct pq_encoding *encoding = &e->result->v[i];

		if (encoding->on->is_uncore)
			r = pq_warn_at(e, encoding, e->node->name_at, PMUQ_E_ALSO_UNCORE,
				       "'%.*s' is also an event of uncore PMUs; PMU/%.*s/ is that "
				       "of one PMU",
				       STR_ARG(e->node->name), STR_ARG(e->node->name));
	}
	return r;
}

PQ_COLD static int pseudo_event(const struct pq_encoder *e, struct pmuq_str word)
{
	return pq_fail_at(e, e->node->name_at, PMUQ_E_PSEUDO_EVENT,
			  "'%.*s' is computed by perf itself: the kernel has no such event",
			  STR_ARG(word));
}

/* A bare word, or a word before a slash that names no PMU. An enum pq_resolved, or a failure. */
static int encode_event(const struct pq_encoder *e, struct pmuq_str word)
{
	struct pq_named named = { .word = word, .at = e->node->name_at };
	PQ_CLEAR_EXPANSION struct pq_expansion x = { .named = &named, .first = e->result->n };
	int r;

	named.is_generic = pq_allows(e, PMUQ_FROM_GENERIC) && pq_generic_find(word, &named.generic);
	r = visit_event(e, &x, &named);
	if (r < 0)
		return r;
	if (x.n_tried) {
		r = pq_expand_end(e, &x);
		return r == 0 && !named.is_nowhere && is_of_core(&named) ? warn_uncore(e, x.first)
									 : r;
	}
	/* All other generic events were tried on a PMU, or on a placeholder. */
	return named.is_generic ? pseudo_event(e, word) : PQ_UNKNOWN_NAME;
}

struct pq_wildcard pq_wildcard_of(struct pmuq_str text, bool is_perf)
{
	bool has_glob = str_has_glob(text);

	return (struct pq_wildcard){
		.text = has_glob && !is_perf ? text : pq_without_uncore(text),
		.has_glob = has_glob,
		.keeps_uncore = has_glob && !is_perf,
	};
}

bool pq_wildcard_matches(const struct pq_wildcard *wildcard, struct pmuq_str name)
{
	struct pmuq_str text = wildcard->text;

	if (!wildcard->keeps_uncore)
		name = pq_without_uncore(name);
	if (wildcard->has_glob)
		return str_glob(text, name);
	return name.n >= text.n && str_starts(name, text) &&
	       pq_instance_is_suffix(str_part(name, text.n, name.n));
}

/* Patterns match "cpu" even if the machine shows no core PMU. */
PQ_COLD static int visit_matching_placeholder(const struct pq_encoder *e, struct pq_expansion *x,
					      const struct pq_wildcard *wildcard,
					      const struct pmuq_pmu *except)
{
	const struct pmuq_pmu *placeholder;
	struct pq_pmu_list core;
	int r = pq_core_pmus(e, &core);

	if (r < 0 || core.n || !pq_wildcard_matches(wildcard, STR("cpu")))
		return r;
	r = pq_core_placeholder(e, &placeholder);
	return r < 0 || placeholder == except ? r : pq_expand_on(e, x, placeholder);
}

/* All PMUs whose name or alias the text matches. If there is a PMU of exactly that name, aliases
 * are not tried: they may not be loaded. */
static int visit_matching(const struct pq_encoder *e, struct pq_expansion *x, struct pmuq_str text,
			  const struct pmuq_pmu *except)
{
	struct pq_wildcard wildcard = pq_wildcard_of(text, pq_is_perf(e));
	bool is_default = str_eq(text, STR(PQ_DEFAULT_CORE));
	struct pq_pmu_list all;
	int r = pq_query(e, list_pmus, &all);

	if (r == 0)
		r = visit_matching_placeholder(e, x, &wildcard, except);
	for (size_t i = 0; r == 0 && i < all.n; i++) {
		const struct pmuq_pmu *pmu = all.v[i];

		if (pmu != except &&
		    ((is_default && pmu->is_core) || pq_wildcard_matches(&wildcard, pmu->name) ||
		     (!except && pmu->alias.n && pq_wildcard_matches(&wildcard, pmu->alias))))
			r = pq_expand_on(e, x, pmu);
	}
	return r;
}

PQ_COLD static int warn_single(const struct pq_encoder *e, const struct pq_expansion *x,
			       struct pmuq_str text)
{
	if (x->n_tried != 1 || e->result->n == x->first || !str_has_glob(text))
		return 0;
	return pq_warn_at(e, &e->result->v[x->first], e->node->name_at, PMUQ_E_WILDCARD_OF_ONE,
			  "the pattern '%.*s' matches one PMU only, '%s'", STR_ARG(text),
			  e->result->v[x->first].on->name.p);
}

/* The PMU of that name; if it rejects the terms, or does not exist, the PMUs that the name
 * matches. */
int pq_encode_pmus(const struct pq_encoder *e, struct pmuq_str text)
{
	PQ_CLEAR_EXPANSION struct pq_expansion x = { .first = e->result->n };
	const struct pmuq_pmu *exact = NULL;
	int r = pq_find_pmu(e, text, &exact);

	if (r == 0)
		r = pq_expand_on(e, &x, exact);
	if (r >= 0 && e->result->n == x.first)
		r = visit_matching(e, &x, text, exact);
	if (r < 0)
		return r;
	if (!x.n_tried)
		return PQ_UNKNOWN_NAME;
	r = pq_expand_end(e, &x);
	return r < 0 ? r : warn_single(e, &x, text);
}

/* "cpu" alone is not an event; a virtual machine may have no such PMU, either. */
PQ_COLD static int not_an_event(const struct pq_encoder *e, struct pmuq_str word)
{
	struct pq_pmu_list core = { .n = 1 };
	int r = str_eq(word, STR("cpu")) ? pq_core_pmus(e, &core) : 0;

	if (r < 0)
		return r;
	if (!core.n)
		return pq_fail_at(e, e->node->name_at, PMUQ_E_UNKNOWN_PMU,
				  "this machine has no core PMU");
	return pq_fail_at(e, e->node->name_at, PMUQ_E_UNKNOWN_EVENT, "no PMU has an event '%.*s'",
			  STR_ARG(word));
}

/* The user meant a PMU by a name before a slash, or by one with glob characters. */
PQ_COLD static int unknown_name(const struct pq_encoder *e, struct pmuq_str word)
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
		r = not_an_event(e, word);
	pq_hint_name(e, word);
	return r;
}

/* An event of the CPU's tables whose PMU this machine does not show; PQ_NONE for other names. */
PQ_COLD static int absent_event(const struct pq_encoder *e, struct pmuq_str word)
{
	struct pq_vendor_list events = { 0 };
	int r = pq_tables(e) ? pq_vendor_find(pq_tables(e), word, &events, e->reterr) : 0;

	if (r < 0)
		return r;
	return events.n ? pq_fail_absent(e, e->node->name_at, events.v[0].record.pmu, word)
			: PQ_NONE;
}

int pq_encode_name(const struct pq_encoder *e)
{
	struct pmuq_str word = e->node->name;
	int r = PQ_UNKNOWN_NAME;

	if (e->node->has_terms)
		r = pq_encode_pmus(e, word);
	if (r == PQ_UNKNOWN_NAME && !str_eq(word, STR("cpu")))
		r = encode_event(e, word);
	if (r != PQ_UNKNOWN_NAME)
		return r;
	r = pq_check_sources(e, NULL, word, e->node->name_at);
	if (r == 0)
		r = e->node->has_terms ? PQ_UNKNOWN_NAME : pq_encode_pfm_else(e);
	if (r == PQ_UNKNOWN_NAME)
		r = absent_event(e, word);
	return r == PQ_NONE ? unknown_name(e, word) : r;
}
