/* SPDX-License-Identifier: MIT */
/* Identifiers of C, each given out once. Made of any text; what a header defines is not known. */
#pragma once

/* Zeroed, it is empty. */
struct identifiers {
	void *tree;
};

/*
 * An identifier like "PREFIX_REST": other characters become "_", the end is cut if it
 * is long, and a number is added if it exists. Lives in the set.
 */
const char *identifiers_take(struct identifiers *identifiers, const char *prefix, const char *rest);
void identifiers_clear(struct identifiers *identifiers);
