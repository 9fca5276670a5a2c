/* SPDX-License-Identifier: MIT */
/*
 * Warnings about one event on its PMU, from its bindings and its attr. Each is checked only if it
 * can apply to the event: a plain event costs nothing here.
 */
#include "core/instance.h"
#include "core/num.h"
#include "encode/encode_lookup.h"
#include "encode/resolve/bindings.h"

/* The PMU without the number of its instance: instances share their warnings. */
static struct pmuq_str family(const struct pmuq_pmu *pmu)
{
	struct pmuq_str base;
	uint64_t number;

	pq_instance_split(pmu->name, &base, &number);
	return base;
}

int pq_warn_no_effect(const struct pq_encoder *e, struct pq_encoding *encoding,
		      const struct pq_binding *binding)
{
	if (binding->is_alias || !binding->term)
		return 0;
	return pq_warn_at(e, encoding, binding->term->at, PMUQ_E_NO_EFFECT,
			  "'%.*s' has no effect: a later term sets the same word",
			  STR_ARG(binding->term->key));
}

static bool share_bits(const struct pq_binding *a, const struct pq_binding *b)
{
	return a->role == PQ_ROLE_FORMAT && b->role == PQ_ROLE_FORMAT &&
	       a->format->bits.word == b->format->bits.word &&
	       a->format->bits.mask & b->format->bits.mask &&
	       !str_eq(a->format->name, b->format->name);
}

int pq_warn_shared_bits(const struct pq_encoder *e, const struct pq_bindings *b,
			struct pq_encoding *encoding)
{
	for (size_t i = 0; i < b->n; i++)
		for (size_t j = 0; j < b->n; j++) {
			const struct pq_binding *user = &b->v[i], *other = &b->v[j];
			int r;

			/* Report each pair once, at the later of the user's terms. */
			if (user->is_alias || !share_bits(user, other) ||
			    (!other->is_alias && j > i))
				continue;
			r = pq_warn_at(
				e, encoding, user->term->at, PMUQ_E_SHARED_BITS,
				"'%s' and '%s' share bits of %.*s, and were ORed",
				user->format->name.p, other->format->name.p,
				STR_ARG(pq_attr_config_name((unsigned)user->format->bits.word)));
			if (r < 0)
				return r;
		}
	return 0;
}

static uint64_t known_bits(const struct pmuq_pmu *pmu, unsigned word)
{
	uint64_t bits = 0;

	for (size_t i = 0; i < pmu->definition->n_formats; i++)
		if (pq_def_of(pmu)->formats[i].bits.word == (int)word)
			bits |= pq_def_of(pmu)->formats[i].bits.mask;
	return bits;
}

/* config= can set bits of no format: the kernel ignores or rejects them. */
static int warn_unknown_bits(const struct pq_encoder *e, const struct pmuq_pmu *pmu, unsigned word,
			     struct pq_span at, struct pq_encoding *encoding)
{
	uint64_t unknown;
	int r = pq_lookup_all(e, pmu);

	if (r < 0)
		return r;
	if (r == PQ_UNREADABLE || !pmu->definition->n_formats)
		return 0;
	unknown = *pq_attr_config(&encoding->attr, word) & ~known_bits(pmu, word);
	if (!unknown)
		return 0;
	return pq_warn_at(e, encoding, at, PMUQ_E_UNKNOWN_BITS,
			  "bits 0x%llx of %.*s belong to no format of '%.*s'",
			  (unsigned long long)unknown, STR_ARG(pq_attr_config_name(word)),
			  STR_ARG(family(pmu)));
}

static int warn_setter_bits(const struct pq_encoder *e, const struct pq_bindings *b, unsigned word,
			    struct pq_encoding *encoding)
{
	const struct pq_binding *setter = b->setters[word];

	if (!setter || setter->is_alias || pq_is_generic(setter))
		return 0;
	return warn_unknown_bits(e, b->pmu, word, setter->term->at, encoding);
}

int pq_warn_raw(const struct pq_encoder *e, struct pq_span at, struct pq_encoding *encoding)
{
	const struct pmuq_pmu *pmu = encoding->on;

	/* Numbers of generic events are not bits of formats. */
	if (!pmu || !pmu->has_type || pmu->type != encoding->attr.type)
		return 0;
	return warn_unknown_bits(e, pmu, 0, at, encoding);
}

/* The kernel refuses an event that is more precise than its PMU can be. */
static int warn_precision(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
			  struct pq_encoding *encoding)
{
	struct pmuq_str text;
	uint64_t max;
	int r = pq_lookup_cap(e, pmu, STR("max_precise"), &text);

	if (r < 0)
		return r;
	if (r == PQ_NONE || pq_num_decimal(str_trim(text), &max) != PQ_NUM_OK ||
	    encoding->attr.precise_ip <= max)
		return 0;
	return pq_warn_at(e, encoding, e->node->modifiers_at, PMUQ_E_BEYOND_PRECISE,
			  "the precision of '%.*s' is at most %llu (caps/max_precise), not %u",
			  STR_ARG(family(pmu)), (unsigned long long)max,
			  (unsigned)encoding->attr.precise_ip);
}

/* Keywords that only core PMUs support. */
static int warn_core_only(const struct pq_encoder *e, const struct pq_bindings *b,
			  struct pq_encoding *encoding)
{
	int r = 0;

	for (size_t i = 0; i < b->n && r == 0; i++) {
		const struct pq_binding *binding = &b->v[i];

		if (binding->role == PQ_ROLE_KEYWORD && !binding->is_alias &&
		    binding->keyword->is_for_core)
			r = pq_warn_at(
				e, encoding, binding->term->at, PMUQ_E_NO_EFFECT,
				"'%s' sums over the threads of a core, and '%.*s' is not a core "
				"PMU",
				binding->keyword->name.p, STR_ARG(family(b->pmu)));
	}
	return r;
}

/* An uncore PMU counts for the whole machine: it does not know who caused an event. */
static int warn_filters(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
			struct pq_encoding *encoding)
{
	const struct pq_modifier *m;
	bool is_filtered = false;

	for (size_t i = 0; (m = pq_modifier_at(i)); i++)
		is_filtered |= m->is_filter && pmuq_attr_get(&encoding->attr, m->field);
	if (!is_filtered)
		return 0;
	return pq_warn_at(e, encoding, e->node->modifiers_at, PMUQ_E_UNFILTERABLE,
			  "'%.*s' counts for the whole machine and cannot apply this modifier",
			  STR_ARG(family(pmu)));
}

/* A pinned event that loses its counter goes into an error state, and never counts again. */
static int warn_pinned(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
		       struct pq_encoding *encoding)
{
	if (!pmu->is_core || e->is_in_group)
		return 0;
	return pq_warn_at(e, encoding, e->node->modifiers_at, PMUQ_E_PINNED_ALONE,
			  "a pinned event stops counting for good when it loses its counter");
}

static int warn_keywords(const struct pq_encoder *e, const struct pq_bindings *b,
			 struct pq_encoding *encoding)
{
	int r = 0;

	for (unsigned word = 0; word < PQ_CONFIG_WORDS && r == 0; word++)
		r = warn_setter_bits(e, b, word, encoding);
	return r < 0 || b->pmu->is_core ? r : warn_core_only(e, b, encoding);
}

PQ_COLD int pq_warn_modifiers(const struct pq_encoder *e, const struct pmuq_pmu *pmu,
			      struct pq_encoding *encoding)
{
	int r = 0;

	if (encoding->attr.precise_ip)
		r = warn_precision(e, pmu, encoding);
	if (r == 0 && pmu->is_uncore)
		r = warn_filters(e, pmu, encoding);
	if (r == 0 && encoding->attr.pinned)
		r = warn_pinned(e, pmu, encoding);
	return r;
}

int pq_warn_event(const struct pq_encoder *e, const struct pq_bindings *b,
		  struct pq_encoding *encoding)
{
	int r = b->has_keyword ? warn_keywords(e, b, encoding) : 0;

	return r == 0 && pq_may_warn_modifiers(e, b->pmu, encoding)
		       ? pq_warn_modifiers(e, b->pmu, encoding)
		       : r;
}
