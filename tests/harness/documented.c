/* SPDX-License-Identifier: MIT */
#include "tests/harness/documented.h"
#include "tests/harness/same_catalog.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
	char *p;
	size_t n;
};

static char *printed(const char *where, struct pmuq_error *error)
{
	char *format = error ? pmuq_error_format(error) : NULL, *text = NULL;

	if (asprintf(&text, "%s: %s", where, format ? format : "failed") < 0)
		text = NULL;
	free(format);
	pmuq_error_free(error);
	return text;
}

static char *write_it(const struct pmuq_catalog *catalog, enum pmuq_document_form form,
		      struct text *ret)
{
	struct pmuq_writer *writer = NULL;
	struct pmuq_error *error = NULL;
	int r = pmuq_writer_new(&writer, &error);

	if (r == 0)
		r = pmuq_writer_add(writer, catalog, "a name", 1000000000, &error);
	if (r == 0)
		r = pmuq_writer_text(writer, form, &ret->p, &ret->n, &error);
	pmuq_writer_free(writer);
	return r < 0 ? printed("writing", error) : NULL;
}

static char *read_it(const struct text *text, struct pmuq_catalog **ret)
{
	struct pmuq_reader *reader = NULL;
	struct pmuq_error *error = NULL;
	int r = pmuq_reader_new(&reader, &error);

	if (r == 0)
		r = pmuq_reader_open_bytes(reader, text->p, text->n, "document", &error);
	if (r == 0)
		r = pmuq_reader_next(reader, ret, &error);
	if (r == 0 && (!*ret || strcmp(pmuq_reader_host(reader)->name.p, "a name") != 0 ||
		       pmuq_reader_host(reader)->first_seen_s != 1000000000)) {
		pmuq_reader_free(reader);
		return strdup("the host is not as it was written");
	}
	pmuq_reader_free(reader);
	return r < 0 ? printed("reading", error) : NULL;
}

static char *compare(const struct pmuq_catalog *catalog, const struct pmuq_catalog *again,
		     const struct text *text, enum pmuq_document_form form)
{
	struct text second = { 0 };
	char *difference = catalog_difference(catalog, again);

	if (!difference)
		difference = check_difference(pmuq_catalog_machine(catalog)->check,
					      pmuq_catalog_machine(again)->check);
	if (!difference)
		difference = write_it(again, form, &second);
	if (!difference && (second.n != text->n || memcmp(second.p, text->p, text->n) != 0))
		difference = strdup("written again it is another text");
	free(second.p);
	return difference;
}

static char *difference_as(const struct pmuq_catalog *catalog, enum pmuq_document_form form)
{
	struct pmuq_catalog *again = NULL;
	struct text text = { 0 };
	char *difference = write_it(catalog, form, &text);

	if (!difference)
		difference = read_it(&text, &again);
	if (!difference)
		difference = compare(catalog, again, &text, form);
	pmuq_catalog_free(again);
	free(text.p);
	return difference;
}

char *documented_difference(const struct pmuq_catalog *catalog)
{
	char *difference = difference_as(catalog, PMUQ_DOCUMENT_YAML);

	return difference ? difference : difference_as(catalog, PMUQ_DOCUMENT_JSON);
}
