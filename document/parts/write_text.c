/* SPDX-License-Identifier: MIT */
/*
 * Names and values of any bytes in a document: what is not text becomes base64. parts/entry.c reads
 * them.
 */
#include "core/text/utf8.h"
#include "document/base64.h"
#include "document/parts/parts.h"

/* A name that begins like base64 would be read as base64. */
static bool can_be_key(struct pmuq_str name)
{
	return pq_utf8_is_text(name) && !str_starts(name, PQ_BASE64_KEY);
}

void pq_doc_write_name(struct pq_sink *sink, struct pmuq_str name)
{
	cleanup(pq_buf_free) struct pq_buf key = PQ_BUF_NULL;

	if (can_be_key(name)) {
		pq_sink_key(sink, name);
		return;
	}
	pq_buf_add(&key, PQ_BASE64_KEY);
	pq_base64_print(&key, name);
	sink->failed |= key.failed;
	pq_sink_key(sink, pq_buf_str(&key));
}

void pq_doc_write_value(struct pq_sink *sink, struct pmuq_str text)
{
	cleanup(pq_buf_free) struct pq_buf base64 = PQ_BUF_NULL;

	if (pq_utf8_is_text(text)) {
		pq_sink_text(sink, text);
		return;
	}
	pq_base64_print(&base64, text);
	sink->failed |= base64.failed;
	pq_sink_open(sink, '{');
	pq_sink_key(sink, PQ_BASE64_VALUE);
	pq_sink_text(sink, pq_buf_str(&base64));
	pq_sink_close(sink, '}');
}

void pq_doc_write_pair(struct pq_sink *sink, struct pmuq_str name, struct pmuq_str text)
{
	pq_doc_write_name(sink, name);
	pq_doc_write_value(sink, text);
}
