/* SPDX-License-Identifier: MIT */
/*
 * Raw, numeric and breakpoint events: rNNN, TYPE:CONFIG, mem:ADDR. Their type does not depend on a
 * PMU, so they take keywords only.
 */
#include "core/flags.h"
#include "encode/attr/apply.h"
#include "encode/encode_lookup.h"
#include "encode/resolve/resolve.h"

static int fail_term(const struct pq_encoder *e, const struct pq_term *term, const char *what)
{
	struct pmuq_str word = pq_input_at(e, term->at);
	int r = pq_fail_at(e, term->at, PMUQ_E_NOT_USABLE_HERE, "'%.*s' has no meaning for %s",
			   STR_ARG(word), what);

	pq_error_hint(e->reterr, "terms of a PMU's formats need the PMU's name: PMU/%.*s/",
		      STR_ARG(word));
	return r;
}

/* Keywords only: there are no formats without a PMU. */
static int bind_terms(const struct pq_encoder *e, const char *what, struct pq_bindings *b)
{
	int r = 0;

	for (const struct pq_term *term = e->node->terms; r == 0 && term; term = term->next) {
		const struct pq_keyword *keyword = pq_keyword_of(term);

		/* perf accepts a raw term here and ignores it; perf stat refuses it. */
		if (term->is_raw && pq_is_perf(e) && e->options->preset != PMUQ_PRESET_STAT)
			continue;
		if (!keyword || term->is_raw || term->is_driver)
			return fail_term(e, term, what);
		r = pq_bind_keyword(e, b, term, keyword);
	}
	return r < 0 ? r : pq_merge(e, b);
}

static int apply_terms(const struct pq_encoder *e, const struct pmuq_pmu *pmu, const char *what,
		       struct pq_encoding *encoding)
{
	static const struct pmuq_pmu none = { .name = { .p = "any", .n = 3 } };
	/* The number is the event: a second event is an error. */
	struct pq_bindings b = { .pmu = pmu ? pmu : &none, .has_event = true };
	int r = bind_terms(e, what, &b);

	if (r == 0)
		r = pq_apply_words(e, &b, encoding);
	return r == 0 && b.has_cpus ? pq_limit_cpus(e, &b, encoding) : r;
}

/* Applies terms and modifiers, and adds the encoding to the result. */
static int finish(const struct pq_encoder *e, const struct pmuq_pmu *pmu, const char *what,
		  struct pq_encoding *encoding)
{
	int r = e->node->terms ? apply_terms(e, pmu, what, encoding) : 0;

	if (r < 0)
		return r;
	pq_apply_clock_unit(encoding->attr.config, encoding);
	pq_apply_bpf_output(e, encoding);
	r = pq_finish(e, encoding);
	if (r == 0)
		e->result->n++;
	return r;
}

static int pmu_of_type_in(const struct pq_encoder *e, struct pq_pmu_list list, uint32_t type,
			  const struct pmuq_pmu **ret)
{
	for (size_t i = 0; i < list.n; i++) {
		int r = pq_lookup_fill(e, list.v[i]);

		if (r < 0)
			return r;
		if (list.v[i]->has_type && list.v[i]->type == type) {
			*ret = list.v[i];
			return 0;
		}
	}
	return PQ_NONE;
}

static bool is_generic_type(uint32_t type)
{
	return type == PQ_TYPE_HARDWARE || type == PQ_TYPE_HW_CACHE;
}

static int any_pmu_of_type(const struct pq_encoder *e, uint32_t type, const struct pmuq_pmu **ret)
{
	struct pq_pmu_list all;
	int r = pq_query(e, list_pmus, &all);

	return r == 0 ? pmu_of_type_in(e, all, type, ret) : r;
}

/* On a hybrid machine the upper half of a generic event's config is the type of its PMU. */
static int pmu_of_extended_type(const struct pq_encoder *e, uint32_t type,
				const struct pmuq_pmu **ret)
{
	uint32_t extended = (uint32_t)(e->node->config >> 32);
	bool is_taken = false;
	int r = 0;

	if (extended && is_generic_type(type))
		r = pq_takes_extended(e, &is_taken);
	if (r < 0)
		return r;
	return is_taken ? any_pmu_of_type(e, extended, ret) : PQ_NONE;
}

/* The PMU that counts a type: the one with that number; for hardware, cache and raw events
 * otherwise the first core PMU. *ret stays NULL if there is none. */
static int pmu_of_type(const struct pq_encoder *e, uint32_t type, const struct pmuq_pmu **ret)
{
	bool is_core_type = is_generic_type(type) || type == PQ_TYPE_RAW;
	struct pq_pmu_list core;
	int r = pmu_of_extended_type(e, type, ret);

	if (r == PQ_NONE)
		r = pq_core_pmus(e, &core);
	if (r < 0 || *ret)
		return r;
	r = pmu_of_type_in(e, core, type, ret);
	if (r == PQ_NONE && !is_generic_type(type))
		r = any_pmu_of_type(e, type, ret);
	if (r != PQ_NONE)
		return r;
	if (is_core_type && core.n)
		*ret = core.v[0];
	else if (is_core_type)
		return pq_core_placeholder(e, ret);
	else if (type < PQ_FIXED_PMUS && pq_fixed_pmus[type].n)
		return pq_find_pmu(e, pq_fixed_pmus[type], ret);
	return 0;
}

/* The next word of the input, after blanks and one separator. */
static struct pq_span word_after(const struct pq_encoder *e, struct pq_span at)
{
	size_t from = at.offset + at.length, end;

	while (from < e->input.n &&
	       (char_is_space(e->input.p[from]) || strchr(":/", e->input.p[from])))
		from++;
	for (end = from; end < e->input.n && char_is(e->input.p[end], CHAR_WORD);)
		end++;
	return (struct pq_span){ .offset = (uint32_t)from, .length = (uint32_t)(end - from) };
}

/* A new encoding of that type, counted by the PMU. */
static int begin(const struct pq_encoder *e, const struct pmuq_pmu *pmu, enum pmuq_origin origin,
		 uint32_t type, struct pmuq_str term, struct pq_encoding **ret)
{
	int r = pq_encoding_new(e, pmu, ret);

	if (r < 0)
		return r;
	(*ret)->record.origin = origin;
	pq_assign_all(e, *ret, PQ_FIELD_type, type, pq_cause_text(term, e->node->name_at));
	return 0;
}

/* An event of that type on the type's PMU; its config is written at `at`. */
static int encode_config(const struct pq_encoder *e, uint32_t type, struct pmuq_str type_term,
			 struct pmuq_str term, struct pq_span at, const char *what)
{
	const struct pmuq_pmu *pmu = NULL;
	struct pq_encoding *encoding = NULL;
	int r = pmu_of_type(e, type, &pmu);

	if (r == 0)
		r = begin(e, pmu, PMUQ_FROM_RAW, type, type_term, &encoding);
	if (r < 0)
		return r;
	pq_assign_all(e, encoding, PQ_FIELD_config, e->node->config, pq_cause_text(term, at));
	r = pq_warn_raw(e, at, encoding);
	return r < 0 ? r : finish(e, pmu, what, encoding);
}

int pq_encode_raw(const struct pq_encoder *e)
{
	return encode_config(e, PQ_TYPE_RAW, e->node->name, e->node->name, e->node->name_at,
			     "a raw event");
}

int pq_encode_numeric(const struct pq_encoder *e)
{
	/* perf drops the upper half without a warning. */
	if (e->node->perf_type > UINT32_MAX && !pq_is_perf(e))
		return pq_fail_at(e, e->node->name_at, PMUQ_E_BAD_NUMBER,
				  "a type has 32 bits: at most 0xffffffff");
	return encode_config(e, (uint32_t)e->node->perf_type, STR("type"), STR("config"),
			     word_after(e, e->node->name_at), "an event by number");
}

/* Reads and writes if the text has no access, as in perf. */
static int access_bits(const struct pq_encoder *e, uint32_t *ret)
{
	struct pmuq_str access = e->node->access;

	*ret = access.n ? 0 : PQ_BREAKPOINT_R | PQ_BREAKPOINT_W;
	for (size_t i = 0; i < access.n; i++) {
		uint32_t bit = access.p[i] == 'r'   ? PQ_BREAKPOINT_R
			       : access.p[i] == 'w' ? PQ_BREAKPOINT_W
						    : PQ_BREAKPOINT_X;

		if (*ret & bit)
			return pq_fail_at(e, e->node->access_at, PMUQ_E_BAD_ACCESS,
					  "'%c' is written twice", access.p[i]);
		*ret |= bit;
	}
	return 0;
}

/* The length of a breakpoint that has none in the text: of an instruction, or of a word. perf uses
 * the architecture it was built for; the perf dialect uses x86-64. */
static int default_length(const struct pq_encoder *e, uint32_t access, uint64_t *ret)
{
	struct pmuq_str arch;
	int r;

	*ret = access == PQ_BREAKPOINT_X ? 8 : 4;
	if (access != PQ_BREAKPOINT_X || pq_is_perf(e))
		return 0;
	r = pq_query(e, fact, PQ_CLASS_ARCH, &arch);
	if (r == 0 && (str_eq(arch, STR("aarch64")) || str_starts(arch, STR("arm"))))
		*ret = 4;
	return r < 0 ? r : 0;
}

/* `at` is NULL for a value that is not in the text. */
static struct pq_cause cause_of(struct pmuq_str term, const struct pq_span *at)
{
	return at ? pq_cause_text(term, *at) : pq_cause_default(term);
}

static void assign_breakpoint(const struct pq_encoder *e, uint64_t length, uint32_t access,
			      struct pq_encoding *encoding)
{
	const struct pq_node *node = e->node;
	struct pq_span address_at = word_after(e, node->name_at);
	struct pq_span length_at = word_after(e, address_at);

	pq_assign_all(e, encoding, PQ_FIELD_config1, node->address,
		      pq_cause_text(STR("address"), address_at));
	pq_assign_all(e, encoding, PQ_FIELD_config2, length,
		      cause_of(STR("length"), node->length_bytes ? &length_at : NULL));
	pq_assign_all(e, encoding, PQ_FIELD_bp_type, access,
		      cause_of(STR("access"), node->access.n ? &node->access_at : NULL));
	if (pq_is_perf(e))
		pq_assign_all(e, encoding, PQ_FIELD_sample_period, 1, pq_cause_default(node->name));
}

int pq_encode_breakpoint(const struct pq_encoder *e)
{
	const struct pmuq_pmu *pmu = NULL;
	struct pq_encoding *encoding = NULL;
	uint64_t length = e->node->length_bytes;
	uint32_t access;
	int r = access_bits(e, &access);

	if (r == 0 && !length)
		r = default_length(e, access, &length);
	if (r == 0)
		r = pq_find_pmu(e, STR("breakpoint"), &pmu);
	if (r == 0)
		r = pq_lookup_fill(e, pmu);
	if (r >= 0)
		r = begin(e, pmu, PMUQ_FROM_BREAKPOINT, PQ_TYPE_BREAKPOINT, e->node->name,
			  &encoding);
	if (r < 0)
		return r;
	assign_breakpoint(e, length, access, encoding);
	return finish(e, pmu, "a breakpoint", encoding);
}
