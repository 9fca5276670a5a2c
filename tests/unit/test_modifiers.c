/* SPDX-License-Identifier: MIT */
/*
 * What each modifier letter does, seen from outside: how often it may be written, whether it
 * belongs to a group or its leader only, whether it warns on an uncore PMU, and whether it is a
 * tool term. A new letter needs a row here. Which bits a letter sets is a matter of tests/cases.
 */
#include "tests/harness/build.h"
#include <pmuq/names.h>
#include <stdio.h>
#include <string.h>

struct letter_row {
	char letter;
	unsigned max_times;
	bool warns_on_uncore, is_for_leader, is_for_groups, is_tool_term;
};

// clang-format off
static const struct letter_row rows[] = {
	{ 'u', 1, .warns_on_uncore = true },
	{ 'k', 1, .warns_on_uncore = true },
	{ 'h', 1, .warns_on_uncore = true },
	{ 'p', 3 },
	{ 'G', 1, .warns_on_uncore = true },
	{ 'H', 1, .warns_on_uncore = true },
	{ 'I', 1, .warns_on_uncore = true },
	{ 'P', 1, .is_tool_term = true },
	{ 'S', 1, .is_tool_term = true },
	{ 'D', 1, .is_for_leader = true },
	{ 'W', 1, .is_tool_term = true, .is_for_groups = true },
	{ 'e', 1, .is_for_leader = true },
	{ 'b', 1, .is_tool_term = true },
	{ 'R', 1, .is_tool_term = true },
	{ 'X', 1, .is_tool_term = true },
};
// clang-format on

static const struct test_pmu machine[] = {
	{ .name = "cpu", .type = 4, .formats = "event config:0-7" },
	{ .name = "uncore", .type = 20, .cpumask = "0", .formats = "event config:0-7" },
};

TEST_CATALOG(machine)

static struct pmuq_encodings *encode(const char *text)
{
	struct pmuq_encodings *encodings = NULL;
	int r = pmuq_catalog_encode(catalog, text, NULL, &encodings, NULL);

	if (r != 0)
		fail_msg("'%s' is refused: %s", text, pmuq_code_name((unsigned)-r));
	return encodings;
}

static void assert_refused(const char *text, enum pmuq_code code)
{
	struct pmuq_encodings *encodings = NULL;
	int r = pmuq_catalog_encode(catalog, text, NULL, &encodings, NULL);

	if (r != -(int)code)
		fail_msg("'%s' is not %s", text, pmuq_code_name(code));
}

/* The encoding at `index` of `before` LETTERS, each letter `times` times. */
static struct pmuq_encodings *encode_with(const char *before, const struct letter_row *row,
					  unsigned times)
{
	char text[128];
	int n = snprintf(text, sizeof(text), "%s", before);

	for (; times; times--)
		text[n++] = row->letter;
	text[n] = '\0';
	return encode(text);
}

static const char *event_on(const struct letter_row *row, bool is_uncore)
{
	if (row->is_for_groups)
		return is_uncore ? "{uncore/event=1/}:" : "{cpu/event=1/}:";
	return is_uncore ? "uncore/event=1/" : "cpu/event=1/";
}

static bool same_attr(const struct pmuq_encodings *a, const struct pmuq_encodings *b, size_t index)
{
	return memcmp(pmuq_encodings_get(a, index)->attr, pmuq_encodings_get(b, index)->attr,
		      sizeof(struct pmuq_attr)) == 0;
}

static void each_letter_has_a_row(void **state)
{
	const char *meaning;
	char letter;
	size_t n = 0;

	(void)state;
	for (; (meaning = pmuq_modifier_meaning(n, &letter)); n++) {
		assert_true(n < COUNT(rows));
		assert_int_equal(letter, rows[n].letter);
		assert_true(*meaning != '\0');
	}
	assert_int_equal(n, COUNT(rows));
}

static bool warns_unfilterable(const struct letter_row *row, bool is_uncore)
{
	struct pmuq_encodings *encodings = encode_with(event_on(row, is_uncore), row, 1);
	const struct pmuq_encoding *encoding = pmuq_encodings_get(encodings, 0);
	bool ret = false;

	for (size_t i = 0; i < encoding->n_warnings; i++)
		ret |= pmuq_encoding_warning(encoding, i)->code == PMUQ_E_UNFILTERABLE;
	pmuq_encodings_free(encodings);
	return ret;
}

static void who_caused_an_event_is_unknown_to_an_uncore_pmu(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		if (warns_unfilterable(&rows[i], true) != rows[i].warns_on_uncore)
			fail_msg("'%c' on an uncore PMU", rows[i].letter);
		assert_false(warns_unfilterable(&rows[i], false));
	}
}

/* The first letter of u, k and h, and of G and H, excludes the others; so each changes the attr. */
static void a_letter_changes_the_attr_or_is_a_tool_term(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pmuq_encodings *with = encode_with(event_on(&rows[i], false), &rows[i], 1);
		struct pmuq_encodings *without = encode("cpu/event=1/");

		if (same_attr(with, without, 0) != rows[i].is_tool_term)
			fail_msg("the attr of '%c'", rows[i].letter);
		assert_int_equal(pmuq_encodings_get(with, 0)->n_tool_terms, rows[i].is_tool_term);
		pmuq_encodings_free(with);
		pmuq_encodings_free(without);
	}
}

static void a_group_hands_its_letters_to_the_members_or_to_the_leader(void **state)
{
	static const char group[] = "{cpu/event=1/,cpu/event=2/}:";

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pmuq_encodings *with = encode_with(group, &rows[i], 1);
		struct pmuq_encodings *without = encode("{cpu/event=1/,cpu/event=2/}");

		assert_int_equal(same_attr(with, without, 0), rows[i].is_tool_term);
		if (same_attr(with, without, 1) != (rows[i].is_tool_term || rows[i].is_for_leader))
			fail_msg("'%c' at a member", rows[i].letter);
		pmuq_encodings_free(with);
		pmuq_encodings_free(without);
	}
}

static void a_letter_is_written_so_often_and_no_more(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct letter_row *row = &rows[i];
		char text[64];
		int n = snprintf(text, sizeof(text), "%s", event_on(row, false));

		for (unsigned k = 0; k < row->max_times; k++) {
			text[n++] = row->letter;
			text[n] = '\0';
			pmuq_encodings_free(encode(text));
		}
		text[n++] = row->letter;
		text[n] = '\0';
		assert_refused(text,
			       row->max_times > 1 ? PMUQ_E_TOO_PRECISE : PMUQ_E_REPEATED_MODIFIER);
	}
}

static void some_letters_are_for_groups_alone(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		char text[] = "cpu/event=1/?";

		text[sizeof(text) - 2] = rows[i].letter;
		if (rows[i].is_for_groups)
			assert_refused(text, PMUQ_E_WEAK_ALONE);
		else
			pmuq_encodings_free(encode(text));
	}
}

/* All letters, each as often as it may be, are still one word of modifiers after a colon; with one
 * letter more, the word may be the name of a tracepoint. If it is not, the letters are wrong. */
static void all_letters_together_are_modifiers(void **state)
{
	char letters[64], text[128];
	size_t n = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		for (unsigned k = 0; k < rows[i].max_times; k++)
			letters[n++] = rows[i].letter;
	letters[n] = '\0';
	snprintf(text, sizeof(text), "{cpu/event=1/}:%s", letters);
	pmuq_encodings_free(encode(text));
	snprintf(text, sizeof(text), "cs:%s", letters);
	assert_refused(text, PMUQ_E_WEAK_ALONE);
	snprintf(text, sizeof(text), "cs:u%s", letters);
	assert_refused(text, PMUQ_E_REPEATED_MODIFIER);
	snprintf(text, sizeof(text), "cs:'x%s'", letters);
	assert_refused(text, PMUQ_E_UNKNOWN_TRACEPOINT);
}

static void the_hint_lists_each_letter(void **state)
{
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_error *error = NULL;

	(void)state;
	assert_int_equal(pmuq_catalog_encode(catalog, "cpu/event=1/y", NULL, &encodings, &error),
			 -PMUQ_E_BAD_MODIFIER);
	for (size_t i = 0; i < COUNT(rows); i++) {
		char item[64];

		snprintf(item, sizeof(item), "%c (%s", rows[i].letter,
			 pmuq_modifier_meaning(i, NULL));
		if (!strstr(error->hint.p, item))
			fail_msg("'%s' is not in: %s", item, error->hint.p);
	}
	pmuq_error_free(error);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_letter_has_a_row),
		cmocka_unit_test(who_caused_an_event_is_unknown_to_an_uncore_pmu),
		cmocka_unit_test(a_letter_changes_the_attr_or_is_a_tool_term),
		cmocka_unit_test(a_group_hands_its_letters_to_the_members_or_to_the_leader),
		cmocka_unit_test(a_letter_is_written_so_often_and_no_more),
		cmocka_unit_test(some_letters_are_for_groups_alone),
		cmocka_unit_test(all_letters_together_are_modifiers),
		cmocka_unit_test(the_hint_lists_each_letter),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
