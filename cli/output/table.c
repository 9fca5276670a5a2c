/* SPDX-License-Identifier: MIT */
#include "cli/output/table.h"
#include "cli/report.h"
#include "cli/terminal.h"
#include "core/library.h"
#include "core/text/utf8.h"
#include <libsmartcols/libsmartcols.h>
#include <locale.h>
#include <string.h>

#define COLUMNS_MAX 32

#define FUNCTIONS(X)                                                                               \
	X(scols_new_table)                                                                         \
	X(scols_unref_table)                                                                       \
	X(scols_table_set_name)                                                                    \
	X(scols_table_set_stream)                                                                  \
	X(scols_table_enable_json)                                                                 \
	X(scols_table_enable_raw)                                                                  \
	X(scols_table_enable_noheadings)                                                           \
	X(scols_table_enable_colors)                                                               \
	X(scols_table_set_termforce)                                                               \
	X(scols_table_set_termwidth)                                                               \
	X(scols_column_get_header)                                                                 \
	X(scols_cell_set_color)                                                                    \
	X(scols_table_new_column)                                                                  \
	X(scols_column_set_json_type)                                                              \
	X(scols_table_new_line)                                                                    \
	X(scols_line_refer_data)                                                                   \
	X(scols_print_table)                                                                       \
	X(scols_get_library_version)

struct scols {
	FUNCTIONS(PQ_LIBRARY_POINTER)
};

static const char *const names[] = { FUNCTIONS(PQ_LIBRARY_NAME) };

static const struct pq_library smartcols = {
	.file = "libsmartcols.so.1",
	.need = "tables need libsmartcols",
	.hint = "install the package libsmartcols1 (Debian's name); --json needs no library",
	.names = names,
	.n = COUNT(names),
};

struct table {
	struct scols library;
	struct libscols_table *scols;
	const struct column *columns[COLUMNS_MAX];
	size_t n_columns, n_rows;
	const char *name;
	enum table_style style;
	bool is_folded, has_wide; /* a byte beyond ASCII stands in it */
};

/* Reported if it fails. */
static int load(struct scols *ret)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;

	return pq_library_load(&smartcols, ret, sizeof(*ret), &error) < 0
		       ? report_error(error, NULL)
		       : STATUS_OK;
}

const char *table_library_version(void)
{
	struct scols library;
	const char *version;

	if (pq_library_load(&smartcols, &library, sizeof(library), NULL) < 0)
		return NULL;
	library.scols_get_library_version(&version);
	return version;
}

static bool set_up(struct table *table, const char *name, enum table_style style, bool has_headings)
{
	const struct scols *library = &table->library;

	table->name = name;
	table->style = style;
	table->scols = library->scols_new_table();
	return table->scols && library->scols_table_set_name(table->scols, name) >= 0 &&
	       library->scols_table_enable_json(table->scols, style == TABLE_JSON) >= 0 &&
	       library->scols_table_enable_raw(table->scols, style == TABLE_RAW) >= 0 &&
	       library->scols_table_enable_noheadings(table->scols, !has_headings) >= 0 &&
	       library->scols_table_enable_colors(table->scols, terminal_has_color(stdout)) >= 0;
}

struct table *table_new(const char *name, enum table_style style, bool has_headings)
{
	struct table *table = calloc(1, sizeof(*table));

	if (!table) {
		report_failed("out of memory");
		return NULL;
	}
	if (load(&table->library) != STATUS_OK) {
		free(table);
		return NULL;
	}
	if (set_up(table, name, style, has_headings))
		return table;
	report_failed("out of memory");
	table_free(table);
	return NULL;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	if (table->scols)
		table->library.scols_unref_table(table->scols);
	free(table);
}

void table_set_width(struct table *table, unsigned columns)
{
	const struct scols *library = &table->library;

	library->scols_table_set_termforce(table->scols, columns ? SCOLS_TERMFORCE_ALWAYS
								 : SCOLS_TERMFORCE_NEVER);
	if (columns)
		library->scols_table_set_termwidth(table->scols, columns);
}

void table_set_folded(struct table *table)
{
	table->is_folded = true;
}

static int scols_flags(unsigned flags)
{
	return (flags & COLUMN_RIGHT ? SCOLS_FL_RIGHT : 0) |
	       (flags & COLUMN_WRAP ? SCOLS_FL_WRAP : 0);
}

static int json_type(const struct table *table, unsigned flags)
{
	if (table->is_folded && flags & COLUMN_FOLDS)
		return SCOLS_JSON_STRING;
	if (flags & COLUMN_NUMBER)
		return SCOLS_JSON_NUMBER;
	return flags & COLUMN_BOOLEAN ? SCOLS_JSON_BOOLEAN : SCOLS_JSON_STRING;
}

bool table_add_column(struct table *table, const struct column *column)
{
	const struct scols *library = &table->library;
	struct libscols_column *scols;

	if (table->n_columns == COLUMNS_MAX) {
		report_failed("more than %d columns", COLUMNS_MAX);
		return false;
	}
	scols = library->scols_table_new_column(table->scols, column->name, column->width,
						scols_flags(column->flags));
	if (!scols ||
	    library->scols_column_set_json_type(scols, json_type(table, column->flags)) < 0) {
		report_failed("out of memory");
		return false;
	}
	if (table->style == TABLE_PLAIN && terminal_has_color(stdout))
		library->scols_cell_set_color(library->scols_column_get_header(scols),
					      style_code(stdout, STYLE_NAME));
	table->columns[table->n_columns++] = column;
	return true;
}

static char *valid_copy(const char *text)
{
	struct pq_buf copy = PQ_BUF_NULL;

	pq_utf8_repair(&copy, str_of(text));
	return pq_buf_take(&copy);
}

static char *cell_text(const struct table *table, const struct column *column, const void *row)
{
	auto_free char *text = column->text(row);

	if (table->style != TABLE_JSON)
		return move(text);
	if (!text)
		return column->flags & (COLUMN_NUMBER | COLUMN_NULLABLE) ? NULL : strdup("");
	/* The library passes bytes on to JSON as they are. */
	return valid_copy(text);
}

static bool is_wide(const char *text)
{
	for (; *text; text++)
		if (*text & 0x80)
			return true;
	return false;
}

bool table_add_row(struct table *table, const void *row)
{
	const struct scols *library = &table->library;
	struct libscols_line *line = library->scols_table_new_line(table->scols, NULL);

	for (size_t i = 0; line && i < table->n_columns; i++) {
		char *text = cell_text(table, table->columns[i], row);

		table->has_wide |= text && is_wide(text);
		if (text && library->scols_line_refer_data(line, i, text) < 0)
			line = NULL;
	}
	if (!line)
		report_failed("out of memory");
	table->n_rows++;
	return line != NULL;
}

bool table_print(struct table *table, FILE *to)
{
	const struct scols *library = &table->library;
	locale_t characters = (locale_t)0, before;
	int r;

	/* Not every version prints an empty table as JSON. */
	if (table->n_rows == 0) {
		if (table->style == TABLE_JSON)
			fprintf(to, "{\n   \"%s\": []\n}\n", table->name);
		return true;
	}
	/* For this call only: so that the library can tell how wide a character is. */
	if (table->has_wide)
		characters = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	before = uselocale(characters);
	r = library->scols_table_set_stream(table->scols, to);
	if (r >= 0)
		r = library->scols_print_table(table->scols);
	uselocale(before);
	if (characters)
		freelocale(characters);
	if (r < 0)
		report_failed("the table could not be printed");
	return r >= 0;
}
