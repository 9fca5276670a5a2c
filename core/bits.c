/* SPDX-License-Identifier: MIT */
/*
 * The text of a format as a mask, and values spread over a mask. The rules for backward ranges are
 * perf's; discover/ reports a format that cannot be parsed.
 */
#include "core/bits.h"
#include "core/attr/attr.h"
#include "core/num.h"

/* "config", "config0" … "config4", exactly. */
static int word_of(struct pmuq_str name)
{
	uint64_t word = 0;

	if (!str_starts(name, STR("config")))
		return -1;
	name = str_part(name, sizeof("config") - 1, name.n);
	if (name.n && pq_num_decimal(name, &word) != PQ_NUM_OK)
		return -1;
	return word < PQ_CONFIG_WORDS ? (int)word : -1;
}

static uint64_t range_mask(uint64_t low, uint64_t high)
{
	uint64_t mask = high >= 63 ? UINT64_MAX : (UINT64_C(1) << (high + 1)) - 1;

	return low > 63 ? 0 : mask & ~((UINT64_C(1) << low) - 1);
}

/* "7" or "0-7". As in perf, "7-0" is bit 7 alone and any other backward range is empty. */
static bool parse_range(struct pmuq_str text, uint64_t *mask)
{
	struct pmuq_str head, tail;
	bool is_range = str_cut(text, '-', &head, &tail);
	uint64_t low, high;

	if (pq_num_decimal(str_trim(head), &low) != PQ_NUM_OK)
		return false;
	high = low;
	if (is_range && pq_num_decimal(str_trim(tail), &high) != PQ_NUM_OK)
		return false;
	if (high == 0)
		high = low;
	if (high >= low)
		*mask |= range_mask(low, high);
	return true;
}

/* Few masks have holes: only for those the bits are counted, by a function of the compiler. */
static void measure(struct pmuq_bits *bits)
{
	uint64_t run;

	if (!bits->mask)
		return;
	bits->shift = (uint8_t)__builtin_ctzll(bits->mask);
	run = bits->mask >> bits->shift;
	bits->is_solid = !(run & (run + 1));
	bits->width =
		(uint8_t)(bits->is_solid ? 64 - __builtin_clzll(run) : __builtin_popcountll(run));
}

struct pmuq_bits pq_bits_parse(struct pmuq_str text, const char **ret_problem)
{
	struct pmuq_bits bits = { .word = -1 };
	struct pmuq_str name, ranges, range;

	*ret_problem = NULL;
	if (!str_cut(str_trim(text), ':', &name, &ranges)) {
		*ret_problem = "expected config…:BITS";
		return bits;
	}
	while (str_next(&ranges, ',', &range))
		if (!parse_range(str_trim(range), &bits.mask)) {
			*ret_problem = "the bits are not a list of numbers and ranges";
			return (struct pmuq_bits){ .word = -1 };
		}
	bits.word = (int8_t)word_of(str_trim(name));
	if (bits.word < 0)
		*ret_problem = "names no word of the attr (config to config4)";
	else if (!bits.mask)
		*ret_problem = "names no bit";
	measure(&bits);
	return bits;
}

uint64_t pq_bits_scatter_holes(uint64_t mask, uint64_t value)
{
	uint64_t word = 0;

	for (; mask && value; value >>= 1) {
		uint64_t lowest = mask & -mask;

		word |= value & 1 ? lowest : 0;
		mask ^= lowest;
	}
	return word;
}

uint64_t pq_bits_gather(uint64_t mask, uint64_t word)
{
	uint64_t value = 0;

	for (unsigned bit = 0; mask; bit++, mask &= mask - 1)
		if (word & mask & -mask)
			value |= UINT64_C(1) << bit;
	return value;
}
