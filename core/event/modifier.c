/* SPDX-License-Identifier: MIT */
/* Parses a word of modifiers, and lists the rows. */
#include "core/event/modifier.h"
#include <pmuq/names.h>

const struct pq_modifier pq_modifier_rows[64] = {
#define X(with, c, times, does, of_set, means, ...)                                                \
	[(c) - 'A'] = { .letter = c,                                                               \
			.max_times = times,                                                        \
			.effect = PQ_MODIFIER_##does,                                              \
			.set = PQ_SET_##of_set,                                                    \
			.meaning = means,                                                          \
			__VA_ARGS__ },
	PQ_MODIFIERS(X, )
#undef X
};

static const char order[] = {
#define X(with, letter, ...) letter,
	PQ_MODIFIERS(X, )
#undef X
};

const struct pq_modifier *pq_modifier_at(size_t index)
{
	return index < COUNT(order) ? pq_modifier_of(order[index]) : NULL;
}

PQ_COLD char pq_modifier_letter(struct pmuq_str meaning)
{
	for (size_t i = 0; i < COUNT(order); i++)
		if (str_eq(str_of(pq_modifier_of(order[i])->meaning), meaning))
			return order[i];
	return 0;
}

const uint64_t pq_modifier_sets[] = {
#define X(own, letter, times, effect, of_set, ...)                                                 \
	| (PQ_SET_##of_set == (own) ? PQ_MODIFIER_BIT(letter) : 0)
	[PQ_SET_LEVELS] = 0 PQ_MODIFIERS(X, PQ_SET_LEVELS),
	[PQ_SET_GUESTS] = 0 PQ_MODIFIERS(X, PQ_SET_GUESTS),
#undef X
};

PQ_COLD static int bad_letter(struct pmuq_error **reterr, struct pq_span at, char letter)
{
	struct pq_buf list = PQ_BUF_NULL;
	const struct pq_modifier *modifier;
	int r = pq_fail_span(reterr, at, PMUQ_E_BAD_MODIFIER, "'%c' is not a modifier", letter);

	pq_buf_add(&list, STR("modifiers: "));
	for (size_t i = 0, start = list.n; (modifier = pq_modifier_at(i)); i++) {
		pq_buf_list(&list, start, STR(""));
		pq_buf_print(&list, "%c (%s", modifier->letter, modifier->meaning);
		if (modifier->max_times > 1)
			pq_buf_print(&list, ", up to %u times", modifier->max_times);
		pq_buf_char(&list, ')', 1);
	}
	pq_error_hint_buf(reterr, &list);
	return r;
}

static int too_often(struct pmuq_error **reterr, const struct pq_modifier *modifier,
		     struct pq_span at)
{
	if (modifier->max_times == 1)
		return pq_fail_span(reterr, at, PMUQ_E_REPEATED_MODIFIER, "'%c' is written twice",
				    modifier->letter);
	return pq_fail_span(reterr, at, PMUQ_E_TOO_PRECISE, "'%c' may be written %u times at most",
			    modifier->letter, modifier->max_times);
}

static unsigned times_before(struct pmuq_str letters, size_t index)
{
	unsigned n = 0;

	for (size_t i = 0; i < index; i++)
		n += letters.p[i] == letters.p[index];
	return n;
}

/* Called for a letter that is invalid here, or that is repeated. */
PQ_COLD static int check_letter(struct pmuq_error **reterr, const struct pq_modifiers *m,
				size_t index)
{
	struct pq_span at = { .offset = m->at.offset + (uint32_t)index, .length = 1 };
	char letter = m->letters.p[index];

	if (!pq_modifier_is_letter(letter))
		return bad_letter(reterr, at, letter);
	if (!(m->bits & PQ_MODIFIER_BIT(letter)))
		return pq_fail_span(reterr, at, PMUQ_E_WEAK_ALONE,
				    "'%c' is a modifier of groups, not of events", letter);
	if (times_before(m->letters, index) < pq_modifier_of(letter)->max_times)
		return 0;
	return too_often(reterr, pq_modifier_of(letter), at);
}

int pq_modifiers_parse(struct pmuq_str letters, struct pq_span at, bool is_group,
		       struct pq_modifiers *ret, struct pmuq_error **reterr)
{
	*ret = (struct pq_modifiers){ .letters = letters, .at = at };
	for (size_t i = 0; i < letters.n; i++) {
		char letter = letters.p[i];
		int r;

		if (!pq_modifier_is_letter(letter) || ret->bits & PQ_MODIFIER_BIT(letter) ||
		    (!is_group && pq_modifier_of(letter)->is_for_groups)) {
			r = check_letter(reterr, ret, i);
			if (r < 0)
				return r;
		}
		ret->bits |= PQ_MODIFIER_BIT(letter);
	}
	return 0;
}

PQ_API PQ_COLD const char *pmuq_modifier_meaning(size_t index, char *ret_letter)
{
	const struct pq_modifier *modifier = pq_modifier_at(index);

	if (modifier && ret_letter)
		*ret_letter = modifier->letter;
	return modifier ? modifier->meaning : NULL;
}
