/* SPDX-License-Identifier: MIT */
/* What the parts of a search (search_rows.h) share: its state, and how a row is added. */
#pragma once

#include "cli/tables/search_rows.h"

/* Needed by all sources. */
struct row_search {
	struct search_rows *rows;
	const struct search_query *query;
	const struct cli *cli;
	struct pmuq_store *store;  /* or NULL */
	bool has_pfm;		   /* and it has the names of the libpfm4 that is installed */
	size_t first_pfm, end_pfm; /* the rows of libpfm4's own names */
};

/* Whether --from permits one of these sources. */
bool search_wants(const struct row_search *search, unsigned from);
/* Whether the row matches the words; sets how well. */
bool search_matches(const struct row_search *search, struct search_row *row);
void search_add(struct search_rows *rows, const struct search_row *row);
/* Adds a row of the machine or its CPU if it matches the words. */
void search_consider(struct row_search *search, struct search_row *row);
