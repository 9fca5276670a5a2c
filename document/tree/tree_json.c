/* SPDX-License-Identifier: MIT */
/*
 * A document of JSON as a tree, with the location of each value. The tokens come from
 * core/text/json_read.h.
 */
#include "core/text/json_read.h"
#include "document/tree/tree.h"

static struct pq_doc_location location_of(const struct pq_doc *doc,
					  const struct pq_json_reader *json)
{
	uint32_t from = json->line_start ? 1 : doc->start.column;

	return (struct pq_doc_location){ .line = doc->start.line + json->line,
					 .column = (uint32_t)(json->start - json->line_start) +
						   from };
}

static void fail_json(struct pq_doc *doc, const struct pq_json_reader *json)
{
	bool is_end = json->start >= json->text.n;

	if (!json->problem)
		pq_doc_fail_memory(doc);
	else
		pq_doc_fail(doc, location_of(doc, json), PMUQ_E_BAD_DOCUMENT, "%s%s",
			    is_end ? "the text ends here: " : "", json->problem);
}

static void take(struct pq_doc *doc, const struct pq_json_reader *json, enum pq_json_token token)
{
	struct pq_doc_location at = location_of(doc, json);

	switch (token) {
	case PQ_JSON_OPEN_OBJECT:
	case PQ_JSON_OPEN_LIST:
		pq_tree_open(doc, token == PQ_JSON_OPEN_LIST ? PQ_DOC_LIST : PQ_DOC_MAPPING, at);
		break;
	case PQ_JSON_CLOSE:
		pq_tree_close(doc);
		break;
	case PQ_JSON_KEY:
	case PQ_JSON_TEXT:
	case PQ_JSON_BARE:
		pq_tree_scalar(doc, json->value, token == PQ_JSON_BARE ? PQ_DOC_BARE : PQ_DOC_TEXT,
			       at);
		break;
	case PQ_JSON_BAD:
		fail_json(doc, json);
		break;
	case PQ_JSON_END:
		break;
	}
}

void pq_doc_read_json(struct pq_doc *doc)
{
	struct pq_json_reader json = { .text = doc->text, .text_max_bytes = PQ_SCALAR_MAX_BYTES };
	enum pq_json_token token;

	if (pq_json_is_all(&json))
		return;
	do {
		token = pq_json_next(&json);
		take(doc, &json, token);
	} while (doc->r == 0 && token != PQ_JSON_END);
	if (doc->r == 0 && !pq_json_is_all(&json))
		fail_json(doc, &json);
	pq_json_clear(&json);
}
