/* SPDX-License-Identifier: MIT */
/*
 * What the modifiers of an event or a group do to an encoding, letter by letter, according to the
 * effects in core/event/modifier.h.
 */
#include "encode/attr/apply.h"

/* One application of a word of modifiers. */
struct application {
	const struct pq_encoder *e;
	const struct pq_modifiers *modifiers;
	struct pq_encoding *encoding;
	enum pq_modifiers_of of;
	unsigned sets;	    /* a bit for each set of which a letter was applied */
	size_t first, last; /* the letters that are being applied */
};

/* Letters that were made from a name of libpfm4 have the span of the name. */
static struct pq_span span_of(const struct application *a)
{
	struct pq_span at = a->modifiers->at;

	if (at.length != a->modifiers->letters.n)
		return at;
	return (struct pq_span){ .offset = at.offset + (uint32_t)a->first,
				 .length = (uint32_t)(a->last + 1 - a->first) };
}

static struct pq_cause cause_of(const struct application *a)
{
	return pq_cause_text(str_part(a->modifiers->letters, a->first, a->last + 1), span_of(a));
}

static void assign(const struct application *a, const struct pq_modifier *m, uint64_t value)
{
	pq_assign_all(a->e, a->encoding, m->field, value, cause_of(a));
}

static bool is_excluded(const struct application *a, const struct pq_modifier *m)
{
	return pmuq_attr_get(&a->encoding->attr, m->field) != 0;
}

/* For a group's modifiers: whether the event's own exclude something of the set. */
static bool is_begun(const struct application *a, enum pq_modifier_set set)
{
	uint64_t letters = a->of == PQ_OF_EVENT ? 0 : pq_modifier_sets[set];
	bool is_any = false;

	while (letters)
		is_any |= is_excluded(a, pq_modifier_take(&letters));
	return is_any;
}

/* The first letter of a set excludes the others, unless something of the set is excluded already.
 * Each letter includes its own. */
static void include(struct application *a, const struct pq_modifier *own)
{
	uint64_t others = pq_modifier_sets[own->set] & ~PQ_MODIFIER_BIT(own->letter);
	bool is_first = !(a->sets >> own->set & 1) && !is_begun(a, own->set);

	a->sets |= 1u << own->set;
	while (is_first && others)
		assign(a, pq_modifier_take(&others), 1);
	if (!is_first && is_excluded(a, own))
		assign(a, own, 0);
}

/* The letters of an event and of its group add up. All from the first to the last are one
 * assignment. */
static int count(struct application *a, const struct pq_modifier *m)
{
	struct pmuq_str letters = a->modifiers->letters;
	uint64_t total = pmuq_attr_get(&a->encoding->attr, m->field);

	for (size_t i = a->first; i < letters.n; i++)
		if (letters.p[i] == m->letter) {
			a->last = i;
			total++;
		}
	if (total <= m->max_times) {
		assign(a, m, total);
		return 0;
	}
	return pq_fail_span(
		a->e->reterr, a->modifiers->at, PMUQ_E_TOO_PRECISE,
		"the group's %c and the event's make %llu levels of precision; there are %u",
		m->letter, (unsigned long long)total, m->max_times);
}

static int apply_letter(struct application *a, const struct pq_modifier *m)
{
	if (m->is_leaders && a->of == PQ_OF_MEMBERS_GROUP)
		return 0;
	switch (m->effect) {
	case PQ_MODIFIER_INCLUDES:
		include(a, m);
		break;
	case PQ_MODIFIER_SETS:
		assign(a, m, 1);
		break;
	case PQ_MODIFIER_COUNTS:
		return count(a, m);
	case PQ_MODIFIER_IS_FOR_TOOL:
		pq_add_tool_term(a->e, a->encoding, m->tool_term, STR("1"), span_of(a), true);
		break;
	}
	return 0;
}

int pq_apply_modifiers(const struct pq_encoder *e, const struct pq_modifiers *modifiers,
		       enum pq_modifiers_of of, struct pq_encoding *encoding)
{
	struct application a = { .e = e, .modifiers = modifiers, .encoding = encoding, .of = of };
	struct pmuq_str letters = modifiers->letters;
	uint64_t left = modifiers->bits;
	int r = 0;

	encoding->modifiers |= left;
	for (size_t i = 0; left && r == 0; i++) {
		uint64_t bit = PQ_MODIFIER_BIT(letters.p[i]);

		if (!(left & bit))
			continue;
		left &= ~bit;
		a.first = a.last = i;
		r = apply_letter(&a, pq_modifier_of(letters.p[i]));
	}
	return r;
}

int pq_finish(const struct pq_encoder *e, struct pq_encoding *encoding)
{
	int r = e->modifiers->letters.n ? pq_apply_modifiers(e, e->modifiers, PQ_OF_EVENT, encoding)
					: 0;

	encoding->attr.size = pq_attr_fit_size(&encoding->attr);
	return r;
}
