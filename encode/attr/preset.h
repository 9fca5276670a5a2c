/* SPDX-License-Identifier: MIT */
/* What the tool of options.preset adds to every encoding; the last step of all. */
#ifndef PQ_PRESET_H
#define PQ_PRESET_H

#include "encode/encoder.h"

int pq_apply_preset(const struct pq_encoder *e);

#endif
