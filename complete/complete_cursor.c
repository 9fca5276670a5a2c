/* SPDX-License-Identifier: MIT */
/*
 * The cursor at the end of an event string that somebody is typing. parse.c reads the string; this
 * file derives the state from the tree, and from what the parser expected at the end. completer.c
 * decides which text may follow on a machine.
 */
#include "complete/complete_cursor.h"
#include "core/limits.h"

struct finder {
	const struct pq_scanner *s;
	struct pq_cursor ret;
};

/* Whether the span reaches the end of the text. A word in quotes does not, because the quote
 * follows it. */
static bool is_last(const struct finder *c, struct pq_span at)
{
	return at.length && at.offset + (size_t)at.length == c->s->text.n;
}

static char last_byte(const struct finder *c)
{
	return c->s->text.p[c->s->text.n - 1];
}

static struct pq_cursor nowhere(const struct finder *c)
{
	return (struct pq_cursor){ .item = c->ret.item };
}

static struct pq_cursor at_word(struct finder *c, enum pmuq_cursor at, struct pq_span word)
{
	c->ret.at = at;
	c->ret.word = word;
	return c->ret;
}

/* The word has no letter yet. */
static struct pq_cursor at_end(struct finder *c, enum pmuq_cursor at)
{
	return at_word(c, at, pq_scan_span(c->s->text.n, c->s->text.n));
}

/* At the first word of an event, which may have been taken for modifiers or a number. */
static struct pq_cursor at_event(struct finder *c)
{
	struct pq_span word = pq_scan_span(c->s->text.n, c->s->text.n);

	if (c->ret.node && is_last(c, c->ret.node->name_at))
		word = c->ret.node->name_at;
	c->ret.node = NULL;
	c->ret.term = NULL;
	return at_word(c, PMUQ_CURSOR_EVENT, word);
}

static struct pq_cursor in_terms(struct finder *c)
{
	const struct pq_term *term = c->ret.term;

	if (!term)
		return at_end(c, PMUQ_CURSOR_TERM);
	if (term->is_driver)
		return at_end(c, PMUQ_CURSOR_TERM_END);
	if (is_last(c, term->at))
		return at_word(c, PMUQ_CURSOR_TERM, term->at);
	if (is_last(c, term->value_at))
		return at_word(c, PMUQ_CURSOR_VALUE, term->value_at);
	return at_end(c, PMUQ_CURSOR_TERM_END);
}

/* After ":", "/" or in letters. */
static struct pq_cursor at_modifiers(struct finder *c, struct pq_span letters)
{
	const struct pq_node *node = c->ret.node;
	char before = c->s->text.p[letters.offset - 1];

	if (node->type == PQ_NODE_NAME && !node->has_terms && before == ':')
		return at_word(c, PMUQ_CURSOR_COLON, letters);
	if (node->type == PQ_NODE_BREAKPOINT && !node->has_terms && !node->access.n &&
	    !letters.length && before == ':')
		return at_word(c, PMUQ_CURSOR_ACCESS, letters);
	return at_word(c, PMUQ_CURSOR_MODIFIER, letters);
}

/* After a word that may become longer, in an event that may end here. */
static struct pq_cursor at_event_word(struct finder *c)
{
	const struct pq_node *node = c->ret.node;

	if (is_last(c, node->access_at))
		return at_word(c, PMUQ_CURSOR_ACCESS, node->access_at);
	if (is_last(c, node->tracepoint_at))
		return at_word(c, PMUQ_CURSOR_COLON, node->tracepoint_at);
	if (node->type == PQ_NODE_NAME || node->type == PQ_NODE_RAW)
		return is_last(c, node->name_at) ? at_event(c) : nowhere(c);
	return char_is(last_byte(c), CHAR_WORD) ? at_end(c, PMUQ_CURSOR_NUMBER) : nowhere(c);
}

/* The parser accepted the text as a whole event, whose last byte was read. */
static struct pq_cursor after_event(struct finder *c)
{
	const struct pq_node *node = c->ret.node;
	char last = last_byte(c);

	c->ret.term = NULL;
	if (node->type == PQ_NODE_PFM)
		return nowhere(c);
	if (is_last(c, node->modifiers_at))
		return at_modifiers(c, node->modifiers_at);
	if (last == ':' || last == '/')
		return at_modifiers(c, pq_scan_span(c->s->text.n, c->s->text.n));
	return at_event_word(c);
}

static struct pq_cursor after_group(struct finder *c)
{
	const struct pq_item *item = c->ret.item;

	c->ret.node = NULL;
	c->ret.term = NULL;
	if (is_last(c, item->modifiers_at))
		return at_word(c, PMUQ_CURSOR_GROUP_MODIFIER, item->modifiers_at);
	if (c->s->expected == PQ_EXPECTED_GROUP_MODIFIERS)
		return at_end(c, PMUQ_CURSOR_GROUP_MODIFIER);
	return last_byte(c) == '}' ? at_end(c, PMUQ_CURSOR_GROUP_END) : nowhere(c);
}

/* The quote that is open is the last one. */
static struct pq_cursor in_quotes(struct finder *c)
{
	struct pmuq_str text = c->s->text;
	const char *quote = memrchr(text.p, '\'', text.n);
	struct pq_span word = pq_scan_span((size_t)(quote - text.p) + 1, text.n);

	c->ret.is_quoted = true;
	if (c->ret.term && c->ret.term->value_at.offset)
		return at_word(c, PMUQ_CURSOR_VALUE, word);
	if (c->s->at < text.n || c->s->expected == PQ_EXPECTED_TRACEPOINT)
		return nowhere(c);
	if (c->s->expected != PQ_EXPECTED_EVENT)
		return at_word(c, PMUQ_CURSOR_TERM, word);
	c->ret.node = NULL;
	return at_word(c, PMUQ_CURSOR_EVENT, word);
}

/* The parser expected more at the end of the text. */
static struct pq_cursor at_expected(struct finder *c)
{
	switch (c->s->expected) {
	case PQ_EXPECTED_EVENT:
	case PQ_EXPECTED_CONFIG_COLON:
		return at_event(c);
	case PQ_EXPECTED_EVENT_END:
		return after_event(c);
	case PQ_EXPECTED_CONFIG:
	case PQ_EXPECTED_ADDRESS:
	case PQ_EXPECTED_LENGTH:
		return at_end(c, PMUQ_CURSOR_NUMBER);
	case PQ_EXPECTED_TERM:
		return at_end(c, PMUQ_CURSOR_TERM);
	case PQ_EXPECTED_TERM_END:
		return in_terms(c);
	case PQ_EXPECTED_VALUE:
	case PQ_EXPECTED_TEXT:
		return at_end(c, PMUQ_CURSOR_VALUE);
	case PQ_EXPECTED_GROUP_MODIFIERS:
		return after_group(c);
	default:
		return nowhere(c);
	}
}

static void find_last(struct finder *c, const struct pq_item *item)
{
	while (item && item->next)
		item = item->next;
	c->ret.item = item;
	c->ret.is_in_group = item && item->is_group && !item->is_closed;
	c->ret.node = item ? item->nodes : NULL;
	while (c->ret.node && c->ret.node->next)
		c->ret.node = c->ret.node->next;
	c->ret.term = c->ret.node ? c->ret.node->terms : NULL;
	while (c->ret.term && c->ret.term->next)
		c->ret.term = c->ret.term->next;
}

static struct pq_cursor find_cursor(struct finder *c, int r)
{
	if (r == 0)
		return c->ret.item->is_group ? after_group(c) : after_event(c);
	if (c->s->is_in_quotes)
		return in_quotes(c);
	return c->s->at < c->s->text.n ? nowhere(c) : at_expected(c);
}

int pq_complete_find_cursor(struct pq_arena *arena, struct pmuq_str text, struct pq_cursor *ret)
{
	struct pq_scanner s = { .text = text, .arena = arena };
	struct finder c = { .s = &s };
	struct pq_item *items = NULL;
	int r;

	*ret = nowhere(&c);
	if (text.n > PQ_INPUT_MAX_BYTES)
		return 0;
	r = pq_scan_list(&s, &items);
	if (r == -PMUQ_E_MEMORY)
		return r;
	find_last(&c, items);
	*ret = find_cursor(&c, r);
	return 0;
}
