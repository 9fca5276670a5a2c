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

static struct pq_doc_location location_after(const struct pq_doc *doc, size_t n)
{
	return pq_doc_pass(doc->start, str_part(doc->text, 0, n < doc->text.n ? n : doc->text.n));
}

/* libyaml's description of an error, on one line. */
static void fail_parser(struct pq_doc *doc, const yaml_parser_t *parser)
{
	const char *problem = parser->problem ? parser->problem : "not YAML";
	const char *context = parser->context ? parser->context : "";

	if (parser->error == YAML_MEMORY_ERROR)
		pq_doc_fail_memory(doc);
	else if (parser->error == YAML_READER_ERROR)
		pq_doc_fail(doc, location_after(doc, parser->problem_offset), PMUQ_E_BAD_DOCUMENT,
			    "%s", problem);
	else
		pq_doc_fail(doc, location_of(doc, &parser->problem_mark), PMUQ_E_BAD_DOCUMENT,
			    "%s%s%s", context, *context ? ": " : "", problem);
}

/* Fails if the document has this: a pointer that libyaml sets, or a condition. */
static void refuse(struct pq_doc *doc, const yaml_event_t *event, bool has_it, const char *what)
{
	if (has_it)
		pq_doc_fail(doc, location_of(doc, &event->start_mark), PMUQ_E_REFUSED_YAML,
			    "a document may not contain %s", what);
}

static void take_scalar(struct pq_doc *doc, const yaml_event_t *event)
{
	struct pmuq_str text = { .p = (const char *)event->data.scalar.value,
				 .n = event->data.scalar.length };
	bool is_bare = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;

	refuse(doc, event, event->data.scalar.anchor, "an anchor");
	refuse(doc, event, event->data.scalar.tag, "a tag");
	pq_tree_scalar(doc, text, is_bare ? PQ_DOC_BARE : PQ_DOC_TEXT,
		       location_of(doc, &event->start_mark));
}

static void take_open(struct pq_doc *doc, const yaml_event_t *event, enum pq_doc_node_type type,
		      const yaml_char_t *anchor, const yaml_char_t *tag)
{
	refuse(doc, event, anchor, "an anchor");
	refuse(doc, event, tag, "a tag");
	pq_tree_open(doc, type, location_of(doc, &event->start_mark));
}

static void take_document(struct pq_doc *doc, const yaml_event_t *event)
{
	refuse(doc, event,
	       event->data.document_start.version_directive ||
		       event->data.document_start.tag_directives.start !=
			       event->data.document_start.tag_directives.end,
	       "a directive");
	if (doc->root)
		pq_doc_fail(doc, location_of(doc, &event->start_mark), PMUQ_E_BAD_DOCUMENT,
			    "another document begins without '---'");
}

static void take_event(struct pq_doc *doc, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_DOCUMENT_START_EVENT:
		take_document(doc, event);
		break;
	case YAML_ALIAS_EVENT:
		refuse(doc, event, true, "an alias");
		break;
	case YAML_SCALAR_EVENT:
		take_scalar(doc, event);
		break;
	case YAML_MAPPING_START_EVENT:
		take_open(doc, event, PQ_DOC_MAPPING, event->data.mapping_start.anchor,
			  event->data.mapping_start.tag);
		break;
	case YAML_SEQUENCE_START_EVENT:
		take_open(doc, event, PQ_DOC_LIST, event->data.sequence_start.anchor,
			  event->data.sequence_start.tag);
		break;
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT:
		pq_tree_close(doc);
		break;
	case YAML_NO_EVENT:
	case YAML_STREAM_START_EVENT:
	case YAML_STREAM_END_EVENT:
	case YAML_DOCUMENT_END_EVENT:
		break;
	}
}

static void read_events(struct pq_doc *doc, const struct pq_yaml *lib, yaml_parser_t *parser)
{
	bool is_over = false;

	while (doc->r == 0 && !is_over) {
		yaml_event_t event;

		if (!lib->parser_parse(parser, &event)) {
			fail_parser(doc, parser);
			return;
		}
		take_event(doc, &event);
		is_over = event.type == YAML_STREAM_END_EVENT;
		lib->event_delete(&event);
	}
}

void pq_doc_read_yaml(struct pq_doc *doc)
{
	yaml_parser_t parser;
	struct pq_yaml lib;

	doc->r = pq_yaml_load(&lib, doc->reterr);
	if (doc->r < 0)
		return;
	if (!lib.parser_initialize(&parser)) {
		pq_doc_fail_memory(doc);
		return;
	}
	lib.parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	lib.parser_set_input_string(&parser, (const unsigned char *)doc->text.p, doc->text.n);
	read_events(doc, &lib, &parser);
	lib.parser_delete(&parser);
}
