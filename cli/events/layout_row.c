/* SPDX-License-Identifier: MIT */
/*
 * Draws a row of bits. A part whose name, numbers and value fit into its field contains them. Lines
 * connect the other parts with their names below; if these are too many or too long, each part has
 * a letter, and a legend follows.
 */
#include "cli/events/layout_row.h"
#include "core/base.h"
#include <assert.h>
#include <string.h>

#define LINE_COLUMNS 256
#define TEXT_BYTES 64
#define LEADERS_MAX 8
/* A name, a value and the numbers of bits. */
#define OUTSIDE_BYTES (2 * TEXT_BYTES + 32)

/* A character of a line is printable ASCII, the directions of its strokes, or one of these two. */
enum {
	UP = 1,
	DOWN = 2,
	LEFT = 4,
	RIGHT = 8,
	DOT = 16,
	LEADER, /* where a line to a name begins, unlike a border */
};

static const struct {
	const char *utf8, *ascii;
} strokes[] = {
	[UP | DOWN] = { "│", "|" },
	[LEFT | RIGHT] = { "─", "-" },
	[DOWN | RIGHT] = { "┌", "+" },
	[DOWN | LEFT] = { "┐", "+" },
	[UP | RIGHT] = { "└", "+" },
	[UP | LEFT] = { "┘", "+" },
	[DOWN | LEFT | RIGHT] = { "┬", "+" },
	[UP | LEFT | RIGHT] = { "┴", "+" },
	[DOT] = { "·", "." },
	[LEADER] = { "┬", "-" },
};

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEF";
static_assert(sizeof(letters) - 1 == ROW_BITS_MAX, "a letter for every part");

/* A line of characters before it is printed; each is one byte, since strokes are numbers. */
struct row_line {
	const struct layout_row *row;
	char at[LINE_COLUMNS + 1];
};

static struct row_line new_line(const struct layout_row *row)
{
	struct row_line line = { .row = row };

	memset(line.at, ' ', LINE_COLUMNS);
	return line;
}

static void put_text(struct row_line *line, unsigned column, const char *text)
{
	for (; *text && column < LINE_COLUMNS; text++)
		line->at[column++] = *text;
}

static void put_number(struct row_line *line, unsigned column, unsigned number)
{
	char text[12];

	snprintf(text, sizeof(text), "%u", number);
	put_text(line, column, text);
}

static void print_line(FILE *to, const struct row_line *line)
{
	size_t n = LINE_COLUMNS;

	while (n > 0 && line->at[n - 1] == ' ')
		n--;
	if (n > 0)
		fprintf(to, "%*s", ROW_INDENT, "");
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)line->at[i];

		if (c < COUNT(strokes))
			fputs(line->row->is_utf8 ? strokes[c].utf8 : strokes[c].ascii, to);
		else
			putc(c, to);
	}
	putc('\n', to);
}

/* ------------------------------------------------------------------------------- the columns */

static int owner(const struct layout_row *row, unsigned bit)
{
	return bit > row->high || bit < row->low ? ROW_NOTHING : row->owner[bit - row->low];
}

/* The column of the left border of a bit; the next column is the bit itself. */
static unsigned border(const struct layout_row *row, unsigned bit)
{
	return 2 * (row->high - bit);
}

/* The lowest bit that belongs to the same part as `high`, the highest bit of that part. */
static unsigned field_end(const struct layout_row *row, unsigned high)
{
	unsigned low = high;

	while (low > row->low && owner(row, low - 1) == owner(row, high))
		low--;
	return low;
}

static size_t inside_columns(unsigned high, unsigned low)
{
	return 2 * (size_t)(high - low) + 1;
}

static size_t digits(unsigned number)
{
	return number < 10 ? 1 : 2;
}

static bool numbers_fit(unsigned high, unsigned low)
{
	size_t n = high == low ? digits(low) : digits(high) + 1 + digits(low);

	return n <= inside_columns(high, low);
}

/* ---------------------------------------------------------------------------- texts of parts */

/* Printable ASCII, one column per byte; `to` has TEXT_BYTES. A text that is too long ends in a
 * tilde. */
static void copy_printable(char *to, const char *text)
{
	size_t n = 0;

	for (; *text && n < TEXT_BYTES - 1; text++)
		to[n++] = *text >= ' ' && *text < 0x7f ? *text : '.';
	to[n] = 0;
	if (*text)
		to[n - 1] = '~';
}

/* "umask[39:8]". */
static void name_of(const struct part *part, char to[TEXT_BYTES])
{
	unsigned slice_high = part->slice_low + part->high - part->low;
	char slice[16] = "";
	size_t n;

	if (part->is_slice && part->high == part->low)
		snprintf(slice, sizeof(slice), "[%u]", part->slice_low);
	else if (part->is_slice)
		snprintf(slice, sizeof(slice), "[%u:%u]", slice_high, part->slice_low);
	copy_printable(to, part->name);
	n = strlen(to);
	if (n + strlen(slice) >= TEXT_BYTES) {
		n = TEXT_BYTES - 1 - strlen(slice);
		to[n - 1] = '~';
	}
	memcpy(to + n, slice, strlen(slice) + 1);
}

static bool is_inside(const struct part *part)
{
	size_t n = inside_columns(part->high, part->low);
	char name[TEXT_BYTES];

	name_of(part, name);
	return strlen(name) <= n && numbers_fit(part->high, part->low) &&
	       (!part->value || strlen(part->value) <= n);
}

/* "15-14 occ_sel = 2", below a part that is too narrow; cut at the end of the line. */
static void outside_text(const struct layout_row *row, const struct part *part,
			 char to[OUTSIDE_BYTES])
{
	size_t n_max = row->columns - ROW_INDENT - 2;
	char name[TEXT_BYTES], value[TEXT_BYTES] = "", low[12] = "";

	name_of(part, name);
	if (part->value)
		copy_printable(value, part->value);
	if (part->low < part->high)
		snprintf(low, sizeof(low), "-%u", part->low);
	snprintf(to, OUTSIDE_BYTES, "%u%s %s%s%s", part->high, low, name, *value ? " = " : "",
		 value);
	if (strlen(to) > n_max) {
		to[n_max - 1] = '~';
		to[n_max] = 0;
	}
}

/* The parts that are too narrow, from the left, with their texts. */
struct outside {
	const struct part *parts[ROW_BITS_MAX];
	char texts[ROW_BITS_MAX][OUTSIDE_BYTES];
	size_t n, n_longest;
	bool has_leaders;
};

/* The column from which a line leads to the name below. */
static unsigned leader(const struct layout_row *row, const struct part *part)
{
	return border(row, part->high) + part->high - part->low + 1;
}

static void find_outside(const struct layout_row *row, struct outside *ret)
{
	unsigned last;

	*ret = (struct outside){ 0 };
	for (unsigned bit = row->high + 1; bit-- > row->low;) {
		int index = owner(row, bit);
		const struct part *part = index >= 0 ? &row->parts[index] : NULL;
		size_t n;

		if (!part || part->high != bit || is_inside(part))
			continue;
		ret->parts[ret->n] = part;
		outside_text(row, part, ret->texts[ret->n]);
		n = strlen(ret->texts[ret->n]);
		ret->n_longest = n > ret->n_longest ? n : ret->n_longest;
		ret->n++;
	}
	if (ret->n == 0 || ret->n > LEADERS_MAX)
		return;
	last = leader(row, ret->parts[ret->n - 1]);
	ret->has_leaders = ROW_INDENT + last + 3 + ret->n_longest <= row->columns;
}

/* ---------------------------------------------------------------------------------- the lines */

/* The highest and the lowest bit of each part, above it, if they fit. */
static void draw_numbers(FILE *to, const struct layout_row *row)
{
	struct row_line line = new_line(row);
	bool has_any = false;

	for (unsigned high = row->high + 1; high-- > row->low;) {
		unsigned low = field_end(row, high), left = border(row, high) + 1;

		if (owner(row, high) != ROW_NOTHING && numbers_fit(high, low)) {
			has_any = true;
			put_number(&line, left, high);
			if (low < high)
				put_number(&line,
					   left + (unsigned)inside_columns(high, low) -
						   (unsigned)digits(low),
					   low);
		}
		high = low;
	}
	if (has_any)
		print_line(to, &line);
}

/* The strokes between a bit and its left neighbour, on the upper (DOWN) or lower (UP) edge. */
static char corner(int left, int right, int vertical)
{
	int stroke = (left != ROW_NOTHING ? LEFT : 0) | (right != ROW_NOTHING ? RIGHT : 0);

	return (char)(!stroke ? ' ' : left != right ? stroke | vertical : stroke);
}

/* The upper or lower edge of all parts of the row, where the lines to names begin. */
static void draw_edge(FILE *to, const struct layout_row *row, int vertical,
		      const struct outside *leaders)
{
	struct row_line line = new_line(row);

	for (unsigned bit = row->high + 1; bit-- > row->low;) {
		int own = owner(row, bit);
		unsigned column = border(row, bit);

		line.at[column] = corner(owner(row, bit + 1), own, vertical);
		line.at[column + 1] = own == ROW_NOTHING ? ' ' : LEFT | RIGHT;
	}
	line.at[border(row, row->low) + 2] = corner(owner(row, row->low), ROW_NOTHING, vertical);
	for (size_t i = 0; leaders && leaders->has_leaders && i < leaders->n; i++)
		line.at[leader(row, leaders->parts[i])] = LEADER;
	print_line(to, &line);
}

static void put_borders(struct row_line *line)
{
	const struct layout_row *row = line->row;

	for (unsigned bit = row->high + 1; bit-- > row->low;)
		if (owner(row, bit) != owner(row, bit + 1))
			line->at[border(row, bit)] = UP | DOWN;
	if (owner(row, row->low) != ROW_NOTHING)
		line->at[border(row, row->low) + 2] = UP | DOWN;
}

static void put_centred(struct row_line *line, const struct part *part, const char *text)
{
	size_t n = inside_columns(part->high, part->low), n_text = strlen(text);

	put_text(line, border(line->row, part->high) + 1 + (unsigned)((n - n_text) / 2), text);
}

static void draw_names(FILE *to, const struct layout_row *row, const struct outside *outside)
{
	struct row_line line = new_line(row);
	char name[TEXT_BYTES];

	put_borders(&line);
	for (unsigned bit = row->low; bit <= row->high; bit++)
		if (owner(row, bit) == ROW_FREE)
			line.at[border(row, bit) + 1] = DOT;
	for (size_t i = 0; i < row->n_parts; i++) {
		if (!is_inside(&row->parts[i]))
			continue;
		name_of(&row->parts[i], name);
		put_centred(&line, &row->parts[i], name);
	}
	for (size_t i = 0; !outside->has_leaders && i < outside->n; i++)
		put_centred(&line, outside->parts[i], (char[]){ letters[i], 0 });
	print_line(to, &line);
}

/* The line is left out if no part has a value. */
static void draw_values(FILE *to, const struct layout_row *row)
{
	struct row_line line = new_line(row);
	char value[TEXT_BYTES];
	bool has_any = false;

	put_borders(&line);
	for (size_t i = 0; i < row->n_parts; i++) {
		if (!row->parts[i].value || !is_inside(&row->parts[i]))
			continue;
		copy_printable(value, row->parts[i].value);
		put_centred(&line, &row->parts[i], value);
		has_any = true;
	}
	if (has_any)
		print_line(to, &line);
}

/* From the right: each line turns below the ends of all lines to the right of it. */
static void draw_leaders(FILE *to, const struct layout_row *row, const struct outside *outside)
{
	unsigned last = leader(row, outside->parts[outside->n - 1]);

	for (size_t i = outside->n; i-- > 0;) {
		unsigned turn = leader(row, outside->parts[i]);
		struct row_line line = new_line(row);

		for (size_t k = 0; k < i; k++)
			line.at[leader(row, outside->parts[k])] = UP | DOWN;
		line.at[turn] = UP | RIGHT;
		memset(line.at + turn + 1, LEFT | RIGHT, last + 1 - turn);
		put_text(&line, last + 3, outside->texts[i]);
		print_line(to, &line);
	}
}

/* In columns, read line by line. */
static void draw_legend(FILE *to, const struct layout_row *row, const struct outside *outside)
{
	size_t width = outside->n_longest + 5; /* the letter, a blank, and three after it */
	size_t a_line = (row->columns - ROW_INDENT + 3) / width;

	if (a_line == 0)
		a_line = 1;
	for (size_t first = 0; first < outside->n; first += a_line) {
		struct row_line line = new_line(row);

		for (size_t i = first; i < first + a_line && i < outside->n; i++) {
			unsigned column = (unsigned)((i - first) * width);

			put_text(&line, column, (char[]){ letters[i], 0 });
			put_text(&line, column + 2, outside->texts[i]);
		}
		print_line(to, &line);
	}
}

void row_draw(FILE *to, const struct layout_row *row)
{
	struct outside outside;

	find_outside(row, &outside);
	draw_numbers(to, row);
	draw_edge(to, row, DOWN, NULL);
	draw_names(to, row, &outside);
	draw_values(to, row);
	draw_edge(to, row, UP, &outside);
	if (outside.has_leaders)
		draw_leaders(to, row, &outside);
	else if (outside.n)
		draw_legend(to, row, &outside);
}
