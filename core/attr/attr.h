/* SPDX-License-Identifier: MIT */
/*
 * Operations on a perf_event_attr: its config words by number, and the smallest published size that
 * contains all its values. include/pmuq/attr.h declares the layout, core/attr/attr_fields.h lists
 * the fields.
 */
#pragma once

#include "core/attr/attr_fields.h"
#include "core/str.h"
#include <pmuq/attr.h>

/* PQ_FIELD_config …: the index of each field in pmuq_attr_field_name() and similar functions. */
enum pq_attr_field {
#define X(name, format, end) PQ_FIELD_##name,
	PQ_ATTR_FIELDS(X, X)
#undef X
		PQ_FIELD_COUNT
};

/* config, config1 … config4. */
#define PQ_CONFIG_WORDS 5

/* Types that the kernel fixed (perf_event_open(2), "type"). */
enum {
	PQ_TYPE_HARDWARE = 0,
	PQ_TYPE_SOFTWARE = 1,
	PQ_TYPE_TRACEPOINT = 2,
	PQ_TYPE_HW_CACHE = 3,
	PQ_TYPE_RAW = 4,
	PQ_TYPE_BREAKPOINT = 5,
};

/*
 * Reads and writes a field; bits that do not fit are cut off. A flag is shifted into position. Any
 * other field that the compiler knows is one load or store; the rest share one switch in attr.c,
 * because a switch at each call made the library larger by kilobytes.
 */
#define pq_attr_get(attr, field)                                                                   \
	(pq_attr_is_flag(field)	       ? pq_attr_get_flag(attr, field)                             \
	 : __builtin_constant_p(field) ? pq_attr_get_inline(attr, field)                           \
				       : pmuq_attr_get(attr, (unsigned)(field)))
#define pq_attr_set(attr, field, value)                                                            \
	(pq_attr_is_flag(field)	       ? pq_attr_set_flag(attr, field, value)                      \
	 : __builtin_constant_p(field) ? pq_attr_set_inline(attr, field, value)                    \
				       : pq_attr_store(attr, field, value))
void pq_attr_store(struct pmuq_attr *attr, enum pq_attr_field field, uint64_t value);

/* `disabled` to `defer_output`: one word of 64 bits, with the flags in the order of the fields. A
 * macro, so that it is a constant if the field is one. */
#define pq_attr_is_flag(field)                                                                     \
	((field) - (unsigned)PQ_FIELD_disabled <= PQ_FIELD_defer_output - PQ_FIELD_disabled)

static inline uint64_t pq_attr_flag_mask(enum pq_attr_field field)
{
	return field == PQ_FIELD_precise_ip ? 3 : 1;
}

/* The number of bits before the flag, in the order of the fields. */
static inline unsigned pq_attr_flag_bit(enum pq_attr_field field)
{
	return field - PQ_FIELD_disabled + (field > PQ_FIELD_precise_ip);
}

static inline unsigned pq_attr_flag_shift(enum pq_attr_field field)
{
	unsigned before = pq_attr_flag_bit(field);

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	return 64 - before - (field == PQ_FIELD_precise_ip ? 2 : 1);
#else
	return before;
#endif
}

/* All flags. */
static inline uint64_t pq_attr_flags(const struct pmuq_attr *attr)
{
	return *(&attr->read_format + 1);
}

static inline uint64_t pq_attr_get_flag(const struct pmuq_attr *attr, enum pq_attr_field field)
{
	return pq_attr_flags(attr) >> pq_attr_flag_shift(field) & pq_attr_flag_mask(field);
}

/* The first flag from `field` on that is set; without one, the field after all flags. */
static inline unsigned pq_attr_next_flag(const struct pmuq_attr *attr, enum pq_attr_field field)
{
	unsigned bit = pq_attr_flag_bit(field), found;

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	uint64_t rest = pq_attr_flags(attr) << bit;

	bit += rest ? (unsigned)__builtin_clzll(rest) : 0;
#else
	uint64_t rest = pq_attr_flags(attr) >> bit;

	bit += rest ? (unsigned)__builtin_ctzll(rest) : 0;
#endif
	found = PQ_FIELD_disabled + bit - (bit > pq_attr_flag_bit(PQ_FIELD_precise_ip));
	return rest && pq_attr_is_flag(found) ? found : PQ_FIELD_defer_output + 1;
}

static inline void pq_attr_set_flag(struct pmuq_attr *attr, enum pq_attr_field field,
				    uint64_t value)
{
	uint64_t *flags = &attr->read_format + 1, mask = pq_attr_flag_mask(field);
	unsigned shift = pq_attr_flag_shift(field);

	*flags = (*flags & ~(mask << shift)) | (value & mask) << shift;
}

#define PQ_NO_CASE(name, format, end)

/* Fields that are not flags; all others read as 0. */
PQ_INLINE uint64_t pq_attr_get_inline(const struct pmuq_attr *attr, enum pq_attr_field field)
{
	switch (field) {
#define X(name, format, end)                                                                       \
	case PQ_FIELD_##name:                                                                      \
		return (uint64_t)attr->name;
		PQ_ATTR_FIELDS(X, PQ_NO_CASE)
#undef X
	default:
		return 0;
	}
}

PQ_INLINE void pq_attr_set_inline(struct pmuq_attr *attr, enum pq_attr_field field, uint64_t value)
{
	switch (field) {
#define X(name, format, end)                                                                       \
	case PQ_FIELD_##name:                                                                      \
		attr->name = (__typeof__(attr->name))value;                                        \
		break;
		PQ_ATTR_FIELDS(X, PQ_NO_CASE)
#undef X
	default:
		break;
	}
}

/* Sets a field, also `size`, and no other. False if the value does not fit; the attr is unchanged
 * then. */
bool pq_attr_set_if_fits(struct pmuq_attr *attr, unsigned index, uint64_t value);
/* All bits that the field has. */
uint64_t pq_attr_field_mask(enum pq_attr_field field);

uint64_t *pq_attr_config(struct pmuq_attr *attr, unsigned word);
/* PQ_FIELD_config, PQ_FIELD_config1 … */
enum pq_attr_field pq_attr_config_field(unsigned word);
/* "config", "config1" … */
struct pmuq_str pq_attr_config_name(unsigned word);
/* The smallest published size that includes the last byte that is not zero. */
uint32_t pq_attr_fit_size(const struct pmuq_attr *attr);
