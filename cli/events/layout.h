/* SPDX-License-Identifier: MIT */
/*
 * The bits of a config word drawn as a register: the most significant bit at the left, a box for
 * each field with its bits above it, dots for free bits. A field with holes has a box for each of
 * its runs, with the bits of the value in it: name[7:0]. Fields that share bits are drawn on
 * further rows. Knows nothing of PMUs and terminals.
 */
#pragma once

#include "core/buf.h"
#include <stdio.h>

#define LAYOUT_COLUMNS_MIN 24

struct layout_field {
	const char *name;  /* what is no printable ASCII is shown as a dot */
	const char *value; /* below the name; NULL: none */
	uint64_t mask;	   /* 0: the field is not drawn */
	unsigned word;	   /* which word it is in; the caller gives the words their names */
};

struct layout {
	const struct layout_field *fields;
	size_t n_fields;
	unsigned columns; /* how wide a line may be, at least the above */
	bool is_utf8;	  /* box characters of UTF-8; else ASCII */
};

/* The bits of the word that are in some field. */
uint64_t layout_used(const struct layout *layout, unsigned word);
/* The bits of a mask as ranges, the highest first: "63-34,22". */
void layout_print_bits(struct pq_buf *to, uint64_t mask);
/* Nothing is drawn of a word that no field touches. False: out of memory. */
bool layout_draw(FILE *to, const struct layout *layout, unsigned word);
