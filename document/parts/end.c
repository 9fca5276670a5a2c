/* SPDX-License-Identifier: MIT */
/*
 * The key `end`. YAML that is cut between two lines is still valid YAML, so each document has a
 * last key, and the last document of a file contains their number. The number of entries detects
 * lines that are missing in the middle; people who write a document by hand may omit it.
 */
#include "document/parts/entry.h"
#include "document/parts/parts.h"

// clang-format off
static const struct pq_doc_key keys[] = {
	PQ_DOC_KEY("entries",   COUNT, struct pq_doc_end, n_entries, PQ_DOC_HAS(struct pq_doc_end, has_entries)),
	PQ_DOC_KEY("documents", COUNT, struct pq_doc_end, n_documents, PQ_DOC_HAS(struct pq_doc_end, has_documents)),
};
// clang-format on

#define COPY_HINT "copy or export the file again"

/* ---- read */

static void fail_cut(struct pq_doc *doc)
{
	pq_doc_fail(doc, pq_doc_pass(doc->start, doc->text), PMUQ_E_DOCUMENT_CUT,
		    "the document ends here without its last key, 'end'");
	pq_error_hint(doc->reterr, COPY_HINT
		      "; a document that is written by hand ends with 'end: {}', and the last of "
		      "a file with 'end: {documents: N}', their number");
}

/* The root, `end` and the content of `end` are not counted. */
static void check_entries(struct pq_doc *doc, const struct pq_doc_node *node,
			  const struct pq_doc_end *end)
{
	uint64_t n = doc->n_nodes - 2 - node->n;

	if (doc->r < 0 || !end->has_entries || end->n_entries == n)
		return;
	pq_doc_fail(doc, node->at, PMUQ_E_DOCUMENT_CUT,
		    "the document has %llu entries, but 'end' has the number %llu",
		    (unsigned long long)n, (unsigned long long)end->n_entries);
	pq_error_hint(doc->reterr, COPY_HINT "; if it was edited, correct 'entries' or remove it");
}

struct pq_doc_end pq_doc_read_end(struct pq_doc *doc)
{
	const struct pq_doc_node *node = pq_entry_find(doc->root, PQ_DOC_END_KEY);
	struct pq_doc_end end = { 0 };

	if (!node) {
		fail_cut(doc);
		return end;
	}
	if (node->next)
		pq_doc_fail(doc, node->next->key_at, PMUQ_E_BAD_ENTRY,
			    "'end' must be the last key of the document");
	pq_doc_read_record(doc, node, keys, COUNT(keys), &end);
	check_entries(doc, node, &end);
	return end;
}

void pq_doc_check_file_end(struct pq_doc *doc, const struct pq_doc_end *end, uint64_t n_documents)
{
	if (doc->r < 0 || end->n_documents == n_documents)
		return;
	pq_doc_fail(doc, pq_entry_find(doc->root, PQ_DOC_END_KEY)->at, PMUQ_E_DOCUMENT_CUT,
		    "the file has %llu documents up to here, but 'end' has the number %llu",
		    (unsigned long long)n_documents, (unsigned long long)end->n_documents);
	pq_error_hint(doc->reterr, COPY_HINT "; if it was edited, correct 'documents'");
}

void pq_doc_fail_cut_file(struct pq_doc *doc, struct pq_doc_location at)
{
	pq_doc_fail(doc, at, PMUQ_E_DOCUMENT_CUT,
		    "the file ends here, but 'end' of its last document has no 'documents'");
	pq_error_hint(doc->reterr,
		      COPY_HINT "; if it was edited, add 'documents: N', the number of documents");
}

/* ---- write */

void pq_doc_write_end(struct pq_sink *sink, const struct pq_doc_end *end)
{
	pq_sink_key(sink, PQ_DOC_END_KEY);
	pq_sink_open(sink, '{');
	pq_doc_write_fields(sink, keys, COUNT(keys), end);
	pq_sink_close(sink, '}');
}
