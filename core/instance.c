/* SPDX-License-Identifier: MIT */
/*
 * Numbers at the end of names: one function for each purpose, because kernel, perf and users have
 * different rules. instance.h lists the purposes.
 */
#include "core/instance.h"
#include "core/num.h"

/* A short run of letters a to f after "_" is a word ("cpum_cf"), not a number. */
#define HEX_LETTERS_MIN_DIGITS 3u

bool pq_instance_split(struct pmuq_str name, struct pmuq_str *ret_base, uint64_t *ret_number)
{
	size_t at = name.n;
	bool has_letter = false;
	struct pmuq_str digits;

	*ret_base = name;
	*ret_number = 0;
	while (at && char_is_hex(name.p[at - 1]))
		has_letter |= !char_is_digit(name.p[--at]);
	digits = str_part(name, at, name.n);
	if (!digits.n || at < 2 || name.p[at - 1] != '_')
		return false;
	if (has_letter && digits.n < HEX_LETTERS_MIN_DIGITS)
		return false;
	if (pq_num_hex(digits, ret_number) != PQ_NUM_OK)
		return false;
	*ret_base = str_part(name, 0, at - 1);
	return true;
}

bool pq_instance_are_siblings(struct pmuq_str a, struct pmuq_str b)
{
	struct pmuq_str base_a, base_b;
	uint64_t number;

	return pq_instance_split(a, &base_a, &number) && pq_instance_split(b, &base_b, &number) &&
	       str_eq(base_a, base_b);
}

bool pq_instance_is_suffix(struct pmuq_str rest)
{
	bool has_letter = false, has_underscore = false;
	size_t n_digits = 0;

	for (size_t i = 0; i < rest.n; i++) {
		if (rest.p[i] == '_' && !has_underscore && i + 1 < rest.n) {
			has_underscore = true;
			continue;
		}
		if (!char_is_hex(rest.p[i]))
			return false;
		has_letter |= !char_is_digit(rest.p[i]);
		n_digits++;
	}
	return !has_letter || n_digits >= HEX_LETTERS_MIN_DIGITS;
}

bool pq_instance_number(struct pmuq_str name, struct pmuq_str *ret_stem, uint32_t *ret_number)
{
	size_t at = name.n;
	uint64_t number;

	while (at && char_is_digit(name.p[at - 1]))
		at--;
	if (!at || at == name.n || (name.p[at] == '0' && at + 1 < name.n) ||
	    pq_num_decimal(str_part(name, at, name.n), &number) != PQ_NUM_OK || number > UINT32_MAX)
		return false;
	*ret_stem = str_part(name, 0, at);
	*ret_number = (uint32_t)number;
	return true;
}

bool pq_instance_same_stem(struct pmuq_str a, struct pmuq_str b)
{
	struct pmuq_str stem_a, stem_b;
	uint32_t number;

	return pq_instance_number(a, &stem_a, &number) && pq_instance_number(b, &stem_b, &number) &&
	       str_eq(stem_a, stem_b);
}

bool pq_instance_is_stem(struct pmuq_str stem, struct pmuq_str name)
{
	struct pmuq_str own;
	uint32_t number;

	if (!pq_instance_number(name, &own, &number))
		return false;
	return str_eq(own, stem) ||
	       (own.n == stem.n + 1 && str_starts(own, stem) && own.p[stem.n] == '_');
}
