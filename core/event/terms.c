/* SPDX-License-Identifier: MIT */
/*
 * Lists of terms. The comment of each function is its rule of docs/grammar.md. Terms are linked
 * before they are read, so that a caller can inspect the terms of an incomplete text.
 */
#include "core/event/terms.h"
#include "core/event/keywords.h"
#include "core/num.h"

bool pq_key_takes_text(struct pmuq_str key)
{
	/* The probe terms of encode/resolve/probe_terms.c that are texts. */
	static const struct pmuq_str keys[] = { STR("func"), STR("path") };

	for (size_t i = 0; i < COUNT(keys); i++)
		if (str_eq(keys[i], key))
			return true;
	return false;
}

/* A key that begins with a digit and is a number is a mistake. */
static bool is_number(struct pmuq_str word)
{
	uint64_t number;

	return char_is_digit(word.p[0]) && pq_num_any(word, &number) != PQ_NUM_NONE;
}

bool pq_word_is_key(struct pmuq_str word)
{
	for (size_t i = 0; i < word.n; i++)
		if (!char_is(word.p[i], CHAR_KEY))
			return false;
	return word.n && char_is(word.p[0], CHAR_WORD_START) && !is_number(word);
}

static int bad_number(struct pq_scanner *s, struct pq_span at, const char *why)
{
	struct pmuq_str text = pq_scan_slice(s, at);

	return pq_fail_span(s->reterr, at, PMUQ_E_BAD_NUMBER, "'%.*s' %s", STR_ARG(text), why);
}

/* A word that looks like a number must be one: a word of 17 hex digits is a mistake, not a name. */
static int classify_value(struct pq_scanner *s, struct pq_term *term)
{
	enum pq_num num = pq_num_any(term->value, &term->number);

	if (num == PQ_NUM_RANGE)
		return bad_number(s, term->value_at, "does not fit 64 bits");
	if (num == PQ_NUM_OK && pq_word_is_long_hex(term->value))
		return bad_number(s, term->value_at, "has more than 16 hex digits");
	if (num == PQ_NUM_OK)
		term->type = PQ_VALUE_NUMBER;
	else if (str_eq(term->value, STR("?")))
		term->type = PQ_VALUE_PARAMETER;
	else
		term->type = PQ_VALUE_WORD;
	return 0;
}

static int missing_value(struct pq_scanner *s, struct pq_term *term)
{
	term->value_at = pq_scan_span(s->at, s->at);
	return pq_scan_unexpected(s, pq_key_takes_text(term->key) ? PQ_EXPECTED_TEXT
								  : PQ_EXPECTED_VALUE);
}

static int scan_quoted_value(struct pq_scanner *s, struct pq_term *term)
{
	int r = pq_key_takes_text(term->key) ? pq_scan_quoted_text(s, &term->value_at)
					     : pq_scan_quoted(s, &term->value_at);

	if (r < 0)
		return r;
	term->value = pq_scan_slice(s, term->value_at);
	term->type = PQ_VALUE_WORD;
	return 0;
}

/* value = NUMBER | WORD | "?" | "'" TEXT "'" */
static int scan_value(struct pq_scanner *s, struct pq_term *term)
{
	size_t from;

	pq_scan_blanks(s);
	from = s->at;
	if (pq_scan_peek(s) == '\'')
		return scan_quoted_value(s, term);
	if (pq_scan_peek(s) == '-' || pq_scan_peek(s) == '+') {
		for (s->at++; char_is(pq_scan_peek(s), CHAR_KEY);)
			s->at++;
		return bad_number(s, pq_scan_span(from, s->at), "has a sign, which no term takes");
	}
	if (!char_is(pq_scan_peek(s), CHAR_WORD_START))
		return missing_value(s, term);
	pq_scan_run(s, CHAR_KEY);
	term->value_at = pq_scan_span(from, s->at);
	term->value = pq_scan_slice(s, term->value_at);
	return classify_value(s, term);
}

/* Letters, digits, and a few other bytes. */
static void scan_driver_word(struct pq_scanner *s, const char *others)
{
	while (char_is(pq_scan_peek(s), CHAR_DIGIT | CHAR_ALPHA) ||
	       (pq_scan_peek(s) && strchr(others, pq_scan_peek(s))))
		s->at++;
}

/* driver = "@" KEY [ "=" WORD ]: one string, passed to the PMU's driver unchanged. */
static int scan_driver_term(struct pq_scanner *s, struct pq_term *term)
{
	size_t from = s->at++, name = s->at;

	scan_driver_word(s, "_.");
	if (s->at == name)
		return pq_scan_unexpected(s, PQ_EXPECTED_DRIVER_NAME);
	if (pq_scan_peek(s) == '=') {
		size_t value = ++s->at;

		scan_driver_word(s, "_*?.:");
		if (s->at == value)
			return pq_scan_unexpected(s, PQ_EXPECTED_DRIVER_VALUE);
	}
	term->at = pq_scan_span(from, s->at);
	term->value_at = pq_scan_span(from + 1, s->at);
	term->value = pq_scan_slice(s, term->value_at);
	term->key = STR(PQ_DRIVER_SETTING);
	term->type = PQ_VALUE_WORD;
	term->is_driver = true;
	return 0;
}

static int scan_quoted_key(struct pq_scanner *s, struct pq_term *term)
{
	int r = pq_scan_quoted(s, &term->at);

	term->key = r < 0 ? term->key : pq_scan_slice(s, term->at);
	return r;
}

static int scan_key(struct pq_scanner *s, struct pq_term *term)
{
	size_t from = s->at;

	if (pq_scan_peek(s) == '\'')
		return scan_quoted_key(s, term);
	if (!char_is(pq_scan_peek(s), CHAR_WORD_START))
		return pq_scan_unexpected(s, PQ_EXPECTED_TERM);
	pq_scan_run(s, CHAR_KEY);
	term->at = pq_scan_span(from, s->at);
	term->key = pq_scan_slice(s, term->at);
	if (is_number(term->key)) {
		s->at = from;
		return pq_scan_unexpected(s, PQ_EXPECTED_TERM_NAME);
	}
	return 0;
}

/* term = KEY [ "=" VALUE ] | RAW | driver */
static int scan_term(struct pq_scanner *s, struct pq_term *term)
{
	int r;

	pq_scan_blanks(s);
	if (pq_scan_peek(s) == '@')
		return scan_driver_term(s, term);
	term->is_quoted = pq_scan_peek(s) == '\'';
	r = scan_key(s, term);
	if (r < 0)
		return r;
	pq_scan_blanks(s);
	if (pq_scan_peek(s) == '=') {
		s->at++;
		return scan_value(s, term);
	}
	term->is_raw = !term->is_quoted && pq_word_is_raw(term->key, true, &term->number);
	if (term->is_raw)
		term->type = PQ_VALUE_NUMBER;
	return 0;
}

/* terms = term { "," term } */
static int scan_terms(struct pq_scanner *s, struct pq_term **ret)
{
	for (unsigned n = 0;; s->at++) {
		struct pq_term *term = pq_arena_take(s->arena, sizeof(*term));
		int r;

		if (!term)
			return pq_fail_memory(s->reterr);
		*term = (struct pq_term){ 0 };
		*ret = term;
		ret = &term->next;
		r = scan_term(s, term);
		if (r < 0)
			return r;
		if (++n > PQ_TERMS_MAX)
			return pq_fail_span(s->reterr, term->at, PMUQ_E_TOO_LONG,
					    "an event takes at most %u terms", PQ_TERMS_MAX);
		pq_scan_blanks(s);
		if (pq_scan_peek(s) != ',')
			return 0;
	}
}

static int unclosed_terms(struct pq_scanner *s, size_t open)
{
	s->expected = PQ_EXPECTED_TERM_END;
	return pq_fail_span(s->reterr, pq_scan_span(open, open + 1), PMUQ_E_UNTERMINATED,
			    "the list of terms is never closed by a '/'");
}

/* "/" [ terms ] "/" */
int pq_scan_slashed_terms(struct pq_scanner *s, size_t open, struct pq_term **ret)
{
	*ret = NULL;
	pq_scan_blanks(s);
	if (pq_scan_peek(s) != '/' && s->at < s->text.n) {
		int r = scan_terms(s, ret);

		if (r < 0)
			return r;
	}
	if (pq_scan_peek(s) != '/')
		return s->at < s->text.n ? pq_scan_unexpected(s, PQ_EXPECTED_TERM_END)
					 : unclosed_terms(s, open);
	s->at++;
	return 0;
}

int pq_parse_terms(struct pq_arena *arena, struct pmuq_str text, struct pq_term **ret,
		   struct pmuq_error **reterr)
{
	struct pq_scanner s = { .text = text, .arena = arena, .reterr = reterr };
	int r;

	*ret = NULL;
	r = scan_terms(&s, ret);
	if (r == 0 && s.at < text.n)
		r = pq_scan_unexpected(&s, PQ_EXPECTED_TERMS_END);
	if (r < 0)
		pq_error_input(reterr, text);
	return r;
}
