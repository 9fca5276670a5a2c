/* SPDX-License-Identifier: MIT */
/* Regular expressions: the texts that they match, the refused ones and their spans, the same
 * results as the C library, and the low cost of a hostile one. */
#include "core/regex.h"
#include "tests/unit/cmocka_all.h"
#include <pmuq/pmuq.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int compile(struct pq_arena *arena, const char *text, const struct pq_regex **ret,
		   struct pmuq_error **reterr)
{
	*arena = PQ_ARENA((size_t)1 << 16);
	return pq_regex_compile(arena, str_of(text), ret, reterr);
}

static void the_longest_match_counts(void **state)
{
	static const struct {
		const char *regex, *text;
		size_t length;
	} rows[] = {
		{ "GenuineIntel-6-(55|6A)", "GenuineIntel-6-6A", 17 },
		{ "GenuineIntel-6-(55|6A)", "GenuineIntel-6-6B", PQ_REGEX_NO_MATCH },
		{ "GenuineIntel-6-9[6C]", "GenuineIntel-6-9C-0", 17 },
		{ "0x[[:xdigit:]]{4}", "0x004e12", 6 },
		{ "0x004[d-f][[:xdigit:]]{2,}", "0x004e1200", 10 },
		{ "^IBM.393[12].*3\\.8.[[:xdigit:]]+$", "IBM,3932,704,A01,3.8,002f", 25 },
		{ "a|ab|abc", "abcd", 3 },
		{ "(a|ab)(c|bcd)", "abcd", 4 },
		{ "", "abc", 0 },
		{ "a*", "baa", 0 },
		{ "a+b?", "aab", 3 },
		{ "a{2}", "aaa", 2 },
		{ "a{,2}", "aaa", 2 },
		{ "a{0}b", "b", 1 },
		{ "a{0}{5555555555550}b", "b", 1 },
		{ "a{0}{0,5555555555550}b", "b", 1 },
		{ "a{0}*b", "b", 1 },
		{ "(a*)*", "aaa", 3 },
		{ "()*a", "a", 1 },
		{ "[]a]+", "]a]", 3 },
		{ "[^]a]", "]", PQ_REGEX_NO_MATCH },
		{ "[a-]+", "a-a", 3 },
		{ "[[:alpha:][:digit:]_]+", "a1_ ", 3 },
		{ "a)", "a)", 2 },
		{ "\\.\\*", ".*", 2 },
		{ ".", "\xff", 1 },
		{ "a$", "ab", PQ_REGEX_NO_MATCH },
		{ "(^a|b)+", "ab", 2 },
		{ "(a{1023})", "a", PQ_REGEX_NO_MATCH },
		{ "a{0,511}", "aa", 2 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		cleanup(pq_arena_clear) struct pq_arena arena;
		const struct pq_regex *regex;

		assert_int_equal(compile(&arena, rows[i].regex, &regex, NULL), 0);
		if (pq_regex_match(regex, str_of(rows[i].text), 0) != rows[i].length)
			fail_msg("%s on %s", rows[i].regex, rows[i].text);
	}
}

static void a_match_begins_where_it_is_wanted(void **state)
{
	cleanup(pq_arena_clear) struct pq_arena arena;
	const struct pq_regex *regex;

	(void)state;
	assert_int_equal(compile(&arena, "b+|^a", &regex, NULL), 0);
	assert_int_equal(pq_regex_match(regex, STR("abba"), 0), 1);
	assert_int_equal(pq_regex_match(regex, STR("abba"), 1), 2);
	assert_int_equal(pq_regex_match(regex, STR("abba"), 3), PQ_REGEX_NO_MATCH);
	assert_int_equal(pq_regex_match(regex, STR("abba"), 4), PQ_REGEX_NO_MATCH);
}

static void a_mistake_has_its_location(void **state)
{
	static const struct {
		const char *regex, *words;
		uint32_t offset, length;
	} rows[] = {
		{ "ab(c", "the group has no ')'", 2, 1 },
		{ "ab[c", "the bracket expression has no ']'", 2, 2 },
		{ "4[[:xdigit", "a class ends with ':]'", 2, 8 },
		{ "4[[:xdigit:", "a class ends with ':]'", 2, 9 },
		{ "a|*b", "there is nothing to repeat", 2, 1 },
		{ "{2}", "there is nothing to repeat", 0, 1 },
		{ "a^*", "cannot be repeated", 2, 1 },
		{ "a{3,2}", "the interval ends before it begins", 1, 5 },
		{ "a{x}", "an interval begins with a number", 1, 1 },
		{ "a{2", "an interval is", 1, 2 },
		{ "[z-a]", "the range ends before it begins", 1, 3 },
		{ "x[[:no:]]", "no class of bytes of that name", 2, 4 },
		{ "[a-[b]]", "a range ends with a byte", 1, 3 },
		{ "[[", "the bracket expression has no ']'", 0, 2 },
		{ "[[.a.]]", "collating symbols", 1, 2 },
		{ "(a)\\1", "back-references", 3, 2 },
		{ "a\\w", "POSIX has no such escape", 1, 2 },
		{ "a\\", "a byte must follow", 1, 1 },
		{ "a{99}{99}", "too many states", 0, 9 },
		{ "((a{64}){64}){64}", "too many states", 0, 17 },
		/* 1,024 states, with the one that ends the match. */
		{ "a{1024}", "too many states", 0, 7 },
		{ "a{1024}|b", "too many states", 0, 9 },
		{ "a{1023}|b", "too many states", 0, 9 },
		{ "(a{1024})?", "too many states", 0, 10 },
		{ "(a{1024})*", "too many states", 0, 10 },
		{ "(a{1023})*", "too many states", 0, 10 },
		{ "a{1,1024}", "too many states", 0, 9 },
		{ "(abc){1,1024}", "too many states", 0, 13 },
		{ "ba{0,512}", "too many states", 0, 9 },
		{ "a{99999999999999999999}", "an interval", 1, 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		cleanup(pq_arena_clear) struct pq_arena arena;
		struct pmuq_error *error = NULL;
		const struct pq_regex *regex;

		assert_int_equal(compile(&arena, rows[i].regex, &regex, &error), -PMUQ_E_BAD_REGEX);
		if (!strstr(error->message.p, rows[i].words) || error->offset != rows[i].offset ||
		    error->length != rows[i].length)
			fail_msg("%s: %s at %zu, %zu", rows[i].regex, error->message.p,
				 (size_t)error->offset, (size_t)error->length);
		pmuq_error_free(error);
	}
}

/* A random expression of few repetitions: for many, the C library needs gigabytes. */
static void make_random(char *text, unsigned *seed)
{
	static const char *const parts[] = { "a",	    "b",     "1",    "(",     ")",
					     "|",	    "*",     "+",    "?",     "{2}",
					     "{1,3}",	    "{0,2}", "{2,}", "[ab]",  "[^a]",
					     "[[:digit:]]", ".",     "$",    "[a-c]", "()" };
	unsigned repetitions = 0;

	text[0] = '\0';
	for (size_t n = 1 + rand_r(seed) % 6; n > 0; n--) {
		const char *part = parts[(size_t)rand_r(seed) % COUNT(parts)];

		if (!strchr("*+?{", part[0]) || ++repetitions <= 3)
			strcat(text, part);
	}
}

static void compare_matches(const struct pq_regex *ours, const regex_t *theirs, const char *regex,
			    unsigned *seed)
{
	char text[8] = "";
	regmatch_t match = { 0 };
	size_t got = PQ_REGEX_NO_MATCH, at = 0;
	bool is_match;

	for (size_t i = 0, n = (size_t)rand_r(seed) % 7; i < n; i++)
		text[i] = "ab1c"[rand_r(seed) % 4];
	is_match = regexec(theirs, text, 1, &match, 0) == 0;
	for (; got == PQ_REGEX_NO_MATCH && at <= strlen(text); at++)
		got = pq_regex_match(ours, str_of(text), at);
	if (is_match != (got != PQ_REGEX_NO_MATCH) ||
	    (is_match && ((size_t)match.rm_so != at - 1 || (size_t)match.rm_eo != at - 1 + got)))
		fail_msg("'%s' on '%s'", regex, text);
}

/* Without '^' in groups, which glibc also finds after the begin of the text. */
static void random_expressions_match_as_in_the_c_library(void **state)
{
	unsigned seed = 1, n = 0;

	(void)state;
	for (unsigned i = 0; i < 6000; i++) {
		cleanup(pq_arena_clear) struct pq_arena arena;
		const struct pq_regex *ours;
		regex_t theirs;
		char text[128];
		bool is_ours, is_theirs;

		make_random(text, &seed);
		is_ours = compile(&arena, text, &ours, NULL) == 0;
		is_theirs = regcomp(&theirs, text, REG_EXTENDED) == 0;
		if (is_ours != is_theirs)
			fail_msg("'%s': %d, the C library: %d", text, is_ours, is_theirs);
		if (!is_theirs)
			continue;
		for (unsigned k = 0; k < 4; k++)
			compare_matches(ours, &theirs, text, &seed);
		regfree(&theirs);
		n++;
	}
	assert_true(n > 2000);
}

#define NESTED(what) "((((((((" what ")?)?)?)?)?)?)?)*"
#define SIX(what) what what what what what what

/* Within a bound that is a hundred times the usual cost: instructions are not counted here. */
static void a_hostile_expression_costs_little(void **state)
{
	static const char *const hostile[] = {
		"a++++++++++++++++++++++++",
		NESTED("a?"),
		SIX("(a|a|a|a|a|a|a|a|a|a|a)*"),
		SIX("(.*a){20}"),
		"(a?){500}",
		SIX("(a*)*") "b",
	};
	char text[128];

	(void)state;
	memset(text, 'a', sizeof(text));
	for (size_t i = 0; i < COUNT(hostile); i++) {
		cleanup(pq_arena_clear) struct pq_arena arena;
		const struct pq_regex *regex;
		clock_t begin = clock();

		assert_int_equal(compile(&arena, hostile[i], &regex, NULL), 0);
		pq_regex_match(regex, (struct pmuq_str){ text, sizeof(text) }, 0);
		assert_true(clock() - begin < CLOCKS_PER_SEC / 10);
	}
}

static void a_long_expression_is_refused(void **state)
{
	cleanup(pq_arena_clear) struct pq_arena arena;
	const struct pq_regex *regex;
	char text[PQ_REGEX_MAX_BYTES + 2];

	(void)state;
	memset(text, '(', sizeof(text));
	text[PQ_REGEX_MAX_BYTES] = '\0';
	assert_int_equal(compile(&arena, text, &regex, NULL), -PMUQ_E_BAD_REGEX);
	memset(text, '|', PQ_REGEX_MAX_BYTES);
	assert_int_equal(compile(&arena, text, &regex, NULL), 0);
	pq_arena_clear(&arena);
	text[PQ_REGEX_MAX_BYTES] = '|';
	text[PQ_REGEX_MAX_BYTES + 1] = '\0';
	assert_int_equal(compile(&arena, text, &regex, NULL), -PMUQ_E_BAD_REGEX);
}

/* A set takes at least 3 bytes; after 85 of them, one more can begin. */
static void as_many_sets_as_fit_are_compiled(void **state)
{
	cleanup(pq_arena_clear) struct pq_arena arena;
	const struct pq_regex *regex;
	struct pmuq_error *error = NULL;
	char text[PQ_REGEX_MAX_BYTES + 1] = "";

	(void)state;
	for (size_t i = 0; i < PQ_REGEX_MAX_BYTES / 3; i++)
		strcat(text, i % 2 ? "[b]" : "[a]");
	assert_int_equal(compile(&arena, text, &regex, NULL), 0);
	assert_int_equal(pq_regex_match(regex, STR("abab"), 0), PQ_REGEX_NO_MATCH);
	pq_arena_clear(&arena);
	strcat(text, "[");
	assert_int_equal(compile(&arena, text, &regex, &error), -PMUQ_E_BAD_REGEX);
	assert_non_null(strstr(error->message.p, "the bracket expression has no ']'"));
	assert_int_equal(error->offset, PQ_REGEX_MAX_BYTES - 1);
	pmuq_error_free(error);
}

static void without_memory_nothing_is_compiled(void **state)
{
	static const char *const texts[] = { "a", "[a]" };

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		const struct pq_regex *regex = NULL;
		size_t cap_bytes = 0;
		int r;

		do {
			cleanup(pq_arena_clear) struct pq_arena arena;

			arena = PQ_ARENA(cap_bytes++);
			r = pq_regex_compile(&arena, str_of(texts[i]), &regex, NULL);
			assert_true(r == 0 || (r == -PMUQ_E_MEMORY && !regex));
		} while (r < 0);
		assert_true(cap_bytes > 1);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_longest_match_counts),
		cmocka_unit_test(a_match_begins_where_it_is_wanted),
		cmocka_unit_test(a_mistake_has_its_location),
		cmocka_unit_test(random_expressions_match_as_in_the_c_library),
		cmocka_unit_test(a_hostile_expression_costs_little),
		cmocka_unit_test(a_long_expression_is_refused),
		cmocka_unit_test(as_many_sets_as_fit_are_compiled),
		cmocka_unit_test(without_memory_nothing_is_compiled),
	};

	return cmocka_run_group_tests_name("regex", tests, NULL, NULL);
}
