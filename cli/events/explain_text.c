/* SPDX-License-Identifier: MIT */
/*
 * `pmuq explain` as text: the event's file, the config words as registers (explain_draw.c), and a
 * table of the assignments: which bits, which term, which value, and its origin. The table does not
 * use libsmartcols (rows.h), because explain must work without that library.
 */
#include "cli/events/explain_output.h"
#include "cli/events/layout.h"
#include "cli/or_die.h"
#include "cli/output/label.h"
#include <inttypes.h>
#include <string.h>

enum {
	COLUMN_FIELD,
	COLUMN_BITS,
	COLUMN_TERM,
	COLUMN_VALUE,
	COLUMN_FROM,
	COLUMNS,
};

static const char *const headings[COLUMNS] = { "FIELD", "BITS", "TERM", "VALUE", "FROM" };

/* The encoding, and its assignments in the order in which they are printed. */
struct explained {
	const struct fold *fold;
	const struct pmuq_encoding *encoding; /* the first of the fold */
	const struct pmuq_assignment **assignments;
	size_t n;
	struct pq_buf cell; /* the current one */
};

/* Takes ownership of an allocated text. */
static void print_taken(struct pq_buf *to, char *text)
{
	pq_buf_add(to, str_of(text));
	free(text);
}

/* A path of the first PMU, with the names of all instances instead of its name. */
static void print_origin(struct pq_buf *to, const struct fold *fold, const char *origin)
{
	const char *pmu = fold_get(fold, 0)->pmu.p;
	const char *at = pmu && fold->n > 1 ? strstr(origin, pmu) : NULL;

	if (at) {
		pq_buf_add(to, (struct pmuq_str){ .p = origin, .n = (size_t)(at - origin) });
		print_taken(to, fold_pmus(fold));
		origin = at + strlen(pmu);
	}
	pq_buf_add(to, str_of(origin));
}

/* --------------------------------------------------------------------------------------- a cell */

/* Instances that are printed as one differ in the type only. */
static bool is_type_of_many(const struct fold *fold, const struct pmuq_assignment *a)
{
	return fold->n > 1 && a->cause == PMUQ_CAUSE_PMU && str_eq(a->field, STR("type"));
}

static bool is_decimal(struct pmuq_str name)
{
	const struct pmuq_field *field;

	for (unsigned i = 0; (field = pmuq_attr_field(i)); i++)
		if (str_eq(field->name, name))
			return field->format == PMUQ_FIELD_NUMBER;
	return false;
}

static void print_from(struct pq_buf *to, const struct fold *fold, const struct pmuq_assignment *a)
{
	switch (a->cause) {
	case PMUQ_CAUSE_TEXT:
		pq_buf_print(to, "your text, at %zu", a->offset);
		if (a->event.n)
			pq_buf_print(to, ", for event %s", a->event.p);
		break;
	case PMUQ_CAUSE_EVENT:
		pq_buf_print(to, "event %s, at %zu", a->event.p, a->offset);
		break;
	case PMUQ_CAUSE_PMU:
		print_origin(to, fold, a->origin.p);
		break;
	case PMUQ_CAUSE_DEFAULT:
		pq_buf_add(to, STR("default"));
		break;
	case PMUQ_CAUSE_PRESET:
		pq_buf_add(to, STR("--preset"));
		break;
	}
	if (a->is_overridden)
		pq_buf_add(to, STR(" (overridden)"));
}

/* The text of a cell; it lives until the next call. */
static const char *cell_of(struct explained *explained, const struct pmuq_assignment *a, int column)
{
	const struct fold *fold = explained->fold;
	struct pq_buf *to = &explained->cell;

	to->n = 0;
	if (column == COLUMN_FIELD)
		pq_buf_add(to, a->field);
	else if (column == COLUMN_FROM)
		print_from(to, fold, a);
	else if (column == COLUMN_BITS && str_starts(a->field, STR("config")))
		layout_print_bits(to, a->mask); /* any other field is a single value */
	else if (column == COLUMN_TERM && is_type_of_many(fold, a))
		print_taken(to, fold_pmus(fold));
	else if (column == COLUMN_TERM)
		pq_buf_add(to, a->term);
	else if (column == COLUMN_VALUE && is_type_of_many(fold, a))
		print_taken(to, fold_types(fold));
	else if (column == COLUMN_VALUE)
		pq_buf_print(to, is_decimal(a->field) ? "%" PRIu64 : "0x%" PRIx64, a->number);
	return text_or_die(to);
}

/* ------------------------------------------------------------------------------------ the table */

/* In the order of the attr, and within a field in the order of the assignments. */
static void sort(struct explained *explained)
{
	const struct pmuq_assignment *a;
	const struct pmuq_field *field;

	for (unsigned i = 0; (field = pmuq_attr_field(i)); i++)
		for (size_t j = 0; (a = pmuq_encoding_assignment(explained->encoding, j)); j++)
			if (str_eq(a->field, field->name))
				explained->assignments[explained->n++] = a;
}

static size_t width_of(struct explained *explained, int column)
{
	size_t width = strlen(headings[column]);

	for (size_t i = 0; i < explained->n; i++) {
		size_t n = strlen(cell_of(explained, explained->assignments[i], column));

		width = n > width ? n : width;
	}
	return width;
}

/* `a` NULL: the headings. */
static void print_row(struct explained *explained, const struct pmuq_assignment *a,
		      const size_t *widths)
{
	bool is_quiet = !a || a->is_overridden;

	printf("%s ", is_quiet ? style_code(stdout, STYLE_QUIET) : "");
	for (int column = 0; column < COLUMNS; column++) {
		const char *text = a ? cell_of(explained, a, column) : headings[column];

		putchar(' ');
		print_safe(stdout, text);
		if (column < COLUMN_FROM)
			printf("%*s", (int)(widths[column] - strlen(text) + 1), "");
	}
	printf("%s\n", is_quiet ? style_code(stdout, STYLE_NONE) : "");
}

static void print_table(struct explained *explained)
{
	size_t widths[COLUMNS];

	sort(explained);
	for (int column = 0; column < COLUMNS; column++)
		widths[column] = width_of(explained, column);
	print_row(explained, NULL, widths);
	for (size_t i = 0; i < explained->n; i++)
		print_row(explained, explained->assignments[i], widths);
}

/* ------------------------------------------------------------------------------------- the rest */

/* An encoding has the terms of at most one event's file. */
static void print_event(struct explained *explained)
{
	const struct pmuq_assignment *a;
	size_t i = 0;

	while ((a = pmuq_encoding_assignment(explained->encoding, i)) &&
	       a->cause != PMUQ_CAUSE_EVENT)
		i++;
	if (!a)
		return;
	explained->cell.n = 0;
	print_origin(&explained->cell, explained->fold, a->origin.p);
	label_print("event", "%s of %s", a->event.p, text_or_die(&explained->cell));
	label_text("terms", a->input.p);
}

static void print_explained(const struct result *result, const struct fold *fold)
{
	struct explained explained = { .fold = fold, .encoding = fold_get(fold, 0) };

	explained.assignments = or_die(
		calloc(explained.encoding->n_assignments + 1, sizeof(*explained.assignments)));
	print_event(&explained);
	explain_draw(result->source, explained.encoding);
	print_table(&explained);
	done_or_die(!explained.cell.failed);
	free(explained.assignments);
	pq_buf_free(&explained.cell);
}

const struct result_type explain_type = {
	.document = &explain_document,
	.print_more = print_explained,
};
