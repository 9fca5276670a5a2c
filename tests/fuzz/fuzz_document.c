/* SPDX-License-Identifier: MIT */
/*
 * Documents, YAML or JSON by their first byte. The machines can be written in both forms; the
 * written text is read as the same machine and written again as the same text. A refusal has a
 * location. What a reader has read before does not matter.
 */
#include "tests/fuzz/fuzz.h"
#include <string.h>

struct text {
	char *p;
	size_t n;
};

static struct text write_machine(const struct pmuq_catalog *catalog, const char *name,
				 int64_t first_seen_s, enum pmuq_document_form form)
{
	struct pmuq_writer *writer = NULL;
	struct text text = { 0 };

	FUZZ_LAW(pmuq_writer_new(&writer, NULL) == 0);
	FUZZ_LAW(pmuq_writer_add(writer, catalog, name, first_seen_s, NULL) == 0);
	FUZZ_LAW(pmuq_writer_text(writer, form, &text.p, &text.n, NULL) == 0);
	FUZZ_LAW(text.p[text.n] == '\0');
	pmuq_writer_free(writer);
	return text;
}

static void law_of_text(const struct text *text, enum pmuq_document_form form)
{
	struct pmuq_catalog *catalog = NULL;
	struct pmuq_reader *reader = NULL;
	struct text again;

	FUZZ_LAW(pmuq_reader_new(&reader, NULL) == 0);
	FUZZ_LAW(pmuq_reader_open_bytes(reader, text->p, text->n, "written", NULL) == 0);
	FUZZ_LAW(pmuq_reader_next(reader, &catalog, NULL) == 0);
	FUZZ_LAW(catalog);
	again = write_machine(catalog, pmuq_reader_host(reader)->name.p,
			      pmuq_reader_host(reader)->first_seen_s, form);
	fuzz_same("written", text->p, "written again", again.p);
	FUZZ_LAW(again.n == text->n);
	free(again.p);
	pmuq_catalog_free(catalog);
	pmuq_reader_free(reader);
}

static void law_of_machine(const struct pmuq_catalog *catalog, const struct pmuq_reader *reader)
{
	for (int form = PMUQ_DOCUMENT_YAML; form <= PMUQ_DOCUMENT_JSON; form++) {
		struct text text = write_machine(catalog, pmuq_reader_host(reader)->name.p,
						 pmuq_reader_host(reader)->first_seen_s,
						 (enum pmuq_document_form)form);

		law_of_text(&text, (enum pmuq_document_form)form);
		free(text.p);
	}
}

static void law_of_refusal(int r, struct pmuq_error *error)
{
	FUZZ_LAW(error);
	fuzz_error(r, error);
	FUZZ_LAW(error->code == PMUQ_E_MEMORY || strncmp(error->origin.p, "input:", 6) == 0);
}

/* How many machines the input has, with the error that ends it. */
static size_t read_input(struct pmuq_reader *reader, const char *bytes, size_t size,
			 struct pmuq_error **reterr)
{
	struct pmuq_catalog *catalog;
	size_t n = 0;
	int r;

	FUZZ_LAW(pmuq_reader_open_bytes(reader, bytes, size, "input", NULL) == 0);
	for (;; n++) {
		catalog = NULL;
		r = pmuq_reader_next(reader, &catalog, reterr);
		if (r < 0 || !catalog)
			break;
		law_of_machine(catalog, reader);
		pmuq_catalog_free(catalog);
	}
	if (r < 0)
		law_of_refusal(r, *reterr);
	return n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	auto_free char *bytes = fuzz_cstr(data, size);
	struct pmuq_reader *reader = NULL;
	struct pmuq_error *first = NULL, *second = NULL;
	size_t n;

	FUZZ_LAW(pmuq_reader_new(&reader, NULL) == 0);
	n = read_input(reader, bytes, size, &first);
	FUZZ_LAW(read_input(reader, bytes, size, &second) == n);
	FUZZ_LAW(!first == !second);
	if (first) {
		fuzz_same("first", first->message.p, "second", second->message.p);
		fuzz_same("first", first->origin.p, "second", second->origin.p);
	}
	pmuq_error_free(first);
	pmuq_error_free(second);
	pmuq_reader_free(reader);
	return 0;
}
