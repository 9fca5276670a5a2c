/* SPDX-License-Identifier: MIT */
/* The texts of schemas/messages.toml, in ascending order of their numbers (generated). */
#ifndef PQ_MESSAGES_H
#define PQ_MESSAGES_H

#include <stddef.h>

struct pq_message {
	unsigned number;
	const char *name, *meaning, *example, *remedy;
};

extern const struct pq_message pq_messages[];
extern const size_t pq_messages_count;

#endif
