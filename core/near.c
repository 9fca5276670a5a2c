/* SPDX-License-Identifier: MIT */
/*
 * The names most similar to a word, for hints, and hints that consist of several parts.
 * str_distance() defines similarity.
 */
#include "core/near.h"

/* A longer candidate is compared without ignoring case. */
#define FOLDED_MAX_BYTES 128u

/* A candidate that needs this many edits is another word. */
static size_t allowed_edits(struct pmuq_str word)
{
	return word.n <= 3 ? 2 : word.n <= 7 ? 3 : 4;
}

static struct pmuq_str fold(struct pmuq_str s, char *folded)
{
	return s.n > FOLDED_MAX_BYTES ? s : str_lower(s, folded);
}

static size_t distance_to(const struct pq_near *near, struct pmuq_str candidate, size_t limit)
{
	char word[FOLDED_MAX_BYTES], other[FOLDED_MAX_BYTES];

	if (!near->ignores_case)
		return str_distance(near->word, candidate, limit);
	return str_distance(fold(near->word, word), fold(candidate, other), limit);
}

void pq_near_consider(struct pq_near *near, struct pmuq_str candidate)
{
	size_t limit = allowed_edits(near->word);
	size_t at = near->n, distance;

	if (near->n == PQ_NEAR_MAX && near->distance[PQ_NEAR_MAX - 1] < limit)
		limit = near->distance[PQ_NEAR_MAX - 1];
	distance = distance_to(near, candidate, limit);
	if (distance >= limit)
		return;
	for (size_t i = 0; i < near->n; i++)
		if (str_eq(near->found[i], candidate))
			return;
	if (at == PQ_NEAR_MAX)
		at--;
	else
		near->n++;
	for (; at && near->distance[at - 1] > distance; at--) {
		near->found[at] = near->found[at - 1];
		near->distance[at] = near->distance[at - 1];
	}
	near->found[at] = candidate;
	near->distance[at] = distance;
}

void pq_near_print(const struct pq_near *near, struct pq_buf *hint)
{
	size_t n = 0;

	while (n < near->n && near->distance[n] <= near->distance[0] + 1)
		n++;
	for (size_t i = 0; i < n; i++) {
		pq_buf_add(hint, i == 0	     ? STR("did you mean ")
				 : i + 1 < n ? STR(", ")
					     : STR(" or "));
		pq_buf_print(hint, "'%.*s'", STR_ARG(near->found[i]));
	}
	pq_buf_add(hint, n ? STR("?") : STR(""));
}

size_t pq_hint_begin(struct pq_buf *hint, const char *format, ...)
{
	va_list args;

	if (hint->n)
		pq_buf_add(hint, hint->p[hint->n - 1] == '?' ? STR(" ") : STR("; "));
	va_start(args, format);
	pq_buf_print_args(hint, format, args);
	va_end(args);
	return hint->n;
}
