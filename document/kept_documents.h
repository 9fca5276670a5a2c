/* SPDX-License-Identifier: MIT */
/*
 * Documents that a reader has read lately. An inventory can have a file for each host: many differ
 * in their lists of hosts only, and what they share is parsed once. It is found by its bytes.
 */
#pragma once

#include "document/parts/parts.h"

/* The text of a document. After the list of hosts a line begins with another key, so the list ends
 * in the same way if the text ends there. */
struct pq_doc_text {
	struct pmuq_str before, hosts, after;
};

struct pq_kept_document {
	char *text; /* before and after the hosts; NULL: there is no document */
	size_t n_before, n_after;
	size_t n_nodes; /* of the document, from its root to the end of the hosts */
	struct pmuq_catalog *base;
	struct pmuq_check *check; /* NULL: none */
	struct pq_doc_end end;
};

struct pq_kept_documents {
	struct pq_kept_document v[PQ_KEPT_DOCUMENTS];
	size_t n_added;
};

/* The document with the same text before and after its hosts; NULL: none. */
const struct pq_kept_document *pq_doc_find_kept(const struct pq_kept_documents *kept,
						const struct pq_doc *doc, struct pq_doc_text *ret);
/* Keeps a document that was read, and references to what its hosts share; drops the oldest one if
 * there are too many. Without memory, or if it is long, nothing is kept. */
void pq_doc_keep(struct pq_kept_documents *kept, const struct pq_doc *doc,
		 const struct pmuq_catalog *base, const struct pmuq_check *check,
		 const struct pq_doc_end *end);
void pq_doc_free_kept(struct pq_kept_documents *kept);
