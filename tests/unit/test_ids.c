/* SPDX-License-Identifier: MIT */
/* Sets of ids: written as bytes, read again, looked up. */
#include "core/limits.h"
#include "db/ids.h"
#include "tests/unit/cmocka_all.h"

static const int64_t some[] = { 1, 2, 127, 128, 129, 16384, 20000, PQ_ID_MAX };

static void write_some(struct pq_buf *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		pq_ids_write(bytes, i ? some[i - 1] : 0, some[i]);
}

static void what_was_written_is_read(void **state)
{
	auto_arena struct pq_arena arena = PQ_ARENA(PQ_SEARCH_MAX_BYTES);
	struct pq_buf bytes = PQ_BUF_NULL;
	struct pq_ids ids = { 0 };

	(void)state;
	write_some(&bytes, COUNT(some));
	assert_int_equal(pq_ids_read(&arena, &ids, pq_buf_str(&bytes)), 0);
	for (int64_t id = 0, i = 0; id <= 20001; id++) {
		assert_int_equal(pq_ids_has(&ids, id), id == some[i]);
		i += id == some[i];
	}
	assert_true(pq_ids_has(&ids, PQ_ID_MAX));
	assert_false(pq_ids_has(&ids, PQ_ID_MAX - 1));
	pq_buf_free(&bytes);
}

/* Ids of two lists, which may share some. */
static void a_set_has_the_ids_of_all_its_lists_and_no_others(void **state)
{
	auto_arena struct pq_arena arena = PQ_ARENA(PQ_SEARCH_MAX_BYTES);
	struct pq_buf evens = PQ_BUF_NULL, threes = PQ_BUF_NULL;
	struct pq_ids ids = { 0 };

	(void)state;
	for (int64_t id = 2; id <= 9000; id += 2)
		pq_ids_write(&evens, id - 2, id);
	for (int64_t id = 3; id <= 9000; id += 3)
		pq_ids_write(&threes, id - 3, id);
	assert_int_equal(pq_ids_read(&arena, &ids, pq_buf_str(&evens)), 0);
	assert_int_equal(pq_ids_read(&arena, &ids, pq_buf_str(&threes)), 0);
	for (int64_t id = 1; id <= 10000; id++)
		assert_int_equal(pq_ids_has(&ids, id), id <= 9000 && (id % 2 == 0 || id % 3 == 0));
	pq_buf_free(&evens);
	pq_buf_free(&threes);
}

static void an_empty_set_has_no_id(void **state)
{
	auto_arena struct pq_arena arena = PQ_ARENA(PQ_SEARCH_MAX_BYTES);
	struct pq_ids ids = { 0 };

	(void)state;
	assert_int_equal(pq_ids_read(&arena, &ids, STR("")), 0);
	for (int64_t id = -5; id <= 5; id++)
		assert_false(pq_ids_has(&ids, id));
	assert_false(pq_ids_has(&ids, INT64_MIN));
	assert_false(pq_ids_has(&ids, INT64_MAX));
}

/* Each cut of the bytes is a list of fewer ids, or damaged. */
static void bytes_that_end_within_an_id_are_damaged(void **state)
{
	struct pq_buf bytes = PQ_BUF_NULL;
	size_t ends[COUNT(some)];

	(void)state;
	for (size_t i = 0; i < COUNT(some); i++) {
		pq_ids_write(&bytes, i ? some[i - 1] : 0, some[i]);
		ends[i] = bytes.n;
	}
	for (size_t n = 1, i = 0; n <= bytes.n; n++) {
		auto_arena struct pq_arena arena = PQ_ARENA(PQ_SEARCH_MAX_BYTES);
		struct pq_ids ids = { 0 };
		bool is_end = n == ends[i];

		assert_int_equal(pq_ids_read(&arena, &ids, (struct pmuq_str){ bytes.p, n }),
				 is_end ? 0 : -PMUQ_E_STORE_CORRUPT);
		i += is_end;
	}
	pq_buf_free(&bytes);
}

static const struct damaged {
	const char *name;
	struct pmuq_str bytes;
} damaged[] = {
	{ "the same id twice", STR("\x05\x00") },
	{ "an id of 0", STR("\x00") },
	{ "more than 63 bits", STR("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01") },
	{ "an id beyond the greatest", STR("\x80\x80\x80\x80\x02\x01") },
	{ "a number without an end", STR("\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80") },
};

static void test_damaged(void **state)
{
	auto_arena struct pq_arena arena = PQ_ARENA(PQ_SEARCH_MAX_BYTES);
	const struct damaged *test = *state;
	struct pq_ids ids = { 0 };

	assert_int_equal(pq_ids_read(&arena, &ids, test->bytes), -PMUQ_E_STORE_CORRUPT);
}

static void without_memory_a_list_is_not_read(void **state)
{
	auto_arena struct pq_arena arena = PQ_ARENA(16);
	struct pq_buf bytes = PQ_BUF_NULL;
	struct pq_ids ids = { 0 };

	(void)state;
	write_some(&bytes, COUNT(some));
	assert_int_equal(pq_ids_read(&arena, &ids, pq_buf_str(&bytes)), -PMUQ_E_MEMORY);
	pq_buf_free(&bytes);
}

int main(void)
{
	struct CMUnitTest tests[COUNT(damaged) + 5] = {
		cmocka_unit_test(what_was_written_is_read),
		cmocka_unit_test(a_set_has_the_ids_of_all_its_lists_and_no_others),
		cmocka_unit_test(an_empty_set_has_no_id),
		cmocka_unit_test(bytes_that_end_within_an_id_are_damaged),
		cmocka_unit_test(without_memory_a_list_is_not_read),
	};

	ADD_ROWS(tests + 5, test_damaged, damaged, name);
	return _cmocka_run_group_tests("ids", tests, COUNT(tests), NULL, NULL);
}
