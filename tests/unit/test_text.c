/* SPDX-License-Identifier: MIT */
/* Slices, numbers and growing text: core/str.c, core/num.c, core/buf.c. */
#include "core/buf.h"
#include "core/num.h"
#include "tests/unit/cmocka_all.h"
#include <math.h>

static void a_glob_matches_to_the_end(void **state)
{
	static const struct {
		const char *pattern, *text;
		bool matches;
	} rows[] = {
		{ "uncore_*", "uncore_imc_0", true },
		{ "*", "", true },
		{ "", "x", false },
		{ "a?c", "abc", true },
		{ "a?c", "ac", false },
		{ "imc_[0-3]", "imc_2", true },
		{ "imc_[0-3]", "imc_4", false },
		{ "imc_[!0-3]", "imc_4", true },
		{ "imc_[0-3]", "imc_-", false },
		{ "[a-c-]", "-", true },
		{ "a[", "a[", true },
		{ "a\\*", "a*", true },
		{ "a\\*", "ab", false },
		{ "*a*b*c", "xxaxxbxxc", true },
		{ "*a*b*c", "xxaxxcxxb", false },
		{ "[]]", "]", true },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(str_glob(str_of(rows[i].pattern), str_of(rows[i].text)),
				 rows[i].matches);
}

/* Every byte, at each place of short texts. */
static void upper_case_is_found_anywhere(void **state)
{
	(void)state;
	for (size_t n = 1; n <= 10; n++)
		for (size_t at = 0; at < n; at++)
			for (unsigned c = 0; c < 256; c++) {
				char bytes[10], other[10];
				struct pmuq_str text = { .p = bytes, .n = n };

				memset(bytes, 'z', n);
				bytes[at] = (char)c;
				assert_int_equal(str_has_upper(text), c >= 'A' && c <= 'Z');
				assert_true(str_eq_nocase(text, str_lower(text, other)));
			}
	assert_false(str_has_upper(STR("")));
	assert_true(str_eq_nocase(STR("Cycles"), STR("cYCLES")));
	assert_false(str_eq_nocase(STR("cycles"), STR("cycle5")));
	assert_false(str_eq_nocase(STR("cycles"), STR("cycles-ct")));
	/* The same bit distinguishes '@' from '`' as 'A' from 'a', but they are not letters. */
	assert_false(str_eq_nocase(STR("@"), STR("`")));
	assert_false(str_eq_nocase(STR("\xc4"), STR("\xe4")));
}

static void a_hostile_glob_is_not_exponential(void **state)
{
	char text[4096];

	(void)state;
	memset(text, 'a', sizeof(text));
	assert_false(
		str_glob(STR("*a*a*a*a*a*a*a*a*a*a*b"), (struct pmuq_str){ text, sizeof(text) }));
}

static void distance_counts_edits_and_swaps(void **state)
{
	char longest[65];
	static const struct {
		const char *a, *b;
		size_t distance;
	} rows[] = {
		{ "umsk", "umask", 1 }, { "cylces", "cycles", 1 }, { "cycles", "CYCLES", 0 },
		{ "abc", "xyz", 3 },	{ "", "ab", 2 },	   { "kitten", "sitting", 3 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(str_distance(str_of(rows[i].a), str_of(rows[i].b), 9),
				 rows[i].distance);
	assert_int_equal(str_distance(STR("abcdef"), STR("uvwxyz"), 3), 3);
	/* Longer names than 64 bytes are not compared. */
	memset(longest, 'a', sizeof(longest));
	for (size_t n = 64; n <= 65; n++) {
		struct pmuq_str a = { longest, n }, b = { longest, 63 };

		assert_int_equal(str_distance(a, b, 9), n == 64 ? 1 : 9);
		assert_int_equal(str_distance(b, a, 9), n == 64 ? 1 : 9);
	}
}

static void numbers_are_complete_or_invalid(void **state)
{
	static const struct {
		const char *text;
		enum pq_num result;
		uint64_t value;
	} rows[] = {
		{ "0", PQ_NUM_OK, 0 },
		{ "010", PQ_NUM_OK, 10 },
		{ "18446744073709551615", PQ_NUM_OK, UINT64_MAX },
		{ "18446744073709551616", PQ_NUM_RANGE, 0 },
		{ "0xffffffffffffffff", PQ_NUM_OK, UINT64_MAX },
		{ "0x1ffffffffffffffff", PQ_NUM_RANGE, 0 },
		{ "0xFf", PQ_NUM_OK, 255 },
		{ "0Xff", PQ_NUM_NONE, 0 },
		{ "0x", PQ_NUM_NONE, 0 },
		{ "", PQ_NUM_NONE, 0 },
		{ "-1", PQ_NUM_NONE, 0 },
		{ "1 ", PQ_NUM_NONE, 0 },
		{ "12a", PQ_NUM_NONE, 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		uint64_t value = 0;

		assert_int_equal(pq_num_any(str_of(rows[i].text), &value), rows[i].result);
		assert_true(value == rows[i].value);
	}
}

static void a_scale_keeps_its_exact_text(void **state)
{
	static const struct {
		const char *file, *text;
		double value;
	} rows[] = {
		{ "2.3283064365386962890625e-10\n", "2.3283064365386962890625e-10", 0x1p-32 },
		{ "6.103515625e-5", "6.103515625e-5", 6.103515625e-5 },
		{ "4\n", "4", 4 },
		{ "-2.5", "-2.5", -2.5 },
		{ ".5", ".5", .5 },
		{ "1e3junk", "1e3", 1000 },
		{ "1e", "1", 1 },
		{ "1e+", "1", 1 },
		{ "+2.5E+1", "+2.5E+1", 25 },
		{ "0e5", "1", 1 },
		{ "-0.0", "1", 1 },
		{ "1.e2", "1.e2", 100 },
		{ "/:", "1", 1 },
		{ "3,5", "3", 3 },
		{ "0", "1", 1 },
		{ "0.000", "1", 1 },
		{ "", "1", 1 },
		{ "junk", "1", 1 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pmuq_str text = pq_num_scale_text(str_of(rows[i].file));
		double value = pq_num_scale(str_of(rows[i].file));

		assert_true(str_eq(text, str_of(rows[i].text)));
		assert_true(fabs(value - rows[i].value) <= fabs(rows[i].value) * 1e-14);
	}
}

static void text_grows_and_is_taken(void **state)
{
	struct pq_buf buf = PQ_BUF_NULL;
	char *text;

	(void)state;
	for (int i = 0; i < 1000; i++)
		pq_buf_list(&buf, 0, STR("item"));
	assert_int_equal(buf.n, 1000 * 4 + 999 * 2);
	text = pq_buf_take(&buf);
	assert_non_null(text);
	assert_int_equal(strlen(text), 1000 * 4 + 999 * 2);
	assert_null(buf.p);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_glob_matches_to_the_end),
		cmocka_unit_test(upper_case_is_found_anywhere),
		cmocka_unit_test(a_hostile_glob_is_not_exponential),
		cmocka_unit_test(distance_counts_edits_and_swaps),
		cmocka_unit_test(numbers_are_complete_or_invalid),
		cmocka_unit_test(a_scale_keeps_its_exact_text),
		cmocka_unit_test(text_grows_and_is_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
