/* SPDX-License-Identifier: MIT */
/*
 * Public structs that begin with their size. A caller that was built with an older header has a
 * shorter one, with a newer header a longer one: members that only one side knows are left alone,
 * but an option that this version would ignore is an error.
 */
#pragma once

#include "core/error.h"

/* Fills `ret`, a struct of `known` bytes, from the caller's options; NULL stands for all defaults,
 * which are zero. 0 or -PMUQ_E_BAD_CALL. */
int pq_sized_take(const void *options, void *ret, size_t known, struct pmuq_error **reterr);

/* Whether the caller has set the size of a struct that is to be filled: 0 or -PMUQ_E_BAD_CALL. */
int pq_sized_check(const void *ret, struct pmuq_error **reterr);

/* Copies the members that both structs have, but not the size. */
void pq_sized_give(const void *from, size_t known, void *ret);
