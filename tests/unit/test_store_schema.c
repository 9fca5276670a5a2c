/* SPDX-License-Identifier: MIT */
/*
 * The schema of a store: a new store has that of schema.sql (found in the directory PMUQ_SCHEMAS),
 * and a later version of pmuq, here one with steps of this test, updates an older store.
 */
#include "db/schema.h"
#include "db/sqlite/sqlite_file.h"
#include "tests/harness/store.h"

struct scene {
	struct tree tree;
	char *path;
	struct pmuq_catalog *machine;
	struct pq_arena arena; /* of objects that steps make */
};

static int set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	assert_non_null(scene);
	tree_make(&scene->tree);
	scene->arena = PQ_ARENA(SIZE_MAX);
	scene->path = store_path(&scene->tree);
	scene->machine = machine_catalog(
		&(struct test_machine){ .hostname = "web01", .check = { .n = 20, .time_s = 1 } });
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	pmuq_catalog_free(scene->machine);
	pq_arena_clear(&scene->arena);
	free(scene->path);
	tree_remove(&scene->tree);
	free(scene);
	return 0;
}

/* The type, name and text of every object, in order. */
static char *schema_of(const struct pq_sqlite *lib, sqlite3 *db)
{
	struct pq_buf buf = PQ_BUF_NULL;
	sqlite3_stmt *stmt = NULL;
	const char *sql = "SELECT type || ' ' || name || ': ' || coalesce(sql, '')"
			  " FROM sqlite_schema ORDER BY type, name";

	assert_int_equal(lib->prepare_v3(db, sql, -1, 0, &stmt, NULL), SQLITE_OK);
	while (lib->step(stmt) == SQLITE_ROW)
		pq_buf_print(&buf, "%s\n", (const char *)lib->column_blob(stmt, 0));
	lib->finalize(stmt);
	return pq_buf_take(&buf);
}

static void a_new_store_has_the_schema(void **state)
{
	const struct scene *scene = *state;
	const char *dir = getenv("PMUQ_SCHEMAS");
	char *path = NULL, *sql, *found, *want;
	struct pmuq_store *store;
	sqlite3 *db = NULL;
	size_t n;

	if (!dir)
		skip();
	assert_true(asprintf(&path, "%s/schema.sql", dir) > 0);
	sql = file_bytes(path, &n);
	sql[n] = '\0';
	store = store_open(scene->path, PMUQ_STORE_CREATE);
	assert_int_equal(store->sqlite->lib.open_v2(":memory:", &db, SQLITE_OPEN_READWRITE, NULL),
			 SQLITE_OK);
	assert_int_equal(store->sqlite->lib.exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	found = schema_of(&store->sqlite->lib, store->sqlite->db);
	want = schema_of(&store->sqlite->lib, db);
	assert_true(strlen(want) > 1000);
	assert_string_equal(found, want);
	store->sqlite->lib.close_v2(db);
	pmuq_store_free(store);
	free(found);
	free(want);
	free(sql);
	free(path);
}

static void a_new_store_has_its_marks(void **state)
{
	const struct scene *scene = *state;
	struct pmuq_store *store = store_open(scene->path, PMUQ_STORE_CREATE);
	size_t n;
	char *bytes;

	assert_int_equal(store_number(store, "PRAGMA application_id"), PQ_APPLICATION_ID);
	assert_int_equal(store_number(store, "PRAGMA user_version"), pq_schema.n);
	assert_int_equal(store_number(store, "PRAGMA foreign_keys"), 1);
	assert_int_equal(
		store_number(store, "SELECT journal_mode = 'wal' FROM pragma_journal_mode"), 1);
	pmuq_store_free(store);
	bytes = file_bytes(scene->path, &n);
	assert_memory_equal(bytes + 68, "pmuq", 4);
	free(bytes);
}

static void an_up_to_date_store_is_left_alone(void **state)
{
	const struct scene *scene = *state;
	struct pmuq_store *store = store_open(scene->path, PMUQ_STORE_CREATE);
	int64_t before = store_number(store, "PRAGMA schema_version");

	pmuq_store_free(store);
	store = store_open(scene->path, PMUQ_STORE_WRITE);
	pq_schema_update(store);
	assert_int_equal(store->r, 0);
	assert_int_equal(store_number(store, "PRAGMA schema_version"), before);
	pmuq_store_free(store);
}

/* Opening it writes nothing, so it does not wait for another writer. */
static void an_up_to_date_store_opens_while_another_writes(void **state)
{
	const struct scene *scene = *state;
	struct pmuq_store *writer = store_open(scene->path, PMUQ_STORE_CREATE);

	assert_int_equal(pmuq_store_begin(writer, NULL), 0);
	pmuq_store_free(store_open(scene->path, PMUQ_STORE_WRITE));
	pmuq_store_roll_back(writer);
	pmuq_store_free(writer);
}

/* ---- a later version */

/* What the steps make, as scripts/schema.py lists it; a step that fails makes nothing. */
static void list_objects(struct pq_arena *arena, struct pq_schema_step *steps, unsigned n)
{
	struct pq_buf objects = PQ_BUF_IN(arena);
	struct pq_sqlite lib;
	sqlite3_stmt *stmt = NULL;
	sqlite3 *db = NULL;

	assert_int_equal(pq_sqlite_load(&lib, NULL), 0);
	assert_int_equal(lib.open_v2(":memory:", &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
	for (unsigned i = 0; i < n; i++)
		lib.exec(db, steps[i].sql, NULL, NULL, NULL);
	assert_int_equal(lib.prepare_v3(db, "SELECT type, name, tbl_name, sql FROM sqlite_schema",
					-1, 0, &stmt, NULL),
			 SQLITE_OK);
	for (; lib.step(stmt) == SQLITE_ROW; steps[n - 1].n_objects++)
		for (int i = 0; i < 4; i++) {
			pq_buf_add(&objects, str_of(lib.column_blob(stmt, i)));
			pq_buf_char(&objects, '\0', 1);
		}
	steps[n - 1].objects = pq_buf_take(&objects);
	assert_non_null(steps[n - 1].objects);
	lib.finalize(stmt);
	lib.close_v2(db);
}

static size_t n_bytes(const struct pq_schema_step *step)
{
	const char *at = step->objects;

	for (size_t i = 0; i < 4 * step->n_objects; i++)
		at += strlen(at) + 1;
	return (size_t)(at - step->objects);
}

/* With the objects that each step makes. */
static struct pq_schema later_schema(struct scene *scene,
				     struct pq_schema_step steps[STORE_STEPS_MAX],
				     const char *const *sql, unsigned n)
{
	struct pq_schema schema = store_later_schema(steps, sql, n);

	for (unsigned i = pq_schema.n; i < schema.n; i++)
		list_objects(&scene->arena, steps, i + 1);
	return schema;
}

/* As scripts/schema.py made it, with Python's SQLite. */
static void the_list_of_objects_is_that_of_this_sqlite(void **state)
{
	struct scene *scene = *state;
	struct pq_schema_step step = pq_schema.steps[0];

	step.n_objects = 0;
	list_objects(&scene->arena, &step, 1);
	assert_int_equal(step.n_objects, pq_schema.steps[0].n_objects);
	assert_memory_equal(step.objects, pq_schema.steps[0].objects, n_bytes(&step));
}

static const char *const good_steps[] = {
	"ALTER TABLE host ADD COLUMN owner TEXT; UPDATE host SET owner = 'me';",
	"CREATE TABLE note (host INTEGER REFERENCES host (id)) STRICT;",
};

static void save_some(const struct scene *scene)
{
	struct pmuq_store *store = store_open(scene->path, PMUQ_STORE_CREATE);
	struct pmuq_catalog *other = machine_catalog(
		&(struct test_machine){ .hostname = "other", .changed_fact = "cpuid" });

	store_save(store, scene->machine, NULL, 1);
	store_save(store, scene->machine, "alike", 1);
	store_save(store, other, NULL, 1);
	/* As if the rule for classes had been another one. */
	assert_int_equal(store_exec(store, "UPDATE host_class SET hash = randomblob(32)"), 0);
	pmuq_catalog_free(other);
	pmuq_store_free(store);
}

static void a_later_version_updates_the_store(void **state)
{
	struct scene *scene = *state;
	struct pq_schema_step steps[STORE_STEPS_MAX];
	const struct pq_schema schema = later_schema(scene, steps, good_steps, COUNT(good_steps));
	struct pmuq_store *store = NULL;

	save_some(scene);
	assert_int_equal(pq_store_open_with(scene->path, PMUQ_STORE_WRITE, &schema, &store, NULL),
			 0);
	assert_int_equal(store_number(store, "PRAGMA user_version"), schema.n);
	assert_int_equal(store_number(store, "SELECT count(*) FROM host WHERE owner = 'me'"), 3);
	assert_int_equal(store_number(store, "SELECT count(*) FROM note"), 0);
	store_expect(store, "web01", 0, scene->machine);
	/* The classes are computed again: a host that is saved now is of the same class. */
	assert_int_equal(store_number(store, "SELECT count(*) FROM host_class"), 2);
	store_save(store, scene->machine, "saved today", 2);
	assert_int_equal(store_number(store, "SELECT count(*) FROM host_class"), 2);
	assert_int_equal(store_number(store, "SELECT hosts FROM v_class ORDER BY hosts DESC"), 3);
	pmuq_store_free(store);
	/* The objects that it then has are those that this version expects. */
	store = NULL;
	assert_int_equal(pq_store_open_with(scene->path, PMUQ_STORE_READ, &schema, &store, NULL),
			 0);
	pmuq_store_free(store);
	/* The previous version does not change it. */
	store_expect_refusal(scene->path, PMUQ_STORE_READ, PMUQ_E_STORE_NEWER);
	store_expect_refusal(scene->path, PMUQ_STORE_WRITE, PMUQ_E_STORE_NEWER);
}

static void a_step_that_fails_undoes_the_others(void **state)
{
	static const char *const bad_steps[] = {
		"CREATE TABLE note (host INTEGER) STRICT;",
		"INSERT INTO note SELECT name FROM no_such_table;",
	};
	struct scene *scene = *state;
	struct pq_schema_step steps[STORE_STEPS_MAX];
	const struct pq_schema schema = later_schema(scene, steps, bad_steps, COUNT(bad_steps));
	struct pmuq_error *error = NULL;
	struct pmuq_store *store = NULL;

	save_some(scene);
	assert_int_equal(pq_store_open_with(scene->path, PMUQ_STORE_WRITE, &schema, &store, &error),
			 -PMUQ_E_STORE_CORRUPT);
	assert_null(store);
	assert_non_null(
		strstr(error->message.p, "step later: cannot update the database: no such"));
	pmuq_error_free(error);
	store = store_open(scene->path, PMUQ_STORE_WRITE);
	assert_int_equal(store_number(store, "PRAGMA user_version"), pq_schema.n);
	assert_int_equal(store_number(store, "SELECT count(*) FROM sqlite_schema"
					     " WHERE name = 'note'"),
			 0);
	store_expect(store, "web01", 0, scene->machine);
	pmuq_store_free(store);
}

static void an_older_store_is_not_read(void **state)
{
	struct scene *scene = *state;
	struct pq_schema_step steps[STORE_STEPS_MAX];
	const struct pq_schema schema = later_schema(scene, steps, good_steps, COUNT(good_steps));
	struct pmuq_error *error = NULL;
	struct pmuq_store *store = NULL;

	save_some(scene);
	assert_int_equal(pq_store_open_with(scene->path, PMUQ_STORE_READ, &schema, &store, &error),
			 -PMUQ_E_STORE_OPEN);
	assert_null(store);
	assert_non_null(error->hint.p);
	pmuq_error_free(error);
}

#define IN_STORE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_STORE(a_new_store_has_the_schema),
		IN_STORE(a_new_store_has_its_marks),
		IN_STORE(the_list_of_objects_is_that_of_this_sqlite),
		IN_STORE(an_up_to_date_store_is_left_alone),
		IN_STORE(an_up_to_date_store_opens_while_another_writes),
		IN_STORE(a_later_version_updates_the_store),
		IN_STORE(a_step_that_fails_undoes_the_others),
		IN_STORE(an_older_store_is_not_read),
	};

	return _cmocka_run_group_tests("store_schema", tests, COUNT(tests), NULL, NULL);
}
