/* SPDX-License-Identifier: MIT */
/*
 * The macros that every file uses: cleanup at the end of a scope, transfer of ownership, the size
 * of an array, and attributes of functions. Contains no logic.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define cleanup(fn) __attribute__((cleanup(fn)))
#define auto_free cleanup(pq_freep)
#define auto_close cleanup(pq_closep)

/* Returns a pointer and sets the variable to NULL: `*ret = move(catalog);` */
#define move(p)                                                                                    \
	__extension__({                                                                            \
		__typeof__(p) moved = (p);                                                         \
		(p) = NULL;                                                                        \
		moved;                                                                             \
	})

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define PQ_API __attribute__((visibility("default")))
/* For short names: in libpmuq.a they could collide with names of the program that links it. */
#define PQ_LINKED_AS(name) __asm__(name)
#define PQ_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
/* For code that runs seldom, such as the report of a failure: the compiler optimizes it, and every
 * branch that leads to it, for size, and moves them away from the frequent path. */
#define PQ_COLD __attribute__((cold, noinline))
#define PQ_USE_RESULT __attribute__((warn_unused_result))
/* A function of a header that each call contains, so that arguments that the compiler knows leave
 * little of it. Builds without optimization, as for coverage, have it once. */
#ifdef __OPTIMIZE__
#define PQ_INLINE __attribute__((always_inline)) static inline
#else
#define PQ_INLINE static inline
#endif

/* Only for system interfaces whose pointer is not const although they do not write, such as
 * execve(2), iovec and munmap(2). A comment at each use names the interface. */
static inline void *pq_boundary_cast(const void *p)
{
	union {
		const void *in;
		void *out;
	} cast = { .in = p };

	return cast.out;
}

static inline void pq_freep(void *p)
{
	free(*(void **)p);
}

static inline void pq_closep(const int *fd)
{
	if (*fd >= 0)
		close(*fd);
}
