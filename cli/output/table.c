/* SPDX-License-Identifier: MIT */
#include "cli/output/table.h"
#include "cli/cli_library.h"
#include "cli/output/utf8.h"
#include "cli/report.h"
#include "cli/terminal.h"
#include <libsmartcols/libsmartcols.h>
#include <locale.h>
#include <string.h>

#define LIBRARY "libsmartcols.so.1"
#define LIBRARY_PACKAGE "libsmartcols1"
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

struct library {
	FUNCTIONS(LIBRARY_POINTER)
};

struct table {
	struct library library;
	struct libscols_table *scols;
	const struct column *columns[COLUMNS_MAX];
	size_t n_columns, n_rows;
	const char *name;
	enum table_style style;
	bool is_folded, has_wide; /* a byte beyond ASCII stands in it */
};

/* The name of what is missing, or NULL. The library stays loaded. */
static const char *load(struct library *ret)
{
	return LIBRARY_LOAD(FUNCTIONS, LIBRARY, ret);
}

const char *table_library_info(void)
{
	static char text[64];
	struct library library;
	const char *version = NULL, *missing = load(&library);

	if (!missing)
		library.scols_get_library_version(&version);
	snprintf(text, sizeof(text), "libsmartcols: %s", missing ? "not found" : version);
	return text;
}

struct table *table_new(const char *name, enum table_style style, bool has_headings)
{
	struct table *table = calloc(1, sizeof(*table));
	const char *missing = table ? load(&table->library) : NULL;
	const struct library *library;

	if (!table || missing) {
		if (missing)
			report_failed("tables need %s of the package %s: %s not found", LIBRARY,
				      LIBRARY_PACKAGE, missing);
		else
			report_failed("out of memory");
		free(table);
		return NULL;
	}
	library = &table->library;
	table->name = name;
	table->style = style;
	table->scols = library->scols_new_table();
	if (!table->scols || library->scols_table_set_name(table->scols, name) < 0 ||
	    library->scols_table_enable_json(table->scols, style == TABLE_JSON) < 0 ||
	    library->scols_table_enable_raw(table->scols, style == TABLE_RAW) < 0 ||
	    library->scols_table_enable_noheadings(table->scols, !has_headings) < 0 ||
	    library->scols_table_enable_colors(table->scols, terminal_has_color(stdout)) < 0) {
		report_failed("out of memory");
		table_free(table);
		return NULL;
	}
	return table;
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
	const struct library *library = &table->library;

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
	const struct library *library = &table->library;
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

static char *cell_text(const struct table *table, const struct column *column, const void *row)
{
	auto_free char *text = column->text(row);

	if (table->style != TABLE_JSON)
		return move(text);
	if (!text)
		return column->flags & (COLUMN_NUMBER | COLUMN_NULLABLE) ? NULL : strdup("");
	/* The library passes bytes on to JSON as they are. */
	return utf8_copy(text);
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
	const struct library *library = &table->library;
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
	const struct library *library = &table->library;
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
