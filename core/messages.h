/* SPDX-License-Identifier: MIT */
/*
 * The texts of schemas/messages.toml, in ascending order of their numbers (generated). Rows contain
 * offsets instead of pointers, of which the loader would have to relocate hundreds in each process.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct pq_message {
	uint16_t number;
	uint16_t name, meaning, example, remedy; /* offsets in pq_message_texts */
};

extern const char pq_message_texts[];
extern const struct pq_message pq_messages[];
extern const size_t pq_messages_count;
