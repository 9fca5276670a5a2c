/* SPDX-License-Identifier: MIT */
/* Whether a row belongs into the results, and how well it matches. */
#include "cli/tables/search_parts.h"
#include "cli/or_die.h"

bool search_wants(const struct row_search *search, unsigned from)
{
	return !search->query->from || search->query->from & from;
}

bool search_matches(const struct row_search *search, struct search_row *row)
{
	const struct search_texts texts = {
		.name = row->name,
		.pmu = row->pmu,
		.brief = row->description,
		.more = row->more,
	};

	return search_words_find(&search->query->words, &texts, &row->match);
}

void search_add(struct search_rows *rows, const struct search_row *row)
{
	push_or_die(rows, *row);
	rows->v[rows->n - 1].order = rows->n - 1;
}

void search_consider(struct row_search *search, struct search_row *row)
{
	row->is_here = !row->is_absent;
	if (search_matches(search, row))
		search_add(search->rows, row);
}
