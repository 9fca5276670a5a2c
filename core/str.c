/* SPDX-License-Identifier: MIT */
/*
 * Operations on slices that are not inline: comparing, splitting, globs, and the edit distance that
 * hints use; and the table of the classes of bytes.
 */
#include "core/str.h"

#define NAME (CHAR_WORD_START | CHAR_WORD | CHAR_KEY | CHAR_QUOTED)
#define DIGIT (NAME | CHAR_DIGIT | CHAR_HEX)
#define LETTER (NAME | CHAR_ALPHA)

const unsigned char char_classes[256] = {
	['0' ... '9'] = DIGIT,
	['a' ... 'f'] = LETTER | CHAR_HEX,
	['g' ... 'z'] = LETTER,
	['A' ... 'F'] = LETTER | CHAR_HEX,
	['G' ... 'Z'] = LETTER,
	['_'] = NAME,
	['*'] = NAME,
	['?'] = NAME,
	['['] = NAME,
	[']'] = NAME,
	['.'] = CHAR_WORD | CHAR_KEY | CHAR_QUOTED,
	['!'] = CHAR_WORD | CHAR_KEY | CHAR_QUOTED,
	['-'] = CHAR_WORD | CHAR_KEY | CHAR_QUOTED,
	[':'] = CHAR_KEY | CHAR_QUOTED,
	[','] = CHAR_QUOTED,
	['='] = CHAR_QUOTED,
	[' '] = CHAR_SPACE,
	['\t' ... '\r'] = CHAR_SPACE,
};

/* Eight bytes at once: the sums have their highest bits set from 'A' on, and beyond 'Z'. */
static bool has_upper8(uint64_t bytes)
{
	const uint64_t each = 0x0101010101010101u, high = 0x80 * each;
	uint64_t low = bytes & ~high;

	return (low + (0x80 - 'A') * each) & ~(low + (0x80 - 'Z' - 1) * each) & ~bytes & high;
}

bool str_has_upper(struct pmuq_str s)
{
	size_t n;

	for (; s.n; s = str_part(s, n, s.n)) {
		n = s.n < 8 ? s.n : 8;
		if (has_upper8(str_short(str_part(s, 0, n))))
			return true;
	}
	return false;
}

bool str_eq_nocase(struct pmuq_str a, struct pmuq_str b)
{
	/* Most names are written as they are known. */
	if (a.n != b.n || str_eq(a, b))
		return a.n == b.n;
	for (size_t i = 0; i < a.n; i++)
		if (char_lower(a.p[i]) != char_lower(b.p[i]))
			return false;
	return true;
}

int str_cmp(struct pmuq_str a, struct pmuq_str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int r = n ? memcmp(a.p, b.p, n) : 0;

	if (r)
		return r;
	return a.n < b.n ? -1 : a.n > b.n;
}

struct pmuq_str str_trim(struct pmuq_str s)
{
	while (s.n && char_is_space(s.p[0]))
		s = str_part(s, 1, s.n);
	while (s.n && char_is_space(s.p[s.n - 1]))
		s.n--;
	return s;
}

bool str_cut(struct pmuq_str s, char c, struct pmuq_str *ret_head, struct pmuq_str *ret_tail)
{
	const char *at = s.n ? memchr(s.p, c, s.n) : NULL;

	*ret_head = at ? str_part(s, 0, (size_t)(at - s.p)) : s;
	*ret_tail = at ? str_part(s, ret_head->n + 1, s.n) : str_part(s, s.n, s.n);
	return at != NULL;
}

bool bytes_eq_linked(const char *a, const char *b, size_t n) PQ_LINKED_AS("pq_bytes_eq");
bool bytes_eq_linked(const char *a, const char *b, size_t n)
{
	return bytes_eq_inline(a, b, n);
}

char *str_put(char *to, struct pmuq_str s)
{
	str_copy(to, s);
	return to + s.n;
}

bool str_next(struct pmuq_str *rest, char c, struct pmuq_str *ret_part)
{
	if (!rest->p)
		return false;
	if (!str_cut(*rest, c, ret_part, rest))
		*rest = (struct pmuq_str){ 0 };
	return true;
}

PQ_COLD struct pmuq_str str_field(struct pmuq_str text, struct pmuq_str key)
{
	struct pmuq_str line, head, tail;

	while (str_next(&text, '\n', &line))
		if (str_cut(line, ':', &head, &tail) && str_eq(str_trim(head), key))
			return str_trim(tail);
	return (struct pmuq_str){ 0 };
}

bool str_has_glob(struct pmuq_str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] == '*' || s.p[i] == '?' || s.p[i] == '[')
			return true;
	return false;
}

/* Longer words are not compared: they are not misspellings, and three rows of this size fit on the
 * stack. */
#define DISTANCE_MAX_BYTES 64

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

size_t str_distance(struct pmuq_str a, struct pmuq_str b, size_t limit)
{
	size_t rows[3][DISTANCE_MAX_BYTES + 1];
	size_t *above2 = rows[0], *above = rows[1], *row = rows[2];

	if (a.n > DISTANCE_MAX_BYTES || b.n > DISTANCE_MAX_BYTES)
		return limit;
	if ((a.n > b.n ? a.n - b.n : b.n - a.n) >= limit)
		return limit;
	for (size_t j = 0; j <= b.n; j++)
		above[j] = j;
	for (size_t i = 1; i <= a.n; i++) {
		size_t *spare = above2, best = row[0] = i;

		for (size_t j = 1; j <= b.n; j++) {
			size_t change = char_lower(a.p[i - 1]) != char_lower(b.p[j - 1]);

			row[j] = least(least(above[j], row[j - 1]) + 1, above[j - 1] + change);
			if (i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] && a.p[i - 2] == b.p[j - 1])
				row[j] = least(row[j], above2[j - 2] + 1);
			best = least(best, row[j]);
		}
		if (best >= limit)
			return limit;
		above2 = above;
		above = row;
		row = spare;
	}
	return least(above[b.n], limit);
}
