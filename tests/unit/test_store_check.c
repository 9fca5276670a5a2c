/* SPDX-License-Identifier: MIT */
/* Checks in the store: which snapshot has one, what machines share, and which check replaces which.
 */
#include "core/catalog/source.h"
#include "tests/harness/store.h"

struct scene {
	struct tree tree;
	char *path;
	struct pmuq_store *store;
	struct pmuq_catalog *machine; /* as a scan without a check sees it */
};

static int set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	assert_non_null(scene);
	tree_make(&scene->tree);
	scene->path = store_path(&scene->tree);
	scene->store = store_open(scene->path, PMUQ_STORE_CREATE);
	scene->machine = machine_catalog(&(struct test_machine){ .hostname = "web01" });
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	pmuq_catalog_free(scene->machine);
	pmuq_store_free(scene->store);
	free(scene->path);
	tree_remove(&scene->tree);
	free(scene);
	return 0;
}

static struct pmuq_check *check_of(struct test_check how)
{
	return machine_check(&(struct test_machine){ .hostname = "web01", .check = how });
}

static struct pmuq_saved save_checked(struct scene *scene, const char *name,
				      const struct pmuq_check *check, int64_t time_s)
{
	struct pmuq_saved saved = { .size = sizeof(saved) };

	assert_int_equal(
		pmuq_store_save(scene->store, scene->machine, check, name, time_s, &saved, NULL),
		0);
	return saved;
}

static int64_t number(const struct scene *scene, const char *sql)
{
	return store_number(scene->store, sql);
}

static void every_byte_of_a_check_is_read_back(void **state)
{
	struct scene *scene = *state;
	struct pmuq_check *check = check_of((struct test_check){ .n = 100, .time_s = 77 });
	struct pmuq_catalog *whole = machine_catalog(
		&(struct test_machine){ .hostname = "web01", .check = { .n = 100, .time_s = 77 } });

	assert_true(save_checked(scene, NULL, check, 1000).is_new);
	store_expect(scene->store, "web01", 0, whole);
	store_expect_check(scene->store, "web01", check);
	assert_int_equal(number(scene, "SELECT checked FROM snapshot_check"), 77);
	pmuq_catalog_free(whole);
	pmuq_check_free(check);
}

static void a_catalog_has_its_own_check(void **state)
{
	struct scene *scene = *state;
	struct pmuq_catalog *whole = machine_catalog(
		&(struct test_machine){ .hostname = "web01", .check = { .n = 9, .time_s = 5 } });

	store_save(scene->store, whole, "copy", 1000);
	store_expect(scene->store, "copy", 0, whole);
	pmuq_catalog_free(whole);
}

static void an_unchanged_machine_keeps_its_check(void **state)
{
	struct scene *scene = *state;
	struct pmuq_check *check = check_of((struct test_check){ .n = 20, .time_s = 1000 });
	int64_t rows;

	save_checked(scene, NULL, check, 1000);
	rows = store_rows(scene->store);
	assert_false(store_save(scene->store, scene->machine, NULL, 2000).is_new);
	store_expect_check(scene->store, "web01", check);
	assert_int_equal(store_rows(scene->store), rows);
	pmuq_check_free(check);
}

static void another_kernel_was_not_checked(void **state)
{
	struct scene *scene = *state;
	struct pmuq_check *check = check_of((struct test_check){ .n = 20 });
	struct pmuq_catalog *updated =
		machine_catalog(&(struct test_machine){ .hostname = "web01", .kernel = "6.13.0" });

	save_checked(scene, NULL, check, 1000);
	assert_true(store_save(scene->store, updated, NULL, 2000).is_new);
	store_expect_check(scene->store, "web01", NULL);
	store_expect(scene->store, "web01", 2, updated);
	assert_int_equal(pmuq_store_save(scene->store, updated, check, NULL, 3000, NULL, NULL),
			 -PMUQ_E_BAD_CALL);
	store_expect_check(scene->store, "web01", NULL);
	pmuq_catalog_free(updated);
	pmuq_check_free(check);
}

static void a_check_of_other_pmus_is_refused(void **state)
{
	struct scene *scene = *state;
	struct pmuq_check *check =
		machine_check(&(struct test_machine){ .n_uncore = 99, .check = { .n = 99 } });
	int64_t rows = store_rows(scene->store);

	assert_int_equal(pmuq_store_save(scene->store, scene->machine, check, NULL, 1, NULL, NULL),
			 -PMUQ_E_BAD_CALL);
	assert_int_equal(store_rows(scene->store), rows);
	pmuq_check_free(check);
}

static void equal_hosts_share_all_results(void **state)
{
	struct scene *scene = *state;
	struct pmuq_check *check = check_of((struct test_check){ .n = 200, .time_s = 1 });
	int64_t rows;

	save_checked(scene, "node0", check, 1);
	rows = store_rows(scene->store);
	for (char name[] = "node1"; name[4] <= '9'; name[4]++)
		save_checked(scene, name, check, 1);
	assert_int_equal(number(scene, "SELECT count(*) FROM snapshot_check"), 10);
	assert_int_equal(number(scene, "SELECT count(*) FROM check_set"), 1);
	assert_int_equal(number(scene, "SELECT count(*) FROM checked_event"), 200);
	/* Rows of a host: itself, a snapshot, its own facts, the time of its check. */
	assert_true(store_rows(scene->store) - rows <= 9 * 6);
	store_expect_check(scene->store, "node7", check);
	pmuq_check_free(check);
}

static void a_result_of_many_events_is_stored_once(void **state)
{
	struct scene *scene = *state;
	struct pmuq_check *check = check_of((struct test_check){ .n = 200 });
	struct pmuq_check *other = check_of((struct test_check){ .n = 200, .first_errnum = EBUSY });

	save_checked(scene, "a", check, 1);
	assert_int_equal(number(scene, "SELECT count(*) FROM open_result"), 4);
	save_checked(scene, "b", other, 1);
	assert_int_equal(number(scene, "SELECT count(*) FROM open_result"), 5);
	assert_int_equal(number(scene, "SELECT count(*) FROM check_set"), 2);
	store_expect_check(scene->store, "a", check);
	store_expect_check(scene->store, "b", other);
	pmuq_check_free(check);
	pmuq_check_free(other);
}

static void a_new_check_replaces_the_old_one(void **state)
{
	struct scene *scene = *state;
	struct pmuq_check *old = check_of((struct test_check){ .n = 50, .time_s = 1 });
	struct pmuq_check *again =
		check_of((struct test_check){ .n = 50, .time_s = 2, .first_errnum = EBUSY });

	save_checked(scene, "a", old, 1);
	save_checked(scene, "b", old, 1);
	assert_false(save_checked(scene, "a", again, 2).has_old_check);
	store_expect_check(scene->store, "a", again);
	store_expect_check(scene->store, "b", old);
	assert_int_equal(number(scene, "SELECT count(*) FROM check_set"), 2);
	save_checked(scene, "b", again, 2);
	assert_int_equal(number(scene, "SELECT count(*) FROM check_set"), 1);
	assert_int_equal(number(scene, "SELECT count(*) FROM checked_event"), 50);
	store_expect_check(scene->store, "b", again);
	pmuq_check_free(old);
	pmuq_check_free(again);
}

static void an_interrupted_check_does_not_replace_a_complete_one(void **state)
{
	struct scene *scene = *state;
	struct pmuq_check *short_one = check_of((struct test_check){ .n = 3, .total = 50 });
	struct pmuq_check *longer = check_of((struct test_check){ .n = 9, .total = 50 });
	struct pmuq_check *whole = check_of((struct test_check){ .n = 50 });
	struct pmuq_check *nothing = machine_check(&(struct test_machine){ .hostname = "web01" });

	save_checked(scene, NULL, nothing, 1);
	store_expect_check(scene->store, "web01", NULL);
	assert_false(save_checked(scene, NULL, short_one, 1).has_old_check);
	store_expect_check(scene->store, "web01", short_one);
	assert_false(save_checked(scene, NULL, longer, 2).has_old_check);
	store_expect_check(scene->store, "web01", longer);
	assert_false(save_checked(scene, NULL, whole, 3).has_old_check);
	assert_true(save_checked(scene, NULL, short_one, 4).has_old_check);
	store_expect_check(scene->store, "web01", whole);
	assert_int_equal(number(scene, "SELECT count(*) FROM check_set"), 1);
	pmuq_check_free(nothing);
	pmuq_check_free(short_one);
	pmuq_check_free(longer);
	pmuq_check_free(whole);
}

static struct pmuq_check *find(struct pmuq_store *store, const struct pmuq_catalog *machine)
{
	struct pmuq_check *found = NULL;

	assert_int_equal(pmuq_store_find_check(store, machine, &found, NULL), 0);
	return found;
}

static void a_machine_finds_its_check_under_any_name(void **state)
{
	struct scene *scene = *state;
	struct pmuq_check *check = check_of((struct test_check){ .n = 20, .time_s = 3 }), *found;
	struct pmuq_catalog *twin = machine_catalog(&(struct test_machine){ .hostname = "web02" });
	struct pmuq_store *reader;
	char *difference;

	assert_null(find(scene->store, scene->machine));
	store_save(scene->store, scene->machine, NULL, 1);
	assert_null(find(scene->store, scene->machine));
	save_checked(scene, "under another name", check, 2);
	reader = store_open(scene->path, PMUQ_STORE_READ);
	found = find(reader, scene->machine);
	difference = check_difference(check, found);
	assert_null(difference);
	assert_null(find(reader, twin));
	pmuq_check_free(found);
	pmuq_store_free(reader);
	pmuq_catalog_free(twin);
	pmuq_check_free(check);
}

struct rot_case {
	const char *name, *sql;
};

static const struct rot_case rot_cases[] = {
	{ "a changed result", "UPDATE open_result SET errnum = 13 WHERE status = 1" },
	{ "a changed event", "UPDATE checked_event SET event = 'x' WHERE position = 3" },
	{ "a missing event", "DELETE FROM checked_event WHERE position = 3" },
	{ "a missing result", "DELETE FROM open_result WHERE status = 1" },
	{ "a time that no document can have", "UPDATE snapshot_check SET checked = -1" },
	{ "a time after 9999", "UPDATE snapshot_check SET checked = 253402300800" },
};

static void test_rot(void **state)
{
	const struct rot_case *test = *state;
	struct pmuq_source *source = NULL;
	struct pmuq_check *check = check_of((struct test_check){ .n = 20 }), *found = NULL;
	struct scene *scene;
	void *state_of_row;

	set_up(&state_of_row);
	scene = state_of_row;
	save_checked(scene, NULL, check, 1);
	assert_int_equal(store_damage(scene->store, test->sql), 0);
	assert_int_equal(pmuq_store_open_host(scene->store, "web01", 0, &source, NULL),
			 -PMUQ_E_STORE_CORRUPT);
	assert_int_equal(pmuq_store_find_check(scene->store, scene->machine, &found, NULL),
			 -PMUQ_E_STORE_CORRUPT);
	pmuq_check_free(check);
	tear_down(&state_of_row);
}

/* Damage that a check constraint of the schema prevents in a statement, but not in the file. */
static void a_negative_number_of_events_is_ignored(void **state)
{
	struct scene *scene = *state;
	struct pmuq_check *check = check_of((struct test_check){ .n = 20 }), *found = NULL;

	save_checked(scene, NULL, check, 1);
	if (!store_is_on_server())
		assert_int_equal(store_exec(scene->store, "PRAGMA ignore_check_constraints = ON;"
							  "UPDATE snapshot_check SET total = -1"),
				 0);
	assert_int_equal(pmuq_store_find_check(scene->store, scene->machine, &found, NULL), 0);
	assert_int_equal(pmuq_check_progress(found)->n_events, 20);
	pmuq_check_free(found);
	pmuq_check_free(check);
}

static void the_view_shows_the_results(void **state)
{
	struct scene *scene = *state;
	struct pmuq_check *check = check_of((struct test_check){ .n = 20, .time_s = 4 });

	save_checked(scene, NULL, check, 1);
	assert_int_equal(number(scene, "SELECT count(*) FROM v_host_check WHERE host = 'web01'"
				       " AND kernel = '6.12.0' AND checked = 4"),
			 20);
	assert_int_equal(number(scene, "SELECT count(*) FROM v_host_check WHERE status = 1"
				       " AND errnum = 22 AND change = 'without :u'"),
			 5);
	pmuq_check_free(check);
}

#define IN_STORE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest in_store[] = {
		IN_STORE(every_byte_of_a_check_is_read_back),
		IN_STORE(a_catalog_has_its_own_check),
		IN_STORE(an_unchanged_machine_keeps_its_check),
		IN_STORE(another_kernel_was_not_checked),
		IN_STORE(a_check_of_other_pmus_is_refused),
		IN_STORE(equal_hosts_share_all_results),
		IN_STORE(a_result_of_many_events_is_stored_once),
		IN_STORE(a_new_check_replaces_the_old_one),
		IN_STORE(an_interrupted_check_does_not_replace_a_complete_one),
		IN_STORE(a_machine_finds_its_check_under_any_name),
		IN_STORE(a_negative_number_of_events_is_ignored),
		IN_STORE(the_view_shows_the_results),
	};
	struct CMUnitTest tests[COUNT(in_store) + COUNT(rot_cases)];
	size_t n = 0;

	for (size_t i = 0; i < COUNT(in_store); i++)
		tests[n++] = in_store[i];
	n += ADD_ROWS(tests + n, test_rot, rot_cases, name);
	return _cmocka_run_group_tests("store_check", tests, n, NULL, NULL);
}
