/* SPDX-License-Identifier: MIT */
/* The fields of an attr that pmuq prints: `type`, `size` and `config` always, the others if they
 * are set. */
#pragma once

#include "core/attr/attr.h"
#include "core/text/sink.h"

/* The first such field from *index on, and its number in *index; NULL: there are no more. */
const struct pmuq_field *attr_next_shown(const struct pmuq_attr *attr, unsigned *index);
/* Appends them for people: "size=136 config=0x3c exclude_kernel=1". `first` is the first field to
 * print. */
void attr_print(struct pq_buf *to, const struct pmuq_attr *attr, enum pq_attr_field first);
/* Writes them as a mapping. */
void attr_write(struct pq_sink *sink, const struct pmuq_attr *attr);
