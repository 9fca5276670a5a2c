/* SPDX-License-Identifier: MIT */
/* Documents as JSON (RFC 8259). Needs no library. */
#include "core/text/plain.h"
#include "core/text/sink.h"
#include "core/text/utf8.h"

#define INDENT_BLANKS 2

struct json {
	struct pq_sink sink;
	struct pq_buf *buf;
	unsigned depth, line_levels;
	bool is_empty;	   /* nothing yet in the innermost bracket */
	bool is_after_key; /* the next value belongs to it */
};

static struct json *json_of(struct pq_sink *sink)
{
	return (struct json *)sink;
}

static void break_line(struct json *json)
{
	pq_buf_char(json->buf, '\n', 1);
	pq_buf_char(json->buf, ' ', (size_t)INDENT_BLANKS * json->depth);
}

static void put_two(struct json *json, char first, char second)
{
	char *to = pq_buf_reserve(json->buf, 2);

	if (!to)
		return;
	to[0] = first;
	to[1] = second;
	json->buf->n += 2;
}

/* Writes what separates a key, or a value in a list, from the one before. */
static void begin_item(struct json *json)
{
	bool is_first = json->is_empty, is_value = json->is_after_key;

	json->is_empty = json->is_after_key = false;
	if (is_value || !json->depth)
		return;
	if (json->depth > json->line_levels) {
		if (!is_first)
			put_two(json, ',', ' ');
		return;
	}
	if (!is_first)
		pq_buf_char(json->buf, ',', 1);
	break_line(json);
}

/* ----------------------------------------------------------------------------------- strings */

static void put_escaped(struct json *json, unsigned char byte)
{
	static const char letters[] = {
		['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'
	};
	bool has_letter = byte < sizeof(letters) && letters[byte];

	if (has_letter || byte == '"' || byte == '\\') {
		pq_buf_char(json->buf, '\\', 1);
		pq_buf_char(json->buf, has_letter ? letters[byte] : (char)byte, 1);
		return;
	}
	pq_buf_print(json->buf, "\\u%04x", byte);
}

/* A control character of two bytes in UTF-8. */
static bool is_c1(struct pmuq_str s)
{
	return s.n > 1 && (unsigned char)s.p[0] == 0xc2 && (unsigned char)s.p[1] >= 0x80 &&
	       (unsigned char)s.p[1] < 0xa0;
}

/* Whether all bytes are pq_is_plain(), as in keys and in most texts. Loads overlap at the end. */
static bool is_plain_text(struct pmuq_str s)
{
	if (s.n < 4) /* str_short() sets three bytes, or none; the others are blanks */
		return !s.n || pq_are_plain(str_short(s) | PQ_EACH_BYTE((uint64_t)' ') << 24);
	if (s.n < 8)
		return pq_are_plain(str_short(s));
	for (size_t i = 0; i + 8 < s.n; i += 8)
		if (!pq_are_plain(str_load8(s.p + i)))
			return false;
	return pq_are_plain(str_load8(s.p + s.n - 8));
}

/* The length of the character at s, which is not ASCII; 0 if its bytes are not UTF-8, or if it is
 * U+0080 to U+009F, which are control characters for a terminal. */
static size_t other_length(struct pmuq_str s)
{
	return is_c1(s) ? 0 : pq_utf8_length(s);
}

/* How many bytes from the start of s need no escape. */
static size_t plain_length(struct pmuq_str s)
{
	size_t i = 0;

	while (i < s.n) {
		unsigned char byte = (unsigned char)s.p[i];
		size_t n = 1;

		if (!pq_is_plain(byte))
			n = byte < 0x80 ? 0 : other_length(str_part(s, i, s.n));
		if (!n)
			break;
		i += n;
	}
	return i;
}

static void put_plain(struct json *json, struct pmuq_str s)
{
	char *to = pq_buf_reserve(json->buf, s.n + 2);

	if (!to)
		return;
	*to++ = '"';
	str_copy(to, s);
	to[s.n] = '"';
	json->buf->n += s.n + 2;
}

/* The first character of s needs an escape. Returns the text after it. */
static struct pmuq_str put_odd(struct json *json, struct pmuq_str s)
{
	bool is_two = is_c1(s);

	if (is_two || (unsigned char)s.p[0] < 0x80)
		put_escaped(json, (unsigned char)s.p[is_two]);
	else
		pq_buf_add(json->buf, PQ_UTF8_REPLACEMENT);
	return str_part(s, 1 + (size_t)is_two, s.n);
}

static void put_string(struct json *json, struct pmuq_str s)
{
	if (is_plain_text(s)) {
		put_plain(json, s);
		return;
	}
	pq_buf_char(json->buf, '"', 1);
	while (s.n) {
		size_t n = plain_length(s);

		pq_buf_add(json->buf, str_part(s, 0, n));
		s = str_part(s, n, s.n);
		if (s.n)
			s = put_odd(json, s);
	}
	pq_buf_char(json->buf, '"', 1);
}

/* -------------------------------------------------------------------------------- operations */

static void json_open(struct pq_sink *sink, char bracket)
{
	struct json *json = json_of(sink);

	begin_item(json);
	pq_buf_char(json->buf, bracket, 1);
	json->depth++;
	json->is_empty = true;
}

static void json_close(struct pq_sink *sink, char bracket)
{
	struct json *json = json_of(sink);
	bool breaks = json->depth <= json->line_levels && !json->is_empty;

	json->depth--;
	if (breaks)
		break_line(json);
	json->is_empty = false;
	pq_buf_char(json->buf, bracket, 1);
}

static void end_key(struct json *json)
{
	put_two(json, ':', ' ');
	json->is_after_key = true;
}

static void json_key(struct pq_sink *sink, struct pmuq_str text)
{
	begin_item(json_of(sink));
	put_string(json_of(sink), text);
	end_key(json_of(sink));
}

static void json_plain_key(struct pq_sink *sink, struct pmuq_str text)
{
	begin_item(json_of(sink));
	put_plain(json_of(sink), text);
	end_key(json_of(sink));
}

static void json_plain(struct pq_sink *sink, struct pmuq_str text)
{
	begin_item(json_of(sink));
	put_plain(json_of(sink), text);
}

static void json_text(struct pq_sink *sink, struct pmuq_str text)
{
	begin_item(json_of(sink));
	put_string(json_of(sink), text);
}

static void json_bare(struct pq_sink *sink, struct pmuq_str text)
{
	begin_item(json_of(sink));
	pq_buf_add(json_of(sink)->buf, text);
}

/* A document within a list is an item of it, so its line does not end there. */
static void json_end(struct pq_sink *sink)
{
	struct json *json = json_of(sink);

	if (!json->depth)
		pq_buf_char(json->buf, '\n', 1);
}

static void json_finish(struct pq_sink *sink)
{
	sink->failed |= json_of(sink)->buf->failed;
}

static void json_free(struct pq_sink *sink)
{
	free(sink);
}

static const struct pq_sink_ops json_ops = {
	.open = json_open,
	.close = json_close,
	.key = json_key,
	.plain_key = json_plain_key,
	.text = json_text,
	.plain = json_plain,
	.bare = json_bare,
	.end = json_end,
	.finish = json_finish,
	.free = json_free,
};

struct pq_sink *pq_sink_json(struct pq_buf *buf, unsigned line_levels)
{
	struct json *json = calloc(1, sizeof(*json));

	if (!json)
		return NULL;
	*json = (struct json){ .sink = { .ops = &json_ops },
			       .buf = buf,
			       .line_levels = line_levels };
	return &json->sink;
}
