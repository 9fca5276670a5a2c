/* SPDX-License-Identifier: MIT */
/*
 * The law of assignments: those that are reported and not overridden add up to the attr, field by
 * field, in both dialects and with each preset; and requesting them changes nothing else.
 */
#pragma once

#include <pmuq/pmuq.h>

/* What was compared in all calls. */
struct explained {
	size_t n_strings, n_encodings;
	uint64_t fields; /* a bit for each field of the attr that some encoding set */
};

/* Encodes the string in every way. NULL if the law holds, otherwise a text about the violation, to
 * be freed. `vendor` may be NULL. */
char *explained_check(const struct pmuq_catalog *catalog, const char *string,
		      const struct pmuq_vendor *vendor, struct explained *seen);
