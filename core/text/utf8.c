/* SPDX-License-Identifier: MIT */
/*
 * Checks and repairs UTF-8. Names in sysfs and texts of recordings can be any bytes; JSON and YAML
 * cannot.
 */
#include "core/text/utf8.h"

static unsigned char byte_at(struct pmuq_str s, size_t i)
{
	return (unsigned char)s.p[i];
}

/* The length of a character by its first byte, and the smallest number that needs so many bytes: a
 * smaller one is an overlong form. */
static size_t length_by_first(unsigned char first, uint32_t *ret_bits, uint32_t *ret_least)
{
	static const struct {
		unsigned char mask, lead;
		uint32_t least;
	} rows[] = {
		{ .mask = 0x80, .lead = 0x00, .least = 0 },
		{ .mask = 0xe0, .lead = 0xc0, .least = 0x80 },
		{ .mask = 0xf0, .lead = 0xe0, .least = 0x800 },
		{ .mask = 0xf8, .lead = 0xf0, .least = 0x10000 },
	};

	for (size_t i = 0; i < COUNT(rows); i++) {
		if ((first & rows[i].mask) != rows[i].lead)
			continue;
		*ret_bits = first & (uint32_t)(unsigned char)~rows[i].mask;
		*ret_least = rows[i].least;
		return i + 1;
	}
	return 0;
}

size_t pq_utf8_length(struct pmuq_str s)
{
	uint32_t c = 0, least = 0;
	size_t n = s.n ? length_by_first(byte_at(s, 0), &c, &least) : 0;

	if (n > s.n)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((byte_at(s, i) & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (byte_at(s, i) & 0x3f);
	}
	/* Surrogates are halves of UTF-16, not characters. */
	return c < least || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff) ? 0 : n;
}

static bool is_control(unsigned char c)
{
	return (c < ' ' && c != '\n' && c != '\t') || c == 0x7f;
}

/* The index of the first byte that is invalid or, if `is_strict`, of the first control character;
 * s.n if there is none. */
static size_t valid_length(struct pmuq_str s, bool is_strict)
{
	size_t i = 0, n;

	for (; i < s.n; i += n) {
		unsigned char c = byte_at(s, i);

		n = 1;
		if (c >= ' ' && c < 0x7f) /* almost all text */
			continue;
		if (c >= 0x80)
			n = pq_utf8_length(str_part(s, i, s.n));
		if (!n || (is_strict && is_control(c)))
			break;
	}
	return i;
}

bool pq_utf8_is_valid(struct pmuq_str s)
{
	return valid_length(s, false) == s.n;
}

bool pq_utf8_is_text(struct pmuq_str s)
{
	return valid_length(s, true) == s.n;
}

void pq_utf8_repair(struct pq_buf *buf, struct pmuq_str s)
{
	while (s.n) {
		size_t n = valid_length(s, false);

		pq_buf_add(buf, str_part(s, 0, n));
		s = str_part(s, n, s.n);
		if (!s.n)
			break;
		pq_buf_add(buf, PQ_UTF8_REPLACEMENT);
		s = str_part(s, 1, s.n);
	}
}
