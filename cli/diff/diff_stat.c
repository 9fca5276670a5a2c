/* SPDX-License-Identifier: MIT */
/* A diff in numbers: how many changes each weight has, for each PMU. */
#include "cli/diff/diff_output.h"
#include "cli/or_die.h"
#include "core/ranges.h"
#include "core/vec.h"
#include <string.h>

#define WEIGHTS (PMUQ_WEIGHT_PASSING + 1)

/* PMUs with the same changes, and how many of each weight. */
struct stat_row {
	char *pmus;
	size_t counts[WEIGHTS];
};

struct stat_rows {
	PQ_VEC(struct stat_row);
	int width;
};

/* The row of these PMUs, which may be new. Takes ownership of `pmus`. */
static struct stat_row *find(struct stat_rows *rows, char *pmus)
{
	for (size_t i = rows->n; i-- > 0;)
		if (strcmp(rows->v[i].pmus, pmus) == 0) {
			free(pmus);
			return &rows->v[i];
		}
	push_or_die(rows, (struct stat_row){ .pmus = pmus });
	if ((int)strlen(pmus) > rows->width)
		rows->width = (int)strlen(pmus);
	return &rows->v[rows->n - 1];
}

static void count(const struct shown_diff *shown, struct stat_rows *rows)
{
	const struct pmuq_change *change;

	for (size_t i = 0; (change = pmuq_diff_get(shown->diff, i)); i++) {
		struct stat_row *row;

		if (!diff_shows(shown, change->weight))
			break;
		row = find(rows, or_die(pq_ranges_of_names(change->pmus, change->n_pmus)));
		row->counts[change->weight]++;
	}
}

/* Weights that are not shown are not counted. */
static void print_row(const struct stat_rows *rows, const struct stat_row *row,
		      const struct shown_diff *shown, FILE *to)
{
	const char *name = *row->pmus ? row->pmus : "host";

	putc(' ', to);
	print_safe(to, name);
	fprintf(to, "%*s |", rows->width - (int)strlen(name), "");
	for (int weight = 0; weight <= (int)shown->least; weight++)
		if (row->counts[weight])
			fprintf(to, " %zu %s", row->counts[weight],
				pmuq_weight_name((enum pmuq_weight)weight));
	putc('\n', to);
}

void diff_print_stat(const struct shown_diff *shown, FILE *to)
{
	struct stat_rows rows = { .width = (int)strlen("host") };

	count(shown, &rows);
	for (size_t i = 0; i < rows.n; i++) {
		print_row(&rows, &rows.v[i], shown, to);
		free(rows.v[i].pmus);
	}
	pq_vec_free(&rows);
	diff_print_summary(shown, to);
}
