/* SPDX-License-Identifier: MIT */
/*
 * Whether what a string encodes to was opened when a machine was checked: asked of what the
 * database has, never of the kernel.
 */
#pragma once

#include <pmuq/pmuq.h>

enum opens {
	OPENS_UNKNOWN, /* this attr was never tried */
	OPENS_YES,
	OPENS_NO,
};

/*
 * Of all that the string encodes to: OPENS_NO when one was refused, and *ret is its result, which
 * lives in the check; OPENS_YES when all were opened. `check` may be NULL.
 */
enum opens opens_find(struct pmuq_source *source, const struct pmuq_check *check,
		      const struct pmuq_encodings *encodings, const struct pmuq_check_result **ret);
/* What the encoding did when the machine was checked; NULL if that attr was never tried on that
 * PMU. */
const struct pmuq_check_result *opens_find_result(struct pmuq_source *source,
						  const struct pmuq_check *check,
						  const struct pmuq_encoding *encoding);
/* "yes", "no", or NULL if it is not known. Static. */
const char *opens_word(enum opens opens);
