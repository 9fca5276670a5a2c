/* SPDX-License-Identifier: MIT */
/*
 * What a line of tests/cases cannot express: options, limits, hostile input, laws over generated
 * strings.
 */
#include "core/limits.h"
#include "tests/harness/build.h"
#include <stdio.h>
#include <time.h>

static const struct test_pmu machine[] = {
	{ .name = "cpu",
	  .type = 4,
	  .formats = "event config:0-7; umask config:8-15; inv config:23; all config1:0-63; "
		     "low config1:0-15; gap config2:0-7,32-35; bad config9:0-3",
	  .events = "loads event=0xcd,umask=1,low=3; par event=?,umask=2; empty ; nested loads; "
		    "wide event=0x1ff; read event=3; par2 umask=?,event=?; "
		    "rubbish config=0xfz; filter event=1,branch_type=none; "
		    "nowhere event=1,cpu=99; slash event=1/umask=2" },
	TEST_TWO_INSTANCES,
	{ .name = "software", .type = 1 },
};

TEST_CATALOG(machine)

static int encode(const char *text, const struct pmuq_encode_options *options,
		  struct pmuq_encodings **ret)
{
	struct pmuq_error *error = NULL;
	int r;

	*ret = NULL;
	r = pmuq_catalog_encode(catalog, text, options, ret, &error);
	if (r < 0) {
		auto_free char *shown = pmuq_error_format(error);

		assert_int_equal(error->code, -r);
		assert_non_null(shown);
		assert_true(error->offset <= strlen(error->input.p));
		pmuq_error_free(error);
	} else {
		assert_null(error);
	}
	return r;
}

static int code_of(const char *text)
{
	struct pmuq_encodings *encodings;
	int r = encode(text, NULL, &encodings);

	pmuq_encodings_free(encodings);
	return -r;
}

static void options_of_another_size_are_understood_or_refused(void **state)
{
	struct {
		struct pmuq_encode_options known;
		char newer[16];
	} options = { .known = { .size = sizeof(options) } };
	struct pmuq_encodings *encodings = NULL;

	(void)state;
	assert_int_equal(pmuq_catalog_encode(catalog, "cycles", &options.known, &encodings, NULL),
			 0);
	pmuq_encodings_free(encodings);
	options.newer[3] = 1;
	assert_int_equal(pmuq_catalog_encode(catalog, "cycles", &options.known, &encodings, NULL),
			 -PMUQ_E_BAD_CALL);
	options.known.size = 0;
	assert_int_equal(pmuq_catalog_encode(catalog, "cycles", &options.known, &encodings, NULL),
			 -PMUQ_E_BAD_CALL);
	options.known =
		(struct pmuq_encode_options){ .size = sizeof(options.known), .from = 1u << 30 };
	assert_int_equal(pmuq_catalog_encode(catalog, "cycles", &options.known, &encodings, NULL),
			 -PMUQ_E_BAD_CALL);
	options.known.from = 0;
	/* Only the dialect is inside the size: the other members count as zero. */
	options.known.is_strict = true;
	options.known.size = offsetof(struct pmuq_encode_options, from);
	assert_int_equal(
		pmuq_catalog_encode(catalog, "cpu/all=1,low=2/", &options.known, &encodings, NULL),
		0);
	pmuq_encodings_free(encodings);
}

static void an_error_is_untouched_if_there_is_none(void **state)
{
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_error *error = (struct pmuq_error *)state;

	assert_int_equal(pmuq_catalog_encode(catalog, "cpu/loads/u", NULL, &encodings, &error), 0);
	assert_ptr_equal(error, state);
	pmuq_encodings_free(encodings);
}

static void strict_makes_a_warning_an_error(void **state)
{
	struct pmuq_encode_options options = { .size = sizeof(options), .is_strict = true };
	struct pmuq_encodings *encodings;

	(void)state;
	assert_int_equal(code_of("cpu/all=1,low=2/"), 0);
	assert_int_equal(encode("cpu/all=1,low=2/", &options, &encodings), -PMUQ_E_SHARED_BITS);
	assert_int_equal(encode("cp*/event=1/", &options, &encodings), -PMUQ_E_WILDCARD_OF_ONE);
	assert_int_equal(encode("cpu/event=1/", &options, &encodings), 0);
	pmuq_encodings_free(encodings);
}

static void an_excluded_source_is_named(void **state)
{
	struct pmuq_encode_options sysfs = { .size = sizeof(sysfs), .from = PMUQ_FROM_SYSFS };
	struct pmuq_encode_options generic = { .size = sizeof(generic), .from = PMUQ_FROM_GENERIC };
	struct pmuq_encodings *encodings;

	(void)state;
	assert_int_equal(encode("tick", &generic, &encodings), -PMUQ_E_EXCLUDED_SOURCE);
	assert_int_equal(encode("cycles", &sysfs, &encodings), -PMUQ_E_EXCLUDED_SOURCE);
	assert_int_equal(encode("cpu/loads/", &generic, &encodings), -PMUQ_E_EXCLUDED_SOURCE);
	assert_int_equal(encode("cpu/event=loads/", &generic, &encodings), -PMUQ_E_EXCLUDED_SOURCE);
	assert_int_equal(encode("cpu/cycles/", &sysfs, &encodings), -PMUQ_E_EXCLUDED_SOURCE);
	assert_int_equal(encode("cpu/tock/", &sysfs, &encodings), -PMUQ_E_UNKNOWN_TERM);
	assert_int_equal(encode("cpu/page-faults/", &sysfs, &encodings), -PMUQ_E_UNKNOWN_TERM);
	assert_int_equal(encode("tick", &sysfs, &encodings), 0);
	assert_int_equal(pmuq_encodings_count(encodings), 2);
	pmuq_encodings_free(encodings);
}

static void a_form_without_a_name_has_a_source(void **state)
{
	static const struct {
		const char *text;
		enum pmuq_origin origin;
	} forms[] = {
		{ "cpu/event=1/", PMUQ_FROM_FORMAT },
		{ "r1a", PMUQ_FROM_RAW },
		{ "4:0x3c", PMUQ_FROM_RAW },
		{ "mem:0x1000", PMUQ_FROM_BREAKPOINT },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(forms); i++) {
		struct pmuq_encode_options options = { .size = sizeof(options),
						       .from = PMUQ_FROM_SYSFS };
		struct pmuq_encodings *encodings;

		assert_int_equal(encode(forms[i].text, &options, &encodings),
				 -PMUQ_E_EXCLUDED_SOURCE);
		options.from = forms[i].origin;
		assert_int_equal(encode(forms[i].text, &options, &encodings), 0);
		pmuq_encodings_free(encodings);
	}
}

static void errors_in_an_events_file_are_shown_in_its_text(void **state)
{
	static const struct {
		const char *event, *input;
		enum pmuq_code code;
		size_t offset;
	} rows[] = {
		{ "cpu/nested/", "loads", PMUQ_E_UNKNOWN_TERM, 0 },
		{ "cpu/wide/", "event=0x1ff", PMUQ_E_VALUE_TOO_BIG, 6 },
		{ "cpu/empty/", "", PMUQ_E_EMPTY_ALIAS, 0 },
		{ "cpu/rubbish/", "config=0xfz", PMUQ_E_EXPECTED_NUMBER, 7 },
		{ "cpu/filter/", "event=1,branch_type=none", PMUQ_E_BAD_BRANCH_TYPE, 20 },
		{ "cpu/nowhere/", "event=1,cpu=99", PMUQ_E_BAD_VALUE, 12 },
		{ "cpu/slash/", "event=1/umask=2", PMUQ_E_SYNTAX, 7 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pmuq_encodings *encodings;
		struct pmuq_error *error = NULL;

		assert_int_equal(
			pmuq_catalog_encode(catalog, rows[i].event, NULL, &encodings, &error),
			-(int)rows[i].code);
		assert_string_equal(error->input.p, rows[i].input);
		assert_int_equal(error->offset, rows[i].offset);
		assert_non_null(strstr(error->origin.p, "devices/cpu/events/"));
		pmuq_error_free(error);
	}
}

static void a_missing_parameter_is_reported_with_its_range(void **state)
{
	struct pmuq_encodings *encodings;
	struct pmuq_error *error = NULL;

	(void)state;
	assert_int_equal(pmuq_catalog_encode(catalog, "cpu/par2/", NULL, &encodings, &error),
			 -PMUQ_E_MISSING_PARAMETER);
	assert_non_null(strstr(error->message.p, "umask (0 to 0xff), event (0 to 0xff)"));
	pmuq_error_free(error);
	assert_int_equal(encode("cpu/par,event=7/", NULL, &encodings), 0);
	assert_true(pmuq_encodings_get(encodings, 0)->attr->config == 0x207);
	pmuq_encodings_free(encodings);
}

static void a_format_that_cannot_be_used_is_an_error(void **state)
{
	(void)state;
	assert_int_equal(code_of("cpu/bad=1/"), PMUQ_E_UNUSABLE_FORMAT);
	assert_int_equal(code_of("cpu/event=1/"), 0);
}

/* A string of n copies of a part, between two ends. */
static char *repeated(const char *head, const char *part, size_t n, const char *tail)
{
	size_t part_bytes = strlen(part);
	char *text = malloc(strlen(head) + n * part_bytes + strlen(tail) + 1), *at = text;

	assert_non_null(text);
	at = stpcpy(at, head);
	for (size_t i = 0; i < n; i++)
		at = stpcpy(at, part);
	stpcpy(at, tail);
	return text;
}

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Not a benchmark: quadratic code takes minutes here, other code less than a second. */
static void a_mebibyte_of_any_text_takes_less_than_a_minute(void **state)
{
	static const struct {
		const char *head, *part, *tail;
	} rows[] = {
		{ "", "a", "" },
		{ "", "cycles,", "cycles" },
		{ "cpu/", "event=1,", "umask=1/" },
		{ "{", "cycles,", "cycles}" },
		{ "", "{", "" },
		{ "", "/", "" },
		{ "cpu/name='", "x", "'/" },
		{ "", "*", "/event=1/" },
		{ "cycles:", "u", "" },
		{ "", " ", "" },
		{ "", "tick,", "tick" },
		{ "cpu/event=", "9", "/" },
		{ "", "[", "/event=1/" },
		{ "mem:", "1", "" },
		{ "cpu/@", "a=", "/" },
		/* Each event has a warning, and shows the whole input in it. */
		{ "", "cpu/config=0x10000/,", "cycles" },
		{ "", "box_0*/event=1/,", "cycles" },
		{ "", "*?[", "/event=1/" },
		{ "*[", "a", "]/event=1/" },
	};
	double start = seconds();

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		size_t n = PQ_INPUT_MAX_BYTES - strlen(rows[i].head) - strlen(rows[i].tail);
		auto_free char *text = repeated(rows[i].head, rows[i].part,
						n / strlen(rows[i].part), rows[i].tail);

		code_of(text);
	}
	assert_true(seconds() - start < 60);
}

/* The bits of a topdown metric on a machine that has no PMU of their type: perf's is named cpu. */
static void a_number_without_a_pmu_gets_no_slots(void **state)
{
	static const struct test_pmu bare[] = { { .name = "software", .type = 1 } };
	struct pmuq_catalog *machine_without = test_catalog(bare, COUNT(bare));
	struct pmuq_encodings *encodings = NULL;

	(void)state;
	assert_int_equal(pmuq_catalog_encode(machine_without, "4:0x8000", NULL, &encodings, NULL),
			 0);
	assert_int_equal(pmuq_encodings_count(encodings), 1);
	assert_true(pmuq_encodings_get(encodings, 0)->attr->config == 0x8000);
	assert_string_equal(pmuq_encodings_get(encodings, 0)->pmu.p, "cpu");
	pmuq_encodings_free(encodings);
	pmuq_catalog_free(machine_without);
}

static void limits_are_errors_that_name_them(void **state)
{
	auto_free char *long_text = repeated("", "a", PQ_INPUT_MAX_BYTES + 1, "");
	auto_free char *many_terms = repeated("cpu/", "cpu=0,", PQ_TERMS_MAX, "umask=1/");
	auto_free char *long_glob = repeated("*[", "a", PQ_GLOB_MAX_BYTES, "]/event=1/");
	auto_free char *many_events = repeated("", "tick,", PQ_ENCODINGS_MAX / 2, "tick");

	(void)state;
	assert_int_equal(code_of(long_text), PMUQ_E_TOO_LONG);
	assert_int_equal(code_of(many_terms), PMUQ_E_TOO_LONG);
	assert_int_equal(code_of(long_glob), PMUQ_E_TOO_LONG);
	assert_int_equal(code_of(many_events), PMUQ_E_TOO_LONG);
}

/* 20,000 strings made of pieces of the language. */
static void any_bytes_give_encodings_or_an_error(void **state)
{
	static const char *const pieces[] = {
		"cpu", "/",   "event",	"=",	"1",	",",	 "{",	"}",	":",	"u", "tick",
		"'",   "@",   "mem",	"0x",	"r1a",	"loads", "*",	"?",	"[",	"-", " ",
		"low", "all", "cycles", "name", "cpu=", "par",	 "box", "\xff", "\x01", "9"
	};
	uint64_t seed = 42;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		char text[256] = "";
		struct pmuq_encodings *encodings;

		for (int n = 0; n < 12; n++) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			strcat(text, pieces[seed >> 33 & 31]);
		}
		if (encode(text, NULL, &encodings) < 0)
			continue;
		assert_true(pmuq_encodings_count(encodings) > 0);
		pmuq_encodings_free(encodings);
	}
}

/* Each type that the kernel always has stands for itself on a machine without PMUs. */
static void a_machine_without_pmus_has_the_fixed_ones(void **state)
{
	static const struct {
		const char *pmu;
		uint32_t type;
	} rows[] = { { "cpu", 0 }, { "software", 1 }, { "breakpoint", 5 }, { "cpu", 4 } };
	struct pmuq_catalog *empty = test_catalog(NULL, 0);
	struct pmuq_encodings *encodings = NULL;

	(void)state;
	assert_int_equal(
		pmuq_catalog_encode(empty, "cycles,cs,mem:0x1000,r1c0", NULL, &encodings, NULL), 0);
	assert_int_equal(pmuq_encodings_count(encodings), COUNT(rows));
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct pmuq_encoding *encoding = pmuq_encodings_get(encodings, i);

		assert_string_equal(encoding->pmu.p, rows[i].pmu);
		assert_int_equal(encoding->attr->type, rows[i].type);
	}
	pmuq_encodings_free(encodings);
	pmuq_catalog_free(empty);
}

/* The kernel's software PMU has no events in sysfs, but another one may. */
static void a_generic_event_that_sysfs_has_as_well_is_one_event(void **state)
{
	static const struct test_pmu software = { .name = "software",
						  .type = 1,
						  .formats = "event config:0-7",
						  .events = "page-faults event=2" };
	struct pmuq_catalog *alone = test_catalog(&software, 1);
	struct pmuq_encodings *encodings = NULL;

	(void)state;
	assert_int_equal(pmuq_catalog_encode(alone, "page-faults", NULL, &encodings, NULL), 0);
	assert_int_equal(pmuq_encodings_count(encodings), 1);
	pmuq_encodings_free(encodings);
	pmuq_catalog_free(alone);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_of_another_size_are_understood_or_refused),
		cmocka_unit_test(an_error_is_untouched_if_there_is_none),
		cmocka_unit_test(strict_makes_a_warning_an_error),
		cmocka_unit_test(an_excluded_source_is_named),
		cmocka_unit_test(a_form_without_a_name_has_a_source),
		cmocka_unit_test(errors_in_an_events_file_are_shown_in_its_text),
		cmocka_unit_test(a_missing_parameter_is_reported_with_its_range),
		cmocka_unit_test(a_format_that_cannot_be_used_is_an_error),
		cmocka_unit_test(a_mebibyte_of_any_text_takes_less_than_a_minute),
		cmocka_unit_test(a_number_without_a_pmu_gets_no_slots),
		cmocka_unit_test(limits_are_errors_that_name_them),
		cmocka_unit_test(any_bytes_give_encodings_or_an_error),
		cmocka_unit_test(a_machine_without_pmus_has_the_fixed_ones),
		cmocka_unit_test(a_generic_event_that_sysfs_has_as_well_is_one_event),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
