/* SPDX-License-Identifier: MIT */
/* Whole numbers from text. num_real.c has the others. */
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

struct pmuq_str pq_num_print(uint64_t value, char (*digits)[PQ_NUM_DIGITS_MAX])
{
	size_t at = PQ_NUM_DIGITS_MAX;

	do {
		(*digits)[--at] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	return (struct pmuq_str){ .p = *digits + at, .n = PQ_NUM_DIGITS_MAX - at };
}
