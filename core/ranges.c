/* SPDX-License-Identifier: MIT */
/*
 * Numbers as ranges, and names that end in numbers: "uncore_imc_[0-3,8]". core/instance.h decides
 * which names end in a number.
 */
#include "core/ranges.h"
#include "core/instance.h"
#include "core/num.h"

static void print_range(struct pq_ranges *ranges)
{
	pq_buf_print(ranges->buf, ranges->first == ranges->last ? "%u" : "%u-%u", ranges->first,
		     ranges->last);
}

void pq_ranges_add(struct pq_ranges *ranges, uint32_t number)
{
	bool joins = ranges->has_any && ranges->last != UINT32_MAX && number == ranges->last + 1;

	if (!joins && ranges->has_any) {
		print_range(ranges);
		pq_buf_char(ranges->buf, ',', 1);
	}
	if (!joins)
		ranges->first = number;
	ranges->last = number;
	ranges->has_any = true;
}

void pq_ranges_end(struct pq_ranges *ranges)
{
	if (ranges->has_any)
		print_range(ranges);
}

static void print_numbers(const uint32_t *numbers, size_t n, struct pq_buf *ret)
{
	struct pq_ranges ranges = { .buf = ret };

	for (size_t i = 0; i < n; i++)
		pq_ranges_add(&ranges, numbers[i]);
	pq_ranges_end(&ranges);
}

void pq_ranges_print_stem(struct pmuq_str stem, const struct pq_numbers *numbers,
			  struct pq_buf *ret)
{
	pq_buf_add(ret, stem);
	pq_buf_char(ret, '[', 1);
	print_numbers(numbers->v, numbers->n, ret);
	pq_buf_char(ret, ']', 1);
}

char *pq_ranges_of_numbers(const uint32_t *numbers, size_t n)
{
	struct pq_buf text = PQ_BUF_NULL;

	print_numbers(numbers, n, &text);
	return pq_buf_take(&text);
}

/* Prints the names from the first on that share its stem, and returns their number. */
static size_t print_neighbours(const struct pmuq_str *names, size_t n, struct pq_buf *ret)
{
	struct pq_ranges ranges = { .buf = ret };
	struct pmuq_str stem;
	uint32_t number;
	size_t n_same = 1;

	while (n_same < n && pq_instance_same_stem(names[0], names[n_same]))
		n_same++;
	if (n_same == 1) {
		pq_buf_add(ret, names[0]);
		return n_same;
	}
	for (size_t i = 0; i < n_same; i++) {
		pq_instance_number(names[i], &stem, &number);
		if (i == 0) {
			pq_buf_add(ret, stem);
			pq_buf_char(ret, '[', 1);
		}
		pq_ranges_add(&ranges, number);
	}
	pq_ranges_end(&ranges);
	pq_buf_char(ret, ']', 1);
	return n_same;
}

char *pq_ranges_of_names(const struct pmuq_str *names, size_t n)
{
	struct pq_buf text = PQ_BUF_NULL;

	for (size_t i = 0; i < n;) {
		if (i)
			pq_buf_add(&text, STR(", "));
		i += print_neighbours(names + i, n - i, &text);
	}
	return pq_buf_take(&text);
}

/* A number as it would be printed: without leading zeros. */
static bool read_number(struct pmuq_str text, uint64_t *ret)
{
	return pq_num_decimal(text, ret) == PQ_NUM_OK && *ret <= UINT32_MAX &&
	       (text.n == 1 || text.p[0] != '0');
}

static bool read_range(struct pmuq_str text, uint64_t *ret_first, uint64_t *ret_last)
{
	struct pmuq_str first, last;
	bool is_range = str_cut(text, '-', &first, &last);

	if (!read_number(first, ret_first))
		return false;
	*ret_last = *ret_first;
	return !is_range || (read_number(last, ret_last) && *ret_last > *ret_first);
}

/* Counts the numbers; writes them to `v`, unless that is NULL. */
static enum pq_ranges_result walk(struct pmuq_str text, uint32_t *v, size_t *ret_n)
{
	uint64_t first, last;
	struct pmuq_str range;

	for (*ret_n = 0; str_next(&text, ',', &range);) {
		if (!read_range(range, &first, &last))
			return PQ_RANGES_BAD;
		if (last - first >= PQ_PMUS_MAX - *ret_n)
			return PQ_RANGES_MANY;
		for (uint64_t i = first; i <= last; i++, ++*ret_n)
			if (v)
				v[*ret_n] = (uint32_t)i;
	}
	return PQ_RANGES_OK;
}

enum pq_ranges_result pq_ranges_read(struct pq_arena *arena, struct pmuq_str text,
				     struct pq_numbers *ret)
{
	enum pq_ranges_result result = walk(text, NULL, &ret->n);

	if (result != PQ_RANGES_OK)
		return result;
	ret->v = pq_arena_array(arena, ret->n, sizeof(*ret->v));
	return ret->v ? walk(text, ret->v, &ret->n) : PQ_RANGES_MEMORY;
}

enum pq_ranges_result pq_ranges_read_stem(struct pq_arena *arena, struct pmuq_str text,
					  struct pmuq_str *ret_stem, struct pq_numbers *ret)
{
	size_t at = text.n;

	if (!text.n || text.p[text.n - 1] != ']')
		return PQ_RANGES_BAD;
	while (at && text.p[at - 1] != '[')
		at--;
	if (at < 2)
		return PQ_RANGES_BAD;
	*ret_stem = str_part(text, 0, at - 1);
	return pq_ranges_read(arena, str_part(text, at, text.n - 1), ret);
}
