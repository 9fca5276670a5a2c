/* SPDX-License-Identifier: MIT */
/*
 * A file of documents, cut into them: of YAML at the lines "---" and "...", of JSON where a value
 * ends, be it one of an array. No more than one document is held, and what is in a document is not
 * looked at.
 */
#ifndef PQ_DOCUMENT_INPUT_H
#define PQ_DOCUMENT_INPUT_H

#include "core/vec.h"
#include "document/read/tree.h"

struct pq_doc_input {
	int fd;
	bool owns_fd, is_at_end;
	bool is_known, is_json; /* how it begins was looked at */
	bool is_in_array;
	size_t n_items; /* of the array, so far */
	size_t n_taken; /* bytes of the document that was put out last */
	char *origin;
	struct {
		PQ_VEC(char);
	} memory;			 /* what was read; empty for bytes of the caller */
	struct pmuq_str bytes;		 /* read and not yet returned */
	struct pq_doc_location location; /* where they begin */
};

#define PQ_DOC_INPUT_NULL ((struct pq_doc_input){ .fd = -1 })

/* 0, -PMUQ_E_DOCUMENT_UNREADABLE, -PMUQ_E_MEMORY. Close it also after a failure. */
int pq_doc_input_open(struct pq_doc_input *input, const char *path, struct pmuq_error **reterr);
int pq_doc_input_open_fd(struct pq_doc_input *input, int fd, const char *origin,
			 struct pmuq_error **reterr);
int pq_doc_input_open_bytes(struct pq_doc_input *input, struct pmuq_str bytes, const char *origin,
			    struct pmuq_error **reterr);
void pq_doc_input_close(struct pq_doc_input *input);

/*
 * The next document's text and place, and what else of `doc` says where it is from; the text lasts
 * until the next call. PQ_END at the end of the file.
 */
int pq_doc_input_next(struct pq_doc_input *input, struct pq_doc *doc, struct pmuq_error **reterr);

/* Words for an errno, whatever the locale. Static. */
const char *pq_document_errno_text(int errnum);

#endif
