/* SPDX-License-Identifier: MIT */
/*
 * Rows of texts are gathered first, because which columns fit is known only at the end. Then
 * libsmartcols lays them out, a part of a long table at a time. If they do not fit, narrow.c prints
 * them: libsmartcols would cut words.
 */
#include "cli/output/table.h"
#include "cli/or_die.h"
#include "cli/output/narrow.h"
#include "cli/report.h"
#include "cli/terminal.h"
#include "core/library.h"
#include "core/vec.h"
#include <errno.h>
#include <libsmartcols/libsmartcols.h>
#include <locale.h>
#include <string.h>

#define FUNCTIONS(X)                                                                               \
	X(scols_new_table)                                                                         \
	X(scols_unref_table)                                                                       \
	X(scols_table_set_stream)                                                                  \
	X(scols_table_enable_noencoding)                                                           \
	X(scols_table_enable_noheadings)                                                           \
	X(scols_table_enable_colors)                                                               \
	X(scols_table_set_termforce)                                                               \
	X(scols_column_get_header)                                                                 \
	X(scols_column_set_wrapfunc)                                                               \
	X(scols_cell_set_color)                                                                    \
	X(scols_table_new_column)                                                                  \
	X(scols_table_new_line)                                                                    \
	X(scols_table_remove_line)                                                                 \
	X(scols_line_set_data)                                                                     \
	X(scols_print_table)                                                                       \
	X(scols_get_library_version)

struct scols {
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

struct table {
	struct scols library;
	struct libscols_table *scols;
	bool has_headings;
	struct pq_arena memory;
	PQ_VEC(const char *) texts;  /* row after row; NULL: no value */
	struct pq_buf scratch, text; /* of the cell that is being printed */
};

int table_library_version(const char **ret)
{
	struct scols library;
	int r = pq_library_load(&smartcols, &library, sizeof(library), NULL);

	if (r == 0)
		library.scols_get_library_version(ret);
	return r;
}

/* Headings and colours are those of stdout, even if the table is first printed elsewhere. */
static void set_up(struct table *table)
{
	const struct scols *library = &table->library;

	table->scols = or_die(library->scols_new_table());
	library->scols_table_enable_noheadings(table->scols, !table->has_headings);
	library->scols_table_enable_colors(table->scols, terminal_has_color(stdout));
}

struct table *table_new(bool has_headings)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct table *table = or_die(calloc(1, sizeof(*table)));

	table->has_headings = has_headings;
	table->memory = PQ_ARENA(SIZE_MAX);
	if (pq_library_load(&smartcols, &table->library, sizeof(table->library), &error) < 0) {
		report_error(error, NULL);
		free(table);
		return NULL;
	}
	set_up(table);
	return table;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	if (table->scols)
		table->library.scols_unref_table(table->scols);
	pq_vec_free(&table->texts);
	pq_arena_clear(&table->memory);
	pq_buf_free(&table->scratch);
	pq_buf_free(&table->text);
	free(table);
}

/* NULL: an empty cell. */
static const char *cell_text(struct table *table, const struct field *field, const void *record)
{
	struct pq_buf *text = &table->text;
	struct pmuq_str kept;

	text->n = 0;
	field_print(field, record, false, &table->scratch, text);
	done_or_die(!text->failed && !table->scratch.failed);
	if (!text->n)
		return NULL;
	kept = pq_arena_str(&table->memory, pq_buf_str(text));
	done_or_die(kept.p != NULL);
	return kept.p;
}

void table_add_row(struct table *table, const struct columns *columns, const void *record)
{
	for (size_t i = 0; i < columns->n; i++)
		push_or_die(&table->texts, cell_text(table, columns->v[i], record));
}

/* ----------------------------------------------------------------------------------- which fit */

/* The bytes of its longest text. */
static size_t widest(const struct table *table, const struct columns *columns, size_t column)
{
	size_t width = 0;

	for (size_t i = column; i < table->texts.n; i += columns->n) {
		size_t n = table->texts.v[i] ? strlen(table->texts.v[i]) : 0;

		width = n > width ? n : width;
	}
	return width;
}

/* libsmartcols uses a width hint in columns as the least width. A column for wide terminals takes
 * the width that the others leave. */
static size_t column_width(const struct table *table, const struct columns *columns, size_t column)
{
	const struct field *field = columns->v[column];
	size_t width = field->name.n, n;

	if (field->width > (double)width)
		width = (size_t)field->width;
	if (field->flags & FIELD_WIDE)
		return width;
	n = widest(table, columns, column);
	return n > width ? n : width;
}

/* Drops spare columns from the right, in is_dropped[]. Returns whether the others fit. */
static bool drop_spare(const struct table *table, const struct columns *columns, unsigned width,
		       bool *is_dropped)
{
	size_t widths[COLUMNS_MAX], total = columns->n;
	bool has_rest = false; /* a column that takes what the others leave */

	for (size_t i = 0; i < columns->n; i++) {
		total += widths[i] = column_width(table, columns, i);
		has_rest |= columns->v[i]->flags & FIELD_WIDE;
	}
	for (size_t i = columns->n_default; i-- > 0 && total - 1 > width;) {
		is_dropped[i] = columns->v[i]->flags & FIELD_SPARE;
		if (is_dropped[i])
			total -= widths[i] + 1;
	}
	return !has_rest && total - 1 <= width;
}

/* ------------------------------------------------------------------------------------ printing */

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

static enum bytes bytes_of_table(const struct table *table)
{
	enum bytes found = PLAIN;

	for (size_t i = 0; found != BEYOND && i < table->texts.n; i++) {
		enum bytes of = bytes_of(table->texts.v[i]);

		found = of > found ? of : found;
	}
	return found;
}

/* libsmartcols finds the width of each character in the locale, unless a column wraps lines itself.
 * Plain text has one line, and as many characters as bytes. */
static size_t plain_width(const struct libscols_column *column, const char *text, void *data)
{
	(void)column;
	(void)data;
	return strlen(text);
}

static char *no_more_lines(const struct libscols_column *column, char *text, void *data)
{
	(void)column;
	(void)text;
	(void)data;
	return NULL;
}

/* A column of a table that is printed in parts has one width in all of them. libsmartcols takes the
 * heading for narrow cells, even if the hint is wider: not with SCOLS_FL_STRICTWIDTH. */
static void set_widest(const struct field *field, size_t width, double *hint, int *flags)
{
	if (*hint > (double)width)
		width = (size_t)*hint;
	*hint = (double)width;
	*flags |= SCOLS_FL_WRAP | (width > field->name.n ? SCOLS_FL_STRICTWIDTH : 0);
}

static void add_column(struct table *table, const struct columns *columns, size_t index,
		       enum bytes bytes)
{
	const struct scols *library = &table->library;
	const struct field *field = columns->v[index];
	auto_free char *title = column_title(field->name);
	int flags = column_is_right(field) ? SCOLS_FL_RIGHT : 0;
	double hint = field->width;
	struct libscols_column *column;

	if (bytes == PLAIN)
		set_widest(field, widest(table, columns, index), &hint, &flags);
	column = or_die(library->scols_table_new_column(table->scols, title, hint, flags));
	if (bytes == PLAIN)
		done_or_die(library->scols_column_set_wrapfunc(column, plain_width, no_more_lines,
							       NULL) == 0);
	if (terminal_has_color(stdout))
		library->scols_cell_set_color(library->scols_column_get_header(column),
					      style_code(stdout, STYLE_NAME));
}

/* Plain text. Parts of this many rows stay in the cache; all lines of a long table take ten times
 * the memory of its texts. */
#define PART_ROWS 256

/* The lines of a part, with the texts of the rows from `first` on. */
static void fill(struct table *table, const struct columns *columns, const bool *is_dropped,
		 size_t first, struct libscols_line **lines, size_t n_lines)
{
	const struct scols *library = &table->library;

	for (size_t line = 0; line < n_lines; line++) {
		const char **texts = &table->texts.v[(first + line) * columns->n];
		size_t at = 0;

		for (size_t i = 0; i < columns->n; i++)
			if (!is_dropped[i])
				done_or_die(library->scols_line_set_data(lines[line], at++,
									 texts[i]) >= 0);
	}
}

static bool print_parts(struct table *table, const struct columns *columns, const bool *is_dropped,
			size_t part_rows)
{
	const struct scols *library = &table->library;
	size_t n_rows = table->texts.n / columns->n, n_lines = 0;
	auto_free struct libscols_line **lines =
		or_die(calloc(part_rows, sizeof(struct libscols_line *)));
	bool is_printed = true;

	for (size_t first = 0; first < n_rows && is_printed; first += part_rows) {
		size_t n = n_rows - first < part_rows ? n_rows - first : part_rows;

		while (n_lines < n)
			lines[n_lines++] =
				or_die(library->scols_table_new_line(table->scols, NULL));
		while (n_lines > n)
			library->scols_table_remove_line(table->scols, lines[--n_lines]);
		fill(table, columns, is_dropped, first, lines, n);
		is_printed = library->scols_print_table(table->scols) >= 0;
		library->scols_table_enable_noheadings(table->scols, true);
	}
	return is_printed;
}

static bool print_lines(struct table *table, const struct columns *columns, const bool *is_dropped,
			enum bytes bytes, FILE *to)
{
	const struct scols *library = &table->library;
	size_t n_rows = table->texts.n / columns->n;
	locale_t characters = (locale_t)0, before;
	bool is_printed;

	for (size_t i = 0; i < columns->n; i++)
		if (!is_dropped[i])
			add_column(table, columns, i, bytes);
	library->scols_table_set_termforce(table->scols, SCOLS_TERMFORCE_NEVER);
	library->scols_table_enable_noencoding(table->scols, bytes == PLAIN);
	/* For this call only. */
	if (bytes == BEYOND)
		characters = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	before = uselocale(characters);
	is_printed = library->scols_table_set_stream(table->scols, to) >= 0 &&
		     print_parts(table, columns, is_dropped,
				 bytes == PLAIN && n_rows > PART_ROWS ? PART_ROWS : n_rows);
	uselocale(before);
	if (characters)
		freelocale(characters);
	return is_printed;
}

static void print_narrow(struct table *table, const struct columns *columns, unsigned width,
			 const bool *is_dropped, FILE *to)
{
	auto_free const char **texts = or_die(calloc(table->texts.n, sizeof(*texts)));
	struct narrow_table narrow = {
		.texts = texts,
		.n_rows = table->texts.n / columns->n,
		.width = width,
		.has_headings = table->has_headings,
	};
	size_t n = 0;

	for (size_t i = 0; i < columns->n; i++)
		if (!is_dropped[i])
			narrow.columns[narrow.n_columns++] = columns->v[i];
	for (size_t i = 0; i < table->texts.n; i++)
		if (!is_dropped[i % columns->n])
			texts[n++] = table->texts.v[i];
	narrow_print(&narrow, to);
}

bool table_print(struct table *table, const struct columns *columns, unsigned width, FILE *to)
{
	bool is_dropped[COLUMNS_MAX] = { false }, is_printed;
	enum bytes bytes = bytes_of_table(table);

	if (!table->texts.n)
		return true;
	if (width && !drop_spare(table, columns, width, is_dropped)) {
		print_narrow(table, columns, width, is_dropped, to);
		return true;
	}
	errno = 0;
	is_printed = print_lines(table, columns, is_dropped, bytes, to);
	/* libsmartcols does not return every failure. */
	done_or_die(errno != ENOMEM);
	if (!is_printed)
		report_failed("the table could not be printed");
	return is_printed;
}
