/* SPDX-License-Identifier: MIT */
/* Parses a YAML document with libyaml, event by event. Anchors, aliases and tags are errors: they
 * can make a small document expand, or change what a text means. */
#include "core/text/yaml_lib.h"
#include "document/tree/tree.h"

static struct pq_doc_location location_of(const struct pq_doc *doc, const yaml_mark_t *mark)
{
	return (struct pq_doc_location){ .line = doc->start.line + (uint32_t)mark->line,
					 .column = (uint32_t)mark->column + 1 };
}

/* libyaml's description of an error, on one line. */
static int fail_parser(struct pq_doc *doc, const yaml_parser_t *parser, struct pmuq_error **reterr)
{
	const char *problem = parser->problem ? parser->problem : "not YAML";
	const char *context = parser->context ? parser->context : "";

	if (parser->error == YAML_MEMORY_ERROR)
		return pq_fail_memory(reterr);
	if (parser->error == YAML_READER_ERROR)
		return pq_doc_fail(doc, pq_doc_locate(doc, parser->problem_offset), reterr,
				   PMUQ_E_BAD_DOCUMENT, "%s", problem);
	return pq_doc_fail(doc, location_of(doc, &parser->problem_mark), reterr,
			   PMUQ_E_BAD_DOCUMENT, "%s%s%s", context, *context ? ": " : "", problem);
}

static int refuse(struct pq_doc *doc, const yaml_event_t *event, const char *what,
		  struct pmuq_error **reterr)
{
	return pq_doc_fail(doc, location_of(doc, &event->start_mark), reterr, PMUQ_E_REFUSED_YAML,
			   "%s, of which a document has no need", what);
}

static int take_scalar(struct pq_doc *doc, const yaml_event_t *event, struct pmuq_error **reterr)
{
	struct pmuq_str text = { .p = (const char *)event->data.scalar.value,
				 .n = event->data.scalar.length };
	bool is_bare = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;

	if (event->data.scalar.anchor)
		return refuse(doc, event, "an anchor", reterr);
	if (event->data.scalar.tag)
		return refuse(doc, event, "a tag", reterr);
	return pq_tree_scalar(doc, text, is_bare ? PQ_DOC_BARE : PQ_DOC_TEXT,
			      location_of(doc, &event->start_mark), reterr);
}

static int take_open(struct pq_doc *doc, const yaml_event_t *event, enum pq_doc_node_type type,
		     const yaml_char_t *anchor, const yaml_char_t *tag, struct pmuq_error **reterr)
{
	if (anchor)
		return refuse(doc, event, "an anchor", reterr);
	if (tag)
		return refuse(doc, event, "a tag", reterr);
	return pq_tree_open(doc, type, location_of(doc, &event->start_mark), reterr);
}

static int take_document(struct pq_doc *doc, const yaml_event_t *event, struct pmuq_error **reterr)
{
	if (event->data.document_start.version_directive ||
	    event->data.document_start.tag_directives.start !=
		    event->data.document_start.tag_directives.end)
		return refuse(doc, event, "a directive", reterr);
	if (doc->root)
		return pq_doc_fail(doc, location_of(doc, &event->start_mark), reterr,
				   PMUQ_E_BAD_DOCUMENT, "another document begins without '---'");
	return 0;
}

static int take_event(struct pq_doc *doc, const yaml_event_t *event, struct pmuq_error **reterr)
{
	switch (event->type) {
	case YAML_DOCUMENT_START_EVENT:
		return take_document(doc, event, reterr);
	case YAML_ALIAS_EVENT:
		return refuse(doc, event, "an alias", reterr);
	case YAML_SCALAR_EVENT:
		return take_scalar(doc, event, reterr);
	case YAML_MAPPING_START_EVENT:
		return take_open(doc, event, PQ_DOC_MAPPING, event->data.mapping_start.anchor,
				 event->data.mapping_start.tag, reterr);
	case YAML_SEQUENCE_START_EVENT:
		return take_open(doc, event, PQ_DOC_LIST, event->data.sequence_start.anchor,
				 event->data.sequence_start.tag, reterr);
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT:
		return pq_tree_close(doc, reterr);
	case YAML_NO_EVENT:
	case YAML_STREAM_START_EVENT:
	case YAML_STREAM_END_EVENT:
	case YAML_DOCUMENT_END_EVENT:
		break;
	}
	return 0;
}

static int read_events(struct pq_doc *doc, const struct pq_yaml *lib, yaml_parser_t *parser,
		       struct pmuq_error **reterr)
{
	bool is_over = false;
	int r = 0;

	while (r == 0 && !is_over) {
		yaml_event_t event;

		if (!lib->parser_parse(parser, &event))
			return fail_parser(doc, parser, reterr);
		r = take_event(doc, &event, reterr);
		is_over = event.type == YAML_STREAM_END_EVENT;
		lib->event_delete(&event);
	}
	return r == 0 && !doc->root ? PQ_NONE : r;
}

int pq_doc_read_yaml(struct pq_doc *doc, struct pmuq_error **reterr)
{
	yaml_parser_t parser;
	struct pq_yaml lib;
	int r = pq_yaml_load(&lib, reterr);

	if (r < 0)
		return r;
	if (!lib.parser_initialize(&parser))
		return pq_fail_memory(reterr);
	lib.parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	lib.parser_set_input_string(&parser, (const unsigned char *)doc->text.p, doc->text.n);
	r = read_events(doc, &lib, &parser, reterr);
	lib.parser_delete(&parser);
	return r;
}
