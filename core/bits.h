/* SPDX-License-Identifier: MIT */
/*
 * The text of a format file, "config1:1,6-10,44": a word of the attr and the bits of it that
 * contain a value, lowest first, whatever their order in the text (Documentation/ABI/testing/
 * sysfs-bus-event_source-devices-format).
 */
#pragma once

#include "core/str.h"
#include <pmuq/catalog.h>

/* Never fails: a format that cannot be parsed has no bits. *ret_problem is a static text, or NULL.
 */
struct pmuq_bits pq_bits_parse(struct pmuq_str text, const char **ret_problem);

static inline uint64_t pq_bits_max(struct pmuq_bits bits)
{
	return bits.width >= 64 ? UINT64_MAX : (UINT64_C(1) << bits.width) - 1;
}

uint64_t pq_bits_scatter_holes(uint64_t mask, uint64_t value);

/* Spreads a value over the mask; bits beyond pq_bits_max() are dropped. */
static inline uint64_t pq_bits_scatter(struct pmuq_bits bits, uint64_t value)
{
	if (bits.is_solid)
		return value << bits.shift & bits.mask;
	return pq_bits_scatter_holes(bits.mask, value);
}

/* Collects the value from the bits of the mask. */
uint64_t pq_bits_gather(uint64_t mask, uint64_t word);
