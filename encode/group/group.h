/* SPDX-License-Identifier: MIT */
/* {a,b}:S: makes a group of the encodings from `first` on, and applies the group's modifiers. */
#ifndef PQ_GROUP_H
#define PQ_GROUP_H

#include "encode/encoder.h"

int pq_group(const struct pq_encoder *e, const struct pq_item *item, size_t first);

#endif
