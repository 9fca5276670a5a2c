/* SPDX-License-Identifier: MIT */
/*
 * What one keyword does to an encoding: checks its value and sets it. apply_terms.c handles generic
 * events by number, limit_cpus.c handles cpu=.
 */
#include "core/flags.h"
#include "core/num.h"
#include "encode/attr/apply.h"

static int expected_number(const struct pq_encoder *e, const struct pq_term *term)
{
	return pq_fail_at(e, term->value_at, PMUQ_E_EXPECTED_NUMBER,
			  "'%.*s' takes a number, not '%.*s'", STR_ARG(term->key),
			  STR_ARG(term->value));
}

static bool has_number(const struct pq_term *term)
{
	return term->type == PQ_VALUE_NONE || term->type == PQ_VALUE_NUMBER;
}

static uint64_t number_of(const struct pq_term *term)
{
	return term->type == PQ_VALUE_NONE ? 1 : term->number;
}

/* What a limit is compared with: perf reads some values as 32 bits. */
static uint64_t compared_value(const struct pq_encoder *e, const struct pq_keyword *keyword,
			       uint64_t value)
{
	bool is_cut = keyword->value == PQ_TAKES_LOW_BOOL || keyword->value == PQ_TAKES_LOW_U32;

	return is_cut && pq_is_perf(e) ? (uint32_t)value : value;
}

int pq_keyword_number(const struct pq_encoder *e, const struct pq_keyword *keyword,
		      const struct pq_term *term, uint64_t *ret)
{
	uint64_t value = number_of(term);
	struct pq_span at = term->type == PQ_VALUE_NONE ? term->at : term->value_at;

	if (!has_number(term))
		return expected_number(e, term);
	switch (keyword->value) {
	case PQ_TAKES_BOOL:
	case PQ_TAKES_LOW_BOOL:
		if (compared_value(e, keyword, value) > 1)
			return pq_fail_at(e, at, PMUQ_E_BAD_VALUE, "'%.*s' takes 0 or 1",
					  STR_ARG(term->key));
		*ret = value != 0;
		return 0;
	case PQ_TAKES_FLAG:
		*ret = value != 0;
		return 0;
	case PQ_TAKES_U32:
	case PQ_TAKES_LOW_U32:
		*ret = compared_value(e, keyword, value);
		return *ret <= UINT32_MAX
			       ? 0
			       : pq_fail_at(e, at, PMUQ_E_BAD_VALUE,
					    "'%.*s' takes at most 0xffffffff", STR_ARG(term->key));
	default:
		*ret = value;
		return 0;
	}
}

static int expect_word(const struct pq_encoder *e, const struct pq_term *term)
{
	bool has_value = term->type != PQ_VALUE_NONE;
	int r;

	if (term->type == PQ_VALUE_WORD || term->type == PQ_VALUE_PARAMETER)
		return 0;
	r = pq_fail_at(e, has_value ? term->value_at : term->at, PMUQ_E_EXPECTED_STRING,
		       "'%.*s' takes a word%s", STR_ARG(term->key),
		       has_value ? ", not a number" : ", and has no value");
	if (has_value)
		pq_error_hint(e->reterr, "digits in single quotes are a word: %.*s='%.*s'",
			      STR_ARG(term->key), STR_ARG(term->value));
	return r;
}

/* A decimal number above zero, such as 0.5, which the scanner takes for a word. */
static int expect_ratio(const struct pq_encoder *e, const struct pq_term *term)
{
	int r = expect_word(e, term);

	if (r < 0)
		return r;
	if (char_is_digit(term->value.p[0]) &&
	    !(str_eq(pq_num_scale_text(term->value), STR("1")) && term->value.p[0] != '1'))
		return 0;
	return pq_fail_at(e, term->value_at, PMUQ_E_BAD_VALUE,
			  "'%.*s' takes a number above zero, as in 0.5", STR_ARG(term->key));
}

/* The value as tools get it: the number in decimal, or the word. */
static int apply_tool_term(const struct pq_encoder *e, const struct pq_binding *binding,
			   struct pq_encoding *encoding)
{
	static const struct pq_span nowhere;
	const struct pq_keyword *keyword = binding->keyword;
	const struct pq_term *term = binding->term;
	struct pq_span at = pq_is_of_event(binding) ? nowhere : pq_term_span(term, e->input);
	const char *name = pq_keyword_sets(keyword)->name.p;
	uint64_t value = 0;
	int r;

	if (keyword->value == PQ_TAKES_WORD || keyword->value == PQ_TAKES_RATIO) {
		r = keyword->value == PQ_TAKES_RATIO ? expect_ratio(e, term) : expect_word(e, term);
		if (r == 0)
			pq_add_tool_term(e, encoding, name, term->value, at, false);
		return r;
	}
	r = pq_keyword_number(e, keyword, term, &value);
	if (r == 0)
		pq_add_tool_number(e, encoding, name, keyword->is_opposite ? !value : value, at);
	return r;
}

/* ------------------------------------------------------------------------------- branch_type= */

/* FILTER { "," FILTER }: all their bits; "no" must be the only one. False, and the filter, if one
 * is unknown or must not be there. */
static bool read_filters(struct pmuq_str text, uint64_t *ret, struct pmuq_str *ret_bad)
{
	bool is_list = memchr(text.p, ',', text.n);
	struct pmuq_str rest = text, filter;

	for (*ret = 0; rest.p;) {
		const char *comma = memchr(rest.p, ',', rest.n);
		uint64_t bits;

		filter = str_part(rest, 0, comma ? (size_t)(comma - rest.p) : rest.n);
		*ret_bad = filter;
		if (!pq_branch_filter_find(filter, &bits) || (is_list && !bits))
			return false;
		*ret |= bits;
		rest = comma ? str_part(rest, filter.n + 1, rest.n) : (struct pmuq_str){ 0 };
	}
	return true;
}

/* "no" is known, but must be the only one. */
static int bad_filter(const struct pq_encoder *e, const struct pq_term *term,
		      struct pmuq_str filter)
{
	struct pq_buf list = PQ_BUF_NULL;
	struct pq_span at = { .offset =
				      term->value_at.offset + (uint32_t)(filter.p - term->value.p),
			      .length = (uint32_t)filter.n };
	bool is_known = pq_branch_filter_find(filter, &(uint64_t){ 0 });
	int r = pq_fail_at(e, at, PMUQ_E_BAD_BRANCH_TYPE,
			   is_known ? "'%.*s' cannot be next to other filters"
				    : "'%.*s' is not a branch filter",
			   STR_ARG(filter));

	if (!e->reterr || is_known)
		return r;
	pq_buf_add(&list, STR("filters: "));
	for (size_t i = 0, start = list.n; pq_branch_filter_at(i).n; i++)
		pq_buf_list(&list, start, pq_branch_filter_at(i));
	pq_error_hint_buf(e->reterr, &list);
	return r;
}

/* A level (u, k, hv) alone means: all branches of that level. */
static void assign_filters(const struct pq_encoder *e, const struct pq_bindings *b,
			   const struct pq_binding *binding, uint64_t bits,
			   struct pq_encoding *encoding)
{
	uint64_t all = encoding->attr.branch_sample_type | bits;
	bool are_levels = !(all & ~(uint64_t)PQ_BRANCH_LEVELS);

	if (bits)
		pq_assign(e, encoding, PQ_FIELD_branch_sample_type,
			  are_levels ? PQ_ASSIGN_REPLACES : PQ_ASSIGN_ORS,
			  are_levels ? PQ_WHOLE_FIELD : bits, are_levels ? PQ_BRANCH_ANY : bits,
			  pq_cause_binding(b, binding));
}

/* branch_type= is in the attr, and also a tool term: a sampling tool must know that branches are
 * wanted. */
static int apply_branch_type(const struct pq_encoder *e, const struct pq_bindings *b,
			     const struct pq_binding *binding, struct pq_encoding *encoding)
{
	const struct pq_term *term = binding->term;
	struct pmuq_str bad;
	uint64_t bits;
	int r = expect_word(e, term);

	if (r < 0)
		return r;
	if (!read_filters(term->value, &bits, &bad))
		return bad_filter(e, term, bad);
	assign_filters(e, b, binding, bits, encoding);
	return apply_tool_term(e, binding, encoding);
}

void pq_repeat_branch_types(const struct pq_encoder *e, const struct pq_bindings *b,
			    struct pq_encoding *encoding)
{
	for (size_t i = 0; i < b->n; i++) {
		const struct pq_binding *binding = &b->v[i];
		struct pmuq_str bad;
		uint64_t bits;

		if (binding->role == PQ_ROLE_KEYWORD &&
		    binding->keyword->effect == PQ_SETS_BRANCH_TYPE &&
		    read_filters(binding->term->value, &bits, &bad) &&
		    bits & ~encoding->attr.branch_sample_type)
			assign_filters(e, b, binding, bits, encoding);
	}
}

/* ---------------------------------------------------------------------------------- all others */

/* perf keeps the first of several names. */
static bool is_named(const struct pq_bindings *b, const struct pq_binding *binding)
{
	for (const struct pq_binding *earlier = b->v; earlier < binding; earlier++)
		if (earlier->role == PQ_ROLE_KEYWORD && earlier->keyword == binding->keyword)
			return true;
	return false;
}

static int apply_name(const struct pq_encoder *e, const struct pq_bindings *b,
		      const struct pq_binding *binding, struct pq_encoding *encoding)
{
	const struct pq_term *term = binding->term;
	int r = expect_word(e, term);

	if (r == 0 && !is_named(b, binding))
		encoding->record.name = pq_keep_str(e, term->value);
	return r;
}

static int apply_config(const struct pq_encoder *e, const struct pq_bindings *b,
			const struct pq_binding *binding, struct pq_encoding *encoding)
{
	uint64_t value = 0;
	int r = pq_keyword_number(e, binding->keyword, binding->term, &value);

	if (r == 0)
		pq_assign_config(e, encoding, binding->keyword->word, PQ_ASSIGN_REPLACES,
				 PQ_WHOLE_FIELD, value, pq_cause_binding(b, binding));
	return r;
}

static bool is_for_samplers(const struct pq_keyword *keyword)
{
	return keyword->effect == PQ_IS_FOR_SAMPLER || keyword->effect == PQ_SETS_BRANCH_TYPE;
}

/* A tool that counts has no use for terms of sampling, and perf stat refuses them. */
static int refuse_sampling(const struct pq_encoder *e, const struct pq_term *term)
{
	struct pq_buf list = PQ_BUF_NULL;
	const struct pq_keyword *keyword;
	int r = pq_fail_at(e, term->at, PMUQ_E_NOT_USABLE_HERE,
			   "'%.*s' is for sampling: perf stat refuses it", STR_ARG(term->key));

	if (!e->reterr)
		return r;
	pq_buf_add(&list, STR("perf stat takes: "));
	for (size_t i = 0, start = list.n; (keyword = pq_keyword_at(i)); i++)
		if (!is_for_samplers(keyword))
			pq_buf_list(&list, start, keyword->name);
	pq_error_hint_buf(e->reterr, &list);
	return r;
}

int pq_apply_keyword(const struct pq_encoder *e, const struct pq_bindings *b,
		     const struct pq_binding *binding, struct pq_encoding *encoding)
{
	if (e->options->preset == PMUQ_PRESET_STAT && is_for_samplers(binding->keyword))
		return refuse_sampling(e, binding->term);
	switch (binding->keyword->effect) {
	case PQ_SETS_CONFIG:
		return apply_config(e, b, binding, encoding);
	case PQ_SETS_NAME:
		return apply_name(e, b, binding, encoding);
	case PQ_SETS_BRANCH_TYPE:
		return apply_branch_type(e, b, binding, encoding);
	case PQ_IS_FOR_TOOL:
	case PQ_IS_FOR_SAMPLER:
		return apply_tool_term(e, binding, encoding);
	case PQ_SETS_HARDWARE: /* apply_terms.c */
	case PQ_SETS_CACHE:
	case PQ_SETS_CPUS: /* limit_cpus.c applies all of them together */
		break;
	}
	return 0;
}

void pq_keep_overridden(const struct pq_encoder *e, const struct pq_bindings *b,
			const struct pq_binding *binding, struct pq_encoding *encoding)
{
	const struct pq_term *term = binding->term;
	struct pmuq_str bad;
	uint64_t bits;

	if (binding->keyword->effect == PQ_SETS_BRANCH_TYPE &&
	    read_filters(term->value, &bits, &bad))
		pq_assign(e, encoding, PQ_FIELD_branch_sample_type, PQ_ASSIGN_IS_OVERRIDDEN, bits,
			  bits, pq_cause_binding(b, binding));
	else if ((binding->keyword->effect == PQ_SETS_CONFIG || pq_is_generic(binding)) &&
		 has_number(term))
		pq_assign_config(e, encoding, binding->keyword->word, PQ_ASSIGN_IS_OVERRIDDEN,
				 PQ_WHOLE_FIELD, number_of(term), pq_cause_binding(b, binding));
}
