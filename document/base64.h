/* SPDX-License-Identifier: MIT */
/* Base64 (RFC 4648), for bytes that cannot be text in a document. */
#pragma once

#include "core/arena.h"
#include "core/buf.h"

/* The prefix of a key that is base64 of a name. */
#define PQ_BASE64_KEY STR("base64:")
/* The key of a mapping that has a text in base64. */
#define PQ_BASE64_VALUE STR("base64")

void pq_base64_print(struct pq_buf *buf, struct pmuq_str bytes);
/* False if pq_base64_print() would not have printed the text. The bytes are in the arena, with a
 * NUL after them. If there is no memory, true with .p NULL. */
bool pq_base64_read(struct pq_arena *arena, struct pmuq_str text, struct pmuq_str *ret);
