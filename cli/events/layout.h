/* SPDX-License-Identifier: MIT */
/*
 * Draws the bits of a config word as a register: the most significant bit on the left, a cell for
 * each field with its bit numbers above it, dots for free bits. A field with holes has a cell for
 * each run of bits, labelled with the bits of the value in it: name[7:0]. Fields that share bits
 * are drawn on further rows. Does not depend on PMUs or terminals.
 */
#pragma once

#include "core/buf.h"
#include <stdio.h>

#define LAYOUT_COLUMNS_MIN 24

struct layout_field {
	const char *name;  /* characters other than printable ASCII are shown as dots */
	const char *value; /* below the name; NULL: none */
	uint64_t mask;	   /* 0: the field is not drawn */
	unsigned word;	   /* the word that contains it; the caller names the words */
};

struct layout {
	const struct layout_field *fields;
	size_t n_fields;
	unsigned columns; /* maximum width of a line, at least the minimum above */
	bool is_utf8;	  /* box characters of UTF-8; else ASCII */
};

/* The bits of the word that belong to a field. */
uint64_t layout_used(const struct layout *layout, unsigned word);
/* The bits of a mask as ranges, the highest first: "63-34,22". */
void layout_print_bits(struct pq_buf *to, uint64_t mask);
/* Draws nothing for a word without fields. False: out of memory. */
bool layout_draw(FILE *to, const struct layout *layout, unsigned word);
