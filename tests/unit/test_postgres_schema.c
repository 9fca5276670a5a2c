/* SPDX-License-Identifier: MIT */
/* Later versions of the schema on a PostgreSQL server; test_store_schema.c has those of a file. */
#include "db/postgres/pg_server.h"
#include "db/schema.h"
#include "tests/harness/store.h"

struct scene {
	struct tree tree;
	char *path;
	struct pmuq_catalog *machine;
};

static int set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	assert_non_null(scene);
	tree_make(&scene->tree);
	scene->path = store_path(&scene->tree);
	scene->machine = machine_catalog(&(struct test_machine){ .hostname = "web01" });
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	pmuq_catalog_free(scene->machine);
	free(scene->path);
	tree_remove(&scene->tree);
	free(scene);
	return 0;
}

/* What scripts/schema_postgres.py computes for a step that is in schemas/steps/. */
static char *fingerprint_of(struct pmuq_store *store)
{
	char *fingerprint;

	pq_store_begin_call(store, "cannot query", NULL);
	fingerprint = pq_pg_get(store, pq_pg_fingerprint);
	assert_int_equal(pq_store_end_call(store), 0);
	assert_non_null(fingerprint);
	return fingerprint;
}

static void save_some(const struct scene *scene)
{
	struct pmuq_store *store = store_open(scene->path, PMUQ_STORE_CREATE);
	struct pmuq_catalog *other = machine_catalog(
		&(struct test_machine){ .hostname = "other", .changed_fact = "cpuid" });

	store_save(store, scene->machine, NULL, 1);
	store_save(store, scene->machine, "alike", 1);
	store_save(store, other, NULL, 1);
	/* As if the rule for classes had been another one. */
	assert_int_equal(store_exec(store, "UPDATE host_class SET hash = sha256(hash)"), 0);
	pmuq_catalog_free(other);
	pmuq_store_free(store);
}

static const char *const good_steps[] = {
	"ALTER TABLE host ADD COLUMN owner text; UPDATE host SET owner = 'me'",
	"CREATE TABLE note (host bigint REFERENCES host (id))",
};

static void a_later_version_updates_the_store(void **state)
{
	struct scene *scene = *state;
	struct pq_schema_step steps[STORE_STEPS_MAX];
	const struct pq_schema schema = store_later_schema(steps, good_steps, COUNT(good_steps));
	struct pmuq_store *store = NULL;
	char *fingerprint;

	save_some(scene);
	assert_int_equal(pq_store_open_with(scene->path, PMUQ_STORE_WRITE, &schema, &store, NULL),
			 0);
	assert_int_equal(store_number(store, "SELECT version FROM store_version"), schema.n);
	assert_int_equal(store_number(store, "SELECT count(*) FROM host WHERE owner = 'me'"), 3);
	assert_int_equal(store_number(store, "SELECT count(*) FROM note"), 0);
	store_expect(store, "web01", 0, scene->machine);
	/* The classes are computed again: a host that is saved now is of the same class. */
	assert_int_equal(store_number(store, "SELECT count(*) FROM host_class"), 2);
	store_save(store, scene->machine, "saved today", 2);
	assert_int_equal(store_number(store, "SELECT count(*) FROM host_class"), 2);
	assert_int_equal(store_number(store, "SELECT hosts FROM v_class ORDER BY hosts DESC"), 3);
	fingerprint = fingerprint_of(store);
	pmuq_store_free(store);
	store = NULL;
	steps[schema.n - 1].pg_fingerprint = fingerprint;
	assert_int_equal(pq_store_open_with(scene->path, PMUQ_STORE_READ, &schema, &store, NULL),
			 0);
	pmuq_store_free(store);
	free(fingerprint);
	/* The previous version does not change it. */
	assert_int_equal(pmuq_store_open(scene->path, PMUQ_STORE_READ, &store, NULL),
			 -PMUQ_E_STORE_NEWER);
	assert_int_equal(pmuq_store_open(scene->path, PMUQ_STORE_WRITE, &store, NULL),
			 -PMUQ_E_STORE_NEWER);
}

static void a_step_that_fails_undoes_the_others(void **state)
{
	static const char *const bad_steps[] = {
		"CREATE TABLE note (host bigint)",
		"INSERT INTO note SELECT name FROM no_such_table",
	};
	struct scene *scene = *state;
	struct pq_schema_step steps[STORE_STEPS_MAX];
	const struct pq_schema schema = store_later_schema(steps, bad_steps, COUNT(bad_steps));
	struct pmuq_error *error = NULL;
	struct pmuq_store *store = NULL;

	save_some(scene);
	assert_int_equal(pq_store_open_with(scene->path, PMUQ_STORE_WRITE, &schema, &store, &error),
			 -PMUQ_E_STORE_CORRUPT);
	assert_null(store);
	assert_non_null(strstr(error->message.p, "step later: cannot update the database: "));
	pmuq_error_free(error);
	store = store_open(scene->path, PMUQ_STORE_WRITE);
	assert_int_equal(store_number(store, "SELECT version FROM store_version"), pq_schema.n);
	assert_int_equal(
		store_number(store, "SELECT count(*) FROM pg_tables WHERE tablename = 'note'"), 0);
	store_expect(store, "web01", 0, scene->machine);
	pmuq_store_free(store);
}

static void an_older_store_is_not_read(void **state)
{
	struct scene *scene = *state;
	struct pq_schema_step steps[STORE_STEPS_MAX];
	const struct pq_schema schema = store_later_schema(steps, good_steps, COUNT(good_steps));
	struct pmuq_error *error = NULL;
	struct pmuq_store *store = NULL;

	save_some(scene);
	assert_int_equal(pq_store_open_with(scene->path, PMUQ_STORE_READ, &schema, &store, &error),
			 -PMUQ_E_STORE_OPEN);
	assert_null(store);
	assert_string_equal(error->hint.p, "`pmuq scan` updates it");
	pmuq_error_free(error);
}

/* A program that lives longer than its server goes on reading, and writing after an error. */
static void a_lost_connection_is_made_again(void **state)
{
	struct scene *scene = *state;
	struct pmuq_store *writer = store_open(scene->path, PMUQ_STORE_CREATE);
	struct pmuq_store *reader = store_open(scene->path, PMUQ_STORE_READ);

	store_save(writer, scene->machine, NULL, 1);
	store_expect(reader, "web01", 0, scene->machine);
	assert_int_equal(store_exec(writer, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
					    " WHERE pid <> pg_backend_pid()"
					    " AND datname = current_database()"),
			 0);
	store_expect(reader, "web01", 0, scene->machine);
	assert_int_equal(store_exec(reader, "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
					    " WHERE pid <> pg_backend_pid()"
					    " AND datname = current_database()"),
			 0);
	assert_int_equal(pmuq_store_save(writer, scene->machine, NULL, "a", 2, NULL, NULL),
			 -PMUQ_E_STORE_OPEN);
	assert_true(store_save(writer, scene->machine, "a", 2).is_new);
	pmuq_store_free(writer);
	pmuq_store_free(reader);
}

#define IN_STORE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_STORE(a_later_version_updates_the_store),
		IN_STORE(a_step_that_fails_undoes_the_others),
		IN_STORE(an_older_store_is_not_read),
		IN_STORE(a_lost_connection_is_made_again),
	};

	return _cmocka_run_group_tests("postgres_schema", tests, COUNT(tests), NULL, NULL);
}
