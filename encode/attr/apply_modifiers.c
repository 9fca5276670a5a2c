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

/* Writes the same value to the field of each of these letters. */
struct writes {
	uint64_t letters, value;
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
	struct pmuq_str term = str_part(a->modifiers->letters, a->first, a->last + 1);

	return a->of == PQ_OF_OPTIONS ? pq_cause_default(term) : pq_cause_text(term, span_of(a));
}

static bool is_excluded(const struct application *a, const struct pq_modifier *m)
{
	return pq_attr_get(&a->encoding->attr, m->field) != 0;
}

/* For a group's modifiers: whether the event's own modifiers exclude a letter of the set. */
static bool is_begun(const struct application *a, enum pq_modifier_set set)
{
	uint64_t letters = a->of == PQ_OF_EVENT ? 0 : pq_modifier_sets[set];
	bool is_any = false;

	while (letters)
		is_any |= is_excluded(a, pq_modifier_take(&letters));
	return is_any;
}

/* The first letter of a set excludes the others, unless a letter of the set is already excluded.
 * Each letter includes its own. */
static struct writes include(struct application *a, const struct pq_modifier *own)
{
	uint64_t bit = PQ_MODIFIER_BIT(own->letter);
	bool is_first = !(a->sets >> own->set & 1) && !is_begun(a, own->set);

	a->sets |= 1u << own->set;
	if (is_first)
		return (struct writes){ .letters = pq_modifier_sets[own->set] & ~bit, .value = 1 };
	return (struct writes){ .letters = is_excluded(a, own) ? bit : 0, .value = 0 };
}

/* The letters of an event and of its group add up. All occurrences of a letter are one
 * assignment. */
static uint64_t count(struct application *a, const struct pq_modifier *m)
{
	struct pmuq_str letters = a->modifiers->letters;
	uint64_t total = pq_attr_get(&a->encoding->attr, m->field);

	for (size_t i = a->first; i < letters.n; i++)
		if (letters.p[i] == m->letter) {
			a->last = i;
			total++;
		}
	return total;
}

static int too_precise(const struct application *a, const struct pq_modifier *m, uint64_t total)
{
	return pq_fail_span(
		a->e->reterr, a->modifiers->at, PMUQ_E_TOO_PRECISE,
		"the group's %c and the event's make %llu levels of precision; there are %u",
		m->letter, (unsigned long long)total, m->max_times);
}

static struct writes writes_of(struct application *a, const struct pq_modifier *m)
{
	if (m->effect == PQ_MODIFIER_INCLUDES)
		return include(a, m);
	return (struct writes){
		.letters = PQ_MODIFIER_BIT(m->letter),
		.value = m->effect == PQ_MODIFIER_COUNTS ? count(a, m) : 1,
	};
}

static int apply_letter(struct application *a, const struct pq_modifier *m)
{
	struct writes writes;

	if (m->is_leaders && a->of == PQ_OF_MEMBERS_GROUP)
		return 0;
	if (m->effect == PQ_MODIFIER_IS_FOR_TOOL) {
		pq_add_tool_term(a->e, a->encoding, m->tool_term, STR("1"), span_of(a), true);
		return 0;
	}
	writes = writes_of(a, m);
	if (writes.value > m->max_times)
		return too_precise(a, m, writes.value);
	while (writes.letters) {
		enum pq_attr_field field = pq_modifier_take(&writes.letters)->field;

		pq_assign_all(a->e, a->encoding, field, writes.value, cause_of(a));
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
