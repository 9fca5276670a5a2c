/* SPDX-License-Identifier: MIT */
/*
 * Numbers from text, without a locale. The scale files of events have the grammar of strtod(3),
 * which is implemented here; their exact decimal text is kept, too.
 */
#include "core/num.h"

enum pq_num pq_num_decimal(struct pmuq_str s, uint64_t *ret)
{
	uint64_t v = 0;
	bool is_wide = false;

	if (!s.n)
		return PQ_NUM_NONE;
	for (size_t i = 0; i < s.n; i++) {
		if (!char_is_digit(s.p[i]))
			return PQ_NUM_NONE;
		is_wide |= __builtin_mul_overflow(v, 10u, &v);
		is_wide |= __builtin_add_overflow(v, (uint64_t)(s.p[i] - '0'), &v);
	}
	if (is_wide)
		return PQ_NUM_RANGE;
	*ret = v;
	return PQ_NUM_OK;
}

enum pq_num pq_num_hex(struct pmuq_str s, uint64_t *ret)
{
	uint64_t v = 0;
	bool is_wide = false;

	if (!s.n)
		return PQ_NUM_NONE;
	for (size_t i = 0; i < s.n; i++) {
		if (!char_is_hex(s.p[i]))
			return PQ_NUM_NONE;
		is_wide |= v >> 60 != 0;
		v = v << 4 | char_hex(s.p[i]);
	}
	if (is_wide)
		return PQ_NUM_RANGE;
	*ret = v;
	return PQ_NUM_OK;
}

enum pq_num pq_num_any(struct pmuq_str s, uint64_t *ret)
{
	if (s.n > 2 && s.p[0] == '0' && s.p[1] == 'x')
		return pq_num_hex(str_part(s, 2, s.n), ret);
	return pq_num_decimal(s, ret);
}

static enum pq_num octal(struct pmuq_str s, uint64_t *ret)
{
	uint64_t v = 0;
	bool is_wide = false;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] < '0' || s.p[i] > '7')
			return PQ_NUM_NONE;
		is_wide |= v >> 61 != 0;
		v = v << 3 | (uint64_t)(s.p[i] - '0');
	}
	if (is_wide)
		return PQ_NUM_RANGE;
	*ret = v;
	return PQ_NUM_OK;
}

enum pq_num pq_num_c(struct pmuq_str s, uint64_t *ret)
{
	if (s.n < 2 || s.p[0] != '0')
		return pq_num_decimal(s, ret);
	if (char_lower(s.p[1]) == 'x')
		return pq_num_hex(str_part(s, 2, s.n), ret);
	return octal(s, ret);
}

size_t pq_num_digits_end(struct pmuq_str s, size_t at)
{
	while (at < s.n && char_is_digit(s.p[at]))
		at++;
	return at;
}

bool pq_num_prefix(struct pmuq_str s, uint64_t *ret, size_t *ret_n)
{
	*ret_n = pq_num_digits_end(s, 0);
	return pq_num_decimal(str_part(s, 0, *ret_n), ret) == PQ_NUM_OK;
}

/* The length of  [+-] digits [. digits] [e [+-] digits]  at the start of s; 0 if there is none. */
size_t pq_num_scale_length(struct pmuq_str s)
{
	size_t start = s.n && (s.p[0] == '-' || s.p[0] == '+') ? 1 : 0;
	size_t at = pq_num_digits_end(s, start), digits = at - start, exponent;

	if (at < s.n && s.p[at] == '.') {
		size_t end = pq_num_digits_end(s, at + 1);

		digits += end - at - 1;
		at = end;
	}
	if (!digits)
		return 0;
	if (at + 1 >= s.n || char_lower(s.p[at]) != 'e')
		return at;
	exponent = at + 1;
	if (s.p[exponent] == '-' || s.p[exponent] == '+')
		exponent++;
	return pq_num_digits_end(s, exponent) > exponent ? pq_num_digits_end(s, exponent) : at;
}

static bool has_nonzero_digit(struct pmuq_str s)
{
	for (size_t i = 0; i < s.n && char_lower(s.p[i]) != 'e'; i++)
		if (s.p[i] >= '1' && s.p[i] <= '9')
			return true;
	return false;
}

struct pmuq_str pq_num_scale_text(struct pmuq_str s)
{
	s = str_trim(s);
	s.n = pq_num_scale_length(s);
	return has_nonzero_digit(s) ? s : STR("1");
}

/* 10^n by squaring: exact enough to print, and independent of the locale. */
static double power_of_ten(unsigned n)
{
	double base = 10, v = 1;

	for (; n; n >>= 1, base *= base)
		if (n & 1)
			v *= base;
	return v;
}

double pq_num_scale(struct pmuq_str s)
{
	double v = 0;
	int decimals = 0;
	bool is_negative, in_fraction = false;
	size_t i = 0;
	uint64_t exponent = 0;

	s = pq_num_scale_text(s);
	is_negative = s.p[0] == '-';
	for (i = s.p[0] == '-' || s.p[0] == '+'; i < s.n && char_lower(s.p[i]) != 'e'; i++) {
		if (s.p[i] == '.') {
			in_fraction = true;
			continue;
		}
		v = v * 10 + (s.p[i] - '0');
		decimals += in_fraction;
	}
	if (i < s.n) {
		bool is_small = s.p[i + 1] == '-';
		size_t n;

		pq_num_prefix(str_part(s, i + 1 + (is_small || s.p[i + 1] == '+'), s.n), &exponent,
			      &n);
		exponent = exponent > 400 ? 400 : exponent;
		decimals += is_small ? (int)exponent : -(int)exponent;
	}
	v = decimals > 0 ? v / power_of_ten((unsigned)decimals)
			 : v * power_of_ten((unsigned)-decimals);
	return is_negative ? -v : v;
}

struct pmuq_str pq_num_print(uint64_t value, char (*digits)[PQ_NUM_DIGITS_MAX])
{
	size_t at = PQ_NUM_DIGITS_MAX;

	do {
		(*digits)[--at] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	return (struct pmuq_str){ .p = *digits + at, .n = PQ_NUM_DIGITS_MAX - at };
}
