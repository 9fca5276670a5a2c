/* SPDX-License-Identifier: MIT */
/*
 * Two machines: files as fuzz_files.h reads them, then a byte 0xfe, and what changes in them. Each
 * machine does not differ from itself or from its document; the changes in the other direction are
 * mirrored; and every change has a type, a weight and a sentence.
 */
#include "tests/fuzz/fuzz_files.h"
#include "tests/harness/diff_mirror.h"

#define BETWEEN ((char)0xfe)

static struct pmuq_catalog *machine_of(const struct fuzz_files *files)
{
	struct fuzz_tar tar = fuzz_tar_of_files(files);
	struct pmuq_error *error = NULL;
	struct pmuq_catalog *catalog = fuzz_catalog_of(tar.path, &error);

	pmuq_error_free(error);
	fuzz_tar_close(&tar);
	return catalog;
}

static void law_of_change(const struct pmuq_change *change)
{
	FUZZ_LAW(pmuq_change_type_name(change->type) && pmuq_weight_name(change->weight));
	FUZZ_LAW(change->text.p && change->text.n);
	FUZZ_LAW(change->text.p[change->text.n] == '\0');
	for (size_t i = 0; i < change->n_pmus; i++)
		FUZZ_LAW(change->pmus[i].n);
	for (size_t i = 0; i < change->n_new_pmus; i++)
		FUZZ_LAW(change->new_pmus[i].n);
}

static size_t count_changes(const struct pmuq_catalog *a, const struct pmuq_catalog *b)
{
	struct pmuq_diff *diff = NULL;
	size_t n;

	FUZZ_LAW(pmuq_catalog_diff(a, b, NULL, &diff, NULL) == 0);
	n = pmuq_diff_count(diff);
	for (size_t i = 0; i < n; i++)
		law_of_change(pmuq_diff_get(diff, i));
	FUZZ_LAW(!pmuq_diff_get(diff, n));
	pmuq_diff_free(diff);
	return n;
}

static void law_of_two(const struct pmuq_catalog *a, const struct pmuq_catalog *b)
{
	auto_free char *difference = NULL;

	FUZZ_LAW(count_changes(a, a) == 0);
	FUZZ_LAW(count_changes(b, b) == 0);
	FUZZ_LAW(count_changes(a, b) == count_changes(b, a));
	difference = diff_mirror_difference(a, b);
	if (!difference)
		return;
	fprintf(stderr, "%s\n", difference);
	fuzz_broken(__FILE__, __LINE__, "the other direction is mirrored");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pmuq_str before, after, input = { .p = (const char *)data, .n = size };
	struct fuzz_files files = { .n = 0 };
	struct pmuq_catalog *a, *b;

	if (!str_cut(input, BETWEEN, &before, &after))
		return -1;
	fuzz_files_read(&files, before);
	a = machine_of(&files);
	fuzz_files_read(&files, after);
	b = machine_of(&files);
	if (a && b)
		law_of_two(a, b);
	pmuq_catalog_free(a);
	pmuq_catalog_free(b);
	return 0;
}
