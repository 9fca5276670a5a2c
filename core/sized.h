/* SPDX-License-Identifier: MIT */
/*
 * Public structs that begin with their size. A caller that was built with an older header has a
 * shorter struct, with a newer header a longer one. Members that only one side knows are ignored,
 * but an option that this version would ignore is an error.
 */
#pragma once

#include "core/error.h"

/* Fills `ret`, a struct of `known` bytes, from the caller's options; NULL means the defaults, which
 * are zero. 0 or -PMUQ_E_BAD_CALL. */
int pq_sized_take(const void *options, void *ret, size_t known, struct pmuq_error **reterr);

/* Whether the caller has set the size of the struct to fill: 0 or -PMUQ_E_BAD_CALL. */
int pq_sized_check(const void *ret, struct pmuq_error **reterr);

/* Copies the members that both structs have, but not the size. */
void pq_sized_give(const void *from, size_t known, void *ret);
