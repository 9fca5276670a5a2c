/* SPDX-License-Identifier: MIT */
/*
 * Single values of a document, read from the nodes of its tree. Rejects everything that the files
 * of a machine could not contain, since users of a catalog rely on that. Errors have their
 * location, and stick in the document (tree.h): after one, each of these functions returns an empty
 * value.
 */
#pragma once

#include "document/tree/tree.h"

/* It must be a mapping with no other keys. */
void pq_entry_check_keys(struct pq_doc *doc, const struct pq_doc_node *node,
			 const struct pmuq_str *keys, size_t n_keys);
/* The first entry of a node that must be a mapping, or a list; and the one after it. NULL after the
 * last, and after an error. */
const struct pq_doc_node *pq_entry_of_mapping(struct pq_doc *doc, const struct pq_doc_node *node);
const struct pq_doc_node *pq_entry_of_list(struct pq_doc *doc, const struct pq_doc_node *node);
const struct pq_doc_node *pq_entry_after(const struct pq_doc *doc, const struct pq_doc_node *node);
/* NULL if the key does not exist, or the node is not a mapping. */
const struct pq_doc_node *pq_entry_find(const struct pq_doc_node *mapping, struct pmuq_str key);
/* The same for a key that must exist: an empty list after an error. */
const struct pq_doc_node *pq_entry_need(struct pq_doc *doc, const struct pq_doc_node *mapping,
					struct pmuq_str key);

/* A text, or the bytes of {base64: …}; without a NUL. */
struct pmuq_str pq_entry_text(struct pq_doc *doc, const struct pq_doc_node *node);
/* The same for the first line of a file: no newlines, no white space around it. */
struct pmuq_str pq_entry_line(struct pq_doc *doc, const struct pq_doc_node *node);
/* The same for a whole file: no newline at its end. */
struct pmuq_str pq_entry_file(struct pq_doc *doc, const struct pq_doc_node *node);
/* A decimal number of at most `max`, without quotes or leading zeroes; the second function fails if
 * the node is something else. */
bool pq_entry_is_number(const struct pq_doc_node *node, uint64_t max, uint64_t *ret);
uint64_t pq_entry_number(struct pq_doc *doc, const struct pq_doc_node *node, uint64_t max);
/* Fails with "'key': " and the text. */
void pq_entry_fail(struct pq_doc *doc, const struct pq_doc_node *node, const char *what);

/* The key of an entry as a name; the second checks that a file can have it. */
struct pmuq_str pq_entry_key(struct pq_doc *doc, const struct pq_doc_node *node);
struct pmuq_str pq_entry_key_of_file(struct pq_doc *doc, const struct pq_doc_node *node);
void pq_entry_check_file_name(struct pq_doc *doc, struct pmuq_str name, struct pq_doc_location at);
/* Fails at the second definition of a name; `what` is the word for it: "PMU". Sorts the names. */
void pq_entry_check_unique(struct pq_doc *doc, struct pq_doc_named *v, size_t n, const char *what);
/* An array of zeroes that lives as long as the document; NULL after an error. */
void *pq_entry_array(struct pq_doc *doc, const struct pq_doc_node *node, size_t n,
		     size_t each_bytes);
