/* SPDX-License-Identifier: MIT */
/*
 * Decides which field is drawn where: lanes of fields that do not overlap, cut into rows of bits,
 * and each row into parts. layout_row.c draws a row.
 */
#include "cli/events/layout.h"
#include "cli/events/layout_row.h"
#include "core/base.h"
#include <string.h>

/* A field and the lane that it is drawn in. */
struct placed {
	const struct layout_field *field;
	unsigned lane;
};

/* The fields of one word, lane by lane. */
struct drawing {
	struct placed *placed;
	size_t n_placed;
	uint64_t used;
};

uint64_t layout_used(const struct layout *layout, unsigned word)
{
	uint64_t used = 0;

	for (size_t i = 0; i < layout->n_fields; i++)
		if (layout->fields[i].word == word)
			used |= layout->fields[i].mask;
	return used;
}

static unsigned highest_bit(uint64_t mask)
{
	return 63 - (unsigned)__builtin_clzll(mask);
}

/* The bits from `low` to `high`, both included. */
static uint64_t bits(unsigned high, unsigned low)
{
	return UINT64_MAX >> (63 - high) & UINT64_MAX << low;
}

/* The lowest bit of the run of ones that ends with `high`. */
static unsigned run_end(uint64_t mask, unsigned high)
{
	uint64_t zeros = ~mask & bits(high, 0);

	return zeros ? highest_bit(zeros) + 1 : 0;
}

void layout_print_bits(struct pq_buf *to, uint64_t mask)
{
	for (const char *comma = ""; mask; comma = ",") {
		unsigned high = highest_bit(mask), low = run_end(mask, high);

		pq_buf_print(to, "%s%u", comma, high);
		if (low < high)
			pq_buf_print(to, "-%u", low);
		mask &= ~bits(high, low);
	}
}

/* Narrow fields first: a field that covers many others goes below them. Then from the left. */
static int compare(const void *a, const void *b)
{
	uint64_t one = ((const struct placed *)a)->field->mask;
	uint64_t other = ((const struct placed *)b)->field->mask;
	int difference = __builtin_popcountll(one) - __builtin_popcountll(other);

	if (difference)
		return difference;
	if (one != other)
		return one > other ? -1 : 1;
	return strcmp(((const struct placed *)a)->field->name,
		      ((const struct placed *)b)->field->name);
}

static int compare_lanes(const void *a, const void *b)
{
	unsigned one = ((const struct placed *)a)->lane, other = ((const struct placed *)b)->lane;

	return one != other ? (one < other ? -1 : 1) : compare(a, b);
}

/* Puts each field into the first lane in which it overlaps nothing. False: out of memory. */
static bool lay_out_fields(struct drawing *drawing, const struct layout *layout, unsigned word)
{
	auto_free uint64_t *taken = calloc(layout->n_fields, sizeof(*taken)); /* of each lane */

	drawing->placed = calloc(layout->n_fields, sizeof(*drawing->placed));
	if (!taken || !drawing->placed)
		return false;
	for (size_t i = 0; i < layout->n_fields; i++)
		if (layout->fields[i].word == word && layout->fields[i].mask)
			drawing->placed[drawing->n_placed++].field = &layout->fields[i];
	qsort(drawing->placed, drawing->n_placed, sizeof(*drawing->placed), compare);
	for (size_t i = 0; i < drawing->n_placed; i++) {
		struct placed *placed = &drawing->placed[i];

		while (taken[placed->lane] & placed->field->mask)
			placed->lane++;
		taken[placed->lane] |= placed->field->mask;
	}
	qsort(drawing->placed, drawing->n_placed, sizeof(*drawing->placed), compare_lanes);
	return true;
}

/* Each run of the field within the row is a part. */
static void add_parts(struct layout_row *row, const struct layout_field *field)
{
	uint64_t left = field->mask & bits(row->high, row->low);

	while (left) {
		struct part *part = &row->parts[row->n_parts];
		unsigned high = highest_bit(left), low = run_end(left, high);
		uint64_t below = low ? bits(low - 1, 0) : 0;

		*part = (struct part){
			.name = field->name, .value = field->value, .high = high, .low = low
		};
		part->is_slice = field->mask != bits(high, low);
		part->slice_low = (unsigned)__builtin_popcountll(field->mask & below);
		for (unsigned bit = low; bit <= high; bit++)
			row->owner[bit - row->low] = (signed char)row->n_parts;
		row->n_parts++;
		left &= ~bits(high, low);
	}
}

/* What belongs to no part: on the first row, free bits differ from bits of other rows; below there
 * is nothing. */
static void clear_row(struct layout_row *row, uint64_t used, bool is_first)
{
	row->n_parts = 0;
	for (unsigned bit = row->low; bit <= row->high; bit++)
		row->owner[bit - row->low] = !is_first		     ? ROW_NOTHING
					     : used & bits(bit, bit) ? ROW_OTHERS
								     : ROW_FREE;
}

/* The bits of one row, in each lane that has a part in it. */
static void draw_lanes(FILE *to, const struct drawing *drawing, struct layout_row *row)
{
	const struct placed *at = drawing->placed, *end = at + drawing->n_placed;
	bool is_first = true;

	while (at < end) {
		unsigned lane = at->lane;

		clear_row(row, drawing->used, is_first);
		for (; at < end && at->lane == lane; at++)
			add_parts(row, at->field);
		if (row->n_parts == 0)
			continue;
		if (!is_first)
			fprintf(to, "%*salso:\n", ROW_INDENT, "");
		row_draw(to, row);
		is_first = false;
	}
}

/* As many bits per row as fit, in halves of 32. */
static unsigned row_bits(unsigned columns)
{
	unsigned n = 32;

	while (n > 8 && ROW_INDENT + 2 * n + 1 > columns)
		n /= 2;
	return n;
}

bool layout_draw(FILE *to, const struct layout *layout, unsigned word)
{
	struct drawing drawing = { .used = layout_used(layout, word) };
	struct layout_row row = { .columns = layout->columns, .is_utf8 = layout->is_utf8 };
	unsigned n = row_bits(layout->columns), top;

	if (!drawing.used)
		return true;
	if (!lay_out_fields(&drawing, layout, word)) {
		free(drawing.placed);
		return false;
	}
	top = highest_bit(drawing.used) | 7; /* whole bytes */
	if (top >= n)
		top |= n - 1;
	for (unsigned low = top / n * n;; low -= n) {
		row.high = top < low + n - 1 ? top : low + n - 1;
		row.low = low;
		if (drawing.used & bits(row.high, row.low))
			draw_lanes(to, &drawing, &row);
		if (low == 0)
			break;
	}
	free(drawing.placed);
	return true;
}
