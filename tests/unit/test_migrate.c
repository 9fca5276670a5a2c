/* SPDX-License-Identifier: MIT */
/* The steps lead to schema.sql, which is found in the directory PMUQ_SCHEMAS. */
#include "db/statement.h"
#include "db/migrate.h"
#include "vendor/import/vendor_import.h"
#include "tests/harness/store.h"

static sqlite3 *memory_with(const struct pq_sqlite *lib, const char *sql)
{
	sqlite3 *db = NULL;

	assert_int_equal(lib->open_v2(":memory:", &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
	assert_int_equal(lib->exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	return db;
}

/* Every object's kind, name and text, in order. */
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

static void the_steps_lead_to_the_schema(void **state)
{
	const char *dir = getenv("PMUQ_SCHEMAS");
	char *path = NULL, *truth, *found, *want;
	struct pq_sqlite lib;
	sqlite3 *schema;
	struct pmuq_store *store;
	size_t n;

	if (!dir)
		skip();
	assert_int_equal(pq_sqlite_load(&lib, NULL), 0);
	assert_true(asprintf(&path, "%s/schema.sql", dir) > 0);
	truth = file_bytes(path, &n);
	truth[n] = '\0';
	schema = memory_with(&lib, truth);
	free(path);
	path = store_path(*state);
	store = store_open(path, PMUQ_STORE_CREATE);
	found = schema_of(&store->lib, store->db);
	want = schema_of(&lib, schema);
	assert_true(strlen(want) > 1000);
	assert_string_equal(found, want);
	pmuq_store_free(store);
	lib.close_v2(schema);
	free(found);
	free(want);
	free(truth);
	free(path);
}

static void a_new_store_has_its_marks(void **state)
{
	char *path = store_path(*state);
	struct pmuq_store *store = store_open(path, PMUQ_STORE_CREATE);
	size_t n;
	char *bytes;

	assert_int_equal(store_number(store, "PRAGMA application_id"), PQ_APPLICATION_ID);
	assert_int_equal(store_number(store, "PRAGMA user_version"), pq_migrations_count);
	assert_int_equal(store_number(store, "PRAGMA foreign_keys"), 1);
	assert_int_equal(
		store_number(store, "SELECT journal_mode = 'wal' FROM pragma_journal_mode"), 1);
	pmuq_store_free(store);
	bytes = file_bytes(path, &n);
	assert_memory_equal(bytes + 68, "pmuq", 4);
	free(bytes);
	free(path);
}

static void every_statement_compiles(void **state)
{
	char *path = store_path(*state);
	struct pmuq_store *store = store_open(path, PMUQ_STORE_CREATE);

	/* Some are of the index, which the first import makes. */
	assert_int_equal(pq_vendor_index(store, NULL), 0);
	for (int i = 0; i < PQ_SQL_COUNT; i++) {
		struct pq_stmt stmt = { 0 };

		assert_int_equal(pq_stmt_begin(&stmt, store, (enum pq_sql)i, NULL), 0);
		pq_stmt_end(&stmt);
	}
	pmuq_store_free(store);
	free(path);
}

static void an_up_to_date_store_is_left_alone(void **state)
{
	char *path = store_path(*state);
	struct pmuq_store *store = store_open(path, PMUQ_STORE_CREATE);
	int64_t before = store_number(store, "PRAGMA schema_version");

	pmuq_store_free(store);
	store = store_open(path, PMUQ_STORE_WRITE);
	assert_int_equal(pq_store_migrate(store, NULL), 0);
	assert_int_equal(store_number(store, "PRAGMA schema_version"), before);
	pmuq_store_free(store);
	free(path);
}

static void an_older_store_is_only_read_when_up_to_date(void **state)
{
	char *path = store_path(*state);
	struct pmuq_store *store = store_open(path, PMUQ_STORE_CREATE);

	assert_int_equal(pq_store_exec(store, "PRAGMA user_version = 0", NULL), 0);
	pmuq_store_free(store);
	store_expect_refusal(path, PMUQ_STORE_READ, PMUQ_E_STORE_OPEN);
	free(path);
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, tree_setup, tree_teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TREE(the_steps_lead_to_the_schema),
		IN_TREE(a_new_store_has_its_marks),
		IN_TREE(every_statement_compiles),
		IN_TREE(an_up_to_date_store_is_left_alone),
		IN_TREE(an_older_store_is_only_read_when_up_to_date),
	};

	return _cmocka_run_group_tests("migrate", tests, COUNT(tests), NULL, NULL);
}
