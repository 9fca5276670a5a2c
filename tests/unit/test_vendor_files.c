/* SPDX-License-Identifier: MIT */
/*
 * The files of a vendor's tree, with openat2(2) and on a kernel that refuses it: nothing outside of
 * the tree is read in either way, and without openat2(2) no symbolic link is followed.
 */
#include "tests/unit/tree.h"
#include "vendor/import/vendor_files.h"
#include <pmuq/pmuq.h>
#include <stdarg.h>
#include <sys/syscall.h>

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

/* The errno of openat2(2), or 0 for the kernel's own result. */
static int refusal;
static unsigned n_refused;

long __wrap_syscall(long number, ...)
{
	va_list args;
	long a, b, c, d;

	va_start(args, number);
	a = va_arg(args, long);
	b = va_arg(args, long);
	c = va_arg(args, long);
	d = va_arg(args, long);
	va_end(args);
	if (number != SYS_openat2 || !refusal)
		return __real_syscall(number, a, b, c, d);
	n_refused++;
	errno = refusal;
	return -1;
}

static struct tree tree;

static int setup(void **state)
{
	(void)state;
	tree_make(&tree);
	tree_file(&tree, "outside.json", "outside");
	tree_file(&tree, "in/a.json", "first");
	tree_file(&tree, "in/dir/b.json", "second");
	tree_file(&tree, "in/dir/deep/c.json", "third");
	tree_file(&tree, "in/.hidden", "");
	tree_link(&tree, "in/inner.json", "dir/b.json");
	tree_link(&tree, "in/inner", "dir");
	tree_link(&tree, "in/up.json", "../outside.json");
	tree_link(&tree, "in/up", "..");
	tree_link(&tree, "in/absolute.json", "/etc/passwd");
	tree_link(&tree, "in/broken.json", "nothing.json");
	tree_fifo(&tree, "in/fifo.json");
	refusal = 0;
	n_refused = 0;
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	refusal = 0;
	tree_remove(&tree);
	return 0;
}

struct read_row {
	const char *path;
	const char *with, *without; /* the text; "!" and a part of the error; NULL: no such file */
};

static const struct read_row rows[] = {
	{ "a.json", "first", "first" },		  { "dir/b.json", "second", "second" },
	{ "dir/deep/c.json", "third", "third" },  { "nothing.json", NULL, NULL },
	{ "nothing/b.json", NULL, NULL },	  { "inner.json", "second", "!link" },
	{ "inner/b.json", "second", "!" },	  { "up.json", "!leads out", "!link" },
	{ "up/outside.json", "!leads out", "!" }, { "absolute.json", "!leads out", "!link" },
	{ "broken.json", NULL, "!link" },	  { "fifo.json", "!regular", "!regular" },
	{ "dir", "!regular", "!regular" },	  { "a.json/b.json", "!", "!" },
};

/* One tree for each file, because the first error sticks. */
static void reads(const struct read_row *row, const char *expected)
{
	struct pmuq_error *error = NULL;
	struct pq_vendor_tree files = { .reterr = &error };
	struct pq_vendor_file file = { 0 };
	char *dir = tree_path(&tree, "in");
	bool is_read;

	pq_vendor_tree_open(&files, dir);
	is_read = pq_vendor_read(&files, str_of(row->path), &file);
	if (expected && expected[0] != '!') {
		if (!is_read || strcmp(file.text.p, expected) != 0)
			fail_msg("%s: %s", row->path, error ? error->message.p : "another text");
	} else if (is_read) {
		fail_msg("%s is read: %s", row->path, file.text.p);
	} else if (!expected) {
		assert_int_equal(files.r, 0);
	} else {
		if (!error || !strstr(error->message.p, expected + 1))
			fail_msg("%s: %s", row->path, error ? error->message.p : "no error");
		assert_int_equal(files.r, -PMUQ_E_REFUSED_VENDOR_FILE);
		assert_non_null(strstr(error->origin.p, row->path));
	}
	pq_vendor_tree_close(&files);
	pmuq_error_free(error);
	free(dir);
}

static void with_openat2_links_within_the_tree_are_followed(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		reads(&rows[i], rows[i].with);
}

static void without_openat2_no_link_is_followed(void **state)
{
	static const int refusals[] = { ENOSYS, EPERM };

	(void)state;
	for (size_t r = 0; r < COUNT(refusals); r++) {
		refusal = refusals[r];
		for (size_t i = 0; i < COUNT(rows); i++)
			reads(&rows[i], rows[i].without);
	}
	assert_true(n_refused > 2 * COUNT(rows));
}

/* Any other error of openat2(2) is about the file: there is no second way. */
static void another_error_of_openat2_is_the_file_s(void **state)
{
	const struct read_row row = { .path = "a.json" };

	(void)state;
	refusal = EMFILE;
	reads(&row, "!");
	refusal = ENOENT;
	reads(&row, NULL);
}

/* The kernel refuses with EAGAIN while a file is renamed: that is tried again, but not for ever. */
static void a_race_ends(void **state)
{
	const struct read_row row = { .path = "a.json" };

	(void)state;
	refusal = EAGAIN;
	reads(&row, "!");
	assert_int_equal(n_refused, 16);
}

static void a_directory_is_listed_in_order(void **state)
{
	static const char *const names[] = { "a.json",	  "absolute.json", "broken.json", "dir",
					     "fifo.json", "inner",	   "inner.json",  "up",
					     "up.json" };
	struct pq_arena arena = PQ_ARENA(1 << 20);

	(void)state;
	for (int way = 0; way < 2; way++) {
		struct pmuq_error *error = NULL;
		struct pq_vendor_tree files = { .reterr = &error };
		char *dir = tree_path(&tree, "in///");
		struct pq_vendor_entries entries;

		refusal = way ? ENOSYS : 0;
		pq_vendor_tree_open(&files, dir);
		/* Twice: the second listing begins at the start again. */
		for (int again = 0; again < 2; again++) {
			entries = pq_vendor_list(&files, STR(""), &arena);
			assert_int_equal(entries.n, COUNT(names));
			for (size_t i = 0; i < entries.n; i++) {
				assert_string_equal(entries.v[i].name.p, names[i]);
				assert_int_equal(entries.v[i].is_dir, strcmp(names[i], "dir") == 0);
			}
		}
		entries = pq_vendor_list(&files, STR("dir/deep"), &arena);
		assert_int_equal(entries.n, 1);
		assert_int_equal(pq_vendor_list(&files, STR("nothing"), &arena).n, 0);
		assert_int_equal(files.r, 0);
		assert_int_equal(pq_vendor_list(&files, STR("up"), &arena).n, 0);
		assert_int_equal(files.r, -PMUQ_E_REFUSED_VENDOR_FILE);
		/* After an error nothing is listed or read. */
		assert_int_equal(pq_vendor_list(&files, STR("dir"), &arena).n, 0);
		pq_vendor_tree_close(&files);
		pmuq_error_free(error);
		free(dir);
	}
	pq_arena_clear(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(with_openat2_links_within_the_tree_are_followed,
						setup, teardown),
		cmocka_unit_test_setup_teardown(without_openat2_no_link_is_followed, setup,
						teardown),
		cmocka_unit_test_setup_teardown(another_error_of_openat2_is_the_file_s, setup,
						teardown),
		cmocka_unit_test_setup_teardown(a_race_ends, setup, teardown),
		cmocka_unit_test_setup_teardown(a_directory_is_listed_in_order, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
