/* SPDX-License-Identifier: MIT */
/*
 * Whether the encodings of a string were opened when a machine was checked. The result comes from
 * the database, never from the kernel.
 */
#pragma once

#include <pmuq/pmuq.h>

enum opens {
	OPENS_UNCHECKED, /* the machine was never checked */
	OPENS_UNKNOWN,	 /* the check did not try this attr */
	OPENS_YES,
	OPENS_NO,
};

/*
 * For all encodings of the string: OPENS_NO if one was refused, with its result in *ret, which
 * lives in the check; OPENS_YES if all were opened. `check` is NULL for a machine without one.
 */
enum opens opens_find(struct pmuq_source *source, const struct pmuq_check *check,
		      const struct pmuq_encodings *encodings, const struct pmuq_check_result **ret);
/* The result of opening the encoding when the machine was checked; NULL if that attr was not tried
 * on that PMU. */
const struct pmuq_check_result *opens_find_result(struct pmuq_source *source,
						  const struct pmuq_check *check,
						  const struct pmuq_encoding *encoding);
/* "yes", "no", or NULL if it is not known. Static. */
const char *opens_word(enum opens opens);
