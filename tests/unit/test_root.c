/* SPDX-License-Identifier: MIT */
/* A captured tree may contain anything: which of its files are opened, and which are not. */
#include "discover/files/files.h"
#include "tests/unit/tree.h"
#include <pmuq/pmuq.h>

/* A test that waits for a FIFO must end. */
#define PATIENCE_S 20

/* Every row runs twice: with openat2(2), and as on a kernel without it. */
struct row {
	const char *name;
	void (*make)(const struct tree *tree);
	const char *path;
	int ret;	  /* result of reading the path with openat2 */
	int ret_by_steps; /* and without it: no link is followed */
	const char *text; /* the content, if it can be read */
};

static void make_file(const struct tree *tree)
{
	tree_file(tree, "sys/a", "hello\n");
}

static void make_empty(const struct tree *tree)
{
	tree_file(tree, "sys/a", "");
}

static void make_nothing(const struct tree *tree)
{
	tree_dir(tree, "sys");
}

static void make_dir(const struct tree *tree)
{
	tree_dir(tree, "sys/a");
}

static void make_fifo(const struct tree *tree)
{
	tree_fifo(tree, "sys/a");
}

static void make_link_inside(const struct tree *tree)
{
	tree_file(tree, "proc/b", "inside");
	tree_link(tree, "sys/a", "../proc/b");
}

static void make_link_from_root(const struct tree *tree)
{
	tree_file(tree, "proc/b", "inside");
	tree_link(tree, "sys/a", "/proc/b");
}

static void make_link_out(const struct tree *tree)
{
	tree_link(tree, "sys/a", "../../../../../../../../etc/passwd");
}

static void make_absolute_link_out(const struct tree *tree)
{
	tree_link(tree, "sys/a", "/etc/passwd");
}

static void make_link_to_etc_inside(const struct tree *tree)
{
	tree_file(tree, "etc/passwd", "ours");
	tree_link(tree, "sys/a", "/etc/passwd");
}

static void make_dir_link_out(const struct tree *tree)
{
	tree_link(tree, "sys", "/etc");
}

static void make_loop(const struct tree *tree)
{
	tree_link(tree, "sys/a", "b");
	tree_link(tree, "sys/b", "a");
}

static void make_link_to_fifo(const struct tree *tree)
{
	tree_fifo(tree, "sys/b");
	tree_link(tree, "sys/a", "b");
}

static void make_link_to_device(const struct tree *tree)
{
	tree_link(tree, "sys/a", "/dev/null");
}

static void make_file_as_dir(const struct tree *tree)
{
	tree_file(tree, "sys/x", "");
}

static void make_of(const struct tree *tree, size_t bytes)
{
	char *text = calloc(1, bytes);

	assert_non_null(text);
	memset(text, 'x', bytes);
	tree_bytes(tree, "sys/a", text, bytes);
	free(text);
}

static void make_largest(const struct tree *tree)
{
	make_of(tree, PQ_FILE_MAX_BYTES);
}

static void make_too_large(const struct tree *tree)
{
	make_of(tree, PQ_FILE_MAX_BYTES + 1);
}

static void make_huge(const struct tree *tree)
{
	char *path = tree_path(tree, "sys/a");

	tree_file(tree, "sys/a", "");
	assert_int_equal(truncate(path, (off_t)1 << 40), 0);
	free(path);
}

#define REFUSED (-PMUQ_E_REFUSED_FILE)
#define TOO_LARGE (-PMUQ_E_TOO_LARGE_FILE)

// clang-format off
static const struct row rows[] = {
	{ "a file is read", make_file, "sys/a", 0, 0, "hello\n" },
	{ "an empty file is empty", make_empty, "sys/a", 0, 0, "" },
	{ "doubled slashes are one", make_file, "sys//a", 0, 0, "hello\n" },
	{ "a dot is the same directory", make_file, "./sys/./a", 0, 0, "hello\n" },
	{ "a missing file does not exist", make_nothing, "sys/a", PQ_NONE, PQ_NONE, NULL },
	{ "a file in a missing directory does not exist", make_nothing, "sys/x/a", PQ_NONE, PQ_NONE, NULL },
	{ "a file is not a directory", make_file_as_dir, "sys/x/a", PQ_NONE, PQ_NONE, NULL },
	{ "a directory is refused", make_dir, "sys/a", REFUSED, REFUSED, NULL },
	{ "a FIFO is refused at once", make_fifo, "sys/a", REFUSED, REFUSED, NULL },
	{ "a link within the tree is followed", make_link_inside, "sys/a", 0, REFUSED, "inside" },
	{ "an absolute link starts at the root", make_link_from_root, "sys/a", 0, REFUSED, "inside" },
	{ "a link above the root ends at it", make_link_out, "sys/a", PQ_NONE, REFUSED, NULL },
	{ "an absolute link leads not out", make_absolute_link_out, "sys/a", PQ_NONE, REFUSED, NULL },
	{ "a link to /etc finds the tree's", make_link_to_etc_inside, "sys/a", 0, REFUSED, "ours" },
	{ "a link of a directory leads not out", make_dir_link_out, "sys/passwd", PQ_NONE, PQ_NONE, NULL },
	{ "dots in a path end at the root", make_nothing, "sys/../../../etc/passwd", PQ_NONE, REFUSED, NULL },
	{ "a loop of links is refused", make_loop, "sys/a", REFUSED, REFUSED, NULL },
	{ "a link to a FIFO is refused", make_link_to_fifo, "sys/a", REFUSED, REFUSED, NULL },
	{ "a link to a device finds none", make_link_to_device, "sys/a", PQ_NONE, REFUSED, NULL },
	{ "64 KiB are read", make_largest, "sys/a", 0, 0, NULL },
	{ "a byte more is too large", make_too_large, "sys/a", TOO_LARGE, TOO_LARGE, NULL },
	{ "a terabyte is too large", make_huge, "sys/a", TOO_LARGE, TOO_LARGE, NULL },
};
// clang-format on

static void check_read(const struct row *row, const struct tree *tree, bool has_openat2)
{
	int want = has_openat2 ? row->ret : row->ret_by_steps;
	struct pq_root root;
	uint64_t opens = 0;
	struct pmuq_str text = { 0 };

	assert_int_equal(pq_root_open_tree(&root, tree->dir, &opens, NULL), 0);
	root.has_openat2 = has_openat2;
	assert_int_equal(pq_root_read(&root, row->path, PQ_FILE_MAX_BYTES, &text), want);
	if (want == 0 && row->text)
		assert_true(str_eq(text, str_of(row->text)));
	/* Only files that were read, or were too large, were opened. */
	assert_int_equal(opens, want == 0 || want == TOO_LARGE);
	pq_root_close(&root);
}

/* procfs returns a page at a time. The stack is one of the last mappings of a process. */
static void a_file_of_procfs_is_read_to_its_end(void **state)
{
	struct pmuq_str text = { 0 };
	struct pq_root root;
	uint64_t opens = 0;

	(void)state;
	assert_int_equal(pq_root_open_live(&root, &opens, NULL), 0);
	assert_int_equal(pq_root_read(&root, "proc/self/smaps", (size_t)1 << 20, &text), 0);
	assert_true(text.n > 4096);
	assert_non_null(memmem(text.p, text.n, "[stack]", 7));
	pq_root_close(&root);
}

static void read_row(void **state)
{
	const struct row *row = *state;
	struct tree tree;

	alarm(PATIENCE_S);
	tree_make(&tree);
	row->make(&tree);
	check_read(row, &tree, true);
	check_read(row, &tree, false);
	tree_remove(&tree);
	alarm(0);
}

static void open_in(struct pq_root *root, const struct tree *tree, uint64_t *opens)
{
	assert_int_equal(pq_root_open_tree(root, tree->dir, opens, NULL), 0);
}

static void below_a_directory_no_part_is_a_link(void **state)
{
	struct tree *tree = *state;
	struct pmuq_str text;
	struct pq_root root;
	uint64_t opens = 0;
	struct pq_handle at = PQ_NO_HANDLE;

	tree_file(tree, "sys/d/real/f", "text");
	tree_link(tree, "sys/d/linked", "real");
	tree_link(tree, "sys/d/real/l", "f");
	tree_fifo(tree, "sys/d/real/p");
	open_in(&root, tree, &opens);
	assert_int_equal(pq_root_enter(&root, root.top, "sys/d", PQ_WITHIN_ROOT, &at), 0);
	for (int has_openat2 = 0; has_openat2 < 2; has_openat2++) {
		root.has_openat2 = has_openat2;
		assert_int_equal(pq_root_read_at(&root, at, "real/f", PQ_PATH_BELOW, &text), 0);
		assert_int_equal(pq_root_read_at(&root, at, "real/l", PQ_PATH_BELOW, &text),
				 REFUSED);
		assert_true(pq_root_read_at(&root, at, "linked/f", PQ_PATH_BELOW, &text) != 0);
		assert_true(pq_root_read_at(&root, at, "../d/real/f", PQ_PATH_BELOW, &text) < 0);
		assert_int_equal(pq_root_read_at(&root, at, "real/f", PQ_PATH_IN_DIR, &text), 0);
		assert_true(str_eq(text, STR("text")));
		assert_int_equal(pq_root_read_at(&root, at, "real/l", PQ_PATH_IN_DIR, &text),
				 REFUSED);
		assert_int_equal(pq_root_read_at(&root, at, "real/p", PQ_PATH_IN_DIR, &text),
				 REFUSED);
		assert_int_equal(pq_root_read_at(&root, at, "real", PQ_PATH_IN_DIR, &text),
				 REFUSED);
		assert_int_equal(pq_root_read_at(&root, at, "real/none", PQ_PATH_IN_DIR, &text),
				 PQ_NONE);
		/* A directory was replaced: the open detects it. */
		assert_true(pq_root_read_at(&root, at, "linked/f", PQ_PATH_IN_DIR, &text) != 0);
	}
	pq_handle_close(&at);
	pq_root_close(&root);
}

static void a_link_is_not_entered_from_a_directory(void **state)
{
	struct tree *tree = *state;
	struct pq_root root;
	uint64_t opens = 0;
	struct pq_handle at = PQ_NO_HANDLE;

	tree_link(tree, "out", "/etc");
	open_in(&root, tree, &opens);
	assert_true(pq_root_enter(&root, root.top, "out", PQ_WITHIN_NO_LINKS, &at) != 0);
	assert_int_equal(opens, 0);
	pq_root_close(&root);
}

static void all_of_a_large_directory_is_listed(void **state)
{
	enum { FILES = 5000 };
	struct tree *tree = *state;
	struct pq_arena arena = PQ_ARENA(SIZE_MAX);
	struct pq_entries entries;
	struct pq_root root;
	uint64_t opens = 0, sum = 0;
	struct pq_handle at = PQ_NO_HANDLE;

	for (unsigned i = 0; i < FILES; i++) {
		char *name = NULL;

		assert_true(asprintf(&name, "sys/a-name-that-takes-some-bytes-%u", i) > 0);
		tree_file(tree, name, "");
		free(name);
	}
	open_in(&root, tree, &opens);
	assert_int_equal(pq_root_enter(&root, root.top, "sys", PQ_WITHIN_ROOT, &at), 0);
	assert_int_equal(pq_root_list(&root, at, &arena, &entries), 0);
	assert_int_equal(entries.n, FILES);
	for (size_t i = 0; i < entries.n; i++) {
		assert_int_equal(entries.v[i].type, PQ_FILE_REGULAR);
		sum += strtoul(strrchr(entries.v[i].name.p, '-') + 1, NULL, 10);
	}
	assert_int_equal(sum, (uint64_t)FILES * (FILES - 1) / 2);
	pq_handle_close(&at);
	pq_root_close(&root);
	pq_arena_clear(&arena);
}

static void file_types_differ(void **state)
{
	struct tree *tree = *state;
	struct pq_root root;
	uint64_t opens = 0;

	tree_file(tree, "file", "");
	tree_dir(tree, "dir");
	tree_link(tree, "link", "file");
	tree_fifo(tree, "fifo");
	open_in(&root, tree, &opens);
	assert_int_equal(pq_root_file_type(&root, root.top, "file"), PQ_FILE_REGULAR);
	assert_int_equal(pq_root_file_type(&root, root.top, "dir"), PQ_FILE_DIR);
	assert_int_equal(pq_root_file_type(&root, root.top, "link"), PQ_FILE_LINK);
	assert_int_equal(pq_root_file_type(&root, root.top, "fifo"), PQ_FILE_OTHER);
	assert_int_equal(pq_root_file_type(&root, root.top, "none"), PQ_FILE_NONE);
	pq_root_close(&root);
}

static void a_file_that_may_not_be_read_is_unreadable(void **state)
{
	struct tree *tree = *state;
	struct pmuq_str text;
	struct pq_root root;
	uint64_t opens = 0;
	char *path;

	tree_file(tree, "sys/a", "secret");
	path = tree_path(tree, "sys/a");
	assert_int_equal(chmod(path, 0), 0);
	free(path);
	tree_become_other(tree);
	open_in(&root, tree, &opens);
	assert_int_equal(pq_root_read(&root, "sys/a", PQ_FILE_MAX_BYTES, &text),
			 -PMUQ_E_UNREADABLE);
	assert_int_equal(root.errnum, EACCES);
	tree_become_self();
	pq_root_close(&root);
}

static void the_error_names_a_root_that_is_not_a_directory(void **state)
{
	struct tree *tree = *state;
	struct pmuq_error *error = NULL;
	struct pq_root root;
	uint64_t opens = 0;
	char *path;

	tree_file(tree, "file", "");
	path = tree_path(tree, "file");
	assert_int_equal(pq_root_open_tree(&root, path, &opens, &error), -PMUQ_E_NO_ROOT);
	assert_string_equal(error->origin.p, path);
	assert_non_null(strstr(error->message.p, "neither a directory nor a tar"));
	pmuq_error_free(error);
	free(path);
}

static void a_resource_error_stays_until_it_is_taken(void **state)
{
	static const struct {
		int errnum;
		enum pmuq_code code;
		const char *part;
	} resource_errors[] = {
		{ EMFILE, PMUQ_E_TOO_MANY_FILES, "this process" },
		{ ENFILE, PMUQ_E_TOO_MANY_FILES, "the system" },
		{ ENOMEM, PMUQ_E_MEMORY, "memory" },
	};
	struct pq_root root = { .top = PQ_NO_HANDLE };

	(void)state;
	for (size_t i = 0; i < COUNT(resource_errors); i++) {
		struct pmuq_error *error = NULL;

		assert_int_equal(pq_files_fail(&root, resource_errors[i].errnum),
				 -(int)resource_errors[i].code);
		assert_int_equal(pq_files_fail(&root, ENOENT), PQ_NONE);
		assert_int_equal(pq_root_check(&root, &error), -(int)resource_errors[i].code);
		assert_int_equal(error->code, resource_errors[i].code);
		assert_non_null(strstr(error->message.p, resource_errors[i].part));
		pmuq_error_free(error);
		assert_int_equal(pq_root_check(&root, NULL), 0);
	}
	assert_int_equal(pq_files_fail(&root, EACCES), -PMUQ_E_UNREADABLE);
	assert_int_equal(pq_root_check(&root, NULL), 0);
}

#define WITH_TREE(f) cmocka_unit_test_setup_teardown(f, tree_setup, tree_teardown)

static const struct CMUnitTest tests[] = {
	WITH_TREE(below_a_directory_no_part_is_a_link),
	WITH_TREE(a_link_is_not_entered_from_a_directory),
	WITH_TREE(all_of_a_large_directory_is_listed),
	WITH_TREE(file_types_differ),
	WITH_TREE(a_file_that_may_not_be_read_is_unreadable),
	WITH_TREE(the_error_names_a_root_that_is_not_a_directory),
	cmocka_unit_test(a_resource_error_stays_until_it_is_taken),
	cmocka_unit_test(a_file_of_procfs_is_read_to_its_end),
};

int main(void)
{
	struct CMUnitTest all[COUNT(rows) + COUNT(tests)];

	ADD_ROWS(all, read_row, rows, name);
	memcpy(all + COUNT(rows), tests, sizeof(tests));
	return cmocka_run_group_tests_name("root", all, NULL, NULL);
}
