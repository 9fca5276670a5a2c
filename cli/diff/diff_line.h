/* SPDX-License-Identifier: MIT */
/*
 * A change of a diff as a line for people, below the heading of its PMU: a sign, the type, the
 * name, before and after. If the bits of an event changed, a second line contains its terms.
 * Colours are those of stdout, even if the text is first printed to memory.
 */
#pragma once

#include "cli/output/record.h"
#include "cli/report.h"
#include <pmuq/pmuq.h>

/* The same for parts of the text. */
void diff_put_style(FILE *to, enum style style);

void diff_put_change(FILE *to, const struct pmuq_change *change);
/* Changes of open results, of one type and one PMU; equal results share a line. The function
 * consumes the array. */
void diff_put_opens(FILE *to, const struct pmuq_change **changes, size_t n);
