/* SPDX-License-Identifier: MIT */
/* Invalid captures in tars: the tar or its entry is refused with a reason, and no path leads out of
 * it. tests/cli/test_capture.py tests compressed tars. */
#include "tests/unit/captured.h"

#define SYS "sys/bus/event_source/devices/"
#define CPU                                                                                        \
	{                                                                                          \
		.name = SYS "cpu/type", .type = '0', .text = "4\n"                                 \
	}
#define ENTRIES_MAX 6
#define PATIENCE_S 60

struct row {
	const char *name;
	struct tar_entry entries[ENTRIES_MAX];
	int ret;	     /* of opening it */
	const char *message; /* a text of the error; or the fact `kernel`, NULL for none */
};

#define KERNEL(...)                                                                                \
	{                                                                                          \
		.name = "proc/sys/kernel/osrelease", __VA_ARGS__                                   \
	}

#define BAD (-PMUQ_E_BAD_TAR)
#define LARGE (-PMUQ_E_LARGE_TAR)
#define NO_ROOT (-PMUQ_E_NO_ROOT)

// clang-format off
static const struct row rows[] = {
	{ "a machine", { CPU, KERNEL(.type = '0', .text = "6.1\n") }, 0, "6.1" },
	{ "a directory around it", { { "m/" SYS "cpu/type", '0', "4\n" }, { "m/proc/sys/kernel/osrelease", '0', "6.1\n" } }, 0, "6.1" },
	{ "dots before it", { { "./m/" SYS "cpu/type", '0', "4\n" }, { "./m/./proc//sys/kernel/osrelease", '0', "6.1\n" } }, 0, "6.1" },
	{ "files next to the directory", { { "notes", '0', "x" }, { "m/" SYS "cpu/type", '0', "4\n" } }, 0, NULL },
	{ "two directories around it", { { "a/b/" SYS "cpu/type", '0', "4\n" } }, NO_ROOT, "does not contain a machine" },
	{ "two machines", { { "a/" SYS "cpu/type", '0', "4\n" }, { "b/" SYS "cpu/type", '0', "4\n" } }, NO_ROOT, "does not contain a machine" },
	{ "no machine", { { "a", '0', "x" } }, NO_ROOT, "does not contain a machine" },
	{ "an absolute name", { CPU, { "/etc/passwd", '0', "x" } }, BAD, "entry 2, '/etc/passwd': an absolute name" },
	{ "a name with '..'", { CPU, { "../etc/passwd", '0', "x" } }, BAD, "'..' in a name" },
	{ "a name with '..' inside", { CPU, { "sys/../../etc/passwd", '0', "x" } }, BAD, "'..' in a name" },
	{ "a name that ends in '..'", { CPU, { "sys/..", '5', NULL } }, BAD, "'..' in a name" },
	{ "a name twice", { CPU, CPU }, BAD, "the same name a second time" },
	{ "a file where a directory is", { CPU, { "sys", '0', "x" } }, BAD, "the same name a second time" },
	{ "a directory where a file is", { CPU, { SYS "cpu/type", '5', NULL } }, BAD, "the same name a second time" },
	{ "a file below a file", { CPU, { SYS "cpu/type/x", '0', "x" } }, BAD, "the name of its directory is that of a file" },
	{ "a file below a link", { CPU, { "l", '2', "sys" }, { "l/x", '0', "x" } }, BAD, "the name of its directory is that of a file" },
	{ "the top as a file", { CPU, { ".", '0', "x" } }, BAD, "the same name a second time" },
	{ "a directory twice", { { "sys/", '5', NULL }, { "sys", '5', NULL }, CPU }, 0, NULL },
	{ "a link within", { CPU, { "proc/k", '0', "6.1\n" }, KERNEL(.type = '2', .text = "../../k") }, 0, "6.1" },
	{ "a link from the top", { CPU, { "proc/k", '0', "6.1\n" }, KERNEL(.type = '2', .text = "/proc/k") }, 0, "6.1" },
	{ "a link above the top ends there", { CPU, { "k", '0', "6.1\n" }, KERNEL(.type = '2', .text = "../../../../../../k") }, 0, "6.1" },
	{ "a link out", { CPU, KERNEL(.type = '2', .text = "/etc/hostname") }, 0, NULL },
	{ "a link to nowhere", { CPU, KERNEL(.type = '2', .text = "none") }, 0, NULL },
	{ "a link to itself", { CPU, KERNEL(.type = '2', .text = "osrelease") }, 0, NULL },
	{ "links in a circle", { CPU, KERNEL(.type = '2', .text = "b"), { "proc/sys/kernel/b", '2', "osrelease" } }, 0, NULL },
	{ "a link to a directory", { CPU, KERNEL(.type = '2', .text = "..") }, 0, NULL },
	{ "a hard link", { CPU, { "k", '0', "6.1\n" }, KERNEL(.type = '1', .text = "k") }, 0, NULL },
	{ "a hard link out", { CPU, KERNEL(.type = '1', .text = "/etc/hostname") }, 0, NULL },
	{ "a device", { CPU, KERNEL(.type = '3') }, 0, NULL },
	{ "a FIFO", { CPU, KERNEL(.type = '6') }, 0, NULL },
	{ "a file that is too large for a fact", { CPU, KERNEL(.type = '0', .text = "6.1\n", .size = 65537, .has_size = true) }, BAD, "entry 2" },
	{ "a file of eight GiB", { CPU, { "big", '0', "", 8589934591u, true } }, LARGE, "more than 128 MiB" },
	{ "a file with a size beyond the end", { CPU, KERNEL(.type = '0', .text = "6.1\n", .size = 4096, .has_size = true) }, BAD, "entry 2" },
	{ "a manifest that is wrong", { CPU, { "pmuq-capture", '0', "rubbish\n" } }, -PMUQ_E_BAD_MANIFEST, "pmuq-capture:1:" },
	{ "a manifest inside", { { "m/" SYS "cpu/type", '0', "4\n" }, { "m/pmuq-capture", '0', "pmuq-capture 1\nunread file 71 13 proc/sys/kernel/osrelease\n" }, { "m/proc/sys/kernel/osrelease", '0', "6.1\n" } }, 0, NULL },
};
// clang-format on

static void make_tar(const struct row *row, struct pq_buf *tar)
{
	for (size_t i = 0; i < ENTRIES_MAX && row->entries[i].name; i++)
		tar_add(tar, &row->entries[i]);
	tar_end(tar);
}

static int open_bytes(const struct tree *work, struct pmuq_str bytes, struct pmuq_source **ret,
		      struct pmuq_error **reterr)
{
	char *path = tree_path(work, "a.tar");
	int r;

	tree_bytes(work, "a.tar", bytes.p, bytes.n);
	r = pmuq_source_open_tree(path, ret, reterr);
	free(path);
	return r;
}

static void check_row(void **state)
{
	const struct row *row = *state;
	struct pmuq_source *source = NULL;
	struct pmuq_error *error = NULL;
	struct pq_buf tar = PQ_BUF_NULL;
	struct tree work;
	int r;

	alarm(PATIENCE_S);
	tree_make(&work);
	make_tar(row, &tar);
	r = open_bytes(&work, pq_buf_str(&tar), &source, &error);
	if (r != row->ret)
		fail_msg("%d: %s", r, error ? error->message.p : "it was taken");
	if (r < 0) {
		if (!strstr(error->message.p, row->message))
			fail_msg("%s", error->message.p);
		assert_non_null(error->origin.p);
	} else {
		const char *kernel;

		assert_int_equal(pmuq_source_find_fact(source, "kernel", &kernel, NULL), 0);
		assert_int_equal(kernel != NULL, row->message != NULL);
		if (kernel)
			assert_string_equal(kernel, row->message);
		assert_captured_alike(source, false);
	}
	pmuq_error_free(error);
	pmuq_source_free(source);
	pq_buf_free(&tar);
	tree_remove(&work);
	alarm(0);
}

/* A tar that is cut at any byte is an error; changed bytes are detected or harmless. */
static void a_tar_that_is_cut_off_is_refused(void **state)
{
	struct tree *work = *state;
	struct pq_buf tar = PQ_BUF_NULL;
	size_t content;

	make_tar(&rows[1], &tar);
	content = tar.n - 2 * TAR_BLOCK;
	for (size_t n = 0; n <= content; n += 11) {
		struct pmuq_source *source = NULL;
		struct pmuq_error *error = NULL;
		int r = open_bytes(work, str_part(pq_buf_str(&tar), 0, n), &source, &error);

		if (r != BAD && !(r == NO_ROOT && n < TAR_BLOCK))
			fail_msg("cut at %zu: %d", n, r);
		assert_non_null(error->message.p);
		pmuq_error_free(error);
	}
	for (size_t block = 0; block <= content; block += TAR_BLOCK) {
		struct pmuq_source *source = NULL;
		int r = open_bytes(work, str_part(pq_buf_str(&tar), 0, block), &source, NULL);

		assert_int_equal(r, block ? BAD : NO_ROOT);
	}
	pq_buf_free(&tar);
}

static void any_byte_may_be_wrong(void **state)
{
	struct tree *work = *state;
	struct pq_buf tar = PQ_BUF_NULL;

	make_tar(&rows[1], &tar);
	for (size_t at = 0; at < tar.n; at += 3) {
		struct pmuq_source *source = NULL;
		struct pmuq_catalog *catalog = NULL;
		char was = tar.p[at];

		tar.p[at] = (char)(was ^ (1 << at % 8));
		if (open_bytes(work, pq_buf_str(&tar), &source, NULL) == 0)
			assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL), 0);
		pmuq_catalog_free(catalog);
		pmuq_source_free(source);
		tar.p[at] = was;
	}
	pq_buf_free(&tar);
}

/* Each byte of a name is a directory: the cost of a tar of some kilobytes is bounded. */
static void names_of_many_directories_are_counted(void **state)
{
	enum { DEPTH = 120, ENTRIES = 5000 };
	struct tree *work = *state;
	struct pmuq_source *source = NULL;
	struct pmuq_error *error = NULL;
	struct pq_buf tar = PQ_BUF_NULL;
	char name[2 * DEPTH + 16];

	for (unsigned i = 0; i < ENTRIES; i++) {
		int n = snprintf(name, sizeof(name), "%04u", i);

		for (unsigned d = 0; d < DEPTH; d++)
			n += snprintf(name + n, sizeof(name) - (size_t)n, "/d");
		tar_add(&tar, &(struct tar_entry){ .name = name, .type = '0', .text = "" });
	}
	tar_end(&tar);
	assert_int_equal(open_bytes(work, pq_buf_str(&tar), &source, &error), LARGE);
	assert_non_null(strstr(error->message.p, "500,000"));
	pmuq_error_free(error);
	pq_buf_free(&tar);
}

/* A file of the maximum size is read; one byte more is a problem of the machine. */
static void a_large_file_is_a_problem_of_its_own(void **state)
{
	struct tree *work = *state;
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *catalog = NULL;
	struct pq_buf tar = PQ_BUF_NULL, text = PQ_BUF_NULL;

	tar_add(&tar, &(struct tar_entry)CPU);
	pq_buf_char(&text, 'x', PQ_FILE_MAX_BYTES);
	tar_add_bytes(&tar, &(struct tar_entry){ .name = SYS "cpu/largest", .type = '0' },
		      pq_buf_str(&text));
	pq_buf_char(&text, 'x', 1);
	tar_add_bytes(&tar, &(struct tar_entry){ .name = SYS "cpu/larger", .type = '0' },
		      pq_buf_str(&text));
	tar_end(&tar);
	assert_int_equal(open_bytes(work, pq_buf_str(&tar), &source, NULL), 0);
	assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL), 0);
	assert_int_equal(pmuq_catalog_pmu(catalog, 0)->n_attributes, 1);
	assert_int_equal(pmuq_catalog_machine(catalog)->n_problems, 1);
	assert_int_equal(pmuq_catalog_problem(catalog, 0)->code, PMUQ_E_TOO_LARGE_FILE);
	assert_string_equal(pmuq_catalog_problem(catalog, 0)->message.p, "larger than 64 KiB");
	assert_captured_alike(source, true);
	pmuq_catalog_free(catalog);
	pmuq_source_free(source);
	pq_buf_free(&tar);
	pq_buf_free(&text);
}

static void a_file_that_is_not_a_tar_is_not_a_root(void **state)
{
	static const struct pmuq_str texts[] = { STR(""), STR("short"), STR("{\"json\": true}\n") };
	struct tree *work = *state;
	struct pq_buf long_text = PQ_BUF_NULL;
	struct pmuq_source *source = NULL;
	struct pmuq_error *error = NULL;

	for (size_t i = 0; i < COUNT(texts); i++)
		assert_int_equal(open_bytes(work, texts[i], &source, NULL), NO_ROOT);
	pq_buf_char(&long_text, 'x', 100000);
	assert_int_equal(open_bytes(work, pq_buf_str(&long_text), &source, &error), NO_ROOT);
	assert_non_null(strstr(error->message.p, "neither a directory nor a tar"));
	pmuq_error_free(error);
	pq_buf_free(&long_text);
}

#define WITH_TREE(f) cmocka_unit_test_setup_teardown(f, tree_setup, tree_teardown)

static const struct CMUnitTest tests[] = {
	WITH_TREE(a_tar_that_is_cut_off_is_refused),
	WITH_TREE(any_byte_may_be_wrong),
	WITH_TREE(names_of_many_directories_are_counted),
	WITH_TREE(a_large_file_is_a_problem_of_its_own),
	WITH_TREE(a_file_that_is_not_a_tar_is_not_a_root),
};

int main(void)
{
	struct CMUnitTest all[COUNT(rows) + COUNT(tests)];

	ADD_ROWS(all, check_row, rows, name);
	memcpy(all + COUNT(rows), tests, sizeof(tests));
	return cmocka_run_group_tests_name("tar", all, NULL, NULL);
}
