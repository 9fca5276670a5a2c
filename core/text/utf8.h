/* SPDX-License-Identifier: MIT */
/* Valid UTF-8 and invalid UTF-8, without a locale. */
#pragma once

#include "core/buf.h"

/* Each byte that is not part of a character becomes U+FFFD. */
#define PQ_UTF8_REPLACEMENT STR("\xef\xbf\xbd")

/* The bytes of the character that s begins with; 0 if it is not a valid one. */
size_t pq_utf8_length(struct pmuq_str s);
bool pq_utf8_is_valid(struct pmuq_str s);
/* Valid, and without control characters other than newline and tab. */
bool pq_utf8_is_text(struct pmuq_str s);
/* Appends s with each invalid byte replaced. */
void pq_utf8_repair(struct pq_buf *buf, struct pmuq_str s);
