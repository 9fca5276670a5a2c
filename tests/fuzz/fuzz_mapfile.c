/* SPDX-License-Identifier: MIT */
/*
 * A byte that selects the architecture, a CPU ID, a newline, and a mapfile.csv. A refusal names its
 * line and column. A row has a pattern and a target that are in the file; its pattern, which was
 * checked when it was read, can be matched with any ID; and a pattern without operators matches
 * itself.
 */
#include "tests/fuzz/fuzz_files.h"
#include "vendor/import/vendor_mapfile.h"
#include "core/vendor/vendor_match.h"

#define MEMORY_MAX_BYTES ((size_t)8 << 20)
/* Nothing matches a longer ID. */
#define CPUID_MAX_BYTES 128u

static const struct pmuq_str archs[] = { STR("x86"), STR("arm64"), STR("powerpc"), STR("riscv"),
					 STR("s390") };

static struct tree tree;

static bool is_plain(struct pmuq_str pattern)
{
	for (size_t i = 0; i < pattern.n; i++)
		if (!char_is_digit(pattern.p[i]) && !char_is_alpha(pattern.p[i]))
			return false;
	return pattern.n;
}

static bool matches(struct pmuq_str arch, struct pmuq_str pattern, struct pmuq_str cpuid)
{
	struct pmuq_error *error = NULL;
	bool is_match = false;
	int r = pq_vendor_matches(arch, pattern, cpuid, &is_match, &error);

	if (r < 0)
		fuzz_error(r, error);
	FUZZ_LAW(r == 0);
	return is_match;
}

static void law_of_row(const struct pq_vendor_mapfile *mapfile,
		       const struct pq_vendor_mapfile_row *row, struct pmuq_str arch,
		       struct pmuq_str cpuid)
{
	struct pmuq_str text = mapfile->file.text;

	FUZZ_LAW(row->pattern.n && row->target.n);
	FUZZ_LAW(row->offset <= text.n && row->pattern.n <= text.n - row->offset);
	FUZZ_LAW(row->target_offset <= text.n && row->target.n <= text.n - row->target_offset);
	FUZZ_LAW(str_eq(str_part(text, row->offset, row->offset + row->pattern.n), row->pattern));
	FUZZ_LAW(matches(arch, row->pattern, cpuid) == matches(arch, row->pattern, cpuid));
	if (is_plain(row->pattern) && !str_eq(arch, STR("arm64")) &&
	    row->pattern.n <= CPUID_MAX_BYTES)
		FUZZ_LAW(matches(arch, row->pattern, row->pattern));
}

static void law_of_file(struct pmuq_str arch, struct pmuq_str cpuid)
{
	struct pmuq_error *error = NULL;
	struct pq_vendor_tree dir = { .reterr = &error };
	struct pq_vendor_mapfile mapfile;
	struct pq_arena arena = PQ_ARENA(MEMORY_MAX_BYTES);

	pq_vendor_tree_open(&dir, tree.dir);
	if (pq_vendor_read_mapfile(&dir, STR("mapfile.csv"), arch, &arena, &mapfile)) {
		for (size_t i = 0; i < mapfile.n; i++)
			law_of_row(&mapfile, &mapfile.v[i], arch, cpuid);
	} else {
		FUZZ_LAW(dir.r < 0 && error);
		fuzz_error(dir.r, error);
		FUZZ_LAW(strstr(error->origin.p, "/mapfile.csv"));
	}
	pq_vendor_tree_close(&dir);
	pmuq_error_free(error);
	pq_arena_clear(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pmuq_str cpuid, csv, input = { .p = (const char *)data + 1, .n = size - 1 };

	if (!size || !str_cut(input, '\n', &cpuid, &csv))
		return -1;
	if (!tree.dir)
		tree_make(&tree);
	tree_bytes(&tree, "mapfile.csv", csv.p, csv.n);
	law_of_file(archs[data[0] % COUNT(archs)], cpuid);
	return 0;
}
