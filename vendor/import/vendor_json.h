/* SPDX-License-Identifier: MIT */
/*
 * The JSON of vendors' tables, an event at a time: memory grows with the longest event, not with
 * the file, and each knows its line. The one file of the library that knows jansson is
 * vendor_json.c, which loads it when it is first needed.
 *
 *     cleanup(pq_elements_end) struct pq_elements at = { 0 };
 */
#ifndef PQ_VENDOR_JSON_H
#define PQ_VENDOR_JSON_H

#include "vendor/import/vendor_files.h"

struct pq_json; /* the library */

/* 0, -PMUQ_E_NO_LIBRARY, -PMUQ_E_MEMORY. */
int pq_json_load(struct pq_json **ret, struct pmuq_error **reterr);
void pq_json_free(struct pq_json *json);

struct pq_elements {
	const struct pq_json *json;
	const struct pq_vendor_tree *tree;
	const struct pq_vendor_file *file;
	struct pq_arena *arena;	    /* numbers go here, as texts */
	size_t next;		    /* where the text goes on */
	size_t offset, length;	    /* of the element */
	size_t line, column;	    /* of the element */
	size_t counted, line_start; /* up to where lines were counted */
	void *object;
	bool is_wrapped; /* {"Events": […]}, as Intel writes them */
	bool is_over;	 /* there are no events, or no more */
};

/* The root must be a list of objects, or an object that has one under "Events". One without is
 * over at once, `is_wrapped`. */
int pq_elements_begin(struct pq_elements *at, const struct pq_json *json,
		      const struct pq_vendor_tree *tree, const struct pq_vendor_file *file,
		      struct pq_arena *arena, struct pmuq_error **reterr);
/* The next one: 0, PQ_END after the last, or a failure. */
int pq_elements_next(struct pq_elements *at, struct pmuq_error **reterr);
void pq_elements_end(struct pq_elements *at);

/* What stands under a key: a text, a whole number or a truth as a text; .p is NULL where there is
 * nothing, null, or something else. It lives until the next element. */
struct pmuq_str pq_element_text(const struct pq_elements *at, const char *key);

#endif
