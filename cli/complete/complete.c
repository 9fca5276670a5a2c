/* SPDX-License-Identifier: MIT */
/*
 * Shared by all completions: the machine and the table that the line selects, the offered words,
 * and how they are printed. The other files choose the words.
 */
#include "cli/complete/complete.h"
#include "cli/machine_word.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include <string.h>

/* Menus of shells show no more. */
#define ABOUT_BYTES_MAX 100

struct pmuq_source *complete_source(struct line_completion *completion)
{
	if (!completion->source && !completion->has_no_source)
		completion->has_no_source =
			source_open(&completion->options.cli, &completion->source) != STATUS_OK;
	return completion->source;
}

struct pmuq_vendor *complete_vendor(struct line_completion *completion)
{
	struct pmuq_source *source = complete_source(completion);
	struct pmuq_vendor *vendor = NULL;

	if (source)
		source_find_vendor(&completion->options.cli, source,
				   option_value(&completion->options, OPTION_VENDOR), false,
				   &vendor);
	return vendor;
}

/* Names are untrusted. A control character would end a line or reach the terminal, and shells
 * differ in how they quote bytes that are not UTF-8. A dash would turn an operand into an
 * option. */
static bool may_offer(const struct line_completion *completion, size_t keep, const char *text)
{
	bool is_option = *text == '-' && completion->n_before + keep == 0 &&
			 completion->is_operand && completion->is_name;

	return !is_option && is_safe(text);
}

/* Whether `text` followed by `tail` begins with the word. */
static bool begins_as(const char *word, const char *text, const char *tail)
{
	size_t n = strlen(text), n_word = strlen(word);

	if (n_word <= n)
		return strncmp(word, text, n_word) == 0;
	return strncmp(word, text, n) == 0 && strncmp(word + n, tail, n_word - n) == 0;
}

static void free_candidate(struct candidate *candidate)
{
	free(candidate->text);
	free(candidate->about);
}

void complete_offer(struct line_completion *completion, size_t keep, const char *text,
		    const char *tail, const char *next, const char *about)
{
	struct candidate new = { .next = next };

	if (!begins_as(completion->word + keep, text, tail) || !may_offer(completion, keep, text))
		return;
	/* The word would stay as it is, and a shell would end it. */
	if (*tail && strlen(completion->word + keep) == strlen(text) + strlen(tail))
		return;
	new.text = print_or_die("%.*s%s%s", (int)(completion->n_before + keep),
				completion->word - completion->n_before, text, tail);
	if (!is_safe(new.text)) {
		free(new.text);
		return;
	}
	new.about = about &&*about ? or_die(strndup(about, ABOUT_BYTES_MAX)) : NULL;
	push_or_die(&completion->candidates, new);
}

/* By the text; equal texts in the order in which they were offered. */
static int compare(const void *a, const void *b)
{
	const struct candidate *const *x = a, *const *y = b;
	int order = strcmp((*x)->text, (*y)->text);

	return order ? order : (*x > *y) - (*x < *y);
}

/* Keeps the first of the candidates with the same text. */
static void drop_doubles(struct line_completion *completion)
{
	auto_free struct candidate **sorted =
		or_die(calloc(completion->candidates.n + 1, sizeof(struct candidate *)));
	size_t n = 0;

	for (size_t i = 0; i < completion->candidates.n; i++)
		sorted[i] = &completion->candidates.v[i];
	qsort(sorted, completion->candidates.n, sizeof(*sorted), compare);
	for (size_t i = completion->candidates.n; i-- > 1;) {
		if (strcmp(sorted[i]->text, sorted[i - 1]->text) != 0)
			continue;
		free(sorted[i]->text);
		sorted[i]->text = NULL;
	}
	for (size_t i = 0; i < completion->candidates.n; i++) {
		if (completion->candidates.v[i].text)
			completion->candidates.v[n++] = completion->candidates.v[i];
		else
			free(completion->candidates.v[i].about);
	}
	completion->candidates.n = n;
}

/* A word and, after a tab, its description, which a shell may show. */
static void print_line(FILE *to, const struct candidate *candidate, int tail)
{
	fputs(candidate->text, to);
	if (tail)
		putc(tail, to);
	if (candidate->about) {
		putc('\t', to);
		print_safe(to, candidate->about);
	}
	putc('\n', to);
}

/* A shell adds a blank to the only candidate. If the word cannot end there, print it once for each
 * byte that may follow: the shell then stops before that byte. */
void complete_print(struct line_completion *completion, FILE *to)
{
	drop_doubles(completion);
	if (completion->candidates.n == 1 && completion->candidates.v[0].next) {
		for (const char *c = completion->candidates.v[0].next; *c; c++)
			print_line(to, &completion->candidates.v[0], *c);
		return;
	}
	for (size_t i = 0; i < completion->candidates.n; i++)
		print_line(to, &completion->candidates.v[i], 0);
}

void complete_clear(struct line_completion *completion)
{
	for (size_t i = 0; i < completion->candidates.n; i++)
		free_candidate(&completion->candidates.v[i]);
	pq_vec_free(&completion->candidates);
	options_clear(&completion->options);
	pmuq_source_free(completion->source);
}
