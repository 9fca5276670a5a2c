/* SPDX-License-Identifier: MIT */
/*
 * libsmartcols lays out a long table of plain text in parts, so that what it keeps of a line stays
 * in the cache; the second half of a very long one in another thread.
 */
#include "cli/output/smartcols.h"
#include "cli/or_die.h"
#include "cli/output/text_stream.h"
#include "cli/report.h"
#include "cli/terminal.h"
#include "core/library.h"
#include "core/thread.h"
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
	X(scols_column_set_wrapfunc)                                                               \
	X(scols_cell_set_color)                                                                    \
	X(scols_table_new_column)                                                                  \
	X(scols_table_new_line)                                                                    \
	X(scols_table_remove_line)                                                                 \
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

/* Rows that are printed by a table of libsmartcols of their own. */
struct row_range {
	const struct smartcols *library;
	const struct text_table *table;
	const size_t *widths; /* of the columns, the same in all ranges; NULL: not plain */
	size_t first, end;    /* rows */
	bool has_headings;
	FILE *to;

	struct libscols_table *scols;
	bool is_printed;
};

/* ------------------------------------------------------------------------------------- columns */

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

/* Headings and colours are those of stdout, even if the table is first printed elsewhere. */
static void add_column(struct row_range *range, size_t index)
{
	const struct smartcols *library = range->library;
	const struct field *field = range->table->columns[index];
	auto_free char *title = column_title(field->name);
	int flags = column_is_right(field) ? SCOLS_FL_RIGHT : 0;
	double hint = field->width;
	struct libscols_column *column;

	if (range->widths)
		set_widest(field, range->widths[index], &hint, &flags);
	column = or_die(library->scols_table_new_column(range->scols, title, hint, flags));
	if (range->widths)
		done_or_die(library->scols_column_set_wrapfunc(column, plain_width, no_more_lines,
							       NULL) == 0);
	if (terminal_has_color(stdout))
		library->scols_cell_set_color(library->scols_column_get_header(column),
					      style_code(stdout, STYLE_NAME));
}

static void set_up(struct row_range *range)
{
	const struct smartcols *library = range->library;

	range->scols = or_die(library->scols_new_table());
	library->scols_table_enable_noheadings(range->scols, !range->has_headings);
	library->scols_table_enable_colors(range->scols, terminal_has_color(stdout));
	library->scols_table_set_termforce(range->scols, SCOLS_TERMFORCE_NEVER);
	library->scols_table_enable_noencoding(range->scols, range->widths != NULL);
	for (size_t i = 0; i < range->table->n_columns; i++)
		add_column(range, i);
}

/* ---------------------------------------------------------------------------------------- rows */

/* Parts of this many rows stay in the cache; all lines of a long table take ten times the memory of
 * its texts. */
#define PART_ROWS 256

/* The lines of a part, with the texts of the rows from `first` on. */
static void fill(const struct row_range *range, size_t first, struct libscols_line **lines,
		 size_t n_lines)
{
	size_t n = range->table->n_columns;

	for (size_t line = 0; line < n_lines; line++)
		for (size_t i = 0; i < n; i++)
			done_or_die(range->library->scols_line_set_data(
					    lines[line], i,
					    range->table->texts[(first + line) * n + i]) >= 0);
}

static void print_parts(struct row_range *range, size_t part_rows)
{
	const struct smartcols *library = range->library;
	auto_free struct libscols_line **lines =
		or_die(calloc(part_rows, sizeof(struct libscols_line *)));
	size_t n_lines = 0;

	range->is_printed = library->scols_table_set_stream(range->scols, range->to) >= 0;
	for (size_t first = range->first; first < range->end && range->is_printed;
	     first += part_rows) {
		size_t n = range->end - first < part_rows ? range->end - first : part_rows;

		while (n_lines < n)
			lines[n_lines++] =
				or_die(library->scols_table_new_line(range->scols, NULL));
		while (n_lines > n)
			library->scols_table_remove_line(range->scols, lines[--n_lines]);
		fill(range, first, lines, n);
		range->is_printed = library->scols_print_table(range->scols) >= 0;
		library->scols_table_enable_noheadings(range->scols, true);
	}
}

static void print_range(struct row_range *range)
{
	size_t n_rows = range->end - range->first;

	set_up(range);
	errno = 0;
	print_parts(range, range->widths && n_rows > PART_ROWS ? PART_ROWS : n_rows);
	/* libsmartcols does not return every failure. */
	done_or_die(errno != ENOMEM);
	range->library->scols_unref_table(range->scols);
}

/* --------------------------------------------------------------------------------------- tables */

/* In fewer rows a thread would save less than a millisecond. */
#define HALVES_ROWS 4096

static void *run(void *range)
{
	print_range(range);
	return NULL;
}

/* A second thread prints the second half into memory at the same time. */
static void print_halves(struct row_range *whole)
{
	struct row_range half = *whole;
	struct text_stream stream;
	auto_free char *text = NULL;
	pthread_t thread;

	half.first = whole->first + (whole->end - whole->first) / 2;
	half.has_headings = false;
	text_stream_open(&stream);
	half.to = stream.to;
	if (!pq_thread_start(&thread, run, &half)) {
		free(text_stream_close(&stream));
		print_range(whole);
		return;
	}
	whole->end = half.first;
	print_range(whole);
	pthread_join(thread, NULL);
	text = text_stream_close(&stream);
	whole->is_printed &= half.is_printed;
	if (whole->is_printed)
		fputs(text, whole->to);
}

static void print_plain(struct row_range *range)
{
	size_t widths[COLUMNS_MAX];

	for (size_t i = 0; i < range->table->n_columns; i++)
		widths[i] = text_table_widest(range->table, i);
	range->widths = widths;
	if (range->table->n_rows < HALVES_ROWS)
		print_range(range);
	else
		print_halves(range);
}

static void print_beyond(struct row_range *range)
{
	/* For this call only. */
	locale_t characters = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	locale_t before = uselocale(characters);

	print_range(range);
	uselocale(before);
	if (characters)
		freelocale(characters);
}

bool smartcols_print(const struct smartcols *library, const struct text_table *table, FILE *to)
{
	static void (*const prints[])(struct row_range *) = {
		[PLAIN] = print_plain,
		[ASCII] = print_range,
		[BEYOND] = print_beyond,
	};
	struct row_range range = {
		.library = library,
		.table = table,
		.end = table->n_rows,
		.has_headings = table->has_headings,
		.to = to,
	};

	prints[bytes_of_table(table)](&range);
	if (!range.is_printed)
		report_failed("the table could not be printed");
	return range.is_printed;
}
