/* SPDX-License-Identifier: MIT */
/* What the files of `pmuq explain` share: how encodings with assignments are printed. */
#pragma once

#include "cli/events/encode_output.h"

/* explain_draw.c: draws each config word that is not 0 or that a term sets, as a register. The
 * source has the formats of the PMU. */
void explain_draw(struct pmuq_source *source, const struct pmuq_encoding *encoding);

/* explain_record.c */
extern const struct document_type explain_document;
