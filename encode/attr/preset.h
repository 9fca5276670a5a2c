/* SPDX-License-Identifier: MIT */
/* Adds what the tool of options.preset adds to every encoding. This is the last step of a call. */
#ifndef PQ_PRESET_H
#define PQ_PRESET_H

#include "encode/encoder.h"

int pq_apply_preset(const struct pq_encoder *e);

#endif
