/* SPDX-License-Identifier: MIT */
/*
 * Many numbers as a short text, "0-3,8", in any order; and many names as one, "uncore_imc_[0-3,8]".
 * The printed text can be parsed again, with the same result.
 */
#pragma once

#include "core/buf.h"
#include "core/limits.h"

struct pq_numbers {
	uint32_t *v;
	size_t n;
};

/* Ranges that are being printed; the last is open until pq_ranges_end(). */
struct pq_ranges {
	struct pq_buf *buf;
	uint32_t first, last;
	bool has_any;
};
/* Adds a number; extends the previous range if the number follows it. */
void pq_ranges_add(struct pq_ranges *ranges, uint32_t number);
void pq_ranges_end(struct pq_ranges *ranges);

/* "uncore_imc_[0-3,8]"; the stem is what pq_instance_number() returned for each name. */
void pq_ranges_print_stem(struct pmuq_str stem, const struct pq_numbers *numbers,
			  struct pq_buf *ret);

/* Texts that the caller frees, NULL if there is no memory: "0-3,8", and "uncore_imc_[0-3], cpu":
 * adjacent names with one stem become one name. */
char *pq_ranges_of_numbers(const uint32_t *numbers, size_t n);
char *pq_ranges_of_names(const struct pmuq_str *names, size_t n);

enum pq_ranges_result {
	PQ_RANGES_OK,
	PQ_RANGES_BAD,	/* not a list of numbers */
	PQ_RANGES_MANY, /* more than PQ_PMUS_MAX */
	PQ_RANGES_MEMORY,
};
enum pq_ranges_result pq_ranges_read(struct pq_arena *arena, struct pmuq_str text,
				     struct pq_numbers *ret);
/* "stem[LIST]". */
enum pq_ranges_result pq_ranges_read_stem(struct pq_arena *arena, struct pmuq_str text,
					  struct pmuq_str *ret_stem, struct pq_numbers *ret);
