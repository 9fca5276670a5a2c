/* SPDX-License-Identifier: MIT */
/* The config of intel_pt before any term, for CPUs with other caps than the captured ones. */
#include "tests/unit/tree.h"
#include <pmuq/pmuq.h>

#define PT DEVICES "intel_pt/"
#define ALWAYS 0x2401 /* pt, tsc, branch */
#define MTC(period) (0x200 | (period) << 14)
#define PSB(period) ((period) << 24)

static const struct row {
	const char *mtc, *mtc_periods, *psb_cyc, *psb_periods; /* NULL: there is no such file */
	uint64_t config;
} rows[] = {
	{ NULL, NULL, NULL, NULL, ALWAYS },
	{ "1", "249", "1", "3f", ALWAYS | MTC(3) | PSB(3) },
	/* Without a file the CPU has the feature if it has periods. */
	{ NULL, "249", NULL, "3f", ALWAYS | MTC(3) | PSB(3) },
	{ "0", "249", "1", "3f", ALWAYS | PSB(3) },
	{ "1", "249", "0", "3f", ALWAYS | MTC(3) },
	{ "0", "249", "0", "3f", ALWAYS },
	{ "1", NULL, "1", "3f", ALWAYS },
	{ "1", "0", "1", "3f", ALWAYS },
	{ "1", "249", "1", NULL, ALWAYS | MTC(3) },
	{ "1", "249", "1", "0", ALWAYS | MTC(3) },
	/* Hexadecimal; any other text counts as no file. */
	{ "x", "249", "y", "3f", ALWAYS | MTC(3) | PSB(3) },
	{ "1", "x", "1", "3f", ALWAYS },
	{ "1", "249", "1", "x", ALWAYS | MTC(3) },
	/* The period next to 3; of two, the lower. */
	{ "1", "10", "1", "4", ALWAYS | MTC(4) | PSB(2) },
	{ "1", "14", "1", "14", ALWAYS | MTC(2) | PSB(2) },
	{ "1", "1", "1", "8000", ALWAYS | MTC(0) | PSB(15) },
	{ "1", "21", "1", "41", ALWAYS | MTC(5) | PSB(0) },
	{ "1", "42", "1", "8001", ALWAYS | MTC(1) | PSB(0) },
};

static void add_cap(const struct tree *tree, const char *path, const char *text)
{
	char *line = NULL;

	if (!text)
		return;
	assert_true(asprintf(&line, "%s\n", text) > 0);
	tree_file(tree, path, line);
	free(line);
}

static void make_machine(const struct tree *tree, const struct row *row)
{
	tree_file(tree, PT "type", "9\n");
	tree_file(tree, PT "format/pt", "config:0\n");
	tree_file(tree, PT "format/mtc", "config:9\n");
	tree_file(tree, PT "format/tsc", "config:10\n");
	tree_file(tree, PT "format/branch", "config:13\n");
	tree_file(tree, PT "format/mtc_period", "config:14-17\n");
	tree_file(tree, PT "format/psb_period", "config:24-27\n");
	add_cap(tree, PT "caps/mtc", row->mtc);
	add_cap(tree, PT "caps/mtc_periods", row->mtc_periods);
	add_cap(tree, PT "caps/psb_cyc", row->psb_cyc);
	add_cap(tree, PT "caps/psb_periods", row->psb_periods);
}

static void the_config_follows_the_caps(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pmuq_encodings *encodings = NULL;
		struct pmuq_source *source = NULL;
		struct tree tree;

		tree_make(&tree);
		make_machine(&tree, &rows[i]);
		assert_int_equal(pmuq_source_open_tree(tree.dir, &source, NULL), 0);
		assert_int_equal(pmuq_source_encode(source, "intel_pt//", NULL, &encodings, NULL),
				 0);
		if (pmuq_encodings_get(encodings, 0)->attr->config != rows[i].config)
			fail_msg("row %zu: %llx, not %llx", i,
				 (unsigned long long)pmuq_encodings_get(encodings, 0)->attr->config,
				 (unsigned long long)rows[i].config);
		pmuq_encodings_free(encodings);
		pmuq_source_free(source);
		tree_remove(&tree);
	}
}

/* As on kernels that do not know the feature; a format of another word is not for the config. */
static void a_format_that_is_missing_or_elsewhere_is_not_set(void **state)
{
	static const struct {
		const char *path, *text; /* one more format */
		uint64_t config;
	} more[] = {
		{ "format/tsc", "config:10", 0x400 },
		{ "format/tsc", "config1:10", 0 },
		{ "format/pt", "config:0", 0 },
		{ "format/branch", "config:13", 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(more); i++) {
		struct pmuq_encodings *encodings = NULL;
		struct pmuq_source *source = NULL;
		auto_free char *path = NULL;
		struct tree tree;

		tree_make(&tree);
		tree_file(&tree, PT "type", "9\n");
		tree_file(&tree, PT "caps/mtc_periods", "249\n");
		assert_true(asprintf(&path, PT "%s", more[i].path) > 0);
		tree_file(&tree, path, more[i].text);
		assert_int_equal(pmuq_source_open_tree(tree.dir, &source, NULL), 0);
		assert_int_equal(pmuq_source_encode(source, "intel_pt//", NULL, &encodings, NULL),
				 0);
		assert_true(pmuq_encodings_get(encodings, 0)->attr->config == more[i].config);
		assert_true(pmuq_encodings_get(encodings, 0)->attr->config1 == 0);
		pmuq_encodings_free(encodings);
		pmuq_source_free(source);
		tree_remove(&tree);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_config_follows_the_caps),
		cmocka_unit_test(a_format_that_is_missing_or_elsewhere_is_not_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
