/* SPDX-License-Identifier: MIT */
/* The growing array: core/vec.h. */
#include "core/vec.h"
#include "tests/harness/failing_malloc.h"
#include "tests/unit/cmocka_all.h"

struct point {
	int x, y;
};

struct points {
	PQ_VEC(struct point);
};

struct large {
	char bytes[100];
};

static void elements_stay_in_order_while_it_grows(void **state)
{
	auto_vec struct points points = { 0 };

	(void)state;
	for (int i = 0; i < 1000; i++)
		assert_true(pq_vec_push(&points, { .x = i, .y = -i }));
	assert_int_equal(points.n, 1000);
	for (int i = 0; i < 1000; i++) {
		assert_int_equal(points.v[i].x, i);
		assert_int_equal(points.v[i].y, -i);
	}
}

/* The array moves, and the element that is pushed is one of its own. */
static void an_element_of_the_array_may_be_pushed(void **state)
{
	auto_vec struct points points = { 0 };

	(void)state;
	assert_true(pq_vec_push(&points, { .x = 7, .y = 8 }));
	while (points.n < 100)
		assert_true(pq_vec_push(&points, points.v[points.n - 1]));
	assert_int_equal(points.v[99].x, 7);
	assert_int_equal(points.v[99].y, 8);
}

static void arguments_are_evaluated_once(void **state)
{
	auto_vec struct points first = { 0 }, second = { 0 };
	struct points *both[] = { &first, &second };
	size_t at = 0;
	int x = 1;

	(void)state;
	assert_true(pq_vec_push(both[at++], { .x = x++ }));
	assert_int_equal(at, 1);
	assert_int_equal(x, 2);
	assert_int_equal(first.n, 1);
	assert_int_equal(second.n, 0);
}

static void an_added_element_is_zeroed(void **state)
{
	auto_vec struct points points = { 0 };
	struct point *added;

	(void)state;
	assert_true(pq_vec_reserve(&points, 4));
	memset(points.v, 0xff, points.capacity * sizeof(*points.v));
	added = pq_vec_add(&points);
	assert_ptr_equal(added, &points.v[0]);
	assert_int_equal(points.n, 1);
	assert_int_equal(added->x | added->y, 0);
	while (points.n < points.capacity)
		assert_non_null(pq_vec_add(&points));
	fail_malloc_at(0);
	added = pq_vec_add(&points);
	assert_true(fail_malloc_no_more());
	assert_null(added);
	assert_int_equal(points.n, points.capacity);
}

static void growth_is_geometric(void **state)
{
	auto_vec struct points points = { 0 };
	size_t n_moves = 0, before = 0;

	(void)state;
	for (size_t i = 0; i < 100000; i++) {
		assert_true(pq_vec_push(&points, { 0 }));
		n_moves += points.capacity != before;
		before = points.capacity;
	}
	assert_between(n_moves, 10, 16);
	assert_between(points.capacity, 100000, 200000);
}

static void the_first_array_is_small(void **state)
{
	static const struct {
		size_t each_bytes, want;
	} rows[] = { { 1, 128 }, { 16, 8 }, { 56, 8 }, { 100, 5 }, { 511, 1 }, { 4096, 1 } };

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		size_t capacity = 0;

		assert_true(pq_vec_next_capacity(0, 0, 1, rows[i].each_bytes, &capacity));
		assert_int_equal(capacity, rows[i].want);
	}
}

static void a_freed_array_is_empty(void **state)
{
	PQ_VEC(struct large) larges = { 0 };

	(void)state;
	assert_true(pq_vec_push(&larges, { { 0 } }));
	pq_vec_free(&larges);
	assert_null(larges.v);
	assert_int_equal(larges.n, 0);
	assert_int_equal(larges.capacity, 0);
}

static void pushes_into_reserved_memory_do_not_allocate(void **state)
{
	auto_vec struct points points = { 0 };
	struct point *v;

	(void)state;
	assert_true(pq_vec_push(&points, { 0 }));
	assert_true(pq_vec_reserve(&points, 10000));
	assert_int_equal(points.n, 1);
	v = points.v;
	fail_malloc_at(0);
	while (points.n < 10001)
		assert_true(pq_vec_push(&points, { 0 }));
	assert_false(fail_malloc_no_more());
	assert_ptr_equal(points.v, v);
}

static void a_refused_allocation_changes_nothing(void **state)
{
	auto_vec struct points points = { 0 };
	bool is_pushed;

	(void)state;
	while (points.n < points.capacity || !points.n)
		assert_true(pq_vec_push(&points, { .x = (int)points.n }));
	fail_malloc_at(0);
	is_pushed = pq_vec_push(&points, { .x = -1 });
	assert_true(fail_malloc_no_more());
	assert_false(is_pushed);
	assert_int_equal(points.n, points.capacity);
	assert_int_equal(points.v[points.n - 1].x, (int)points.n - 1);
	assert_true(pq_vec_push(&points, { .x = -1 }));
}

static void counts_that_overflow_are_refused(void **state)
{
	static const struct {
		size_t capacity, n, more, each_bytes;
	} rows[] = {
		{ .n = 1, .more = SIZE_MAX, .each_bytes = 1 },
		{ .n = SIZE_MAX, .more = 1, .each_bytes = 1 },
		{ .n = 0, .more = SIZE_MAX / 16 + 1, .each_bytes = 16 },
		{ .capacity = SIZE_MAX / 16, .n = SIZE_MAX / 16, .more = 1, .each_bytes = 16 },
		{ .capacity = SIZE_MAX / 16, .n = 0, .more = SIZE_MAX, .each_bytes = 16 },
	};
	auto_vec struct points points = { 0 };
	size_t next;

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++)
		assert_false(pq_vec_next_capacity(rows[i].capacity, rows[i].n, rows[i].more,
						  rows[i].each_bytes, &next));
	assert_true(pq_vec_push(&points, { .x = 1 }));
	assert_false(pq_vec_reserve(&points, SIZE_MAX));
	assert_false(pq_vec_reserve(&points, SIZE_MAX / sizeof(struct point)));
	assert_int_equal(points.v[0].x, 1);
}

static void an_array_in_an_arena_has_a_limit(void **state)
{
	struct points points = { 0 };
	struct pq_arena arena = PQ_ARENA(1 << 16);
	int i = 0;

	(void)state;
	while (pq_vec_push_in(&arena, &points, { .x = i }))
		i++;
	assert_between(i, 1024, (1 << 16) / sizeof(struct point));
	assert_int_equal(points.n, i);
	for (i = 0; (size_t)i < points.n; i++)
		assert_int_equal(points.v[i].x, i);
	assert_false(pq_vec_reserve_in(&arena, &points, SIZE_MAX / 2));
	pq_arena_clear(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elements_stay_in_order_while_it_grows),
		cmocka_unit_test(an_element_of_the_array_may_be_pushed),
		cmocka_unit_test(arguments_are_evaluated_once),
		cmocka_unit_test(an_added_element_is_zeroed),
		cmocka_unit_test(growth_is_geometric),
		cmocka_unit_test(the_first_array_is_small),
		cmocka_unit_test(a_freed_array_is_empty),
		cmocka_unit_test(pushes_into_reserved_memory_do_not_allocate),
		cmocka_unit_test(a_refused_allocation_changes_nothing),
		cmocka_unit_test(counts_that_overflow_are_refused),
		cmocka_unit_test(an_array_in_an_arena_has_a_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
