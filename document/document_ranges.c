/* SPDX-License-Identifier: MIT */
#include "document/document_ranges.h"
#include "core/num.h"

bool pq_name_split(struct pmuq_str name, struct pmuq_str *ret_base, uint32_t *ret_number)
{
	size_t at = name.n;
	uint64_t number;

	while (at && char_is_digit(name.p[at - 1]))
		at--;
	if (!at || at == name.n || (name.p[at] == '0' && at + 1 < name.n) ||
	    pq_num_decimal(str_part(name, at, name.n), &number) != PQ_NUM_OK || number > UINT32_MAX)
		return false;
	*ret_base = str_part(name, 0, at);
	*ret_number = (uint32_t)number;
	return true;
}

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

/* As it would be printed: no zeros before it. */
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

/* Counts them; and puts them out when `v` is there. */
static enum pq_ranges_result walk(struct pmuq_str text, uint32_t *v, size_t *ret_n)
{
	uint64_t first, last;
	struct pmuq_str range;
	bool more = true;

	for (*ret_n = 0; more;) {
		more = str_cut(text, ',', &range, &text);
		if (!read_range(range, &first, &last))
			return PQ_RANGES_BAD;
		if (last - first >= PQ_BOXES_MAX - *ret_n)
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

enum pq_ranges_result pq_names_read(struct pq_arena *arena, struct pmuq_str text,
				    struct pmuq_str *ret_base, struct pq_numbers *ret)
{
	size_t at = text.n;

	if (!text.n || text.p[text.n - 1] != ']')
		return PQ_RANGES_BAD;
	while (at && text.p[at - 1] != '[')
		at--;
	if (at < 2)
		return PQ_RANGES_BAD;
	*ret_base = str_part(text, 0, at - 1);
	return pq_ranges_read(arena, str_part(text, at, text.n - 1), ret);
}
