/* SPDX-License-Identifier: MIT */
/*
 * The grammar of docs/grammar.md: event strings to trees. Each rule is a function, with its rule or
 * a part of it as its comment. The tree is linked before its parts are read, so that it
 * holds what was read of a string that ends too early. Lists of terms are core/event/'s, and
 * what a name means on a machine is encode/resolve/'s.
 */
#include "encode/parse/parse.h"
#include "core/event/modifier.h"
#include "core/limits.h"
#include "core/num.h"

enum word_type {
	WORD_NAME,
	WORD_RAW,
	WORD_NUMBER,
	WORD_MODIFIERS,
};

struct word {
	enum word_type type;
	struct pmuq_str text;
	struct pq_span at;
	uint64_t number;
};

static bool is_modifiers(struct pmuq_str word)
{
	return word.n <= PQ_MODIFIERS_MAX && pq_modifier_are_letters(word);
}

/* No event has such a name: the user probably miscounted the digits. */
static bool is_long_raw(struct pmuq_str word)
{
	size_t n = 1;

	if (word.n <= 1 + 16 || word.p[0] != 'r')
		return false;
	while (n < word.n && char_is_hex(word.p[n]))
		n++;
	return n == word.n;
}

static int classify(struct pq_scanner *s, struct word *word)
{
	enum pq_num num = PQ_NUM_NONE;

	if (pq_word_is_raw(word->text, false, &word->number)) {
		word->type = WORD_RAW;
		return 0;
	}
	if (is_long_raw(word->text))
		return pq_fail_span(s->reterr, word->at, PMUQ_E_BAD_NUMBER,
				    "a raw event has at most 16 hex digits");
	if (char_is_digit(*word->text.p))
		num = pq_num_any(word->text, &word->number);
	if (num == PQ_NUM_OK && pq_word_is_long_hex(word->text))
		return pq_fail_span(s->reterr, word->at, PMUQ_E_BAD_NUMBER,
				    "the number has more than 16 hex digits");
	if (num == PQ_NUM_RANGE)
		return pq_fail_span(s->reterr, word->at, PMUQ_E_BAD_NUMBER,
				    "the number does not fit 64 bits");
	if (num == PQ_NUM_OK)
		word->type = WORD_NUMBER;
	else if (is_modifiers(word->text))
		word->type = WORD_MODIFIERS;
	return 0;
}

static int scan_quoted_word(struct pq_scanner *s, enum pq_expected expected, struct word *ret)
{
	int r = pq_scan_quoted(s, &ret->at);

	if (r < 0)
		s->expected = expected;
	else
		ret->text = pq_scan_slice(s, ret->at);
	return r;
}

/* The longest word here. An empty one is an error that names what was expected. */
static int scan_word(struct pq_scanner *s, enum pq_expected expected, struct word *ret)
{
	size_t from;

	*ret = (struct word){ .type = WORD_NAME };
	pq_scan_blanks(s);
	if (pq_scan_peek(s) == '\'')
		return scan_quoted_word(s, expected, ret);
	if (!char_is(pq_scan_peek(s), CHAR_WORD_START))
		return pq_scan_unexpected(s, expected);
	from = s->at;
	pq_scan_run(s, CHAR_WORD);
	ret->at = pq_scan_span(from, s->at);
	ret->text = pq_scan_slice(s, ret->at);
	return classify(s, ret);
}

PQ_COLD bool pq_word_is_name(struct pmuq_str word)
{
	struct pq_scanner s = { .text = word };
	struct word ret;

	return scan_word(&s, PQ_EXPECTED_EVENT, &ret) == 0 && ret.type == WORD_NAME &&
	       ret.at.offset == 0 && s.at == word.n;
}

/* [ MODIFIERS ] and then the end of the event. */
static int scan_modifiers(struct pq_scanner *s, struct pmuq_str *ret, struct pq_span *ret_at)
{
	size_t from;

	if (pq_scan_at_event_end(s))
		return 0;
	from = s->at;
	pq_scan_run(s, CHAR_WORD);
	*ret_at = pq_scan_span(from, s->at);
	*ret = pq_scan_slice(s, *ret_at);
	if (ret->n && pq_scan_at_event_end(s))
		return 0;
	return pq_scan_unexpected(s, ret->n ? PQ_EXPECTED_EVENT_END : PQ_EXPECTED_MODIFIERS);
}

/* Text after an event may be modifiers with a blank instead of a colon. */
static int scan_end(struct pq_scanner *s, struct pq_node *node)
{
	size_t from;

	if (pq_scan_at_event_end(s))
		return 0;
	from = s->at;
	pq_scan_run(s, CHAR_WORD);
	node->modifiers_at = pq_scan_span(from, s->at);
	node->modifiers = pq_scan_slice(s, node->modifiers_at);
	if (!is_modifiers(node->modifiers)) {
		s->at = from;
		return pq_scan_unexpected(s, PQ_EXPECTED_EVENT_TAIL);
	}
	return pq_scan_at_event_end(s) ? 0 : pq_scan_unexpected(s, PQ_EXPECTED_EVENT_END);
}

/* [ "/" [ terms ] "/" ] */
static int scan_optional_terms(struct pq_scanner *s, struct pq_node *node)
{
	pq_scan_blanks(s);
	if (pq_scan_peek(s) != '/')
		return 0;
	node->has_terms = true;
	s->at++;
	return pq_scan_slashed_terms(s, s->at - 1, &node->terms);
}

/* [ "/" [ terms ] "/" ] [ ":" ] [ MODIFIERS ]: the tail of all events except a NAME. */
int pq_scan_tail(struct pq_scanner *s, struct pq_node *node)
{
	int r = scan_optional_terms(s, node);

	if (r < 0)
		return r;
	pq_scan_blanks(s);
	if (pq_scan_peek(s) == ':')
		s->at++;
	else if (!node->has_terms)
		return scan_end(s, node);
	return scan_modifiers(s, &node->modifiers, &node->modifiers_at);
}

int pq_scan_number(struct pq_scanner *s, enum pq_expected expected, uint64_t *ret)
{
	struct word word;
	int r = scan_word(s, expected, &word);

	if (r < 0)
		return r;
	if (word.type != WORD_NUMBER) {
		s->at = word.at.offset;
		return pq_scan_unexpected(s, expected);
	}
	*ret = word.number;
	return 0;
}

/* NUMBER ":" NUMBER tail */
static int scan_numeric(struct pq_scanner *s, struct pq_node *node, uint64_t type)
{
	int r;

	node->type = PQ_NODE_NUMERIC;
	node->perf_type = type;
	pq_scan_blanks(s);
	if (pq_scan_peek(s) != ':')
		return pq_scan_unexpected(s, PQ_EXPECTED_CONFIG_COLON);
	s->at++;
	r = pq_scan_number(s, PQ_EXPECTED_CONFIG, &node->config);
	return r < 0 ? r : pq_scan_tail(s, node);
}

/* What follows the colon of NAME ":" … */
static int scan_after_colon(struct pq_scanner *s, struct pq_node *node)
{
	struct word word;
	int r;

	if (pq_scan_at_event_end(s))
		return 0;
	r = scan_word(s, PQ_EXPECTED_TRACEPOINT, &word);
	if (r < 0)
		return r;
	if (word.type == WORD_MODIFIERS) {
		node->modifiers = word.text;
		node->modifiers_at = word.at;
		return pq_scan_at_event_end(s) ? 0 : pq_scan_unexpected(s, PQ_EXPECTED_EVENT_END);
	}
	node->type = PQ_NODE_TRACEPOINT;
	node->tracepoint = word.text;
	node->tracepoint_at = word.at;
	return pq_scan_tail(s, node);
}

/* Whether the word begins "PMU::EVENT…" or "pfm:EVENT…". */
static bool at_pfm_name(const struct pq_scanner *s, const struct word *word)
{
	struct pmuq_str rest = str_part(s->text, s->at, s->text.n);

	if (s->at != word->at.offset + word->at.length)
		return false;
	return str_starts(rest, STR("::")) ||
	       (str_eq(word->text, STR("pfm")) && str_starts(rest, STR(":")));
}

static int scan_named(struct pq_scanner *s, struct pq_node *node)
{
	int r;

	pq_scan_blanks(s);
	if (pq_scan_peek(s) == ':') {
		s->at++;
		return scan_after_colon(s, node);
	}
	r = scan_optional_terms(s, node);
	if (r < 0)
		return r;
	if (node->has_terms)
		return scan_modifiers(s, &node->modifiers, &node->modifiers_at);
	return scan_end(s, node);
}

/* An event of which the first word was read, which began at `from`. */
static void begin(struct pq_node *node, size_t from, const struct word *word)
{
	struct pmuq_str name = word->text;
	struct pq_span at = word->at;

	*node = (struct pq_node){
		.name = name,
		.name_at = at,
		.at = { .offset = (uint32_t)from },
	};
}

/* EVENT:UMASK:UMASK and EVENT:c=1 are not events of the grammar, but may be libpfm4's. */
static int scan_named_or_guess(struct pq_scanner *s, struct pq_node *node, const struct word *word)
{
	struct pmuq_error **reterr = s->reterr;
	size_t start = node->at.offset, from = s->at;
	int r;

	s->reterr = NULL;
	r = scan_named(s, node);
	if (r < 0 && from < s->text.n && s->text.p[from] == ':') {
		s->at = from;
		begin(node, start, word);
		node->is_guess = true;
		r = pq_scan_pfm_name(s, node);
	}
	s->reterr = reterr;
	if (r == 0)
		return 0;
	s->is_in_quotes = false;
	s->at = from;
	begin(node, start, word);
	return scan_named(s, node);
}

PQ_COLD static int only_modifiers(struct pq_scanner *s, const struct word *word)
{
	int r = pq_fail_span(s->reterr, word->at, PMUQ_E_SYNTAX, "modifiers without an event");

	s->expected = PQ_EXPECTED_EVENT;
	pq_error_hint(s->reterr,
		      "'%.*s' is made of modifier letters; an event of that name is PMU/%.*s/",
		      STR_ARG(word->text), STR_ARG(word->text));
	return r;
}

static int scan_by_type(struct pq_scanner *s, struct pq_node *node, const struct word *word)
{
	switch (word->type) {
	case WORD_RAW:
		node->type = PQ_NODE_RAW;
		node->config = word->number;
		return pq_scan_tail(s, node);
	case WORD_NUMBER:
		return scan_numeric(s, node, word->number);
	case WORD_MODIFIERS:
		return only_modifiers(s, word);
	case WORD_NAME:
		break;
	}
	if (str_eq(word->text, STR("mem")) && pq_scan_peek(s) == ':' &&
	    s->at == word->at.offset + word->at.length) {
		s->at++;
		return pq_scan_breakpoint(s, node);
	}
	if (at_pfm_name(s, word))
		return pq_scan_pfm_name(s, node);
	return s->is_plain ? scan_named(s, node) : scan_named_or_guess(s, node, word);
}

static struct pmuq_str trim_end(struct pmuq_str s)
{
	while (s.n && char_is_space(s.p[s.n - 1]))
		s.n--;
	return s;
}

/* The rest of an event whose first word, which began at `from`, was read. */
static int scan_event_from(struct pq_scanner *s, size_t from, const struct word *word,
			   struct pq_node **ret)
{
	struct pq_node *node = pq_arena_take(s->arena, sizeof(*node));
	int r;

	if (!node)
		return pq_fail_memory(s->reterr);
	begin(node, from, word);
	*ret = node;
	r = scan_by_type(s, node, word);
	if (r < 0)
		return r;
	node->text = trim_end(str_part(s->text, from, s->at));
	node->at = pq_scan_span(from, from + node->text.n);
	return 0;
}

PQ_COLD static int missing_event(struct pq_scanner *s)
{
	s->expected = PQ_EXPECTED_EVENT;
	return pq_fail_span(s->reterr, pq_scan_span(s->at, s->at + (s->at < s->text.n)),
			    PMUQ_E_EMPTY, "%s",
			    s->text.n ? "an event is missing here" : "the event string is empty");
}

static int scan_event(struct pq_scanner *s, struct pq_node **ret)
{
	struct word word;
	size_t from;
	int r;

	if (pq_scan_at_event_end(s))
		return missing_event(s);
	if (pq_scan_peek(s) == '{')
		return pq_fail_span(s->reterr, pq_scan_span(s->at, s->at + 1), PMUQ_E_NESTED_GROUP,
				    "a group cannot be in a group");
	from = s->at;
	r = scan_word(s, PQ_EXPECTED_EVENT, &word);
	return r < 0 ? r : scan_event_from(s, from, &word, ret);
}

PQ_COLD static int unclosed_group(struct pq_scanner *s, size_t open)
{
	s->expected = PQ_EXPECTED_EVENT_END;
	return pq_fail_span(s->reterr, pq_scan_span(open, open + 1), PMUQ_E_UNTERMINATED,
			    "the group is never closed by a '}'");
}

/* "{" event { "," event } "}" [ ":" MODIFIERS ]; the cursor is at the brace. */
static int scan_group(struct pq_scanner *s, struct pq_item *item)
{
	struct pq_node **tail = &item->nodes;
	size_t open = s->at;
	int r;

	item->is_group = true;
	do {
		s->at++;
		r = scan_event(s, tail);
		if (r < 0)
			return r;
		tail = &(*tail)->next;
		pq_scan_blanks(s);
	} while (pq_scan_peek(s) == ',');
	if (pq_scan_peek(s) != '}')
		return unclosed_group(s, open);
	item->is_closed = true;
	s->at++;
	pq_scan_blanks(s);
	if (pq_scan_peek(s) == ':') {
		s->at++;
		if (pq_scan_at_event_end(s))
			return pq_scan_unexpected(s, PQ_EXPECTED_GROUP_MODIFIERS);
		r = scan_modifiers(s, &item->modifiers, &item->modifiers_at);
	}
	return r;
}

/* item = [ NAME ] group | event */
static int scan_item(struct pq_scanner *s, struct pq_item *item)
{
	struct word word;
	size_t from;
	int r;

	if (pq_scan_at_event_end(s))
		return pq_scan_peek(s) == '}' ? pq_scan_unexpected(s, PQ_EXPECTED_EVENT)
					      : missing_event(s);
	from = s->at;
	if (pq_scan_peek(s) == '{')
		return scan_group(s, item);
	r = scan_word(s, PQ_EXPECTED_EVENT, &word);
	if (r < 0)
		return r;
	pq_scan_blanks(s);
	if (pq_scan_peek(s) == '{' && word.type == WORD_NAME) {
		item->name = word.text;
		return scan_group(s, item);
	}
	return scan_event_from(s, from, &word, &item->nodes);
}

/* list = item { "," item } */
int pq_scan_list(struct pq_scanner *s, struct pq_item **ret)
{
	for (;; s->at++) {
		struct pq_item *item = pq_arena_take(s->arena, sizeof(*item));
		size_t from = s->at;
		int r;

		if (!item)
			return pq_fail_memory(s->reterr);
		*item = (struct pq_item){ .at = { .offset = (uint32_t)from } };
		*ret = item;
		ret = &item->next;
		r = scan_item(s, item);
		if (r < 0)
			return r;
		item->at = pq_scan_span(from, s->at);
		pq_scan_blanks(s);
		if (s->at >= s->text.n)
			return 0;
		if (pq_scan_peek(s) != ',')
			return pq_scan_unexpected(s, PQ_EXPECTED_LIST_END);
	}
}

int pq_parse_events(struct pq_arena *arena, struct pmuq_str text, struct pq_item **ret,
		    struct pmuq_error **reterr)
{
	struct pq_scanner s = { .text = text, .arena = arena, .reterr = reterr };

	*ret = NULL;
	if (text.n > PQ_INPUT_MAX_BYTES)
		return pq_fail(reterr, PMUQ_E_TOO_LONG,
			       "the event string has %zu bytes; the limit is %zu", text.n,
			       PQ_INPUT_MAX_BYTES);
	return pq_scan_list(&s, ret);
}

PQ_COLD int pq_parse_refusal(struct pq_arena *arena, struct pmuq_str text, size_t from,
			     struct pmuq_error **reterr)
{
	struct pq_scanner s = {
		.text = text, .at = from, .arena = arena, .reterr = reterr, .is_plain = true
	};
	struct pq_node *node;
	int r = scan_event(&s, &node);

	return r < 0 ? r : pq_scan_unexpected(&s, PQ_EXPECTED_EVENT_END);
}
