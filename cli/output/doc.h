/* SPDX-License-Identifier: MIT */
/* Members of a document from C strings (core/text/sink.h), and the attr, which many have. */
#ifndef PQ_CLI_DOC_H
#define PQ_CLI_DOC_H

#include "core/text/sink.h"
#include <pmuq/attr.h>

static inline void doc_open(struct pq_sink *doc, char bracket)
{
	pq_sink_open(doc, bracket);
}

static inline void doc_close(struct pq_sink *doc, char bracket)
{
	pq_sink_close(doc, bracket);
}

static inline void doc_key(struct pq_sink *doc, const char *name)
{
	pq_sink_key(doc, str_of(name));
}

static inline void doc_string(struct pq_sink *doc, const char *text)
{
	pq_sink_text(doc, str_of(text));
}

/* A key and its text; NULL becomes "". */
static inline void doc_text(struct pq_sink *doc, const char *key, const char *text)
{
	doc_key(doc, key);
	doc_string(doc, text ? text : "");
}

/* Nothing if there is no text. */
static inline void doc_text_if(struct pq_sink *doc, const char *key, const char *text)
{
	if (text)
		doc_text(doc, key, text);
}

/* NULL becomes null. */
static inline void doc_string_or_null(struct pq_sink *doc, const char *text)
{
	if (text)
		doc_string(doc, text);
	else
		pq_sink_null(doc);
}

/* The key "attr" and the fields that are set; `type` and `size` always. */
void doc_attr(struct pq_sink *doc, const struct pmuq_attr *attr);

#endif
