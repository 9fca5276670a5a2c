/* SPDX-License-Identifier: MIT */
/* As perf 7.2, the longest word wins, and of equal ones a keyword or a number. */
#include "metric/scan.h"

static const struct pmuq_str keywords[] = {
	[PQ_WORD_IF - PQ_WORD_FIRST_KEYWORD] = STR("if"),
	[PQ_WORD_ELSE - PQ_WORD_FIRST_KEYWORD] = STR("else"),
	[PQ_WORD_MIN - PQ_WORD_FIRST_KEYWORD] = STR("min"),
	[PQ_WORD_MAX - PQ_WORD_FIRST_KEYWORD] = STR("max"),
	[PQ_WORD_D_RATIO - PQ_WORD_FIRST_KEYWORD] = STR("d_ratio"),
	[PQ_WORD_SOURCE_COUNT - PQ_WORD_FIRST_KEYWORD] = STR("source_count"),
	[PQ_WORD_AGGR_NR - PQ_WORD_FIRST_KEYWORD] = STR("aggr_nr"),
	[PQ_WORD_HAS_EVENT - PQ_WORD_FIRST_KEYWORD] = STR("has_event"),
	[PQ_WORD_CPU - PQ_WORD_FIRST_KEYWORD] = STR("strcmp_cpuid_str"),
	[PQ_WORD_NAN - PQ_WORD_FIRST_KEYWORD] = STR("NaN"),
};

struct pmuq_str pq_formula_keyword(int word)
{
	return keywords[word - PQ_WORD_FIRST_KEYWORD];
}

static char char_at(struct pmuq_str text, size_t at)
{
	return at < text.n ? text.p[at] : '\0';
}

static bool is_of_name(char c)
{
	return char_is(c, CHAR_DIGIT | CHAR_ALPHA) || c == '_' || c == '.' || c == ':' ||
	       c == '@' || c == '?';
}

static size_t name_end(struct pmuq_str text, size_t at)
{
	for (;;) {
		char c = char_at(text, at), next = char_at(text, at + 1);

		if (is_of_name(c))
			at++;
		else if (c == '\\' && (next == '-' || next == ',' || next == '='))
			at += 2;
		else
			return at;
	}
}

static size_t digits_end(struct pmuq_str text, size_t at)
{
	while (char_is_digit(char_at(text, at)))
		at++;
	return at;
}

/* The end of a number that begins there; `at` itself if none does. */
static size_t number_end(struct pmuq_str text, size_t at)
{
	size_t end = digits_end(text, at), begin;
	bool has_digits = end > at;

	if (char_at(text, end) == '.') {
		size_t fraction_end = digits_end(text, end + 1);

		has_digits |= fraction_end > end + 1;
		end = has_digits ? fraction_end : end;
	}
	if (!has_digits)
		return at;
	begin = end + 1 + (char_at(text, end + 1) == '-');
	if (char_at(text, end) == 'e' && digits_end(text, begin) > begin)
		return digits_end(text, begin);
	return end;
}

static size_t literal_end(struct pmuq_str text, size_t at)
{
	for (at++; char_is(char_at(text, at), CHAR_DIGIT | CHAR_ALPHA) ||
		   (char_at(text, at) && strchr("_.-", char_at(text, at)));
	     at++)
		;
	return at;
}

static int word_of_name(struct pmuq_str name)
{
	for (size_t i = 0; i < COUNT(keywords); i++)
		if (str_eq(keywords[i], name))
			return PQ_WORD_FIRST_KEYWORD + (int)i;
	return PQ_WORD_NAME;
}

/* The word that begins there, and its end. */
static int read_word(struct pmuq_str text, size_t at, size_t *ret_end)
{
	char c = char_at(text, at);
	size_t number = c == '.' || char_is_digit(c) ? number_end(text, at) : at;
	size_t name = name_end(text, at);

	*ret_end = number > name ? number : name;
	if (number > at && number >= name)
		return PQ_WORD_NUMBER;
	if (name > at)
		return word_of_name(str_part(text, at, name));
	*ret_end = at + 1;
	if (c && strchr("|^&<>+-*/%(),", c))
		return c;
	if (c == '#' && literal_end(text, at) > at + 1) {
		*ret_end = literal_end(text, at);
		return PQ_WORD_LITERAL;
	}
	return PQ_WORD_BAD;
}

int pq_formula_next(struct pq_formula_scan *scan, struct pq_span *ret)
{
	int word = PQ_WORD_END;
	size_t end = scan->at;

	for (; scan->at < scan->text.n; scan->at = end) {
		word = read_word(scan->text, scan->at, &end);
		if (word != PQ_WORD_BAD ||
		    !(scan->skips || char_is(scan->text.p[scan->at], CHAR_SPACE)))
			break;
		word = PQ_WORD_END;
	}
	*ret = (struct pq_span){ (uint32_t)scan->at, (uint32_t)(end - scan->at) };
	scan->at = end;
	return word;
}
