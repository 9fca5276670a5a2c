/* SPDX-License-Identifier: MIT */
/*
 * The JSON Schema (2020-12) of a document. Each type of record is a definition. References to a
 * definition forbid further members, so that a line of --jsonl can be a row plus its schema. A
 * record with variants is one of its variants, each a definition of its own.
 *
 * The schema is gathered as compact JSON from pieces that are written as JSON here, and copied to a
 * sink for its line breaks. A piece that is not valid JSON makes the whole schema fail.
 */
#include "cli/output/json_schema.h"
#include "cli/or_die.h"
#include "core/attr/attr.h"
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

/* The document and its definitions, with their properties, on a line each. */
#define LINE_LEVELS 4

#define RECORDS_MAX 32

struct schema {
	struct pq_buf text;
	const struct record_type *records[RECORDS_MAX]; /* in the order of their first use */
	size_t n_records;
	bool has_word, has_attr; /* some record has a field of that type */
};

/* ------------------------------------------------------------------------------ pieces of JSON */

/* A piece is JSON with ' for ", and %s for a word that needs no escapes; use add_text() for other
 * texts. The comma before an item is added if it is missing. */
static void add(struct schema *schema, const char *format, ...) PQ_PRINTF(2, 3);
static void add(struct schema *schema, const char *format, ...)
{
	struct pq_buf *text = &schema->text;
	va_list args;
	size_t start;

	if (text->n && !strchr("{[:", text->p[text->n - 1]) && !strchr("}]", *format))
		pq_buf_char(text, ',', 1);
	start = text->n;
	va_start(args, format);
	pq_buf_print_args(text, format, args);
	va_end(args);
	for (size_t i = start; i < text->n; i++)
		text->p[i] = text->p[i] == '\'' ? '"' : text->p[i];
}

static void escape(struct schema *schema, const char *text)
{
	for (; *text; text++) {
		pq_buf_char(&schema->text, '\\', *text == '"' || *text == '\\');
		pq_buf_char(&schema->text, *text, 1);
	}
}

/* A member with any text, and its unit in parentheses, which may be NULL. */
static void add_text(struct schema *schema, const char *key, const char *text, const char *unit)
{
	add(schema, "'%s':\"", key);
	escape(schema, text);
	if (unit)
		pq_buf_print(&schema->text, " (%s)", unit);
	pq_buf_char(&schema->text, '"', 1);
}

/* -------------------------------------------------------------------------------------- values */

/* All values that a text can have. */
static void add_words(struct schema *schema, const struct field *field)
{
	const char *word;

	add(schema, "'enum': [");
	for (unsigned i = 0; (word = field_word(field, i)); i++)
		add(schema, "'%s'", word);
	add(schema, "]");
}

/* By enum field_type; the others depend on the field. */
static const char *const types[] = {
	[FIELD_TEXT] = "'type': 'string'",
	[FIELD_NUMBER] = "'type': 'integer'",
	[FIELD_COUNT] = "'type': 'integer', 'minimum': 0",
	[FIELD_LITERAL] = "'type': 'number'",
	[FIELD_WORD] = "'$ref': '#/$defs/word'",
	[FIELD_BOOL] = "'type': 'boolean'",
	[FIELD_TIME] = "'type': 'string', 'format': 'date-time'",
	[FIELD_ATTR] = "'$ref': '#/$defs/attr'",
	[FIELD_HEX] = "'type': 'string', 'pattern': '^([0-9a-f]{2})*$'",
};

static const char *const patterns[] = {
	[PATTERN_DEFINITION] = "^[0-9a-f]{16}$",
	[PATTERN_CLASS] = "^[0-9a-f]{8}$",
	[PATTERN_CODE] = "^PMUQ-[0-9]{3,}$",
	[PATTERN_CODE_NAME] = "^[a-z][a-z0-9-]*$",
};

/* The schema of one value, without its braces. */
static void add_value(struct schema *schema, const struct field *field)
{
	const struct record_type *record = field_record(field);

	if (field->flags & FIELD_MIXED)
		add(schema, "'type': ['integer', 'string']");
	else if (record)
		add(schema, "'$ref': '#/$defs/%s', 'unevaluatedProperties': false", record->name);
	else if (field_word(field, 0))
		add_words(schema, field);
	else
		add(schema, "%s", types[field->type]);
	if (field->pattern)
		add_text(schema, "pattern", patterns[field->pattern], NULL);
}

/* A field of a record: a value, null instead of one, a list or a map of them. */
static void add_property(struct schema *schema, const struct field *field)
{
	const char *end = "}";

	add(schema, "'%s': {", field->name.p);
	if (field->help)
		add_text(schema, "description", field->help, field->unit);
	if (field->flags & (FIELD_MAP | FIELD_LIST)) {
		add(schema, field->flags & FIELD_MAP ? "'type': 'object', 'additionalProperties': {"
						     : "'type': 'array', 'items': {");
		end = "}}";
	} else if (field->flags & FIELD_NULLABLE) {
		add(schema, "'anyOf': [{'type': 'null'}, {");
		end = "}]}";
	}
	add_value(schema, field);
	pq_buf_add(&schema->text, str_of(end));
}

/* ------------------------------------------------------------------------------------- records */

/* The tag of a variant has exactly one value. */
static void add_properties(struct schema *schema, const struct record_type *type, size_t variant)
{
	const struct field *field;

	if (type && type->base)
		add_properties(schema, type->base, ALL_VARIANTS);
	for (size_t i = 0; type && (field = record_field(type, i)); i++) {
		if (!record_has_field(type, field, variant))
			continue;
		if (record_is_tag(type, field))
			add(schema,
			    field->type == FIELD_BOOL ? "'%s': {'const': %s}"
						      : "'%s': {'const': '%s'}",
			    type->tag.p, type->variants[variant]);
		else
			add_property(schema, field);
	}
}

/* A key that is not optional is always present, if necessary with null. */
static void add_required(struct schema *schema, const struct record_type *type, size_t variant)
{
	const struct field *field;

	if (type && type->base)
		add_required(schema, type->base, ALL_VARIANTS);
	for (size_t i = 0; type && (field = record_field(type, i)); i++)
		if (record_has_field(type, field, variant) &&
		    !(field->flags & record_optional_flags(type)))
			add(schema, "'%s'", field->name.p);
}

static void add_object(struct schema *schema, const struct record_type *type, size_t variant)
{
	add(schema, "'type': 'object', 'required': [");
	add_required(schema, type, variant);
	add(schema, "], 'properties': {");
	add_properties(schema, type, variant);
	add(schema, "}");
}

/* The name of a variant is like "open-status-refused". */
static void define_record(struct schema *schema, const struct record_type *type)
{
	const char *const *variants = type->variants;

	add(schema, "'%s': {", type->name);
	if (type->help)
		add_text(schema, "description", type->help, NULL);
	if (!variants)
		add_object(schema, type, ALL_VARIANTS);
	else
		add(schema, "'oneOf': [");
	for (size_t i = 0; variants && variants[i]; i++)
		add(schema, "{'$ref': '#/$defs/%s-%s-%s'}", type->name, type->tag.p, variants[i]);
	add(schema, variants ? "]}" : "}");
	for (size_t i = 0; variants && variants[i]; i++) {
		add(schema, "'%s-%s-%s': {", type->name, type->tag.p, variants[i]);
		add_object(schema, type, i);
		add(schema, "}");
	}
}

static void define_word(struct schema *schema)
{
	add(schema, "'word': {"
		    "'description': '64 bits; numbers of JSON lose some past 2^53',"
		    "'type': 'string',"
		    "'pattern': '^0x(0|[1-9a-f][0-9a-f]{0,15})$'}");
}

/* As attr_next_shown() has it. */
static void define_attr(struct schema *schema)
{
	const struct pmuq_field *field;

	add(schema, "'attr': {");
	add_text(schema, "description",
		 "The fields that are not 0, by the kernel's names; type, size and config always",
		 NULL);
	add(schema, "'type': 'object', 'required': ['type', 'size', 'config'], 'properties': {");
	for (unsigned i = 0; (field = pmuq_attr_field(i)); i++)
		add(schema, "'%s': {%s}", field->name.p,
		    types[field->format == PMUQ_FIELD_WORD ? FIELD_WORD : FIELD_NUMBER]);
	add(schema, "}, 'additionalProperties': false}");
}

/* ----------------------------------------------------------------------------------- documents */

/* The types of records that are referred to, each once. */
static void find_records(struct schema *schema, const struct record_type *type)
{
	const struct field *field;

	for (size_t i = 0; i < schema->n_records; i++)
		if (schema->records[i] == type)
			return;
	if (!type)
		return;
	assert(schema->n_records < RECORDS_MAX);
	schema->records[schema->n_records++] = type;
	for (; type; type = type->base)
		for (size_t i = 0; (field = record_field(type, i)); i++) {
			schema->has_word |= field->type == FIELD_WORD;
			schema->has_attr |= field->type == FIELD_ATTR;
			find_records(schema, field_record(field));
		}
}

/* A line of --jsonl: the members of that record, and the schema. */
static void add_line(struct schema *schema, const struct record_type *type)
{
	if (type)
		add(schema,
		    "{'$ref': '#/$defs/%s',"
		    "'required': ['schema'],"
		    "'properties': {'schema': {'$ref': '#/$defs/schema'}},"
		    "'unevaluatedProperties': false}",
		    type->name);
}

/* The definitions that the document and other definitions refer to. */
static void add_definitions(struct schema *schema, const struct document_type *type)
{
	find_records(schema, type->head);
	find_records(schema, type->row);
	find_records(schema, type->tail);
	add(schema, "'$defs': {'schema': {'const': 'pmuq.%s/1'}", type->name);
	add(schema, "'line': {'description': 'A line of --jsonl', 'anyOf': [");
	add_line(schema, type->row);
	add_line(schema, type->head);
	add_line(schema, type->tail);
	add(schema, "]}");
	for (size_t i = 0; i < schema->n_records; i++)
		define_record(schema, schema->records[i]);
	if (schema->has_attr)
		define_attr(schema);
	if (schema->has_attr || schema->has_word)
		define_word(schema);
	add(schema, "}");
}

static void add_document(struct schema *schema, const struct document_type *type)
{
	const struct field rows = { .name = str_of(type->rows),
				    .type = FIELD_RECORD,
				    .flags = FIELD_LIST,
				    .record = type->row };

	add(schema,
	    "{'$schema': 'https://json-schema.org/draft/2020-12/schema',"
	    "'$id': 'urn:pmuq:%s:1',"
	    "'title': '%s',"
	    "'type': 'object',"
	    "'required': ['schema'",
	    type->name, type->title);
	add_required(schema, type->head, ALL_VARIANTS);
	if (type->rows)
		add(schema, "'%s'", type->rows);
	add_required(schema, type->tail, ALL_VARIANTS);
	add(schema, "], 'properties': {'schema': {'$ref': '#/$defs/schema'}");
	add_properties(schema, type->head, ALL_VARIANTS);
	if (type->rows)
		add_property(schema, &rows);
	add_properties(schema, type->tail, ALL_VARIANTS);
	add(schema, "}, 'unevaluatedProperties': false");
	add_definitions(schema, type);
	add(schema, "}");
}

void schema_print(const struct document_type *type)
{
	struct schema schema = { 0 };
	struct pq_buf buf = PQ_BUF_NULL;
	struct pq_sink *sink = or_die(pq_sink_json(&buf, LINE_LEVELS));

	add_document(&schema, type);
	json_write(sink, pq_buf_str(&schema.text));
	pq_sink_end(sink);
	done_or_die(!sink->failed && !buf.failed && !schema.text.failed);
	fwrite(buf.p, 1, buf.n, stdout);
	pq_sink_free(sink);
	pq_buf_free(&buf);
	pq_buf_free(&schema.text);
}
