/* SPDX-License-Identifier: MIT */
/*
 * What is legal but surprising about one event on its PMU. Each question is asked only of events
 * that give a reason to: a plain event costs nothing here.
 */
#include "core/num.h"
#include "encode/encoder.h"

static const struct pq_binding *last_setter(const struct pq_bindings *b, unsigned word)
{
	const struct pq_binding *found = NULL;

	for (size_t i = 0; i < b->n; i++)
		if (b->v[i].role == PQ_ROLE_KEYWORD && !b->v[i].is_alias &&
		    b->v[i].keyword->effect == PQ_SETS_CONFIG && b->v[i].keyword->word == word)
			found = &b->v[i];
	return found;
}

static uint64_t known_bits(const struct pmuq_pmu *pmu, unsigned word)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < pmu->def->n_formats; i++)
		if (pmu->def->formats[i].bits.word == (int)word)
			bits |= pmu->def->formats[i].bits.mask;
	return bits;
}

/* config= may set bits of which no format knows: the kernel will ignore or refuse them. */
static int doubt_bits(struct pq_encoder *e, const struct pq_bindings *b,
		      struct pmuq_encoding *encoding)
{
	for (unsigned word = 0; word < PQ_CONFIG_WORDS; word++) {
		const struct pq_binding *setter = last_setter(b, word);
		uint64_t unknown;
		int r;

		if (!setter)
			continue;
		r = pq_ask_load(e, b->pmu);
		if (r < 0)
			return r;
		if (r != 0 || !b->pmu->def->n_formats)
			continue;
		unknown = *pq_attr_config(&encoding->attr, word) & ~known_bits(b->pmu, word);
		if (!unknown)
			continue;
		r = pq_warn_at(e, encoding, setter->term->at, PMUQ_E_UNKNOWN_BITS,
			       "bits 0x%llx of %.*s belong to no format of '%s'",
			       (unsigned long long)unknown, STR_ARG(pq_attr_config_name(word)),
			       b->pmu->name.p);
		if (r < 0)
			return r;
	}
	return 0;
}

static int doubt_precision(struct pq_encoder *e, const struct pmuq_pmu *pmu,
			   struct pmuq_encoding *encoding)
{
	struct pmuq_str text;
	uint64_t max;
	int r = pq_ask_cap(e, pmu, STR("max_precise"), &text);

	if (r < 0)
		return r;
	if (r == PQ_NONE || pq_num_decimal(str_trim(text), &max) != PQ_NUM_OK ||
	    encoding->attr.precise_ip <= max)
		return 0;
	return pq_warn_at(e, encoding, e->node->modifiers_at, PMUQ_E_BEYOND_PRECISE,
			  "'%s' is precise to %llu at most (caps/max_precise), not to %u",
			  pmu->name.p, (unsigned long long)max,
			  (unsigned)encoding->attr.precise_ip);
}

static const struct pq_term *percore_term(const struct pq_bindings *b)
{
	for (size_t i = 0; i < b->n; i++)
		if (b->v[i].role == PQ_ROLE_KEYWORD && !b->v[i].is_alias &&
		    str_eq(b->v[i].keyword->name, STR("percore")))
			return b->v[i].term;
	return NULL;
}

static int doubt_percore(struct pq_encoder *e, const struct pq_bindings *b,
			 struct pmuq_encoding *encoding)
{
	const struct pq_term *percore = b->pmu->is_core ? NULL : percore_term(b);

	if (!percore)
		return 0;
	return pq_warn_at(e, encoding, percore->at, PMUQ_E_NO_EFFECT,
			  "'percore' sums over the threads of a core, and '%s' is no core PMU",
			  b->pmu->name.p);
}

/* A box counts for all who use it; whose doing it was, it cannot tell. */
static int doubt_filter(struct pq_encoder *e, const struct pmuq_pmu *pmu,
			struct pmuq_encoding *encoding)
{
	const struct pmuq_attr *attr = &encoding->attr;

	if (!pmu->is_uncore || !(attr->exclude_user || attr->exclude_kernel || attr->exclude_hv ||
				 attr->exclude_guest || attr->exclude_host || attr->exclude_idle))
		return 0;
	return pq_warn_at(e, encoding, e->node->modifiers_at, PMUQ_E_UNFILTERABLE,
			  "'%s' counts for the whole machine and cannot tell who caused an event",
			  pmu->name.p);
}

static int doubt_pinned(struct pq_encoder *e, const struct pmuq_pmu *pmu,
			struct pmuq_encoding *encoding)
{
	if (!pmu->is_core || e->is_in_group)
		return 0;
	return pq_warn_at(e, encoding, e->node->modifiers_at, PMUQ_E_PINNED_ALONE,
			  "a pinned event is dropped for good the first time its counter is taken");
}

int pq_doubt(struct pq_encoder *e, const struct pq_bindings *b, struct pmuq_encoding *encoding)
{
	int r = b->has_keyword ? doubt_bits(e, b, encoding) : 0;

	if (r == 0 && b->has_keyword)
		r = doubt_percore(e, b, encoding);
	if (r < 0 || !e->node->modifiers.n)
		return r;
	if (encoding->attr.precise_ip)
		r = doubt_precision(e, b->pmu, encoding);
	if (r == 0)
		r = doubt_filter(e, b->pmu, encoding);
	if (r == 0 && encoding->attr.pinned)
		r = doubt_pinned(e, b->pmu, encoding);
	return r < 0 ? r : 0;
}
