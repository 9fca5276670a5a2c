/* SPDX-License-Identifier: MIT */
/* Captures: they give the same machine, contain no identifying data, and a failure leaves no file.
 * test_discover.c captures odd trees. */
#include "tests/harness/names.h"
#include "tests/unit/odd.h"
#include <signal.h>
#include <sys/resource.h>

#define RAW_ID "0123456789abcdef0123456789abcdef"
#define RAW_NAME "secret-hostname"
#define RAW_SERIAL "SERIAL-4711"

static struct pmuq_source *open_tree(const struct tree *tree)
{
	return law_open(tree->dir, true);
}

static void assert_fact(struct pmuq_source *source, const char *name, const char *want)
{
	const char *text;

	assert_int_equal(pmuq_source_find_fact(source, name, &text, NULL), 0);
	assert_string_equal(text, want);
}

static void make_mode(const struct tree *tree, const char *path, mode_t mode)
{
	char *full = tree_path(tree, path);

	assert_int_equal(chmod(full, mode), 0);
	free(full);
}

/* A file that an ordinary user cannot read. */
static void make_closed(const struct tree *tree)
{
	make_cpu(tree);
	put(tree, "cpu/rdpmc", "1\n");
	put(tree, "cpu/events/closed", "event=1\n");
	put(tree, "cpu/events/cycles.scale", "2\n");
	put(tree, "dir/type", "9\n");
	put(tree, "dir/format/event", "config:0\n");
	put(tree, "pmu/type", "10\n");
	put(tree, "typeless/type", "11\n");
	tree_file(tree, "etc/machine-id", RAW_ID "\n");
	tree_file(tree, "etc/hostname", RAW_NAME "\n");
	tree_file(tree, "proc/sys/kernel/perf_event_paranoid", "2\n");
	tree_file(tree, "sys/kernel/tracing/events/sched/switch/id", "7\n");
	make_mode(tree, DEVICES "cpu/rdpmc", 0);
	make_mode(tree, DEVICES "cpu/events/closed", 0);
	make_mode(tree, DEVICES "cpu/events/cycles.scale", 0);
	make_mode(tree, DEVICES "dir/format", 0);
	make_mode(tree, DEVICES "pmu", 0);
	make_mode(tree, DEVICES "typeless/type", 0);
	make_mode(tree, "etc/machine-id", 0);
	make_mode(tree, "proc/sys/kernel/perf_event_paranoid", 0);
	make_mode(tree, "sys/kernel/tracing", 0);
}

static void open_again(const struct tree *tree)
{
	make_mode(tree, DEVICES "dir/format", 0755);
	make_mode(tree, DEVICES "pmu", 0755);
	make_mode(tree, "sys/kernel/tracing", 0755);
}

static void an_unreadable_file_stays_unreadable(void **state)
{
	struct tree *tree = *state;
	struct pmuq_capture *capture;
	struct pmuq_source *source;

	make_closed(tree);
	tree_become_other(tree);
	source = open_tree(tree);
	assert_captured_alike(source, true);
	capture = capture_of(source);
	assert_int_equal(pmuq_catalog_machine(pmuq_capture_content(capture)->catalog)->n_problems,
			 9);
	assert_int_equal(pmuq_capture_content(capture)->n_unread, 9);
	for (size_t i = 0; i < 9; i++) {
		assert_int_equal(pmuq_capture_unread(capture, i)->errnum, EACCES);
		assert_string_equal(pmuq_capture_unread(capture, i)->message.p,
				    "permission denied");
	}
	assert_null(pmuq_capture_unread(capture, 9));
	pmuq_capture_free(capture);
	pmuq_source_free(source);
	tree_become_self();
	open_again(tree);
}

static void this_machine_is_read_back(void **state)
{
	struct pmuq_source *source = NULL;

	(void)state;
	assert_int_equal(pmuq_source_open_live(&source, NULL), 0);
	assert_captured_alike(source, true);
	pmuq_source_free(source);
}

static void an_ordinary_user_reads_a_captured_machine(void **state)
{
	struct tree *tree = *state;
	struct pmuq_source *source = NULL;

	tree_become_other(tree);
	assert_int_equal(pmuq_source_open_live(&source, NULL), 0);
	assert_captured_alike(source, true);
	pmuq_source_free(source);
	tree_become_self();
}

static void a_second_capture_keeps_probed_facts(void **state)
{
	struct tree *tree = *state;
	struct pmuq_source *source;
	struct pmuq_capture *capture;
	char *dir = tree_path(tree, "captured");

	make_cpu(tree);
	/* Only that it exists is a fact: a capture has no such file. */
	tree_file(tree, "sys/firmware/acpi/tables/NFIT", "");
	tree_file(
		tree, "pmuq-capture",
		"pmuq-capture 1\nfact extended_type yes\n"
		"fact machine_id 00112233\nfact tsc_hz 1900000000\nsomething later\n# a remark\n");
	source = open_tree(tree);
	capture = capture_of(source);
	write_capture(capture, dir);
	pmuq_capture_free(capture);
	pmuq_source_free(source);
	source = law_open(dir, true);
	assert_fact(source, "extended_type", "yes");
	assert_fact(source, "machine_id", "00112233");
	assert_fact(source, "tsc_hz", "1900000000");
	assert_fact(source, "pmem", "yes");
	assert_captured_alike(source, false);
	pmuq_source_free(source);
	free(dir);
}

static void make_telling(const struct tree *tree)
{
	make_cpu(tree);
	tree_file(tree, "etc/machine-id", RAW_ID "\n");
	tree_file(tree, "etc/hostname", RAW_NAME "\n");
	tree_file(tree, "proc/sys/kernel/hostname", RAW_NAME "\n");
	tree_file(tree, "proc/version", "Linux version 6.1.0 (user@" RAW_NAME ") (gcc 12)\n");
	tree_file(tree, "proc/sysinfo",
		  "Manufacturer:         IBM\nType:                 8561\n"
		  "Sequence Code:        " RAW_SERIAL "\nModel:                703 A01\n"
		  "LPAR Name:            " RAW_NAME "\n");
	tree_file(tree, "proc/service_levels",
		  "VM: " RAW_SERIAL "\nCPU-MF: Counter facility: version=3.6 authorization=2f\n");
	tree_file(tree, "proc/cpuinfo",
		  "vendor_id       : IBM/S390\nSerial          : " RAW_SERIAL "\n"
		  "processor 0: version = FF,  identification = " RAW_SERIAL ",  machine = 8561\n"
		  "processor 1: version = FF,  identification = " RAW_SERIAL ",  machine = 8561\n"
		  "machine         : 8561\nmachine         : " RAW_SERIAL "\n");
}

/* Whether any file of the uncompressed tar contains the text. */
static bool contains(const char *tar, const char *text)
{
	FILE *file = fopen(tar, "r");
	char *bytes = NULL;
	size_t n_bytes = 0;
	ssize_t n;
	bool is_contained;

	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	n = ftell(file);
	rewind(file);
	n_bytes = (size_t)n;
	bytes = malloc(n_bytes);
	assert_non_null(bytes);
	assert_int_equal(fread(bytes, 1, n_bytes, file), n_bytes);
	fclose(file);
	is_contained = memmem(bytes, n_bytes, text, strlen(text)) != NULL;
	free(bytes);
	return is_contained;
}

static bool is_redacted(const struct pmuq_capture *capture, const char *path)
{
	for (size_t i = 0; i < pmuq_capture_content(capture)->n_redactions; i++)
		if (strcmp(pmuq_capture_content(capture)->redactions[i].name.p, path) == 0)
			return strlen(pmuq_capture_content(capture)->redactions[i].text.p) > 0;
	return false;
}

static const char *const telling_facts[] = { "hostname", NULL };

static void nothing_identifies_the_machine(void **state)
{
	static const char *const redacted[] = { "etc/machine-id", "proc/sys/kernel/hostname",
						"proc/version",	  "proc/sysinfo",
						"proc/cpuinfo",	  "proc/service_levels" };
	struct tree *tree = *state;
	struct pmuq_capture *capture = NULL;
	struct pmuq_catalog *catalog = NULL;
	struct pmuq_source *source, *back;
	char *tar = tree_path(tree, "captured.tar");

	make_telling(tree);
	source = open_tree(tree);
	assert_int_equal(pmuq_capture_take(source, NULL, &capture, NULL), 0);
	write_capture(capture, tar);
	for (size_t i = 0; i < COUNT(redacted); i++)
		assert_true(is_redacted(capture, redacted[i]));
	assert_false(contains(tar, RAW_ID));
	assert_false(contains(tar, RAW_NAME));
	assert_false(contains(tar, RAW_SERIAL));
	back = law_open(tar, true);
	assert_int_equal(pmuq_source_read_catalog(back, &catalog, NULL), 0);
	assert_null(pmuq_catalog_find_fact(catalog, telling_facts[0]));
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_facts; i++)
		assert_string_equal(
			pmuq_catalog_machine(catalog)->facts[i].text.p,
			pmuq_catalog_find_fact(pmuq_capture_content(capture)->catalog,
					       pmuq_catalog_machine(catalog)->facts[i].name.p));
	assert_int_equal(pmuq_catalog_machine(catalog)->n_facts + 1,
			 pmuq_catalog_machine(pmuq_capture_content(capture)->catalog)->n_facts);
	assert_string_equal(pmuq_catalog_find_fact(catalog, "cpuid"), "IBM,8561,703,A01,3.6,2f");
	assert_string_equal(pmuq_catalog_find_fact(catalog, "cpus_present"), "0-1");
	assert_string_equal(pmuq_catalog_find_fact(catalog, "kernel"), "6.1.0");
	pmuq_catalog_free(catalog);
	pmuq_source_free(back);
	pmuq_source_free(source);
	pmuq_capture_free(capture);
	free(tar);
}

static void a_name_may_be_kept_or_chosen(void **state)
{
	struct pmuq_capture_options options = { .size = sizeof(options), .hostname = "web01" };
	struct tree *tree = *state;
	struct pmuq_capture *capture = NULL;
	struct pmuq_source *source, *back;
	char *tar = tree_path(tree, "given.tar"), *kept = tree_path(tree, "kept.tar");

	make_telling(tree);
	source = open_tree(tree);
	assert_int_equal(pmuq_capture_take(source, &options, &capture, NULL), 0);
	write_capture(capture, tar);
	assert_false(contains(tar, RAW_NAME));
	back = law_open(tar, true);
	assert_fact(back, "hostname", "web01");
	pmuq_source_free(back);
	pmuq_capture_free(capture);
	capture = capture_of(source);
	write_capture(capture, kept);
	back = law_open(kept, true);
	assert_fact(back, "hostname", RAW_NAME);
	pmuq_source_free(back);
	pmuq_capture_free(capture);
	pmuq_source_free(source);
	free(tar);
	free(kept);
}

struct target {
	const char *name, *path;
	int ret;
};

// clang-format off
static const struct target targets[] = {
	{ "a new directory", "new", 0 },
	{ "a new directory with a slash", "slashed/", 0 },
	{ "an empty directory", "empty", 0 },
	{ "a new tar", "new.tar", 0 },
	{ "packed with gzip", "a.tar.gz", 0 },
	{ "with gzip, in short", "a.tgz", 0 },
	{ "packed with xz", "a.tar.xz", 0 },
	{ "with xz, in short", "a.txz", 0 },
	{ "packed with zstd", "a.tar.zst", 0 },
	{ "with zstd, in short", "a.tzst", 0 },
	{ "a directory that is not empty", "full", -PMUQ_E_CAPTURE_EXISTS },
	{ "a file that is there", "there", -PMUQ_E_CAPTURE_EXISTS },
	{ "a tar that is there", "there.tar", -PMUQ_E_CAPTURE_EXISTS },
	{ "a link that leads nowhere", "link", -PMUQ_E_CAPTURE_EXISTS },
	{ "a directory named like a tar", "dir.tar", -PMUQ_E_CAPTURE_EXISTS },
	{ "no directory to be in", "none/new", -PMUQ_E_CAPTURE_FAILED },
	{ "no directory for a tar", "none/new.tar", -PMUQ_E_CAPTURE_FAILED },
	{ "a packing that is not written", "a.tar.bz2", -PMUQ_E_UNKNOWN_PACKING },
	{ "an unknown compression", "a.tar.foo", -PMUQ_E_UNKNOWN_PACKING },
};
// clang-format on

static void each_target_is_written_whole_or_refused(void **state)
{
	struct tree *tree = *state;
	struct tree work;
	struct pmuq_capture *capture;
	struct pmuq_source *source;

	make_cpu(tree);
	tree_make(&work);
	tree_dir(&work, "empty");
	tree_file(&work, "full/file", "mine");
	tree_file(&work, "there", "mine");
	tree_file(&work, "there.tar", "mine");
	tree_dir(&work, "dir.tar");
	tree_link(&work, "link", "nowhere");
	source = open_tree(tree);
	capture = capture_of(source);
	for (size_t i = 0; i < COUNT(targets); i++) {
		char *path = tree_path(&work, targets[i].path);
		size_t n = count_names(work.dir);
		struct pmuq_error *error = NULL;
		bool is_empty = strcmp(targets[i].path, "empty") == 0;

		if (pmuq_capture_write(capture, path, &error) != targets[i].ret)
			fail_msg("%s: %s", targets[i].name,
				 error ? error->message.p : "it was written");
		assert_int_equal(count_names(work.dir), n + (targets[i].ret == 0 && !is_empty));
		if (targets[i].ret == 0)
			assert_alike(path, pmuq_capture_content(capture)->catalog);
		else
			assert_string_equal(error->origin.p, path);
		pmuq_error_free(error);
		free(path);
	}
	assert_int_equal(pmuq_capture_write(capture, "", NULL), -PMUQ_E_BAD_CALL);
	pmuq_capture_free(capture);
	pmuq_source_free(source);
	tree_remove(&work);
}

/* A limit on the size of files has the effect of a full disk. */
static void a_write_that_fails_leaves_nothing(void **state)
{
	static const char *const names[] = { "dir", "a.tar", "a.tar.gz", "a.tar.xz", "a.tar.zst" };
	struct rlimit limit, tight;
	struct tree *tree = *state;
	struct pmuq_capture *capture;
	struct pmuq_source *source;
	struct tree work;

	make_cpu(tree);
	put(tree, "cpu/long", "a line that has more bytes than the file may have, long as it is\n");
	tree_make(&work);
	source = open_tree(tree);
	capture = capture_of(source);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	tight = limit;
	tight.rlim_cur = 40;
	for (size_t i = 0; i < COUNT(names); i++) {
		char *path = tree_path(&work, names[i]);
		struct pmuq_error *error = NULL;
		int r;

		assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
		r = pmuq_capture_write(capture, path, &error);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
		assert_int_equal(r, -PMUQ_E_CAPTURE_FAILED);
		assert_int_equal(error->errnum, EFBIG);
		assert_int_equal(count_names(work.dir), 2);
		pmuq_error_free(error);
		free(path);
	}
	signal(SIGXFSZ, SIG_DFL);
	pmuq_capture_free(capture);
	pmuq_source_free(source);
	tree_remove(&work);
}

static void two_captures_of_one_machine_are_the_same_bytes(void **state)
{
	struct tree *tree = *state;
	struct pmuq_source *source;
	struct pq_buf bytes[2] = { 0 };
	struct tree work;

	make_telling(tree);
	tree_make(&work);
	for (int i = 0; i < 2; i++) {
		/* The directory in the tar has the stem of its name. */
		char *path = tree_path(&work, i ? "b/same.tar" : "a/same.tar");
		struct pmuq_capture *capture;
		char read[4096];
		FILE *file;
		size_t n;

		tree_dir(&work, i ? "b" : "a");
		source = open_tree(tree);
		capture = capture_of(source);
		write_capture(capture, path);
		file = fopen(path, "r");
		assert_non_null(file);
		while ((n = fread(read, 1, sizeof(read), file)) > 0)
			pq_buf_add(&bytes[i], (struct pmuq_str){ .p = read, .n = n });
		fclose(file);
		pmuq_capture_free(capture);
		pmuq_source_free(source);
		free(path);
	}
	assert_true(str_eq(pq_buf_str(&bytes[0]), pq_buf_str(&bytes[1])));
	assert_true(bytes[0].n > 0);
	pq_buf_free(&bytes[0]);
	pq_buf_free(&bytes[1]);
	tree_remove(&work);
}

static void a_source_without_files_cannot_be_captured(void **state)
{
	struct pmuq_capture_options options = { .size = 1 };
	struct tree *tree = *state;
	struct pmuq_catalog *catalog = NULL;
	struct pmuq_source *source, *loaded = NULL;
	struct pmuq_capture *capture = NULL;

	make_cpu(tree);
	source = open_tree(tree);
	assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL), 0);
	assert_int_equal(pmuq_source_open_catalog(catalog, &loaded, NULL), 0);
	assert_int_equal(pmuq_capture_take(loaded, NULL, &capture, NULL), -PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_capture_take(NULL, NULL, &capture, NULL), -PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_capture_take(source, &options, &capture, NULL), -PMUQ_E_BAD_CALL);
	options = (struct pmuq_capture_options){ .size = sizeof(options), .hostname = "a\nb" };
	assert_int_equal(pmuq_capture_take(source, &options, &capture, NULL), -PMUQ_E_BAD_CALL);
	assert_null(capture);
	pmuq_source_free(loaded);
	pmuq_source_free(source);
}

#define HEAD "pmuq-capture 1\n"

static const struct manifest {
	const char *text, *wrong; /* NULL: nothing */
} manifests[] = {
	{ HEAD, NULL },
	{ HEAD "unread file 71 13 a%20b/%25", NULL },
	{ HEAD "unread link 0 0 sys/l\nunread other 0 0 o\n", NULL },
	{ HEAD "a word of a later version\n\n\n", NULL },
	{ "", ":1: not" },
	{ "pmuq-capture", ":1: not" },
	{ "pmuq-capture 2\n", ":1: a version" },
	{ "pmuq-capture x\n", ":1: not" },
	{ HEAD "unread", ":2: 'unread' takes" },
	{ HEAD "unread pipe 71 13 a", ":2: 'unread' takes" },
	{ HEAD "\nunread file 34 13 a", ":3: not a code" },
	{ HEAD "unread file 0 0 a", ":2: not a code" },
	{ HEAD "unread dir 0 0 a", ":2: not a code" },
	{ HEAD "unread file 71 99999 a", ":2: not an errno" },
	{ HEAD "unread file 71 -1 a", ":2: not an errno" },
	{ HEAD "unread file 71 13 ", ":2: not a path" },
	{ HEAD "unread file 71 13 /etc/passwd", ":2: not a path" },
	{ HEAD "unread file 71 13 ../../etc", ":2: not a path" },
	{ HEAD "unread file 71 13 a//b", ":2: not a path" },
	{ HEAD "unread file 71 13 a%2", ":2: not a path" },
	{ HEAD "unread file 71 13 a%zz", ":2: not a path" },
	{ HEAD "unread file 71 13 a%00b", ":2: not a path" },
	{ HEAD "unread file 71 13 a%2F..%2Fb", ":2: not a path" },
	{ HEAD "fact hostname x", ":2: not a fact" },
	{ HEAD "fact machine_id \033[2J", ":2: a fact that is not text" },
	{ HEAD "fact extended_type \xff", ":2: a fact that is not text" },
};

static void a_manifest_error_has_a_line(void **state)
{
	struct tree *tree = *state;

	make_cpu(tree);
	for (size_t i = 0; i < COUNT(manifests); i++) {
		int want = manifests[i].wrong ? -PMUQ_E_BAD_MANIFEST : 0;
		struct pmuq_source *source = NULL;
		struct pmuq_error *error = NULL;

		tree_file(tree, "pmuq-capture", manifests[i].text);
		if (pmuq_source_open_tree(tree->dir, &source, &error) != want)
			fail_msg("'%s': %s", manifests[i].text,
				 error ? error->message.p : "it was taken");
		if (manifests[i].wrong)
			assert_non_null(strstr(error->message.p, manifests[i].wrong));
		pmuq_error_free(error);
		pmuq_source_free(source);
	}
}

/* A mark precedes the list: a file cannot be hidden or listed twice. */
static void a_mark_hides_the_file_of_its_name(void **state)
{
	struct tree *tree = *state;
	struct pmuq_catalog *catalog = NULL;

	make_cpu(tree);
	tree_file(tree, "pmuq-capture",
		  HEAD "unread file 71 5 " DEVICES "cpu/events/cycles\n"
		       "unread dir 71 13 " DEVICES "cpu/format\n"
		       "unread dir 71 13 " DEVICES "more\n"
		       "unread link 0 0 " DEVICES "loose\n");
	catalog = law_read(tree->dir);
	assert_int_equal(pmuq_catalog_machine(catalog)->n_pmus, 2);
	assert_int_equal(find(catalog, "cpu")->definition->n_events, 1);
	assert_int_equal(find(catalog, "cpu")->definition->n_formats, 0);
	assert_true(has_problem(catalog, "cpu/events/cycles", PMUQ_E_UNREADABLE));
	assert_true(has_problem(catalog, "cpu/format", PMUQ_E_UNREADABLE));
	assert_true(has_problem(catalog, "more", PMUQ_E_UNREADABLE));
	assert_true(has_problem(catalog, "loose", PMUQ_E_REFUSED_FILE));
	pmuq_catalog_free(catalog);
	assert_law(tree->dir, true);
	assert_law(tree->dir, false);
}

#define WITH_TREE(f) cmocka_unit_test_setup_teardown(f, tree_setup, tree_teardown)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		WITH_TREE(an_unreadable_file_stays_unreadable),
		cmocka_unit_test(this_machine_is_read_back),
		WITH_TREE(an_ordinary_user_reads_a_captured_machine),
		WITH_TREE(a_second_capture_keeps_probed_facts),
		WITH_TREE(nothing_identifies_the_machine),
		WITH_TREE(a_name_may_be_kept_or_chosen),
		WITH_TREE(each_target_is_written_whole_or_refused),
		WITH_TREE(a_write_that_fails_leaves_nothing),
		WITH_TREE(two_captures_of_one_machine_are_the_same_bytes),
		WITH_TREE(a_source_without_files_cannot_be_captured),
		WITH_TREE(a_manifest_error_has_a_line),
		WITH_TREE(a_mark_hides_the_file_of_its_name),
	};

	return cmocka_run_group_tests_name("capture", tests, NULL, NULL);
}
