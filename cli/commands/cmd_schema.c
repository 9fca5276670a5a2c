/* SPDX-License-Identifier: MIT */
/*
 * `pmuq schema`: prints the JSON Schemas of the output of other commands. They are made from the
 * descriptions of records that also print the output, so they always agree with it; schemas/
 * contains the same texts as files.
 */
#include "cli/options.h"
#include "cli/output/json_schema.h"
#include "cli/report.h"
#include <string.h>

/* The index-th document of all commands. */
static const struct document_type *document_at(size_t index)
{
	for (size_t i = 0; i < commands_count; i++) {
		const struct document_type *const *document = commands[i]->documents;

		for (; document && *document; document++)
			if (index-- == 0)
				return *document;
	}
	return NULL;
}

static const char *next_name(const void *of, size_t index)
{
	const struct document_type *document = document_at(index);

	(void)of;
	return document ? document->name : NULL;
}

static const struct document_type *find_document(const char *name)
{
	const struct document_type *document;

	for (size_t i = 0; (document = document_at(i)); i++)
		if (strcmp(document->name, name) == 0)
			return document;
	return NULL;
}

static enum status print_schema(const char *name)
{
	const struct document_type *document = find_document(name);
	const char *near = document ? NULL : nearest(name, next_name, NULL);

	if (document) {
		schema_print(document);
		return STATUS_OK;
	}
	if (near)
		report(REPORT_ERROR, "there is no schema '%s'; did you mean '%s'?", name, near);
	else
		report(REPORT_ERROR, "there is no schema '%s'; `pmuq schema` lists them", name);
	return STATUS_INVALID;
}

static enum status run_schema(const struct options *options)
{
	const struct document_type *document;

	if (options->n_operands)
		return print_schema(options->operands[0]);
	for (size_t i = 0; (document = document_at(i)); i++)
		printf("%-14s %s\n", document->name, document->title);
	return STATUS_OK;
}

const struct command cmd_schema = {
	.name = "schema",
	.arguments = "[NAME]",
	.n_most = 1,
	.summary = "print the JSON Schema of a command's output",
	.text = "Without NAME, list the schemas. A document has pmuq.NAME/1 as its schema. In the\n"
		"JSON Schema, $defs.line is a line of --jsonl. With -o, fields are missing.\n\n"
		"Examples:\n"
		"  pmuq schema encode\n",
	.run = run_schema,
};
