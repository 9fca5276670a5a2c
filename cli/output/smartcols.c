/* SPDX-License-Identifier: MIT */
/*
 * Hands a table over to libsmartcols, with no more of its work than the texts need: it need not
 * replace bytes of plain texts, and has the user's locale only for texts beyond ASCII.
 */
#include "cli/output/smartcols.h"
#include "cli/or_die.h"
#include "cli/output/long_table.h"
#include "cli/report.h"
#include "cli/terminal.h"
#include "core/library.h"
#include <errno.h>
#include <libsmartcols/libsmartcols.h>
#include <locale.h>

#define FUNCTIONS(X)                                                                               \
	X(scols_new_table)                                                                         \
	X(scols_unref_table)                                                                       \
	X(scols_table_set_stream)                                                                  \
	X(scols_table_enable_noencoding)                                                           \
	X(scols_table_enable_noheadings)                                                           \
	X(scols_table_enable_colors)                                                               \
	X(scols_table_set_termforce)                                                               \
	X(scols_column_get_header)                                                                 \
	X(scols_cell_set_color)                                                                    \
	X(scols_table_new_column)                                                                  \
	X(scols_table_new_line)                                                                    \
	X(scols_line_set_data)                                                                     \
	X(scols_print_table)                                                                       \
	X(scols_get_library_version)

struct smartcols {
	FUNCTIONS(PQ_LIBRARY_POINTER)
};

static const char *const names[] = { FUNCTIONS(PQ_LIBRARY_NAME) };

static const struct pq_library smartcols = {
	.file = "libsmartcols.so.1",
	.need = "tables need libsmartcols",
	.hint = "install the package libsmartcols1 (Debian's name); --json and --raw need none",
	.names = names,
	.n = COUNT(names),
};

int smartcols_version(const char **ret)
{
	struct smartcols library;
	int r = pq_library_load(&smartcols, &library, sizeof(library), NULL);

	if (r == 0)
		library.scols_get_library_version(ret);
	return r;
}

struct smartcols *smartcols_load(void)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct smartcols *library = or_die(calloc(1, sizeof(*library)));

	if (pq_library_load(&smartcols, library, sizeof(*library), &error) == 0)
		return library;
	report_error(error, NULL);
	free(library);
	return NULL;
}

/* What a text consists of, from what is quick to print to what is slow. */
enum bytes {
	PLAIN,	/* printable ASCII without a backslash: libsmartcols would print it as it is */
	ASCII,	/* libsmartcols replaces some bytes, and looks for replaced ones */
	BEYOND, /* only the locale knows the width of a character */
};

static enum bytes bytes_of(const char *text)
{
	enum bytes found = PLAIN;

	for (const char *c = text; c && *c; c++) {
		if (*c & 0x80)
			return BEYOND;
		if (*c < ' ' || *c > '~' || *c == '\\')
			found = ASCII;
	}
	return found;
}

static enum bytes bytes_of_table(const struct text_table *table)
{
	enum bytes found = PLAIN;

	for (size_t i = 0; found != BEYOND && i < table->n_rows * table->n_columns; i++) {
		enum bytes of = bytes_of(table->texts[i]);

		found = of > found ? of : found;
	}
	return found;
}

/* Headings and colours are those of stdout, even if the table is first printed elsewhere. */
static void add_columns(const struct smartcols *library, const struct text_table *table,
			struct libscols_table *scols)
{
	for (size_t i = 0; i < table->n_columns; i++) {
		const struct field *field = table->columns[i];
		auto_free char *title = column_title(field->name);
		double width = field->percent ? field->percent / 100.0 : field->width;
		int flags = column_is_right(field) ? SCOLS_FL_RIGHT : 0;
		struct libscols_column *column =
			or_die(library->scols_table_new_column(scols, title, width, flags));

		if (terminal_has_color(stdout))
			library->scols_cell_set_color(library->scols_column_get_header(column),
						      style_code(stdout, STYLE_NAME));
	}
}

static void add_rows(const struct smartcols *library, const struct text_table *table,
		     struct libscols_table *scols)
{
	const char *const *text = table->texts;

	for (size_t row = 0; row < table->n_rows; row++) {
		struct libscols_line *line = or_die(library->scols_table_new_line(scols, NULL));

		for (size_t i = 0; i < table->n_columns; i++)
			done_or_die(library->scols_line_set_data(line, i, *text++) >= 0);
	}
}

static bool print(const struct smartcols *library, const struct text_table *table, enum bytes bytes,
		  FILE *to)
{
	struct libscols_table *scols = or_die(library->scols_new_table());
	bool is_printed;

	library->scols_table_enable_noheadings(scols, !table->has_headings);
	library->scols_table_enable_colors(scols, terminal_has_color(stdout));
	library->scols_table_set_termforce(scols, SCOLS_TERMFORCE_NEVER);
	library->scols_table_enable_noencoding(scols, bytes == PLAIN);
	add_columns(library, table, scols);
	add_rows(library, table, scols);
	errno = 0;
	is_printed = library->scols_table_set_stream(scols, to) >= 0 &&
		     library->scols_print_table(scols) >= 0;
	/* libsmartcols does not return every failure. */
	done_or_die(errno != ENOMEM);
	library->scols_unref_table(scols);
	if (!is_printed)
		report_failed("the table could not be printed");
	return is_printed;
}

static bool print_beyond(const struct smartcols *library, const struct text_table *table, FILE *to)
{
	/* For this call only. */
	locale_t characters = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	locale_t before = uselocale(characters);
	bool is_printed = print(library, table, BEYOND, to);

	uselocale(before);
	if (characters)
		freelocale(characters);
	return is_printed;
}

bool smartcols_print(const struct smartcols *library, const struct text_table *table, FILE *to)
{
	enum bytes bytes = bytes_of_table(table);

	if (bytes == BEYOND)
		return print_beyond(library, table, to);
	if (bytes == ASCII || table->n_rows < LONG_TABLE_ROWS)
		return print(library, table, bytes, to);
	long_table_print(table, to);
	return true;
}
