/* SPDX-License-Identifier: MIT */
/* mem:ADDR/LEN:rwx. Blanks and newlines in it have the same meaning as for perf's scanner. */
#include "encode/parse/parse.h"

/* [ ":" ACCESS ]; a colon before anything else belongs to the modifiers. */
static int scan_access(struct pq_scanner *s, struct pq_node *node)
{
	size_t from = s->at + 1;

	if (pq_scan_peek(s) != ':' || from >= s->text.n || !strchr("rwx", s->text.p[from]))
		return 0;
	for (s->at = from; s->at < s->text.n && s->at < from + 3 && strchr("rwx", pq_scan_peek(s));)
		s->at++;
	node->access_at = pq_scan_span(from, s->at);
	node->access = pq_scan_slice(s, node->access_at);
	return 0;
}

static size_t number_end(struct pmuq_str text, size_t at)
{
	bool is_hex = str_starts(str_part(text, at, text.n), STR("0x"));

	for (at += is_hex ? 2 : 0; at < text.n; at++)
		if (is_hex ? !char_is_hex(text.p[at]) : !char_is_digit(text.p[at]))
			break;
	return at;
}

/* A number that modifiers may follow directly. */
static int scan_part(struct pq_scanner *s, enum pq_expected expected, uint64_t *ret)
{
	struct pq_scanner digits;
	size_t end;
	int r;

	pq_scan_blanks(s);
	end = number_end(s->text, s->at);
	digits = *s;
	if (end > s->at)
		digits.text.n = end;
	r = pq_scan_number(&digits, expected, ret);
	s->at = digits.at;
	s->expected = digits.expected;
	return r;
}

/* A blank ends ADDR/LEN:ACCESS, or comes before ADDR alone; a newline has no meaning. */
static void skip_newlines(struct pq_scanner *s)
{
	while (pq_scan_peek(s) == '\n')
		s->at++;
}

/* "mem:" NUMBER [ "/" NUMBER ] [ ":" ACCESS ] tail; the cursor is after "mem:". */
int pq_scan_breakpoint(struct pq_scanner *s, struct pq_node *node)
{
	bool is_apart;
	int r;

	skip_newlines(s);
	is_apart = char_is_space(pq_scan_peek(s));
	r = scan_part(s, PQ_EXPECTED_ADDRESS, &node->address);
	node->type = PQ_NODE_BREAKPOINT;
	if (r < 0 || is_apart)
		return r < 0 ? r : pq_scan_tail(s, node);
	skip_newlines(s);
	if (pq_scan_peek(s) == '/' && s->at + 1 < s->text.n &&
	    char_is_digit(s->text.p[s->at + 1])) {
		s->at++;
		node->has_length = true;
		r = scan_part(s, PQ_EXPECTED_LENGTH, &node->length_bytes);
		if (r < 0)
			return r;
		skip_newlines(s);
	}
	scan_access(s, node);
	return pq_scan_tail(s, node);
}
