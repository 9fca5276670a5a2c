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
	struct pmuq_str raw;  /* as the file has it */
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
	bool is_keyed;			  /* the objects are members of an object */
	struct pmuq_str key;		  /* of the object then */
	bool is_empty;			  /* the root has no such list */
};

/* The root must be a list of objects, or an object with such a list, or an object of objects, under
 * the key `list`; a root without it has none. The file must not change until the end. */
void pq_vendor_elements_begin(struct pq_vendor_elements *at, struct pq_vendor_tree *tree,
			      const struct pq_vendor_file *file, struct pq_arena *arena,
			      const char *list);
/* Reads the next object; false after the last, and after an error. */
bool pq_vendor_elements_next(struct pq_vendor_elements *at);
void pq_vendor_elements_end(struct pq_vendor_elements *at);

/* The value of a key: a string, or a whole number or a boolean as a text; .p NULL for others. */
struct pmuq_str pq_vendor_element_text(const struct pq_vendor_elements *at, const char *key);
/* The key has a value that is neither such a text nor null: a fraction, a list or an object. */
bool pq_vendor_element_is_other(const struct pq_vendor_elements *at, const char *key);
/* The value of a key that is a number without a sign or an exponent; .p NULL for others. */
struct pmuq_str pq_vendor_element_number(const struct pq_vendor_elements *at, const char *key);

/* Values of at most 1 MiB as trees in an arena; NULL if there is none, and after an error, such as
 * a repeated key: the value of a key of the object, the value of a key of a file's root, and a
 * file's root. */
const struct pq_json_value *pq_vendor_element_tree(const struct pq_vendor_elements *at,
						   const char *key, struct pq_arena *arena);
const struct pq_json_value *pq_vendor_read_section(struct pq_vendor_tree *tree,
						   const struct pq_vendor_file *file,
						   const char *key, struct pq_arena *arena);
const struct pq_json_value *pq_vendor_read_root(struct pq_vendor_tree *tree,
						const struct pq_vendor_file *file,
						struct pq_arena *arena);
/* The text of a key of a tree, or "". */
struct pmuq_str pq_vendor_value_text(const struct pq_json_value *object, const char *key);
