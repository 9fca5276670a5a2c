/* SPDX-License-Identifier: MIT */
/*
 * Counts the attributes that libpfm4 would put into its array. The count may be too high, never too
 * low: a name with too many is rejected here, and libpfm4 does not see it.
 */
#include "pfm/helper/pfm_capacity.h"

/* libpfm4 adds some default attributes to its limit of 64. */
#define CAPACITY 48u
/* No umask in any table expands to more than 16 attributes, so two tokens always fit. */
#define TOKENS_THAT_FIT 2u
/* An alias of umasks may contain aliases; no table nests them deeper. */
#define DEPTH_MAX 4u

static size_t attributes_of(const struct pq_pfm_event *event, struct pmuq_str word, unsigned depth);

/* "PORT_0:PORT_1:c=1" */
static size_t attributes_of_all(const struct pq_pfm_event *event, struct pmuq_str words,
				unsigned depth)
{
	size_t n = 0;

	while (words.n && n <= CAPACITY) {
		struct pmuq_str word;

		str_cut(words, ':', &word, &words);
		n += attributes_of(event, word, depth);
	}
	return n;
}

static size_t attributes_of(const struct pq_pfm_event *event, struct pmuq_str word, unsigned depth)
{
	for (size_t i = 0; i < event->n_attributes; i++)
		if (str_eq_nocase(event->attributes[i].name, word) && event->attributes[i].same.n)
			return depth < DEPTH_MAX
				       ? attributes_of_all(event, event->attributes[i].same,
							   depth + 1)
				       : CAPACITY + 1;
	return 1;
}

bool pq_pfm_fits(struct pq_pfm_tables *tables, struct pq_pfm_pmu *pmu,
		 const struct pq_pfm_name *name)
{
	struct pq_pfm_event *event;
	struct pmuq_str same, rest = STR("");
	size_t n;

	if (name->n_tokens <= TOKENS_THAT_FIT)
		return true;
	event = pq_pfm_tables_find_event(tables, pmu, name->event);
	if (event && event->same.n) {
		str_cut(event->same, ':', &same, &rest);
		event = pq_pfm_tables_find_event(tables, pmu, same);
	}
	if (!event)
		return pmu->has_events;
	if (!pq_pfm_tables_load_event(tables, event))
		return false;
	n = attributes_of_all(event, rest, 0);
	for (size_t i = 0; i < name->n_tokens && n <= CAPACITY; i++)
		n += attributes_of(event, name->tokens[i].word, 0);
	return n <= CAPACITY;
}
