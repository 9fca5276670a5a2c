/* SPDX-License-Identifier: MIT */
/*
 * What a tree means: the keys of pmuq-inventory(5), each with what it takes, become a catalog by
 * core's builder. Nothing gets in that no machine's files could have made, since whoever asks a
 * catalog trusts it.
 */
#ifndef PQ_DOCUMENT_READ_H
#define PQ_DOCUMENT_READ_H

#include "core/catalog/catalog.h"
#include "core/catalog/check.h"
#include "document/read/tree.h"

/* ------------------------------------------- entry.c: what an entry is; all fail with its place */

/* Whether it is a mapping, of these keys only. */
int pq_entry_mapping(struct pq_doc *doc, const struct pq_doc_node *node,
		     const struct pmuq_str *keys, size_t n_keys, struct pmuq_error **reterr);
int pq_entry_list(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_error **reterr);
/* NULL when there is none. */
const struct pq_doc_node *pq_entry_find(const struct pq_doc_node *mapping, struct pmuq_str key);
/* The same, and it has to be there. */
int pq_entry_need(struct pq_doc *doc, const struct pq_doc_node *mapping, struct pmuq_str key,
		  const struct pq_doc_node **ret, struct pmuq_error **reterr);
/* A text, or the bytes of {base64: …}; without a NUL. */
int pq_entry_text(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str *ret,
		  struct pmuq_error **reterr);
/* The same, as the first line of a file is read: without white space around it or newlines. */
int pq_entry_line(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str *ret,
		  struct pmuq_error **reterr);
/* The same, as a whole file is read: without a newline at its end. */
int pq_entry_file(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str *ret,
		  struct pmuq_error **reterr);
int pq_entry_number(struct pq_doc *doc, const struct pq_doc_node *node, uint64_t max, uint64_t *ret,
		    struct pmuq_error **reterr);
int pq_entry_time(struct pq_doc *doc, const struct pq_doc_node *node, int64_t *ret,
		  struct pmuq_error **reterr);
/* "true", which is all that a flag can be. */
int pq_entry_flag(struct pq_doc *doc, const struct pq_doc_node *node, bool *ret,
		  struct pmuq_error **reterr);
/* The key of an entry as the name that it stands for; and whether that can be a file's. */
int pq_entry_key(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str *ret,
		 struct pmuq_error **reterr);
int pq_entry_key_of_file(struct pq_doc *doc, const struct pq_doc_node *node, struct pmuq_str *ret,
			 struct pmuq_error **reterr);
int pq_entry_file_name(struct pq_doc *doc, struct pmuq_str name, struct pq_doc_location at,
		       struct pmuq_error **reterr);
/* Memory that lasts as long as the document; the failure is the document's where it is too much. */
int pq_entry_array(struct pq_doc *doc, const struct pq_doc_node *node, size_t n, size_t each_bytes,
		   void *ret, struct pmuq_error **reterr);

/* ------------------------------------------------------------------------------- what they mean */

/* All that hosts have in common. The check, or NULL, is put out by itself: its time is the host's.
 */
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
/* read_check.c: the kernel that it says is to be the catalog's, and its PMUs are to be there. */
int pq_doc_read_check(struct pq_doc *doc, const struct pq_doc_node *node,
		      const struct pmuq_catalog *catalog, struct pmuq_check **ret,
		      struct pmuq_error **reterr);
/* Names of PMUs: those of `name`, or of `names`. */
int pq_doc_read_names(struct pq_doc *doc, const struct pq_doc_node *mapping, struct pmuq_str one,
		      struct pmuq_str many, struct pmuq_str **ret, size_t *ret_n,
		      struct pmuq_error **reterr);

/* read_hosts.c */
struct pq_doc_host {
	struct pmuq_str name; /* .p NULL: none */
	int64_t first_seen_s, checked_s;
	bool has_check;
	struct pmuq_pair *facts;
	size_t n_facts;
	struct pq_doc_location at;
};
int pq_doc_read_hosts(struct pq_doc *doc, const struct pq_doc_node *root, struct pq_doc_host **ret,
		      size_t *ret_n, struct pmuq_error **reterr);
/* Whether the tree is a document of this schema at all. */
int pq_doc_read_schema(struct pq_doc *doc, const struct pq_doc_node *root,
		       struct pmuq_error **reterr);

#endif
