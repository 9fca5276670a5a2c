/* SPDX-License-Identifier: MIT */
/* The law of diffs: the changes from one machine to another are those of the other direction,
 * mirrored, and the heaviest comes first. */
#pragma once

#include <pmuq/pmuq.h>

/* A broken law, in words, to be freed; NULL if all hold. */
char *diff_mirror_difference(const struct pmuq_catalog *a, const struct pmuq_catalog *b);
