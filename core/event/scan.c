/* SPDX-License-Identifier: MIT */
/*
 * The tokens that the parsers of the event language share, and the errors at a byte that no rule
 * accepts. The words for expected tokens are here, so that all parsers use the same ones.
 */
#include "core/event/scan.h"
#include "core/num.h"

// clang-format off
static const char *const expected_words[] = {
	[PQ_EXPECTED_NOTHING]            = "nothing",
	[PQ_EXPECTED_EVENT]              = "an event",
	[PQ_EXPECTED_EVENT_END]          = "',' or the end of the event",
	[PQ_EXPECTED_MODIFIERS]          = "modifiers, ',' or the end of the event",
	[PQ_EXPECTED_EVENT_TAIL]         = "':', '/', ',' or the end of the event",
	[PQ_EXPECTED_TRACEPOINT]         = "modifiers or the name of a tracepoint",
	[PQ_EXPECTED_PFM_NAME]           = "the name of an event",
	[PQ_EXPECTED_CONFIG_COLON]       = "':' and the config of TYPE:CONFIG",
	[PQ_EXPECTED_CONFIG]             = "the config of TYPE:CONFIG",
	[PQ_EXPECTED_ADDRESS]            = "an address",
	[PQ_EXPECTED_LENGTH]             = "a length in bytes",
	[PQ_EXPECTED_GROUP_MODIFIERS]    = "modifiers of the group",
	[PQ_EXPECTED_LIST_END]           = "',' or the end",
	[PQ_EXPECTED_TERM]               = "a term",
	[PQ_EXPECTED_TERM_NAME]          = "the name of a term",
	[PQ_EXPECTED_TERM_END]           = "',' or '/' after a term",
	[PQ_EXPECTED_TERMS_END]          = "',' or the end after a term",
	[PQ_EXPECTED_VALUE]              = "a value",
	[PQ_EXPECTED_TEXT]               = "a text in single quotes",
	[PQ_EXPECTED_DRIVER_NAME]        = "the name of a driver's setting",
	[PQ_EXPECTED_DRIVER_VALUE]       = "the value of a driver's setting",
	[PQ_EXPECTED_QUOTED_BYTE]        = "a letter, digit or one of _*?.[]!-:,= within quotes",
	[PQ_EXPECTED_QUOTED_START]       = "a letter, digit or one of _*?[] after the quote",
	[PQ_EXPECTED_QUOTED_TEXT]        = "a text within the quotes",
};
// clang-format on

PQ_COLD int pq_scan_unexpected(struct pq_scanner *s, enum pq_expected expected)
{
	const char *words = expected_words[expected];
	char c = pq_scan_peek(s);
	struct pq_span at = pq_scan_span(s->at, s->at < s->text.n ? s->at + 1 : s->at);

	s->expected = expected;
	if (!at.length)
		return pq_fail_span(s->reterr, at, PMUQ_E_SYNTAX,
				    "expected %s, but the text ends here", words);
	if (c > ' ' && c < 0x7f)
		return pq_fail_span(s->reterr, at, PMUQ_E_SYNTAX, "expected %s, not '%c'", words,
				    c);
	return pq_fail_span(s->reterr, at, PMUQ_E_SYNTAX, "expected %s, not the byte 0x%02x", words,
			    (unsigned char)c);
}

PQ_COLD static int unclosed_quote(struct pq_scanner *s, size_t open, struct pq_span *ret)
{
	*ret = pq_scan_span(open + 1, s->text.n);
	s->is_in_quotes = true;
	return pq_fail_span(s->reterr, pq_scan_span(open, s->text.n), PMUQ_E_UNTERMINATED,
			    "the quote is never closed");
}

int pq_scan_quoted(struct pq_scanner *s, struct pq_span *ret)
{
	size_t open = s->at++;

	if (char_is(pq_scan_peek(s), CHAR_WORD_START))
		pq_scan_run(s, CHAR_QUOTED);
	if (pq_scan_peek(s) == '\'' && s->at > open + 1) {
		*ret = pq_scan_span(open + 1, s->at++);
		return 0;
	}
	if (memchr(s->text.p + open + 1, '\'', s->text.n - open - 1))
		return pq_scan_unexpected(s, s->at > open + 1 ? PQ_EXPECTED_QUOTED_BYTE
							      : PQ_EXPECTED_QUOTED_START);
	return unclosed_quote(s, open, ret);
}

int pq_scan_quoted_text(struct pq_scanner *s, struct pq_span *ret)
{
	size_t open = s->at++;
	const char *close = memchr(s->text.p + s->at, '\'', s->text.n - s->at);

	if (!close)
		return unclosed_quote(s, open, ret);
	s->at = (size_t)(close - s->text.p);
	if (s->at == open + 1)
		return pq_scan_unexpected(s, PQ_EXPECTED_QUOTED_TEXT);
	*ret = pq_scan_span(open + 1, s->at++);
	return 0;
}

bool pq_word_is_long_hex(struct pmuq_str number)
{
	return number.n > 2 + 16 && str_starts(number, STR("0x"));
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
