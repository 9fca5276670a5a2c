/* SPDX-License-Identifier: MIT */
#include "cli/output/doc.h"
#include <assert.h>
#include <pmuq/attr.h>
#include <string.h>

static const char hex_digits[] = "0123456789abcdef";
/* Those of an attr that are told when they are 0, too: `type` and `size`. */
#define ALWAYS_TOLD_BYTES 8

void doc_literal(struct doc *doc, const char *text)
{
	doc->ops->literal(doc, text, strlen(text));
}

void doc_null(struct doc *doc)
{
	doc->ops->literal(doc, "null", 4);
}

void doc_bool(struct doc *doc, bool value)
{
	doc_literal(doc, value ? "true" : "false");
}

void doc_text(struct doc *doc, const char *key, const char *text)
{
	doc_key(doc, key);
	doc_string(doc, text ? text : "");
}

void doc_text_if(struct doc *doc, const char *key, const char *text)
{
	if (text)
		doc_text(doc, key, text);
}

void doc_string_or_null(struct doc *doc, const char *text)
{
	if (text)
		doc_string(doc, text);
	else
		doc_null(doc);
}

/* The digits of a number stand at the end of the room; room for a sign or a "0x" is before them. */
struct digits {
	char room[24];
	size_t at;
};

static void put(struct digits *digits, char c)
{
	digits->room[--digits->at] = c;
}

static struct digits digits_of(uint64_t value, unsigned base)
{
	struct digits digits = { .at = sizeof(digits.room) };

	do
		put(&digits, hex_digits[value % base]);
	while (value /= base);
	return digits;
}

void doc_number(struct doc *doc, int64_t value)
{
	struct digits digits = digits_of(value < 0 ? -(uint64_t)value : (uint64_t)value, 10);

	if (value < 0)
		put(&digits, '-');
	doc->ops->literal(doc, digits.room + digits.at, sizeof(digits.room) - digits.at);
}

void doc_word(struct doc *doc, uint64_t value)
{
	struct digits digits = digits_of(value, 16);

	put(&digits, 'x');
	put(&digits, '0');
	doc->ops->digits(doc, digits.room + digits.at, sizeof(digits.room) - digits.at);
}

size_t hex_write(char *to, const void *bytes, size_t n)
{
	const unsigned char *byte = bytes;

	for (size_t i = 0; i < n; i++) {
		to[2 * i] = hex_digits[byte[i] >> 4];
		to[2 * i + 1] = hex_digits[byte[i] & 15];
	}
	return 2 * n;
}

void doc_bytes(struct doc *doc, const void *bytes, size_t n)
{
	char text[2 * PMUQ_ATTR_SIZE_MAX];

	assert(n <= PMUQ_ATTR_SIZE_MAX);
	doc->ops->digits(doc, text, hex_write(text, bytes, n));
}

void doc_attr(struct doc *doc, const struct pmuq_attr *attr)
{
	const char *name;

	doc_key(doc, "attr");
	doc_open(doc, '{');
	for (unsigned i = 0; (name = pmuq_attr_field_name(i)); i++) {
		uint64_t value = pmuq_attr_field_get(attr, i);

		if (!value && pmuq_attr_field_end(i) > ALWAYS_TOLD_BYTES)
			continue;
		doc_key(doc, name);
		if (pmuq_attr_field_kind(i) == PMUQ_FIELD_WORD)
			doc_word(doc, value);
		else
			doc_number(doc, (int64_t)value);
	}
	doc_close(doc, '}');
}
