/* SPDX-License-Identifier: MIT */
/*
 * A reader parses what documents share once. So whatever it has read before, it returns the same
 * machines, names, times and errors: here after a document that differs in its hosts only.
 */
#include "core/buf.h"
#include "tests/unit/cmocka_all.h"
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <string.h>

#define BEFORE "schema: pmuq.inventory/2\nhosts:\n"
#define HOST "- name: web01\n  hostname: web01\n  boot_id: \"17\"\n"
#define AFTER                                                                                       \
	"facts:\n  kernel: \"6.12.0\"\n  arch: x86_64\npmus:\n- name: cpu\n  type: 4\n  formats:\n" \
	"    event: config:0-7\n"
#define CHECK                                                                                      \
	"check:\n  kernel: \"6.12.0\"\n  total: 1\n  open_results:\n    opened:\n"                 \
	"      status: opened\n  checked:\n  - pmu: cpu\n    events:\n      a: opened\n"
#define END "end: {documents: 1}\n"

/* Lists of hosts: those that can be read, and those that a parser could take for something else if
 * the rest of the document were not there. */
static const struct {
	const char *name, *hosts;
} lists[] = {
	{ "the same host", HOST },
	{ "another host", "- name: web02\n  hostname: web02\n  boot_id: \"18\"\n" },
	{ "a host without a name", "- hostname: web02\n  boot_id: \"18\"\n  machine_id: x\n" },
	{ "fewer facts", "- name: web02\n" },
	{ "two hosts", HOST "- name: web02\n" },
	{ "hosts with one name", HOST HOST },
	{ "a list on one line", "- {name: web02, hostname: web02, boot_id: \"18\"}\n" },
	{ "comments and empty lines", "# a\n\n- name: web02 # b\n\n  # c\n  hostname: w\n#\n" },
	{ "a text of several lines", "- name: \"web\n    02\"\n  hostname: |\n    w\n\n" },
	{ "a text that keeps its end", "- name: |+\n    w\n\n\n" },
	{ "a folded text at the end", "- name: a\n  hostname: >\n    w\n" },
	{ "a time", "- name: web02\n  hostname: w\n  first_seen: \"2026-01-02T03:04:05Z\"\n" },
	{ "a check", "- name: web02\n  hostname: w\n  checked: \"2026-01-02T03:04:05Z\"\n" },
	{ "no host", "" },
	{ "an empty item", "-\n" },
	{ "a quote that does not end", "- name: \"web02\n" },
	{ "an apostrophe that does not end", "- name: 'web02\n  hostname: w\n  boot_id: 1\n" },
	{ "a bracket that does not end", "- name: [web02\n  hostname\n" },
	{ "a brace that does not end", "- {name: web02,\n  hostname: w,\n" },
	{ "a key without a value", "- name: web02\n  hostname: w\n  boot_id\n" },
	{ "a key that begins with a question mark", "- ? name\n" },
	{ "another key", "- name: web02\n  hostnames: w\n  boot_id: \"1\"\n" },
	{ "an anchor", "- name: &a web02\n  hostname: w\n  boot_id: \"1\"\n" },
	{ "an alias", "- name: *a\n  hostname: w\n  boot_id: \"1\"\n" },
	{ "a tag", "- name: !!str web02\n  hostname: w\n  boot_id: \"1\"\n" },
	{ "a tab", "- name: web02\n\thostname: w\n" },
	{ "no UTF-8", "- name: web\xff\n  hostname: w\n  boot_id: \"1\"\n" },
	{ "another indentation", "  - name: web02\n    hostname: w\n    boot_id: \"1\"\n" },
	{ "an indentation that changes", "- name: web02\n hostname: w\n  boot_id: \"1\"\n" },
	{ "a carriage return", "- name: web02\r\n  hostname: w\r\n  boot_id: \"1\"\r\n" },
};

/* What follows the hosts, and whether the document is one of several. */
static const char *const ends[] = {
	AFTER END,
	AFTER "end: {}\n",
	AFTER "end: {documents: 2}\n",
	AFTER "end: {entries: 15, documents: 1}\n",
	AFTER CHECK END,
	AFTER "...\n",
	("facts: {}\n" END),
};

/* Machines with their names and times, and the error at the end. */
static void put_outcome(struct pmuq_reader *reader, const char *text, struct pq_buf *ret)
{
	struct pmuq_error *error = NULL;
	struct pmuq_catalog *catalog = NULL;
	int r;

	assert_int_equal(pmuq_reader_open_bytes(reader, text, strlen(text), "file", NULL), 0);
	while ((r = pmuq_reader_next(reader, &catalog, &error)) == 0 && catalog) {
		const struct pmuq_document_host *host = pmuq_reader_host(reader);
		struct pmuq_writer *writer = NULL;
		char *written = NULL;
		size_t n;

		assert_int_equal(pmuq_writer_new(&writer, NULL), 0);
		assert_int_equal(
			pmuq_writer_add(writer, catalog, host->name.p, host->first_seen_s, NULL),
			0);
		assert_int_equal(pmuq_writer_text(writer, PMUQ_DOCUMENT_YAML, &written, &n, NULL),
				 0);
		pq_buf_print(ret, "%zu: %s", host->document, written);
		pmuq_writer_free(writer);
		pmuq_catalog_free(catalog);
		free(written);
		catalog = NULL;
	}
	if (r < 0)
		pq_buf_print(ret, "%d %s: %s\n%s\n%zu %s\n", r, error->origin.p, error->message.p,
			     error->hint.p ? error->hint.p : "", error->offset,
			     error->input.p ? error->input.p : "");
	pmuq_error_free(error);
}

static void put_alone(const char *text, struct pq_buf *ret)
{
	struct pmuq_reader *reader = NULL;

	assert_int_equal(pmuq_reader_new(&reader, NULL), 0);
	put_outcome(reader, text, ret);
	pmuq_reader_free(reader);
}

static char *document(const char *hosts, const char *end)
{
	char *text;

	assert_true(asprintf(&text, BEFORE "%s%s", hosts, end) > 0);
	return text;
}

static void expect_same(struct pmuq_reader *reader, const char *name, const char *text)
{
	struct pq_buf alone = PQ_BUF_NULL, after = PQ_BUF_NULL;

	put_alone(text, &alone);
	put_outcome(reader, text, &after);
	assert_false(alone.failed || after.failed);
	if (!str_eq(pq_buf_str(&alone), pq_buf_str(&after)))
		fail_msg("%s\n%s\nalone:\n%.*safter another one:\n%.*s", name, text,
			 STR_ARG(pq_buf_str(&alone)), STR_ARG(pq_buf_str(&after)));
	pq_buf_free(&alone);
	pq_buf_free(&after);
}

static void each_list_is_read_as_if_it_were_the_first(void **state)
{
	(void)state;
	for (size_t end = 0; end < COUNT(ends); end++) {
		struct pmuq_reader *reader = NULL;

		assert_int_equal(pmuq_reader_new(&reader, NULL), 0);
		for (size_t turn = 0; turn < 2; turn++)
			for (size_t i = 0; i < COUNT(lists); i++) {
				char *text = document(lists[i].hosts, ends[end]);

				expect_same(reader, lists[i].name, text);
				free(text);
			}
		pmuq_reader_free(reader);
	}
}

/* One file: its documents are counted, also those whose hosts alone are read. */
static void documents_of_a_file_are_counted(void **state)
{
	static const char file[] =
		BEFORE HOST AFTER "end: {}\n---\n" BEFORE "- name: web02\n  hostname: web02\n"
				  "  boot_id: \"18\"\n" AFTER "end: {}\n---\n" BEFORE HOST AFTER
				  "end: {documents: %d}\n";
	struct pmuq_reader *reader = NULL;

	(void)state;
	assert_int_equal(pmuq_reader_new(&reader, NULL), 0);
	for (int turn = 0; turn < 6; turn++) {
		char *text;

		assert_true(asprintf(&text, file, turn % 3 == 1 ? 2 : 3) > 0);
		expect_same(reader, "a file of three documents", text);
		free(text);
	}
	pmuq_reader_free(reader);
}

/* The last document of a file, after the same document was a file of its own. */
static void the_number_of_documents_is_checked(void **state)
{
	struct pmuq_reader *reader = NULL;

	(void)state;
	assert_int_equal(pmuq_reader_new(&reader, NULL), 0);
	expect_same(reader, "a file of one document", "---\n" BEFORE HOST AFTER END);
	expect_same(reader, "a file of two that names one",
		    BEFORE HOST AFTER "end: {}\n---\n" BEFORE HOST AFTER END);
	pmuq_reader_free(reader);
}

/* More documents than a reader keeps. */
static void the_oldest_are_dropped(void **state)
{
	struct pmuq_reader *reader = NULL;

	(void)state;
	assert_int_equal(pmuq_reader_new(&reader, NULL), 0);
	for (int i = 0; i < 200; i++) {
		char *text;

		assert_true(asprintf(&text, BEFORE HOST "facts:\n  kernel: \"6.12.%d\"\n" END,
				     i % (i < 100 ? 40 : 20)) > 0);
		expect_same(reader, "a kernel", text);
		free(text);
	}
	pmuq_reader_free(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_list_is_read_as_if_it_were_the_first),
		cmocka_unit_test(documents_of_a_file_are_counted),
		cmocka_unit_test(the_number_of_documents_is_checked),
		cmocka_unit_test(the_oldest_are_dropped),
	};

	return _cmocka_run_group_tests("kept_documents", tests, COUNT(tests), NULL, NULL);
}
