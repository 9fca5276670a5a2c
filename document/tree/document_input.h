/* SPDX-License-Identifier: MIT */
/*
 * A file as a sequence of documents: of YAML, separated by the lines "---" and "...", or of JSON,
 * one value after the other or in an array. At most one document is in memory.
 */
#pragma once

#include "core/vec.h"
#include "document/tree/tree.h"

/*
 * The input owns its memory and its copy of the origin, and the descriptor only if it opens it.
 * Bytes of the caller are not copied; they must live until the input is closed.
 */
struct pq_doc_input {
	int fd;
	bool opens_file, is_at_end;
	bool is_known, is_json; /* the first byte was read */
	bool is_in_array;
	size_t n_items; /* of the array so far */
	size_t n_taken; /* bytes of the last document */
	char *origin;
	PQ_VEC(char) memory;		 /* what was read; empty for bytes of the caller */
	struct pmuq_str bytes;		 /* read and not yet returned */
	struct pq_doc_location location; /* where `bytes` begins */
};

#define PQ_DOC_INPUT_NULL ((struct pq_doc_input){ .fd = -1 })

/* The caller has set `fd`, or `opens_file` (its path is the origin), or `bytes` and `is_at_end`. 0,
 * -PMUQ_E_DOCUMENT_UNREADABLE, -PMUQ_E_MEMORY. It must be closed after a failure, too. */
int pq_doc_input_begin(struct pq_doc_input *input, const char *origin, struct pmuq_error **reterr);
void pq_doc_input_close(struct pq_doc_input *input);

/*
 * Sets the text, origin and start of `doc` to those of the next document; the text is valid until
 * the next call. False at the end of the file, and after an error of the document. `doc` has its
 * arena and its reterr already; a file that cannot be read is an error of the document.
 */
bool pq_doc_input_next(struct pq_doc_input *input, struct pq_doc *doc);
