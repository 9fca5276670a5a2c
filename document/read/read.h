/* SPDX-License-Identifier: MIT */
/*
 * From a tree to a catalog: the keys of pmuq-inventory(5) and their values. Rejects everything that
 * the files of a machine could not contain, since users of a catalog rely on that.
 */
#ifndef PQ_DOCUMENT_READ_H
#define PQ_DOCUMENT_READ_H

#include "core/catalog/catalog.h"
#include "core/catalog/check.h"
#include "document/read/tree.h"

/* ------------------------------------------- entry.c: values; errors have their location */

/* It must be a mapping with no other keys. */
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
/* Memory that lives as long as the document. If it is too much, the error is the document's. */
int pq_entry_array(struct pq_doc *doc, const struct pq_doc_node *node, size_t n, size_t each_bytes,
		   void *ret, struct pmuq_error **reterr);

/* ------------------------------------------------------------------------------- catalogs */

/* What the hosts of a document have in common. The check, or NULL, is returned separately, since
 * its time is different for each host. */
int pq_doc_read_machine(struct pq_doc *doc, const struct pq_doc_node *root,
			struct pmuq_catalog **ret, struct pmuq_check **ret_check,
			struct pmuq_error **reterr);
/* read_pmus.c: the list `pmus`. */
int pq_doc_read_pmus(struct pq_doc *doc, const struct pq_doc_node *pmus, struct pq_builder *builder,
		     struct pmuq_error **reterr);
/* read_definition.c: formats, events and caps of a PMU, into the draft. */
int pq_doc_read_definition(struct pq_doc *doc, const struct pq_doc_node *pmu,
			   struct pq_pmu_draft *draft, struct pmuq_error **reterr);
int pq_doc_read_pairs(struct pq_doc *doc, const struct pq_doc_node *mapping, struct pmuq_pair **ret,
		      size_t *ret_n, struct pmuq_error **reterr);
/* read_check.c: its kernel must be the catalog's, and its PMUs must be in the catalog. */
int pq_doc_read_check(struct pq_doc *doc, const struct pq_doc_node *node,
		      const struct pmuq_catalog *catalog, struct pmuq_check **ret,
		      struct pmuq_error **reterr);
/* Names of PMUs, from the key `one` or `many`. */
int pq_doc_read_names(struct pq_doc *doc, const struct pq_doc_node *mapping, struct pmuq_str one,
		      struct pmuq_str many, struct pmuq_str **ret, size_t *ret_n,
		      struct pmuq_error **reterr);

/* read_hosts.c */
struct pq_doc_host {
	struct pmuq_str name; /* .p is NULL if it has none */
	int64_t first_seen_s, checked_s;
	bool has_check;
	struct pmuq_pair *facts;
	size_t n_facts;
	struct pq_doc_location at;
};
int pq_doc_read_hosts(struct pq_doc *doc, const struct pq_doc_node *root, struct pq_doc_host **ret,
		      size_t *ret_n, struct pmuq_error **reterr);
/* Checks that the tree is a document of this schema. */
int pq_doc_read_schema(struct pq_doc *doc, const struct pq_doc_node *root,
		       struct pmuq_error **reterr);

#endif
