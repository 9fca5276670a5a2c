/* SPDX-License-Identifier: MIT */
/*
 * Many numbers as a short text, "0-3,8", in whatever order they come; and many names as one,
 * "uncore_imc_[0-3,8]". What is printed is read as the same.
 */
#ifndef PQ_DOCUMENT_RANGES_H
#define PQ_DOCUMENT_RANGES_H

#include "core/arena.h"
#include "core/buf.h"

/* Of one machine: more boxes than that no machine has. */
#define PQ_BOXES_MAX 65536u

struct pq_numbers {
	uint32_t *v;
	size_t n;
};

/* The name without the number at its end. False when there is none that could be printed again:
 * it has a zero before it, or is of more than 32 bits. */
bool pq_name_split(struct pmuq_str name, struct pmuq_str *ret_base, uint32_t *ret_number);

/* A number more, which joins the range before it if it can. */
struct pq_ranges {
	struct pq_buf *buf;
	uint32_t first, last;
	bool has_any;
};
void pq_ranges_add(struct pq_ranges *ranges, uint32_t number);
void pq_ranges_end(struct pq_ranges *ranges);

enum pq_ranges_result {
	PQ_RANGES_OK,
	PQ_RANGES_BAD,	/* no list of numbers */
	PQ_RANGES_MANY, /* more than PQ_BOXES_MAX */
	PQ_RANGES_MEMORY,
};
enum pq_ranges_result pq_ranges_read(struct pq_arena *arena, struct pmuq_str text,
				     struct pq_numbers *ret);
/* "base[LIST]". */
enum pq_ranges_result pq_names_read(struct pq_arena *arena, struct pmuq_str text,
				    struct pmuq_str *ret_base, struct pq_numbers *ret);

#endif
