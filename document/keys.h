/* SPDX-License-Identifier: MIT */
/*
 * Tables of keys. A key of a document is one row: its name, and the field of a record that its
 * value is read into and written from. So the reader and the writer agree, and a new key is a new
 * row. If the value of a key is more than one field, it is a PQ_DOC_KEY_PART, which the part of the
 * document (parts/) reads and writes by the row's name.
 */
#pragma once

#include "core/text/sink.h"
#include "document/tree/tree.h"
#include <pmuq/open.h>

/* The type of the value, and of the field: a row of the table in keys.c. */
enum pq_doc_key_type {
	PQ_DOC_KEY_PART,
	PQ_DOC_KEY_TEXT,   /* struct pmuq_str; .p is NULL without the key, as in the next two */
	PQ_DOC_KEY_LINE,   /* the same, without newlines and without blanks around it */
	PQ_DOC_KEY_SCALE,  /* the same, a decimal number as core/num.h prints it, and not zero */
	PQ_DOC_KEY_COUNT,  /* uint64_t */
	PQ_DOC_KEY_ERRNO,  /* int; 0 without the key */
	PQ_DOC_KEY_TIME,   /* int64_t, seconds since 1970; 0 without the key */
	PQ_DOC_KEY_FLAG,   /* bool: "true", or no key */
	PQ_DOC_KEY_CODE,   /* enum pmuq_code: the name of an error */
	PQ_DOC_KEY_STATUS, /* enum pmuq_open_status */
};

struct pq_doc_key {
	struct pmuq_str name;
	enum pq_doc_key_type type;
	size_t offset;	   /* of the field */
	size_t has_offset; /* of a bool that is set if the key exists; 0: no such member */
	bool is_required;
};

/* A row whose value is the field of a record. */
#define PQ_DOC_KEY(key, key_type, record, field, ...)                                              \
	{                                                                                          \
		.name = STR(key), .type = PQ_DOC_KEY_##key_type,                                   \
		.offset = offsetof(record, field), __VA_ARGS__                                     \
	}
#define PQ_DOC_HAS(record, field) .has_offset = offsetof(record, field)

/* The maximum number of a mapping's own keys. */
#define PQ_DOC_KEYS_MAX 24u

/* Whether a record has a value for the key. */
bool pq_doc_key_is_set(const struct pq_doc_key *key, const void *record);
/* Sets the field to the value of an entry, and the bool of has_offset. Texts are in the document's
 * arena. */
void pq_doc_key_read(struct pq_doc *doc, const struct pq_doc_node *entry,
		     const struct pq_doc_key *key, void *ret_record);

/* The fields of a mapping that may have other keys, too. A field without its key keeps its value.
 */
void pq_doc_read_fields(struct pq_doc *doc, const struct pq_doc_node *mapping,
			const struct pq_doc_key *keys, size_t n, void *ret_record);
/* The same for a node that must be a mapping with these keys only. */
void pq_doc_read_record(struct pq_doc *doc, const struct pq_doc_node *node,
			const struct pq_doc_key *keys, size_t n, void *ret_record);
/* Writes the keys that are set, in the order of the table, without brackets. */
void pq_doc_write_fields(struct pq_sink *sink, const struct pq_doc_key *keys, size_t n,
			 const void *record);

/* "opened" */
struct pmuq_str pq_doc_status_word(enum pmuq_open_status status);
