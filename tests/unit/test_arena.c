/* SPDX-License-Identifier: MIT */
/* Memory that is expected: an arena takes it at once, and nothing else changes. */
#include "core/arena.h"
#include "core/populate.h"
#include "tests/unit/cmocka_all.h"

#define EXPECTED_BYTES ((size_t)64 << 10)

/* In a build with an allocation for each piece there is no block to be expected. */
#ifdef PQ_SEPARATE_BLOCKS
#define HAS_BLOCKS 0
#else
#define HAS_BLOCKS 1
#endif

static void expected_memory_is_one_block(void **state)
{
	auto_arena struct pq_arena arena = PQ_ARENA(2 * EXPECTED_BYTES);
	const char *first, *last = NULL;

	(void)state;
	pq_arena_expect(&arena, EXPECTED_BYTES);
	first = pq_arena_take(&arena, 16);
	for (size_t i = 1; i < EXPECTED_BYTES / 16; i++)
		last = pq_arena_take(&arena, 16);
	if (HAS_BLOCKS)
		assert_ptr_equal(last, first + EXPECTED_BYTES - 16);
}

static void little_is_not_worth_a_block(void **state)
{
	auto_arena struct pq_arena arena = PQ_ARENA(EXPECTED_BYTES);

	(void)state;
	pq_arena_expect(&arena, PQ_POPULATE_MIN_BYTES - 1);
	assert_null(arena.blocks);
}

static void more_than_the_limit_is_not_expected(void **state)
{
	auto_arena struct pq_arena arena = PQ_ARENA(EXPECTED_BYTES);

	(void)state;
	pq_arena_expect(&arena, EXPECTED_BYTES + 1);
	assert_null(arena.blocks);
	assert_false(arena.is_refused);
	assert_non_null(pq_arena_take(&arena, EXPECTED_BYTES));
}

static void a_piece_from_before_stays_as_it_is(void **state)
{
	auto_arena struct pq_arena arena = PQ_ARENA(2 * EXPECTED_BYTES);
	struct pmuq_str name = pq_arena_str(&arena, STR("uncore_imc_0"));

	(void)state;
	pq_arena_expect(&arena, EXPECTED_BYTES);
	memset(pq_arena_take(&arena, EXPECTED_BYTES), 0xff, EXPECTED_BYTES);
	assert_string_equal(name.p, "uncore_imc_0");
}

/* Also at its ends, which are in pages with other memory. */
static void populated_memory_keeps_its_content(void **state)
{
	size_t bytes = EXPECTED_BYTES + 100;
	unsigned char *memory = malloc(bytes);

	(void)state;
	assert_non_null(memory);
	for (size_t i = 0; i < bytes; i++)
		memory[i] = (unsigned char)(i * 7);
	pq_populate(memory + 1, bytes - 2);
	for (size_t i = 0; i < bytes; i++)
		assert_int_equal(memory[i], (unsigned char)(i * 7));
	free(memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expected_memory_is_one_block),
		cmocka_unit_test(little_is_not_worth_a_block),
		cmocka_unit_test(more_than_the_limit_is_not_expected),
		cmocka_unit_test(a_piece_from_before_stays_as_it_is),
		cmocka_unit_test(populated_memory_keeps_its_content),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
