/* SPDX-License-Identifier: MIT */
/*
 * /proc/cpuinfo of any bytes, on a machine whose other files do not list its CPUs. The list of CPUs
 * is a list; a capture, which keeps only the lines that pmuq reads, has the same facts; and a fact
 * is one line.
 */
#include "core/cpulist.h"
#include "tests/fuzz/fuzz_files.h"
#include "tests/unit/law.h"

static void law_of_cpus(const struct pmuq_catalog *catalog, const char *name)
{
	const char *text = pmuq_catalog_find_fact(catalog, name);
	struct pq_buf again = PQ_BUF_NULL;
	struct pq_arena arena = PQ_ARENA((size_t)1 << 20);
	struct pq_cpus cpus;

	if (!text)
		return;
	FUZZ_LAW(pq_cpus_parse(&arena, str_of(text), &cpus));
	pq_cpus_print(&cpus, &again);
	FUZZ_LAW(str_eq(str_of(text), pq_buf_str(&again)));
	pq_buf_free(&again);
	pq_arena_clear(&arena);
}

/* A fact is a line or a part of one. */
static void law_of_facts(const struct pmuq_catalog *catalog)
{
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_facts; i++) {
		struct pmuq_str text = pmuq_catalog_machine(catalog)->facts[i].text;

		FUZZ_LAW(!memchr(text.p, '\n', text.n));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_files files = { .n = 0 };
	struct pmuq_error *error = NULL;
	struct pmuq_catalog *catalog;
	struct fuzz_tar tar;

	fuzz_files_put(&files, 'f', STR("@cpu/type"), STR("4\n"));
	fuzz_files_put(&files, 'f', STR("proc/cpuinfo"),
		       (struct pmuq_str){ .p = (const char *)data, .n = size });
	tar = fuzz_tar_of_files(&files);
	catalog = fuzz_catalog_of(tar.path, &error);
	FUZZ_LAW(catalog);
	law_of_facts(catalog);
	law_of_cpus(catalog, "cpus_present");
	law_of_cpus(catalog, "cpus_online");
	law_check_singly(tar.path, true, catalog);
	fuzz_law_of_capture(tar.path, catalog);
	pmuq_catalog_free(catalog);
	fuzz_tar_close(&tar);
	return 0;
}
