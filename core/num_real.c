/* SPDX-License-Identifier: MIT */
/*
 * Real numbers from text, without a locale. The scale files of events have the grammar of
 * strtod(3); their exact decimal text is kept, too.
 */
#include "core/num.h"
#include <errno.h>
#include <locale.h>
#include <stdlib.h>

/* The length of  [+-] digits [. digits] [e [+-] digits]  at the start of s; 0 if s does not begin
 * so. */
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

enum pq_num pq_num_real(const char *text, double *ret, size_t *ret_n)
{
	/* Costs nothing: the C locale is a constant of libc. */
	locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	char *end;

	if (!plain)
		return PQ_NUM_NONE;
	errno = 0;
	*ret = strtod_l(text, &end, plain);
	*ret_n = (size_t)(end - text);
	freelocale(plain);
	if (!*ret_n)
		return PQ_NUM_NONE;
	return errno == ERANGE ? PQ_NUM_RANGE : PQ_NUM_OK;
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
