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

static int fail_json(struct pq_doc *doc, const struct pq_json_reader *json,
		     struct pmuq_error **reterr)
{
	bool is_end = json->start >= json->text.n;

	if (!json->problem)
		return pq_fail_memory(reterr);
	return pq_doc_fail(doc, location_of(doc, json), reterr, PMUQ_E_BAD_DOCUMENT, "%s%s",
			   is_end ? "the text ends here: " : "", json->problem);
}

static int take(struct pq_doc *doc, const struct pq_json_reader *json, enum pq_json_token token,
		struct pmuq_error **reterr)
{
	struct pq_doc_location at = location_of(doc, json);

	switch (token) {
	case PQ_JSON_OPEN_OBJECT:
		return pq_tree_open(doc, PQ_DOC_MAPPING, at, reterr);
	case PQ_JSON_OPEN_LIST:
		return pq_tree_open(doc, PQ_DOC_LIST, at, reterr);
	case PQ_JSON_CLOSE:
		return pq_tree_close(doc, reterr);
	case PQ_JSON_KEY:
	case PQ_JSON_TEXT:
		return pq_tree_scalar(doc, json->value, PQ_DOC_TEXT, at, reterr);
	case PQ_JSON_BARE:
		return pq_tree_scalar(doc, json->value, PQ_DOC_BARE, at, reterr);
	case PQ_JSON_BAD:
		return fail_json(doc, json, reterr);
	case PQ_JSON_END:
		break;
	}
	return 0;
}

int pq_doc_read_json(struct pq_doc *doc, struct pmuq_error **reterr)
{
	struct pq_json_reader json = { .text = doc->text, .text_max_bytes = PQ_SCALAR_MAX_BYTES };
	enum pq_json_token token;
	int r;

	if (pq_json_is_all(&json))
		return PQ_NONE;
	do {
		token = pq_json_next(&json);
		r = take(doc, &json, token, reterr);
	} while (r == 0 && token != PQ_JSON_END);
	if (r == 0 && !pq_json_is_all(&json))
		r = fail_json(doc, &json, reterr);
	pq_json_clear(&json);
	return r;
}
