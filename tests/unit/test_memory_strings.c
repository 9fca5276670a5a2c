/* SPDX-License-Identifier: MIT */
/* Encoding, decoding and completing without memory: every string of the cases, and names of vendors
 * and of libpfm4. */
#include "tests/harness/asan.h"
#include "tests/harness/each_case.h"
#include "tests/harness/fail_each_malloc.h"
#include "tests/harness/outcome.h"
#include "tests/harness/vendors_machine.h"
#include <inttypes.h>
#include <stdio.h>

static char *print_encodings(const struct call_input *in, const void *result)
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

static int encode(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	return pmuq_catalog_encode(in->catalog, in->text, in->options,
				   (struct pmuq_encodings **)ret, reterr);
}

/* The one encoding, or why there are several. */
static int encode_one(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	const struct pmuq_encoding *one;
	struct pmuq_encodings *encodings = NULL;
	int r = pmuq_catalog_encode(in->catalog, in->text, in->options, &encodings, reterr);

	if (r == 0)
		r = pmuq_encodings_one(encodings, &one, reterr);
	if (r == 0)
		*ret = encodings;
	else
		pmuq_encodings_free(encodings);
	return r;
}

/* The string as the name of an event in parts. */
static int encode_parts(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	static const struct pmuq_term term = { .name = "config1", .value = 7 };
	const struct pmuq_event_parts parts = { .size = sizeof(parts),
						.event = in->text,
						.terms = &term,
						.n_terms = 1,
						.modifiers = "u" };

	return pmuq_catalog_encode_parts(in->catalog, &parts, in->options,
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
static int encode_on_source(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	int r = pmuq_source_open_tree(in->dir, &fresh, reterr);

	if (r == 0)
		r = pmuq_source_encode(fresh, in->text, in->options, (struct pmuq_encodings **)ret,
				       reterr);
	if (r < 0)
		free_fresh(NULL);
	return r;
}

static int decode(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	return pmuq_catalog_decode(in->catalog, in->attr, in->decoding,
				   (struct pmuq_decoding **)ret, reterr);
}

static char *print_decoding(const struct call_input *in, const void *result)
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

static int complete(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	struct pmuq_source *source = NULL;
	int r = pmuq_source_open_tree(in->dir, &source, reterr);

	if (r < 0)
		return r;
	r = pmuq_source_complete(source, in->text, NULL, (struct pmuq_completion **)ret, reterr);
	pmuq_source_free(source);
	return r;
}

static char *print_completion(const struct call_input *in, const void *result)
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

static const struct call_type encodes = { "encode", encode, print_encodings, free_encodings };
static const struct call_type encodes_one = { "encode one", encode_one, print_encodings,
					      free_encodings };
static const struct call_type encodes_parts = { "encode parts", encode_parts, print_encodings,
						free_encodings };
static const struct call_type encodes_on_source = { "encode on a source", encode_on_source,
						    print_encodings, free_fresh };
static const struct call_type decodes = { "decode", decode, print_decoding, free_decoding };
static const struct call_type completes = { "complete", complete, print_completion,
					    free_completion };

static void walk_attrs(const struct call_input *in)
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

		fail_each_malloc(&decodes, &(struct call_input){ .text = in->text,
								 .catalog = in->catalog,
								 .attr = one->attr,
								 .decoding = &options });
	}
	pmuq_encodings_free(encodings);
}

/* Slow with a sanitizer: one of nineteen strings. */
static bool is_skipped(unsigned *n)
{
	return IS_UNDER_ASAN && (*n)++ % 19 && !getenv("PMUQ_ALL_CALLS");
}

static void walk_string(const struct each_case *one)
{
	static unsigned n;
	struct pmuq_encode_options options = one->options;
	const struct call_input in = {
		.dir = one->dir, .text = one->text, .catalog = one->catalog, .options = &options
	};

	if (is_skipped(&n))
		return;
	fail_each_malloc(&encodes, &in);
	fail_each_malloc(&encodes_one, &in);
	fail_each_malloc(&encodes_parts, &in);
	options.is_strict = true;
	fail_each_malloc(&encodes, &in);
	options.is_strict = false;
	options.with_assignments = true;
	fail_each_malloc(&encodes, &in);
	fail_each_malloc(&encodes_on_source, &in);
	walk_attrs(&in);
}

static void walk_completion(const struct each_case *one)
{
	static unsigned n;
	auto_free char *half = strndup(one->text, strlen(one->text) / 2);

	if (!is_skipped(&n))
		fail_each_malloc(&completes, &(struct call_input){ .dir = one->dir, .text = half });
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

/* ----------------------------------------------------------------------------- a vendor's table */

static void names_of_a_vendor(void **state)
{
	struct pmuq_catalog *catalog = test_catalog(vendors_machine, COUNT(vendors_machine));
	struct pmuq_vendor *vendor = test_vendor(vendors_events, COUNT(vendors_events));
	const struct pmuq_encode_options options = { .size = sizeof(options), .vendor = vendor };

	(void)state;
	for (size_t i = 0; i < COUNT(vendors_strings); i++) {
		const struct call_input in = { .text = vendors_strings[i],
					       .catalog = catalog,
					       .options = &options };

		fail_each_malloc(&encodes, &in);
		walk_attrs(&in);
	}
	pmuq_vendor_free(vendor);
	pmuq_catalog_free(catalog);
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

static int encode_with_pfm(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	struct pmuq_encode_options options = { .size = sizeof(options) };
	int r = open_pfm(&options.pfm, reterr);

	if (r == 0)
		r = pmuq_catalog_encode(in->catalog, in->text, &options,
					(struct pmuq_encodings **)ret, reterr);
	pmuq_pfm_free(options.pfm);
	return r;
}

static int decode_with_pfm(const struct call_input *in, void **ret, struct pmuq_error **reterr)
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

static const struct call_type encodes_with_pfm = { "encode with libpfm4", encode_with_pfm,
						   print_encodings, free_encodings };
static const struct call_type decodes_with_pfm = { "decode with libpfm4", decode_with_pfm,
						   print_decoding, free_decoding };

static int encode_raw(const struct call_input *in, void **ret, struct pmuq_error **reterr)
{
	const struct pmuq_pfm_raw_options options = { .size = sizeof(options),
						      .cpuid = "GenuineIntel-6-55-4",
						      .layer = PMUQ_PFM_LAYER_PERF_EXT };
	struct pmuq_pfm *pfm = NULL;
	int r = open_pfm(&pfm, reterr);

	if (r == 0)
		r = pmuq_pfm_encode_raw(pfm, in->text, NULL, &options, (struct pmuq_pfm_raw **)ret,
					reterr);
	pmuq_pfm_free(pfm);
	return r;
}

static char *print_raw(const struct call_input *in, const void *result)
{
	const struct pmuq_pfm_raw *raw = result;
	struct pq_buf buf = PQ_BUF_NULL;

	(void)in;
	pq_buf_print(&buf, "%d %s %s %" PRIx64, raw->result, raw->canonical.p, raw->sysfs.p,
		     raw->attr ? raw->attr->config : 0);
	return pq_buf_take(&buf);
}

static void free_raw(void *result)
{
	pmuq_pfm_raw_free(result);
}

static const struct call_type encodes_raw = { "encode as libpfm4", encode_raw, print_raw,
					      free_raw };

/* The helper of the build tree, if it was built. It starts for each failure: with a sanitizer,
 * which makes that slow, for a third of the names. */
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
	const size_t step = IS_UNDER_ASAN && !getenv("PMUQ_ALL_CALLS") ? 3 : 1;
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *catalog = NULL;
	auto_free char *dir = NULL;
	struct call_input in = { 0 };

	(void)state;
	if (!getenv("PMUQ_TEST_PFM"))
		skip();
	assert_true(asprintf(&dir, "%s/skylake-sp", getenv("PMUQ_TEST_MACHINES")) > 0);
	assert_int_equal(pmuq_source_open_tree(dir, &source, NULL), 0);
	assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL), 0);
	pmuq_source_free(source);
	in.catalog = catalog;
	for (size_t i = 0; i < COUNT(strings); i += step) {
		in.text = strings[i];
		fail_each_malloc(&encodes_with_pfm, &in);
		fail_each_malloc(&encodes_raw, &in);
	}
	for (size_t i = 0; i < COUNT(attrs); i += step) {
		struct pmuq_attr attr;

		assert_int_equal(pmuq_attr_parse(attrs[i], &attr, NULL), 0);
		in.text = attrs[i];
		in.attr = &attr;
		fail_each_malloc(&decodes_with_pfm, &in);
	}
	pmuq_catalog_free(catalog);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(strings_their_attrs_and_their_beginnings),
		cmocka_unit_test(names_of_a_vendor),
		cmocka_unit_test(names_of_libpfm4),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
