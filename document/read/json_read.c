/* SPDX-License-Identifier: MIT */
/*
 * A document of JSON (RFC 8259), read from front to back without recursion. A reader of our own
 * since jansson's tells of no value where it stood, and holds all of them in memory several times
 * over before the first is seen; and since YAML's would take for JSON what is none.
 */
#include "document/document_text.h"
#include "document/read/tree.h"

enum expected {
	EXPECT_VALUE,
	EXPECT_VALUE_OR_END, /* behind '[' */
	EXPECT_KEY,
	EXPECT_KEY_OR_END, /* behind '{' */
	EXPECT_COLON,
	EXPECT_COMMA_OR_END,
	EXPECT_NOTHING,
};

struct json {
	struct pq_doc *doc;
	struct pmuq_str text;
	size_t at, line_start;
	uint32_t line;
	enum expected expected;
	struct pq_buf unescaped;
};

static struct pq_place place_of(const struct json *json, size_t at)
{
	uint32_t from = json->line_start ? 1 : json->doc->start.column;

	return (struct pq_place){ .line = json->line,
				  .column = (uint32_t)(at - json->line_start) + from };
}

static int fail(struct json *json, size_t at, struct pmuq_error **reterr, const char *what)
{
	if (at >= json->text.n)
		return pq_doc_fail(json->doc, place_of(json, json->text.n), reterr,
				   PMUQ_E_BAD_DOCUMENT, "the text ends, and %s", what);
	return pq_doc_fail(json->doc, place_of(json, at), reterr, PMUQ_E_BAD_DOCUMENT, "%s", what);
}

static void skip_blanks(struct json *json)
{
	for (; json->at < json->text.n; json->at++) {
		char c = json->text.p[json->at];

		if (c == '\n') {
			json->line++;
			json->line_start = json->at + 1;
		} else if (c != ' ' && c != '\t' && c != '\r') {
			return;
		}
	}
}

/* ------------------------------------------------------------------------------------- strings */

static bool read_hex4(struct json *json, uint32_t *ret)
{
	*ret = 0;
	if (json->text.n - json->at < 4)
		return false;
	for (size_t i = 0; i < 4; i++) {
		char c = json->text.p[json->at + i];

		if (!char_is_hex(c))
			return false;
		*ret = *ret << 4 |
		       (uint32_t)(char_is_digit(c) ? c - '0' : char_lower(c) - 'a' + 10);
	}
	json->at += 4;
	return true;
}

static void add_utf8(struct pq_buf *buf, uint32_t c)
{
	if (c < 0x80) {
		pq_buf_char(buf, (char)c, 1);
		return;
	}
	if (c < 0x800) {
		pq_buf_char(buf, (char)(0xc0 | c >> 6), 1);
	} else if (c < 0x10000) {
		pq_buf_char(buf, (char)(0xe0 | c >> 12), 1);
		pq_buf_char(buf, (char)(0x80 | (c >> 6 & 0x3f)), 1);
	} else {
		pq_buf_char(buf, (char)(0xf0 | c >> 18), 1);
		pq_buf_char(buf, (char)(0x80 | (c >> 12 & 0x3f)), 1);
		pq_buf_char(buf, (char)(0x80 | (c >> 6 & 0x3f)), 1);
	}
	pq_buf_char(buf, (char)(0x80 | (c & 0x3f)), 1);
}

/* Behind "\u"; a character beyond 16 bits is two of them. */
static bool read_unicode(struct json *json)
{
	uint32_t c, low;

	if (!read_hex4(json, &c))
		return false;
	if (c >= 0xd800 && c < 0xdc00) {
		if (!str_starts(str_part(json->text, json->at, json->text.n), STR("\\u")))
			return false;
		json->at += 2;
		if (!read_hex4(json, &low) || low < 0xdc00 || low > 0xdfff)
			return false;
		c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
	}
	if (c >= 0xdc00 && c <= 0xdfff)
		return false;
	add_utf8(&json->unescaped, c);
	return true;
}

/* Behind a backslash. */
static bool read_escape(struct json *json)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	char c = json->at < json->text.n ? json->text.p[json->at++] : '\0';
	const char *known = c ? strchr(from, c) : NULL;

	if (c == 'u')
		return read_unicode(json);
	if (known)
		pq_buf_char(&json->unescaped, to[known - from], 1);
	return known != NULL;
}

/* How many bytes from here on stand for themselves. */
static size_t plain_length(const struct json *json)
{
	size_t at = json->at;

	while (at < json->text.n) {
		unsigned char c = (unsigned char)json->text.p[at];
		size_t n = c < 0x80 ? 1 : pq_utf8_length(str_part(json->text, at, json->text.n));

		if (c == '"' || c == '\\' || c < ' ' || !n)
			break;
		at += n;
	}
	return at - json->at;
}

/* At a quote. What has no escapes lies in the document itself. */
static int read_string(struct json *json, struct pmuq_str *ret, struct pmuq_error **reterr)
{
	size_t start = ++json->at;

	json->unescaped.n = 0;
	for (;;) {
		struct pmuq_str part =
			str_part(json->text, json->at, json->at + plain_length(json));
		char c;

		json->at += part.n;
		c = json->at < json->text.n ? json->text.p[json->at] : '\0';
		if (c == '"' && part.p == json->text.p + start) {
			*ret = part;
			break;
		}
		pq_buf_add(&json->unescaped, part);
		*ret = pq_buf_str(&json->unescaped);
		if (c == '"')
			break;
		if (json->at >= json->text.n)
			return fail(json, json->text.n, reterr, "a string does not");
		if (c != '\\')
			return fail(json, json->at, reterr,
				    "a control character, or what is no UTF-8, in a string");
		start = json->at++;
		if (!read_escape(json))
			return fail(json, start, reterr, "no escape of JSON");
		if (json->unescaped.n > PQ_SCALAR_MAX_BYTES)
			break;
	}
	json->at++;
	return json->unescaped.failed ? pq_fail_memory(reterr) : 0;
}

/* --------------------------------------------------------------------------------- all the rest */

static size_t span_digits(struct pmuq_str s, size_t at)
{
	while (at < s.n && char_is_digit(s.p[at]))
		at++;
	return at;
}

/* The end of the number that begins there; `at` when none does. */
static size_t number_end(struct pmuq_str s, size_t at)
{
	size_t digits = at + (at < s.n && s.p[at] == '-'), end = span_digits(s, digits);

	if (end == digits || (s.p[digits] == '0' && end > digits + 1))
		return at;
	if (end < s.n && s.p[end] == '.') {
		digits = end + 1;
		end = span_digits(s, digits);
		if (end == digits)
			return at;
	}
	if (end >= s.n || char_lower(s.p[end]) != 'e')
		return end;
	digits = end + 1;
	if (digits < s.n && (s.p[digits] == '-' || s.p[digits] == '+'))
		digits++;
	end = span_digits(s, digits);
	return end == digits ? at : end;
}

static int read_bare(struct json *json, struct pmuq_error **reterr)
{
	static const struct pmuq_str words[] = { STR("true"), STR("false"), STR("null") };
	struct pmuq_str rest = str_part(json->text, json->at, json->text.n);
	size_t at = json->at, n = number_end(rest, 0);

	for (size_t i = 0; !n && i < COUNT(words); i++)
		if (str_starts(rest, words[i]))
			n = words[i].n;
	if (!n)
		return fail(json, at, reterr, "a value has to stand here");
	json->at += n;
	return pq_tree_scalar(json->doc, str_part(rest, 0, n), PQ_NODE_BARE, place_of(json, at),
			      reterr);
}

static int read_scalar(struct json *json, struct pmuq_error **reterr)
{
	size_t at = json->at;
	struct pmuq_str text;
	int r;

	if (at >= json->text.n || json->text.p[at] != '"')
		return read_bare(json, reterr);
	r = read_string(json, &text, reterr);
	if (r < 0)
		return r;
	return pq_tree_scalar(json->doc, text, PQ_NODE_TEXT, place_of(json, at), reterr);
}

static enum expected behind_value(const struct json *json)
{
	return json->doc->depth ? EXPECT_COMMA_OR_END : EXPECT_NOTHING;
}

static bool is_in_mapping(const struct json *json)
{
	return json->doc->stack[json->doc->depth - 1].node->kind == PQ_NODE_MAPPING;
}

static int close_value(struct json *json, struct pmuq_error **reterr)
{
	int r = pq_tree_close(json->doc, reterr);

	json->at++;
	json->expected = behind_value(json);
	return r;
}

static int read_value(struct json *json, char c, struct pmuq_error **reterr)
{
	struct pq_place at = place_of(json, json->at);
	int r;

	if (c == ']' && json->expected == EXPECT_VALUE_OR_END)
		return close_value(json, reterr);
	if (c != '{' && c != '[') {
		r = read_scalar(json, reterr);
		json->expected = behind_value(json);
		return r;
	}
	json->at++;
	json->expected = c == '{' ? EXPECT_KEY_OR_END : EXPECT_VALUE_OR_END;
	return pq_tree_open(json->doc, c == '{' ? PQ_NODE_MAPPING : PQ_NODE_LIST, at, reterr);
}

static int read_key(struct json *json, char c, struct pmuq_error **reterr)
{
	if (c == '}' && json->expected == EXPECT_KEY_OR_END)
		return close_value(json, reterr);
	if (c != '"')
		return fail(json, json->at, reterr, "a key has to stand here, in double quotes");
	json->expected = EXPECT_COLON;
	return read_scalar(json, reterr);
}

static int read_comma_or_end(struct json *json, char c, struct pmuq_error **reterr)
{
	bool is_mapping = is_in_mapping(json);

	if (c == (is_mapping ? '}' : ']'))
		return close_value(json, reterr);
	if (c != ',')
		return fail(json, json->at, reterr,
			    is_mapping ? "a comma or '}' has to stand here"
				       : "a comma or ']' has to stand here");
	json->at++;
	json->expected = is_mapping ? EXPECT_KEY : EXPECT_VALUE;
	return 0;
}

static int read_next(struct json *json, struct pmuq_error **reterr)
{
	char c;

	skip_blanks(json);
	c = json->at < json->text.n ? json->text.p[json->at] : '\0';
	switch (json->expected) {
	case EXPECT_VALUE:
	case EXPECT_VALUE_OR_END:
		return read_value(json, c, reterr);
	case EXPECT_KEY:
	case EXPECT_KEY_OR_END:
		return read_key(json, c, reterr);
	case EXPECT_COLON:
		if (c != ':')
			return fail(json, json->at, reterr, "a colon has to stand here");
		json->at++;
		json->expected = EXPECT_VALUE;
		return 0;
	case EXPECT_COMMA_OR_END:
		return read_comma_or_end(json, c, reterr);
	case EXPECT_NOTHING:
		break;
	}
	return 0;
}

int pq_json_read(struct pq_doc *doc, struct pmuq_error **reterr)
{
	struct json json = { .doc = doc, .text = doc->text, .line = doc->start.line };
	int r = 0;

	skip_blanks(&json);
	if (json.at == json.text.n)
		return PQ_NONE;
	while (r == 0 && json.expected != EXPECT_NOTHING)
		r = read_next(&json, reterr);
	if (r == 0) {
		skip_blanks(&json);
		if (json.at < json.text.n)
			r = fail(&json, json.at, reterr, "something stands behind the document");
	}
	pq_buf_free(&json.unescaped);
	return r;
}
