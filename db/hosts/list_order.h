/* SPDX-License-Identifier: MIT */
/* The orders of a list: by id, in which rows are found, and by name, in which it is returned. */
#pragma once

#include "db/hosts/host_list.h"

/* An array of structs that begin with an id (int64_t). */
struct pq_id_array {
	void *v;
	size_t n, each_bytes;
};
#define PQ_ID_ARRAY(vec)                                                                           \
	((struct pq_id_array){ .v = (vec).v, .n = (vec).n, .each_bytes = sizeof(*(vec).v) })

/* An engine may return rows in any order, and mostly returns them in this one. */
void pq_order_by_id(struct pq_id_array array);
/* NULL if it is not in the array, which is in the order of the ids. */
void *pq_find_by_id(struct pq_id_array array, int64_t id);

/* Fills by_name of the list; false when out of memory. */
bool pq_order_by_name(struct pmuq_hosts *hosts);
