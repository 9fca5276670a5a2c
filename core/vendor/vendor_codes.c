/* SPDX-License-Identifier: MIT */
/*
 * The events of a table by their code, the number of their first term that begins with "event":
 * what has the same bits on a PMU has the same code. The index is made when it is first needed,
 * since most users of a table look events up by name.
 */
#include "core/num.h"
#include "core/vendor/vendor_table.h"
#include <stdatomic.h>
#include <stdlib.h>

uint64_t pq_vendor_code(struct pmuq_str terms)
{
	struct pmuq_str term, name, text;
	uint64_t code;

	while (str_next(&terms, ',', &term))
		if (str_starts(term, STR("event")) && str_cut(term, '=', &name, &text) &&
		    pq_num_c(text, &code) == PQ_NUM_OK)
			return code;
	return 0;
}

static int compare_codes(const void *a, const void *b)
{
	const struct pq_vendor_coded *x = a, *y = b;

	return x->code < y->code ? -1 : x->code > y->code;
}

static struct pq_vendor_codes *make_codes(struct pq_vendor_list all)
{
	struct pq_vendor_codes *codes = malloc(sizeof(*codes) + all.n * sizeof(codes->v[0]));

	if (!codes)
		return NULL;
	codes->n = all.n;
	for (size_t i = 0; i < all.n; i++)
		codes->v[i] =
			(struct pq_vendor_coded){ pq_vendor_code(all.v[i].event.terms), &all.v[i] };
	if (all.n)
		qsort(codes->v, all.n, sizeof(codes->v[0]), compare_codes);
	return codes;
}

/* Threads that make it at the same time make the same one; the first is kept. */
static const struct pq_vendor_codes *find_codes(const struct pmuq_vendor *vendor)
{
	struct pq_vendor_cursor cursor = { 0 };
	struct pq_vendor_list all = { 0 };
	_Atomic(struct pq_vendor_codes *) *slot = pq_vendor_codes_of(vendor);
	struct pq_vendor_codes *codes = atomic_load(slot), *first = NULL;

	if (codes)
		return codes;
	pq_vendor_next_read(vendor, &cursor, &all);
	codes = make_codes(all);
	if (!codes || atomic_compare_exchange_strong(slot, &first, codes))
		return codes;
	free(codes);
	return first;
}

bool pq_vendor_find_code(const struct pmuq_vendor *vendor, uint64_t code,
			 const struct pq_vendor_coded **ret, size_t *ret_n)
{
	const struct pq_vendor_codes *codes = find_codes(vendor);
	size_t from = 0, to = codes ? codes->n : 0, end;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (codes->v[middle].code < code)
			from = middle + 1;
		else
			to = middle;
	}
	for (end = from; codes && end < codes->n && codes->v[end].code == code;)
		end++;
	*ret_n = end - from;
	*ret = *ret_n ? &codes->v[from] : NULL;
	return codes;
}
