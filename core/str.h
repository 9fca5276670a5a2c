/* SPDX-License-Identifier: MIT */
/*
 * Slices: struct pmuq_str of the public header, and operations on it. A slice need not end with a
 * NUL, except in public records and at system calls; pq_arena_str() makes one that does.
 */
#pragma once

#include "core/base.h"
#include <pmuq/types.h>
#include <string.h>

#define STR(lit) ((struct pmuq_str){ .p = "" lit, .n = sizeof(lit) - 1 })
#define STR_ARG(s) (int)(s).n, (s).p

static inline struct pmuq_str str_of(const char *cstr)
{
	return (struct pmuq_str){ .p = cstr, .n = cstr ? strlen(cstr) : 0 };
}

static inline struct pmuq_str str_part(struct pmuq_str s, size_t from, size_t to)
{
	return (struct pmuq_str){ .p = from ? s.p + from : s.p, .n = to - from };
}

static inline uint64_t str_load8(const char *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return word;
}

static inline uint64_t str_load4(const char *p)
{
	uint32_t word;

	memcpy(&word, p, sizeof(word));
	return word;
}

/* Up to eight bytes as a number that is unique among slices of that length: two overlapping loads,
 * and no loop. Most names are this short. */
static inline uint64_t str_short(struct pmuq_str s)
{
	if (s.n >= 4)
		return str_load4(s.p) << 32 | str_load4(s.p + s.n - 4);
	if (!s.n)
		return 0;
	return (uint64_t)(unsigned char)s.p[0] << 16 | (uint64_t)(unsigned char)s.p[s.n / 2] << 8 |
	       (unsigned char)s.p[s.n - 1];
}

/* Copies the bytes, without a NUL. Most texts are short: two overlapping copies, and no call. */
static inline void str_copy(char *to, struct pmuq_str s)
{
	if (s.n > 16) {
		memcpy(to, s.p, s.n);
	} else if (s.n < 4) {
		for (size_t i = 0; i < s.n; i++)
			to[i] = s.p[i];
	} else if (s.n >= 8) {
		uint64_t first = str_load8(s.p), last = str_load8(s.p + s.n - 8);

		memcpy(to, &first, 8);
		memcpy(to + s.n - 8, &last, 8);
	} else {
		uint32_t first = (uint32_t)str_load4(s.p);
		uint32_t last = (uint32_t)str_load4(s.p + s.n - 4);

		memcpy(to, &first, 4);
		memcpy(to + s.n - 4, &last, 4);
	}
}

/* The same for code that is compiled for size. Returns the end of the copy. */
char *str_put(char *to, struct pmuq_str s) PQ_LINKED_AS("pq_str_put");

static inline uint64_t str_hash(struct pmuq_str s)
{
	uint64_t h = 0x9e3779b97f4a7c15u ^ s.n;

	for (; s.n > 8; s = str_part(s, 8, s.n)) {
		h = (h ^ str_load8(s.p)) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
	}
	h = (h ^ str_short(s)) * 0xff51afd7ed558ccdu;
	return h ^ h >> 32;
}

static inline bool bytes_eq_inline(const char *a, const char *b, size_t n)
{
	if (n > 8)
		return memcmp(a, b, n) == 0;
	return str_short((struct pmuq_str){ .p = a, .n = n }) ==
	       str_short((struct pmuq_str){ .p = b, .n = n });
}

/* Code that is compiled for size calls one function; each file would have a copy of its own. */
#ifdef __OPTIMIZE_SIZE__
bool bytes_eq(const char *a, const char *b, size_t n) PQ_LINKED_AS("pq_bytes_eq");
#else
#define bytes_eq bytes_eq_inline
#endif

static inline bool str_eq(struct pmuq_str a, struct pmuq_str b)
{
	return a.n == b.n && bytes_eq(a.p, b.p, a.n);
}

/* Both exist and are equal, or neither exists: .p is NULL then. */
static inline bool str_same(struct pmuq_str a, struct pmuq_str b)
{
	return !a.p == !b.p && str_eq(a, b);
}

static inline bool str_starts(struct pmuq_str s, struct pmuq_str head)
{
	return s.n >= head.n && memcmp(s.p, head.p, head.n) == 0;
}

static inline bool str_ends(struct pmuq_str s, struct pmuq_str tail)
{
	return s.n >= tail.n && memcmp(s.p + s.n - tail.n, tail.p, tail.n) == 0;
}

/* ASCII only, in every locale. */
static inline char char_lower(char c)
{
	return (char)(c | (char)(((unsigned char)(c - 'A') < 26) << 5));
}

static inline char char_upper(char c)
{
	return (char)(c & ~(((unsigned char)(c - 'a') < 26) << 5));
}

/* Classes of bytes, one bit each, so that one load is enough for any test. ASCII in every locale;
 * core/str.c has the table. */
enum {
	CHAR_DIGIT = 1 << 0,
	CHAR_ALPHA = 1 << 1,
	CHAR_HEX = 1 << 2,
	CHAR_SPACE = 1 << 3,
	CHAR_WORD_START = 1 << 4, /* of a name in an event string */
	CHAR_WORD = 1 << 5,
	CHAR_KEY = 1 << 6,    /* of a term or its value */
	CHAR_QUOTED = 1 << 7, /* between single quotes */
};
extern const unsigned char char_classes[256] PQ_LINKED_AS("pq_char_classes");

static inline bool char_is(char c, unsigned classes)
{
	return char_classes[(unsigned char)c] & classes;
}

static inline bool char_is_digit(char c)
{
	return char_is(c, CHAR_DIGIT);
}

static inline bool char_is_alpha(char c)
{
	return char_is(c, CHAR_ALPHA);
}

static inline bool char_is_space(char c)
{
	return char_is(c, CHAR_SPACE);
}

static inline bool char_is_hex(char c)
{
	return char_is(c, CHAR_HEX);
}

/* The value of a hex digit. */
static inline unsigned char_hex(char c)
{
	return char_is_digit(c) ? (unsigned)(c - '0') : (unsigned)(char_lower(c) - 'a') + 10;
}

/* The slice in lower case, in `to`, which has memory for it. */
static inline struct pmuq_str str_lower(struct pmuq_str s, char *to)
{
	for (size_t i = 0; i < s.n; i++)
		to[i] = char_lower(s.p[i]);
	return (struct pmuq_str){ .p = to, .n = s.n };
}

bool str_has_upper(struct pmuq_str s) PQ_LINKED_AS("pq_str_has_upper");
/* Whether they are equal, ignoring the case of ASCII letters. */
bool str_eq_nocase(struct pmuq_str a, struct pmuq_str b) PQ_LINKED_AS("pq_str_eq_nocase");
/* <0, 0, >0 as memcmp; a prefix comes before the longer slice. */
int str_cmp(struct pmuq_str a, struct pmuq_str b) PQ_LINKED_AS("pq_str_cmp");
/* Without white space at either end. */
struct pmuq_str str_trim(struct pmuq_str s) PQ_LINKED_AS("pq_str_trim");
/* Splits at the first c. False if there is none: *head is then all of s, and *tail empty. */
bool str_cut(struct pmuq_str s, char c, struct pmuq_str *ret_head, struct pmuq_str *ret_tail)
	PQ_LINKED_AS("pq_str_cut");
/* The next part of *rest, up to c, which is removed: for loops. False after the last part, when
 * rest->p is NULL. */
bool str_next(struct pmuq_str *rest, char c, struct pmuq_str *ret_part) PQ_LINKED_AS("pq_str_next");
/* Whether the word is one of those between the separators. */
bool str_has_word(struct pmuq_str text, char separator, struct pmuq_str word)
	PQ_LINKED_AS("pq_str_has_word");
/* The rest of the first line "KEY: …", trimmed, with blanks around the key ignored; .p is NULL if
 * there is no such line. */
struct pmuq_str str_field(struct pmuq_str text, struct pmuq_str key) PQ_LINKED_AS("pq_str_field");
/* Matches a glob with * ? [classes] and \ escapes against the whole text. Linear in time per
 * star. */
bool str_glob(struct pmuq_str pattern, struct pmuq_str text) PQ_LINKED_AS("pq_str_glob");
bool str_has_glob(struct pmuq_str s) PQ_LINKED_AS("pq_str_has_glob");
/* Edits (insert, delete, replace, swap neighbours) that turn a into b; stops counting at `limit`.
 */
size_t str_distance(struct pmuq_str a, struct pmuq_str b, size_t limit)
	PQ_LINKED_AS("pq_str_distance");
