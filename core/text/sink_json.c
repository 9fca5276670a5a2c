/* SPDX-License-Identifier: MIT */
/* Documents as JSON (RFC 8259). Needs no library. */
#include "core/text/plain.h"
#include "core/text/sink.h"
#include "core/text/utf8.h"

#define INDENT_BLANKS 2

/* What is before an item: the number of bytes of ", ", or more if the item begins a line. */
enum lead {
	LEAD_NOTHING = 0, /* after a bracket or a key */
	LEAD_COMMA = 2,
	LEAD_LINE,
	LEAD_COMMA_LINE,
};

struct json {
	struct pq_sink sink;
	struct pq_buf *buf;
	unsigned depth, line_levels;
	enum lead lead, later_lead; /* of the next item, and of those after it in these brackets */
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

/* The bytes of an item without its text: `, "": ""`, and one that put_lead() writes in excess. */
#define AROUND_BYTES 9

/*
 * An encoding has some forty items. So what they usually take is a function that calls no other: it
 * needs memory and no line of its own. Otherwise one of the functions *_after() prepares that, and
 * calls it again.
 */
PQ_INLINE bool is_prepared(const struct json *json, size_t n)
{
	const struct pq_buf *buf = json->buf;

	return json->lead <= LEAD_COMMA &&
	       n + json->sink.name.n + AROUND_BYTES < buf->capacity - buf->n;
}

PQ_COLD static bool prepare(struct json *json, size_t n)
{
	if (json->lead == LEAD_COMMA_LINE)
		pq_buf_char(json->buf, ',', 1);
	if (json->lead >= LEAD_LINE) {
		break_line(json);
		json->lead = LEAD_NOTHING;
	}
	return pq_buf_reserve(json->buf, n + json->sink.name.n + AROUND_BYTES);
}

/* Like str_copy(), which calls memcpy() for a long text. */
PQ_INLINE char *put_text(char *to, struct pmuq_str s)
{
	size_t i = 0;

	if (s.n > 16)
		for (; i + 8 < s.n; i += 8)
			memcpy(to + i, s.p + i, 8);
	if (s.n > 16)
		memcpy(to + s.n - 8, s.p + s.n - 8, 8);
	else
		str_copy(to, s);
	return to + s.n;
}

/* Separates an item from the one before it, and writes its name. */
PQ_INLINE char *put_lead(struct json *json)
{
	struct pmuq_str name = pq_sink_take_name(&json->sink);
	char *to = json->buf->p + json->buf->n;

	memcpy(to, ", ", 2);
	to += json->lead;
	json->lead = json->later_lead;
	if (!name.n)
		return to;
	*to = '"';
	to = put_text(to + 1, name);
	memcpy(to, "\": ", 4);
	return to + 3;
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

static void json_bare(struct pq_sink *sink, struct pmuq_str text);
static void json_open(struct pq_sink *sink, char bracket);
static void json_plain(struct pq_sink *sink, struct pmuq_str text);

PQ_COLD static void bare_after(struct pq_sink *sink, struct pmuq_str text)
{
	if (prepare(json_of(sink), text.n))
		json_bare(sink, text);
}

static void json_bare(struct pq_sink *sink, struct pmuq_str text)
{
	struct json *json = json_of(sink);

	if (!is_prepared(json, text.n))
		bare_after(sink, text);
	else
		end_item(json, put_text(put_lead(json), text));
}

PQ_INLINE bool breaks_lines(const struct json *json)
{
	return json->depth <= json->line_levels;
}

PQ_COLD static void open_after(struct pq_sink *sink, char bracket)
{
	if (prepare(json_of(sink), 1))
		json_open(sink, bracket);
}

static void json_open(struct pq_sink *sink, char bracket)
{
	struct json *json = json_of(sink);
	char *to;

	if (!is_prepared(json, 1)) {
		open_after(sink, bracket);
		return;
	}
	to = put_lead(json);
	*to = bracket;
	end_item(json, to + 1);
	json->depth++;
	json->lead = breaks_lines(json) ? LEAD_LINE : LEAD_NOTHING;
	json->later_lead = breaks_lines(json) ? LEAD_COMMA_LINE : LEAD_COMMA;
}

static void json_close(struct pq_sink *sink, char bracket)
{
	struct json *json = json_of(sink);
	bool has_lines = breaks_lines(json) && json->lead != LEAD_LINE;
	char *to;

	json->depth--;
	json->lead = json->later_lead = breaks_lines(json) ? LEAD_COMMA_LINE : LEAD_COMMA;
	if (has_lines)
		break_line(json);
	to = pq_buf_reserve(json->buf, 1);
	if (!to)
		return;
	*to = bracket;
	json->buf->n++;
}

PQ_COLD static void plain_after(struct pq_sink *sink, struct pmuq_str text)
{
	if (prepare(json_of(sink), text.n))
		json_plain(sink, text);
}

static void json_plain(struct pq_sink *sink, struct pmuq_str text)
{
	struct json *json = json_of(sink);
	char *to;

	if (!is_prepared(json, text.n)) {
		plain_after(sink, text);
		return;
	}
	to = put_lead(json);
	*to = '"';
	to = put_text(to + 1, text);
	*to = '"';
	end_item(json, to + 1);
}

PQ_COLD static void odd_text(struct pq_sink *sink, struct pmuq_str text)
{
	json_bare(sink, STR("\""));
	put_escapes(json_of(sink), text);
	pq_buf_char(json_of(sink)->buf, '"', 1);
}

static void json_text(struct pq_sink *sink, struct pmuq_str text)
{
	if (is_plain_text(text))
		json_plain(sink, text);
	else
		odd_text(sink, text);
}

static void json_key(struct pq_sink *sink, struct pmuq_str text)
{
	json_text(sink, text);
	pq_buf_add(json_of(sink)->buf, STR(": "));
	json_of(sink)->lead = LEAD_NOTHING;
}

/* A document within a list is an item of it, so its line does not end there. */
static void json_end(struct pq_sink *sink)
{
	struct json *json = json_of(sink);

	if (json->depth)
		return;
	pq_buf_char(json->buf, '\n', 1);
	json->lead = LEAD_NOTHING;
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
