/* SPDX-License-Identifier: MIT */
/*
 * Base64 (RFC 4648, with padding). The reader accepts only the output of the writer: unused bits
 * are zero, and the text contains nothing else. So bytes have one form in a document.
 */
#include "document/base64.h"

static const char digits64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static unsigned char byte_at(struct pmuq_str s, size_t i)
{
	return (unsigned char)s.p[i];
}

void pq_base64_print(struct pq_buf *buf, struct pmuq_str bytes)
{
	for (size_t i = 0; i < bytes.n; i += 3) {
		size_t left = bytes.n - i;
		uint32_t three = (uint32_t)byte_at(bytes, i) << 16;

		three |= left > 1 ? (uint32_t)byte_at(bytes, i + 1) << 8 : 0;
		three |= left > 2 ? byte_at(bytes, i + 2) : 0;
		pq_buf_char(buf, digits64[three >> 18], 1);
		pq_buf_char(buf, digits64[three >> 12 & 63], 1);
		pq_buf_char(buf, left > 1 ? digits64[three >> 6 & 63] : '=', 1);
		pq_buf_char(buf, left > 2 ? digits64[three & 63] : '=', 1);
	}
}

/* Reads one group. Four digits, the last `n_pads` of which are '='. */
static bool read_four(const char *p, size_t n_pads, uint32_t *ret)
{
	*ret = 0;
	for (size_t i = 0; i < 4; i++) {
		const char *digit = i < 4 - n_pads ? strchr(digits64, p[i]) : digits64;

		if (!p[i] || !digit)
			return false;
		*ret = *ret << 6 | (uint32_t)(digit - digits64);
	}
	/* The unused bits of the last digit are zero. */
	return (*ret & ((1u << 8 * n_pads) - 1)) == 0;
}

bool pq_base64_read(struct pq_arena *arena, struct pmuq_str text, struct pmuq_str *ret)
{
	size_t n_pads = 0, n = 0;
	char *p;

	*ret = STR("");
	if (text.n % 4)
		return false;
	while (n_pads < 2 && text.n && text.p[text.n - 1 - n_pads] == '=')
		n_pads++;
	p = pq_arena_take(arena, text.n / 4 * 3 + 1);
	ret->p = p;
	if (!p)
		return true;
	for (size_t i = 0; i < text.n; i += 4) {
		uint32_t three;

		if (!read_four(text.p + i, i + 4 == text.n ? n_pads : 0, &three))
			return false;
		p[n++] = (char)(three >> 16);
		p[n++] = (char)(three >> 8);
		p[n++] = (char)three;
	}
	ret->n = n - n_pads;
	p[ret->n] = '\0';
	return true;
}
