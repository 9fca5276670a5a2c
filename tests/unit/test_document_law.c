/* SPDX-License-Identifier: MIT */
/* Laws for all documents: odd machines are read back unchanged, hosts of a class share one
 * document, a cut document is detected; and tests of the parts of the writer and the reader. */
#include "core/catalog/check.h"
#include "core/catalog/fact.h"
#include "core/ranges.h"
#include "core/text/time.h"
#include "core/text/utf8.h"
#include "core/text/yaml_words.h"
#include "discover/read/host_facts.h"
#include "document/base64.h"
#include "tests/harness/build.h"
#include "tests/harness/documented.h"
#include "tests/harness/same_catalog.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

static void assert_documented(const struct pmuq_catalog *catalog)
{
	char *difference = documented_difference(catalog);

	if (difference)
		fail_msg("%s", difference);
}

/* ------------------------------------------------------------------------------ odd machines */

/* As names (a slash apart) and as texts. */
static const char *const odd_texts[] = {
	"plain",
	"yes",
	"No",
	"null",
	"~",
	"1",
	"-1.5e3",
	"0x10",
	"1_000",
	"12:30:45",
	"2026-11-21",
	".inf",
	"- a",
	"a: b",
	"a #b",
	"a:",
	"#",
	"'",
	"\"",
	"\\",
	"{base64: x}",
	"[1]",
	"*a",
	"&a",
	"!a",
	"%a",
	"@a",
	"`a",
	"?",
	"a | unit b",
	"a|",
	"|",
	">",
	"---",
	"...",
	"<<",
	"=",
	"base64:",
	"base64:YQ==",
	"two words",
	"\xc3\xa9t\xc3\xa9",
	"\xe2\x80\xa8 a line",
	"\xef\xbb\xbf bom",
	"\xc2\x85",
	"\xef\xbf\xbe",
	"\xf0\x9f\x90\xa7",
	"\xed\xa0\x80",
	"\xf4\x90\x80\x80",
	"\xc0\xaf",
	"\xff",
	"\x01",
	"\x1b[31m",
	"\x7f",
	"a\rb",
	"\xe2\x82",
};
#define N_ODD (sizeof(odd_texts) / sizeof(odd_texts[0]))

static void add_odd(struct pq_builder *builder, size_t i)
{
	struct pmuq_str text = str_of(odd_texts[i]);
	char inner[64];
	struct pmuq_format formats[] = { { .name = text, .text = text },
					 { .name = STR("more"), .text = STR("  config:1") } };
	struct pmuq_event events[] = {
		{ .name = text, .terms = text, .unit = STR(""), .scale = STR("1") },
		{ .name = STR("with unit"),
		  .terms = text,
		  .unit = text,
		  .scale = STR("1"),
		  .has_unit_file = true },
		{ .name = STR("blank unit"),
		  .terms = STR("event=1"),
		  .unit = STR(" MiB "),
		  .scale = STR("1"),
		  .has_unit_file = true },
		{ .name = STR("empty unit"),
		  .terms = STR("event=1"),
		  .unit = STR(""),
		  .scale = STR("-6.1E-5"),
		  .has_unit_file = true,
		  .has_scale_file = true },
		{ .name = STR("no terms"), .terms = STR(""), .unit = STR(""), .scale = STR("1") },
		{ .name = STR("no terms, scaled"),
		  .terms = STR(""),
		  .unit = STR(""),
		  .scale = STR("1"),
		  .has_scale_file = true,
		  .is_snapshot = true },
		{ .name = STR("all"),
		  .terms = STR("event=1,umask=?"),
		  .unit = STR("MiB"),
		  .scale = STR("2"),
		  .has_unit_file = true,
		  .has_scale_file = true,
		  .is_per_pkg = true,
		  .is_snapshot = true },
	};
	struct pmuq_str many = { .p = inner,
				 .n = (size_t)snprintf(inner, sizeof(inner), "\n\t%s\n\n%s ",
						       text.p, text.p) };
	struct pmuq_pair pairs[] = { { .name = text, .text = many },
				     { .name = STR("empty"), .text = STR("") } };
	struct pq_pmu_draft draft = {
		.name = text,
		.alias = i % 2 ? text : (struct pmuq_str){ 0 },
		.cpumask = i % 3 ? text : (struct pmuq_str){ 0 },
		.cpus_file = i % 5 ? (struct pmuq_str){ 0 } : STR(""),
		.type = (uint32_t)(i % 7 ? i : UINT32_MAX),
		.has_type = i % 4 > 0,
		.formats = formats,
		.n_formats = COUNT(formats),
		.events = events,
		.n_events = COUNT(events),
		.caps = pairs,
		.n_caps = COUNT(pairs),
		.attributes = pairs,
		.n_attributes = i % 6 ? COUNT(pairs) : 0,
	};
	struct pmuq_problem problem = {
		.path = text, .message = many, .code = PMUQ_E_UNREADABLE, .errnum = (int)i
	};
	struct pmuq_tracepoint tracepoint = { .subsystem = text, .name = text, .id = i };

	assert_int_equal(pq_builder_pmu(builder, &draft, NULL), 0);
	assert_int_equal(pq_builder_problem(builder, &problem, NULL), 0);
	assert_int_equal(pq_builder_tracepoint(builder, &tracepoint, NULL), 0);
	assert_int_equal(pq_builder_fact(builder, text, many, NULL), 0);
}

static struct pmuq_catalog *finish(struct pq_builder *builder)
{
	struct pmuq_catalog *catalog = NULL;

	assert_int_equal(pq_builder_finish(builder, &catalog, NULL), 0);
	return catalog;
}

static struct pq_builder *begin(void)
{
	struct pq_builder *builder = NULL;

	assert_int_equal(pq_builder_new(&builder, NULL), 0);
	return builder;
}

static void odd_bytes_are_read_back(void **state)
{
	struct pq_builder *all = begin();
	struct pmuq_catalog *catalog;

	(void)state;
	for (size_t i = 0; i < N_ODD; i++) {
		struct pq_builder *one = begin();

		add_odd(one, i);
		add_odd(all, i);
		catalog = finish(one);
		assert_documented(catalog);
		pmuq_catalog_free(catalog);
	}
	catalog = finish(all);
	assert_documented(catalog);
	pmuq_catalog_free(catalog);
}

static void an_empty_machine_is_read_back(void **state)
{
	struct pmuq_catalog *catalog = finish(begin());

	(void)state;
	assert_documented(catalog);
	pmuq_catalog_free(catalog);
}

/* --------------------------------------------------------------------------------- instances */

/* Instances of one definition with any numbers: on one line if possible, and read back unchanged.
 */
static void instances_of_all_numbers_are_read_back(void **state)
{
	static const struct {
		const char *name, *alias, *cpumask;
		uint32_t type;
	} instances[] = {
		{ "imc_0", "type_0_0", "0", 10 },
		{ "imc_1", "type_0_1", "0", 11 },
		{ "imc_2", "type_0_2", "8", 12 },
		{ "imc_3", "type_0_3", "8", 20 },
		{ "imc_4", NULL, "8", 21 },
		{ "imc_7", NULL, "8", 4294967295 },
		{ "imc_8", NULL, "8", 0 },
		{ "imc_10", "other", NULL, 30 },
		{ "imc_11", "type_1_1", NULL, 31 },
		{ "imc_012", NULL, NULL, 32 },
		{ "imc_4294967295", NULL, NULL, 33 },
		{ "imc_4294967296", NULL, NULL, 34 },
		{ "imc_4294967294", NULL, NULL, 35 },
		{ "dmar0", NULL, NULL, 36 },
		{ "dmar1", NULL, NULL, 37 },
		{ "dmar10", NULL, NULL, 38 },
		{ "0", NULL, NULL, 39 },
		{ "a[0-1]", NULL, NULL, 40 },
		{ "a[0-1]2", NULL, NULL, 41 },
		{ "a[0-1]3", NULL, NULL, 42 },
		{ "\xff"
		  "1",
		  NULL, NULL, 43 },
		{ "\xff"
		  "2",
		  NULL, NULL, 44 },
	};
	struct pq_builder *builder = begin();
	struct pmuq_catalog *catalog;

	(void)state;
	for (size_t i = 0; i < COUNT(instances); i++) {
		const struct test_pmu pmu = { .name = instances[i].name,
					      .alias = instances[i].alias,
					      .cpumask = instances[i].cpumask,
					      .type = instances[i].type,
					      .formats = "event config:0-7" };

		test_add(builder, &pmu);
	}
	catalog = finish(builder);
	assert_documented(catalog);
	pmuq_catalog_free(catalog);
}

/* ------------------------------------------------------------------------------------- hosts */

static struct pmuq_check *make_check(int64_t time_s, int errnum)
{
	struct pmuq_open_result open_results[] = {
		{ .status = PMUQ_OPENED, .cpus = STR("-1") },
		{ .status = PMUQ_REFUSED,
		  .errnum = errnum,
		  .name = STR("no-such-event"),
		  .reason = STR("it \xff does not"),
		  .hint = STR(""),
		  .change = STR("without :u") },
		{ .status = PMUQ_REFUSED, .errnum = errnum, .name = STR("no-such-event") },
		{ .status = PMUQ_SKIPPED, .name = STR("odd name: 1") },
	};
	static const struct {
		const char *pmu, *event;
		bool is_generic;
		size_t open_result;
	} results[] = {
		{ "cpu", "cycles", false, 0 },	{ "cpu", "loads", false, 1 },
		{ "cpu", "cycles", false, 1 }, /* once more */
		{ "imc_0", "reads", false, 0 }, { "imc_1", "reads", false, 0 },
		{ "imc_2", "reads", false, 2 }, { "cpu", "cycles", true, 3 },
		{ "imc_0", "cycles", true, 0 }, { "cpu", "cycles", true, 0 },
	};
	struct pmuq_check *check = NULL;

	assert_int_equal(pq_check_new(STR("6.12"), time_s, &check, NULL), 0);
	for (size_t i = 0; i < COUNT(results); i++)
		assert_int_equal(pq_check_expect(check, str_of(results[i].pmu),
						 str_of(results[i].event), results[i].is_generic,
						 NULL),
				 0);
	assert_int_equal(pq_check_index(check, NULL), 0);
	for (size_t i = 0; i < COUNT(results); i++)
		assert_int_equal(pq_check_add(check, &open_results[results[i].open_result], NULL),
				 0);
	pq_check_set_total(check, 20);
	return check;
}

/* No time: not checked. */
static struct pmuq_catalog *make_host(const char *hostname, const char *boot_id, int64_t checked_s,
				      int errnum)
{
	static const struct test_pmu pmus[] = {
		{ .name = "cpu", .type = 4, .events = "cycles event=1; loads event=2" },
		{ .name = "imc_0", .type = 5, .events = "reads event=3" },
		{ .name = "imc_1", .type = 6, .events = "reads event=3" },
		{ .name = "imc_2", .type = 7, .events = "reads event=3" },
	};
	struct pq_builder *builder = begin();

	for (size_t i = 0; i < COUNT(pmus); i++)
		test_add(builder, &pmus[i]);
	pq_builder_fact(builder, STR("incomplete"), STR("perf.data"), NULL);
	pq_builder_fact(builder, STR("boot_id"), str_of(boot_id), NULL);
	pq_builder_fact(builder, STR("cpus_online"), STR("0-3"), NULL);
	pq_builder_fact(builder, STR("kernel"), STR("6.12"), NULL);
	if (hostname)
		pq_builder_fact(builder, STR("hostname"), str_of(hostname), NULL);
	if (checked_s)
		pq_builder_check(builder, make_check(checked_s, errnum));
	return finish(builder);
}

static void checks_are_read_back(void **state)
{
	struct pmuq_catalog *catalog = make_host("a", "1", 1700000000, 22);

	(void)state;
	assert_documented(catalog);
	pmuq_catalog_free(catalog);
}

struct wanted {
	struct pmuq_catalog *catalog;
	const char *name;
	int64_t first_seen_s;
	int64_t last_seen_s; /* 0: first_seen_s */
};

static char *write_all(const struct wanted *hosts, size_t n, enum pmuq_document_form form,
		       size_t n_documents, size_t *ret_n)
{
	struct pmuq_writer *writer = NULL;
	char *text = NULL;

	assert_int_equal(pmuq_writer_new(&writer, NULL), 0);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(pmuq_writer_add_seen(writer, hosts[i].catalog, hosts[i].name,
						      hosts[i].first_seen_s, hosts[i].last_seen_s,
						      NULL),
				 0);
	assert_int_equal(pmuq_writer_machine_count(writer), n);
	assert_int_equal(pmuq_writer_document_count(writer), n_documents);
	assert_int_equal(pmuq_writer_text(writer, form, &text, ret_n, NULL), 0);
	pmuq_writer_free(writer);
	return text;
}

static void expect_host(const struct wanted *want, const struct pmuq_reader *reader,
			const struct pmuq_catalog *catalog)
{
	char *difference = catalog_difference(want->catalog, catalog);

	if (!difference)
		difference = check_difference(pmuq_catalog_machine(want->catalog)->check,
					      pmuq_catalog_machine(catalog)->check);
	if (difference)
		fail_msg("%s", difference);
	if (want->name)
		assert_string_equal(pmuq_reader_host(reader)->name.p, want->name);
	else
		assert_null(pmuq_reader_host(reader)->name.p);
	assert_int_equal(pmuq_reader_host(reader)->first_seen_s, want->first_seen_s);
	assert_int_equal(pmuq_reader_host(reader)->last_seen_s,
			 want->last_seen_s ?: want->first_seen_s);
}

/* In the order of their documents; the catalogs outlive the reader. */
static void read_all(const struct wanted *hosts, const size_t *order, size_t n, const char *text,
		     size_t n_text)
{
	struct pmuq_catalog *found[8] = { 0 };
	struct pmuq_reader *reader = NULL;

	assert_int_equal(pmuq_reader_new(&reader, NULL), 0);
	assert_int_equal(pmuq_reader_open_bytes(reader, text, n_text, "F", NULL), 0);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(pmuq_reader_next(reader, &found[i], NULL), 0);
		assert_non_null(found[i]);
		expect_host(&hosts[order[i]], reader, found[i]);
	}
	assert_int_equal(pmuq_reader_next(reader, &found[n], NULL), 0);
	assert_null(found[n]);
	pmuq_reader_free(reader);
	for (size_t i = 0; i < n; i++) {
		char *difference = catalog_difference(hosts[order[i]].catalog, found[i]);

		assert_null(difference);
		pmuq_catalog_free(found[i]);
	}
}

static void hosts_of_a_class_are_one_document(void **state)
{
	struct wanted hosts[] = {
		{ make_host("a", "1", 1700000000, 22), "a", 1600000000 },
		{ make_host("b", "2", 0, 0), "b", 0 },
		{ make_host("c", "3", 1700000001, 22), NULL, 1, 86401 },
		{ make_host(NULL, "4", 1700000002, 2), "\xff", 253402300799 },
		{ make_host("e", "5", 0, 0), "e", 5, 5 },
	};
	/* Hosts with equal checks, hosts without one, and the one with another check. */
	static const size_t order[] = { 0, 2, 1, 4, 3 };

	(void)state;
	for (int form = PMUQ_DOCUMENT_YAML; form <= PMUQ_DOCUMENT_JSON; form++) {
		size_t n = 0, n_again = 0;
		char *text = write_all(hosts, COUNT(hosts), (enum pmuq_document_form)form, 3, &n);
		char *again =
			write_all(hosts, COUNT(hosts), (enum pmuq_document_form)form, 3, &n_again);

		assert_int_equal(n, n_again);
		assert_memory_equal(text, again, n);
		read_all(hosts, order, COUNT(order), text, n);
		free(text);
		free(again);
	}
	for (size_t i = 0; i < COUNT(hosts); i++)
		pmuq_catalog_free(hosts[i].catalog);
}

/* A host that shares all but one fact, and its check, with the base. */
static struct wanted share(const struct pmuq_catalog *base, const struct pmuq_pair *own,
			   int64_t checked_s, int errnum)
{
	struct pmuq_check *check = checked_s ? make_check(checked_s, errnum) : NULL, *again = NULL;
	struct wanted host = { .name = own->text.p };

	if (check)
		assert_int_equal(pq_check_again(check, checked_s + 1, &again, NULL), 0);
	assert_int_equal(pq_catalog_vary(base, own, 1, again, &host.catalog, NULL), 0);
	pmuq_check_free(check);
	return host;
}

/* What is known about a catalog is used for hosts that share it, and for no others: hosts 0 and 1
 * are of one document; the checks of 2 and 3 have other results, or none; 4 has a kernel of its
 * own. */
static void hosts_that_share_a_catalog_are_one_document(void **state)
{
	static const struct pmuq_pair names[] = {
		{ STR("hostname"), STR("a") },	  { STR("hostname"), STR("b") },
		{ STR("hostname"), STR("c") },	  { STR("hostname"), STR("d") },
		{ STR("vendor_fact"), STR("e") },
	};
	struct pmuq_catalog *base = make_host(NULL, "1", 0, 0);
	struct wanted first = share(base, &names[0], 1700000000, 22);
	struct pmuq_check *again = NULL;
	struct wanted hosts[] = {
		first,
		{ .name = "b" },
		share(base, &names[2], 1700000000, 2),
		share(base, &names[3], 0, 0),
		share(base, &names[4], 0, 0),
	};
	size_t n;

	(void)state;
	assert_int_equal(pq_check_again(pmuq_catalog_machine(first.catalog)->check, 1800000000,
					&again, NULL),
			 0);
	assert_int_equal(pq_catalog_vary(base, &names[1], 1, again, &hosts[1].catalog, NULL), 0);
	free(write_all(hosts, 2, PMUQ_DOCUMENT_YAML, 1, &n));
	free(write_all(hosts, COUNT(hosts), PMUQ_DOCUMENT_YAML, 4, &n));
	for (size_t i = 0; i < COUNT(hosts); i++)
		pmuq_catalog_free(hosts[i].catalog);
	pmuq_catalog_free(base);
}

static void a_time_that_cannot_be_written_is_refused(void **state)
{
	static const int64_t times[] = { -1, INT64_MIN, 253402300800, INT64_MAX };
	struct pmuq_catalog *catalog = make_host("a", "1", 0, 0);
	struct pmuq_writer *writer = NULL;

	(void)state;
	assert_int_equal(pmuq_writer_new(&writer, NULL), 0);
	for (size_t i = 0; i < COUNT(times); i++)
		assert_int_equal(pmuq_writer_add(writer, catalog, "a", times[i], NULL),
				 -PMUQ_E_BAD_CALL);
	for (size_t i = 0; i < COUNT(times); i++)
		assert_int_equal(pmuq_writer_add_seen(writer, catalog, "a", 1, times[i], NULL),
				 -PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_writer_add_seen(writer, catalog, "a", 2, 1, NULL), -PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_writer_machine_count(writer), 0);
	pmuq_writer_free(writer);
	pmuq_catalog_free(catalog);
}

/* -------------------------------------------------------------------------------------- cut off */

/* The number of machines in the text, and whether it was read to its end. They must be these,
 * unless `hosts` is NULL. */
static size_t count_machines(const struct wanted *hosts, const char *text, size_t n,
			     bool *ret_is_whole)
{
	struct pmuq_reader *reader = NULL;
	struct pmuq_error *error = NULL;
	struct pmuq_catalog *catalog;
	size_t count = 0;
	/* A copy that ends where the text ends, so that a sanitizer detects a read beyond it. */
	char *copy = malloc(n ? n : 1);

	assert_non_null(copy);
	memcpy(copy, text, n);
	assert_int_equal(pmuq_reader_new(&reader, NULL), 0);
	assert_int_equal(pmuq_reader_open_bytes(reader, copy, n, "F", NULL), 0);
	for (;;) {
		int r;

		catalog = NULL;
		r = pmuq_reader_next(reader, &catalog, &error);
		*ret_is_whole = r == 0;
		if (r < 0)
			assert_true(strncmp(error->origin.p, "F:", 2) == 0);
		if (r < 0 || !catalog)
			break;
		if (hosts)
			expect_host(&hosts[count], reader, catalog);
		count++;
		pmuq_catalog_free(catalog);
	}
	pmuq_error_free(error);
	pmuq_reader_free(reader);
	free(copy);
	return count;
}

/* All machines that are read are whole, and the reader fails, unless only the last newline is
 * missing. */
static void a_cut_document_is_not_complete(void **state)
{
	struct wanted hosts[] = {
		{ make_host("a", "1", 1700000000, 22), "a", 1600000000 },
		{ make_host("b", "2", 0, 0), "b", 0 },
		{ make_host("c", "3", 1700000000, 2), "c", 0 },
	};

	(void)state;
	for (int form = PMUQ_DOCUMENT_YAML; form <= PMUQ_DOCUMENT_JSON; form++) {
		size_t n = 0, n_found;
		char *text = write_all(hosts, COUNT(hosts), (enum pmuq_document_form)form, 3, &n);
		bool is_whole;

		for (size_t cut = 0; cut < n; cut++) {
			count_machines(hosts, text, cut, &is_whole);
			assert_int_equal(is_whole, cut + 1 == n);
		}
		n_found = count_machines(hosts, text, n, &is_whole);
		assert_true(is_whole);
		assert_int_equal(n_found, 3);
		free(text);
	}
	for (size_t i = 0; i < COUNT(hosts); i++)
		pmuq_catalog_free(hosts[i].catalog);
}

/* Without any line but the number itself, the number of entries differs, or the rest cannot be
 * read. */
static void a_document_without_a_line_is_not_complete(void **state)
{
	struct wanted hosts[] = {
		{ make_host("a", "1", 1700000000, 22), "a", 1600000000 },
		{ make_host("b", "2", 0, 0), "b", 0 },
	};
	size_t n = 0, n_lines = 0;
	char *text = write_all(hosts, COUNT(hosts), PMUQ_DOCUMENT_YAML, 2, &n);
	char *without = malloc(n);

	(void)state;
	assert_non_null(without);
	for (size_t from = 0; from < n; n_lines++) {
		size_t to = from + strcspn(text + from, "\n") + 1;
		bool is_count = strncmp(text + from, "  entries:", 10) == 0, is_whole;

		memcpy(without, text, from);
		memcpy(without + from, text + to, n - to);
		count_machines(NULL, without, n - (to - from), &is_whole);
		assert_true(!is_whole || is_count);
		from = to;
	}
	assert_true(n_lines > 50);
	free(text);
	free(without);
	pmuq_catalog_free(hosts[0].catalog);
	pmuq_catalog_free(hosts[1].catalog);
}

/* Reads the text in pieces of any size, through a pipe. */
static void a_document_may_be_read_in_pieces(void **state)
{
	struct wanted host = { make_host("a", "1", 1700000000, 22), "a", 1600000000 };
	struct pmuq_catalog *catalog = NULL;
	struct pmuq_reader *reader = NULL;
	size_t n = 0;
	char *text = write_all(&host, 1, PMUQ_DOCUMENT_YAML, 1, &n);
	int fds[2];

	(void)state;
	assert_int_equal(pmuq_reader_new(&reader, NULL), 0);
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], text, n), (ssize_t)n);
	assert_int_equal(write(fds[1], "---\n", 4), 4);
	assert_int_equal(write(fds[1], text, n), (ssize_t)n);
	close(fds[1]);
	assert_int_equal(pmuq_reader_open_fd(reader, fds[0], "<pipe>", NULL), 0);
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(pmuq_reader_next(reader, &catalog, NULL), 0);
		assert_int_equal(pmuq_reader_host(reader)->document, i + 1);
		expect_host(&host, reader, catalog);
		pmuq_catalog_free(catalog);
		catalog = NULL;
	}
	assert_int_equal(pmuq_reader_next(reader, &catalog, NULL), 0);
	assert_null(catalog);
	close(fds[0]);
	pmuq_reader_free(reader);
	pmuq_catalog_free(host.catalog);
	free(text);
}

/* ------------------------------------------------------------------------------------- parts */

static void times_are_read_as_they_are_printed(void **state)
{
	static const struct {
		int64_t time_s;
		const char *text;
	} times[] = {
		{ 0, "1970-01-01T00:00:00Z" },
		{ 68169599, "1972-02-28T23:59:59Z" },
		{ 68169600, "1972-02-29T00:00:00Z" },
		{ 951782400, "2000-02-29T00:00:00Z" },
		{ 1795289419, "2026-11-21T19:30:19Z" },
		{ 4107542400, "2100-03-01T00:00:00Z" },
		{ 253402300799, "9999-12-31T23:59:59Z" },
	};
	static const char *const bad[] = {
		"",
		"1970-01-01",
		"1970-01-01T00:00:00",
		"1970-13-01T00:00:00Z",
		"1970-00-01T00:00:00Z",
		"2100-02-29T00:00:00Z",
		"1970-01-01T24:00:00Z",
		"1970-01-01T00:60:00Z",
		"1970-01-01T00:00:60Z",
		"1969-12-31T23:59:59Z",
		"1970-01-01T00:00:00Z ",
		"1970-01-01t00:00:00z",
		"+970-01-01T00:00:00Z",
		"1970-1-01T00:00:00Z",
	};
	int64_t time_s;

	(void)state;
	for (size_t i = 0; i < COUNT(times); i++) {
		struct pq_buf text = PQ_BUF_NULL;

		assert_true(pq_time_print(&text, times[i].time_s));
		assert_int_equal(text.n, strlen(times[i].text));
		assert_memory_equal(text.p, times[i].text, text.n);
		assert_true(pq_time_read(pq_buf_str(&text), &time_s));
		assert_int_equal(time_s, times[i].time_s);
		pq_buf_free(&text);
	}
	for (size_t i = 0; i < COUNT(bad); i++)
		if (pq_time_read(str_of(bad[i]), &time_s))
			fail_msg("%s", bad[i]);
}

static void expect_time_of_the_c_library(int64_t time_s)
{
	struct pq_buf text = PQ_BUF_NULL;
	const time_t time = time_s;
	char expected[32];
	int64_t again;
	struct tm tm;

	assert_non_null(gmtime_r(&time, &tm));
	assert_int_equal(strftime(expected, sizeof(expected), "%Y-%m-%dT%H:%M:%SZ", &tm), 20);
	assert_true(pq_time_print(&text, time_s));
	assert_true(str_eq(pq_buf_str(&text), str_of(expected)));
	assert_true(pq_time_read(pq_buf_str(&text), &again));
	assert_int_equal(again, time_s);
	pq_buf_free(&text);
}

static void each_year_begins_and_ends_as_in_the_c_library(void **state)
{
	(void)state;
	for (int year = 1970; year <= 9999; year++) {
		struct tm first = { .tm_year = year - 1900, .tm_mday = 1 };
		int64_t start_s = timegm(&first);

		expect_time_of_the_c_library(start_s);
		if (start_s)
			expect_time_of_the_c_library(start_s - 1);
	}
}

static void base64_is_read_as_it_is_printed(void **state)
{
	static const char *const bad[] = { "A",	   "AA",   "AAA",   "AA=A", "A===",
					   "====", "AB==", "AAB=",  "AA A", "AAAA====",
					   "AA-_", "=AAA", "AAAA\n" };
	struct pq_arena arena = PQ_ARENA(1 << 20);
	struct pmuq_str read;
	char bytes[40];

	(void)state;
	for (size_t n = 0; n < sizeof(bytes); n++) {
		struct pq_buf text = PQ_BUF_NULL;

		for (size_t i = 0; i < n; i++)
			bytes[i] = (char)(i * 37 + n * 101);
		pq_base64_print(&text, (struct pmuq_str){ .p = bytes, .n = n });
		assert_true(pq_base64_read(&arena, pq_buf_str(&text), &read));
		assert_int_equal(read.n, n);
		assert_memory_equal(read.p, bytes, n);
		pq_buf_free(&text);
	}
	for (size_t i = 0; i < COUNT(bad); i++)
		if (pq_base64_read(&arena, str_of(bad[i]), &read))
			fail_msg("%s", bad[i]);
	pq_arena_clear(&arena);
}

static void ranges_are_read_as_they_are_printed(void **state)
{
	static const uint32_t numbers[] = { 5, 6, 7, 9, 8, 7, 0, 1, 4294967294, 4294967295, 0, 3 };
	struct pq_buf text = PQ_BUF_NULL;
	struct pq_ranges ranges = { .buf = &text };
	struct pq_numbers read;
	struct pq_arena arena = PQ_ARENA(1 << 20);

	(void)state;
	for (size_t i = 0; i < COUNT(numbers); i++)
		pq_ranges_add(&ranges, numbers[i]);
	pq_ranges_end(&ranges);
	pq_buf_char(&text, '\0', 1);
	assert_string_equal(text.p, "5-7,9,8,7,0-1,4294967294-4294967295,0,3");
	assert_int_equal(pq_ranges_read(&arena, str_of(text.p), &read), PQ_RANGES_OK);
	assert_int_equal(read.n, COUNT(numbers));
	assert_memory_equal(read.v, numbers, sizeof(numbers));
	pq_buf_free(&text);
	pq_arena_clear(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(odd_bytes_are_read_back),
		cmocka_unit_test(an_empty_machine_is_read_back),
		cmocka_unit_test(instances_of_all_numbers_are_read_back),
		cmocka_unit_test(checks_are_read_back),
		cmocka_unit_test(hosts_of_a_class_are_one_document),
		cmocka_unit_test(hosts_that_share_a_catalog_are_one_document),
		cmocka_unit_test(a_time_that_cannot_be_written_is_refused),
		cmocka_unit_test(a_cut_document_is_not_complete),
		cmocka_unit_test(a_document_without_a_line_is_not_complete),
		cmocka_unit_test(a_document_may_be_read_in_pieces),
		cmocka_unit_test(times_are_read_as_they_are_printed),
		cmocka_unit_test(each_year_begins_and_ends_as_in_the_c_library),
		cmocka_unit_test(base64_is_read_as_it_is_printed),
		cmocka_unit_test(ranges_are_read_as_they_are_printed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
