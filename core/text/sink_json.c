/* SPDX-License-Identifier: MIT */
/* Documents as JSON (RFC 8259). Needs no library. */
#include "core/text/plain.h"
#include "core/text/sink.h"
#include "core/text/utf8.h"

#define INDENT_BLANKS 2

/* What the next item follows. */
enum after {
	AFTER_NOTHING, /* or the key of a value */
	AFTER_BRACKET,
	AFTER_ITEM,
};

struct json {
	struct pq_sink sink;
	struct pq_buf *buf;
	unsigned depth, line_levels;
	enum after after;
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

PQ_COLD static void begin_line(struct json *json, enum after after)
{
	if (after == AFTER_ITEM)
		pq_buf_char(json->buf, ',', 1);
	break_line(json);
}

/* Separates an item from what it follows, and writes its name. Returns memory for n more bytes, or
 * NULL. All bytes of an item are requested at once: an encoding has some forty items. */
PQ_INLINE char *begin_item(struct json *json, size_t n)
{
	struct pmuq_str name = pq_sink_take_name(&json->sink);
	enum after after = json->after;
	char *to;

	json->after = AFTER_ITEM;
	if (after != AFTER_NOTHING && json->depth <= json->line_levels) {
		begin_line(json, after);
		after = AFTER_NOTHING;
	}
	to = pq_buf_reserve(json->buf, n + name.n + sizeof(", \"\": "));
	if (to && after == AFTER_ITEM) {
		*to++ = ',';
		*to++ = ' ';
	}
	if (to && name.n) {
		*to++ = '"';
		str_copy(to, name);
		to += name.n;
		memcpy(to, "\": ", 3);
		to += 3;
	}
	return to;
}

/* `to` is the end of what was written there. */
PQ_INLINE void end_item(struct json *json, const char *to)
{
	json->buf->n = (size_t)(to - json->buf->p);
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

/* Between quotes that are there already. */
static void put_escapes(struct json *json, struct pmuq_str s)
{
	while (s.n) {
		size_t n = plain_length(s);

		pq_buf_add(json->buf, str_part(s, 0, n));
		s = str_part(s, n, s.n);
		if (s.n)
			s = put_odd(json, s);
	}
}

/* -------------------------------------------------------------------------------- operations */

static void json_bare(struct pq_sink *sink, struct pmuq_str text)
{
	char *to = begin_item(json_of(sink), text.n);

	if (!to)
		return;
	str_copy(to, text);
	end_item(json_of(sink), to + text.n);
}

static void json_open(struct pq_sink *sink, char bracket)
{
	struct json *json = json_of(sink);

	json_bare(sink, (struct pmuq_str){ .p = &bracket, .n = 1 });
	json->depth++;
	json->after = AFTER_BRACKET;
}

static void json_close(struct pq_sink *sink, char bracket)
{
	struct json *json = json_of(sink);
	bool breaks = json->depth <= json->line_levels && json->after != AFTER_BRACKET;

	json->depth--;
	if (breaks)
		break_line(json);
	pq_buf_char(json->buf, bracket, 1);
	json->after = AFTER_ITEM;
}

static void json_plain(struct pq_sink *sink, struct pmuq_str text)
{
	struct json *json = json_of(sink);
	char *to = begin_item(json, text.n + 2);

	if (!to)
		return;
	*to++ = '"';
	str_copy(to, text);
	to += text.n;
	*to++ = '"';
	end_item(json, to);
}

static void json_text(struct pq_sink *sink, struct pmuq_str text)
{
	struct json *json = json_of(sink);

	if (is_plain_text(text)) {
		json_plain(sink, text);
		return;
	}
	json_bare(sink, STR("\""));
	put_escapes(json, text);
	pq_buf_char(json->buf, '"', 1);
}

static void json_key(struct pq_sink *sink, struct pmuq_str text)
{
	json_text(sink, text);
	pq_buf_add(json_of(sink)->buf, STR(": "));
	json_of(sink)->after = AFTER_NOTHING;
}

/* A document within a list is an item of it, so its line does not end there. */
static void json_end(struct pq_sink *sink)
{
	struct json *json = json_of(sink);

	if (json->depth)
		return;
	pq_buf_char(json->buf, '\n', 1);
	json->after = AFTER_NOTHING;
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
