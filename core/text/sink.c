/* SPDX-License-Identifier: MIT */
/* Numbers and bytes as texts of a document: all that no form writes differently. */
#include "core/text/sink.h"

static const char hex_digits[] = "0123456789abcdef";

/* Digits are written from the end; a sign or "0x" still fits before 20 of them. */
struct digits {
	char text[24];
	size_t from;
};

static void put(struct digits *digits, char c)
{
	digits->text[--digits->from] = c;
}

static struct digits decimal_of(uint64_t value)
{
	struct digits digits = { .from = sizeof(digits.text) };

	do
		put(&digits, hex_digits[value % 10]);
	while (value /= 10);
	return digits;
}

static struct digits hex_of(uint64_t value)
{
	struct digits digits = { .from = sizeof(digits.text) };

	do
		put(&digits, hex_digits[value & 15]);
	while (value >>= 4);
	put(&digits, 'x');
	put(&digits, '0');
	return digits;
}

static struct pmuq_str str_of_digits(const struct digits *digits)
{
	return (struct pmuq_str){ .p = digits->text + digits->from,
				  .n = sizeof(digits->text) - digits->from };
}

void pq_sink_count(struct pq_sink *sink, uint64_t value)
{
	struct digits digits = decimal_of(value);

	pq_sink_bare(sink, str_of_digits(&digits));
}

void pq_sink_number(struct pq_sink *sink, int64_t value)
{
	struct digits digits = decimal_of(value < 0 ? -(uint64_t)value : (uint64_t)value);

	if (value < 0)
		put(&digits, '-');
	pq_sink_bare(sink, str_of_digits(&digits));
}

void pq_sink_word(struct pq_sink *sink, uint64_t value)
{
	struct digits digits = hex_of(value);

	pq_sink_text(sink, str_of_digits(&digits));
}

size_t pq_hex_print(char *to, const void *bytes, size_t n)
{
	const unsigned char *byte = bytes;

	for (size_t i = 0; i < n; i++) {
		to[2 * i] = hex_digits[byte[i] >> 4];
		to[2 * i + 1] = hex_digits[byte[i] & 15];
	}
	return 2 * n;
}

void pq_sink_hex(struct pq_sink *sink, const void *bytes, size_t n)
{
	char few[512];
	auto_free char *many = 2 * n > sizeof(few) ? malloc(2 * n) : NULL;
	char *text = many ? many : few;

	if (2 * n > sizeof(few) && !many) {
		sink->failed = true;
		n = 0;
	}
	pq_sink_text(sink, (struct pmuq_str){ .p = text, .n = pq_hex_print(text, bytes, n) });
}

void pq_sink_free(struct pq_sink *sink)
{
	if (sink)
		sink->ops->free(sink);
}
