/* SPDX-License-Identifier: MIT */
/* The part of the grammar between two slashes, and the tokens that both parts share. */
#include "core/num.h"
#include "encode/limits.h"
#include "encode/parse/parse.h"
#include "encode/resolve/probe_terms.h"

int pq_scan_unexpected(struct pq_scanner *s, const char *expected)
{
	char c = pq_scan_peek(s);
	int r;

	if (s->at >= s->text.n)
		r = pq_fail(s->reterr, PMUQ_E_SYNTAX, "expected %s, but here is the end", expected);
	else if (c > ' ' && c < 0x7f)
		r = pq_fail(s->reterr, PMUQ_E_SYNTAX, "expected %s, not '%c'", expected, c);
	else
		r = pq_fail(s->reterr, PMUQ_E_SYNTAX, "expected %s, not the byte 0x%02x", expected,
			    (unsigned char)c);
	pq_error_at(s->reterr, pq_scan_span(s->at, s->at < s->text.n ? s->at + 1 : s->at));
	return r;
}

static int unclosed_quote(struct pq_scanner *s, size_t open)
{
	int r = pq_fail(s->reterr, PMUQ_E_UNTERMINATED, "the quote is never closed");

	pq_error_at(s->reterr, pq_scan_span(open, s->text.n));
	return r;
}

int pq_scan_quoted(struct pq_scanner *s, struct pq_span *ret)
{
	size_t open = s->at++;

	pq_scan_run(s, CHAR_QUOTED);
	if (pq_scan_peek(s) == '\'' && s->at > open + 1) {
		*ret = pq_scan_span(open + 1, s->at++);
		return 0;
	}
	if (memchr(s->text.p + open + 1, '\'', s->text.n - open - 1))
		return pq_scan_unexpected(s, "a letter, digit or one of _*?.[]!-:,= within quotes");
	return unclosed_quote(s, open);
}

/* 'any bytes' but a quote: a path is what it is. */
static int scan_quoted_text(struct pq_scanner *s, struct pq_span *ret)
{
	size_t open = s->at++;
	const char *close = memchr(s->text.p + s->at, '\'', s->text.n - s->at);

	if (!close)
		return unclosed_quote(s, open);
	s->at = (size_t)(close - s->text.p);
	if (s->at == open + 1)
		return pq_scan_unexpected(s, "a text within the quotes");
	*ret = pq_scan_span(open + 1, s->at++);
	return 0;
}

bool pq_word_is_raw(struct pmuq_str word, bool with_prefix, uint64_t *ret)
{
	size_t skip = 1;

	if (word.n < 2 || word.p[0] != 'r')
		return false;
	if (with_prefix && word.n > 3 && word.p[1] == '0' && word.p[2] == 'x')
		skip = 3;
	return word.n - skip <= 16 && pq_num_hex(str_part(word, skip, word.n), ret) == PQ_NUM_OK;
}

static int bad_number(struct pq_scanner *s, struct pq_span at, const char *why)
{
	struct pmuq_str text = pq_scan_slice(s, at);
	int r = pq_fail(s->reterr, PMUQ_E_BAD_NUMBER, "'%.*s' %s", STR_ARG(text), why);

	pq_error_at(s->reterr, at);
	return r;
}

/* What is written like a number must be one: a word of 17 hex digits is a slip, not a name. */
static int classify_value(struct pq_scanner *s, struct pq_term *term)
{
	bool is_hex = term->value.n > 2 && str_starts(term->value, STR("0x"));
	enum pq_num num = pq_num_any(term->value, &term->number);

	if (num == PQ_NUM_RANGE)
		return bad_number(s, term->value_at, "does not fit 64 bits");
	if (num == PQ_NUM_OK && is_hex && term->value.n > 2 + 16)
		return bad_number(s, term->value_at, "has more than 16 hex digits");
	if (num == PQ_NUM_OK)
		term->kind = PQ_VALUE_NUMBER;
	else if (str_eq(term->value, STR("?")))
		term->kind = PQ_VALUE_PARAMETER;
	else
		term->kind = PQ_VALUE_WORD;
	return 0;
}

/* value = NUMBER | WORD | 'quoted' | "?" */
static int scan_value(struct pq_scanner *s, struct pq_term *term)
{
	size_t from;

	pq_scan_blanks(s);
	from = s->at;
	if (pq_scan_peek(s) == '\'') {
		int r = pq_probe_has_text(term->key) ? scan_quoted_text(s, &term->value_at)
						     : pq_scan_quoted(s, &term->value_at);

		term->value = r < 0 ? term->value : pq_scan_slice(s, term->value_at);
		term->kind = PQ_VALUE_WORD;
		return r;
	}
	if (pq_scan_peek(s) == '-' || pq_scan_peek(s) == '+') {
		for (s->at++; char_is(pq_scan_peek(s), CHAR_KEY);)
			s->at++;
		return bad_number(s, pq_scan_span(from, s->at), "has a sign, which no term takes");
	}
	if (!char_is(pq_scan_peek(s), CHAR_WORD_START))
		return pq_scan_unexpected(
			s, pq_probe_has_text(term->key) ? "a text in single quotes" : "a value");
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

/* driver = "@" KEY [ "=" WORD ]: one string, handed to the PMU's driver as it stands. */
static int scan_driver_term(struct pq_scanner *s, struct pq_term *term)
{
	size_t from = s->at++, name = s->at;

	scan_driver_word(s, "_.");
	if (s->at == name)
		return pq_scan_unexpected(s, "the name of a driver's setting");
	if (pq_scan_peek(s) == '=') {
		size_t value = ++s->at;

		scan_driver_word(s, "_*?.:");
		if (s->at == value)
			return pq_scan_unexpected(s, "the value of a driver's setting");
	}
	term->at = pq_scan_span(from, s->at);
	term->value_at = pq_scan_span(from + 1, s->at);
	term->value = pq_scan_slice(s, term->value_at);
	term->key = STR("driver-config");
	term->kind = PQ_VALUE_WORD;
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
	uint64_t number;

	if (pq_scan_peek(s) == '\'')
		return scan_quoted_key(s, term);
	if (!char_is(pq_scan_peek(s), CHAR_WORD_START))
		return pq_scan_unexpected(s, "a term");
	pq_scan_run(s, CHAR_KEY);
	term->at = pq_scan_span(from, s->at);
	term->key = pq_scan_slice(s, term->at);
	if (char_is_digit(term->key.p[0]) && pq_num_any(term->key, &number) != PQ_NUM_NONE) {
		s->at = from;
		return pq_scan_unexpected(s, "the name of a term");
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
		term->kind = PQ_VALUE_NUMBER;
	return 0;
}

static int too_many_terms(struct pq_scanner *s, struct pq_span at)
{
	int r = pq_fail(s->reterr, PMUQ_E_TOO_LONG, "an event takes at most %u terms",
			PQ_TERMS_MAX);

	pq_error_at(s->reterr, at);
	return r;
}

/* terms = term { "," term } */
static int scan_terms(struct pq_scanner *s, struct pq_term **ret)
{
	struct pq_term *first = NULL, **tail = &first;

	for (s->n_terms = 0;; s->at++) {
		struct pq_term *term = pq_arena_take(s->arena, sizeof(*term));
		int r;

		if (!term)
			return pq_fail_memory(s->reterr);
		*term = (struct pq_term){ 0 };
		r = scan_term(s, term);
		if (r < 0)
			return r;
		if (++s->n_terms > PQ_TERMS_MAX)
			return too_many_terms(s, term->at);
		*tail = term;
		tail = &term->next;
		pq_scan_blanks(s);
		if (pq_scan_peek(s) != ',')
			break;
	}
	*ret = first;
	return 0;
}

int pq_scan_slashed_terms(struct pq_scanner *s, size_t open, struct pq_term **ret)
{
	int r;

	*ret = NULL;
	pq_scan_blanks(s);
	if (pq_scan_peek(s) == '/') {
		s->at++;
		return 0;
	}
	if (s->at < s->text.n) {
		r = scan_terms(s, ret);
		if (r < 0)
			return r;
		if (pq_scan_peek(s) == '/') {
			s->at++;
			return 0;
		}
		if (s->at < s->text.n)
			return pq_scan_unexpected(s, "',' or '/' after a term");
	}
	r = pq_fail(s->reterr, PMUQ_E_UNTERMINATED, "the list of terms is never closed by a '/'");
	pq_error_at(s->reterr, pq_scan_span(open, open + 1));
	return r;
}

int pq_parse_terms(struct pq_arena *arena, struct pmuq_str text, struct pq_term **ret,
		   struct pmuq_error **reterr)
{
	struct pq_scanner s = { .text = text, .arena = arena, .reterr = reterr };
	int r = scan_terms(&s, ret);

	if (r == 0 && s.at < text.n)
		r = pq_scan_unexpected(&s, "',' or the end after a term");
	if (r < 0)
		pq_error_input(reterr, text);
	return r;
}
