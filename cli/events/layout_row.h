/* SPDX-License-Identifier: MIT */
/* One row of a drawn word: up to 32 bits next to each other, two columns each. Only layout.c uses
 * it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define ROW_BITS_MAX 32
#define ROW_INDENT 2

/* Adjacent bits of one field. */
struct part {
	const char *name, *value;
	unsigned high, low; /* bits of the word */
	bool is_slice;	    /* the field has other parts */
	unsigned slice_low; /* the bit of the value that is in `low` */
};

/* The owner of a bit: the index of its part, or one of these. */
enum {
	ROW_NOTHING = -1, /* no field */
	ROW_OTHERS = -2,  /* drawn on another row */
	ROW_FREE = -3,
};

struct layout_row {
	unsigned high, low;
	unsigned columns;
	bool is_utf8;
	signed char owner[ROW_BITS_MAX]; /* of the bit at that distance from `low` */
	struct part parts[ROW_BITS_MAX];
	size_t n_parts;
};

void row_draw(FILE *to, const struct layout_row *row);
