/* SPDX-License-Identifier: MIT */
/* The assignments of an encoding, a line each: which bits, which term, what, and where from. */
#include "cli/events/explain_output.h"
#include "cli/events/layout.h"
#include "core/text/utf8.h"
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

struct explain_rows {
	char *(*cells)[COLUMNS];
	const struct pmuq_assignment **of;
	size_t n;
};

static void clear_rows(struct explain_rows *rows)
{
	for (size_t i = 0; rows->cells && i < rows->n; i++)
		for (size_t column = 0; column < COLUMNS; column++)
			free(rows->cells[i][column]);
	free(rows->cells);
	free(rows->of);
}

char *explain_origin(const struct fold *fold, const char *origin)
{
	const char *pmu = fold_get(fold, 0)->pmu.p;
	auto_free char *names = fold->n > 1 ? fold_pmus(fold) : NULL;
	const char *at = pmu ? strstr(origin, pmu) : NULL;
	char *path = NULL;

	if (!names || !at)
		return strdup(origin);
	if (asprintf(&path, "%.*s%s%s", (int)(at - origin), origin, names, at + strlen(pmu)) < 0)
		return NULL;
	return path;
}

/* Of a config word, which of its bits; the others are one thing. */
static char *bits_text(const struct pmuq_assignment *a)
{
	char *text = NULL;
	size_t n;
	FILE *to = open_memstream(&text, &n);

	if (!to)
		return NULL;
	if (strncmp(a->field.p, "config", strlen("config")) == 0)
		layout_print_bits(to, a->mask);
	fclose(to);
	return text;
}

/* Instances that are printed as one differ in the type. */
static bool is_type_of_many(const struct fold *fold, const struct pmuq_assignment *a)
{
	return fold->n > 1 && a->cause == PMUQ_CAUSE_PMU && strcmp(a->field.p, "type") == 0;
}

static char *term_text(const struct fold *fold, const struct pmuq_assignment *a)
{
	return is_type_of_many(fold, a) ? fold_pmus(fold) : strdup(a->term.p);
}

static bool is_number(const char *name)
{
	const struct pmuq_field *field;

	for (unsigned i = 0; (field = pmuq_attr_field(i)); i++)
		if (strcmp(field->name.p, name) == 0)
			return field->format == PMUQ_FIELD_NUMBER;
	return false;
}

static char *value_text(const struct fold *fold, const struct pmuq_assignment *a)
{
	bool is_decimal = is_number(a->field.p);
	char *text = NULL;

	if (is_type_of_many(fold, a))
		return fold_types(fold);
	if (asprintf(&text, is_decimal ? "%" PRIu64 : "0x%" PRIx64, a->number) < 0)
		return NULL;
	return text;
}

static void print_from(FILE *to, const struct fold *fold, const struct pmuq_assignment *a)
{
	const char *event = a->event.p;
	size_t offset = a->offset;
	auto_free char *origin = NULL;

	switch (a->cause) {
	case PMUQ_CAUSE_TEXT:
		fprintf(to, "your text, at %zu", offset);
		if (event)
			fprintf(to, ", for event %s", event);
		break;
	case PMUQ_CAUSE_EVENT:
		fprintf(to, "event %s, at %zu", event, offset);
		break;
	case PMUQ_CAUSE_PMU:
		origin = explain_origin(fold, a->origin.p);
		fputs(origin ? origin : a->origin.p, to);
		break;
	case PMUQ_CAUSE_DEFAULT:
		fputs("default", to);
		break;
	case PMUQ_CAUSE_PRESET:
		fputs("--preset", to);
		break;
	}
	if (a->is_overridden)
		fputs(" (overridden)", to);
}

static char *from_text(const struct fold *fold, const struct pmuq_assignment *a)
{
	char *text = NULL;
	size_t n;
	FILE *to = open_memstream(&text, &n);

	if (!to)
		return NULL;
	print_from(to, fold, a);
	fclose(to);
	return text;
}

static bool add_row(struct explain_rows *rows, const struct fold *fold,
		    const struct pmuq_assignment *a)
{
	char **cells = rows->cells[rows->n];

	rows->of[rows->n++] = a;
	cells[COLUMN_FIELD] = strdup(a->field.p);
	cells[COLUMN_BITS] = bits_text(a);
	cells[COLUMN_TERM] = term_text(fold, a);
	cells[COLUMN_VALUE] = value_text(fold, a);
	cells[COLUMN_FROM] = from_text(fold, a);
	for (size_t column = 0; column < COLUMNS; column++)
		if (!cells[column])
			return false;
	return true;
}

/* In the order of the attr, and within a field in that of the assignments. */
static bool fill_rows(struct explain_rows *rows, const struct fold *fold)
{
	const struct pmuq_encoding *encoding = fold_get(fold, 0);
	size_t n = encoding->n_assignments;
	const struct pmuq_field *field;

	rows->cells = calloc(n + 1, sizeof(*rows->cells));
	rows->of = calloc(n + 1, sizeof(*rows->of));
	if (!rows->cells || !rows->of)
		return false;
	for (unsigned i = 0; (field = pmuq_attr_field(i)); i++)
		for (size_t j = 0; j < n; j++) {
			const struct pmuq_assignment *a = pmuq_encoding_assignment(encoding, j);

			if (strcmp(a->field.p, field->name.p) == 0 && !add_row(rows, fold, a))
				return false;
		}
	return true;
}

static size_t width_of(const struct explain_rows *rows, size_t column)
{
	size_t width = strlen(headings[column]);

	for (size_t i = 0; i < rows->n; i++) {
		size_t n = strlen(rows->cells[i][column]);

		width = n > width ? n : width;
	}
	return width;
}

static void print_cells(FILE *to, const char *const *cells, const size_t *widths)
{
	fputs("  ", to);
	for (size_t column = 0; column < COLUMN_FROM; column++) {
		print_safe(to, cells[column]);
		fprintf(to, "%*s", (int)(widths[column] - strlen(cells[column]) + 2), "");
	}
	print_safe(to, cells[COLUMN_FROM]);
}

void explain_print_table(FILE *to, const struct fold *fold)
{
	cleanup(clear_rows) struct explain_rows rows = { 0 };
	size_t widths[COLUMNS];

	if (!fill_rows(&rows, fold)) {
		report_failed("out of memory");
		return;
	}
	for (size_t column = 0; column < COLUMNS; column++)
		widths[column] = width_of(&rows, column);
	fputs(style_code(to, STYLE_QUIET), to);
	print_cells(to, headings, widths);
	fprintf(to, "%s\n", style_code(to, STYLE_NONE));
	for (size_t i = 0; i < rows.n; i++) {
		bool is_quiet = rows.of[i]->is_overridden;

		fputs(is_quiet ? style_code(to, STYLE_QUIET) : "", to);
		print_cells(to, (const char *const *)rows.cells[i], widths);
		fprintf(to, "%s\n", is_quiet ? style_code(to, STYLE_NONE) : "");
	}
}
