/* SPDX-License-Identifier: MIT */
/* Sentences of the tables with {words} in them, filled in from a case. */
#ifndef PQ_OPEN_TEXT_H
#define PQ_OPEN_TEXT_H

#include "core/buf.h"
#include "open/diagnose/refusal.h"

/* A word that is not known is written as it stands. */
void pq_text_fill(const char *text, const struct pq_case *c, struct pq_buf *ret);
/* Whether each {word} of the text is known. */
bool pq_text_is_sound(const char *text);

#endif
