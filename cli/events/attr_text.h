/* SPDX-License-Identifier: MIT */
/* Fields of an attr for people: NAME=VALUE, those that are set, in the order of the struct. */
#ifndef PQ_CLI_ATTR_TEXT_H
#define PQ_CLI_ATTR_TEXT_H

#include <pmuq/attr.h>

/* The first fields; they are printed even if they are 0. */
enum {
	ATTR_TYPE,
	ATTR_SIZE,
	ATTR_CONFIG,
};

struct attr_text {
	unsigned next; /* where to go on; at first the field to begin with */
	char text[64]; /* "config1=0x1e" */
};

/* False after the last field. */
bool attr_text_next(struct attr_text *text, const struct pmuq_attr *attr);

#endif
