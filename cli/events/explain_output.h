/* SPDX-License-Identifier: MIT */
/* What `pmuq explain` is made of: how encodings with assignments are shown. */
#pragma once

#include "cli/events/encode_output.h"

/* explain_draw.c: each config word that has a value or that a term speaks for, as a register. The
 * source has the PMU's formats. */
void explain_draw(struct pmuq_source *source, const struct pmuq_encoding *encoding);

/* explain_record.c */
extern const struct document_type explain_document;
