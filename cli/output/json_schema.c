/* SPDX-License-Identifier: MIT */
/*
 * The JSON Schema (2020-12) of a document. Each type of record is a definition; whoever refers to
 * one forbids further members there, so that a line of --jsonl can be a row with its schema. A
 * record with variants is one of its variants, each a definition of its own.
 */
#include "cli/output/json_schema.h"
#include "cli/report.h"
#include <assert.h>
#include <string.h>

/* The document and its definitions, with their properties, on a line each. */
#define LINE_LEVELS 4

#define RECORDS_MAX 32

struct schema {
	struct pq_sink *sink;
	const struct record_type *records[RECORDS_MAX]; /* in the order of their first use */
	size_t n_records;
	bool has_word, has_attr;
};

/* ------------------------------------------------------------------------------ what is referred
 */

static void find_fields(struct schema *schema, const struct record_type *type);

static void find_records(struct schema *schema, const struct record_type *type)
{
	for (size_t i = 0; i < schema->n_records; i++)
		if (schema->records[i] == type)
			return;
	assert(schema->n_records < RECORDS_MAX);
	schema->records[schema->n_records++] = type;
	find_fields(schema, type);
}

static void find_fields(struct schema *schema, const struct record_type *type)
{
	const struct field *field;

	if (type->base)
		find_fields(schema, type->base);
	for (size_t i = 0; (field = record_field(type, i)); i++) {
		schema->has_word |= field->type == FIELD_WORD;
		schema->has_attr |= field->type == FIELD_ATTR;
		if (field->record)
			find_records(schema, field->record);
	}
}

/* --------------------------------------------------------------------------------- small words */

static void put_text(struct schema *schema, const char *key, const char *text)
{
	pq_sink_key(schema->sink, str_of(key));
	pq_sink_text(schema->sink, str_of(text));
}

static void open_member(struct schema *schema, const char *key, char bracket)
{
	pq_sink_key(schema->sink, str_of(key));
	pq_sink_open(schema->sink, bracket);
}

static void put_type(struct schema *schema, const char *type)
{
	put_text(schema, "type", type);
}

/* {"KEY": "WORD"} */
static void put_only(struct schema *schema, const char *key, const char *word)
{
	pq_sink_open(schema->sink, '{');
	put_text(schema, key, word);
	pq_sink_close(schema->sink, '}');
}

static void put_reference(struct schema *schema, const char *name)
{
	struct pq_buf text = PQ_BUF_NULL;

	pq_buf_print(&text, "#/$defs/%s", name);
	pq_sink_key(schema->sink, STR("$ref"));
	pq_sink_text(schema->sink, pq_buf_str(&text));
	pq_buf_free(&text);
}

static void forbid_more(struct schema *schema)
{
	pq_sink_key(schema->sink, STR("unevaluatedProperties"));
	pq_sink_bool(schema->sink, false);
}

/* -------------------------------------------------------------------------------------- values */

static void put_words(struct schema *schema, const struct field *field)
{
	const char *word;

	open_member(schema, "enum", '[');
	for (unsigned i = 0; (word = field->words ? field->words[i] : field->word(i)); i++)
		pq_sink_text(schema->sink, str_of(word));
	pq_sink_close(schema->sink, ']');
}

static void put_mixed(struct schema *schema)
{
	open_member(schema, "type", '[');
	pq_sink_text(schema->sink, STR("integer"));
	pq_sink_text(schema->sink, STR("string"));
	pq_sink_close(schema->sink, ']');
}

static void put_string(struct schema *schema, const struct field *field)
{
	if (field->words || field->word) {
		put_words(schema, field);
		return;
	}
	put_type(schema, "string");
	if (field->pattern)
		put_text(schema, "pattern", field->pattern);
}

static void put_value(struct schema *schema, const struct field *field)
{
	if (field->flags & FIELD_MIXED) {
		put_mixed(schema);
		return;
	}
	switch (field->type) {
	case FIELD_TEXT:
		put_string(schema, field);
		break;
	case FIELD_NUMBER:
		put_type(schema, "integer");
		break;
	case FIELD_COUNT:
		put_type(schema, "integer");
		pq_sink_key(schema->sink, STR("minimum"));
		pq_sink_count(schema->sink, 0);
		break;
	case FIELD_LITERAL:
		put_type(schema, "number");
		break;
	case FIELD_WORD:
		put_reference(schema, "word");
		break;
	case FIELD_BOOL:
		put_type(schema, "boolean");
		break;
	case FIELD_TIME:
		put_type(schema, "string");
		put_text(schema, "format", "date-time");
		break;
	case FIELD_ATTR:
		put_reference(schema, "attr");
		break;
	case FIELD_HEX:
		put_type(schema, "string");
		put_text(schema, "pattern", "^([0-9a-f]{2})*$");
		break;
	case FIELD_RECORD:
	case FIELD_JSON:
		put_reference(schema, field->record->name);
		forbid_more(schema);
		break;
	}
}

static void put_elements(struct schema *schema, const struct field *field, const char *type,
			 const char *key)
{
	put_type(schema, type);
	open_member(schema, key, '{');
	put_value(schema, field);
	pq_sink_close(schema->sink, '}');
}

static void put_single(struct schema *schema, const struct field *field)
{
	if (!(field->flags & FIELD_NULLABLE)) {
		put_value(schema, field);
		return;
	}
	open_member(schema, "anyOf", '[');
	put_only(schema, "type", "null");
	pq_sink_open(schema->sink, '{');
	put_value(schema, field);
	pq_sink_close(schema->sink, '}');
	pq_sink_close(schema->sink, ']');
}

static void put_help(struct schema *schema, const struct field *field)
{
	struct pq_buf text = PQ_BUF_NULL;

	if (!field->help)
		return;
	pq_buf_print(&text, field->unit ? "%s (%s)" : "%s", field->help, field->unit);
	pq_sink_key(schema->sink, STR("description"));
	pq_sink_text(schema->sink, pq_buf_str(&text));
	pq_buf_free(&text);
}

static void put_property(struct schema *schema, const struct field *field)
{
	pq_sink_key(schema->sink, field->name);
	pq_sink_open(schema->sink, '{');
	put_help(schema, field);
	if (field->flags & FIELD_MAP)
		put_elements(schema, field, "object", "additionalProperties");
	else if (field->flags & FIELD_LIST)
		put_elements(schema, field, "array", "items");
	else
		put_single(schema, field);
	pq_sink_close(schema->sink, '}');
}

/* ------------------------------------------------------------------------------------- records */

#define ALL_VARIANTS SIZE_MAX

static bool is_in(const struct field *field, size_t variant)
{
	return !field->in || variant == ALL_VARIANTS || field->in & IN_VARIANT(variant);
}

static bool is_tag(const struct record_type *type, const struct field *field)
{
	return type->tag && str_eq(field->name, str_of(type->tag));
}

static void put_tag(struct schema *schema, const struct field *field, const char *value)
{
	pq_sink_key(schema->sink, field->name);
	pq_sink_open(schema->sink, '{');
	pq_sink_key(schema->sink, STR("const"));
	if (field->type == FIELD_BOOL)
		pq_sink_bare(schema->sink, str_of(value));
	else
		pq_sink_text(schema->sink, str_of(value));
	pq_sink_close(schema->sink, '}');
}

static void put_properties(struct schema *schema, const struct record_type *type, size_t variant)
{
	const struct field *field;

	if (type && type->base)
		put_properties(schema, type->base, ALL_VARIANTS);
	for (size_t i = 0; type && (field = record_field(type, i)); i++) {
		if (!is_in(field, variant))
			continue;
		if (is_tag(type, field))
			put_tag(schema, field, type->variants[variant]);
		else
			put_property(schema, field);
	}
}

static void put_required(struct schema *schema, const struct record_type *type, size_t variant)
{
	const struct field *field;

	if (type && type->base)
		put_required(schema, type->base, ALL_VARIANTS);
	for (size_t i = 0; type && (field = record_field(type, i)); i++)
		if (is_in(field, variant) && !(field->flags & FIELD_OPTIONAL))
			pq_sink_text(schema->sink, field->name);
}

static void put_object(struct schema *schema, const struct record_type *type, size_t variant)
{
	put_type(schema, "object");
	open_member(schema, "required", '[');
	put_required(schema, type, variant);
	pq_sink_close(schema->sink, ']');
	open_member(schema, "properties", '{');
	put_properties(schema, type, variant);
	pq_sink_close(schema->sink, '}');
}

/* "open-status-refused", to be freed. */
static char *variant_name(const struct record_type *type, size_t variant)
{
	struct pq_buf name = PQ_BUF_NULL;

	pq_buf_print(&name, "%s-%s-%s", type->name, type->tag, type->variants[variant]);
	return pq_buf_take(&name);
}

static void put_variants(struct schema *schema, const struct record_type *type)
{
	open_member(schema, "oneOf", '[');
	for (size_t i = 0; type->variants[i]; i++) {
		auto_free char *name = variant_name(type, i);

		pq_sink_open(schema->sink, '{');
		put_reference(schema, name ? name : "");
		pq_sink_close(schema->sink, '}');
	}
	pq_sink_close(schema->sink, ']');
}

static void define_variants(struct schema *schema, const struct record_type *type)
{
	for (size_t i = 0; type->variants && type->variants[i]; i++) {
		auto_free char *name = variant_name(type, i);

		open_member(schema, name ? name : "", '{');
		put_object(schema, type, i);
		pq_sink_close(schema->sink, '}');
	}
}

static void define_record(struct schema *schema, const struct record_type *type)
{
	open_member(schema, type->name, '{');
	if (type->help)
		put_text(schema, "description", type->help);
	if (type->variants)
		put_variants(schema, type);
	else
		put_object(schema, type, ALL_VARIANTS);
	pq_sink_close(schema->sink, '}');
	define_variants(schema, type);
}

static void define_word(struct schema *schema)
{
	open_member(schema, "word", '{');
	put_text(schema, "description", "64 bits; numbers of JSON lose some past 2^53");
	put_type(schema, "string");
	put_text(schema, "pattern", "^0x(0|[1-9a-f][0-9a-f]{0,15})$");
	pq_sink_close(schema->sink, '}');
}

static void define_attr(struct schema *schema)
{
	static const char *const always[] = { "type", "size", "config" };
	const struct pmuq_field *field;

	open_member(schema, "attr", '{');
	put_text(schema, "description",
		 "The fields that are not 0, by the kernel's names; type, size and config always");
	put_type(schema, "object");
	open_member(schema, "required", '[');
	for (size_t i = 0; i < COUNT(always); i++)
		pq_sink_text(schema->sink, str_of(always[i]));
	pq_sink_close(schema->sink, ']');
	open_member(schema, "properties", '{');
	for (unsigned i = 0; (field = pmuq_attr_field(i)); i++) {
		open_member(schema, field->name.p, '{');
		if (field->format == PMUQ_FIELD_WORD)
			put_reference(schema, "word");
		else
			put_type(schema, "integer");
		pq_sink_close(schema->sink, '}');
	}
	pq_sink_close(schema->sink, '}');
	pq_sink_key(schema->sink, STR("additionalProperties"));
	pq_sink_bool(schema->sink, false);
	pq_sink_close(schema->sink, '}');
}

/* ----------------------------------------------------------------------------------- documents */

/* What a line of --jsonl may be: members of that record, and the schema. */
static void put_line(struct schema *schema, const struct record_type *type)
{
	if (!type)
		return;
	pq_sink_open(schema->sink, '{');
	put_reference(schema, type->name);
	open_member(schema, "required", '[');
	pq_sink_text(schema->sink, STR("schema"));
	pq_sink_close(schema->sink, ']');
	open_member(schema, "properties", '{');
	open_member(schema, "schema", '{');
	put_reference(schema, "schema");
	pq_sink_close(schema->sink, '}');
	pq_sink_close(schema->sink, '}');
	forbid_more(schema);
	pq_sink_close(schema->sink, '}');
}

static void define_line(struct schema *schema, const struct document_type *type)
{
	open_member(schema, "line", '{');
	put_text(schema, "description", "A line of --jsonl");
	open_member(schema, "anyOf", '[');
	put_line(schema, type->row);
	put_line(schema, type->head);
	put_line(schema, type->tail);
	pq_sink_close(schema->sink, ']');
	pq_sink_close(schema->sink, '}');
}

static void define_schema(struct schema *schema, const struct document_type *type)
{
	struct pq_buf name = PQ_BUF_NULL;

	pq_buf_print(&name, "pmuq.%s/1", type->name);
	open_member(schema, "schema", '{');
	pq_sink_key(schema->sink, STR("const"));
	pq_sink_text(schema->sink, pq_buf_str(&name));
	pq_sink_close(schema->sink, '}');
	pq_buf_free(&name);
}

static void put_definitions(struct schema *schema, const struct document_type *type)
{
	if (type->head)
		find_records(schema, type->head);
	if (type->row)
		find_records(schema, type->row);
	if (type->tail)
		find_records(schema, type->tail);
	open_member(schema, "$defs", '{');
	define_schema(schema, type);
	define_line(schema, type);
	for (size_t i = 0; i < schema->n_records; i++)
		define_record(schema, schema->records[i]);
	if (schema->has_attr)
		define_attr(schema);
	if (schema->has_word || schema->has_attr)
		define_word(schema);
	pq_sink_close(schema->sink, '}');
}

static void put_members(struct schema *schema, const struct document_type *type)
{
	open_member(schema, "required", '[');
	pq_sink_text(schema->sink, STR("schema"));
	put_required(schema, type->head, ALL_VARIANTS);
	if (type->rows)
		pq_sink_text(schema->sink, str_of(type->rows));
	put_required(schema, type->tail, ALL_VARIANTS);
	pq_sink_close(schema->sink, ']');
	open_member(schema, "properties", '{');
	open_member(schema, "schema", '{');
	put_reference(schema, "schema");
	pq_sink_close(schema->sink, '}');
	put_properties(schema, type->head, ALL_VARIANTS);
	if (type->rows) {
		const struct field rows = { .type = FIELD_RECORD, .record = type->row };

		open_member(schema, type->rows, '{');
		put_elements(schema, &rows, "array", "items");
		pq_sink_close(schema->sink, '}');
	}
	put_properties(schema, type->tail, ALL_VARIANTS);
	pq_sink_close(schema->sink, '}');
}

static void put_document(struct schema *schema, const struct document_type *type)
{
	struct pq_buf id = PQ_BUF_NULL;

	pq_buf_print(&id, "urn:pmuq:%s:1", type->name);
	pq_sink_open(schema->sink, '{');
	put_text(schema, "$schema", "https://json-schema.org/draft/2020-12/schema");
	pq_sink_key(schema->sink, STR("$id"));
	pq_sink_text(schema->sink, pq_buf_str(&id));
	put_text(schema, "title", type->title);
	put_type(schema, "object");
	put_members(schema, type);
	forbid_more(schema);
	put_definitions(schema, type);
	pq_sink_close(schema->sink, '}');
	pq_sink_end(schema->sink);
	pq_buf_free(&id);
}

enum status schema_print(const struct document_type *type)
{
	struct pq_buf buf = PQ_BUF_NULL;
	struct schema schema = { .sink = pq_sink_json(&buf, LINE_LEVELS) };
	bool has_failed = true;

	if (schema.sink) {
		put_document(&schema, type);
		has_failed = schema.sink->failed || buf.failed;
		fwrite(buf.p, 1, buf.n, stdout);
	}
	pq_sink_free(schema.sink);
	pq_buf_free(&buf);
	return has_failed ? report_failed("out of memory") : STATUS_OK;
}
