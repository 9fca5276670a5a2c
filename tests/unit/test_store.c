/* SPDX-License-Identifier: MIT */
/* A saved machine is loaded unchanged, and equal contents are stored once. */
#include "core/catalog/source.h"
#include "core/limits.h"
#include "db/hash.h"
#include "db/snapshot/snapshot.h"
#include "db/sqlite/sqlite_file.h"
#include "db/statement.h"
#include "tests/harness/store.h"
#include <dirent.h>

struct scene {
	struct tree tree;
	char *path;
	struct pmuq_store *store;
	struct pmuq_catalog *machine;
};

static int set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	const struct test_machine machine = { .hostname = "web01" };

	assert_non_null(scene);
	tree_make(&scene->tree);
	scene->path = store_path(&scene->tree);
	scene->store = store_open(scene->path, PMUQ_STORE_CREATE);
	scene->machine = machine_catalog(&machine);
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

/* `sql` is a literal. */
static void expect_hash(struct pmuq_store *store, const char *sql, const char *want)
{
	static const struct pq_column column = { .type = PQ_COLUMN_HASH };
	const struct pq_sql query = { .text = sql, .columns = &column, .n_columns = 1 };
	struct pq_hash hash;
	char text[65];

	pq_store_begin_call(store, "cannot query", NULL);
	assert_true(pq_sql_row(store, &query, PQ_NO_PARAMS, &hash, NULL));
	assert_int_equal(pq_store_end_call(store), 0);
	for (size_t i = 0; i < 32; i++)
		snprintf(text + 2 * i, 3, "%02x", hash.bytes[i]);
	assert_string_equal(text, want);
}

/* A store of another version of pmuq has the same hashes for the same contents. */
static void the_hashed_bytes_are_those_of_the_format(void **state)
{
	static const uint8_t bytes[] = { 4,    'x', '/', '1', 0xac, 2,	 0x80, 1,
					 0x7f, 0,   0,	 1,   3,    'a', 'b' };
	struct pq_hasher hasher;
	struct pq_sha256 sha;
	struct pq_hash made, want;

	(void)state;
	pq_hash_begin(&hasher, STR("x/1"));
	pq_hash_number(&hasher, 300);
	pq_hash_number(&hasher, 128);
	pq_hash_number(&hasher, 127);
	pq_hash_number(&hasher, 0);
	pq_hash_text(&hasher, (struct pmuq_str){ 0 });
	pq_hash_text(&hasher, STR(""));
	pq_hash_text(&hasher, STR("ab"));
	made = pq_hash_end(&hasher);
	pq_sha256_begin(&sha);
	pq_sha256_add(&sha, bytes, sizeof(bytes));
	pq_sha256_end(&sha, want.bytes);
	assert_memory_equal(made.bytes, want.bytes, sizeof(want.bytes));
}

/* Otherwise an unchanged machine would get a new snapshot, and a new class: db/README.md. */
static void every_version_gives_a_machine_the_same_hash(void **state)
{
	struct scene *scene = *state;
	struct pmuq_catalog *machine = machine_catalog(
		&(struct test_machine){ .hostname = "web01", .check = { .n = 5, .time_s = 100 } });

	store_save(scene->store, machine, NULL, 1000);
	expect_hash(scene->store, "SELECT hash FROM snapshot",
		    "5f0a975f30f186b32e6e629ed4abb75175ffa32e3fbfd679889738c40d9f2786");
	expect_hash(scene->store, "SELECT hash FROM host_class",
		    "e6b4abb3d2c0a326eea9fef198940cae8c4925f0d368e9e276eccf6167fbba81");
	expect_hash(scene->store, "SELECT hash FROM check_set",
		    "c7b4932cfef2c4fee8c59b6a3079582a0d9556033dafb3577a7cdba646ab5283");
	pmuq_catalog_free(machine);
}

static void every_byte_comes_back(void **state)
{
	struct scene *scene = *state;
	struct pmuq_saved saved = store_save(scene->store, scene->machine, NULL, 1000);

	assert_true(saved.is_new);
	store_expect(scene->store, "web01", 0, scene->machine);
	store_expect(scene->store, "web01", saved.snapshot, scene->machine);
}

static void an_empty_machine_is_read_back(void **state)
{
	struct scene *scene = *state;
	struct pmuq_catalog *nothing = NULL;
	struct pq_builder *builder = NULL;

	assert_int_equal(pq_builder_new(&builder, NULL), 0);
	assert_int_equal(pq_builder_finish(builder, &nothing, NULL), 0);
	store_save(scene->store, nothing, "nothing", 0);
	store_expect(scene->store, "nothing", 0, nothing);
	pmuq_catalog_free(nothing);
}

static void a_batch_is_saved_completely_or_not_at_all(void **state)
{
	struct scene *scene = *state;
	struct pmuq_saved first, again;
	int64_t rows;

	assert_int_equal(pmuq_store_commit(scene->store, NULL), -PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_store_begin(scene->store, NULL), 0);
	assert_int_equal(pmuq_store_begin(scene->store, NULL), -PMUQ_E_BAD_CALL);
	first = store_save(scene->store, scene->machine, "a", 1000);
	again = store_save(scene->store, scene->machine, "a", 1001);
	assert_true(first.is_new_host && first.is_new);
	assert_false(again.is_new_host || again.is_new);
	store_save(scene->store, scene->machine, "b", 1000);
	/* The batch can read what it has saved. */
	store_expect(scene->store, "b", 0, scene->machine);
	assert_int_equal(pmuq_store_commit(scene->store, NULL), 0);
	store_expect(scene->store, "a", 0, scene->machine);
	rows = store_rows(scene->store);

	assert_int_equal(pmuq_store_begin(scene->store, NULL), 0);
	store_save(scene->store, scene->machine, "c", 1000);
	pmuq_store_roll_back(scene->store);
	assert_int_equal(store_rows(scene->store), rows);
	/* Freed before it is committed. */
	assert_int_equal(pmuq_store_begin(scene->store, NULL), 0);
	store_save(scene->store, scene->machine, "c", 1000);
	pmuq_store_free(scene->store);
	scene->store = store_open(scene->path, PMUQ_STORE_READ);
	assert_int_equal(store_rows(scene->store), rows);
	assert_int_equal(pmuq_store_begin(scene->store, NULL), -PMUQ_E_STORE_WRITE);
}

static void a_save_that_fails_undoes_the_batch(void **state)
{
	struct scene *scene = *state;
	int64_t rows = store_rows(scene->store);

	assert_int_equal(pmuq_store_begin(scene->store, NULL), 0);
	store_save(scene->store, scene->machine, "a", 1000);
	assert_int_equal(pmuq_store_save(scene->store, scene->machine, NULL, "", 1000, NULL, NULL),
			 -PMUQ_E_NO_NAME);
	assert_int_equal(pmuq_store_save(scene->store, scene->machine, NULL, "b", 1000, NULL, NULL),
			 -PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_store_commit(scene->store, NULL), -PMUQ_E_BAD_CALL);
	assert_int_equal(store_rows(scene->store), rows);
}

/* One statement that fails, once. */
static struct {
	const char *sql; /* NULL: it has failed */
	int rc;
	int (*exec)(sqlite3 *db, const char *sql, int (*row)(void *, int, char **, char **),
		    void *arg, char **error);
} failing;

static int exec_but_one(sqlite3 *db, const char *sql, int (*row)(void *, int, char **, char **),
			void *arg, char **error)
{
	if (!failing.sql || strcmp(sql, failing.sql) != 0)
		return failing.exec(db, sql, row, arg, error);
	failing.sql = NULL;
	return failing.rc;
}

static void fail_statement(struct pmuq_store *store, const char *sql, int rc)
{
	failing.sql = sql;
	failing.rc = rc;
	failing.exec = store->sqlite->lib.exec;
	store->sqlite->lib.exec = exec_but_one;
}

static void a_transaction_that_could_not_be_undone_is_undone_by_the_next(void **state)
{
	struct scene *scene = *state;

	if (store_is_on_server())
		return;
	store_save(scene->store, scene->machine, "a", 1000);
	fail_statement(scene->store, "ROLLBACK", SQLITE_NOMEM);
	assert_int_equal(pmuq_store_rename_host(scene->store, "nobody", "b", NULL),
			 -PMUQ_E_UNKNOWN_HOST);
	assert_null(failing.sql);
	assert_false(scene->store->sqlite->lib.get_autocommit(scene->store->sqlite->db));
	assert_int_equal(pmuq_store_rename_host(scene->store, "a", "b", NULL), 0);
	store_expect(scene->store, "b", 0, scene->machine);
}

static void a_batch_that_cannot_be_committed_has_an_error(void **state)
{
	struct scene *scene = *state;
	struct pmuq_error *error = NULL;

	if (store_is_on_server())
		return;
	assert_int_equal(pmuq_store_begin(scene->store, NULL), 0);
	store_save(scene->store, scene->machine, "a", 1000);
	fail_statement(scene->store, "COMMIT", SQLITE_FULL);
	assert_int_equal(pmuq_store_commit(scene->store, &error), -PMUQ_E_STORE_WRITE);
	assert_non_null(error);
	assert_non_null(strstr(error->message.p, "cannot save the machines"));
	pmuq_error_free(error);
	assert_int_equal(store_number(scene->store, "SELECT count(*) FROM host"), 0);
}

static void a_path_is_of_the_directory_where_it_was_opened(void **state)
{
	auto_free char *here = getcwd(NULL, 0);
	struct scene *scene = *state;
	char *slash = strrchr(scene->path, '/');
	struct pmuq_store *reader;

	if (store_is_on_server())
		return; /* a URL has no directory */
	store_save(scene->store, scene->machine, NULL, 1000);
	*slash = '\0';
	assert_int_equal(chdir(scene->path), 0);
	*slash = '/';
	reader = store_open(slash + 1, PMUQ_STORE_READ);
	assert_int_equal(chdir("/"), 0);
	store_expect(reader, "web01", 0, scene->machine);
	pmuq_store_free(reader);
	assert_int_equal(chdir(here), 0);
}

static void another_store_and_a_reader_see_it(void **state)
{
	struct scene *scene = *state;
	struct pmuq_store *reader;

	store_save(scene->store, scene->machine, NULL, 1000);
	reader = store_open(scene->path, PMUQ_STORE_READ);
	store_expect(reader, "web01", 0, scene->machine);
	pmuq_store_free(scene->store);
	scene->store = NULL;
	store_expect(reader, "web01", 0, scene->machine);
	pmuq_store_free(reader);
}

static void an_unchanged_machine_adds_only_a_time(void **state)
{
	struct scene *scene = *state;
	struct pmuq_saved first = store_save(scene->store, scene->machine, NULL, 1000), again;
	int64_t rows = store_rows(scene->store);

	again = store_save(scene->store, scene->machine, NULL, 2000);
	assert_false(again.is_new);
	assert_int_equal(again.snapshot, first.snapshot);
	assert_int_equal(store_rows(scene->store), rows);
	assert_int_equal(store_number(scene->store, "SELECT first_seen FROM snapshot"), 1000);
	assert_int_equal(store_number(scene->store, "SELECT last_seen FROM snapshot"), 2000);
}

static void a_clock_that_goes_back_keeps_the_last_seen_time(void **state)
{
	struct scene *scene = *state;

	store_save(scene->store, scene->machine, NULL, 1000);
	store_save(scene->store, scene->machine, NULL, 5);
	assert_int_equal(store_number(scene->store, "SELECT first_seen FROM snapshot"), 1000);
	assert_int_equal(store_number(scene->store, "SELECT last_seen FROM snapshot"), 1000);
}

/* A reader would take it for damage. */
static void a_time_that_documents_cannot_have_is_refused(void **state)
{
	static const int64_t times[] = { -1, INT64_MIN, 253402300800, INT64_MAX };
	struct scene *scene = *state;

	for (size_t i = 0; i < COUNT(times); i++)
		assert_int_equal(pmuq_store_save(scene->store, scene->machine, NULL, NULL, times[i],
						 NULL, NULL),
				 -PMUQ_E_BAD_CALL);
	assert_int_equal(store_number(scene->store, "SELECT count(*) FROM snapshot"), 0);
	store_save(scene->store, scene->machine, NULL, 253402300799);
	store_expect(scene->store, "web01", 0, scene->machine);
}

/* In each engine the limit of documents. */
static void a_long_name_is_refused(void **state)
{
	char name[PQ_HOST_NAME_MAX_BYTES + 2] = { 0 };
	struct scene *scene = *state;

	memset(name, '\xff', sizeof(name) - 1);
	assert_int_equal(pmuq_store_save(scene->store, scene->machine, NULL, name, 1, NULL, NULL),
			 -PMUQ_E_BAD_CALL);
	store_save(scene->store, scene->machine, NULL, 1);
	assert_int_equal(pmuq_store_rename_host(scene->store, "web01", name, NULL),
			 -PMUQ_E_BAD_CALL);
	name[PQ_HOST_NAME_MAX_BYTES] = '\0';
	assert_int_equal(pmuq_store_rename_host(scene->store, "web01", name, NULL), 0);
	store_save(scene->store, scene->machine, name, 2);
	store_expect(scene->store, name, 0, scene->machine);
}

static struct pmuq_saved save_seen(struct scene *scene, const struct pmuq_catalog *catalog,
				   int64_t first_seen_s, int64_t last_seen_s)
{
	struct pmuq_saved saved = { .size = sizeof(saved) };

	assert_int_equal(pmuq_store_save_seen(scene->store, catalog, NULL, first_seen_s,
					      last_seen_s, &saved, NULL),
			 0);
	return saved;
}

static void a_document_brings_both_times(void **state)
{
	struct scene *scene = *state;

	assert_true(save_seen(scene, scene->machine, 1000, 2000).is_new_host);
	assert_int_equal(store_number(scene->store, "SELECT first_seen FROM snapshot"), 1000);
	assert_int_equal(store_number(scene->store, "SELECT last_seen FROM snapshot"), 2000);
	assert_false(save_seen(scene, scene->machine, 1000, 3000).is_new);
	assert_int_equal(store_number(scene->store, "SELECT last_seen FROM snapshot"), 3000);
	assert_false(save_seen(scene, scene->machine, 1000, 1500).is_new);
	assert_int_equal(store_number(scene->store, "SELECT last_seen FROM snapshot"), 3000);
	assert_int_equal(store_number(scene->store, "SELECT first_seen FROM snapshot"), 1000);
}

/* A host that changed, and documents of it. */
static void an_older_document_adds_nothing(void **state)
{
	struct scene *scene = *state;
	const struct test_machine machine = { .hostname = "web01", .kernel = "6.12.1" };
	const struct test_machine third = { .hostname = "web01", .kernel = "6.12.2" };
	struct pmuq_catalog *changed = machine_catalog(&machine);
	struct pmuq_catalog *unknown = machine_catalog(&third);
	struct pmuq_saved old = save_seen(scene, scene->machine, 1000, 1000), new, again;

	new = save_seen(scene, changed, 2000, 3000);
	assert_true(new.is_new && !new.later_seen_s);
	again = save_seen(scene, scene->machine, 1000, 1500);
	assert_true(!again.is_new && !again.later_seen_s && again.snapshot == old.snapshot);
	assert_int_equal(store_number(scene->store, "SELECT min(last_seen) FROM snapshot"), 1500);
	again = save_seen(scene, unknown, 1000, 2999);
	assert_true(!again.is_new && again.later_seen_s == 3000 && again.snapshot == new.snapshot);
	assert_int_equal(store_number(scene->store, "SELECT count(*) FROM snapshot"), 2);
	store_expect(scene->store, "web01", 0, changed);
	again = save_seen(scene, unknown, 1000, 3000);
	assert_true(again.is_new && !again.later_seen_s);
	/* It changed back, and was last seen so. */
	assert_true(save_seen(scene, scene->machine, 1000, 4000).is_new);
	pmuq_catalog_free(changed);
	pmuq_catalog_free(unknown);
}

static void an_older_document_keeps_the_volatile_facts(void **state)
{
	struct scene *scene = *state;
	const struct test_machine machine = { .hostname = "web01", .boot_id = "boot 2" };
	struct pmuq_catalog *booted = machine_catalog(&machine);

	save_seen(scene, booted, 1000, 3000);
	assert_false(save_seen(scene, scene->machine, 1000, 2000).is_new);
	store_expect(scene->store, "web01", 0, booted);
	save_seen(scene, scene->machine, 1000, 3000);
	store_expect(scene->store, "web01", 0, scene->machine);
	pmuq_catalog_free(booted);
}

static void times_in_no_order_are_refused(void **state)
{
	static const int64_t times[][2] = {
		{ 0, 0 }, { 0, 5 }, { 5, 4 }, { -1, 5 }, { 5, INT64_MAX }
	};
	struct scene *scene = *state;

	for (size_t i = 0; i < COUNT(times); i++)
		assert_int_equal(pmuq_store_save_seen(scene->store, scene->machine, NULL,
						      times[i][0], times[i][1], NULL, NULL),
				 -PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_store_begin(scene->store, NULL), 0);
	assert_int_equal(pmuq_store_save_seen(scene->store, scene->machine, NULL, 5, 4, NULL, NULL),
			 -PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_store_commit(scene->store, NULL), -PMUQ_E_BAD_CALL);
}

static void another_boot_makes_no_snapshot(void **state)
{
	struct scene *scene = *state;
	const struct test_machine machine = { .hostname = "web01", .boot_id = "boot 2" };
	struct pmuq_catalog *booted = machine_catalog(&machine);
	int64_t rows;

	store_save(scene->store, scene->machine, NULL, 1000);
	rows = store_rows(scene->store);
	assert_false(store_save(scene->store, booted, NULL, 2000).is_new);
	assert_int_equal(store_rows(scene->store), rows);
	store_expect(scene->store, "web01", 0, booted);
	pmuq_catalog_free(booted);
}

struct change_case {
	const char *name;
	struct test_machine machine;
	const char *table; /* of the only contents that are not shared */
};

static const struct change_case change_cases[] = {
	{ "another kernel is a new snapshot of the same PMUs", { .kernel = "6.13.0" }, "fact_set" },
	{ "another id of a tracepoint is a new snapshot",
	  { .first_tracepoint = 7 },
	  "tracepoint_set" },
	{ "one instance more is a new layout", { .n_uncore = 13 }, "layout" },
	{ "another hostname shares all contents", { .hostname = "web02" }, NULL },
};

static const char *const set_tables[] = {
	"definition", "attribute_set", "layout", "fact_set", "tracepoint_set", "problem_set",
};

static int64_t count(struct pmuq_store *store, const char *table)
{
	char *sql = NULL;
	int64_t n;

	assert_true(asprintf(&sql, "SELECT count(*) FROM %s", table) > 0);
	n = store_number(store, sql);
	free(sql);
	return n;
}

static void test_change(void **state)
{
	const struct change_case *test = *state;
	struct test_machine machine = test->machine;
	struct pmuq_catalog *changed;
	int64_t before[COUNT(set_tables)];
	struct scene *scene;
	void *state_of_row;

	set_up(&state_of_row);
	scene = state_of_row;
	if (!machine.hostname)
		machine.hostname = "web01";
	changed = machine_catalog(&machine);
	store_save(scene->store, scene->machine, "web01", 1000);
	for (size_t i = 0; i < COUNT(set_tables); i++)
		before[i] = count(scene->store, set_tables[i]);
	assert_true(store_save(scene->store, changed, "web01", 2000).is_new);
	for (size_t i = 0; i < COUNT(set_tables); i++) {
		bool may_grow = test->table && strcmp(test->table, set_tables[i]) == 0;

		assert_int_equal(count(scene->store, set_tables[i]), before[i] + may_grow);
	}
	store_expect(scene->store, "web01", 1, scene->machine);
	store_expect(scene->store, "web01", 0, changed);
	pmuq_catalog_free(changed);
	tear_down(&state_of_row);
}

static void a_changed_format_shares_the_other_definitions(void **state)
{
	struct scene *scene = *state;
	const struct test_machine machine = { .hostname = "web01", .format = "config:0-7,32-35" };
	struct pmuq_catalog *changed = machine_catalog(&machine);
	int64_t before;

	store_save(scene->store, scene->machine, NULL, 1000);
	before = count(scene->store, "definition");
	assert_true(before > 1);
	assert_true(store_save(scene->store, changed, NULL, 2000).is_new);
	assert_int_equal(count(scene->store, "definition"), before + 1);
	assert_int_equal(count(scene->store, "layout"), 2);
	assert_int_equal(count(scene->store, "fact_set"), 1);
	store_expect(scene->store, "web01", 1, scene->machine);
	store_expect(scene->store, "web01", 2, changed);
	pmuq_catalog_free(changed);
}

static void a_change_and_its_reverse_are_three_snapshots(void **state)
{
	struct scene *scene = *state;
	const struct test_machine machine = { .hostname = "web01", .kernel = "6.13.0" };
	struct pmuq_catalog *changed = machine_catalog(&machine);

	store_save(scene->store, scene->machine, NULL, 1000);
	store_save(scene->store, changed, NULL, 2000);
	assert_int_equal(store_save(scene->store, scene->machine, NULL, 3000).snapshot, 3);
	assert_int_equal(count(scene->store, "fact_set"), 2);
	store_expect(scene->store, "web01", 0, scene->machine);
	pmuq_catalog_free(changed);
}

/* The pages of ten thousand bytes grow by less than 2 KiB a host. */
static void equal_hosts_need_little_space(void **state)
{
	enum { HOSTS = 50 };
	struct scene *scene = *state;
	int64_t before;

	store_save(scene->store, scene->machine, NULL, 1000);
	before = store_bytes(scene->store);
	for (int i = 0; i < HOSTS; i++) {
		char *name = NULL;
		struct pmuq_catalog *alike;

		assert_true(asprintf(&name, "alike%d.example.org", i) > 0);
		alike = machine_catalog(
			&(struct test_machine){ .hostname = name, .boot_id = name });
		assert_true(store_save(scene->store, alike, NULL, 1000 + i).is_new);
		pmuq_catalog_free(alike);
		free(name);
	}
	for (size_t i = 0; i < COUNT(set_tables); i++)
		if (strcmp(set_tables[i], "definition") != 0 &&
		    strcmp(set_tables[i], "attribute_set") != 0)
			assert_int_equal(count(scene->store, set_tables[i]), 1);
	assert_between(store_bytes(scene->store) - before, 0, HOSTS * 2048);
}

/* Each writes a time and a boot: on a server the rows before must not stay. */
static void an_unchanged_host_needs_no_more_space(void **state)
{
	enum { BOOTS = 2, TIMES = 300, PAGES_BYTES = 4 * 8192 };
	struct scene *scene = *state;
	struct pmuq_catalog *booted[BOOTS] = {
		machine_catalog(&(struct test_machine){ .hostname = "web01", .boot_id = "1" }),
		machine_catalog(&(struct test_machine){ .hostname = "web01", .boot_id = "2" }),
	};
	int64_t before;

	store_save(scene->store, scene->machine, NULL, 1000);
	before = store_bytes(scene->store);
	for (int i = 0; i < TIMES; i++)
		store_save(scene->store, booted[i % BOOTS], NULL, 1001 + i);
	assert_between(store_bytes(scene->store) - before, 0, PAGES_BYTES);
	for (size_t i = 0; i < BOOTS; i++)
		pmuq_catalog_free(booted[i]);
}

static void a_machine_without_a_name_needs_one(void **state)
{
	struct scene *scene = *state;
	struct pmuq_catalog *nameless = machine_catalog(&(struct test_machine){ 0 });
	struct pmuq_saved saved = { .size = sizeof(saved) };

	assert_int_equal(pmuq_store_save(scene->store, nameless, NULL, NULL, 1, &saved, NULL),
			 -PMUQ_E_NO_NAME);
	assert_int_equal(pmuq_store_save(scene->store, nameless, NULL, "", 1, &saved, NULL),
			 -PMUQ_E_NO_NAME);
	assert_int_equal(count(scene->store, "host"), 0);
	store_save(scene->store, nameless, "b\xf6se", 1);
	store_expect(scene->store, "b\xf6se", 0, nameless);
	pmuq_catalog_free(nameless);
}

static void a_struct_without_a_size_is_refused(void **state)
{
	struct scene *scene = *state;
	struct pmuq_saved saved = { 0 };

	assert_int_equal(pmuq_store_save(scene->store, scene->machine, NULL, NULL, 1, &saved, NULL),
			 -PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_store_save(scene->store, scene->machine, NULL, NULL, 1, NULL, NULL),
			 0);
}

static char *hint_of_unknown(struct pmuq_store *store, const char *name, int64_t snapshot,
			     enum pmuq_code code)
{
	struct pmuq_source *source = NULL;
	struct pmuq_error *error = NULL;
	char *hint;

	assert_int_equal(pmuq_store_open_host(store, name, snapshot, &source, &error), -(int)code);
	assert_null(source);
	hint = strdup(error->hint.p);
	pmuq_error_free(error);
	return hint;
}

static void expect_hint(struct pmuq_store *store, const char *name, int64_t snapshot,
			enum pmuq_code code, const char *want)
{
	char *hint = hint_of_unknown(store, name, snapshot, code);

	assert_string_equal(hint, want);
	free(hint);
}

static void an_unknown_host_hints_at_those_there_are(void **state)
{
	struct scene *scene = *state;

	expect_hint(scene->store, "web01", 0, PMUQ_E_UNKNOWN_HOST,
		    "the database is empty: `pmuq scan` adds this machine");
	store_save(scene->store, scene->machine, "web01", 1);
	store_save(scene->store, scene->machine, "db", 1);
	expect_hint(scene->store, "wbe01", 0, PMUQ_E_UNKNOWN_HOST, "hosts here: db, web01");
	for (char name[] = "node00"; name[4] < '3';
	     name[5] == '9' ? (name[5] = '0', name[4]++) : name[5]++) {
		store_save(scene->store, scene->machine, name, 1);
		if (strcmp(name, "node05") == 0)
			expect_hint(scene->store, "wbe01", 0, PMUQ_E_UNKNOWN_HOST,
				    "hosts here: db, node00, node01, node02, node03, node04, "
				    "node05, web01");
	}
	expect_hint(scene->store, "wbe01", 0, PMUQ_E_UNKNOWN_HOST,
		    "the nearest of 32 hosts: web01");
	expect_hint(scene->store, "elsewhere.example.org", 0, PMUQ_E_UNKNOWN_HOST,
		    "none of the 32 hosts has a similar name");
	expect_hint(scene->store, "nod17", 0, PMUQ_E_UNKNOWN_HOST,
		    "the nearest of 32 hosts: node17, node07, node10");
	expect_hint(scene->store, "we", 0, PMUQ_E_UNKNOWN_HOST,
		    "hosts that begin with 'we' (1 of 32): web01");
	expect_hint(
		scene->store, "node1", 0, PMUQ_E_UNKNOWN_HOST,
		"hosts that begin with 'node1' (10 of 32): node10, node11, node12, node13, node14, "
		"node15, node16, node17, …");
}

static void an_unknown_snapshot_hints_at_the_newest(void **state)
{
	struct scene *scene = *state;

	for (uint64_t i = 1; i <= 7; i++) {
		struct pmuq_catalog *changed = machine_catalog(
			&(struct test_machine){ .hostname = "web01", .first_tracepoint = i });

		store_save(scene->store, changed, NULL, (int64_t)i);
		pmuq_catalog_free(changed);
	}
	store_save(scene->store, scene->machine, "other", 9);
	expect_hint(scene->store, "web01", 99, PMUQ_E_UNKNOWN_SNAPSHOT,
		    "its newest snapshots: 7 (1970-01-01, 6.12.0), 6 (1970-01-01, 6.12.0), "
		    "5 (1970-01-01, 6.12.0), 4 (1970-01-01, 6.12.0)");
	expect_hint(scene->store, "web01", -1, PMUQ_E_UNKNOWN_SNAPSHOT,
		    "its newest snapshots: 7 (1970-01-01, 6.12.0), 6 (1970-01-01, 6.12.0), "
		    "5 (1970-01-01, 6.12.0), 4 (1970-01-01, 6.12.0)");
	expect_hint(scene->store, "web01", 8, PMUQ_E_UNKNOWN_SNAPSHOT,
		    "its newest snapshots: 7 (1970-01-01, 6.12.0), 6 (1970-01-01, 6.12.0), "
		    "5 (1970-01-01, 6.12.0), 4 (1970-01-01, 6.12.0)");
}

static void a_host_without_a_snapshot_is_corrupt(void **state)
{
	struct scene *scene = *state;
	struct pmuq_source *source = NULL;

	store_save(scene->store, scene->machine, "web01", 1);
	assert_int_equal(store_exec(scene->store, "DELETE FROM snapshot"), SQLITE_OK);
	assert_int_equal(pmuq_store_open_host(scene->store, "web01", 0, &source, NULL),
			 -PMUQ_E_STORE_CORRUPT);
	assert_null(source);
}

static void a_time_that_no_document_can_have_is_corrupt(void **state)
{
	struct scene *scene = *state;
	struct pmuq_hosts *hosts = NULL;

	store_save(scene->store, scene->machine, "web01", 1);
	assert_int_equal(store_exec(scene->store, "UPDATE snapshot SET last_seen = 253402300800"),
			 SQLITE_OK);
	assert_int_equal(pmuq_store_list_hosts(scene->store, NULL, &hosts, NULL),
			 -PMUQ_E_STORE_CORRUPT);
	assert_null(hosts);
	assert_int_equal(store_exec(scene->store, "UPDATE snapshot SET last_seen = 253402300799"),
			 SQLITE_OK);
	assert_int_equal(pmuq_store_list_hosts(scene->store, NULL, &hosts, NULL), 0);
	pmuq_hosts_free(hosts);
}

static void hosts_are_listed_with_their_snapshots(void **state)
{
	struct scene *scene = *state;
	const struct test_machine machine = { .hostname = "web01", .kernel = "6.13.0" };
	struct pmuq_catalog *changed = machine_catalog(&machine);
	struct pmuq_hosts *hosts = NULL;

	assert_int_equal(pmuq_store_list_hosts(scene->store, NULL, &hosts, NULL), 0);
	assert_int_equal(pmuq_hosts_count(hosts), 0);
	pmuq_hosts_free(hosts);
	store_save(scene->store, scene->machine, NULL, 1000);
	store_save(scene->store, scene->machine, NULL, 1500);
	store_save(scene->store, changed, "api", 1700);
	store_save(scene->store, changed, NULL, 2000);
	assert_int_equal(pmuq_store_list_hosts(scene->store, NULL, &hosts, NULL), 0);
	assert_int_equal(pmuq_hosts_count(hosts), 2);
	assert_string_equal(pmuq_hosts_get(hosts, 0)->name.p, "api");
	assert_string_equal(pmuq_hosts_get(hosts, 1)->name.p, "web01");
	assert_null(pmuq_hosts_get(hosts, 2));
	assert_int_equal(pmuq_hosts_get(hosts, 0)->n_snapshots, 1);
	assert_int_equal(pmuq_hosts_get(hosts, 1)->n_snapshots, 2);
	assert_int_equal(pmuq_hosts_snapshot(hosts, 1, 0)->number, 1);
	assert_int_equal(pmuq_hosts_snapshot(hosts, 1, 1)->number, 3);
	assert_null(pmuq_hosts_snapshot(hosts, 0, 1));
	assert_int_equal(pmuq_hosts_snapshot(hosts, 1, 0)->first_seen_s, 1000);
	assert_int_equal(pmuq_hosts_snapshot(hosts, 1, 0)->last_seen_s, 1500);
	assert_int_equal(pmuq_hosts_snapshot(hosts, 1, 1)->last_seen_s, 2000);
	assert_string_equal(pmuq_snapshot_find_fact(pmuq_hosts_snapshot(hosts, 1, 0), "kernel"),
			    "6.12.0");
	assert_string_equal(pmuq_snapshot_find_fact(pmuq_hosts_snapshot(hosts, 1, 1), "kernel"),
			    "6.13.0");
	assert_null(pmuq_snapshot_find_fact(pmuq_hosts_snapshot(hosts, 1, 2), "kernel"));
	pmuq_hosts_free(hosts);
	pmuq_catalog_free(changed);
}

/* Of one machine: another boot, another time of the check, no check, other results, fewer of them.
 * And other machines. */
static const struct test_machine sharing[] = {
	{ .hostname = "a", .check = { .n = 5, .time_s = 100 } },
	{ .hostname = "b", .boot_id = "another", .check = { .n = 5, .time_s = 200 } },
	{ .hostname = "c" },
	{ .hostname = "d", .check = { .n = 5, .time_s = 100, .first_errnum = 13 } },
	{ .hostname = "e", .check = { .n = 5, .total = 9, .time_s = 100 } },
	{ .hostname = "g", .kernel = "6.13.0", .check = { .n = 5, .time_s = 100 } },
	{ .hostname = "h", .first_tracepoint = 7 },
	{ .hostname = "i", .n_uncore = 3 },
	{ .hostname = "j", .changed_fact = "arch" },
};

static void expect_sharing(struct pmuq_store *store, size_t i)
{
	struct pmuq_catalog *machine = machine_catalog(&sharing[i]);
	const struct pmuq_check *check = pmuq_catalog_machine(machine)->check;

	store_expect(store, sharing[i].hostname, 0, machine);
	store_expect_check(store, sharing[i].hostname, check);
	pmuq_catalog_free(machine);
}

static void hosts_that_share_a_machine_come_back(void **state)
{
	struct scene *scene = *state;

	for (size_t i = 0; i < COUNT(sharing); i++) {
		struct pmuq_catalog *machine = machine_catalog(&sharing[i]);

		store_save(scene->store, machine, NULL, 1000);
		pmuq_catalog_free(machine);
	}
	for (size_t first = 0; first < COUNT(sharing); first++)
		for (size_t i = 0; i < COUNT(sharing); i++) {
			expect_sharing(scene->store, first);
			expect_sharing(scene->store, i);
		}
}

static void more_machines_than_are_kept_come_back(void **state)
{
	struct scene *scene = *state;

	for (size_t turn = 0; turn < 3; turn++)
		for (size_t i = 0; i < PQ_KEPT_MACHINES + 3; i++) {
			char kernel[16], name[16];
			struct pmuq_catalog *machine;

			snprintf(kernel, sizeof(kernel), "6.%zu", i);
			snprintf(name, sizeof(name), "host%zu", i);
			machine = machine_catalog(&(struct test_machine){ .kernel = kernel });
			if (turn == 0)
				store_save(scene->store, machine, name, 1000);
			store_expect(scene->store, name, 0, machine);
			pmuq_catalog_free(machine);
		}
}

static void query_after_many(struct pmuq_store *store, void *of)
{
	const size_t *n = of;
	int64_t n_hosts = -1;

	for (size_t i = 0; i < *n; i++)
		pq_sql_run(store, "DELETE FROM host WHERE id = 0", PQ_NO_PARAMS);
	assert_true(pq_sql_number(store, "SELECT count(*) FROM host", PQ_NO_PARAMS, &n_hosts));
	assert_int_equal(n_hosts, 0);
}

/* A server gets them together, and their results are read when they are many. */
static void a_query_after_any_number_of_statements_has_its_rows(void **state)
{
	struct scene *scene = *state;

	for (size_t n = 980; n < 1010; n++)
		assert_int_equal(
			pq_store_write(scene->store, "cannot query", query_after_many, &n, NULL),
			0);
}

static void queue_three(struct pmuq_store *store, void *unused)
{
	const struct pq_sql sqls[] = {
		{ .text = "SELECT 1 FROM host", PQ_COLUMNS(pq_one_number) },
		{ .text = "SELECT 2 FROM host", PQ_COLUMNS(pq_one_number) },
		{ .text = "SELECT 3 FROM host", PQ_COLUMNS(pq_one_number) },
	};
	cleanup(pq_stmt_end) struct pq_stmt first = { 0 }, dropped = { 0 }, last = { 0 };
	int64_t number = 0;

	(void)unused;
	pq_stmt_begin(&first, store, &sqls[0], PQ_NO_PARAMS);
	pq_stmt_queue(&first);
	pq_stmt_begin(&dropped, store, &sqls[1], PQ_NO_PARAMS);
	pq_stmt_queue(&dropped);
	pq_stmt_begin(&last, store, &sqls[2], PQ_NO_PARAMS);
	pq_stmt_queue(&last);
	pq_sql_run(store, "DELETE FROM host WHERE id = 0", PQ_NO_PARAMS);
	assert_true(pq_sql_number(store, "SELECT 4", PQ_NO_PARAMS, &number));
	assert_int_equal(number, 4);
	assert_true(pq_stmt_next(&last, &number, NULL));
	assert_int_equal(number, 3);
	pq_stmt_end(&dropped);
	assert_true(pq_stmt_next(&first, &number, NULL));
	assert_int_equal(number, 1);
	assert_false(pq_stmt_next(&first, &number, NULL));
	assert_false(pq_stmt_next(&last, &number, NULL));
}

static void queued_queries_have_their_rows_in_any_order(void **state)
{
	struct scene *scene = *state;

	store_save(scene->store, scene->machine, NULL, 1000);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(
			pq_store_write(scene->store, "cannot query", queue_three, NULL, NULL), 0);
}

/* The array has grown some times before there is no more memory. */
static void read_many(struct pmuq_store *store, void *unused)
{
	auto_arena struct pq_arena arena = PQ_ARENA(50000);
	struct pq_rows rows = pq_sql_rows(
		store,
		PQ_QUERY(pq_one_number, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1"
					" FROM n WHERE i < 10000) SELECT i FROM n"),
		PQ_NO_PARAMS, sizeof(int64_t), &arena);

	(void)unused;
	assert_int_equal(store->r, -PMUQ_E_MEMORY);
	assert_int_equal(rows.n, 0);
}

static void rows_that_do_not_fit_memory_are_no_rows(void **state)
{
	struct scene *scene = *state;

	assert_int_equal(pq_store_write(scene->store, "cannot query", read_many, NULL, NULL),
			 -PMUQ_E_MEMORY);
}

static void load_twice(struct pmuq_store *store, void *unused)
{
	static const struct pq_column columns[] = {
		{ PQ_COLUMN(struct pq_snapshot_row, layout), .set = &pq_layout_set },
		{ PQ_COLUMN(struct pq_snapshot_row, fact_set), .set = &pq_fact_set },
	};
	static const struct pq_table table = { PQ_ROWS(struct pq_snapshot_row, columns) };
	struct pq_snapshot_row rows[2] = { 0 };
	struct pq_contents contents;

	(void)unused;
	for (size_t i = 0; i < 2; i++)
		assert_true(pq_sql_row(
			store,
			&(const struct pq_sql){ .text = "FROM snapshot", PQ_COLUMNS(columns) },
			PQ_NO_PARAMS, &rows[i], NULL));
	pq_contents_begin(&contents, store);
	for (size_t i = 0; i < 2; i++)
		pq_refs_load(&contents, &table, (struct pq_rows){ .own = &rows[i], .n = 1 });
	assert_int_equal(store->r, 0);
	assert_non_null(rows[0].layout.content);
	assert_ptr_equal(rows[0].layout.content, rows[1].layout.content);
	assert_ptr_equal(rows[0].fact_set.content, rows[1].fact_set.content);
	pq_contents_end(&contents);
}

static void contents_that_are_loaded_are_not_read_again(void **state)
{
	struct scene *scene = *state;

	store_save(scene->store, scene->machine, NULL, 1000);
	assert_int_equal(pq_store_read(scene->store, "cannot read", load_twice, NULL, NULL), 0);
}

static void a_machine_that_was_verified_is_not_read_again(void **state)
{
	struct scene *scene = *state;

	for (size_t i = 0; i < 2; i++) {
		struct pmuq_catalog *machine = machine_catalog(&sharing[i]);

		store_save(scene->store, machine, NULL, 1000);
		pmuq_catalog_free(machine);
	}
	expect_sharing(scene->store, 0);
	assert_int_equal(store_exec(scene->store, "UPDATE definition_event SET terms = ''"),
			 SQLITE_OK);
	expect_sharing(scene->store, 1);
}

static void a_content_is_read_once_for_all_that_share_it(void **state)
{
	struct scene *scene = *state;
	struct pq_contents contents;
	struct pq_content *content;
	int64_t id;

	store_save(scene->store, scene->machine, NULL, 1000);
	id = store_number(scene->store, "SELECT max(id) FROM layout");
	pq_contents_begin(&contents, scene->store);
	content = pq_content_load(&contents, &pq_layout_set, id);
	assert_non_null(content);
	assert_ptr_equal(pq_content_load(&contents, &pq_layout_set, id), content);
	pq_contents_end(&contents);
}

/* A machine that was read before does not hide that a row of another host was changed. */
static void a_damaged_host_of_a_known_machine_is_noticed(void **state)
{
	struct scene *scene = *state;
	struct pmuq_source *source = NULL;

	for (size_t i = 0; i < 2; i++) {
		struct pmuq_catalog *machine = machine_catalog(&sharing[i]);

		store_save(scene->store, machine, NULL, 1000);
		pmuq_catalog_free(machine);
	}
	expect_sharing(scene->store, 0);
	assert_int_equal(store_exec(scene->store, "UPDATE snapshot_fact SET text = 'x' WHERE "
						  "name = 'hostname' AND text = 'b'"),
			 0);
	expect_sharing(scene->store, 0);
	assert_int_equal(pmuq_store_open_host(scene->store, "b", 0, &source, NULL),
			 -PMUQ_E_STORE_CORRUPT);
	assert_null(source);
}

static void the_views_have_rows(void **state)
{
	struct scene *scene = *state;
	struct pmuq_catalog *changed =
		machine_catalog(&(struct test_machine){ .hostname = "web01", .n_uncore = 3 });

	store_save(scene->store, scene->machine, NULL, 1000);
	store_save(scene->store, changed, NULL, 2000);
	assert_int_equal(count(scene->store, "v_host"), 1);
	assert_int_equal(count(scene->store, "v_host_pmu"), pmuq_catalog_machine(changed)->n_pmus);
	assert_int_equal(store_number(scene->store, "SELECT count(*) FROM v_host_event"
						    " WHERE host = 'web01' AND event = 'energy'"
						    " AND unit = 'Joules' AND pmu = 'cpu'"),
			 1);
	pmuq_catalog_free(changed);
}

/* For queries of users: a TEXT of SQLite is valid UTF-8, and any other bytes are a BLOB; in
 * PostgreSQL they are hexadecimal after U+10FFFF. */
static void a_text_that_is_not_utf8_is_marked(void **state)
{
	static const struct {
		const char *kernel, *in_sqlite, *in_postgres;
	} rows[] = {
		{ "6.18", "typeof(text) = 'text' AND text = '6.18'", "text = '6.18'" },
		{ "6\xc3\xa9", "typeof(text) = 'text' AND text = '6' || char(233)",
		  "text = '6' || chr(233)" },
		{ "6\xff", "typeof(text) = 'blob' AND text = x'36ff'",
		  "text = chr(1114111) || '36ff'" },
		{ "6\xc3", "typeof(text) = 'blob' AND text = x'36c3'",
		  "text = chr(1114111) || '36c3'" },
		{ "\xc0\xaf", "typeof(text) = 'blob' AND text = x'c0af'",
		  "text = chr(1114111) || 'c0af'" },
		{ "\xed\xa0\x80", "typeof(text) = 'blob' AND text = x'eda080'",
		  "text = chr(1114111) || 'eda080'" },
		{ "\xf4\x8f\xbf\xbf"
		  "36ff",
		  "text = char(1114111) || '36ff'", "text = chr(1114111) || 'f48fbfbf33366666'" },
	};
	struct scene *scene = *state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		struct pmuq_catalog *machine = machine_catalog(
			&(struct test_machine){ .hostname = "web01", .kernel = rows[i].kernel });
		char *sql = NULL;

		store_save(scene->store, machine, NULL, 1000 + (int64_t)i);
		store_expect(scene->store, "web01", 0, machine);
		assert_true(asprintf(&sql, "SELECT count(*) FROM fact WHERE name = 'kernel' AND %s",
				     store_is_on_server() ? rows[i].in_postgres
							  : rows[i].in_sqlite) > 0);
		if (store_number(scene->store, sql) != 1)
			fail_msg("%s", sql);
		free(sql);
		pmuq_catalog_free(machine);
	}
}

static void expect_no_write(int r, struct pmuq_error **error, const char *what)
{
	if (r != -PMUQ_E_STORE_WRITE || !*error || (*error)->code != PMUQ_E_STORE_WRITE)
		fail_msg("%s: %d, %s", what, r, *error ? (*error)->message.p : "no error");
	pmuq_error_free(*error);
	*error = NULL;
}

/* SQLite's functions for texts end there. */
static void a_text_with_a_nul_is_marked(void **state)
{
	static const struct pmuq_str with_nul = { .p = "a\0b", .n = 3 };
	struct scene *scene = *state;

	store_save(scene->store, scene->machine, NULL, 1000);
	pq_store_begin_call(scene->store, "cannot write", NULL);
	pq_sql_run(scene->store, "UPDATE host SET machine_id = ?", PQ_PARAMS(with_nul));
	assert_int_equal(pq_store_end_call(scene->store), 0);
	assert_int_equal(
		store_number(scene->store,
			     store_is_on_server()
				     ? "SELECT count(*) FROM host"
				       " WHERE machine_id = chr(1114111) || '610062'"
				     : "SELECT count(*) FROM host WHERE typeof(machine_id) = 'blob'"
				       " AND machine_id = x'610062'"),
		1);
}

static void a_store_opened_to_read_changes_nothing(void **state)
{
	static const char *const names[] = { "web01" };
	static const int64_t snapshots[] = { 0 };
	const struct pmuq_forget_options options = { .size = sizeof(options) };
	struct scene *scene = *state;
	struct pmuq_forgotten forgotten = { .size = sizeof(forgotten) };
	struct pmuq_vendors *vendors = NULL;
	struct pmuq_error *error = NULL;
	struct pmuq_store *reader;
	char *before, *after, *trees;
	size_t n = 0, n_after;
	int64_t rows;

	store_save(scene->store, scene->machine, NULL, 1000);
	rows = store_rows(scene->store);
	pmuq_store_free(scene->store);
	before = store_is_on_server() ? NULL : file_bytes(scene->path, &n);
	reader = store_open(scene->path, PMUQ_STORE_READ);
	tree_file(&scene->tree, "vendor/x86/mapfile.csv",
		  "Family-model,Version,Filename,EventType\nGenuineIntel-6-F1,v1,lake,core\n");
	tree_file(&scene->tree, "vendor/x86/lake/a.json",
		  "[{\"EventName\": \"A\", \"EventCode\": \"0x1\"}]\n");
	trees = tree_path(&scene->tree, "vendor");
	expect_no_write(pmuq_store_save(reader, scene->machine, NULL, "new", 1, NULL, &error),
			&error, "save");
	expect_no_write(pmuq_store_begin(reader, &error), &error, "begin");
	expect_no_write(pmuq_store_rename_host(reader, "web01", "b", &error), &error, "rename");
	expect_no_write(
		pmuq_store_forget(reader, names, snapshots, 1, &options, &forgotten, &error),
		&error, "forget");
	expect_no_write(pmuq_store_import_vendor(reader, trees, "v", 1, &vendors, &error), &error,
			"import");
	expect_no_write(pmuq_store_remove_vendor(reader, "v", &error), &error, "remove");
	assert_null(vendors);
	store_expect(reader, "web01", 0, scene->machine);
	pmuq_store_free(reader);
	scene->store = store_open(scene->path, PMUQ_STORE_READ);
	assert_int_equal(store_rows(scene->store), rows);
	if (before) {
		after = file_bytes(scene->path, &n_after);
		assert_int_equal(n_after, n);
		assert_memory_equal(after, before, n);
		free(after);
	}
	free(before);
	free(trees);
}

static void save_tree(struct scene *scene, const char *dir, const char *name)
{
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *catalog = NULL;
	char *path = NULL;

	assert_true(asprintf(&path, "%s/%s", dir, name) > 0);
	assert_int_equal(pmuq_source_open_tree(path, &source, NULL), 0);
	assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL), 0);
	assert_true(store_save(scene->store, catalog, name, 1).is_new);
	assert_false(store_save(scene->store, catalog, name, 2).is_new);
	store_expect(scene->store, name, 0, catalog);
	pmuq_catalog_free(catalog);
	pmuq_source_free(source);
	free(path);
}

static void all_captured_machines_come_back(void **state)
{
	const char *dir = getenv("PMUQ_TEST_MACHINES");
	struct dirent *entry;
	size_t n = 0;
	DIR *list;

	if (!dir)
		skip();
	list = opendir(dir);
	assert_non_null(list);
	while ((entry = readdir(list))) {
		if (entry->d_name[0] == '.')
			continue;
		save_tree(*state, dir, entry->d_name);
		n++;
	}
	closedir(list);
	assert_true(n > 0);
}

#define IN_STORE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest in_store[] = {
		cmocka_unit_test(the_hashed_bytes_are_those_of_the_format),
		IN_STORE(every_version_gives_a_machine_the_same_hash),
		IN_STORE(every_byte_comes_back),
		IN_STORE(an_empty_machine_is_read_back),
		IN_STORE(a_batch_is_saved_completely_or_not_at_all),
		IN_STORE(a_save_that_fails_undoes_the_batch),
		IN_STORE(a_transaction_that_could_not_be_undone_is_undone_by_the_next),
		IN_STORE(a_batch_that_cannot_be_committed_has_an_error),
		IN_STORE(a_path_is_of_the_directory_where_it_was_opened),
		IN_STORE(another_store_and_a_reader_see_it),
		IN_STORE(an_unchanged_machine_adds_only_a_time),
		IN_STORE(a_clock_that_goes_back_keeps_the_last_seen_time),
		IN_STORE(a_time_that_documents_cannot_have_is_refused),
		IN_STORE(a_long_name_is_refused),
		IN_STORE(a_document_brings_both_times),
		IN_STORE(an_older_document_adds_nothing),
		IN_STORE(an_older_document_keeps_the_volatile_facts),
		IN_STORE(times_in_no_order_are_refused),
		IN_STORE(another_boot_makes_no_snapshot),
		IN_STORE(a_changed_format_shares_the_other_definitions),
		IN_STORE(a_change_and_its_reverse_are_three_snapshots),
		IN_STORE(equal_hosts_need_little_space),
		IN_STORE(an_unchanged_host_needs_no_more_space),
		IN_STORE(a_machine_without_a_name_needs_one),
		IN_STORE(a_struct_without_a_size_is_refused),
		IN_STORE(an_unknown_host_hints_at_those_there_are),
		IN_STORE(an_unknown_snapshot_hints_at_the_newest),
		IN_STORE(a_host_without_a_snapshot_is_corrupt),
		IN_STORE(a_time_that_no_document_can_have_is_corrupt),
		IN_STORE(hosts_are_listed_with_their_snapshots),
		IN_STORE(hosts_that_share_a_machine_come_back),
		IN_STORE(more_machines_than_are_kept_come_back),
		IN_STORE(a_query_after_any_number_of_statements_has_its_rows),
		IN_STORE(queued_queries_have_their_rows_in_any_order),
		IN_STORE(rows_that_do_not_fit_memory_are_no_rows),
		IN_STORE(contents_that_are_loaded_are_not_read_again),
		IN_STORE(a_machine_that_was_verified_is_not_read_again),
		IN_STORE(a_content_is_read_once_for_all_that_share_it),
		IN_STORE(a_damaged_host_of_a_known_machine_is_noticed),
		IN_STORE(a_text_that_is_not_utf8_is_marked),
		IN_STORE(a_text_with_a_nul_is_marked),
		IN_STORE(a_store_opened_to_read_changes_nothing),
		IN_STORE(the_views_have_rows),
		IN_STORE(all_captured_machines_come_back),
	};
	struct CMUnitTest tests[COUNT(in_store) + COUNT(change_cases)];
	size_t n = 0;

	for (size_t i = 0; i < COUNT(in_store); i++)
		tests[n++] = in_store[i];
	n += ADD_ROWS(tests + n, test_change, change_cases, name);
	return _cmocka_run_group_tests("store", tests, n, NULL, NULL);
}
