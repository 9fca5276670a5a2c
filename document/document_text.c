/* SPDX-License-Identifier: MIT */
#include "document/document_text.h"
#include "core/num.h"

#define SECONDS_A_DAY 86400
#define LAST_DAY 2932896 /* 9999-12-31, from 1970-01-01 */

static const char digits64[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static unsigned char byte_at(struct pmuq_str s, size_t i)
{
	return (unsigned char)s.p[i];
}

/* How long it is by its first byte, and the least number that needs so many bytes. */
static size_t promised_length(unsigned char first, uint32_t *ret_bits, uint32_t *ret_least)
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
	size_t n = s.n ? promised_length(byte_at(s, 0), &c, &least) : 0;

	if (n > s.n)
		return 0;
	for (size_t i = 1; i < n; i++) {
		if ((byte_at(s, i) & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (byte_at(s, i) & 0x3f);
	}
	return c < least || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff) ? 0 : n;
}

static bool is_control(unsigned char c)
{
	return (c < ' ' && c != '\n' && c != '\t') || c == 0x7f;
}

bool pq_is_text(struct pmuq_str s)
{
	for (size_t i = 0, n; i < s.n; i += n) {
		unsigned char c = byte_at(s, i);

		n = c < 0x80 ? 1 : pq_utf8_length(str_part(s, i, s.n));
		if (!n || is_control(c))
			return false;
	}
	return true;
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

/* Four digits, of which the last `n_pads` are '='. */
static bool read_four(const char *p, size_t n_pads, uint32_t *ret)
{
	*ret = 0;
	for (size_t i = 0; i < 4; i++) {
		const char *digit = i < 4 - n_pads ? strchr(digits64, p[i]) : digits64;

		if (!p[i] || !digit)
			return false;
		*ret = *ret << 6 | (uint32_t)(digit - digits64);
	}
	/* What the pads stand for is not there. */
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

/* Words that are no strings to a reader of YAML 1.1 or 1.2. */
static bool is_other_word(struct pmuq_str s)
{
	static const struct pmuq_str words[] = { STR("y"),    STR("n"),	    STR("yes"),
						 STR("no"),   STR("on"),    STR("off"),
						 STR("true"), STR("false"), STR("null") };

	for (size_t i = 0; i < COUNT(words); i++)
		if (str_eq_nocase(s, words[i]))
			return true;
	return false;
}

bool pq_is_plain(struct pmuq_str s)
{
	if (!s.n || !char_is_alpha(s.p[0]) || s.p[s.n - 1] == ' ' || is_other_word(s))
		return false;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c == ':' && (i + 1 == s.n || s.p[i + 1] == ' '))
			return false;
		if (!char_is_alpha(c) && !char_is_digit(c) && (!c || !strchr(" _-./,=+|:@()[]", c)))
			return false;
	}
	return true;
}

static bool is_made_of(struct pmuq_str s, const char *chars)
{
	for (size_t i = 0; i < s.n; i++)
		if (!s.p[i] || !strchr(chars, s.p[i]))
			return false;
	return s.n > 0;
}

/* "2026-11-21", and perhaps a time behind it. */
static bool is_date(struct pmuq_str s)
{
	return s.n >= 8 && is_made_of(str_part(s, 0, 4), "0123456789") && s.p[4] == '-' &&
	       memchr(s.p + 5, '-', 3);
}

bool pq_is_typed(struct pmuq_str s)
{
	struct pmuq_str digits = s;

	if (!s.n || is_other_word(s))
		return true;
	if (s.p[0] == '-' || s.p[0] == '+')
		digits = str_part(s, 1, s.n);
	if (!digits.n || !char_is(digits.p[0], CHAR_DIGIT))
		return str_eq(s, STR("~")) || str_eq_nocase(digits, STR(".inf")) ||
		       str_eq_nocase(s, STR(".nan")) || pq_num_scale_length(s) == s.n;
	return is_made_of(digits, "0123456789_:.") || pq_num_scale_length(s) == s.n || is_date(s) ||
	       str_starts(digits, STR("0x")) || str_starts(digits, STR("0o")) ||
	       str_starts(digits, STR("0b"));
}

/* ------------------------------------------------------------------------------------ times */

static bool is_leap(int64_t year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

static int64_t days_of_month(int64_t year, int64_t month)
{
	static const unsigned char days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

	return days[month] + (month == 1 && is_leap(year));
}

bool pq_time_print(struct pq_buf *buf, int64_t time_s)
{
	int64_t days = time_s / SECONDS_A_DAY, second = time_s % SECONDS_A_DAY;
	int64_t year = 1970, month = 0;

	if (time_s < 0 || days > LAST_DAY)
		return false;
	for (; days >= 365 + is_leap(year); year++)
		days -= 365 + is_leap(year);
	for (; days >= days_of_month(year, month); month++)
		days -= days_of_month(year, month);
	pq_buf_print(buf, "%04d-%02d-%02dT%02d:%02d:%02dZ", (int)year, (int)month + 1,
		     (int)days + 1, (int)(second / 3600), (int)(second / 60 % 60),
		     (int)(second % 60));
	return true;
}

/* `n` digits at *at, behind which `end` stands. */
static bool take_number(struct pmuq_str text, size_t *at, size_t n, char end, int64_t *ret)
{
	uint64_t number;

	if (text.n - *at < n + 1 || text.p[*at + n] != end ||
	    pq_num_decimal(str_part(text, *at, *at + n), &number) != PQ_NUM_OK)
		return false;
	*ret = (int64_t)number;
	*at += n + 1;
	return true;
}

bool pq_time_read(struct pmuq_str text, int64_t *ret)
{
	int64_t year, month, day, hour, minute, second, days = 0;
	size_t at = 0;

	if (!take_number(text, &at, 4, '-', &year) || !take_number(text, &at, 2, '-', &month) ||
	    !take_number(text, &at, 2, 'T', &day) || !take_number(text, &at, 2, ':', &hour) ||
	    !take_number(text, &at, 2, ':', &minute) || !take_number(text, &at, 2, 'Z', &second) ||
	    at != text.n)
		return false;
	if (year < 1970 || month < 1 || month > 12 || day < 1 ||
	    day > days_of_month(year, month - 1) || hour > 23 || minute > 59 || second > 59)
		return false;
	for (int64_t y = 1970; y < year; y++)
		days += 365 + is_leap(y);
	for (int64_t m = 0; m < month - 1; m++)
		days += days_of_month(year, m);
	*ret = ((days + day - 1) * 24 + hour) * 3600 + minute * 60 + second;
	return true;
}
