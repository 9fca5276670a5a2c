/* SPDX-License-Identifier: MIT */
/*
 * In the helper: a name split into its parts as libpfm4 does it, so that an error has a span:
 *
 *     name  = [ pmu "::" ] event { delim token }
 *     token = word [ "=" value ]
 *     delim = ":" | "."
 */
#pragma once

#include "core/error.h"
#include "pfm/protocol.h"

/* A canonical name has about fifteen. Below 32, since pfm_diagnose.c has a bit for each; whether
 * they fit into libpfm4's array is checked in helper_name.c. */
#define PQ_PFM_TOKENS_MAX 24u

/* What is wrong with a name, and where. A hint may be empty. */
struct pq_pfm_wrong {
	enum pq_pfm_error type;
	struct pq_span at;
	struct pq_buf message, hint;
};

struct pq_pfm_token {
	struct pmuq_str all, word, value;
	bool has_value; /* there is a "="; the value may be empty */
};

struct pq_pfm_name {
	struct pmuq_str text, pmu, event; /* pmu.p is NULL if the name has none */
	struct pmuq_str rest;		  /* from the event to the end */
	struct pq_pfm_token tokens[PQ_PFM_TOKENS_MAX];
	size_t n_tokens;
	struct pq_pfm_wrong *wrong; /* what is reported about the name */
};

void pq_pfm_wrong_free(struct pq_pfm_wrong *wrong);
/* Sets name->wrong, and returns false for the caller to return. `part` must point into the name's
 * text, which the span is an offset of. The message is appended, so report only once. */
bool pq_pfm_report(const struct pq_pfm_name *name, struct pmuq_str part, enum pq_pfm_error type,
		   const char *format, ...) PQ_PRINTF(4, 5);

/* The parts point into `text`. False if it is not a name. */
bool pq_pfm_name_parse(struct pmuq_str text, struct pq_pfm_wrong *wrong, struct pq_pfm_name *ret);
/* A number as libpfm4 reads it: decimal, octal after 0, hex after 0x. */
bool pq_pfm_number(struct pmuq_str s, uint64_t *ret);
/* The value of a modifier that is on or off: y, n, t, f, 1 or 0. */
bool pq_pfm_is_flag(struct pmuq_str s);
