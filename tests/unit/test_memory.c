/* SPDX-License-Identifier: MIT */
/*
 * An encode call in the caller's memory: the same encodings, the same codes, no allocation, and no
 * write beyond the memory for any size of it.
 */
#include "core/base.h"
#include "core/error.h"
#include "tests/harness/failing_malloc.h"
#include "tests/unit/cmocka_all.h"
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <string.h>

#define MEMORY_BYTES ((size_t)256 << 10)

static const char *const strings[] = {
	"cycles:u",
	"cpu/event=0x2,inv,ldlat=3/",
	"L1-dcache-load-misses",
	"r1a8",
	"mem:0x1000:rw",
	"mem-loads",
	"cas_count_read",
	"uncore_imc*/cas_count_read/",
	"{cycles,instructions:u}:S,branch-misses",
	"{uncore_imc_0/cas_count_read/,cycles:X,instructions}",
	"sched:sched_switch",
	"sched:*",
	"cpu/event=0x3c,umask=0x300/",
	"cpu/cpu-cycles,period=1000,name='a name'/k",
	"cpu/cpu=0,event=1/",
	"kprobe/func='do_exit'/",
	"cpu/config=0x1,event=0x2/",
	/* Errors. */
	"",
	"cpu/umsk=1/",
	"cylces",
	"cycles:q",
	"sched:sched_swich",
	"sched:sched_switch/event=1/",
	"cpu/branch_type=sideways/",
	"cpu/event=0x1ff/",
	"{cycles,",
};

static const struct pmuq_encode_options variants[] = {
	{ .size = sizeof(variants[0]) },
	{ .size = sizeof(variants[0]), .dialect = PMUQ_DIALECT_PERF },
	{ .size = sizeof(variants[0]), .is_strict = true },
	{ .size = sizeof(variants[0]), .preset = PMUQ_PRESET_RECORD, .with_assignments = true },
};

static struct pmuq_catalog *catalog;

static int read_machine(void **state)
{
	const char *machines = getenv("PMUQ_TEST_MACHINES");
	struct pmuq_source *source = NULL;
	auto_free char *path = NULL;

	(void)state;
	if (!machines || asprintf(&path, "%s/skylake-sp", machines) < 0)
		return -1;
	if (pmuq_source_open_tree(path, &source, NULL) < 0 ||
	    pmuq_source_read_catalog(source, &catalog, NULL) < 0)
		return -1;
	pmuq_source_free(source);
	return 0;
}

static int free_machine(void **state)
{
	(void)state;
	pmuq_catalog_free(catalog);
	return 0;
}

static void check_same(const char *text, const struct pmuq_encodings *a,
		       const struct pmuq_encodings *b)
{
	assert_int_equal(pmuq_encodings_count(a), pmuq_encodings_count(b));
	for (size_t i = 0; i < pmuq_encodings_count(a); i++) {
		const struct pmuq_encoding *x = pmuq_encodings_get(a, i);
		const struct pmuq_encoding *y = pmuq_encodings_get(b, i);

		if (memcmp(x->attr, y->attr, x->attr->size))
			fail_msg("'%s': the attrs of its event %zu differ", text, i);
		assert_string_equal(x->name.p, y->name.p);
		assert_string_equal(x->cpus.p, y->cpus.p);
		assert_int_equal(x->n_assignments, y->n_assignments);
		assert_int_equal(x->n_warnings, y->n_warnings);
		for (size_t k = 0; k < x->n_warnings; k++) {
			const struct pmuq_error *printed = pmuq_encoding_warning(x, k);
			const struct pmuq_error *meant = pmuq_encoding_warning(y, k);

			assert_int_equal(printed->code, meant->code);
			assert_int_equal(printed->offset, meant->offset);
			assert_string_equal(meant->message.p, pmuq_code_meaning(meant->code));
		}
	}
}

static void check_variant(const char *text, const struct pmuq_encode_options *type, void *memory)
{
	struct pmuq_encode_options options = *type;
	struct pmuq_encodings *usual = NULL, *mine = NULL;
	struct pmuq_error *error = NULL;
	int want = pmuq_catalog_encode(catalog, text, type, &usual, NULL), r;

	options.memory = memory;
	options.memory_bytes = MEMORY_BYTES;
	fail_malloc_at(0);
	r = pmuq_catalog_encode(catalog, text, &options, &mine, &error);
	if (fail_malloc_no_more())
		fail_msg("'%s' allocates", text);
	assert_int_equal(r, want);
	if (r == 0)
		check_same(text, usual, mine);
	else
		assert_string_equal(error->message.p, pmuq_code_meaning((unsigned)-r));
	pmuq_error_free(error);
	pmuq_encodings_free(mine);
	pmuq_encodings_free(usual);
}

static void encoding_in_memory_of_the_caller_needs_no_allocation(void **state)
{
	auto_free void *memory = malloc(MEMORY_BYTES);

	(void)state;
	for (size_t i = 0; i < COUNT(strings); i++)
		for (size_t k = 0; k < COUNT(variants); k++)
			check_variant(strings[i], &variants[k], memory);
}

/* Each size is a separate block, so that a sanitizer detects a write to the byte after it. */
static bool encodes_in_as(const char *text, struct pmuq_encode_options options, size_t bytes)
{
	auto_free char *memory = malloc(bytes);
	struct pmuq_encodings *mine = NULL, *usual = NULL;
	int r;

	options.memory = memory;
	options.memory_bytes = bytes;
	r = pmuq_catalog_encode(catalog, text, &options, &mine, NULL);
	options.memory = NULL;
	options.memory_bytes = 0;
	if (r != 0) {
		if (r != -PMUQ_E_MEMORY)
			fail_msg("'%s' in %zu bytes: %s", text, bytes,
				 pmuq_code_name((unsigned)-r));
		return false;
	}
	assert_int_equal(pmuq_catalog_encode(catalog, text, &options, &usual, NULL), 0);
	check_same(text, usual, mine);
	pmuq_encodings_free(usual);
	return true;
}

static bool encodes_in(const char *text, size_t bytes)
{
	const struct pmuq_encode_options plain = { .size = sizeof(plain) };

	return encodes_in_as(text, plain, bytes);
}

static void too_little_memory_is_an_error_and_never_a_wrong_result(void **state)
{
	static const char *const some[] = {
		"cycles:u",	  "cpu/event=0x3c,umask=0x1/", "cpu/config=0x1,event=0x2/",
		"cas_count_read", "{cycles,instructions}",     "uncore_imc*/cas_count_read/"
	};
	bool fitted = false;

	(void)state;
	for (size_t i = 0; i < COUNT(some); i++) {
		for (size_t bytes = 1; bytes < 16384; bytes += 23)
			fitted = encodes_in(some[i], bytes);
		assert_true(fitted);
	}
}

static void the_memory_of_the_header_is_enough(void **state)
{
	static const struct {
		const char *text;
		size_t n; /* encodings */
	} usual[] = {
		{ "cycles:u", 1 },
		{ "cpu/event=0x2,inv,ldlat=3/u", 1 },
		{ "mem-loads", 1 },
		{ "cycles,instructions,cache-misses,branches", 4 },
		{ "{cycles,instructions,cache-misses,branches,L1-dcache-load-misses}:u", 5 },
		{ "{cycles,instructions}:S", 2 },
		{ "uncore_imc/cas_count_read/", 6 },
	};
	const struct pmuq_encode_options explained = {
		.size = sizeof(explained),
		.with_assignments = true,
		.preset = PMUQ_PRESET_RECORD,
	};

	(void)state;
	for (size_t i = 0; i < COUNT(usual); i++) {
		size_t n = usual[i].n;

		assert_true(encodes_in(usual[i].text, n * 4096));
		assert_true(encodes_in_as(usual[i].text, explained, n * 8192));
	}
}

static void bytes_after_the_memory_are_not_written(void **state)
{
	static _Alignas(16) char block[16 + 8192 + 64], after[64];
	struct pmuq_encode_options options = { .size = sizeof(options) };

	(void)state;
	memset(block, 'x', sizeof(block));
	memset(after, 'x', sizeof(after));
	for (size_t skew = 0; skew < 16; skew++)
		for (size_t bytes = 256; bytes <= 8192; bytes += 48) {
			struct pmuq_encodings *mine = NULL;
			int r;

			options.memory = block + skew;
			options.memory_bytes = bytes;
			r = pmuq_catalog_encode(catalog, "{cycles,instructions}", &options, &mine,
						NULL);
			assert_true(r == 0 || r == -PMUQ_E_MEMORY);
			assert_memory_equal(block + skew + bytes, after, sizeof(after));
			memset(block, 'x', skew + bytes);
		}
}

static void libpfm4_is_not_used(void **state)
{
	char memory[4096];
	struct pmuq_encode_options options = {
		.size = sizeof(options),
		.pfm = (struct pmuq_pfm *)memory,
		.memory = memory,
		.memory_bytes = sizeof(memory),
	};
	struct pmuq_encodings *mine = NULL;

	(void)state;
	assert_int_equal(pmuq_catalog_encode(catalog, "cycles", &options, &mine, NULL),
			 -PMUQ_E_BAD_CALL);
}

/* Each text of an error in turn is not allocated: then the hint is that a part is missing. */
static void an_error_without_a_part_is_marked(void **state)
{
	bool has_failed = true;

	(void)state;
	for (unsigned n = 0; has_failed; n++) {
		struct pmuq_error *error = NULL;
		int r;

		fail_malloc_at(n);
		r = pq_fail(&error, PMUQ_E_SYNTAX, "a message");
		pq_error_input(&error, STR("an input"));
		pq_error_origin(&error, STR("an origin"));
		pq_error_hint(&error, "a hint");
		pq_error_in(&error, "somewhere: ");
		has_failed = fail_malloc_no_more();
		assert_non_null(error);
		assert_int_equal(r, -(int)error->code);
		if (!has_failed)
			assert_string_equal(error->hint.p, "a hint");
		else if (error->code != PMUQ_E_MEMORY)
			assert_non_null(strstr(error->hint.p, "out of memory"));
		pmuq_error_free(error);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(encoding_in_memory_of_the_caller_needs_no_allocation),
		cmocka_unit_test(too_little_memory_is_an_error_and_never_a_wrong_result),
		cmocka_unit_test(the_memory_of_the_header_is_enough),
		cmocka_unit_test(bytes_after_the_memory_are_not_written),
		cmocka_unit_test(libpfm4_is_not_used),
		cmocka_unit_test(an_error_without_a_part_is_marked),
	};

	return cmocka_run_group_tests(tests, read_machine, free_machine);
}
