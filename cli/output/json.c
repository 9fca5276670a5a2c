/* SPDX-License-Identifier: MIT */
#include "cli/output/json.h"
#include "cli/output/utf8.h"
#include <string.h>

static struct json *json_of(struct doc *doc)
{
	return (struct json *)doc;
}

static void put(struct json *json, const char *text, size_t n)
{
	fwrite_unlocked(text, 1, n, json->to);
}

static void before_value(struct json *json)
{
	if (json->wants_comma)
		put(json, ", ", 2);
	json->wants_comma = true;
}

static void write_open(struct doc *doc, char bracket)
{
	struct json *json = json_of(doc);

	before_value(json);
	putc_unlocked(bracket, json->to);
	json->wants_comma = false;
}

static void write_close(struct doc *doc, char bracket)
{
	struct json *json = json_of(doc);

	putc_unlocked(bracket, json->to);
	json->wants_comma = true;
}

static void put_escaped(struct json *json, unsigned char byte)
{
	static const char hex_digits[] = "0123456789abcdef";
	static const char letters[] = {
		['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\f'] = 'f', ['\r'] = 'r'
	};
	char text[] = "\\u0000";

	if (byte == '"' || byte == '\\' || (byte < sizeof(letters) && letters[byte])) {
		text[1] = byte < sizeof(letters) ? letters[byte] : (char)byte;
		put(json, text, 2);
		return;
	}
	text[4] = hex_digits[byte >> 4];
	text[5] = hex_digits[byte & 15];
	put(json, text, 6);
}

/* How many bytes from here need no change. */
static size_t plain_length(const char *text)
{
	const char *at = text;

	for (;;) {
		unsigned char byte = (unsigned char)*at;
		size_t n;

		if (byte < ' ' || byte == '"' || byte == '\\' || byte == 0x7f)
			break;
		n = byte < 0x80 ? 1 : utf8_length(at);
		if (n == 0)
			break;
		at += n;
	}
	return (size_t)(at - text);
}

static void put_string(struct json *json, const char *text)
{
	putc_unlocked('"', json->to);
	for (;;) {
		size_t n = plain_length(text);

		put(json, text, n);
		text += n;
		if (!*text)
			break;
		if ((unsigned char)*text < 0x80)
			put_escaped(json, (unsigned char)*text);
		else
			put(json, UTF8_REPLACEMENT, strlen(UTF8_REPLACEMENT));
		text++;
	}
	putc_unlocked('"', json->to);
}

static void write_key(struct doc *doc, const char *name)
{
	struct json *json = json_of(doc);

	before_value(json);
	put_string(json, name);
	put(json, ": ", 2);
	json->wants_comma = false;
}

static void write_string(struct doc *doc, const char *text)
{
	struct json *json = json_of(doc);

	before_value(json);
	put_string(json, text);
}

static void write_literal(struct doc *doc, const char *text, size_t n)
{
	struct json *json = json_of(doc);

	before_value(json);
	put(json, text, n);
}

static void write_digits(struct doc *doc, const char *text, size_t n)
{
	struct json *json = json_of(doc);

	before_value(json);
	putc_unlocked('"', json->to);
	put(json, text, n);
	putc_unlocked('"', json->to);
}

static const struct doc_ops json_ops = {
	.open = write_open,
	.close = write_close,
	.key = write_key,
	.string = write_string,
	.literal = write_literal,
	.digits = write_digits,
};

void json_init(struct json *json, FILE *to)
{
	*json = (struct json){ .doc.ops = &json_ops, .to = to };
}

void json_begin(struct json *json)
{
	json->wants_comma = false;
}
