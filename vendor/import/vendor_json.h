/* SPDX-License-Identifier: MIT */
/*
 * The JSON of vendors' tables, read one object at a time: memory grows with the longest object, not
 * with the file, and each object has its location.
 *
 *     cleanup(pq_vendor_elements_end) struct pq_vendor_elements at = { 0 };
 */
#pragma once

#include "core/text/json_read.h"
#include "core/vec.h"
#include "vendor/import/vendor_files.h"

struct pq_vendor_member {
	struct pmuq_str key;
	struct pmuq_str text; /* .p NULL: null, a fraction, a list or an object */
};

struct pq_vendor_members {
	PQ_VEC(struct pq_vendor_member);
};

struct pq_vendor_elements {
	struct pq_vendor_tree *tree;
	const struct pq_vendor_file *file;
	struct pq_arena *arena; /* for texts with escapes */
	struct pq_json_reader json;
	struct pq_vendor_members members; /* of the object, until the next one is read */
	size_t offset, line, column;	  /* of the object */
	bool is_empty;			  /* an object without "Events" */
};

/* The root must be a list of objects, or an object with such a list under "Events"; an object
 * without it has no events. The file must not change until the end. */
void pq_vendor_elements_begin(struct pq_vendor_elements *at, struct pq_vendor_tree *tree,
			      const struct pq_vendor_file *file, struct pq_arena *arena);
/* Reads the next object; false after the last, and after an error. */
bool pq_vendor_elements_next(struct pq_vendor_elements *at);
void pq_vendor_elements_end(struct pq_vendor_elements *at);

/* The value of a key: a string, or a whole number or a boolean as a text; .p NULL for others. */
struct pmuq_str pq_vendor_element_text(const struct pq_vendor_elements *at, const char *key);
