/* SPDX-License-Identifier: MIT */
/*
 * Extended regular expressions (POSIX.1-2024, XBD 9.4) for untrusted patterns of vendors' tables.
 * Matching takes at most states times bytes steps and no memory, for every expression; regcomp(3)
 * of the C library takes gigabytes for some. Back-references, collating symbols and equivalence
 * classes are not supported, because they need more. Bytes are always those of the C locale.
 */
#pragma once

#include "core/arena.h"
#include "core/error.h"
#include "core/limits.h"

#define PQ_REGEX_NO_MATCH SIZE_MAX

struct pq_regex;

/* Compiles `text`; the result lives in the arena, is immutable, and does not refer to the text.
 * -PMUQ_E_BAD_REGEX with the span of the mistake, -PMUQ_E_MEMORY. */
int pq_regex_compile(struct pq_arena *arena, struct pmuq_str text, const struct pq_regex **ret,
		     struct pmuq_error **reterr);
/* The length of the longest match that begins at byte `start` of the text, or PQ_REGEX_NO_MATCH. */
size_t pq_regex_match(const struct pq_regex *regex, struct pmuq_str text, size_t start);
