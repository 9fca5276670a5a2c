/* SPDX-License-Identifier: MIT */
/* Fills the {words} in the texts of reasons and probes from a refusal. */
#pragma once

#include "core/buf.h"
#include "open/diagnose/refusal.h"

/* An unknown word is copied as it is. */
void pq_reason_text_fill(const char *text, const struct pq_refusal *refusal, struct pq_buf *ret);
