/* SPDX-License-Identifier: MIT */
/* What each keyword does to an encoding, and the modifiers of its event. */
#include "core/cpulist.h"
#include "core/flags.h"
#include "core/num.h"
#include "encode/encoder.h"

static int expected_number(struct pq_encoder *e, const struct pq_term *term)
{
	return pq_fail_at(e, term->value_at, PMUQ_E_EXPECTED_NUMBER,
			  "'%.*s' takes a number, not '%.*s'", STR_ARG(term->key),
			  STR_ARG(term->value));
}

int pq_keyword_number(struct pq_encoder *e, const struct pq_keyword *keyword,
		      const struct pq_term *term, uint64_t *ret)
{
	uint64_t value = term->kind == PQ_VALUE_NONE ? 1 : term->number;
	struct pq_span at = term->kind == PQ_VALUE_NONE ? term->at : term->value_at;

	if (term->kind == PQ_VALUE_WORD || term->kind == PQ_VALUE_PARAMETER)
		return expected_number(e, term);
	if (keyword->value == PQ_TAKES_LOW_BOOL && pq_is_perf(e))
		value &= UINT32_MAX;
	if ((keyword->value == PQ_TAKES_BOOL || keyword->value == PQ_TAKES_LOW_BOOL) && value > 1)
		return pq_fail_at(e, at, PMUQ_E_BAD_VALUE, "'%.*s' takes 0 or 1",
				  STR_ARG(term->key));
	if (keyword->value == PQ_TAKES_U32 && value > UINT32_MAX)
		return pq_fail_at(e, at, PMUQ_E_BAD_VALUE, "'%.*s' takes at most 0xffffffff",
				  STR_ARG(term->key));
	*ret = value;
	return 0;
}

static int expect_word(struct pq_encoder *e, const struct pq_term *term)
{
	bool has_value = term->kind != PQ_VALUE_NONE;
	int r;

	if (term->kind == PQ_VALUE_WORD || term->kind == PQ_VALUE_PARAMETER)
		return 0;
	r = pq_fail_at(e, has_value ? term->value_at : term->at, PMUQ_E_EXPECTED_STRING,
		       "'%.*s' takes a word%s", STR_ARG(term->key),
		       has_value ? ", not a number" : ", and has no value");
	if (has_value)
		pq_error_hint(e->reterr, "digits in single quotes are a word: %.*s='%.*s'",
			      STR_ARG(term->key), STR_ARG(term->value));
	return r;
}

int pq_defer(struct pq_encoder *e, struct pmuq_encoding *encoding, const char *name,
	     struct pmuq_str text, struct pq_span at, bool is_number)
{
	struct pq_deferred *deferred = pq_arena_zero(e->arena, sizeof(*deferred));
	struct pmuq_str copy = pq_arena_str(e->arena, text);
	struct pq_deferred **tail = &encoding->deferred;

	if (!deferred || !copy.p)
		return pq_fail_memory(e->reterr);
	*deferred = (struct pq_deferred){
		.name = name, .text = copy.p, .at = at, .is_number = is_number
	};
	/* A later value takes the place of an earlier one, as in perf. */
	while (*tail && strcmp((*tail)->name, name))
		tail = &(*tail)->next;
	deferred->next = *tail ? (*tail)->next : NULL;
	*tail = deferred;
	return 0;
}

#define DIGITS_MAX 20

static struct pmuq_str print_decimal(uint64_t value, char (*digits)[DIGITS_MAX])
{
	size_t at = DIGITS_MAX;

	do {
		(*digits)[--at] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	return (struct pmuq_str){ .p = *digits + at, .n = DIGITS_MAX - at };
}

static int defer_number(struct pq_encoder *e, struct pmuq_encoding *encoding, const char *name,
			uint64_t value, struct pq_span at)
{
	char digits[DIGITS_MAX];

	return pq_defer(e, encoding, name, print_decimal(value, &digits), at, true);
}

static int defer_term(struct pq_encoder *e, const struct pq_keyword *keyword,
		      const struct pq_term *term, struct pmuq_encoding *encoding)
{
	uint64_t value = 0;
	int r;

	if (keyword->value == PQ_TAKES_WORD) {
		r = expect_word(e, term);
		return r < 0 ? r
			     : pq_defer(e, encoding, keyword->deferred, term->value, term->value_at,
					false);
	}
	r = pq_keyword_number(e, keyword, term, &value);
	if (r < 0)
		return r;
	return defer_number(e, encoding, keyword->deferred,
			    keyword->effect == PQ_DEFERS_NEGATED ? !value : value, term->value_at);
}

/* ratio-to-prev= is the one word that must be a positive number with a point. */
static int check_ratio(struct pq_encoder *e, const struct pq_term *term)
{
	int r = expect_word(e, term);

	if (r < 0)
		return r;
	if (char_is_digit(term->value.p[0]) &&
	    !(str_eq(pq_num_scale_text(term->value), STR("1")) && term->value.p[0] != '1'))
		return 0;
	return pq_fail_at(e, term->value_at, PMUQ_E_BAD_VALUE,
			  "'ratio-to-prev' takes a number above zero, as in 0.5");
}

static int unknown_filter(struct pq_encoder *e, const struct pq_term *term, struct pmuq_str filter)
{
	struct pq_buf list = PQ_BUF_NULL;
	struct pq_span at = { .offset =
				      term->value_at.offset + (uint32_t)(filter.p - term->value.p),
			      .length = (uint32_t)filter.n };
	int r = pq_fail_at(e, at, PMUQ_E_BAD_BRANCH_TYPE, "'%.*s' is no branch filter",
			   STR_ARG(filter));

	if (!e->reterr)
		return r;
	pq_buf_add(&list, STR("filters: "));
	for (size_t i = 0, start = list.n; pq_branch_filter_at(i).n; i++)
		pq_buf_list(&list, start, pq_branch_filter_at(i));
	pq_error_hint_buf(e->reterr, &list);
	return r;
}

/* FILTER { "," FILTER }: their bits together. "no" stands alone. */
static int branch_bits(struct pq_encoder *e, const struct pq_term *term, uint64_t *ret)
{
	struct pmuq_str rest = term->value, filter;
	bool is_list = memchr(rest.p, ',', rest.n);

	for (*ret = 0; rest.p;) {
		const char *comma = memchr(rest.p, ',', rest.n);
		uint64_t bits;

		filter = str_part(rest, 0, comma ? (size_t)(comma - rest.p) : rest.n);
		if (!pq_branch_filter_find(filter, &bits) || (is_list && !bits))
			return unknown_filter(e, term, filter);
		*ret |= bits;
		rest = comma ? str_part(rest, filter.n + 1, rest.n) : (struct pmuq_str){ 0 };
	}
	return 0;
}

/* Who is asked for alone means: all of their branches. */
static int apply_branch_type(struct pq_encoder *e, const struct pq_term *term,
			     struct pmuq_encoding *encoding)
{
	uint64_t bits = 0, *all;
	int r = expect_word(e, term);

	if (r < 0)
		return r;
	r = branch_bits(e, term, &bits);
	if (r < 0)
		return r;
	all = &encoding->attr.branch_sample_type;
	*all |= bits;
	if (bits && !(*all & ~(uint64_t)PQ_BRANCH_LEVELS))
		*all = PQ_BRANCH_ANY;
	return pq_defer(e, encoding, "branch_type", term->value, term->value_at, false);
}

static int bad_cpu(struct pq_encoder *e, const struct pq_term *term)
{
	int r = pq_fail_at(e, term->kind == PQ_VALUE_NONE ? term->at : term->value_at,
			   PMUQ_E_BAD_VALUE, "'cpu' takes a CPU that is present, a list, or a PMU");
	struct pmuq_str present = { 0 };

	if (e->reterr &&
	    e->lookup.ops->fact(e->lookup.self, PQ_CLASS_CPUS_PRESENT, &present, NULL) == 0)
		pq_error_hint(e->reterr, "CPUs of this machine: %s", present.p);
	return r;
}

/* The CPUs that a value of cpu= names: of a PMU, of a list, or one by its number. */
static int named_cpus(struct pq_encoder *e, const struct pq_term *term, struct pq_cpus *ret)
{
	const struct pmuq_pmu *pmu;
	uint64_t number = term->kind == PQ_VALUE_NONE ? 1 : term->number;
	struct pmuq_str present = { 0 };
	char digits[DIGITS_MAX];
	struct pq_cpus all = { 0 };
	int r;

	if (term->kind == PQ_VALUE_WORD) {
		r = pq_find_pmu(e, term->value, &pmu);
		if (r == 0)
			r = pq_ask_fill(e, pmu);
		if (r < 0)
			return r;
		if (r == 0)
			return pq_cpus_parse(e->scratch, pmu->cpus, ret) ? 0 : bad_cpu(e, term);
		return pq_cpus_parse(e->scratch, term->value, ret) && ret->n_words
			       ? 0
			       : bad_cpu(e, term);
	}
	r = e->lookup.ops->fact(e->lookup.self, PQ_CLASS_CPUS_PRESENT, &present, e->reterr);
	if (r == PQ_NONE)
		r = pq_online_cpus(e, &present);
	if (r < 0)
		return r;
	if (term->kind == PQ_VALUE_PARAMETER || !pq_cpus_parse(e->scratch, present, &all) ||
	    number >= all.n_words * 64 || pq_cpus_next(&all, (unsigned)number) == PQ_CPUS_MAX)
		return bad_cpu(e, term);
	return pq_cpus_parse(e->scratch, print_decimal(number, &digits), ret) ? 0
									      : bad_cpu(e, term);
}

int pq_limit_cpus(struct pq_encoder *e, const struct pq_bindings *b, struct pmuq_encoding *encoding)
{
	struct pq_cpus wanted = { 0 }, own = { 0 };
	const struct pq_binding *last = NULL;
	struct pq_buf text = PQ_BUF_IN(e->arena);
	const char *list;

	for (size_t i = 0; i < b->n; i++) {
		const struct pq_binding *binding = &b->v[i];
		struct pq_cpus cpus = { 0 };
		int r;

		if (binding->role != PQ_ROLE_KEYWORD || binding->keyword->effect != PQ_SETS_CPUS)
			continue;
		r = pq_blame(e, b, binding, named_cpus(e, binding->term, &cpus));
		if (r < 0)
			return r;
		if (!pq_cpus_unite(e->scratch, &wanted, &cpus))
			return pq_fail_memory(e->reterr);
		last = binding;
	}
	if (!last)
		return 0;
	if (!pq_cpus_parse(e->scratch, encoding->cpus, &own))
		return pq_fail_memory(e->reterr);
	pq_cpus_intersect(&wanted, &own);
	if (!pq_cpus_count(&wanted)) {
		int r = pq_fail_at(e, last->term->at, PMUQ_E_NO_CPUS_LEFT,
				   "no CPU is left: '%s' counts on %s", b->pmu->name.p,
				   encoding->cpus.n ? encoding->cpus.p : "no known CPU");
		return pq_blame(e, b, last, r);
	}
	pq_cpus_print(&wanted, &text);
	list = pq_buf_take(&text);
	if (!list)
		return pq_fail_memory(e->reterr);
	encoding->cpus = str_of(list);
	return 0;
}

static int apply_name(struct pq_encoder *e, const struct pq_term *term,
		      struct pmuq_encoding *encoding)
{
	struct pmuq_str name;
	int r = expect_word(e, term);

	if (r < 0)
		return r;
	name = pq_arena_str(e->arena, term->value);
	if (!name.p)
		return pq_fail_memory(e->reterr);
	encoding->name = name.p;
	return 0;
}

int pq_apply_keyword(struct pq_encoder *e, const struct pq_keyword *keyword,
		     const struct pq_term *term, struct pmuq_encoding *encoding)
{
	uint64_t value = 0;
	int r;

	switch (keyword->effect) {
	case PQ_SETS_CONFIG:
		r = pq_keyword_number(e, keyword, term, &value);
		if (r == 0)
			*pq_attr_config(&encoding->attr, keyword->word) = value;
		return r;
	case PQ_SETS_NAME:
		return apply_name(e, term, encoding);
	case PQ_SETS_BRANCH_TYPE:
		return apply_branch_type(e, term, encoding);
	case PQ_DEFERS:
		if (str_eq(keyword->name, STR("ratio-to-prev"))) {
			r = check_ratio(e, term);
			if (r < 0)
				return r;
		}
		return defer_term(e, keyword, term, encoding);
	case PQ_DEFERS_NEGATED:
		return defer_term(e, keyword, term, encoding);
	case PQ_SETS_HARDWARE:
	case PQ_SETS_CACHE:
		return pq_fail_at(e, term->at, PMUQ_E_NOT_CORE, "'%.*s' needs a core PMU",
				  STR_ARG(term->key));
	case PQ_SETS_CPUS:
		break; /* pq_limit_cpus() looks at all of them together */
	}
	return 0;
}

static int defer_flags(struct pq_encoder *e, const struct pq_modifiers *m,
		       struct pmuq_encoding *encoding)
{
	const struct {
		const char *name;
		bool is_set;
	} flags[] = {
		{ .name = "precise_max", .is_set = m->precise_max },
		{ .name = "sample_read", .is_set = m->sample_read },
		{ .name = "weak_group", .is_set = m->weak },
		{ .name = "bpf_counter", .is_set = m->bpf },
		{ .name = "retire_latency", .is_set = m->retire_latency },
		{ .name = "dont_regroup", .is_set = m->dont_regroup },
	};

	for (size_t i = 0; i < COUNT(flags); i++) {
		int r = flags[i].is_set ? pq_defer(e, encoding, flags[i].name, STR("1"),
						   (struct pq_span){ 0 }, true)
					: 0;

		if (r < 0)
			return r;
	}
	return 0;
}

int pq_defer_modifiers(struct pq_encoder *e, const struct pq_modifiers *m,
		       struct pmuq_encoding *encoding)
{
	if (!(m->precise_max | m->sample_read | m->weak | m->bpf | m->retire_latency |
	      m->dont_regroup))
		return 0;
	return defer_flags(e, m, encoding);
}

int pq_apply_modifiers(struct pq_encoder *e, struct pmuq_encoding *encoding)
{
	/* Modifiers change flags only, which every size holds. */
	encoding->attr.size = pq_attr_fit_size(&encoding->attr);
	if (!e->node->modifiers.n)
		return 0;
	pq_modifiers_apply(&e->modifiers, &encoding->attr);
	encoding->stays_put = e->modifiers.dont_regroup;
	encoding->is_latency = e->modifiers.retire_latency;
	if (pq_is_explained(e)) {
		int r = pq_assign_modifiers(e, encoding, e->node->modifiers, e->node->modifiers_at,
					    true);

		if (r < 0)
			return r;
	}
	return pq_defer_modifiers(e, &e->modifiers, encoding);
}
