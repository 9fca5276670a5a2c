/* SPDX-License-Identifier: MIT */
/* What can stand in a document as text, and what the rest becomes: base64. And times. */
#ifndef PQ_DOCUMENT_TEXT_H
#define PQ_DOCUMENT_TEXT_H

#include "core/arena.h"
#include "core/buf.h"

/* Before a key that is base64 of a name that cannot stand there itself. */
#define PQ_BASE64_KEY STR("base64:")

/* The length of the character of UTF-8 that s begins with; 0 when it is none. */
size_t pq_utf8_length(struct pmuq_str s);
/* UTF-8 without control characters but newlines and tabs. */
bool pq_is_text(struct pmuq_str s);
void pq_base64_print(struct pq_buf *buf, struct pmuq_str bytes);
/* False for what pq_base64_print() would not have printed (.p is NULL when out of memory). */
bool pq_base64_read(struct pq_arena *arena, struct pmuq_str text, struct pmuq_str *ret);

/*
 * Whether every reader of YAML takes the bare text for a string: it begins with a letter, as no
 * number or date does, has nothing in it that means something, and is no word of YAML's.
 */
bool pq_is_plain(struct pmuq_str s);
/* Whether a reader of YAML takes the bare text for a number, a truth, a date or nothing. */
bool pq_is_typed(struct pmuq_str s);

/* Seconds since 1970 as "2026-11-21T19:30:19Z". From 1970 to 9999; false otherwise. */
bool pq_time_print(struct pq_buf *buf, int64_t time_s);
bool pq_time_read(struct pmuq_str text, int64_t *ret);

#endif
