/* SPDX-License-Identifier: MIT */
/* Unique identifiers of C, made from any text. Names that a header defines are not considered. */
#pragma once

/* A zeroed set is empty. */
struct identifiers {
	void *tree;
};

/*
 * An identifier like "PREFIX_REST": other characters become "_", a long one is cut, and a number is
 * added if the identifier exists. It lives in the set.
 */
const char *identifiers_take(struct identifiers *identifiers, const char *prefix, const char *rest);
void identifiers_clear(struct identifiers *identifiers);
