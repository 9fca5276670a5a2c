/* SPDX-License-Identifier: MIT */
/* One row of a drawn word: up to 32 bits side by side, two columns each. For layout.c alone. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define ROW_BITS_MAX 32
#define ROW_INDENT 2

/* Bits side by side of one field. */
struct part {
	const char *name, *value;
	unsigned high, low; /* bits of the word */
	bool is_slice;	    /* the field has other parts, too */
	unsigned slice_low; /* the bit of the value that `low` takes */
};

/* Whose a bit is when it is no part's. */
enum {
	ROW_NOTHING = -1, /* no field */
	ROW_OTHERS = -2,  /* drawn on another row */
	ROW_FREE = -3,
};

struct layout_row {
	unsigned high, low;
	unsigned columns;
	bool is_utf8;
	signed char owner[ROW_BITS_MAX]; /* by the bit's distance from `low`: a part or the above */
	struct part parts[ROW_BITS_MAX];
	size_t n_parts;
};

void row_draw(FILE *to, const struct layout_row *row);
