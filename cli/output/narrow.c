/* SPDX-License-Identifier: MIT */
/*
 * A column is as wide as most of its texts. If one is wider, the rest of its row continues on the
 * next line, at the position of the next column. Texts that wrap break after commas and at blanks.
 * If that leaves too little width, long texts go on lines of their own, below the line of their
 * row: first those that wrap, then the columns at the right.
 */
#include "cli/output/narrow.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include <string.h>

#define INDENT 4u /* of lines of their own */

struct fitting {
	const struct text_table *table;
	size_t widths[COLUMNS_MAX];   /* of columns in the line */
	size_t widest[COLUMNS_MAX];   /* of the texts of a column and its heading */
	size_t least[COLUMNS_MAX];    /* a column in the line is not narrower */
	size_t *lengths[COLUMNS_MAX]; /* how many texts have each length, up to the widest */
	bool is_below[COLUMNS_MAX];
	size_t line; /* the end of what the current line contains */
	FILE *to;
};

static bool wraps(const struct fitting *l, size_t column)
{
	return l->table->columns[column]->flags & FIELD_WRAP;
}

static const char *text_at(const struct fitting *l, size_t row, size_t column)
{
	return l->table->texts[row * l->table->n_columns + column];
}

/* ------------------------------------------------------------------------------------- breaking */

/* The next word, with the comma at its end. */
static size_t word_length(const char *text)
{
	size_t n = strcspn(text, ", ");

	return text[n] == ',' ? n + 1 : n;
}

/* The bytes of the text for one line: as many words as fit, or one longer word. The blanks after
 * them are not printed: the next line begins at text + *ret_next. */
static size_t line_length(const char *text, size_t width, size_t *ret_next)
{
	size_t n = 0, at = 0;

	do {
		size_t word = word_length(text + at);

		if (n && at + word > width)
			break;
		n = at + word;
		at = n + strspn(text + n, " ");
	} while (text[at]);
	*ret_next = at;
	return n;
}

static size_t longest_word(const char *text)
{
	size_t longest = 0, next;

	for (; text && *text; text += next) {
		size_t n = line_length(text, 1, &next);

		longest = n > longest ? n : longest;
	}
	return longest;
}

/* ----------------------------------------------------------------------------- which widths fit */

/* Of a text that wraps: its wish, a part of the width or a number of columns, if its texts are so
 * wide; and its longest word. */
static size_t least_width(const struct fitting *l, size_t column)
{
	const struct field *field = l->table->columns[column];
	size_t part = field->percent * l->table->width / 100;
	size_t least = field->name.n, wished = field->percent ? part : field->width;

	if (!wraps(l, column))
		return least;
	for (size_t row = 0; row < l->table->n_rows; row++) {
		size_t n = longest_word(text_at(l, row, column));

		least = n > least ? n : least;
	}
	wished = wished < l->widest[column] ? wished : l->widest[column];
	return wished > least ? wished : least;
}

static void measure(struct fitting *l, size_t column)
{
	size_t widest = l->table->columns[column]->name.n;

	for (size_t row = 0; row < l->table->n_rows; row++) {
		const char *text = text_at(l, row, column);
		size_t n = text ? strlen(text) : 0;

		widest = n > widest ? n : widest;
	}
	l->lengths[column] = or_die(calloc(widest + 1, sizeof(*l->lengths[column])));
	for (size_t row = 0; row < l->table->n_rows; row++) {
		const char *text = text_at(l, row, column);

		l->lengths[column][text ? strlen(text) : 0]++;
	}
	l->widest[column] = widest;
	l->least[column] = least_width(l, column);
}

/* The width of a line, with a blank between columns. */
static size_t total(const struct fitting *l)
{
	size_t sum = 0;

	for (size_t i = 0; i < l->table->n_columns; i++)
		if (!l->is_below[i])
			sum += l->widths[i] + 1;
	return sum - 1;
}

/* The next smaller width that makes a difference. */
static size_t smaller(const struct fitting *l, size_t column)
{
	size_t width = l->widths[column] - 1;

	while (width > l->least[column] && l->lengths[column][width] == 0)
		width--;
	return width;
}

/* The number of texts that are wider than their column. */
static size_t count_wider(const struct fitting *l, size_t column, size_t width)
{
	size_t n = 0;

	for (size_t i = width + 1; i <= l->widest[column]; i++)
		n += l->lengths[column][i];
	return n;
}

/* Makes the column narrower that gains most for each text that then is too wide; false if no column
 * can be. A column that does not wrap stays as wide as at least three of four texts, as long as
 * others do wrap. */
static bool shrink(struct fitting *l, bool is_limited)
{
	size_t best = SIZE_MAX, best_cost = 0, best_gain = 1;

	for (size_t i = 0; i < l->table->n_columns; i++) {
		size_t width, cost, gain;

		if (l->is_below[i] || l->widths[i] <= l->least[i])
			continue;
		width = smaller(l, i);
		cost = l->lengths[i][l->widths[i]];
		gain = l->widths[i] - width;
		if (is_limited && !wraps(l, i) && count_wider(l, i, width) > l->table->n_rows / 4)
			continue;
		if (best == SIZE_MAX || cost * best_gain < best_cost * gain) {
			best = i;
			best_cost = cost;
			best_gain = gain;
		}
	}
	if (best == SIZE_MAX)
		return false;
	l->widths[best] -= best_gain;
	return true;
}

/* What was saved beyond need goes back, from the left. */
static void widen(struct fitting *l)
{
	size_t left = l->table->width - total(l);

	for (size_t i = 0; i < l->table->n_columns; i++) {
		size_t more = l->widest[i] - l->widths[i];

		if (l->is_below[i])
			continue;
		more = more < left ? more : left;
		l->widths[i] += more;
		left -= more;
	}
}

/* Of the columns in the line that wrap the widest; else the last one. The first column stays: 0. */
static size_t next_below(const struct fitting *l)
{
	size_t found = 0;

	for (size_t i = 1; i < l->table->n_columns; i++) {
		if (l->is_below[i] || (found && wraps(l, found) &&
				       (!wraps(l, i) || l->widest[i] <= l->widest[found])))
			continue;
		found = i;
	}
	return found;
}

static void fit(struct fitting *l)
{
	for (;;) {
		size_t below = next_below(l);
		bool is_limited = below && wraps(l, below);

		memcpy(l->widths, l->widest, sizeof(l->widths));
		while (total(l) > l->table->width && shrink(l, is_limited))
			;
		if (total(l) <= l->table->width) {
			widen(l);
			return;
		}
		if (!below)
			return;
		l->is_below[below] = true;
	}
}

/* ------------------------------------------------------------------------------------- printing */

static void end_line(struct fitting *l)
{
	if (l->line)
		putc('\n', l->to);
	l->line = 0;
}

/* Prints at a position of this line or, if that is taken, of the next one. */
static void print_at(struct fitting *l, size_t at, const char *text, size_t n)
{
	auto_free char *part = or_die(strndup(text, n));

	if (l->line && at <= l->line)
		end_line(l);
	fprintf(l->to, "%*s", (int)(at - l->line), "");
	print_safe(l->to, part);
	l->line = at + n;
}

/* A text that is wider than its column needs not end at the right margin of the column, but must at
 * that of the table. */
static size_t start_of(const struct fitting *l, size_t column, size_t at, size_t n)
{
	if (n <= l->widths[column])
		return column_is_right(l->table->columns[column]) ? at + l->widths[column] - n : at;
	if (at + n > l->table->width)
		return n < l->table->width ? l->table->width - n : 0;
	return at;
}

/* The first line of each text; moves texts[] to what is left of them. */
static void print_line(struct fitting *l, const char **texts)
{
	size_t at = 0, next;

	for (size_t i = 0; i < l->table->n_columns; i++) {
		const char *text = texts[i];
		size_t n;

		if (l->is_below[i])
			continue;
		if (text && *text) {
			n = next = strlen(text);
			if (wraps(l, i))
				n = line_length(text, l->widths[i], &next);
			print_at(l, start_of(l, i, at, n), text, n);
			texts[i] = text + next;
		}
		at += l->widths[i] + 1;
	}
	end_line(l);
}

static bool has_more(const struct fitting *l, const char *const *texts)
{
	for (size_t i = 0; i < l->table->n_columns; i++)
		if (!l->is_below[i] && texts[i] && *texts[i])
			return true;
	return false;
}

static void print_below(struct fitting *l, const char *text)
{
	size_t width = l->table->width > INDENT ? l->table->width - INDENT : 1, next;

	for (; text && *text; text += next) {
		size_t n = line_length(text, width, &next);

		print_at(l, INDENT, text, n);
		end_line(l);
	}
}

static void print_row(struct fitting *l, const char *const *row)
{
	const char *texts[COLUMNS_MAX];

	memcpy(texts, row, l->table->n_columns * sizeof(*texts));
	do
		print_line(l, texts);
	while (has_more(l, texts));
	for (size_t i = 0; i < l->table->n_columns; i++)
		if (l->is_below[i])
			print_below(l, texts[i]);
}

static void print_headings(struct fitting *l)
{
	char *titles[COLUMNS_MAX];

	for (size_t i = 0; i < l->table->n_columns; i++)
		titles[i] = column_title(l->table->columns[i]->name);
	fputs(style_code(stdout, STYLE_NAME), l->to);
	print_row(l, (const char *const *)titles);
	fputs(style_code(stdout, STYLE_NONE), l->to);
	for (size_t i = 0; i < l->table->n_columns; i++)
		free(titles[i]);
}

void narrow_print(const struct text_table *table, FILE *to)
{
	struct fitting l = { .table = table, .to = to };

	for (size_t i = 0; i < table->n_columns; i++)
		measure(&l, i);
	fit(&l);
	if (table->has_headings)
		print_headings(&l);
	for (size_t row = 0; row < table->n_rows; row++)
		print_row(&l, &table->texts[row * table->n_columns]);
	for (size_t i = 0; i < table->n_columns; i++)
		free(l.lengths[i]);
}
