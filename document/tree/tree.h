/* SPDX-License-Identifier: MIT */
/*
 * One document as a tree of nodes with their locations. The parsers of YAML and JSON build it, and
 * parts/ reads its meaning. It enforces the limits of depth and size and that a key occurs once,
 * and reports errors with a location.
 */
#pragma once

#include "core/arena.h"
#include "core/catalog/model.h"
#include "core/error.h"
#include "core/limits.h"

/* The schema that every document names, under this key. */
#define PQ_SCHEMA_KEY STR("schema")
#define PQ_SCHEMA STR("pmuq.inventory/2")
#define PQ_SCHEMA_FAMILY STR("pmuq.inventory/")
#define PQ_SCHEMA_NUMBER 2u

/* Both from 1. */
struct pq_doc_location {
	uint32_t line, column;
};

enum pq_doc_node_type {
	PQ_DOC_TEXT,
	PQ_DOC_BARE, /* not quoted: a number, true, or, in YAML, a text */
	PQ_DOC_MAPPING,
	PQ_DOC_LIST,
};

/* In the arena of the document. A key or text has .p NULL if the node has none. */
struct pq_doc_node {
	struct pq_doc_node *next;  /* after it in the same mapping or list */
	struct pq_doc_node *first; /* in it */
	struct pmuq_str key, text;
	struct pq_doc_location at, key_at;
	uint32_t n; /* in it */
	enum pq_doc_node_type type;
};

/*
 * A document that is being read. The first error sticks, from the parser to the last check: it is
 * in *reterr, and its code in r. After it, all functions that read the document do nothing and
 * return an empty value, so that a reader needs no check between its steps. Code that must not run
 * after an error (a loop, making a table) checks r.
 */
struct pq_doc {
	int r;
	struct pmuq_error **reterr; /* of the caller of the API; may be NULL */
	struct pq_arena arena;
	struct pmuq_str origin;	      /* the file */
	struct pmuq_str text;	      /* of the document; the input's, until it reads the next */
	struct pq_doc_location start; /* where the text begins in the file */
	bool is_json;		      /* its columns are bytes, those of YAML characters */
	struct pq_doc_node *root;
	size_t n_nodes; /* at most PQ_NODES_MAX */

	/* The mappings and lists that are open, the outermost first. */
	struct pq_frame {
		struct pq_doc_node *node, *last;
		struct pmuq_str key;
		struct pq_doc_location key_at;
		bool has_key;
	} stack[PQ_DEPTH_MAX];
	size_t depth;
};

/* Sets the error unless there is one. Its origin is FILE:LINE:COLUMN, its input the line. */
void pq_doc_fail(struct pq_doc *doc, struct pq_doc_location at, enum pmuq_code code,
		 const char *format, ...) PQ_PRINTF(4, 5);
/* The same when the heap, or the arena of the document, has no memory. The arena is limited: a
 * document that needs more is not one of a machine. */
void pq_doc_fail_memory(struct pq_doc *doc);
void pq_doc_fail_arena(struct pq_doc *doc, struct pq_doc_location at);
/* The location after a text that begins at a location. */
struct pq_doc_location pq_doc_pass(struct pq_doc_location at, struct pmuq_str text);

/* A name, and where it is defined. */
struct pq_doc_named {
	struct pmuq_str name;
	struct pq_doc_location at;
};
/* The first name in the text that was already defined, in an array after that definition; NULL if
 * all differ. Sorts the names. */
const struct pq_doc_named *pq_doc_find_repeated(struct pq_doc_named *v, size_t n);

/* For the parsers, in the order of the text. In a mapping every second scalar is a key. */
void pq_tree_open(struct pq_doc *doc, enum pq_doc_node_type type, struct pq_doc_location at);
/* The text is copied. */
void pq_tree_scalar(struct pq_doc *doc, struct pmuq_str text, enum pq_doc_node_type type,
		    struct pq_doc_location at);
void pq_tree_close(struct pq_doc *doc);

/* Set doc->root, which stays NULL if the document is empty or has only comments. */
void pq_doc_read_yaml(struct pq_doc *doc);
void pq_doc_read_json(struct pq_doc *doc);
