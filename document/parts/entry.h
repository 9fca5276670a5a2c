/* SPDX-License-Identifier: MIT */
/*
 * Single values of a document, read from the nodes of its tree. Rejects everything that the files
 * of a machine could not contain, since users of a catalog rely on that. Errors have their
 * location.
 */
#ifndef PQ_DOCUMENT_ENTRY_H
#define PQ_DOCUMENT_ENTRY_H

#include "document/tree/tree.h"

/* It must be a mapping with no other keys; with any keys if `keys` is NULL. */
int pq_entry_mapping(struct pq_doc *doc, const struct pq_doc_node *node,
		     const struct pmuq_str *keys, size_t n_keys, struct pmuq_error **reterr);
int pq_entry_list(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_error **reterr);
/* NULL if there is no such key. */
const struct pq_doc_node *pq_entry_find(const struct pq_doc_node *mapping, struct pmuq_str key);
/* The same for a key that must exist. */
int pq_entry_need(struct pq_doc *doc, const struct pq_doc_node *mapping, struct pmuq_str key,
		  const struct pq_doc_node **ret, struct pmuq_error **reterr);
/* A text, or the bytes of {base64: …}; without a NUL. */
int pq_entry_text(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str *ret,
		  struct pmuq_error **reterr);
/* The same for the first line of a file: no newlines, no white space around it. */
int pq_entry_line(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str *ret,
		  struct pmuq_error **reterr);
/* The same for a whole file: no newline at its end. */
int pq_entry_file(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str *ret,
		  struct pmuq_error **reterr);
/* A decimal number as core/num.h prints it, and not zero. */
int pq_entry_scale(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str *ret,
		   struct pmuq_error **reterr);
int pq_entry_number(struct pq_doc *doc, const struct pq_doc_node *node, uint64_t max, uint64_t *ret,
		    struct pmuq_error **reterr);
int pq_entry_time(struct pq_doc *doc, const struct pq_doc_node *node, int64_t *ret,
		  struct pmuq_error **reterr);
/* A flag is "true" or absent. */
int pq_entry_flag(struct pq_doc *doc, const struct pq_doc_node *node, bool *ret,
		  struct pmuq_error **reterr);
/* The key of an entry as a name; the second checks that a file can have it. */
int pq_entry_key(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str *ret,
		 struct pmuq_error **reterr);
int pq_entry_key_of_file(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str *ret,
			 struct pmuq_error **reterr);
int pq_entry_file_name(struct pq_doc *doc, struct pmuq_str name, struct pq_doc_location at,
		       struct pmuq_error **reterr);
/* A name, and where it is defined. */
struct pq_doc_named {
	struct pmuq_str name;
	struct pq_doc_location at;
};
/* Fails at the second definition of a name; `what` has it: "PMU". Sorts the names. */
int pq_entry_unique(struct pq_doc *doc, struct pq_doc_named *v, size_t n, const char *what,
		    struct pmuq_error **reterr);
/* Memory that lives as long as the document. If it is too much, the error is the document's. */
int pq_entry_array(struct pq_doc *doc, const struct pq_doc_node *node, size_t n, size_t each_bytes,
		   void *ret, struct pmuq_error **reterr);

#endif
