/* SPDX-License-Identifier: MIT */
/* A diff for people: breaking changes first, grouped by PMU, and a summary line. */
#include "cli/diff/diff_line.h"
#include "cli/diff/diff_output.h"
#include "cli/or_die.h"
#include "core/ranges.h"
#include <string.h>

static const struct {
	const char *heading, *one, *many;
	enum style style;
} weights[] = {
	[PMUQ_WEIGHT_BREAKING] = { "Broken", "breaking", "breaking", STYLE_ERROR },
	[PMUQ_WEIGHT_MEANING] = { "Means something else", "meaning", "meaning", STYLE_WARNING },
	[PMUQ_WEIGHT_ADDITION] = { "Added", "addition", "additions", STYLE_GOOD },
	[PMUQ_WEIGHT_COSMETIC] = { "Only looks different", "cosmetic", "cosmetic", STYLE_QUIET },
	[PMUQ_WEIGHT_PASSING] = { "Of this boot or host", "passing", "passing", STYLE_QUIET },
};

const char *diff_weight_heading(enum pmuq_weight weight)
{
	return weights[weight].heading;
}

/* The output, and the headings of the next line. */
struct writer {
	FILE *to;
	char *pmus; /* of the heading above, to be freed */
	int weight; /* of the heading above; -1: none */
};

/* ------------------------------------------------------------------------------------ headings */

/* After a new weight, the headings of the PMUs are repeated. */
static void put_heading(struct writer *w, int weight)
{
	if (w->weight == weight)
		return;
	fprintf(w->to, "\n");
	diff_put_style(w->to, weights[weight].style);
	fputs(weights[weight].heading, w->to);
	diff_put_style(w->to, STYLE_NONE);
	putc('\n', w->to);
	w->weight = weight;
	free(w->pmus);
	w->pmus = NULL;
}

static bool is_about_tracepoints(const struct pmuq_change *change)
{
	enum pmuq_change_type type = change->type;

	return type == PMUQ_CHANGE_TRACEPOINT_GONE || type == PMUQ_CHANGE_TRACEPOINT_NEW ||
	       type == PMUQ_CHANGE_TRACEPOINTS_UNKNOWN;
}

static void put_pmus(struct writer *w, const struct pmuq_change *change)
{
	auto_free char *pmus = or_die(pq_ranges_of_names(change->pmus, change->n_pmus));

	if (!*pmus) {
		free(pmus);
		pmus = or_die(strdup(is_about_tracepoints(change) ? "tracepoints" : "host"));
	}
	if (w->pmus && strcmp(w->pmus, pmus) == 0)
		return;
	diff_put_style(w->to, STYLE_NAME);
	print_safe(w->to, pmus);
	diff_put_style(w->to, STYLE_NONE);
	putc('\n', w->to);
	free(w->pmus);
	w->pmus = move(pmus);
}

/* "--- web01@7  kernel 6.1.0  GenuineIntel-6-55-4", as diff(1) begins. */
static void put_machine(const struct writer *w, const struct shown_diff *shown, int side)
{
	const struct diffed_machine *machine = &shown->machines[side];
	const char *kernel = pmuq_catalog_find_fact(machine->catalog, "kernel");
	const char *cpuid = pmuq_catalog_find_fact(machine->catalog, "cpuid");

	if (!machine->word)
		return;
	diff_put_style(w->to, STYLE_NAME);
	fputs(side == 0 ? "--- " : "+++ ", w->to);
	print_safe(w->to, machine->word);
	diff_put_style(w->to, STYLE_NONE);
	if (kernel) {
		fputs("  kernel ", w->to);
		print_safe(w->to, kernel);
	}
	if (cpuid) {
		fputs("  ", w->to);
		print_safe(w->to, cpuid);
	}
	putc('\n', w->to);
}

/* ------------------------------------------------------------------------------------- summary */

/* "3 additions". */
static void put_count(FILE *to, const char *before, size_t n, int weight)
{
	fprintf(to, "%s%zu ", before, n);
	fputs(n == 1 ? weights[weight].one : weights[weight].many, to);
}

/* Prints how many changes have each weight in [from, until), after `before`; false if there are
 * none. */
static bool put_counts(FILE *to, const char *before, const struct pmuq_diff *diff, int from,
		       int until)
{
	bool has_more = false;

	for (int weight = from; weight < until; weight++) {
		size_t n = pmuq_diff_weight_count(diff, (enum pmuq_weight)weight);

		if (n)
			put_count(to, has_more ? ", " : before, n, weight);
		has_more |= n > 0;
	}
	return has_more;
}

void diff_print_summary(const struct shown_diff *shown, FILE *to)
{
	int first_hidden = (int)shown->least + 1;

	if (!put_counts(to, "", shown->diff, 0, first_hidden))
		fputs("no difference", to);
	if (put_counts(to, "; not shown: ", shown->diff, first_hidden, (int)COUNT(weights)))
		fputs(" (--all)", to);
	putc('\n', to);
}

/* Changes of open results: one cause often leads to many. */
static bool is_about_opening(const struct pmuq_change *change)
{
	enum pmuq_change_type type = change->type;

	return type == PMUQ_CHANGE_OPENS_NO_MORE || type == PMUQ_CHANGE_OPENS_NOW ||
	       type == PMUQ_CHANGE_REFUSED_OTHERWISE;
}

/* Runs are not merged across PMUs, because each PMU has a heading. */
static bool are_of_same_pmus(const struct pmuq_change *a, const struct pmuq_change *b)
{
	size_t n = a->n_pmus;

	if (b->n_pmus != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (strcmp(a->pmus[i].p, b->pmus[i].p))
			return false;
	return true;
}

/* The number of changes from here on that differ only in the event. */
static size_t run_length(const struct pmuq_diff *diff, size_t from)
{
	const struct pmuq_change *first = pmuq_diff_get(diff, from), *next;
	size_t n = 1;

	while (is_about_opening(first) && (next = pmuq_diff_get(diff, from + n)) &&
	       next->type == first->type && next->weight == first->weight &&
	       are_of_same_pmus(first, next))
		n++;
	return n;
}

static void put_run(struct writer *w, const struct pmuq_diff *diff, size_t from, size_t n)
{
	auto_free const struct pmuq_change **changes = or_die(calloc(n, sizeof(*changes)));

	put_pmus(w, pmuq_diff_get(diff, from));
	for (size_t i = 0; i < n; i++)
		changes[i] = pmuq_diff_get(diff, from + i);
	if (is_about_opening(changes[0]))
		diff_put_opens(w->to, changes, n);
	else
		diff_put_change(w->to, changes[0]);
}

void diff_print_text(const struct shown_diff *shown, FILE *to)
{
	struct writer w = { .to = to, .weight = -1 };

	put_machine(&w, shown, 0);
	put_machine(&w, shown, 1);
	for (size_t i = 0, n; i < pmuq_diff_count(shown->diff); i += n) {
		enum pmuq_weight weight = pmuq_diff_get(shown->diff, i)->weight;

		if (!diff_shows(shown, weight))
			break;
		n = run_length(shown->diff, i);
		put_heading(&w, (int)weight);
		put_run(&w, shown->diff, i, n);
	}
	free(w.pmus);
	if (diff_shows_some(shown))
		putc('\n', to);
	diff_print_summary(shown, to);
}
