/* SPDX-License-Identifier: MIT */
/* Valid and invalid UTF-8, without a locale. */
#pragma once

#include "core/buf.h"

/* Each byte that is not part of a character becomes U+FFFD. */
#define PQ_UTF8_REPLACEMENT STR("\xef\xbf\xbd")

/* The length of the character at the start of s; 0 if it is not valid. */
size_t pq_utf8_length(struct pmuq_str s);
bool pq_utf8_is_valid(struct pmuq_str s);
/* Valid, and without control characters other than newline and tab. */
bool pq_utf8_is_text(struct pmuq_str s);
/* Appends s with each invalid byte replaced. */
void pq_utf8_repair(struct pq_buf *buf, struct pmuq_str s);
