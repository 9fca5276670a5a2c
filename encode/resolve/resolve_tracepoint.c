/* SPDX-License-Identifier: MIT */
/* SUBSYSTEM:NAME, both possibly patterns: one encoding for each tracepoint that matches. A
 * tracepoint takes few terms, and no formats. */
#include "core/flags.h"
#include "encode/attr/apply.h"
#include "encode/hint/hint.h"
#include "encode/resolve/resolve.h"

static int fail_term(const struct pq_encoder *e, const struct pq_term *term)
{
	struct pq_buf list = PQ_BUF_NULL;
	const struct pq_keyword *keyword;
	int r = pq_fail_at(e, term->at, PMUQ_E_NOT_USABLE_HERE,
			   "'%.*s' has no meaning for a tracepoint",
			   STR_ARG(pq_input_at(e, term->at)));

	if (!e->reterr)
		return r;
	pq_buf_add(&list, STR("terms of a tracepoint: "));
	for (size_t i = 0, start = list.n; (keyword = pq_keyword_at(i)); i++)
		if (keyword->is_for_tracepoints)
			pq_buf_list(&list, start, keyword->name);
	pq_error_hint_buf(e->reterr, &list);
	return r;
}

static int bind_terms(const struct pq_encoder *e, struct pq_bindings *b)
{
	int r = 0;

	for (const struct pq_term *term = e->node->terms; r == 0 && term; term = term->next) {
		const struct pq_keyword *keyword = pq_keyword_of(term);

		if (!keyword || term->is_raw || !keyword->is_for_tracepoints)
			return fail_term(e, term);
		r = pq_bind_keyword(e, b, term, keyword);
	}
	return r < 0 ? r : pq_merge(e, b);
}

static struct pmuq_str name_of(const struct pq_encoder *e, const struct pmuq_tracepoint *tracepoint)
{
	struct pq_buf name = PQ_BUF_IN(e->arena);

	pq_buf_add(&name, tracepoint->subsystem);
	pq_buf_char(&name, ':', 1);
	pq_buf_add(&name, tracepoint->name);
	return pq_buf_take_str(&name);
}

/* SUBSYSTEM:NAME as one word. */
static struct pq_span whole_name(const struct pq_encoder *e)
{
	struct pq_span at = e->node->name_at, name = e->node->tracepoint_at;

	at.length = name.offset + name.length - at.offset;
	return at;
}

static void assign(const struct pq_encoder *e, const struct pmuq_tracepoint *tracepoint,
		   struct pq_encoding *encoding)
{
	struct pmuq_str term = encoding->record.name;
	struct pq_span at = whole_name(e);

	pq_assign_all(e, encoding, PQ_FIELD_type, PQ_TYPE_TRACEPOINT, pq_cause_text(term, at));
	pq_assign_all(e, encoding, PQ_FIELD_config, tracepoint->id, pq_cause_text(term, at));
	if (!pq_is_perf(e))
		return;
	pq_assign_all(e, encoding, PQ_FIELD_sample_type, PQ_SAMPLE_TRACEPOINT,
		      pq_cause_default(term));
	pq_assign_all(e, encoding, PQ_FIELD_sample_period, 1, pq_cause_default(term));
}

static int encode_one(const struct pq_encoder *e, struct pq_bindings *b,
		      const struct pmuq_tracepoint *tracepoint)
{
	struct pq_encoding *encoding;
	int r = pq_encoding_new(e, b->pmu, &encoding);

	if (r < 0)
		return r;
	encoding->record.origin = PMUQ_FROM_TRACEPOINT;
	encoding->record.name = name_of(e, tracepoint);
	e->facts->failed |= !encoding->record.name.p;
	assign(e, tracepoint, encoding);
	r = pq_apply_words(e, b, encoding);
	if (r == 0)
		r = pq_finish(e, encoding);
	if (r == 0)
		e->result->n++;
	return r;
}

static int unknown_tracepoint(const struct pq_encoder *e)
{
	struct pmuq_str name = e->node->tracepoint;
	struct pq_modifiers modifiers;
	int r;

	/* The parser does not take so many letters for modifiers; one of them is repeated. */
	if (name.n > PQ_MODIFIERS_MAX && pq_modifier_are_letters(name))
		return pq_modifiers_parse(name, e->node->tracepoint_at, false, &modifiers,
					  e->reterr);
	r = pq_fail(e->reterr, PMUQ_E_UNKNOWN_TRACEPOINT, "no tracepoint is called '%.*s:%.*s'",
		    STR_ARG(e->node->name), STR_ARG(name));
	pq_hint_tracepoint(e, e->node->name, name);
	/* Unless the hint is about one half. */
	pq_error_at(e->reterr, whole_name(e));
	return r;
}

static int encode_globbed(const struct pq_encoder *e, struct pq_bindings *b)
{
	struct pq_tracepoint_list list;
	int r = pq_query(e, list_tracepoints, e->scratch, e->node->name, e->node->tracepoint,
			 &list);

	if (r == 0)
		r = list.n ? bind_terms(e, b) : unknown_tracepoint(e);
	for (size_t i = 0; r == 0 && i < list.n; i++)
		r = encode_one(e, b, list.v[i]);
	return r;
}

int pq_encode_tracepoint(const struct pq_encoder *e)
{
	struct pmuq_tracepoint tracepoint = { .subsystem = e->node->name,
					      .name = e->node->tracepoint };
	struct pq_bindings b = { 0 };
	int r = pq_find_pmu(e, STR("tracepoint"), &b.pmu);

	if (r == 0)
		r = pq_lookup_fill(e, b.pmu);
	if (r < 0)
		return r;
	if (str_has_glob(e->node->name) || str_has_glob(e->node->tracepoint))
		return encode_globbed(e, &b);
	r = pq_query(e, tracepoint, tracepoint.subsystem, tracepoint.name, &tracepoint.id);
	if (r < 0)
		return r;
	if (r == 0) {
		r = bind_terms(e, &b);
		return r < 0 ? r : encode_one(e, &b, &tracepoint);
	}
	/* A libpfm4 name, EVENT:UMASK, looks the same. */
	r = e->node->has_terms ? PQ_UNKNOWN_NAME : pq_encode_pfm_else(e);
	return r == PQ_UNKNOWN_NAME ? unknown_tracepoint(e) : r;
}
