/* SPDX-License-Identifier: MIT */
/*
 * The texts of schemas/messages.toml, in ascending order of their numbers (generated). Rows have
 * places instead of pointers: these would be hundreds, for the loader to fill in in every process.
 */
#ifndef PQ_MESSAGES_H
#define PQ_MESSAGES_H

#include <stddef.h>
#include <stdint.h>

struct pq_message {
	uint16_t number;
	uint16_t name, meaning, example, remedy; /* where each begins in pq_message_texts */
};

extern const char pq_message_texts[];
extern const struct pq_message pq_messages[];
extern const size_t pq_messages_count;

#endif
