/* SPDX-License-Identifier: MIT */
/* Limits of one event string, listed in docs/grammar.md; beyond them it fails with PMUQ-014. */
#pragma once

#include "core/event/terms.h" /* PQ_TERMS_MAX, of one event, those of its file included */

#define PQ_INPUT_MAX_BYTES ((size_t)1 << 20)
#define PQ_ENCODINGS_MAX 65536u
/* Names are shorter; the cost of a pattern grows with its length and the number of PMUs. */
#define PQ_GLOB_MAX_BYTES 1024u
/* Memory for parsing and resolving one string, the result included. */
#define PQ_ENCODE_MAX_BYTES ((size_t)256 << 20)
