/* SPDX-License-Identifier: MIT */
/*
 * What a document is made of, told to whoever writes it: mappings, lists, texts, numbers. A
 * failure sticks, and is asked for at the end. The maker embeds this at the start of its object.
 */
#ifndef PQ_DOCUMENT_SINK_H
#define PQ_DOCUMENT_SINK_H

#include "core/error.h"
#include "core/sha256.h"
#include "document/document_text.h"

struct pq_sink {
	void (*open)(struct pq_sink *sink, char bracket);  /* '{' or '[' */
	void (*close)(struct pq_sink *sink, char bracket); /* '}' or ']' */
	/* Texts are pq_is_text(). */
	void (*key)(struct pq_sink *sink, struct pmuq_str text);
	void (*text)(struct pq_sink *sink, struct pmuq_str text);
	void (*bare)(struct pq_sink *sink, struct pmuq_str text); /* a number, true */
	bool failed;
};

/* A name as a key, whatever bytes it has. */
void pq_sink_name(struct pq_sink *sink, struct pmuq_str name);
/* A value, whatever bytes it has. */
void pq_sink_value(struct pq_sink *sink, struct pmuq_str text);
void pq_sink_number(struct pq_sink *sink, uint64_t number);
/* A key and its value, in one. */
void pq_sink_pair(struct pq_sink *sink, struct pmuq_str name, struct pmuq_str text);

/* Writers of text. One document after the other: begin, what it is made of, end. */
struct pq_form {
	struct pq_sink *sink;
	void (*begin)(struct pq_sink *sink);
	void (*end)(struct pq_sink *sink);
	/* When all is written. 0, or a failure. */
	int (*finish)(struct pq_sink *sink, struct pmuq_error **reterr);
	void (*free)(struct pq_sink *sink);
};
/* Both write to `buf`; JSON of more than one document is an array. */
int pq_form_yaml(struct pq_buf *buf, struct pq_form *ret, struct pmuq_error **reterr);
int pq_form_json(struct pq_buf *buf, bool is_array, struct pq_form *ret,
		 struct pmuq_error **reterr);

/* No text, but a hash of what it was told. */
struct pq_sink_hash {
	struct pq_sink sink;
	struct pq_sha256 sha;
};
void pq_sink_hash_begin(struct pq_sink_hash *hash);
void pq_sink_hash_end(struct pq_sink_hash *hash, uint8_t ret[PQ_SHA256_BYTES]);

#endif
