/* SPDX-License-Identifier: MIT */
/*
 * Which texts can be written without quotes. A reader of YAML 1.1 interprets more words as booleans
 * and numbers than one of 1.2: the text must be safe for both.
 */
#include "core/text/yaml_words.h"
#include "core/num.h"

/* Booleans and null of YAML 1.1, which include those of 1.2. */
static bool is_word(struct pmuq_str s)
{
	static const struct pmuq_str words[] = { STR("y"),    STR("n"),	    STR("yes"),
						 STR("no"),   STR("on"),    STR("off"),
						 STR("true"), STR("false"), STR("null") };

	for (size_t i = 0; i < COUNT(words); i++)
		if (str_eq_nocase(s, words[i]))
			return true;
	return false;
}

bool pq_yaml_is_plain(struct pmuq_str s)
{
	if (!s.n || !char_is_alpha(s.p[0]) || s.p[s.n - 1] == ' ' || is_word(s))
		return false;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c == ':' && (i + 1 == s.n || s.p[i + 1] == ' '))
			return false;
		if (!char_is_alpha(c) && !char_is_digit(c) && (!c || !strchr(" _-./,=+|:@()[]", c)))
			return false;
	}
	return true;
}

static bool is_made_of(struct pmuq_str s, const char *chars)
{
	for (size_t i = 0; i < s.n; i++)
		if (!s.p[i] || !strchr(chars, s.p[i]))
			return false;
	return s.n > 0;
}

/* "2026-11-21", with or without a time after it. */
static bool is_date(struct pmuq_str s)
{
	return s.n >= 8 && is_made_of(str_part(s, 0, 4), "0123456789") && s.p[4] == '-' &&
	       memchr(s.p + 5, '-', 3);
}

bool pq_yaml_is_typed(struct pmuq_str s)
{
	struct pmuq_str digits = s;

	if (!s.n || is_word(s))
		return true;
	if (s.p[0] == '-' || s.p[0] == '+')
		digits = str_part(s, 1, s.n);
	if (!digits.n || !char_is(digits.p[0], CHAR_DIGIT))
		return str_eq(s, STR("~")) || str_eq_nocase(digits, STR(".inf")) ||
		       str_eq_nocase(s, STR(".nan")) || pq_num_scale_length(s) == s.n;
	return is_made_of(digits, "0123456789_:.") || pq_num_scale_length(s) == s.n || is_date(s) ||
	       str_starts(digits, STR("0x")) || str_starts(digits, STR("0o")) ||
	       str_starts(digits, STR("0b"));
}
