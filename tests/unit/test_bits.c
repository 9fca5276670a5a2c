/* SPDX-License-Identifier: MIT */
/* Format texts and CPU lists: core/bits.c, core/cpulist.c. */
#include "core/bits.h"
#include "core/cpulist.h"
#include "tests/unit/cmocka_all.h"
#include <stdio.h>

static void a_format_is_a_word_and_a_mask(void **state)
{
	static const struct {
		const char *text;
		int word;
		uint64_t mask;
	} rows[] = {
		{ "config:0-7", 0, 0xff },
		{ "config0:0-7\n", 0, 0xff },
		{ "config:0-7,32-35", 0, 0xf000000ff },
		{ "config:32-35,0-7", 0, 0xf000000ff },
		{ "config:8-15,32-43,45-55", 0, 0xffefff0000ff00 },
		{ "config1:1,6-10,44", 1, 1ull << 44 | 0x7c0 | 2 },
		{ "config1:0-63", 1, UINT64_MAX },
		{ "config3:0-11", 3, 0xfff },
		{ "config4:0-63", 4, UINT64_MAX },
		{ "config:29-29", 0, 1u << 29 },
		{ "config1:0-0", 1, 1 },
		{ "config:63", 0, 1ull << 63 },
		{ "config:7,7,7", 0, 1u << 7 },
		/* As in perf: bits beyond 63 do not exist, a backward range is empty but for N-0.
		 */
		{ "config:60-64", 0, 0xfull << 60 },
		{ "config:64-70", 0, 0 },
		{ "config:9-3", 0, 0 },
		{ "config:9-0", 0, 1u << 9 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const char *problem;
		struct pmuq_bits bits = pq_bits_parse(str_of(rows[i].text), &problem);

		assert_int_equal(bits.word, rows[i].word);
		assert_true(bits.mask == rows[i].mask);
		assert_int_equal(bits.width, __builtin_popcountll(rows[i].mask));
		assert_int_equal(problem == NULL, rows[i].mask != 0);
	}
}

static void a_wrong_format_has_a_reason(void **state)
{
	static const char *const texts[] = {
		"",	    "config",	 "config:",	"config5:0-3", "conf:1",
		"config:a", "config:1-", "config:1,,2", "config-1:1",  "config:99999999999999999999"
	};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		const char *problem;
		struct pmuq_bits bits = pq_bits_parse(str_of(texts[i]), &problem);

		assert_int_equal(bits.word, -1);
		assert_non_null(problem);
	}
}

/* The value's bits fill the mask from the lowest up, and are read back. */
static void scatter_and_gather_are_inverse(void **state)
{
	static const uint64_t masks[] = { 0xff,	      0xf000000ff,	 0xffefff0000ff00,
					  1ull << 63, UINT64_MAX,	 0,
					  0x8001,     0xaaaaaaaaaaaaaaaa };
	static const uint64_t values[] = { 0, 1, 0x1c7, 0xdeadbeefcafef00d, UINT64_MAX };

	(void)state;
	for (size_t m = 0; m < COUNT(masks); m++)
		for (size_t v = 0; v < COUNT(values); v++) {
			struct pmuq_bits bits = { .mask = masks[m],
						  .width =
							  (uint8_t)__builtin_popcountll(masks[m]) };
			uint64_t value = values[v] & pq_bits_max(bits);
			uint64_t word = pq_bits_scatter(bits, value);

			assert_true((word & ~masks[m]) == 0);
			assert_true(pq_bits_gather(masks[m], word) == value);
		}
}

static void a_mask_without_gaps_gives_the_same_bits(void **state)
{
	(void)state;
	for (unsigned low = 0; low < 64; low++)
		for (unsigned high = low; high < 64; high++) {
			char text[32];
			const char *problem;
			struct pmuq_bits bits;

			snprintf(text, sizeof(text), "config:%u-%u", low, high ? high : low);
			bits = pq_bits_parse(str_of(text), &problem);
			assert_true(bits.is_solid);
			assert_true(pq_bits_scatter(bits, 0xfedcba9876543210 & pq_bits_max(bits)) ==
				    pq_bits_scatter_holes(bits.mask,
							  0xfedcba9876543210 & pq_bits_max(bits)));
		}
}

static void cpu_lists_round_trip(void **state)
{
	static const struct {
		const char *text, *printed;
		size_t n;
	} rows[] = {
		{ "0", "0", 1 },
		{ "0-3", "0-3", 4 },
		{ "0,8\n", "0,8", 2 },
		{ "3,1,2", "1-3", 3 },
		{ "66,0-64,127,1-2", "0-64,66,127", 67 },
		{ "0-1,3,63-65", "0-1,3,63-65", 6 },
		{ "70,127-128,190", "70,127-128,190", 4 },
		{ "", "", 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pq_buf buf = PQ_BUF_NULL;
		struct pq_arena arena = PQ_ARENA(1 << 20);
		struct pq_cpus cpus;

		assert_true(pq_cpus_parse(&arena, str_of(rows[i].text), &cpus));
		assert_int_equal(pq_cpus_count(&cpus), rows[i].n);
		assert_int_equal(pq_cpus_text_is_list(str_of(rows[i].text)), rows[i].n > 0);
		for (unsigned cpu = 0; cpu < 200; cpu++) {
			unsigned next = pq_cpus_next(&cpus, cpu);

			assert_int_equal(pq_cpus_text_next(str_of(rows[i].text), cpu), next);
			assert_int_equal(pq_cpus_has(&cpus, cpu), next == cpu);
		}
		pq_cpus_print(&cpus, &buf);
		assert_true(str_eq(pq_buf_str(&buf), str_of(rows[i].printed)));
		pq_buf_free(&buf);
		pq_arena_clear(&arena);
	}
}

static void invalid_cpu_lists_are_refused(void **state)
{
	static const char *const texts[] = {
		"a", "1-", "-1", "3-1", "1,,2", "65536", "0-99999999999", "1;2"
	};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct pq_arena arena = PQ_ARENA(1 << 20);
		struct pq_cpus cpus;

		assert_false(pq_cpus_parse(&arena, str_of(texts[i]), &cpus));
		assert_false(pq_cpus_text_is_list(str_of(texts[i])));
		assert_int_equal(pq_cpus_text_next(str_of(texts[i]), 0), PQ_CPUS_MAX);
		pq_arena_clear(&arena);
	}
}

static void sets_of_cpus_intersect_and_unite(void **state)
{
	struct pq_buf both = PQ_BUF_NULL, either = PQ_BUF_NULL;
	struct pq_cpus a, b, c;
	struct pq_arena arena = PQ_ARENA(1 << 20);

	(void)state;
	assert_true(pq_cpus_parse(&arena, STR("0-70"), &a));
	assert_true(pq_cpus_parse(&arena, STR("2,69-200"), &b));
	assert_true(pq_cpus_parse(&arena, STR("1000"), &c));
	pq_cpus_intersect(&a, &b);
	pq_cpus_print(&a, &both);
	assert_true(str_eq(pq_buf_str(&both), STR("2,69-70")));
	assert_true(pq_cpus_unite(&arena, &a, &c));
	pq_cpus_print(&a, &either);
	assert_true(str_eq(pq_buf_str(&either), STR("2,69-70,1000")));
	pq_buf_free(&both);
	pq_buf_free(&either);
	pq_arena_clear(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_format_is_a_word_and_a_mask),
		cmocka_unit_test(a_wrong_format_has_a_reason),
		cmocka_unit_test(scatter_and_gather_are_inverse),
		cmocka_unit_test(a_mask_without_gaps_gives_the_same_bits),
		cmocka_unit_test(cpu_lists_round_trip),
		cmocka_unit_test(invalid_cpu_lists_are_refused),
		cmocka_unit_test(sets_of_cpus_intersect_and_unite),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
