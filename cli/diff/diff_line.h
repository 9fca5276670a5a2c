/* SPDX-License-Identifier: MIT */
/*
 * A change of a diff as a line for people, below the heading of its PMU: a sign, what it is, its
 * name, before and after. A second line has the texts of an event if its bits changed.
 * Colours are those that stdout takes, wherever the text goes first.
 */
#pragma once

#include "cli/output/record.h"
#include "cli/report.h"
#include <pmuq/pmuq.h>

/* The same for the other parts of the text. */
void diff_put_style(FILE *to, enum style style);

void diff_put_change(FILE *to, const struct pmuq_change *change);
/* Changes of what opens, of one type and one PMU; equal results are one line. The
 * array is used up. */
void diff_put_opens(FILE *to, const struct pmuq_change **changes, size_t n);
