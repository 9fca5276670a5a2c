/* SPDX-License-Identifier: MIT */
/* Write a machine as YAML, and read it again: */
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	struct pmuq_source *machine = NULL;
	struct pmuq_catalog *catalog = NULL, *again = NULL;
	struct pmuq_writer *writer = NULL;
	struct pmuq_reader *reader = NULL;
	char *text = NULL;
	size_t n_text = 0;
	int r = pmuq_source_open_tree("pentium4", &machine, NULL);

	if (r == 0)
		r = pmuq_source_read_catalog(machine, &catalog, NULL);
	if (r == 0)
		r = pmuq_writer_new(&writer, NULL);
	if (r == 0)
		r = pmuq_writer_add(writer, catalog, "old", 0, NULL);
	if (r == 0)
		r = pmuq_writer_text(writer, PMUQ_DOCUMENT_YAML, &text, &n_text,
							 NULL);
	if (r == 0)
		r = pmuq_reader_new(&reader, NULL);
	if (r == 0)
		r = pmuq_reader_open_bytes(reader, text, n_text, "text", NULL);
	if (r == 0)
		r = pmuq_reader_next(reader, &again, NULL);
	if (r == 0)
		printf("%s: %zu PMUs\n", pmuq_reader_host(reader)->name.p,
			   pmuq_catalog_machine(again)->n_pmus);
	pmuq_catalog_free(again);
	pmuq_reader_free(reader);
	free(text);
	pmuq_writer_free(writer);
	pmuq_catalog_free(catalog);
	pmuq_source_free(machine);
	return r < 0;
}
