/* SPDX-License-Identifier: MIT */
/*
 * Texts of any bytes in columns of the type text, which takes valid UTF-8 without NUL only. Such a
 * text is stored as it is, so that SQL queries show it. Any other is stored as U+10FFFF, a
 * character that no text has, and its bytes in hexadecimal; so is a text that itself begins with
 * that character. So every text has one stored form, equal texts are equal in SQL, and in the order
 * of the bytes (COLLATE "C") the encoded ones come last, in the order of their bytes, as in SQLite.
 */
#include "core/text/utf8.h"
#include "db/postgres/pg_server.h"

#define MARK STR("\xf4\x8f\xbf\xbf")

bool pq_pg_text_is_plain(struct pmuq_str text)
{
	return pq_utf8_is_valid(text) && !memchr(text.p, '\0', text.n) && !str_starts(text, MARK);
}

char *pq_pg_text_encode(struct pmuq_str text)
{
	struct pq_buf buf = PQ_BUF_NULL;

	pq_buf_add(&buf, MARK);
	for (size_t i = 0; i < text.n; i++)
		pq_buf_print(&buf, "%02x", (unsigned char)text.p[i]);
	return pq_buf_take(&buf);
}

/* -1: not a lower-case digit. */
static int digit_of(char c)
{
	if (char_is_digit(c))
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool pq_pg_text_decode(char *bytes, size_t *n)
{
	size_t from = MARK.n, to = 0;

	if (!str_starts((struct pmuq_str){ .p = bytes, .n = *n }, MARK))
		return true;
	for (; from + 1 < *n; from += 2) {
		int high = digit_of(bytes[from]), low = digit_of(bytes[from + 1]);

		if (high < 0 || low < 0)
			return false;
		bytes[to++] = (char)(high << 4 | low);
	}
	if (from != *n)
		return false;
	*n = to;
	return true;
}
