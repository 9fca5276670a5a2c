/* SPDX-License-Identifier: MIT */
/*
 * Searches the events of all sources for words: the machine's own files and generic events, the
 * table of its CPU, libpfm4's names for it, and events and metrics that were imported for other
 * CPUs. The command prints them.
 */
#pragma once

#include "cli/cmd.h"
#include "cli/tables/list_sources.h"
#include "cli/tables/pfm_reader.h"
#include "cli/tables/search_words.h"

struct search_row {
	enum pmuq_origin origin;
	const char
		*cpus; /* "x86/icelakex, x86/skylakex": where it was imported from; may be NULL */
	const char *pmu, *name;
	const char *string;	   /* the event string for `encode`, or the metric's name */
	const char *terms, *topic; /* NULL: none */
	const char *description, *more;
	struct search_match match;
	size_t order;	      /* rank of the match */
	const char *instance; /* the first PMU whose file the event is; NULL: not of a file */
	/* An event of the machine or its CPU: one of its PMUs has it, or none has. */
	bool is_here, is_absent;
	bool is_deprecated, is_metric;
};

/* The sources that --from accepts in searches: those of lists, and tracepoints, which
 * have a list of their own. */
#define SEARCH_SOURCES_MASK (LIST_SOURCES_MASK | PMUQ_FROM_TRACEPOINT)

/* The query. */
struct search_query {
	struct search_words words;
	const char *text; /* the same words, for the database */
	unsigned from;	  /* enum pmuq_origin; 0: all */
	size_t limit;
};

struct search_rows {
	PQ_VEC(struct search_row);
	bool needs_import; /* nothing was found, and nothing has been imported */
	/* Owns the texts of the rows. */
	struct pmuq_source *source;
	struct machine_pmus pmus;
	struct {
		PQ_VEC(struct pmuq_names *);
	} lists; /* of events and tracepoints */
	struct pmuq_found *found;
	struct pfm_reader pfm;
	struct list_events names; /* of libpfm4 */
	struct list_texts texts;
};

/* Finds the best rows, at most `limit`. Reports what went wrong and returns a status. */
enum status search_rows_find(struct search_rows *rows, const struct cli *cli,
			     const struct search_query *query);
void search_rows_clear(struct search_rows *rows);
