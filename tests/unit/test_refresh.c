/* SPDX-License-Identifier: MIT */
/* A long-lived source: a refresh finds added and removed PMUs, and earlier results stay valid. */
#include "discover/lazy/lazy.h"
#include "tests/unit/odd.h"

static struct pmuq_source *open_tree(const struct tree *tree)
{
	struct pmuq_source *source = NULL;

	assert_int_equal(pmuq_source_open_tree(tree->dir, &source, NULL), 0);
	return source;
}

static bool is_changed(struct pmuq_source *source)
{
	bool changed;

	assert_int_equal(pmuq_source_refresh(source, &changed, NULL), 0);
	return changed;
}

static struct pmuq_encodings *encode(struct pmuq_source *source, const char *text)
{
	struct pmuq_encodings *encodings = NULL;
	int r = pmuq_source_encode(source, text, NULL, &encodings, NULL);

	return r < 0 ? NULL : encodings;
}

static void put_msr(const struct tree *tree, const char *type)
{
	put(tree, "msr/type", type);
	put(tree, "msr/format/event", "config:0-63\n");
	put(tree, "msr/events/tsc", "event=0x00\n");
}

static void an_unchanged_machine_has_no_change(void **state)
{
	struct tree *tree = *state;
	struct pmuq_source *source;

	make_cpu(tree);
	source = open_tree(tree);
	assert_true(is_changed(source)); /* the first time there is nothing to compare with */
	for (unsigned i = 0; i < 3; i++)
		assert_false(is_changed(source));
	pmuq_source_free(source);
}

static void a_pmu_that_came_is_found_and_old_results_stay(void **state)
{
	struct tree *tree = *state;
	struct pmuq_encodings *before, *after;
	struct pmuq_source *source;

	make_cpu(tree);
	source = open_tree(tree);
	is_changed(source);
	before = encode(source, "cpu/event=1/");
	assert_non_null(before);
	assert_null(encode(source, "msr/tsc/"));
	put_msr(tree, "10\n");
	assert_null(encode(source, "msr/tsc/")); /* until a refresh */
	assert_true(is_changed(source));
	after = encode(source, "msr/tsc/");
	assert_non_null(after);
	assert_string_equal(pmuq_encodings_get(before, 0)->pmu.p, "cpu");
	assert_string_equal(pmuq_encodings_get(before, 0)->name.p, "cpu/event=1/");
	pmuq_encodings_free(before);
	pmuq_encodings_free(after);
	pmuq_source_free(source);
}

static void a_module_that_came_back_has_another_type(void **state)
{
	struct tree *tree = *state;
	struct pmuq_encodings *encodings;
	struct pmuq_source *source;

	put_msr(tree, "10\n");
	source = open_tree(tree);
	is_changed(source);
	pmuq_encodings_free(encode(source, "msr/tsc/"));
	put_msr(tree, "11\n");
	assert_true(is_changed(source));
	encodings = encode(source, "msr/tsc/");
	assert_int_equal(pmuq_encodings_get(encodings, 0)->attr->type, 11);
	pmuq_encodings_free(encodings);
	pmuq_source_free(source);
}

static void a_cpu_that_went_offline_moves_a_cpumask(void **state)
{
	struct tree *tree = *state;
	struct pmuq_encodings *before, *after;
	struct pmuq_source *source;

	put_msr(tree, "10\n");
	put(tree, "msr/cpumask", "0\n");
	source = open_tree(tree);
	is_changed(source);
	before = encode(source, "msr/tsc/");
	put(tree, "msr/cpumask", "1\n");
	assert_true(is_changed(source));
	after = encode(source, "msr/tsc/");
	assert_string_equal(pmuq_encodings_get(before, 0)->cpus.p, "0");
	assert_string_equal(pmuq_encodings_get(after, 0)->cpus.p, "1");
	pmuq_encodings_free(before);
	pmuq_encodings_free(after);
	pmuq_source_free(source);
}

static void a_catalog_stays_and_a_new_one_is_new(void **state)
{
	struct tree *tree = *state;
	struct pmuq_catalog *before = NULL, *after = NULL;
	struct pmuq_source *source;

	make_cpu(tree);
	source = open_tree(tree);
	is_changed(source);
	assert_int_equal(pmuq_source_read_catalog(source, &before, NULL), 0);
	put_msr(tree, "10\n");
	assert_true(is_changed(source));
	assert_int_equal(pmuq_source_read_catalog(source, &after, NULL), 0);
	assert_null(pmuq_catalog_find_pmu(before, "msr"));
	assert_non_null(pmuq_catalog_find_pmu(after, "msr"));
	pmuq_source_free(source);
	assert_non_null(pmuq_catalog_find_pmu(before, "cpu"));
	pmuq_catalog_free(before);
	pmuq_catalog_free(after);
}

/* As in sysfs, although its files are the same. */
static void a_new_pmu_of_the_same_name_has_another_inode(void **state)
{
	struct tree *tree = *state;
	struct pmuq_source *source;
	char *msr = NULL, *old = NULL;
	uint64_t before;

	make_cpu(tree);
	put_msr(tree, "10\n");
	source = open_tree(tree);
	((struct pq_lazy *)source)->trusts_inodes = true;
	assert_true(is_changed(source));
	before = pmuq_source_opens(source);
	assert_false(is_changed(source));
	assert_true(pmuq_source_opens(source) - before <= 5); /* no file of a PMU */
	assert_true(asprintf(&msr, "%s/" DEVICES "msr", tree->dir) > 0);
	assert_true(asprintf(&old, "%s/old", tree->dir) > 0);
	assert_int_equal(rename(msr, old), 0);
	put_msr(tree, "10\n");
	assert_true(is_changed(source));
	assert_false(is_changed(source));
	pmuq_source_free(source);
	free(msr);
	free(old);
}

static void this_machine_can_be_refreshed(void **state)
{
	struct pmuq_source *source = NULL;

	(void)state;
	assert_int_equal(pmuq_source_open_live(&source, NULL), 0);
	assert_true(is_changed(source));
	assert_false(is_changed(source));
	pmuq_source_free(source);
}

#define WITH_TREE(f) cmocka_unit_test_setup_teardown(f, tree_setup, tree_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		WITH_TREE(an_unchanged_machine_has_no_change),
		WITH_TREE(a_pmu_that_came_is_found_and_old_results_stay),
		WITH_TREE(a_module_that_came_back_has_another_type),
		WITH_TREE(a_cpu_that_went_offline_moves_a_cpumask),
		WITH_TREE(a_catalog_stays_and_a_new_one_is_new),
		WITH_TREE(a_new_pmu_of_the_same_name_has_another_inode),
		cmocka_unit_test(this_machine_can_be_refreshed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
