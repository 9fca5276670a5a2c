/* SPDX-License-Identifier: MIT */
#include "cli/json.h"
#include <string.h>

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

void json_open(struct json *json, char bracket)
{
	before_value(json);
	putc_unlocked(bracket, json->to);
	json->wants_comma = false;
}

void json_close(struct json *json, char bracket)
{
	putc_unlocked(bracket, json->to);
	json->wants_comma = true;
}

static bool is_tail(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* First bytes, and the range of the second byte that keeps out overlong forms and surrogates. */
static const struct {
	unsigned char first, last, second_first, second_last, length;
} utf8_forms[] = {
	{ 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 }, { 0xe1, 0xec, 0x80, 0xbf, 3 },
	{ 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
	{ 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

size_t utf8_length(const char *text)
{
	unsigned char first = (unsigned char)text[0], second = first ? (unsigned char)text[1] : 0;

	if (first < 0x80)
		return first ? 1 : 0;
	for (size_t i = 0; i < sizeof(utf8_forms) / sizeof(utf8_forms[0]); i++) {
		if (first < utf8_forms[i].first || first > utf8_forms[i].last)
			continue;
		if (second < utf8_forms[i].second_first || second > utf8_forms[i].second_last)
			return 0;
		for (size_t k = 2; k < utf8_forms[i].length; k++)
			if (!is_tail(text[k]))
				return 0;
		return utf8_forms[i].length;
	}
	return 0;
}

static const char hex_digits[] = "0123456789abcdef";

static void put_escaped(struct json *json, unsigned char byte)
{
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
			put(json, "\xef\xbf\xbd", 3);
		text++;
	}
	putc_unlocked('"', json->to);
}

void json_key(struct json *json, const char *name)
{
	before_value(json);
	put_string(json, name);
	put(json, ": ", 2);
	json->wants_comma = false;
}

void json_string(struct json *json, const char *text)
{
	before_value(json);
	put_string(json, text);
}

void json_string_or_null(struct json *json, const char *text)
{
	if (text)
		json_string(json, text);
	else
		json_null(json);
}

static void put_unsigned(struct json *json, uint64_t value, unsigned base)
{
	char digits[20];
	size_t at = sizeof(digits);

	do
		digits[--at] = hex_digits[value % base];
	while (value /= base);
	put(json, digits + at, sizeof(digits) - at);
}

void json_number(struct json *json, int64_t value)
{
	before_value(json);
	if (value < 0)
		putc_unlocked('-', json->to);
	put_unsigned(json, value < 0 ? -(uint64_t)value : (uint64_t)value, 10);
}

void json_word(struct json *json, uint64_t value)
{
	before_value(json);
	put(json, "\"0x", 3);
	put_unsigned(json, value, 16);
	putc_unlocked('"', json->to);
}

void json_literal(struct json *json, const char *text)
{
	before_value(json);
	put(json, text, strlen(text));
}

void json_bool(struct json *json, bool value)
{
	json_literal(json, value ? "true" : "false");
}

void json_null(struct json *json)
{
	json_literal(json, "null");
}

void json_bytes(struct json *json, const void *bytes, size_t n)
{
	const unsigned char *byte = bytes;

	before_value(json);
	putc_unlocked('"', json->to);
	for (size_t i = 0; i < n; i++) {
		putc_unlocked(hex_digits[byte[i] >> 4], json->to);
		putc_unlocked(hex_digits[byte[i] & 15], json->to);
	}
	putc_unlocked('"', json->to);
}
