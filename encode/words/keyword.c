/* SPDX-License-Identifier: MIT */
#include "encode/words/keyword.h"
#include "core/flags.h"
#include <pmuq/names.h>

#define KEYWORD(text, takes, does, ...)                                                            \
	{                                                                                          \
		.name = STR(text), .value = PQ_TAKES_##takes, .effect = PQ_##does, __VA_ARGS__     \
	}
#define DEFERRED(text, takes, ...) KEYWORD(text, takes, DEFERS, .deferred = text, __VA_ARGS__)

// clang-format off
static const struct pq_keyword keywords[] = {
	KEYWORD("config",    NUMBER, SETS_CONFIG, .word = 0),
	KEYWORD("config1",   NUMBER, SETS_CONFIG, .word = 1),
	KEYWORD("config2",   NUMBER, SETS_CONFIG, .word = 2),
	KEYWORD("config3",   NUMBER, SETS_CONFIG, .word = 3),
	KEYWORD("config4",   NUMBER, SETS_CONFIG, .word = 4),
	KEYWORD("name",      WORD,   SETS_NAME, .deferred = NULL),
	DEFERRED("period",          NUMBER, .is_for_tracepoints = false),
	DEFERRED("freq",            NUMBER, .is_for_tracepoints = false),
	KEYWORD("branch_type", WORD, SETS_BRANCH_TYPE, .deferred = "branch_type"),
	DEFERRED("time",            BOOL,   .is_for_tracepoints = false),
	DEFERRED("call-graph",      WORD,   .is_for_tracepoints = true),
	DEFERRED("stack-size",      NUMBER, .is_for_tracepoints = true),
	DEFERRED("max-stack",       NUMBER, .is_for_tracepoints = true),
	DEFERRED("nr",              NUMBER, .is_for_tracepoints = true),
	DEFERRED("inherit",         NUMBER, .is_for_tracepoints = true),
	KEYWORD("no-inherit",   NUMBER, DEFERS_NEGATED, .deferred = "inherit", .is_for_tracepoints = true),
	DEFERRED("overwrite",       NUMBER, .is_for_tracepoints = true),
	KEYWORD("no-overwrite", NUMBER, DEFERS_NEGATED, .deferred = "overwrite", .is_for_tracepoints = true),
	DEFERRED("percore",         LOW_BOOL,   .is_for_tracepoints = false),
	DEFERRED("metric-id",       WORD,   .is_for_tracepoints = false),
	DEFERRED("aux-output",      NUMBER, .is_for_tracepoints = true),
	DEFERRED("aux-action",      WORD,   .is_for_tracepoints = true),
	DEFERRED("aux-sample-size", U32,    .is_for_tracepoints = true),
	DEFERRED("driver-config",   WORD,   .is_for_tracepoints = false),
	DEFERRED("ratio-to-prev",   WORD,   .is_for_tracepoints = false),
	KEYWORD("cpu",       ANY,    SETS_CPUS, .deferred = NULL),
	KEYWORD("legacy-hardware-config", NUMBER, SETS_HARDWARE, .deferred = NULL),
	KEYWORD("legacy-cache-config",    NUMBER, SETS_CACHE, .deferred = NULL),
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
	{ .name = STR("save_type"), .bits = PQ_BRANCH_TYPE_SAVE },
	{ .name = STR("stack"),     .bits = PQ_BRANCH_CALL_STACK },
	{ .name = STR("priv"),      .bits = PQ_BRANCH_PRIV_SAVE },
	{ .name = STR("counter"),   .bits = PQ_BRANCH_COUNTERS },
};
// clang-format on

/* Which lengths the keywords of a first letter have. Most terms are formats, and end here. */
#define LENGTH(n) (UINT32_C(1) << (n))
static const uint32_t lengths_by_letter[26] = {
	['a' - 'a'] = LENGTH(10) | LENGTH(15),
	['b' - 'a'] = LENGTH(11),
	['c' - 'a'] = LENGTH(3) | LENGTH(6) | LENGTH(7) | LENGTH(10),
	['d' - 'a'] = LENGTH(13),
	['f' - 'a'] = LENGTH(4),
	['i' - 'a'] = LENGTH(7),
	['l' - 'a'] = LENGTH(19) | LENGTH(22),
	['m' - 'a'] = LENGTH(9),
	['n' - 'a'] = LENGTH(2) | LENGTH(4) | LENGTH(10) | LENGTH(12),
	['o' - 'a'] = LENGTH(9),
	['p' - 'a'] = LENGTH(6) | LENGTH(7),
	['r' - 'a'] = LENGTH(13),
	['s' - 'a'] = LENGTH(10),
	['t' - 'a'] = LENGTH(4),
};

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

PQ_API const char *pmuq_term_name(size_t index, bool *ret_takes_value)
{
	const struct pq_keyword *keyword = pq_keyword_at(index);

	if (!keyword)
		return NULL;
	if (ret_takes_value)
		*ret_takes_value = keyword->effect != PQ_DEFERS_NEGATED;
	return keyword->name.p;
}
