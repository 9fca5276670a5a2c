/* SPDX-License-Identifier: MIT */
/*
 * Each allocation of a call fails once: then the call fails with PMUQ_E_MEMORY and returns nothing,
 * or its result is the usual one. Builds with sanitizers, for coverage and for mutations allocate
 * each piece of an arena separately (PQ_SEPARATE_BLOCKS). Calls with equal stacks are tried once,
 * or all of them with PMUQ_ALL_CALLS in the environment.
 */
#include "core/catalog/check.h"
#include "core/regex.h"
#include "core/text/json_read.h"
#include "tests/harness/build.h"
#include "tests/harness/build_vendor.h"
#include "tests/harness/each_case.h"
#include "tests/harness/failing_malloc.h"
#include "tests/harness/outcome.h"
#include "tests/harness/same_catalog.h"
#include "tests/harness/store.h"
#include "tests/unit/tree.h"
#include <inttypes.h>

/* What a call needs; each uses some of it. */
struct in {
	const char *dir, *text;
	const struct pmuq_catalog *catalog, *other;
	const struct pmuq_encode_options *options;
	const struct pmuq_attr *attr;
	const struct pmuq_decode_options *decoding;
	const void *bytes;
	size_t n_bytes;
	enum pmuq_document_form form;
};

struct type {
	const char *name;
	int (*call)(const struct in *in, void **ret, struct pmuq_error **reterr);
	/* The result as text, to be freed. */
	char *(*print)(const struct in *in, const void *result);
	void (*free)(void *result);
};

static char *text_of_error(const struct pmuq_error *error)
{
	char *text = NULL;

	assert_true(asprintf(&text, "%d %s [%zu+%zu of %s in %s]\n", error->code, error->message.p,
			     error->offset, error->length, error->input.p ? error->input.p : "-",
			     error->origin.p ? error->origin.p : "-") > 0);
	return text;
}

/* If an error has no memory for a part, its hint is that. */
static bool is_marked(const struct pmuq_error *error)
{
	return error && error->hint.p && strstr(error->hint.p, "out of memory");
}

/* What the call returned, as text; frees it. */
static char *outcome(const struct type *type, const struct in *in, int r, void *result,
		     struct pmuq_error *error)
{
	char *text;

	if ((r < 0) != (error != NULL) || (r < 0 && result))
		fail_msg("%s '%s': returns %d, %s error, %s result", type->name,
			 in->text ? in->text : in->dir, r, error ? "an" : "no",
			 result ? "a" : "no");
	text = r < 0 ? text_of_error(error) : type->print(in, result);
	assert_non_null(text);
	if (result)
		type->free(result);
	pmuq_error_free(error);
	return text;
}

/* The first line that differs; valid until the next call. */
static const char *first_difference(const char *text, const char *want)
{
	struct pmuq_str a = str_of(text), b = str_of(want), line = STR(""), usual = STR("");
	static char words[1024];

	while (str_eq(line, usual) && (a.n || b.n)) {
		str_cut(a, '\n', &line, &a);
		str_cut(b, '\n', &usual, &b);
	}
	snprintf(words, sizeof(words), "'%.*s', not '%.*s'", STR_ARG(line), STR_ARG(usual));
	return words;
}

/* Whether an allocation failed. */
static bool fail_one(const struct type *type, const struct in *in, unsigned n, int want_r,
		     const char *want)
{
	struct pmuq_error *error = NULL;
	void *result = NULL;
	bool has_failed, is_cut;
	char *text;
	int r;

	fail_malloc_at(n);
	r = type->call(in, &result, &error);
	has_failed = fail_malloc_no_more();
	is_cut = is_marked(error);
	text = outcome(type, in, r, result, error);
	if (r != -PMUQ_E_MEMORY && (r != want_r || (strcmp(text, want) != 0 && !is_cut))) {
		fail_malloc_print_stack();
		fail_msg("%s '%s' without allocation %u: %s", type->name,
			 in->text ? in->text : in->dir, n, first_difference(text, want));
	}
	if (r == -PMUQ_E_MEMORY && !has_failed)
		fail_msg("%s '%s': no memory, but no allocation failed", type->name,
			 in->text ? in->text : in->dir);
	free(text);
	return has_failed;
}

static void walk(const struct type *type, const struct in *in)
{
	struct pmuq_error *error = NULL;
	const unsigned *numbers;
	void *result = NULL;
	auto_free char *want = NULL;
	size_t n;
	int r;

	list_mallocs();
	r = type->call(in, &result, &error);
	numbers = list_mallocs_end(&n);
	want = outcome(type, in, r, result, error);
	for (size_t i = 0; i < n; i++)
		assert_true(fail_one(type, in, numbers[i], r, want));
}

/* ---------------------------------------------------------------------- encode, decode, complete
 */

static char *print_encodings(const struct in *in, const void *result)
{
	const struct pmuq_encodings *encodings = result;
	auto_free char *text = outcome_text(encodings, NULL, in->text);
	struct pq_buf buf = PQ_BUF_NULL;

	pq_buf_print(&buf, "%s", text);
	for (size_t i = 0; i < pmuq_encodings_count(encodings); i++) {
		const struct pmuq_encoding *one = pmuq_encodings_get(encodings, i);

		for (size_t k = 0; k < one->n_assignments; k++) {
			const struct pmuq_assignment *a = pmuq_encoding_assignment(one, k);

			pq_buf_print(&buf, "%s %s %" PRIx64 " %" PRIx64 "\n", a->field.p, a->term.p,
				     a->mask, a->value);
		}
	}
	return pq_buf_take(&buf);
}

static void free_encodings(void *result)
{
	pmuq_encodings_free(result);
}

static int encode(const struct in *in, void **ret, struct pmuq_error **reterr)
{
	return pmuq_catalog_encode(in->catalog, in->text, in->options,
				   (struct pmuq_encodings **)ret, reterr);
}

/* The texts of an encoding are those of its source. */
static struct pmuq_source *fresh;

static void free_fresh(void *result)
{
	pmuq_encodings_free(result);
	pmuq_source_free(fresh);
	fresh = NULL;
}

/* On a source that has read nothing. */
static int encode_on_source(const struct in *in, void **ret, struct pmuq_error **reterr)
{
	int r = pmuq_source_open_tree(in->dir, &fresh, reterr);

	if (r == 0)
		r = pmuq_source_encode(fresh, in->text, in->options, (struct pmuq_encodings **)ret,
				       reterr);
	if (r < 0)
		free_fresh(NULL);
	return r;
}

static int decode(const struct in *in, void **ret, struct pmuq_error **reterr)
{
	return pmuq_catalog_decode(in->catalog, in->attr, in->decoding,
				   (struct pmuq_decoding **)ret, reterr);
}

static char *print_decoding(const struct in *in, const void *result)
{
	const struct pmuq_decoding *decoding = result;
	struct pq_buf buf = PQ_BUF_NULL;

	(void)in;
	pq_buf_print(&buf, "%s %d\n", decoding->text.p, decoding->origin);
	for (size_t i = 0; i < decoding->n_alternatives; i++)
		pq_buf_print(&buf, "%s\n", decoding->alternatives[i].p);
	for (size_t i = 0; i < decoding->n_left; i++)
		pq_buf_print(&buf, "%s\n", pmuq_decoding_left(decoding, i)->name.p);
	return pq_buf_take(&buf);
}

static void free_decoding(void *result)
{
	pmuq_decoding_free(result);
}

static int complete(const struct in *in, void **ret, struct pmuq_error **reterr)
{
	struct pmuq_source *source = NULL;
	int r = pmuq_source_open_tree(in->dir, &source, reterr);

	if (r < 0)
		return r;
	r = pmuq_source_complete(source, in->text, NULL, (struct pmuq_completion **)ret, reterr);
	pmuq_source_free(source);
	return r;
}

static char *print_completion(const struct in *in, const void *result)
{
	const struct pmuq_completion *completion = result;
	struct pq_buf buf = PQ_BUF_NULL;

	(void)in;
	pq_buf_print(&buf, "%d %zu\n", completion->cursor, completion->offset);
	for (size_t i = 0; i < completion->n_candidates; i++)
		pq_buf_print(&buf, "%s\n", pmuq_completion_candidate(completion, i)->text.p);
	return pq_buf_take(&buf);
}

static void free_completion(void *result)
{
	pmuq_completion_free(result);
}

static const struct type encodes = { "encode", encode, print_encodings, free_encodings };
static const struct type encodes_on_source = { "encode on a source", encode_on_source,
					       print_encodings, free_fresh };
static const struct type decodes = { "decode", decode, print_decoding, free_decoding };
static const struct type completes = { "complete", complete, print_completion, free_completion };

static void walk_attrs(const struct in *in)
{
	struct pmuq_encodings *encodings = NULL;

	if (pmuq_catalog_encode(in->catalog, in->text, in->options, &encodings, NULL) < 0)
		return;
	for (size_t i = 0; i < pmuq_encodings_count(encodings) && i < 3; i++) {
		const struct pmuq_encoding *one = pmuq_encodings_get(encodings, i);
		const struct pmuq_decode_options options = {
			.size = sizeof(options),
			.dialect = in->options->dialect,
			.vendor = in->options->vendor,
			.probe_text = one->probe_text.p,
		};

		walk(&decodes, &(struct in){ .text = in->text,
					     .catalog = in->catalog,
					     .attr = one->attr,
					     .decoding = &options });
	}
	pmuq_encodings_free(encodings);
}

static void walk_string(const struct each_case *one)
{
	struct pmuq_encode_options options = one->options;
	const struct in in = {
		.dir = one->dir, .text = one->text, .catalog = one->catalog, .options = &options
	};

	walk(&encodes, &in);
	options.is_strict = true;
	walk(&encodes, &in);
	options.is_strict = false;
	options.with_assignments = true;
	walk(&encodes, &in);
	walk(&encodes_on_source, &in);
	walk_attrs(&in);
}

static void walk_completion(const struct each_case *one)
{
	auto_free char *half = strndup(one->text, strlen(one->text) / 2);

	walk(&completes, &(struct in){ .dir = one->dir, .text = half });
}

static void strings_their_attrs_and_their_beginnings(void **state)
{
	static const char *const files[] = { "encode", "errors", "presets", "probes" };

	(void)state;
	for (size_t i = 0; i < COUNT(files); i++) {
		each_case(files[i], walk_string);
		each_case(files[i], walk_completion);
	}
}

/* ------------------------------------------------------------------------------ a vendor's table
 */

static const struct test_pmu vendors_machine[] = {
	{ .name = "cpu",
	  .type = 4,
	  .formats = "event config:0-7; umask config:8-15; inv config:23; ldlat config1:0-15",
	  .events = "cpu-cycles event=0x3c; mem-loads event=0xcd,umask=1,ldlat=3" },
	TEST_TWO_INSTANCES,
};

static const struct test_event vendors_events[] = {
	{ "a_old", "default_core", "event=0xd1,umask=0x20", .is_deprecated = true },
	{ "box.tick", "box", "event=1" },
	{ "box.open", "box", "event=?" },
	{ "cpu_clk.thread", "default_core", "event=0x3c" },
	{ "elsewhere", "uncore_imc", "event=1" },
	{ "mem.l3_miss", "default_core", "event=0xd1,period=100,umask=0x20" },
	{ "wrong", "default_core", "event=0xd1,nonsense=0x20" },
};

static const char *const vendors_strings[] = {
	"mem.l3_miss",
	"MEM.L3_MISS:u",
	"a_old",
	"cpu/a_old,inv/",
	"box.tick",
	"box/box.tick/",
	"box_0/box.tick/",
	"box/box.open/",
	"cpu/mem.l3_mis/",
	"mem.l3_mis",
	"elsewhere",
	"wrong",
	"{a_old,cpu_clk.thread}",
};

static void names_of_a_vendor(void **state)
{
	struct pmuq_catalog *catalog = test_catalog(vendors_machine, COUNT(vendors_machine));
	struct pmuq_vendor *vendor = test_vendor(vendors_events, COUNT(vendors_events));
	const struct pmuq_encode_options options = { .size = sizeof(options), .vendor = vendor };

	(void)state;
	for (size_t i = 0; i < COUNT(vendors_strings); i++) {
		const struct in in = { .text = vendors_strings[i],
				       .catalog = catalog,
				       .options = &options };

		walk(&encodes, &in);
		walk_attrs(&in);
	}
	pmuq_vendor_free(vendor);
	pmuq_catalog_free(catalog);
}

static int read_tree(const struct in *in, void **ret, struct pmuq_error **reterr)
{
	struct pmuq_source *source = NULL;
	int r = pmuq_source_open_tree(in->dir, &source, reterr);

	if (r < 0)
		return r;
	r = pmuq_source_read_catalog(source, (struct pmuq_catalog **)ret, reterr);
	pmuq_source_free(source);
	return r;
}

/* -------------------------------------------------------------------------------------- libpfm4 */

/* A new helper for each call, as the second call of one does less. */
static int open_pfm(struct pmuq_pfm **ret, struct pmuq_error **reterr)
{
	const struct pmuq_pfm_options options = { .size = sizeof(options),
						  .helper = getenv("PMUQ_TEST_PFM"),
						  .timeout_ms = 60000 };

	return pmuq_pfm_open(&options, ret, reterr);
}

static int encode_with_pfm(const struct in *in, void **ret, struct pmuq_error **reterr)
{
	struct pmuq_encode_options options = { .size = sizeof(options) };
	int r = open_pfm(&options.pfm, reterr);

	if (r == 0)
		r = pmuq_catalog_encode(in->catalog, in->text, &options,
					(struct pmuq_encodings **)ret, reterr);
	pmuq_pfm_free(options.pfm);
	return r;
}

static int decode_with_pfm(const struct in *in, void **ret, struct pmuq_error **reterr)
{
	struct pmuq_decode_options options = { .size = sizeof(options),
					       .from = PMUQ_FROM_FORMAT | PMUQ_FROM_PFM };
	int r = open_pfm(&options.pfm, reterr);

	if (r == 0)
		r = pmuq_catalog_decode(in->catalog, in->attr, &options,
					(struct pmuq_decoding **)ret, reterr);
	pmuq_pfm_free(options.pfm);
	return r;
}

static const struct type encodes_with_pfm = { "encode with libpfm4", encode_with_pfm,
					      print_encodings, free_encodings };
static const struct type decodes_with_pfm = { "decode with libpfm4", decode_with_pfm,
					      print_decoding, free_decoding };

/* The helper of the build tree, if it was built. */
static void names_of_libpfm4(void **state)
{
	static const char *const strings[] = {
		"skx::MEM_LOAD_RETIRED:L3_MISS:u",
		"skx_unc_imc::UNC_M_CAS_COUNT:RD",
		"hsw::INST_RETIRED",
		"perf::cycles",
		"skx::NO_SUCH_EVENT",
		"skx::INST_RETIRED:NONE",
		"MEM_LOAD_RETIRED:L3_MISS",
	};
	static const char *const attrs[] = { "type=4 config=0x20d1", "type=4 config=0x3c7",
					     "type=4 config=0x10420d1" };
	struct pmuq_catalog *catalog = NULL;
	auto_free char *dir = NULL;
	struct in in = { 0 };

	(void)state;
	if (!getenv("PMUQ_TEST_PFM"))
		skip();
	assert_true(asprintf(&dir, "%s/skylake-sp", getenv("PMUQ_TEST_MACHINES")) > 0);
	in.dir = dir;
	assert_int_equal(read_tree(&in, (void **)&catalog, NULL), 0);
	in.catalog = catalog;
	for (size_t i = 0; i < COUNT(strings); i++) {
		in.text = strings[i];
		walk(&encodes_with_pfm, &in);
	}
	for (size_t i = 0; i < COUNT(attrs); i++) {
		struct pmuq_attr attr;

		assert_int_equal(pmuq_attr_parse(attrs[i], &attr, NULL), 0);
		in.text = attrs[i];
		in.attr = &attr;
		walk(&decodes_with_pfm, &in);
	}
	pmuq_catalog_free(catalog);
}

/* ------------------------------------------------------------------------------------- machines */

/* Compared with the usual one as a whole. */
static char *print_catalog(const struct in *in, const void *result)
{
	char *difference = in->other ? catalog_difference(in->other, result) : NULL;

	return difference ? difference : strdup("the same");
}

static void free_catalog(void *result)
{
	pmuq_catalog_free(result);
}

static int capture(const struct in *in, void **ret, struct pmuq_error **reterr)
{
	struct pmuq_source *source = NULL;
	int r = pmuq_source_open_tree(in->dir, &source, reterr);

	if (r < 0)
		return r;
	r = pmuq_capture_take(source, NULL, (struct pmuq_capture **)ret, reterr);
	pmuq_source_free(source);
	return r;
}

static char *print_capture(const struct in *in, const void *result)
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

static int compare(const struct in *in, void **ret, struct pmuq_error **reterr)
{
	return pmuq_catalog_diff(in->catalog, in->other, NULL, (struct pmuq_diff **)ret, reterr);
}

static char *print_diff(const struct in *in, const void *result)
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

static int write_document(const struct in *in, void **ret, struct pmuq_error **reterr)
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

static char *print_text(const struct in *in, const void *result)
{
	(void)in;
	return strdup(result);
}

static int read_document(const struct in *in, void **ret, struct pmuq_error **reterr)
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

static int check(const struct in *in, void **ret, struct pmuq_error **reterr)
{
	struct pmuq_check *made = NULL;
	int r = pmuq_check_begin(in->catalog, 1, &made, reterr);

	while (r == 0 && pmuq_check_upcoming(made))
		r = pmuq_check_next(made, reterr);
	if (r < 0)
		pmuq_check_free(made);
	else
		*ret = made;
	return r < 0 ? r : 0;
}

/* As it is read from a database or a document. */
static int fill_check(const struct in *in, void **ret, struct pmuq_error **reterr)
{
	static const struct pmuq_open_result opened = { .size = sizeof(opened),
							.status = PMUQ_OPENED },
					     refused = { .size = sizeof(refused),
							 .status = PMUQ_REFUSED,
							 .errnum = 2,
							 .reason = STR("a reason"),
							 .hint = STR("a hint") };
	const struct pmuq_check_result results[] = {
		{ .pmu = STR("cpu"), .event = STR("cycles"), .open = &opened },
		{ .pmu = STR("cpu"), .event = STR("loads"), .open = &refused },
		{ .pmu = STR("imc"), .event = STR("loads"), .open = &refused },
		{ .pmu = STR("cpu"), .event = STR("cycles"), .is_generic = true, .open = &opened },
	};
	struct pmuq_check *check = NULL, *again = NULL;
	int r = pq_check_new(STR("6.12"), 1, &check, reterr);

	(void)in;
	if (r == 0)
		r = pq_check_fill(check, results, COUNT(results), reterr);
	if (r == 0)
		r = pq_check_again(check, 2, &again, reterr);
	pmuq_check_free(check);
	*ret = again;
	return r;
}

static char *print_check(const struct in *in, const void *result)
{
	struct pq_buf buf = PQ_BUF_NULL;

	(void)in;
	for (size_t i = 0; pmuq_check_get(result, i); i++) {
		const struct pmuq_check_result *one = pmuq_check_get(result, i);

		pq_buf_print(&buf, "%s %s %d %d\n", one->pmu.p, one->event.p ? one->event.p : "-",
			     one->open->status, one->open->errnum);
	}
	return pq_buf_take(&buf);
}

static void free_check(void *result)
{
	pmuq_check_free(result);
}

static const struct type reads = { "read", read_tree, print_catalog, free_catalog };
static const struct type captures = { "capture", capture, print_capture, free_capture };
static const struct type diffs = { "diff", compare, print_diff, free_diff };
static const struct type writes = { "write", write_document, print_text, free };
static const struct type reads_documents = { "read a document", read_document, print_catalog,
					     free_catalog };
static const struct type fills_checks = { "fill a check", fill_check, print_check, free_check };
static const struct type checks = { "check", check, print_check, free_check };

static void walk_documents(const struct pmuq_catalog *catalog)
{
	for (int form = PMUQ_DOCUMENT_YAML; form <= PMUQ_DOCUMENT_JSON; form++) {
		struct in in = { .text = "its document",
				 .catalog = catalog,
				 .form = (enum pmuq_document_form)form };
		struct pmuq_catalog *read = NULL;
		char *text = NULL;

		walk(&writes, &in);
		assert_int_equal(write_document(&in, (void **)&text, NULL), 0);
		in.bytes = text;
		in.n_bytes = strlen(text);
		assert_int_equal(read_document(&in, (void **)&read, NULL), 0);
		in.other = read;
		walk(&reads_documents, &in);
		in.n_bytes /= 2;
		walk(&reads_documents, &in);
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
		struct in in = { .text = names[i] };

		assert_true(asprintf(&dir, "%s/%s", getenv("PMUQ_TEST_MACHINES"), names[i]) > 0);
		in.dir = dir;
		assert_int_equal(read_tree(&in, (void **)&catalog, NULL), 0);
		in.other = catalog;
		walk(&reads, &in);
		walk(&captures, &in);
		in.catalog = before ? before : catalog;
		walk(&diffs, &in);
		walk_documents(catalog);
		pmuq_catalog_free(before);
		before = catalog;
	}
	pmuq_catalog_free(before);
}

/* A check is of this machine. */
static void the_check_of_this_machine(void **state)
{
	struct pmuq_catalog *catalog = NULL;
	struct pmuq_source *source = NULL;

	(void)state;
	assert_int_equal(pmuq_source_open_live(&source, NULL), 0);
	assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL), 0);
	walk(&checks, &(struct in){ .text = "this machine", .catalog = catalog });
	walk(&fills_checks, &(struct in){ .text = "four results" });
	pmuq_catalog_free(catalog);
	pmuq_source_free(source);
}

/* Saved in a new database, and loaded again. */
static int save_and_load(const struct in *in, void **ret, struct pmuq_error **reterr)
{
	struct pmuq_saved saved = { .size = sizeof(saved) };
	struct pmuq_store *store = NULL;
	struct pmuq_source *source = NULL;
	int r;

	unlink(in->dir);
	r = pmuq_store_open(in->dir, PMUQ_STORE_WRITE, &store, reterr);
	if (r == 0)
		r = pmuq_store_save(store, in->catalog, NULL, "host", 1, &saved, reterr);
	if (r == 0)
		r = pmuq_store_open_host(store, "host", 0, &source, reterr);
	if (r == 0)
		r = pmuq_source_read_catalog(source, (struct pmuq_catalog **)ret, reterr);
	pmuq_source_free(source);
	pmuq_store_free(store);
	return r;
}

static const struct type saves = { "save and load", save_and_load, print_catalog, free_catalog };

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
	auto_free char *path = NULL;
	struct tree tree;

	(void)state;
	tree_make(&tree);
	path = tree_path(&tree, "pmuq.db");
	walk(&diffs, &(struct in){ .text = "two checks", .catalog = catalog, .other = other });
	walk(&saves, &(struct in){ .dir = path, .catalog = catalog, .other = catalog });
	pmuq_catalog_free(other);
	pmuq_catalog_free(catalog);
	tree_remove(&tree);
}

/* Files with problems, of which each is a warning: the list of problems must be the usual one. */
static void a_machine_with_problems(void **state)
{
	struct pmuq_catalog *catalog = NULL;
	struct tree tree;
	struct in in = { .text = "odd" };

	(void)state;
	tree_make(&tree);
	tree_file(&tree, DEVICES "cpu/type", "4\n");
	tree_file(&tree, DEVICES "cpu/format/event", "config:0-7\n");
	tree_file(&tree, DEVICES "cpu/format/odd", "config:7-0\n");
	tree_file(&tree, DEVICES "cpu/events/cycles", "event=0x3c\n");
	tree_file(&tree, DEVICES "cpu/events/open", "event=?\n");
	tree_file(&tree, DEVICES "cpu/events/bad", "event==\n");
	tree_file(&tree, DEVICES "cpu/events/cycles.scale", "much\n");
	tree_file(&tree, DEVICES "cpu/cpus", "0-x\n");
	tree_file(&tree, DEVICES "box_0/type", "20\n");
	tree_file(&tree, DEVICES "box_0/cpumask", "0-3,\n");
	tree_file(&tree, DEVICES "box_0/format/event", "config:0-7\n");
	tree_file(&tree, DEVICES "box_0/alias", "box\n");
	tree_file(&tree, DEVICES "box_1/type", "x\n");
	tree_file(&tree, DEVICES "box_2", "no directory\n");
	tree_file(&tree, "sys/devices/system/cpu/online", "0-3\n");
	tree_file(&tree, "sys/devices/system/cpu/present", "0-3\n");
	tree_file(&tree, "sys/devices/cpu_core/cpus", "0-1\n");
	tree_file(&tree, "proc/cpuinfo", "processor : 0\nvendor_id : GenuineIntel\n");
	tree_file(&tree, "etc/machine-id", "0123456789abcdef0123456789abcdef\n");
	tree_file(&tree, "proc/sys/kernel/hostname", "host\n");
	in.dir = tree.dir;
	assert_int_equal(read_tree(&in, (void **)&catalog, NULL), 0);
	in.other = in.catalog = catalog;
	walk(&reads, &in);
	walk(&captures, &in);
	walk_documents(catalog);
	pmuq_catalog_free(catalog);
	tree_remove(&tree);
}

/* ----------------------------------------------------------------------------------- recordings */

static int open_recording(const struct in *in, void **ret, struct pmuq_error **reterr)
{
	return pmuq_recording_open(in->dir, (struct pmuq_recording **)ret, reterr);
}

static char *print_recording(const struct in *in, const void *result)
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

static int catalog_of_recording(const struct in *in, void **ret, struct pmuq_error **reterr)
{
	struct pmuq_recording *recording = NULL;
	int r = pmuq_recording_open(in->dir, &recording, reterr);

	if (r < 0)
		return r;
	r = pmuq_recording_catalog(recording, (struct pmuq_catalog **)ret, reterr);
	pmuq_recording_free(recording);
	return r;
}

static const struct type opens_recordings = { "open a recording", open_recording, print_recording,
					      free_recording };
static const struct type reads_recordings = { "the machine of a recording", catalog_of_recording,
					      print_catalog, free_catalog };

static void recordings(void **state)
{
	static const char *const names[] = { "groups-7.2.data", "clock-stream-7.2.data",
					     "stat.data", "tracepoint.data" };

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		struct pmuq_catalog *catalog = NULL;
		auto_free char *path = NULL;
		struct in in = { .text = names[i] };

		assert_true(asprintf(&path, "%s/%s", getenv("PMUQ_TEST_RECORDINGS"), names[i]) > 0);
		in.dir = path;
		walk(&opens_recordings, &in);
		assert_int_equal(catalog_of_recording(&in, (void **)&catalog, NULL), 0);
		in.other = catalog;
		walk(&reads_recordings, &in);
		pmuq_catalog_free(catalog);
	}
}

/* ------------------------------------------------------------------ tables, patterns, JSON */

static int make_table(const struct in *in, void **ret, struct pmuq_error **reterr)
{
	const struct pmuq_vendor_table origin = { .cpuid = STR("Maker-6-1"),
						  .import = STR("t"),
						  .folder = STR("x86/t"),
						  .version = STR("v1") };
	struct pmuq_vendor *vendor = NULL;
	int r = pq_vendor_new(COUNT(vendors_events), &vendor, reterr);

	(void)in;
	for (size_t i = 0; r == 0 && i < COUNT(vendors_events); i++)
		*pq_vendor_add(vendor) = test_vendor_event(&vendors_events[i]);
	if (r == 0)
		r = pq_vendor_finish(vendor, &origin, reterr);
	if (r < 0)
		pmuq_vendor_free(vendor);
	else
		*ret = vendor;
	return r;
}

static char *print_table(const struct in *in, const void *result)
{
	struct pq_buf buf = PQ_BUF_NULL;

	(void)in;
	for (size_t i = 0; pmuq_vendor_get(result, i); i++)
		pq_buf_print(&buf, "%s\n", pmuq_vendor_get(result, i)->event->name.p);
	return pq_buf_take(&buf);
}

static void free_table(void *result)
{
	pmuq_vendor_free(result);
}

/* The result is where the pattern matches, plus 2. */
static int compile(const struct in *in, void **ret, struct pmuq_error **reterr)
{
	auto_arena struct pq_arena arena = PQ_ARENA(SIZE_MAX);
	const struct pq_regex *regex = NULL;
	int r = pq_regex_compile(&arena, str_of(in->text), &regex, reterr);

	if (r == 0)
		*ret = (void *)(uintptr_t)(pq_regex_match(regex, STR("abcabc1"), 0) + 2);
	return r;
}

static int parse_json(const struct in *in, void **ret, struct pmuq_error **reterr)
{
	auto_arena struct pq_arena arena = PQ_ARENA(SIZE_MAX);
	struct pq_json_reader reader = { .text = str_of(in->text) };
	struct pq_json_value *root = NULL;
	enum pq_json_result result = pq_json_parse(&reader, &arena, &root);

	if (result == PQ_JSON_MEMORY)
		return pq_fail_memory(reterr);
	*ret = (void *)(uintptr_t)(1 + result + 16 * reader.at);
	return 0;
}

static char *print_number(const struct in *in, const void *result)
{
	char *text = NULL;

	(void)in;
	assert_true(asprintf(&text, "%p", result) > 0);
	return text;
}

static void free_nothing(void *result)
{
	(void)result;
}

static const struct type makes_tables = { "make a table", make_table, print_table, free_table };
static const struct type compiles = { "compile", compile, print_number, free_nothing };
static const struct type parses_json = { "parse JSON", parse_json, print_number, free_nothing };

static void tables_patterns_and_json(void **state)
{
	static const char *const patterns[] = { "abc",	       "(a|b)+c*", "[[:alpha:]]{2,3}1?",
						"[^a-c]x{,2}", "(((a)))*", "a{1,",
						"[a",	       "(a",	   "" };
	static const char *const json[] = {
		"{\"a\": [1, \"x\\u20ac\", {\"b\": true}], \"n\": null}",
		"[\"\\n\\ud83d\\ude00\", -1.5e3]",
		"[1, ",
		"{\"a\" 1}",
		"[\"\\q\"]",
	};

	(void)state;
	walk(&makes_tables, &(struct in){ .text = "a table" });
	for (size_t i = 0; i < COUNT(patterns); i++)
		walk(&compiles, &(struct in){ .text = patterns[i] });
	for (size_t i = 0; i < COUNT(json); i++)
		walk(&parses_json, &(struct in){ .text = json[i] });
}

/* ------------------------------------------------------------------------------------- attr text
 */

static int parse_attr(const struct in *in, void **ret, struct pmuq_error **reterr)
{
	struct pmuq_attr attr;
	int r = pmuq_attr_parse(in->text, &attr, reterr);

	if (r == 0)
		*ret = (void *)(uintptr_t)(attr.config + 1);
	return r;
}

static const struct type parses_attrs = { "parse", parse_attr, print_number, free_nothing };

static void attrs_from_text(void **state)
{
	static const char *const texts[] = { "type=4 config=1",
					     "typ=4",
					     "type=4 type=5",
					     "config=x",
					     "type=4294967296",
					     "excl=1",
					     "",
					     "00",
					     "0g" };

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++)
		walk(&parses_attrs, &(struct in){ .text = texts[i] });
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings_their_attrs_and_their_beginnings),
		cmocka_unit_test(names_of_a_vendor),
		cmocka_unit_test(names_of_libpfm4),
		cmocka_unit_test(machines_and_what_is_made_of_them),
		cmocka_unit_test(the_check_of_this_machine),
		cmocka_unit_test(a_machine_with_a_check),
		cmocka_unit_test(a_machine_with_problems),
		cmocka_unit_test(tables_patterns_and_json),
		cmocka_unit_test(recordings),
		cmocka_unit_test(attrs_from_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
