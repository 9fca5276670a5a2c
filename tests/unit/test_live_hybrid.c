/* SPDX-License-Identifier: MIT */
/*
 * A running hybrid machine: whether its kernel takes the type of a core PMU in the upper half of a
 * generic event is found by opening one for each core PMU. The kernel of this test is a function.
 */
#include "discover/lazy/lazy.h"
#include "tests/unit/tree.h"
#include <linux/perf_event.h>
#include <pmuq/pmuq.h>
#include <stdarg.h>
#include <sys/syscall.h>

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

#define OPENS_MAX 8

/* What the kernel does with the type, and what was opened. */
static struct {
	uint32_t refused_type;
	int errnum;
	struct perf_event_attr opened[OPENS_MAX];
	unsigned n_opened;
} kernel;

static long open_event(const struct perf_event_attr *attr)
{
	/* The attr is only as long as its size field. */
	assert_true(attr->size == PERF_ATTR_SIZE_VER0 && kernel.n_opened < OPENS_MAX);
	memcpy(&kernel.opened[kernel.n_opened++], attr, attr->size);
	if (attr->config >> 32 == kernel.refused_type) {
		errno = kernel.errnum;
		return -1;
	}
	return open("/dev/null", O_RDONLY | O_CLOEXEC);
}

long __wrap_syscall(long number, ...)
{
	va_list args;
	long v[5];

	va_start(args, number);
	for (int i = 0; i < 5; i++)
		v[i] = va_arg(args, long);
	va_end(args);
	return number == SYS_perf_event_open ? open_event((const struct perf_event_attr *)v[0])
					     : __real_syscall(number, v[0], v[1], v[2], v[3], v[4]);
}

static struct tree tree;

static int setup(void **state)
{
	(void)state;
	memset(&kernel, 0, sizeof(kernel));
	tree_make(&tree);
	tree_file(&tree, DEVICES "cpu_core/type", "4\n");
	tree_file(&tree, DEVICES "cpu_core/cpus", "0-3\n");
	tree_file(&tree, DEVICES "cpu_atom/type", "10\n");
	tree_file(&tree, DEVICES "cpu_atom/cpus", "4-7\n");
	tree_file(&tree, DEVICES "msr/type", "11\n");
	tree_file(&tree, "sys/devices/system/cpu/online", "0-7\n");
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	tree_remove(&tree);
	return 0;
}

static struct pmuq_source *open_as_live(void)
{
	struct pmuq_source *source = NULL;

	assert_int_equal(pmuq_source_open_tree(tree.dir, &source, NULL), 0);
	((struct pq_lazy *)source)->root.is_live = true;
	return source;
}

/* One open event for each core PMU, which counts nothing. */
static void expect_opened(const uint32_t *types, unsigned n)
{
	assert_int_equal(kernel.n_opened, n);
	for (unsigned i = 0; i < n; i++) {
		const struct perf_event_attr *attr = &kernel.opened[i];
		bool is_wanted = false;

		for (unsigned k = 0; k < n; k++)
			is_wanted |= attr->config == (uint64_t)types[k] << 32;
		assert_true(is_wanted);
		assert_true(i == 0 || attr->config != kernel.opened[0].config);
		assert_int_equal(attr->type, PERF_TYPE_HARDWARE);
		assert_true(attr->disabled && attr->exclude_kernel && attr->exclude_hv);
	}
}

/* NULL if there is none, or the call fails. */
static const char *extended_type(struct pmuq_source *source)
{
	const char *text = NULL;

	return pmuq_source_find_fact(source, "extended_type", &text, NULL) < 0 ? NULL : text;
}

static void expect_fact(const char *expected)
{
	struct pmuq_source *source = open_as_live();
	struct pmuq_catalog *catalog = NULL;
	unsigned n_opened;

	assert_string_equal(extended_type(source), expected);
	n_opened = kernel.n_opened;
	/* It is remembered. */
	assert_string_equal(extended_type(source), expected);
	assert_int_equal(kernel.n_opened, n_opened);
	pmuq_source_free(source);

	kernel.n_opened = 0;
	source = open_as_live();
	assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL), 0);
	assert_string_equal(pmuq_catalog_find_fact(catalog, "extended_type"), expected);
	assert_int_equal(kernel.n_opened, n_opened);
	pmuq_catalog_free(catalog);
	pmuq_source_free(source);
}

static void each_core_pmu_is_tried(void **state)
{
	static const uint32_t types[] = { 4, 10 };

	(void)state;
	expect_fact("yes");
	expect_opened(types, COUNT(types));
}

static void one_that_the_kernel_does_not_know_is_enough(void **state)
{
	static const struct {
		uint32_t type;
		int errnum;
		const char *fact;
	} rows[] = {
		{ 10, EINVAL, "no" }, { 4, EINVAL, "no" },   { 10, ENOENT, "no" },
		{ 4, ENOENT, "no" },  { 10, EACCES, "yes" }, { 4, EPERM, "yes" },
		{ 10, EBUSY, "yes" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		kernel.n_opened = 0;
		kernel.refused_type = rows[i].type;
		kernel.errnum = rows[i].errnum;
		expect_fact(rows[i].fact);
	}
}

static void without_a_descriptor_nothing_is_known(void **state)
{
	static const int errnums[] = { EMFILE, ENFILE, ENOMEM };

	(void)state;
	for (size_t i = 0; i < COUNT(errnums); i++) {
		struct pmuq_source *source = open_as_live();
		struct pmuq_catalog *catalog = NULL;

		kernel.n_opened = 0;
		kernel.refused_type = 10;
		kernel.errnum = errnums[i];
		assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL),
				 errnums[i] == ENOMEM ? -PMUQ_E_MEMORY : -PMUQ_E_TOO_MANY_FILES);
		assert_null(extended_type(source));
		/* And later it is. */
		kernel.n_opened = 0;
		kernel.refused_type = 0;
		assert_string_equal(extended_type(source), "yes");
		pmuq_source_free(source);
	}
}

static void one_core_pmu_needs_no_type(void **state)
{
	(void)state;
	tree_file(&tree, DEVICES "cpu_atom/type", "x\n");
	expect_fact("no");
	assert_int_equal(kernel.n_opened, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_core_pmu_is_tried, setup, teardown),
		cmocka_unit_test_setup_teardown(one_that_the_kernel_does_not_know_is_enough, setup,
						teardown),
		cmocka_unit_test_setup_teardown(without_a_descriptor_nothing_is_known, setup,
						teardown),
		cmocka_unit_test_setup_teardown(one_core_pmu_needs_no_type, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
