/* SPDX-License-Identifier: MIT */
/* Events that carry their type with them: rNNN, TYPE:CONFIG, mem:ADDR. They take keywords only. */
#include "encode/encoder.h"

/* perf_event_open(2): HW_BREAKPOINT_R, _W, _X. */
enum {
	ACCESS_READ = 1,
	ACCESS_WRITE = 2,
	ACCESS_EXECUTE = 4,
};

static int only_keywords(struct pq_encoder *e, const struct pq_term *term, const char *what)
{
	int r = pq_fail_at(e, term->at, PMUQ_E_NOT_USABLE_HERE, "'%.*s' means nothing for %s",
			   STR_ARG(term->key), what);

	pq_error_hint(e->reterr, "terms of a PMU's formats need the PMU's name: PMU/%.*s/",
		      STR_ARG(term->key));
	return r;
}

static bool is_repeated(const struct pq_term *terms, const struct pq_term *term)
{
	for (const struct pq_term *t = terms; t != term; t = t->next)
		if (str_eq(t->key, term->key) && !term->is_driver)
			return true;
	return false;
}

static int apply_term(struct pq_encoder *e, const struct pq_term *term, const char *what,
		      struct pmuq_encoding *encoding)
{
	const struct pq_keyword *keyword = pq_keyword_of(term);
	int r;

	/* perf takes a raw term here and does nothing with it. */
	if (term->is_raw && pq_is_perf(e))
		return 0;
	if (!keyword || term->is_raw || term->is_driver)
		return only_keywords(e, term, what);
	if (!pq_is_perf(e) && is_repeated(e->node->terms, term))
		return pq_fail_at(e, term->at, PMUQ_E_REPEATED_TERM, "'%.*s' is written twice",
				  STR_ARG(term->key));
	r = pq_apply_keyword(e, keyword, term, encoding);
	return r == 0 && pq_is_explained(e) ? pq_assign_keyword(e, encoding, keyword, term) : r;
}

/* cpu= works on bindings; these have nothing else to bind. */
static int limit_cpus(struct pq_encoder *e, const struct pmuq_pmu *pmu,
		      struct pmuq_encoding *encoding)
{
	struct pq_binding bindings[PQ_TERMS_MAX];
	struct pmuq_pmu none = { .name = STR("any") };
	struct pq_bindings list = { .v = bindings, .pmu = pmu ? pmu : &none };

	for (const struct pq_term *term = e->node->terms; term; term = term->next) {
		const struct pq_keyword *keyword = pq_keyword_of(term);

		if (keyword && keyword->effect == PQ_SETS_CPUS)
			bindings[list.n++] = (struct pq_binding){ .term = term,
								  .keyword = keyword,
								  .role = PQ_ROLE_KEYWORD };
	}
	return list.n ? pq_limit_cpus(e, &list, encoding) : 0;
}

/* Terms and modifiers of an encoding whose attr is set, and its place in the result. */
static int finish(struct pq_encoder *e, const struct pmuq_pmu *pmu, const char *what,
		  struct pmuq_encoding *encoding)
{
	int r = 0;

	for (const struct pq_term *term = e->node->terms; r == 0 && term; term = term->next)
		r = apply_term(e, term, what, encoding);
	pq_apply_clock_unit(encoding->attr.config, encoding);
	pq_apply_bpf_output(e, encoding);
	if (r == 0 && pq_is_explained(e))
		r = pq_assign_bpf_output(e, encoding);
	if (r == 0)
		r = limit_cpus(e, pmu, encoding);
	if (r == 0)
		r = pq_apply_modifiers(e, encoding);
	if (r == 0)
		e->result->n++;
	return r;
}

static int pmu_of_type_in(struct pq_encoder *e, struct pq_pmu_list list, uint32_t type,
			  const struct pmuq_pmu **ret)
{
	for (size_t i = 0; i < list.n; i++) {
		int r = pq_ask_fill(e, list.v[i]);

		if (r < 0)
			return r;
		if (list.v[i]->has_type && list.v[i]->type == type) {
			*ret = list.v[i];
			return 0;
		}
	}
	return PQ_NONE;
}

/* Types that have a PMU even where the machine shows none. */
static int fixed_pmu(struct pq_encoder *e, uint32_t type, const struct pmuq_pmu **ret)
{
	static const struct pmuq_str names[] = {
		[PQ_TYPE_SOFTWARE] = STR("software"),
		[PQ_TYPE_TRACEPOINT] = STR("tracepoint"),
		[PQ_TYPE_BREAKPOINT] = STR("breakpoint"),
	};

	return type < COUNT(names) && names[type].n ? pq_find_pmu(e, names[type], ret) : 0;
}

/* Who counts a type: the PMU of that number, and for hardware, cache and raw events else the first
 * core PMU. *ret stays NULL when there is none. */
static int pmu_of_type(struct pq_encoder *e, uint32_t type, const struct pmuq_pmu **ret)
{
	bool is_core_type =
		type == PQ_TYPE_HARDWARE || type == PQ_TYPE_HW_CACHE || type == PQ_TYPE_RAW;
	struct pq_pmu_list core, all;
	int r = pq_core_pmus(e, &core);

	if (r == 0)
		r = pmu_of_type_in(e, core, type, ret);
	if (r != PQ_NONE)
		return r;
	if (type != PQ_TYPE_HARDWARE && type != PQ_TYPE_HW_CACHE) {
		r = e->lookup.ops->list_pmus(e->lookup.self, &all, e->reterr);
		if (r == 0)
			r = pmu_of_type_in(e, all, type, ret);
		if (r != PQ_NONE)
			return r;
	}
	if (is_core_type && core.n)
		*ret = core.v[0];
	else if (is_core_type)
		return pq_core_placeholder(e, ret);
	else
		return fixed_pmu(e, type, ret);
	return 0;
}

/* The word at a place of the event, or behind the blanks and the separator there. */
static struct pq_span word_span(const struct pq_encoder *e, size_t from)
{
	size_t end;

	while (from < e->input.n &&
	       (char_is_space(e->input.p[from]) || strchr(":/", e->input.p[from])))
		from++;
	for (end = from; end < e->input.n && char_is(e->input.p[end], CHAR_WORD);)
		end++;
	return (struct pq_span){ .offset = (uint32_t)from, .length = (uint32_t)(end - from) };
}

static struct pq_span word_behind(const struct pq_encoder *e, struct pq_span at)
{
	return word_span(e, at.offset + at.length);
}

/* rNNN is both at once; TYPE:CONFIG says one after the other. */
static int assign_typed(struct pq_encoder *e, struct pmuq_encoding *encoding)
{
	bool is_raw = e->node->kind == PQ_NODE_RAW;
	struct pq_span type = e->node->name_at, config = is_raw ? type : word_behind(e, type);
	struct pmuq_str type_term = is_raw ? e->node->name : STR("type");
	struct pmuq_str config_term = is_raw ? e->node->name : STR("config");
	int r = pq_assign_field(e, encoding, "type", encoding->attr.type, type_term, type);

	return r < 0 ? r
		     : pq_assign_field(e, encoding, "config", encoding->attr.config, config_term,
				       config);
}

static int encode_typed(struct pq_encoder *e, uint32_t type, uint64_t config, const char *what)
{
	const struct pmuq_pmu *pmu = NULL;
	struct pmuq_encoding *encoding = NULL;
	int r = pmu_of_type(e, type, &pmu);

	if (r == 0)
		r = pq_encoding_new(e, pmu, &encoding);
	if (r < 0)
		return r;
	encoding->origin = PMUQ_FROM_RAW;
	encoding->attr.type = type;
	encoding->attr.config = config;
	if (pq_is_explained(e))
		r = assign_typed(e, encoding);
	return r < 0 ? r : finish(e, pmu, what, encoding);
}

int pq_encode_raw(struct pq_encoder *e)
{
	return encode_typed(e, PQ_TYPE_RAW, e->node->config, "a raw event");
}

int pq_encode_numeric(struct pq_encoder *e)
{
	/* perf takes the low half and says nothing. */
	if (e->node->type > UINT32_MAX && !pq_is_perf(e))
		return pq_fail_at(e, e->node->name_at, PMUQ_E_BAD_NUMBER,
				  "a type has 32 bits: at most 0xffffffff");
	return encode_typed(e, (uint32_t)e->node->type, e->node->config, "an event by number");
}

static int access_bits(struct pq_encoder *e, uint32_t *ret)
{
	struct pmuq_str access = e->node->access;

	*ret = access.n ? 0 : ACCESS_READ | ACCESS_WRITE;
	for (size_t i = 0; i < access.n; i++) {
		uint32_t bit = access.p[i] == 'r'   ? ACCESS_READ
			       : access.p[i] == 'w' ? ACCESS_WRITE
						    : ACCESS_EXECUTE;

		if (*ret & bit)
			return pq_fail_at(e, e->node->access_at, PMUQ_E_BAD_ACCESS,
					  "'%c' is written twice", access.p[i]);
		*ret |= bit;
	}
	return 0;
}

/* How many bytes an access watches when none are said: an instruction's, or a word's. perf takes
 * the machine that it was built for; the perf dialect answers as on x86-64. */
static int default_length(struct pq_encoder *e, uint32_t access, uint64_t *ret)
{
	struct pmuq_str arch;
	int r;

	*ret = access == ACCESS_EXECUTE ? 8 : 4;
	if (access != ACCESS_EXECUTE || pq_is_perf(e))
		return 0;
	r = e->lookup.ops->fact(e->lookup.self, PQ_CLASS_ARCH, &arch, e->reterr);
	if (r == 0 && (str_eq(arch, STR("aarch64")) || str_starts(arch, STR("arm"))))
		*ret = 4;
	return r < 0 ? r : 0;
}

/* What is not written is told by nobody. */
static int assign_maybe(struct pq_encoder *e, struct pmuq_encoding *encoding, const char *field,
			uint64_t value, struct pmuq_str term, const struct pq_span *at)
{
	return at ? pq_assign_field(e, encoding, field, value, term, *at)
		  : pq_assign_default(e, encoding, field, value, term);
}

static int assign_breakpoint(struct pq_encoder *e, struct pmuq_encoding *encoding)
{
	const struct pmuq_attr *attr = &encoding->attr;
	const struct pq_node *node = e->node;
	struct pq_span address = word_behind(e, node->name_at);
	struct pq_span length = word_behind(e, address);
	int r = pq_assign_field(e, encoding, "type", attr->type, node->name, node->name_at);

	if (r == 0)
		r = pq_assign_field(e, encoding, "config1", attr->config1, STR("address"), address);
	if (r == 0)
		r = assign_maybe(e, encoding, "config2", attr->config2, STR("length"),
				 node->config ? &length : NULL);
	if (r == 0)
		r = assign_maybe(e, encoding, "bp_type", attr->bp_type, STR("access"),
				 node->access.n ? &node->access_at : NULL);
	if (r == 0 && pq_is_perf(e))
		r = pq_assign_default(e, encoding, "sample_period", attr->sample_period,
				      node->name);
	return r;
}

int pq_encode_breakpoint(struct pq_encoder *e)
{
	const struct pmuq_pmu *pmu = NULL;
	struct pmuq_encoding *encoding = NULL;
	uint64_t length = e->node->config;
	uint32_t access;
	int r = access_bits(e, &access);

	if (r == 0 && !length)
		r = default_length(e, access, &length);
	if (r == 0)
		r = pq_find_pmu(e, STR("breakpoint"), &pmu);
	if (r == 0)
		r = pq_ask_fill(e, pmu);
	if (r >= 0)
		r = pq_encoding_new(e, pmu, &encoding);
	if (r < 0)
		return r;
	encoding->origin = PMUQ_FROM_BREAKPOINT;
	encoding->attr.type = PQ_TYPE_BREAKPOINT;
	encoding->attr.bp_type = access;
	encoding->attr.config1 = e->node->type;
	encoding->attr.config2 = length;
	encoding->attr.sample_period = pq_is_perf(e);
	if (pq_is_explained(e))
		r = assign_breakpoint(e, encoding);
	return r < 0 ? r : finish(e, pmu, "a breakpoint", encoding);
}
