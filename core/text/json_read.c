/* SPDX-License-Identifier: MIT */
/*
 * Tokens of JSON (RFC 8259). pmuq has its own reader, because jansson does not keep the location of
 * values and reads a whole document into memory first, and a reader of YAML accepts text that is
 * not JSON. The caller interprets the values; json_tree.c makes a tree of them.
 */
#include "core/text/json_read.h"
#include "core/num.h"
#include "core/text/plain.h"
#include "core/text/utf8.h"

enum expected {
	EXPECT_VALUE,	     /* 0: at first */
	EXPECT_VALUE_OR_END, /* after '[' */
	EXPECT_KEY,
	EXPECT_KEY_OR_END, /* after '{' */
	EXPECT_COLON,
	EXPECT_COMMA_OR_END,
	EXPECT_NOTHING,
};

static enum pq_json_token fail(struct pq_json_reader *json, size_t at, const char *problem)
{
	json->start = at < json->text.n ? at : json->text.n;
	json->problem = problem;
	return PQ_JSON_BAD;
}

static void skip_blanks(struct pq_json_reader *json)
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

static bool read_hex4(struct pq_json_reader *json, uint32_t *ret)
{
	*ret = 0;
	if (json->text.n - json->at < 4)
		return false;
	for (size_t i = 0; i < 4; i++) {
		char c = json->text.p[json->at + i];

		if (!char_is_hex(c))
			return false;
		*ret = *ret << 4 | char_hex(c);
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

/* After "\u"; a character beyond 16 bits is two of them. */
static bool read_unicode(struct pq_json_reader *json)
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

/* After a backslash. */
static bool read_escape(struct pq_json_reader *json)
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

/* The number of bytes from here on that need no decoding. */
static size_t plain_length(const struct pq_json_reader *json)
{
	size_t at = json->at;

	while (json->text.n - at >= 8 && pq_are_plain(str_load8(json->text.p + at)))
		at += 8;
	while (at < json->text.n) {
		unsigned char c = (unsigned char)json->text.p[at];
		size_t n = c < 0x80 ? 1 : pq_utf8_length(str_part(json->text, at, json->text.n));

		if (c == '"' || c == '\\' || c < ' ' || !n)
			break;
		at += n;
	}
	return at - json->at;
}

/* Decodes the escape at the cursor. */
static bool take_escape(struct pq_json_reader *json)
{
	size_t start = json->at;

	if (start >= json->text.n)
		fail(json, start, "the string does not end");
	else if (json->text.p[json->at++] != '\\')
		fail(json, start, "a string contains a control character or invalid UTF-8");
	else if (read_escape(json))
		return true;
	else
		fail(json, start, "not an escape sequence of JSON");
	return false;
}

/* Reads a string from its quote on. The value is a slice of the text unless it contains escapes. */
static bool read_string(struct pq_json_reader *json)
{
	size_t start = ++json->at;

	json->unescaped.n = 0;
	for (;;) {
		struct pmuq_str part =
			str_part(json->text, json->at, json->at + plain_length(json));
		bool is_end;

		json->at += part.n;
		is_end = json->at < json->text.n && json->text.p[json->at] == '"';
		if (is_end && part.p == json->text.p + start) {
			json->value = part;
			break;
		}
		pq_buf_add(&json->unescaped, part);
		if (!is_end && !take_escape(json))
			return false;
		json->value = pq_buf_str(&json->unescaped);
		if (is_end || (json->text_max_bytes && json->value.n > json->text_max_bytes))
			break;
	}
	json->at++;
	if (json->unescaped.failed)
		fail(json, start, NULL);
	return !json->unescaped.failed;
}

/* --------------------------------------------------------------------------------- all the rest */

/* The length of the number that s begins with, or 0. */
static size_t number_length(struct pmuq_str s)
{
	size_t digits = s.n && s.p[0] == '-', end = pq_num_digits_end(s, digits);

	if (end == digits || (s.p[digits] == '0' && end > digits + 1))
		return 0;
	if (end < s.n && s.p[end] == '.') {
		digits = end + 1;
		end = pq_num_digits_end(s, digits);
		if (end == digits)
			return 0;
	}
	if (end >= s.n || char_lower(s.p[end]) != 'e')
		return end;
	digits = end + 1;
	if (digits < s.n && (s.p[digits] == '-' || s.p[digits] == '+'))
		digits++;
	end = pq_num_digits_end(s, digits);
	return end == digits ? 0 : end;
}

static enum pq_json_token read_bare(struct pq_json_reader *json)
{
	static const struct pmuq_str words[] = { STR("true"), STR("false"), STR("null") };
	struct pmuq_str rest = str_part(json->text, json->at, json->text.n);
	size_t n = number_length(rest);

	for (size_t i = 0; !n && i < COUNT(words); i++)
		if (str_starts(rest, words[i]))
			n = words[i].n;
	if (!n)
		return fail(json, json->at, "expected a value");
	json->value = str_part(rest, 0, n);
	json->at += n;
	return PQ_JSON_BARE;
}

static void expect_after_value(struct pq_json_reader *json)
{
	json->expected = json->depth ? EXPECT_COMMA_OR_END : EXPECT_NOTHING;
}

static bool is_in_object(const struct pq_json_reader *json)
{
	return json->object_levels >> (json->depth - 1) & 1;
}

static enum pq_json_token open_level(struct pq_json_reader *json, bool is_object)
{
	uint64_t bit;

	if (json->depth == PQ_JSON_DEPTH_MAX)
		return fail(json, json->at, "nested too deeply");
	bit = (uint64_t)1 << json->depth++;
	json->object_levels = is_object ? json->object_levels | bit : json->object_levels & ~bit;
	json->expected = is_object ? EXPECT_KEY_OR_END : EXPECT_VALUE_OR_END;
	json->at++;
	return is_object ? PQ_JSON_OPEN_OBJECT : PQ_JSON_OPEN_LIST;
}

static enum pq_json_token close_level(struct pq_json_reader *json)
{
	json->depth--;
	json->at++;
	expect_after_value(json);
	return PQ_JSON_CLOSE;
}

static enum pq_json_token read_value(struct pq_json_reader *json, char c)
{
	enum pq_json_token token;

	if (c == ']' && json->expected == EXPECT_VALUE_OR_END)
		return close_level(json);
	if (c == '{' || c == '[')
		return open_level(json, c == '{');
	if (c == '"')
		token = read_string(json) ? PQ_JSON_TEXT : PQ_JSON_BAD;
	else
		token = read_bare(json);
	expect_after_value(json);
	return token;
}

static enum pq_json_token read_key(struct pq_json_reader *json, char c)
{
	if (c == '}' && json->expected == EXPECT_KEY_OR_END)
		return close_level(json);
	if (c != '"')
		return fail(json, json->at, "expected a key in double quotes");
	json->expected = EXPECT_COLON;
	return read_string(json) ? PQ_JSON_KEY : PQ_JSON_BAD;
}

/* Advances to the next byte that is not blank; 0 at the end. */
static char next_byte(struct pq_json_reader *json)
{
	skip_blanks(json);
	json->start = json->at;
	return json->at < json->text.n ? json->text.p[json->at] : '\0';
}

enum pq_json_token pq_json_next(struct pq_json_reader *json)
{
	char c = json->expected == EXPECT_NOTHING ? '\0' : next_byte(json);

	if (json->expected == EXPECT_COMMA_OR_END) {
		bool is_object = is_in_object(json);

		if (c == (is_object ? '}' : ']'))
			return close_level(json);
		if (c != ',')
			return fail(json, json->at,
				    is_object ? "expected a comma or '}'"
					      : "expected a comma or ']'");
		json->at++;
		json->expected = is_object ? EXPECT_KEY : EXPECT_VALUE;
		c = next_byte(json);
	}
	if (json->expected == EXPECT_COLON) {
		if (c != ':')
			return fail(json, json->at, "expected a colon");
		json->at++;
		json->expected = EXPECT_VALUE;
		c = next_byte(json);
	}
	switch (json->expected) {
	case EXPECT_KEY:
	case EXPECT_KEY_OR_END:
		return read_key(json, c);
	case EXPECT_NOTHING:
		return PQ_JSON_END;
	default:
		return read_value(json, c);
	}
}

bool pq_json_is_all(struct pq_json_reader *json)
{
	next_byte(json);
	if (json->at < json->text.n)
		fail(json, json->at, "text after the end of the value");
	return json->at == json->text.n;
}

void pq_json_clear(struct pq_json_reader *json)
{
	pq_buf_free(&json->unescaped);
}
