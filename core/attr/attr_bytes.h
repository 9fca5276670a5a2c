/* SPDX-License-Identifier: MIT */
/*
 * A struct perf_event_attr from bytes that another machine may have written, of any published size
 * and either byte order. In the other order, bitfields begin at the other end, too.
 */
#pragma once

#include "core/base.h"
#include <pmuq/attr.h>

enum pq_attr_bytes {
	PQ_ATTR_BYTES_OK,
	PQ_ATTR_BYTES_NO_SIZE, /* the size is not a published one in either byte order */
	PQ_ATTR_BYTES_SHORT,   /* fewer bytes than the smallest size, or than attr.size */
	PQ_ATTR_BYTES_LONG,    /* bytes after attr.size are not zero */
};

/* Reads an attr. *ret_size is its size if that is valid, else 0. */
enum pq_attr_bytes pq_attr_from_bytes(const unsigned char *bytes, size_t n, struct pmuq_attr *ret,
				      uint32_t *ret_size);
bool pq_bytes_are_zero(const unsigned char *bytes, size_t n);
/* Converts an attr of the other byte order, whatever its size is. */
void pq_attr_from_other_order(struct pmuq_attr *attr);
