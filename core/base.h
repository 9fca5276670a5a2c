/* SPDX-License-Identifier: MIT */
/*
 * The only macros of the house: cleanup by scope, ownership moved by name, the size of an array,
 * and the attributes of functions. Holds no logic.
 */
#ifndef PQ_BASE_H
#define PQ_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define cleanup(fn) __attribute__((cleanup(fn)))
#define auto_free cleanup(pq_freep)
#define auto_close cleanup(pq_closep)

/* Hands a pointer on and forgets it: `*ret = move(catalog);` */
#define move(p)                                                                                    \
	__extension__({                                                                            \
		__typeof__(p) moved = (p);                                                         \
		(p) = NULL;                                                                        \
		moved;                                                                             \
	})

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define PQ_API __attribute__((visibility("default")))
/* Short names are ours alone: in libpmuq.a they would meet those of whoever links it. */
#define PQ_LINKED_AS(name) __asm__(name)
#define PQ_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))

/* For a system interface alone that takes no const though it does not write: execve(2), iovec,
 * munmap(2). Each use says which. */
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

#endif
