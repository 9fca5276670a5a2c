/* SPDX-License-Identifier: MIT */
/*
 * THE growing array: a struct of a pointer, a count and a capacity, which may also be an unnamed
 * member of a struct of the caller's, if the array must have a type with a name. It lives on the
 * heap, or in an arena by the macros that end in _in. All of them grow by one policy, check every
 * product for overflow, and return false when there is no memory; the array is then as it was
 * before.
 *
 *     auto_vec PQ_VEC(const char *) names = { 0 };
 *     if (!pq_vec_push(&names, "imc"))
 *             return pq_fail_memory(reterr);
 *
 * It must be the first member of such a struct. The macros evaluate each argument once.
 */
#pragma once

#include "core/arena.h"

// clang-format off
#define PQ_VEC(type) struct { type *v; size_t n, capacity; }
// clang-format on

/* Frees the array when the scope ends. */
#define auto_vec cleanup(pq_vec_freep)

/* True if the array has, or now has, memory for `more` elements beyond its n. */
#define pq_vec_reserve(vec, more) PQ_VEC_RESERVE(vec, more, NULL)
#define pq_vec_reserve_in(arena, vec, more) PQ_VEC_RESERVE(vec, more, arena)

/* Appends one element, an expression of the element's type; false when out of memory. */
#define pq_vec_push(vec, ...) PQ_VEC_PUSH(vec, NULL, __VA_ARGS__)
#define pq_vec_push_in(arena, vec, ...) PQ_VEC_PUSH(vec, arena, __VA_ARGS__)

/* Appends a zeroed element, and returns it; NULL when out of memory. */
#define pq_vec_add(vec) PQ_VEC_ADD(vec, NULL)
#define pq_vec_add_in(arena, vec) PQ_VEC_ADD(vec, arena)

/* Frees an array of the heap and leaves it empty. The elements' own memory is the caller's. */
#define pq_vec_free(vec)                                                                           \
	do {                                                                                       \
		__typeof__(vec) vec_freed_ = (vec);                                                \
		free(vec_freed_->v);                                                               \
		vec_freed_->v = NULL;                                                              \
		vec_freed_->n = vec_freed_->capacity = 0;                                          \
	} while (0)

/* The item is evaluated before the array grows: it may refer to an element of the same array. */
#define PQ_VEC_PUSH(vec, arena, ...)                                                               \
	__extension__({                                                                            \
		__typeof__(vec) vec_pushed_ = (vec);                                               \
		__typeof__(*vec_pushed_->v) vec_item_ = __VA_ARGS__;                               \
		bool vec_is_pushed_ = PQ_VEC_RESERVE(vec_pushed_, 1, arena);                       \
		if (vec_is_pushed_)                                                                \
			vec_pushed_->v[vec_pushed_->n++] = vec_item_;                              \
		vec_is_pushed_;                                                                    \
	})

#define PQ_VEC_ADD(vec, arena)                                                                     \
	__extension__({                                                                            \
		__typeof__(vec) vec_added_ = (vec);                                                \
		__typeof__(vec_added_->v) vec_element_ = NULL;                                     \
		if (PQ_VEC_RESERVE(vec_added_, 1, arena)) {                                        \
			vec_element_ = &vec_added_->v[vec_added_->n++];                            \
			memset(vec_element_, 0, sizeof(*vec_element_));                            \
		}                                                                                  \
		vec_element_;                                                                      \
	})

#define PQ_VEC_RESERVE(vec, more, arena)                                                           \
	__extension__({                                                                            \
		__typeof__(vec) vec_grown_ = (vec);                                                \
		size_t vec_more_ = (more);                                                         \
		void *vec_memory_ = vec_grown_->v;                                                 \
		bool vec_fits_ = vec_more_ <= vec_grown_->capacity - vec_grown_->n;                \
		if (!vec_fits_) {                                                                  \
			vec_memory_ =                                                              \
				pq_vec_enlarge(arena, vec_memory_, vec_grown_->n, vec_more_,       \
					       sizeof(*vec_grown_->v), &vec_grown_->capacity);     \
			vec_fits_ = vec_memory_ != NULL;                                           \
			if (vec_fits_)                                                             \
				vec_grown_->v = vec_memory_;                                       \
		}                                                                                  \
		vec_fits_;                                                                         \
	})

/*
 * The policy: a first array has a capacity of 8 elements, but at least 128 bytes and at most 512,
 * or one element; a full one doubles, so that n pushes move fewer than 2 n elements; never less
 * than `n + more`. False if the size in bytes does not fit a size_t.
 */
bool pq_vec_next_capacity(size_t capacity, size_t n, size_t more, size_t each_bytes, size_t *ret);

/* Memory for n + more elements that begins with the n of `v`; NULL if there is none, with *capacity
 * unchanged. `arena` NULL means the heap. The previous array of an arena stays in it, unused. */
void *pq_vec_enlarge(struct pq_arena *arena, void *v, size_t n, size_t more, size_t each_bytes,
		     size_t *capacity);

static inline void pq_vec_freep(void *vec)
{
	void *v;

	memcpy(&v, vec, sizeof(v));
	free(v);
}
