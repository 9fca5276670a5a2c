/* SPDX-License-Identifier: MIT */
/*
 * The table of keywords, and of branch filters. A new keyword is a row; attr/apply_keyword.c
 * carries out the effects.
 */
#include "encode/words/keyword.h"
#include "core/event/keywords.h"
#include "core/flags.h"
#include <pmuq/names.h>

// clang-format off
static const struct pq_keyword keywords[] = {
#define X(with, text, takes, does, ...) \
	{ .name = STR(text), .value = PQ_TAKES_##takes, .effect = PQ_##does, __VA_ARGS__ },
	PQ_KEYWORDS(X,)
#undef X
};

static const struct {
	struct pmuq_str name;
	uint32_t bits;
} branch_filters[] = {
	{ .name = STR("no"),        .bits = 0 },
	{ .name = STR("u"),         .bits = PQ_BRANCH_USER },
	{ .name = STR("k"),         .bits = PQ_BRANCH_KERNEL },
	{ .name = STR("hv"),        .bits = PQ_BRANCH_HV },
	{ .name = STR("any"),       .bits = PQ_BRANCH_ANY },
	{ .name = STR("any_call"),  .bits = PQ_BRANCH_ANY_CALL },
	{ .name = STR("any_ret"),   .bits = PQ_BRANCH_ANY_RETURN },
	{ .name = STR("ind_call"),  .bits = PQ_BRANCH_IND_CALL },
	{ .name = STR("abort_tx"),  .bits = PQ_BRANCH_ABORT_TX },
	{ .name = STR("in_tx"),     .bits = PQ_BRANCH_IN_TX },
	{ .name = STR("no_tx"),     .bits = PQ_BRANCH_NO_TX },
	{ .name = STR("cond"),      .bits = PQ_BRANCH_COND },
	{ .name = STR("ind_jmp"),   .bits = PQ_BRANCH_IND_JUMP },
	{ .name = STR("call"),      .bits = PQ_BRANCH_CALL },
	{ .name = STR("no_flags"),  .bits = PQ_BRANCH_NO_FLAGS },
	{ .name = STR("no_cycles"), .bits = PQ_BRANCH_NO_CYCLES },
	{ .name = STR("save_type"), .bits = PQ_BRANCH_TYPE_SAVE },
	{ .name = STR("hw_index"),  .bits = PQ_BRANCH_HW_INDEX },
	{ .name = STR("stack"),     .bits = PQ_BRANCH_CALL_STACK },
	{ .name = STR("priv"),      .bits = PQ_BRANCH_PRIV_SAVE },
	{ .name = STR("counter"),   .bits = PQ_BRANCH_COUNTERS },
};

/* The lengths of the keywords by their first letter: most terms are formats, and are excluded
 * here. */
static const uint32_t lengths_by_letter[26] = {
#define LENGTH_IF(letter, text, ...) | ((text)[0] == (letter) ? UINT32_C(1) << (sizeof(text) - 1) : 0)
#define LENGTHS(letter) [(letter) - 'a'] = 0 PQ_KEYWORDS(LENGTH_IF, letter)
	LENGTHS('a'), LENGTHS('b'), LENGTHS('c'), LENGTHS('d'), LENGTHS('e'), LENGTHS('f'), LENGTHS('g'),
	LENGTHS('h'), LENGTHS('i'), LENGTHS('j'), LENGTHS('k'), LENGTHS('l'), LENGTHS('m'), LENGTHS('n'),
	LENGTHS('o'), LENGTHS('p'), LENGTHS('q'), LENGTHS('r'), LENGTHS('s'), LENGTHS('t'), LENGTHS('u'),
	LENGTHS('v'), LENGTHS('w'), LENGTHS('x'), LENGTHS('y'), LENGTHS('z'),
#undef LENGTHS
#undef LENGTH_IF
};
// clang-format on

const struct pq_keyword *pq_keyword_find(struct pmuq_str word)
{
	unsigned letter = (unsigned char)word.p[0] - (unsigned)'a';

	if (letter >= COUNT(lengths_by_letter) || word.n > 31 ||
	    !(lengths_by_letter[letter] >> word.n & 1))
		return NULL;
	for (size_t i = 0; i < COUNT(keywords); i++)
		if (str_eq(keywords[i].name, word))
			return &keywords[i];
	return NULL;
}

const struct pq_keyword *pq_keyword_of(const struct pq_term *term)
{
	static const struct pq_keyword driver_setting = { .name = STR(PQ_DRIVER_SETTING),
							  .value = PQ_TAKES_WORD,
							  .effect = PQ_IS_FOR_TOOL };

	if (term->is_driver)
		return &driver_setting;
	return term->is_quoted ? NULL : pq_keyword_find(term->key);
}

const struct pq_keyword *pq_keyword_at(size_t index)
{
	return index < COUNT(keywords) ? &keywords[index] : NULL;
}

bool pq_branch_filter_find(struct pmuq_str word, uint64_t *ret)
{
	for (size_t i = 0; i < COUNT(branch_filters); i++) {
		if (!str_eq_nocase(branch_filters[i].name, word))
			continue;
		*ret = branch_filters[i].bits;
		return true;
	}
	return false;
}

struct pmuq_str pq_branch_filter_at(size_t index)
{
	return index < COUNT(branch_filters) ? branch_filters[index].name : STR("");
}

PQ_API PQ_COLD const char *pmuq_term_name(size_t index, bool *ret_takes_value)
{
	const struct pq_keyword *keyword = pq_keyword_at(index);

	if (!keyword)
		return NULL;
	if (ret_takes_value)
		*ret_takes_value = !keyword->is_opposite;
	return keyword->name.p;
}
