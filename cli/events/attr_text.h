/* SPDX-License-Identifier: MIT */
/* The fields of an attr that are set, for people: "size=136 config=0x3c exclude_kernel=1". */
#pragma once

#include "cli/output/record.h"

/* Appends them in the order of the struct; `first` is the field to begin with, as ATTR_SIZE. */
void attr_print(struct pq_buf *to, const struct pmuq_attr *attr, unsigned first);
