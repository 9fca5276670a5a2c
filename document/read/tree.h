/* SPDX-License-Identifier: MIT */
/*
 * One document as a tree of what stands where, made by the reader of YAML or of JSON and then
 * looked through by those that know what it means. Here is what holds for both: how deep, how
 * large, no key twice; and how a fault is told with its place.
 */
#ifndef PQ_DOCUMENT_TREE_H
#define PQ_DOCUMENT_TREE_H

#include "core/arena.h"
#include "core/catalog/model.h"
#include "core/error.h"

/* What every document begins with. */
#define PQ_SCHEMA STR("pmuq.inventory/1")
#define PQ_SCHEMA_FAMILY STR("pmuq.inventory/")

#define PQ_DEPTH_MAX 8u
#define PQ_NODES_MAX 1000000u
/* What 64 KiB, the largest file that is read of a machine, are in base64. */
#define PQ_SCALAR_MAX_BYTES ((size_t)88 << 10)
#define PQ_DOCUMENT_MAX_BYTES ((size_t)32 << 20)

/* Counted from 1. */
struct pq_doc_location {
	uint32_t line, column;
};

enum pq_doc_node_type {
	PQ_DOC_TEXT,
	PQ_DOC_BARE, /* not quoted: a number, true, or in YAML also a text */
	PQ_DOC_MAPPING,
	PQ_DOC_LIST,
};

struct pq_doc_node {
	struct pq_doc_node *next;  /* behind it in the same mapping or list */
	struct pq_doc_node *first; /* in it */
	struct pmuq_str key, text;
	struct pq_doc_location at, key_at;
	uint32_t n; /* in it */
	enum pq_doc_node_type type;
};

/* A document while it is read. */
struct pq_doc {
	struct pq_arena arena;
	struct pmuq_str origin;	      /* the file */
	struct pmuq_str text;	      /* of the document */
	struct pq_doc_location start; /* where that begins in the file */
	bool is_json;		      /* columns are bytes there, in YAML characters */
	struct pq_doc_node *root;
	size_t n_nodes;

	struct pq_frame {
		struct pq_doc_node *node, *last;
		struct pmuq_str key;
		struct pq_doc_location key_at;
		bool has_key;
	} stack[PQ_DEPTH_MAX];
	size_t depth;
};

/* The origin of an error is FILE:LINE:COLUMN, its input the line. */
int pq_doc_fail(struct pq_doc *doc, struct pq_doc_location at, struct pmuq_error **reterr,
		enum pmuq_code code, const char *format, ...) PQ_PRINTF(5, 6);
/* The place of that byte of doc->text. */
struct pq_doc_location pq_doc_locate(const struct pq_doc *doc, size_t offset);

/* As the text is walked through, from front to back. In a mapping every second scalar is a key. */
int pq_tree_open(struct pq_doc *doc, enum pq_doc_node_type type, struct pq_doc_location at,
		 struct pmuq_error **reterr);
/* The text is copied. */
int pq_tree_scalar(struct pq_doc *doc, struct pmuq_str text, enum pq_doc_node_type type,
		   struct pq_doc_location at, struct pmuq_error **reterr);
int pq_tree_close(struct pq_doc *doc, struct pmuq_error **reterr);

/* Both fill doc->root; PQ_NONE when there is nothing but comments. */
int pq_doc_read_yaml(struct pq_doc *doc, struct pmuq_error **reterr);
int pq_doc_read_json(struct pq_doc *doc, struct pmuq_error **reterr);

#endif
