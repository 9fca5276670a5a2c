/* SPDX-License-Identifier: MIT */
/*
 * A struct perf_event_attr as bytes that another machine may have written: of any published size,
 * of either byte order. In the other order the bits of a bitfield stand from the other end, too.
 */
#ifndef PQ_ATTR_BYTES_H
#define PQ_ATTR_BYTES_H

#include "core/base.h"
#include <pmuq/attr.h>

enum pq_attr_bytes {
	PQ_ATTR_BYTES_OK,
	PQ_ATTR_BYTES_NO_SIZE, /* what stands where the size should is none in either order */
	PQ_ATTR_BYTES_SHORT,   /* fewer than the smallest size, or than the size that they say */
	PQ_ATTR_BYTES_LONG,    /* there is something behind the size that they say */
};

/* Bytes to attr. *ret_size is the size that they say, where it can be told, else 0. */
enum pq_attr_bytes pq_attr_from_bytes(const unsigned char *bytes, size_t n, struct pmuq_attr *ret,
				      uint32_t *ret_size);
/* From the other byte order than this machine's, whatever its size says. */
void pq_attr_from_other_order(struct pmuq_attr *attr);

#endif
