/* SPDX-License-Identifier: MIT */
/*
 * What the helper process gets from its parent: a socket, and /dev/null. The fake helper reports
 * its descriptors and its environment as the name of its library.
 */
#include "tests/harness/pfm.h"
#include "tests/unit/tree.h"

#define TIMEOUT_MS 60000

struct opened {
	const char *name;
	int number; /* of the parent's descriptor, without O_CLOEXEC */
};

static const struct opened descriptors[] = {
	{ "none", -1 },
	{ "the first that is free", 3 },
	{ "after a gap", 100 },
	{ "a large number", 900 },
};

static void expect_inherited(const char *helper)
{
	struct pmuq_pfm *pfm = pfm_open(helper, TIMEOUT_MS);
	const char *inherited, *build_id;

	assert_int_equal(pmuq_pfm_library(pfm, &inherited, &build_id, NULL), 0);
	assert_string_equal(inherited, "0 1 2 ");
	pmuq_pfm_free(pfm);
}

static void test_inherited(void **state)
{
	struct tree tree;
	char *helper;

	(void)state;
	tree_make(&tree);
	helper = tree_path(&tree, "inherited");
	assert_int_equal(symlink(getenv("PMUQ_TEST_FAKE_PFM"), helper), 0);
	assert_int_equal(setenv("LD_AUDIT", "/nonexistent/audit.so", 1), 0);
	for (size_t i = 0; i < COUNT(descriptors); i++) {
		int number = descriptors[i].number;

		if (number >= 0)
			assert_int_equal(dup2(STDERR_FILENO, number), number);
		expect_inherited(helper);
	}
	for (size_t i = 0; i < COUNT(descriptors); i++)
		close(descriptors[i].number);
	free(helper);
	tree_remove(&tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inherited),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
