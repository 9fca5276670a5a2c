/* SPDX-License-Identifier: MIT */
/*
 * The growth of arrays, on the heap and in arenas. Every encoding makes some arrays of a few
 * elements, so the first capacity matters more than the growth.
 */
#include "core/vec.h"

/* Less than FIRST_MIN_BYTES is not worth an allocation; large elements are often the only one. */
#define FIRST_ELEMENTS 8u
#define FIRST_MIN_BYTES 128u
#define FIRST_MAX_BYTES 512u

static size_t first_capacity(size_t each_bytes)
{
	size_t bytes = FIRST_ELEMENTS * each_bytes;

	/* Common element sizes need no division, which would be a tenth of the time to encode an
	 * event. */
	if (bytes >= FIRST_MIN_BYTES && bytes <= FIRST_MAX_BYTES)
		return FIRST_ELEMENTS;
	if (each_bytes > FIRST_MAX_BYTES / 2)
		return 1;
	return (bytes < FIRST_MIN_BYTES ? FIRST_MIN_BYTES : FIRST_MAX_BYTES) / each_bytes;
}

bool pq_vec_next_capacity(size_t capacity, size_t n, size_t more, size_t each_bytes, size_t *ret)
{
	size_t need, next, bytes;

	if (__builtin_add_overflow(n, more, &need))
		return false;
	if (!capacity)
		next = first_capacity(each_bytes);
	else if (__builtin_mul_overflow(capacity, 2, &next))
		next = need;
	if (next < need)
		next = need;
	*ret = next;
	return !__builtin_mul_overflow(next, each_bytes, &bytes);
}

void *pq_vec_enlarge(struct pq_arena *arena, void *v, size_t n, size_t more, size_t each_bytes,
		     size_t *capacity)
{
	size_t next;
	void *larger;

	if (!pq_vec_next_capacity(*capacity, n, more, each_bytes, &next))
		return NULL;
	larger = arena ? pq_arena_take(arena, next * each_bytes) : realloc(v, next * each_bytes);
	if (!larger)
		return NULL;
	if (arena && n)
		memcpy(larger, v, n * each_bytes);
	*capacity = next;
	return larger;
}
