/* SPDX-License-Identifier: MIT */
/*
 * Sets of CPUs as bits, and as text. pq_cpus_text_next() searches a text without memory: open/ has
 * the list of a PMU only as text, and needs a few of its CPUs.
 */
#include "core/cpulist.h"
#include "core/error.h"
#include "core/num.h"
#include "core/ranges.h"

struct cpu_range {
	uint64_t low, high;
};

static bool parse_range(struct pmuq_str text, struct cpu_range *ret)
{
	struct pmuq_str head, tail;
	bool is_pair = str_cut(str_trim(text), '-', &head, &tail);

	if (pq_num_decimal(str_trim(head), &ret->low) != PQ_NUM_OK)
		return false;
	ret->high = ret->low;
	if (is_pair && pq_num_decimal(str_trim(tail), &ret->high) != PQ_NUM_OK)
		return false;
	return ret->low <= ret->high && ret->high < PQ_CPUS_MAX;
}

static bool highest_cpu(struct pmuq_str text, uint64_t *ret)
{
	struct pmuq_str item;
	struct cpu_range range;

	for (*ret = 0; str_next(&text, ',', &item);) {
		if (!parse_range(item, &range))
			return false;
		*ret = range.high > *ret ? range.high : *ret;
	}
	return true;
}

/* Whole words at a time: a file may contain thousands of wide ranges. */
static void set_range(struct pq_cpus *cpus, struct cpu_range range)
{
	uint64_t first = UINT64_MAX << range.low % 64, last = UINT64_MAX >> (63 - range.high % 64);
	uint64_t word = range.low / 64, end = range.high / 64;

	if (word == end) {
		cpus->words[word] |= first & last;
		return;
	}
	cpus->words[word] |= first;
	for (word++; word < end; word++)
		cpus->words[word] = UINT64_MAX;
	cpus->words[end] |= last;
}

PQ_COLD static int fail_part(struct pmuq_str text, struct pmuq_str part,
			     const struct cpu_range *range, struct pmuq_error **reterr)
{
	struct pmuq_str word = str_trim(part);
	struct pq_span at = { .offset = (uint32_t)(word.p - text.p), .length = (uint32_t)word.n };
	int r;

	if (range->low > range->high)
		r = pq_fail_span(reterr, at, PMUQ_E_BAD_CPUS,
				 "the range %.*s ends before it begins", STR_ARG(word));
	else if (range->high >= PQ_CPUS_MAX)
		r = pq_fail_span(reterr, at, PMUQ_E_BAD_CPUS,
				 "%.*s is too large for a CPU: the largest number is %u",
				 STR_ARG(word), PQ_CPUS_MAX - 1);
	else
		r = pq_fail_span(reterr, at, PMUQ_E_BAD_CPUS,
				 "'%.*s' is not a CPU or a range of CPUs", STR_ARG(word));
	pq_error_hint(reterr, "write numbers and ranges with commas: 0-3,8");
	pq_error_input(reterr, text);
	return r;
}

int pq_cpus_check(struct pmuq_str text, struct pmuq_error **reterr)
{
	struct pmuq_str rest = text, part;

	while (str_next(&rest, ',', &part)) {
		struct cpu_range range = { 0 };

		if (!parse_range(part, &range))
			return fail_part(text, part, &range, reterr);
	}
	return 0;
}

bool pq_cpus_text_is_list(struct pmuq_str text)
{
	uint64_t highest;

	return highest_cpu(text, &highest);
}

unsigned pq_cpus_text_next(struct pmuq_str text, unsigned from)
{
	unsigned next = PQ_CPUS_MAX;
	struct pmuq_str item;
	struct cpu_range range;

	while (str_next(&text, ',', &item)) {
		if (!parse_range(item, &range))
			return PQ_CPUS_MAX;
		range.low = range.low < from ? from : range.low;
		if (range.low <= range.high && range.low < next)
			next = (unsigned)range.low;
	}
	return next;
}

bool pq_cpus_parse(struct pq_arena *arena, struct pmuq_str text, struct pq_cpus *ret)
{
	struct pq_cpus cpus = { 0 };
	struct cpu_range range;
	struct pmuq_str item;
	uint64_t highest;

	text = str_trim(text);
	if (!text.n) {
		*ret = cpus;
		return true;
	}
	if (!highest_cpu(text, &highest))
		return false;
	cpus.n_words = (size_t)highest / 64 + 1;
	cpus.words = pq_arena_array(arena, cpus.n_words, sizeof(*cpus.words));
	if (!cpus.words)
		return false;
	while (str_next(&text, ',', &item)) {
		parse_range(item, &range);
		set_range(&cpus, range);
	}
	*ret = cpus;
	return true;
}

bool pq_cpus_has(const struct pq_cpus *cpus, uint64_t cpu)
{
	return cpu / 64 < cpus->n_words && cpus->words[cpu / 64] >> cpu % 64 & 1;
}

size_t pq_cpus_count(const struct pq_cpus *cpus)
{
	size_t n = 0;

	for (size_t i = 0; i < cpus->n_words; i++)
		n += (size_t)__builtin_popcountll(cpus->words[i]);
	return n;
}

unsigned pq_cpus_next(const struct pq_cpus *cpus, unsigned from)
{
	uint64_t mask = UINT64_MAX << from % 64;

	for (size_t i = from / 64; i < cpus->n_words; i++, mask = UINT64_MAX)
		if (cpus->words[i] & mask)
			return (unsigned)(i * 64) +
			       (unsigned)__builtin_ctzll(cpus->words[i] & mask);
	return PQ_CPUS_MAX;
}

bool pq_cpus_begin(struct pq_arena *arena, struct pq_cpus *ret)
{
	ret->n_words = PQ_CPUS_MAX / 64;
	ret->words = pq_arena_array(arena, ret->n_words, sizeof(*ret->words));
	return ret->words;
}

bool pq_cpus_add_new(struct pq_cpus *cpus, unsigned low, unsigned high)
{
	if (pq_cpus_next(cpus, low) <= high)
		return false;
	set_range(cpus, (struct cpu_range){ .low = low, .high = high });
	return true;
}

void pq_cpus_intersect(struct pq_cpus *cpus, const struct pq_cpus *with)
{
	for (size_t i = 0; i < cpus->n_words; i++)
		cpus->words[i] &= i < with->n_words ? with->words[i] : 0;
}

bool pq_cpus_unite(struct pq_arena *arena, struct pq_cpus *cpus, const struct pq_cpus *with)
{
	size_t n = cpus->n_words > with->n_words ? cpus->n_words : with->n_words;
	uint64_t *words = pq_arena_array(arena, n, sizeof(*words));

	if (!words)
		return false;
	for (size_t i = 0; i < n; i++)
		words[i] = (i < cpus->n_words ? cpus->words[i] : 0) |
			   (i < with->n_words ? with->words[i] : 0);
	*cpus = (struct pq_cpus){ .words = words, .n_words = n };
	return true;
}

void pq_cpus_print(const struct pq_cpus *cpus, struct pq_buf *ret)
{
	struct pq_ranges ranges = { .buf = ret };

	for (unsigned cpu = pq_cpus_next(cpus, 0); cpu < PQ_CPUS_MAX;
	     cpu = pq_cpus_next(cpus, cpu + 1))
		pq_ranges_add(&ranges, cpu);
	pq_ranges_end(&ranges);
}
