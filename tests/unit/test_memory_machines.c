/* SPDX-License-Identifier: MIT */
/* Machines without memory: what is read of them, made of them and stored. */
#include "tests/harness/fail_each_malloc.h"
#include "tests/harness/same_catalog.h"
#include "tests/harness/store.h"

static int read_tree(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	struct pmuq_source *source = NULL;
	int r = pmuq_source_open_tree(in->dir, &source, reterr);

	if (r < 0)
		return r;
	r = pmuq_source_read_catalog(source, (struct pmuq_catalog **)ret, reterr);
	pmuq_source_free(source);
	return r;
}

/* Compared with the usual one as a whole. */
static char *print_catalog(const struct call_input *in, const void *result)
{
	char *difference = in->other ? catalog_difference(in->other, result) : NULL;

	return difference ? difference : strdup("the same");
}

static void free_catalog(void *result)
{
	pmuq_catalog_free(result);
}

static int capture(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	struct pmuq_source *source = NULL;
	int r = pmuq_source_open_tree(in->dir, &source, reterr);

	if (r < 0)
		return r;
	r = pmuq_capture_take(source, NULL, (struct pmuq_capture **)ret, reterr);
	pmuq_source_free(source);
	return r;
}

static char *print_capture(const struct call_input *in, const void *result)
{
	const struct pmuq_captured *content = pmuq_capture_content(result);
	struct pq_buf buf = PQ_BUF_NULL;

	(void)in;
	for (size_t i = 0; i < content->n_files; i++)
		pq_buf_print(&buf, "%s %zu\n", pmuq_capture_file(result, i)->path.p,
			     pmuq_capture_file(result, i)->n_bytes);
	for (size_t i = 0; i < content->n_redactions; i++)
		pq_buf_print(&buf, "%s %s\n", content->redactions[i].name.p,
			     content->redactions[i].text.p);
	pq_buf_print(&buf, "%zu unread\n", content->n_unread);
	return pq_buf_take(&buf);
}

static void free_capture(void *result)
{
	pmuq_capture_free(result);
}

static int compare(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	return pmuq_catalog_diff(in->catalog, in->other, NULL, (struct pmuq_diff **)ret, reterr);
}

static char *print_diff(const struct call_input *in, const void *result)
{
	struct pq_buf buf = PQ_BUF_NULL;

	(void)in;
	for (size_t i = 0; i < pmuq_diff_count(result); i++) {
		const struct pmuq_change *change = pmuq_diff_get(result, i);

		pq_buf_print(&buf, "%d %d %s %s\n", change->type, change->weight,
			     change->name.p ? change->name.p : "-", change->text.p);
	}
	return pq_buf_take(&buf);
}

static void free_diff(void *result)
{
	pmuq_diff_free(result);
}

static int write_document(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	struct pmuq_writer *writer = NULL;
	size_t bytes;
	int r = pmuq_writer_new(&writer, reterr);

	if (r == 0)
		r = pmuq_writer_add(writer, in->catalog, "a", 1, reterr);
	if (r == 0)
		r = pmuq_writer_add(writer, in->catalog, "b", 2, reterr);
	if (r == 0)
		r = pmuq_writer_text(writer, in->form, (char **)ret, &bytes, reterr);
	pmuq_writer_free(writer);
	return r;
}

static char *print_text(const struct call_input *in, const void *result)
{
	(void)in;
	return strdup(result);
}

static int read_document(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	struct pmuq_reader *reader = NULL;
	int r = pmuq_reader_new(&reader, reterr);

	if (r == 0)
		r = pmuq_reader_open_bytes(reader, in->bytes, in->n_bytes, "a document", reterr);
	if (r == 0)
		r = pmuq_reader_next(reader, (struct pmuq_catalog **)ret, reterr);
	pmuq_reader_free(reader);
	return r;
}

static const struct call_type reads = { "read", read_tree, print_catalog, free_catalog };
static const struct call_type captures = { "capture", capture, print_capture, free_capture };
static const struct call_type diffs = { "diff", compare, print_diff, free_diff };
static const struct call_type writes = { "write", write_document, print_text, free };
static const struct call_type reads_documents = { "read a document", read_document, print_catalog,
						  free_catalog };

static void walk_documents(const struct pmuq_catalog *catalog)
{
	for (int form = PMUQ_DOCUMENT_YAML; form <= PMUQ_DOCUMENT_JSON; form++) {
		struct call_input in = { .text = "its document",
					 .catalog = catalog,
					 .form = (enum pmuq_document_form)form };
		struct pmuq_catalog *read = NULL;
		char *text = NULL;

		fail_each_malloc(&writes, &in);
		assert_int_equal(write_document(&in, (void **)&text, NULL), 0);
		in.bytes = text;
		in.n_bytes = strlen(text);
		assert_int_equal(read_document(&in, (void **)&read, NULL), 0);
		in.other = read;
		fail_each_malloc(&reads_documents, &in);
		in.n_bytes /= 2;
		fail_each_malloc(&reads_documents, &in);
		pmuq_catalog_free(read);
		free(text);
	}
}

static void machines_and_what_is_made_of_them(void **state)
{
	static const char *const names[] = { "core2-merom", "alderlake-hybrid-k6.12",
					     "arm64-biglittle" };
	struct pmuq_catalog *before = NULL, *catalog;

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		auto_free char *dir = NULL;
		struct call_input in = { .text = names[i] };

		assert_true(asprintf(&dir, "%s/%s", getenv("PMUQ_TEST_MACHINES"), names[i]) > 0);
		in.dir = dir;
		assert_int_equal(read_tree(&in, (void **)&catalog, NULL), 0);
		in.other = catalog;
		fail_each_malloc(&reads, &in);
		fail_each_malloc(&captures, &in);
		in.catalog = before ? before : catalog;
		fail_each_malloc(&diffs, &in);
		walk_documents(catalog);
		pmuq_catalog_free(before);
		before = catalog;
	}
	pmuq_catalog_free(before);
}

/* Saved in a new database, listed, and loaded again. */
static int save_and_load(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	struct pmuq_saved saved = { .size = sizeof(saved) };
	struct pmuq_store *store = NULL;
	struct pmuq_source *source = NULL;
	struct pmuq_hosts *hosts = NULL;
	int r;

	unlink(in->dir);
	r = pmuq_store_open(in->dir, PMUQ_STORE_CREATE, &store, reterr);
	if (r == 0)
		r = pmuq_store_save(store, in->catalog, NULL, "host", 1, &saved, reterr);
	if (r == 0)
		r = pmuq_store_list_hosts(store, NULL, &hosts, reterr);
	if (r == 0)
		r = pmuq_store_open_host(store, "host", 0, &source, reterr);
	if (r == 0)
		r = pmuq_source_read_catalog(source, (struct pmuq_catalog **)ret, reterr);
	pmuq_source_free(source);
	pmuq_hosts_free(hosts);
	pmuq_store_free(store);
	return r;
}

static const struct call_type saves = { "save and load", save_and_load, print_catalog,
					free_catalog };

/* Texts of any bytes, and a check. */
static void a_machine_with_a_check(void **state)
{
	const struct test_machine machine = { .n_uncore = 2,
					      .check = { .n = 3, .total = 5, .time_s = 7 } };
	const struct test_machine later = { .n_uncore = 3,
					    .kernel = "7.1",
					    .check = { .n = 3, .time_s = 8, .first_errnum = 2 } };
	struct pmuq_catalog *catalog = machine_catalog(&machine);
	struct pmuq_catalog *other = machine_catalog(&later);
	struct call_input in = { .catalog = catalog, .other = catalog };
	auto_free char *path = NULL;
	void *loaded = NULL;
	struct tree tree;

	(void)state;
	tree_make(&tree);
	in.dir = path = tree_path(&tree, "pmuq.db");
	assert_int_equal(save_and_load(&in, &loaded, NULL), 0);
	pmuq_catalog_free(loaded);
	fail_each_malloc(
		&diffs,
		&(struct call_input){ .text = "two checks", .catalog = catalog, .other = other });
	fail_each_malloc(&saves, &in);
	pmuq_catalog_free(other);
	pmuq_catalog_free(catalog);
	tree_remove(&tree);
}

/* Files with problems, of which each is a warning: the list of problems must be the usual one. */
static void a_machine_with_problems(void **state)
{
	static const struct {
		const char *path, *text;
	} files[] = {
		{ DEVICES "cpu/type", "4\n" },
		{ DEVICES "cpu/format/event", "config:0-7\n" },
		{ DEVICES "cpu/format/odd", "config:7-0\n" },
		{ DEVICES "cpu/events/cycles", "event=0x3c\n" },
		{ DEVICES "cpu/events/open", "event=?\n" },
		{ DEVICES "cpu/events/bad", "event==\n" },
		{ DEVICES "cpu/events/cycles.scale", "much\n" },
		{ DEVICES "cpu/cpus", "0-x\n" },
		{ DEVICES "box_0/type", "20\n" },
		{ DEVICES "box_0/cpumask", "0-3,\n" },
		{ DEVICES "box_0/format/event", "config:0-7\n" },
		{ DEVICES "box_0/alias", "box\n" },
		{ DEVICES "box_1/type", "x\n" },
		{ DEVICES "box_2", "no directory\n" },
		{ "sys/devices/system/cpu/online", "0-3\n" },
		{ "sys/devices/system/cpu/present", "0-3\n" },
		{ "sys/devices/cpu_core/cpus", "0-1\n" },
		{ "proc/cpuinfo", "processor : 0\nvendor_id : GenuineIntel\n" },
		{ "etc/machine-id", "0123456789abcdef0123456789abcdef\n" },
		{ "proc/sys/kernel/hostname", "host\n" },
	};
	struct pmuq_catalog *catalog = NULL;
	struct tree tree;
	struct call_input in = { .text = "odd" };

	(void)state;
	tree_make(&tree);
	for (size_t i = 0; i < COUNT(files); i++)
		tree_file(&tree, files[i].path, files[i].text);
	in.dir = tree.dir;
	assert_int_equal(read_tree(&in, (void **)&catalog, NULL), 0);
	in.other = in.catalog = catalog;
	fail_each_malloc(&reads, &in);
	fail_each_malloc(&captures, &in);
	walk_documents(catalog);
	pmuq_catalog_free(catalog);
	tree_remove(&tree);
}

/* ----------------------------------------------------------------------------------- recordings */

static int open_recording(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	return pmuq_recording_open(in->dir, (struct pmuq_recording **)ret, reterr);
}

static char *print_recording(const struct call_input *in, const void *result)
{
	const struct pmuq_recorded *content = pmuq_recording_content(result);
	struct pq_buf buf = PQ_BUF_NULL;

	(void)in;
	for (size_t i = 0; i < content->n_events; i++)
		pq_buf_print(&buf, "%s\n", pmuq_recording_event(result, i)->name.p);
	for (size_t i = 0; i < content->n_features; i++)
		pq_buf_print(&buf, "%s %zu\n", pmuq_recording_feature(result, i)->name.p,
			     pmuq_recording_feature(result, i)->n_values);
	pq_buf_print(&buf, "%zu problems\n", content->n_problems);
	return pq_buf_take(&buf);
}

static void free_recording(void *result)
{
	pmuq_recording_free(result);
}

static int catalog_of_recording(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	struct pmuq_recording *recording = NULL;
	int r = pmuq_recording_open(in->dir, &recording, reterr);

	if (r < 0)
		return r;
	r = pmuq_recording_catalog(recording, (struct pmuq_catalog **)ret, reterr);
	pmuq_recording_free(recording);
	return r;
}

static const struct call_type opens_recordings = { "open a recording", open_recording,
						   print_recording, free_recording };
static const struct call_type reads_recordings = { "the machine of a recording",
						   catalog_of_recording, print_catalog,
						   free_catalog };

static void recordings(void **state)
{
	static const char *const names[] = { "groups-7.2.data", "clock-stream-7.2.data",
					     "stat.data", "tracepoint.data" };

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		struct pmuq_catalog *catalog = NULL;
		auto_free char *path = NULL;
		struct call_input in = { .text = names[i] };

		assert_true(asprintf(&path, "%s/%s", getenv("PMUQ_TEST_RECORDINGS"), names[i]) > 0);
		in.dir = path;
		fail_each_malloc(&opens_recordings, &in);
		assert_int_equal(catalog_of_recording(&in, (void **)&catalog, NULL), 0);
		in.other = catalog;
		fail_each_malloc(&reads_recordings, &in);
		pmuq_catalog_free(catalog);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(machines_and_what_is_made_of_them),
		cmocka_unit_test(a_machine_with_a_check),
		cmocka_unit_test(a_machine_with_problems),
		cmocka_unit_test(recordings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
