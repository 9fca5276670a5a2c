/* SPDX-License-Identifier: MIT */
/* Names of PMU instances and ranges of them: core/instance.h, core/ranges.h. */
#include "core/instance.h"
#include "core/ranges.h"
#include "tests/unit/cmocka_all.h"

static void a_name_splits_into_base_and_number(void **state)
{
	static const struct {
		const char *name, *base;
		uint64_t number;
		bool has_number;
	} rows[] = {
		{ "uncore_imc_0", "uncore_imc", 0, true },
		{ "smmuv3_pmcg_3ffe0", "smmuv3_pmcg", 0x3ffe0, true },
		{ "uncore_imc_12", "uncore_imc", 0x12, true },
		{ "x_abc", "x", 0xabc, true },
		{ "cpum_cf", "cpum_cf", 0, false },
		{ "cpu", "cpu", 0, false },
		{ "dig7", "dig7", 0, false },
		{ "cxl_pmu_mem0.0", "cxl_pmu_mem0.0", 0, false },
		{ "_1", "_1", 0, false },
		{ "x_", "x_", 0, false },
		{ "", "", 0, false },
		{ "x_12345678901234567", "x_12345678901234567", 0, false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		uint64_t number;
		struct pmuq_str base;

		assert_int_equal(pq_instance_split(str_of(rows[i].name), &base, &number),
				 rows[i].has_number);
		assert_true(str_eq(base, str_of(rows[i].base)));
		assert_true(number == rows[i].number);
	}
}

static void siblings_differ_in_the_number_alone(void **state)
{
	static const struct {
		const char *a, *b;
		bool are_siblings;
	} rows[] = {
		{ "uncore_imc_0", "uncore_imc_11", true },
		{ "uncore_imc_0", "uncore_imc_0", true },
		{ "uncore_imc_0", "uncore_cha_0", false },
		{ "uncore_imc_0", "uncore_imc", false },
		{ "cpu", "cpu", false },
		{ "", "", false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_int_equal(pq_instance_are_siblings(str_of(rows[i].a), str_of(rows[i].b)),
				 rows[i].are_siblings);
}

static void a_suffix_is_matched_as_perf_matches_it(void **state)
{
	static const char *const suffixes[] = {
		"", "7", "_7", "7_3", "12", "_1a2", "3ffe0", "_abc"
	};
	static const char *const others[] = {
		"_", "7_", "_cf", "f", "_f", "1a", "_1_2", "__1", "-1", "_x", ".0", "_1x",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(suffixes); i++)
		if (!pq_instance_is_suffix(str_of(suffixes[i])))
			fail_msg("'%s' should be a suffix", suffixes[i]);
	for (size_t i = 0; i < COUNT(others); i++)
		if (pq_instance_is_suffix(str_of(others[i])))
			fail_msg("'%s' should not be a suffix", others[i]);
}

static void a_number_is_one_that_is_printed_again_the_same(void **state)
{
	static const struct {
		const char *name, *stem;
		uint32_t number;
	} rows[] = {
		{ "uncore_imc_0", "uncore_imc_", 0 },
		{ "dig7", "dig", 7 },
		{ "x_4294967295", "x_", 4294967295 },
		{ "smmuv3_pmcg_3f62", "smmuv3_pmcg_3f", 62 },
	};
	static const char *const without[] = {
		"cpu", "7", "", "x_01", "x_00", "x_4294967296", "smmuv3_pmcg_3ffe", "x_1_",
	};
	struct pmuq_str stem;
	uint32_t number;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		assert_true(pq_instance_number(str_of(rows[i].name), &stem, &number));
		assert_true(str_eq(stem, str_of(rows[i].stem)));
		assert_int_equal(number, rows[i].number);
	}
	for (size_t i = 0; i < COUNT(without); i++)
		if (pq_instance_number(str_of(without[i]), &stem, &number))
			fail_msg("'%s' should have no number", without[i]);
}

static void a_stem_is_found_with_and_without_its_underscore(void **state)
{
	static const struct {
		const char *stem, *name;
		bool is_stem;
	} rows[] = {
		{ "uncore_imc", "uncore_imc_0", true },	 { "uncore_imc_", "uncore_imc_0", true },
		{ "uncore_imc", "uncore_imc12", true },	 { "uncore_im", "uncore_imc_0", false },
		{ "uncore_imx", "uncore_imc_0", false }, { "uncore_imc", "uncore_imcx0", false },
		{ "uncore_imc", "uncore_imc", false },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		if (pq_instance_is_stem(str_of(rows[i].stem), str_of(rows[i].name)) !=
		    rows[i].is_stem)
			fail_msg("'%s' and '%s'", rows[i].stem, rows[i].name);
}

static void uncore_is_left_out_at_the_start(void **state)
{
	(void)state;
	assert_true(str_eq(pq_without_uncore(STR("uncore_imc")), STR("imc")));
	assert_true(str_eq(pq_without_uncore(STR("uncore_")), STR("")));
	assert_true(str_eq(pq_without_uncore(STR("uncore")), STR("uncore")));
	assert_true(str_eq(pq_without_uncore(STR("x_uncore_imc")), STR("x_uncore_imc")));
	assert_true(str_eq(pq_without_uncore(STR("")), STR("")));
}

static void names_are_printed_as_ranges(void **state)
{
	static const struct {
		const char *names[6];
		size_t n;
		const char *want;
	} rows[] = {
		{ { "imc_0", "imc_1", "imc_2", "imc_8" }, 4, "imc_[0-2,8]" },
		{ { "cpu" }, 1, "cpu" },
		{ { "imc_3" }, 1, "imc_3" },
		{ { "cpu", "imc_0", "imc_1", "cha_0", "cha_1", "msr" },
		  6,
		  "cpu, imc_[0-1], cha_[0-1], msr" },
		{ { "imc_1", "imc_0" }, 2, "imc_[1,0]" },
		{ { "x_01", "x_02" }, 2, "x_01, x_02" },
		{ { "imc_0", "cha_1", "imc_1" }, 3, "imc_0, cha_1, imc_1" },
		{ { NULL }, 0, "" },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pmuq_str names[COUNT(rows[i].names)];
		char *text;

		for (size_t k = 0; k < rows[i].n; k++)
			names[k] = str_of(rows[i].names[k]);
		text = pq_ranges_of_names(names, rows[i].n);
		assert_string_equal(text, rows[i].want);
		free(text);
	}
}

static void a_stem_with_ranges_is_read_as_it_was_printed(void **state)
{
	uint32_t v[] = { 0, 1, 2, 8 };
	struct pq_numbers numbers = { .v = v, .n = COUNT(v) }, read;
	struct pq_buf text = PQ_BUF_NULL;
	struct pq_arena arena = PQ_ARENA(1 << 16);
	struct pmuq_str stem;

	(void)state;
	pq_ranges_print_stem(STR("uncore_imc_"), &numbers, &text);
	assert_true(str_eq(pq_buf_str(&text), STR("uncore_imc_[0-2,8]")));
	assert_int_equal(pq_ranges_read_stem(&arena, pq_buf_str(&text), &stem, &read),
			 PQ_RANGES_OK);
	assert_true(str_eq(stem, STR("uncore_imc_")));
	assert_int_equal(read.n, numbers.n);
	assert_memory_equal(read.v, v, sizeof(v));
	pq_buf_free(&text);
	pq_arena_clear(&arena);
}

static void texts_that_are_not_ranges_are_refused(void **state)
{
	static const struct {
		const char *text;
		enum pq_ranges_result want;
	} rows[] = {
		{ "", PQ_RANGES_BAD },		{ "x", PQ_RANGES_BAD },
		{ "[0-3]", PQ_RANGES_BAD },	{ "x[]", PQ_RANGES_BAD },
		{ "x[0", PQ_RANGES_BAD },	{ "x[0,]", PQ_RANGES_BAD },
		{ "x[01]", PQ_RANGES_BAD },	{ "x[3-3]", PQ_RANGES_BAD },
		{ "x[3-1]", PQ_RANGES_BAD },	{ "x[0-65536]", PQ_RANGES_MANY },
		{ "x[0-65535]", PQ_RANGES_OK },
	};
	struct pq_numbers numbers;
	struct pmuq_str stem;
	struct pq_arena arena;

	(void)state;
	arena = PQ_ARENA(1 << 20);
	for (size_t i = 0; i < COUNT(rows); i++)
		if (pq_ranges_read_stem(&arena, str_of(rows[i].text), &stem, &numbers) !=
		    rows[i].want)
			fail_msg("'%s'", rows[i].text);
	pq_arena_clear(&arena);
	arena = PQ_ARENA(16);
	assert_int_equal(pq_ranges_read(&arena, STR("0-100"), &numbers), PQ_RANGES_MEMORY);
	pq_arena_clear(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_splits_into_base_and_number),
		cmocka_unit_test(siblings_differ_in_the_number_alone),
		cmocka_unit_test(a_suffix_is_matched_as_perf_matches_it),
		cmocka_unit_test(a_number_is_one_that_is_printed_again_the_same),
		cmocka_unit_test(a_stem_is_found_with_and_without_its_underscore),
		cmocka_unit_test(uncore_is_left_out_at_the_start),
		cmocka_unit_test(names_are_printed_as_ranges),
		cmocka_unit_test(a_stem_with_ranges_is_read_as_it_was_printed),
		cmocka_unit_test(texts_that_are_not_ranges_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
