/* SPDX-License-Identifier: MIT */
/*
 * Databases, and files next to them, that other users wrote: a schema that is not pmuq's, work
 * beyond the size of the file, and a journal or a log of an attacker.
 */
#include "db/schema.h"
#include "db/sqlite/sqlite_file.h"
#include "db/statement.h"
#include "tests/harness/failing_malloc.h"
#include "tests/harness/store.h"
#include <sys/wait.h>

/* Another user: only root can give files away. Without root, the test uses files that all can
 * write. */
#define NOBODY 65534

#define PAGE 4096u

struct scene {
	struct tree tree;
	char *path;
	struct pmuq_catalog *machine;
};

static void run_sql(const char *path, const char *sql)
{
	struct pq_sqlite lib;
	sqlite3 *db = NULL;
	int rc;

	assert_int_equal(pq_sqlite_load(&lib, NULL), 0);
	assert_int_equal(lib.open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
	rc = lib.exec(db, sql, NULL, NULL, NULL);
	if (rc != SQLITE_OK)
		fail_msg("%s: %s", sql, lib.errmsg(db));
	lib.close_v2(db);
}

static int set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	struct pmuq_store *store;

	assert_non_null(scene);
	tree_make(&scene->tree);
	assert_int_equal(chmod(scene->tree.dir, 0755), 0);
	scene->path = store_path(&scene->tree);
	scene->machine = machine_catalog(&(struct test_machine){ .hostname = "web01" });
	store = store_open(scene->path, PMUQ_STORE_CREATE);
	store_save(store, scene->machine, NULL, 1);
	pmuq_store_free(store);
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	chmod(scene->tree.dir, 0755);
	pmuq_catalog_free(scene->machine);
	free(scene->path);
	tree_remove(&scene->tree);
	free(scene);
	return 0;
}

static const enum pmuq_store_mode modes[] = { PMUQ_STORE_READ, PMUQ_STORE_WRITE,
					      PMUQ_STORE_CREATE };

static char *refusal(const char *path, enum pmuq_store_mode mode, enum pmuq_code code)
{
	struct pmuq_store *store = NULL;
	struct pmuq_error *error = NULL;
	char *text;
	int r = pmuq_store_open(path, mode, &store, &error);

	if (r == 0)
		fail_msg("opened in mode %d", (int)mode);
	if (r != -(int)code)
		fail_msg("mode %d: code %d, not %d: %s", (int)mode, -r, (int)code,
			 error->message.p);
	assert_true(error->hint.p && *error->hint.p);
	/* No call of the system failed. */
	assert_int_equal(error->errnum, 0);
	text = pmuq_error_format(error);
	pmuq_error_free(error);
	return text;
}

/* Refused in every mode, with a message that contains the word; nothing changes. */
static void expect_refused(const struct scene *scene, enum pmuq_code code, const char *word)
{
	size_t n, n_after;
	char *before = file_bytes(scene->path, &n), *after;

	for (size_t i = 0; i < COUNT(modes); i++) {
		char *text = refusal(scene->path, modes[i], code);

		if (!strstr(text, word))
			fail_msg("\"%s\" is not in: %s", word, text);
		free(text);
		after = file_bytes(scene->path, &n_after);
		assert_int_equal(n_after, n);
		assert_memory_equal(after, before, n);
		free(after);
	}
	free(before);
}

/* ---- the schema */

#define ENDLESS "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i"
#define REWRITE "PRAGMA writable_schema = ON; "
/* SQLite reads the schema again if its version differs. */
#define REWRITTEN "; PRAGMA schema_version = 1000"

static const struct change {
	const char *name, *sql, *word; /* in the message */
	enum pmuq_code code;
} changes[] = {
	{ .name = "an endless view",
	  .sql = "DROP VIEW v_host; CREATE VIEW v_host AS " ENDLESS " AS host FROM n",
	  .word = "'v_host'",
	  .code = PMUQ_E_STORE_FOREIGN },
	{ .name = "a view in place of a table",
	  .sql = "PRAGMA legacy_alter_table = ON; ALTER TABLE host RENAME TO guests;"
		 "CREATE VIEW host AS " ENDLESS " AS id, 'x' AS name, NULL AS machine_id FROM n",
	  .word = "'guests'",
	  .code = PMUQ_E_STORE_FOREIGN },
	{ .name = "a trigger that fills the disk",
	  .sql = "CREATE TRIGGER fill AFTER UPDATE ON snapshot BEGIN INSERT INTO host (name)"
		 " SELECT randomblob(1000000) FROM (" ENDLESS " FROM n); END",
	  .word = "'fill'",
	  .code = PMUQ_E_STORE_FOREIGN },
	{ .name = "a generated column",
	  .sql = "ALTER TABLE host ADD COLUMN big BLOB AS (zeroblob(900000000))",
	  .word = "'host' is not as pmuq made it",
	  .code = PMUQ_E_STORE_FOREIGN },
	{ .name = "an index that computes",
	  .sql = "CREATE INDEX slow ON host (length(name) + 1)",
	  .word = "'slow'",
	  .code = PMUQ_E_STORE_FOREIGN },
	{ .name = "another index for searches",
	  .sql = "CREATE VIRTUAL TABLE vendor_words USING fts5 (name)",
	  .word = "'vendor_words' is not as pmuq made it",
	  .code = PMUQ_E_STORE_FOREIGN },
	{ .name = "a part of an index for searches",
	  .sql = "CREATE TABLE 'vendor_words_data'(id INTEGER PRIMARY KEY, block BLOB)",
	  .word = "missing",
	  .code = PMUQ_E_STORE_CORRUPT },
	{ .name = "a table of SQLite's own",
	  .sql = "ANALYZE",
	  .word = "sqlite_stat",
	  .code = PMUQ_E_STORE_FOREIGN },
	{ .name = "a table without its constraints",
	  .sql = REWRITE
	  "UPDATE sqlite_schema SET sql = replace(sql, 'CHECK (status BETWEEN 0 AND 2)',"
	  " 'CHECK (1)') WHERE name = 'open_result'" REWRITTEN,
	  .word = "'open_result' is not as pmuq made it",
	  .code = PMUQ_E_STORE_FOREIGN },
	{ .name = "a view that hides the schema",
	  .sql = REWRITE
	  "INSERT INTO sqlite_schema VALUES ('view', 'sqlite_schema', 'sqlite_schema', 0,"
	  " 'CREATE VIEW sqlite_schema AS SELECT 1 AS type')" REWRITTEN,
	  .word = "sqlite_schema",
	  .code = PMUQ_E_STORE_CORRUPT },
	{ .name = "no version",
	  .sql = "PRAGMA user_version = 0",
	  .word = "not pmuq's",
	  .code = PMUQ_E_STORE_FOREIGN },
	{ .name = "a missing index",
	  .sql = "DROP INDEX snapshot_by_host",
	  .word = "missing",
	  .code = PMUQ_E_STORE_CORRUPT },
	{ .name = "a name with control characters",
	  .sql = "CREATE TABLE \"\x1b[2J\" (x)",
	  .word = "'\\x1b[2J'",
	  .code = PMUQ_E_STORE_FOREIGN },
};

static void a_schema_that_is_not_pmuqs_is_refused(void **state)
{
	const struct scene *scene = *state;
	size_t n;
	char *bytes = file_bytes(scene->path, &n);

	for (size_t i = 0; i < COUNT(changes); i++) {
		print_message("# %s\n", changes[i].name);
		tree_bytes(&scene->tree, "pmuq.db", bytes, n);
		run_sql(scene->path, changes[i].sql);
		expect_refused(scene, changes[i].code, changes[i].word);
	}
	free(bytes);
}

static void space_in_the_schema_does_not_count(void **state)
{
	const struct scene *scene = *state;
	struct pmuq_store *store;

	run_sql(scene->path, REWRITE "UPDATE sqlite_schema SET sql = replace(sql, char(10, 9),"
				     " '  ')" REWRITTEN);
	store = store_open(scene->path, PMUQ_STORE_READ);
	store_expect(store, "web01", 0, scene->machine);
	pmuq_store_free(store);
	/* Space within a word matters. */
	run_sql(scene->path, REWRITE "UPDATE sqlite_schema SET sql = replace(sql, 'first_seen',"
				     " 'first _seen') WHERE name = 'v_snapshot'" REWRITTEN);
	store_expect_refusal(scene->path, PMUQ_STORE_READ, PMUQ_E_STORE_FOREIGN);
}

/* VACUUM sorts the objects of the schema by their type. */
static void the_order_of_the_schema_does_not_count(void **state)
{
	const struct scene *scene = *state;
	struct pmuq_store *store;

	run_sql(scene->path, "VACUUM");
	store = store_open(scene->path, PMUQ_STORE_WRITE);
	store_expect(store, "web01", 0, scene->machine);
	pmuq_store_free(store);
}

/* A search index of this SQLite is the one that the check expects. */
static void the_index_for_searches_belongs_to_the_schema(void **state)
{
	const struct scene *scene = *state;

	run_sql(scene->path, PQ_SCHEMA_INDEX);
	pmuq_store_free(store_open(scene->path, PMUQ_STORE_READ));
	pmuq_store_free(store_open(scene->path, PMUQ_STORE_WRITE));
}

/* ---- work */

static void put_number(unsigned char *p, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		p[i] = (unsigned char)(value >> (24 - 8 * i));
}

/* A cell of an interior page: the page that it refers to, then what follows. */
struct cell {
	unsigned char rest[64];
	size_t n;
};

/* An interior page whose cells, and last pointer, all refer to one page. */
static void fill_interior(unsigned char *page, unsigned type, uint32_t child,
			  const struct cell *cell)
{
	enum { HEADER = 12 };
	unsigned cells = (unsigned)((PAGE - HEADER) / (cell->n + 6));

	memset(page, 0, PAGE);
	page[0] = (unsigned char)type;
	page[3] = (unsigned char)(cells >> 8);
	page[4] = (unsigned char)cells;
	page[5] = (unsigned char)((PAGE - cells * (cell->n + 4)) >> 8);
	page[6] = (unsigned char)(PAGE - cells * (cell->n + 4));
	put_number(page + 8, child);
	for (unsigned i = 0; i < cells; i++) {
		size_t at = PAGE - (i + 1) * (cell->n + 4);

		page[HEADER + 2 * i] = (unsigned char)(at >> 8);
		page[HEADER + 2 * i + 1] = (unsigned char)at;
		put_number(page + at, child);
		memcpy(page + at + 4, cell->rest, cell->n);
	}
}

/* The first row of a leaf of an index, or the number of a row of a table. */
static struct cell first_cell(const unsigned char *leaf)
{
	size_t at = leaf[8] << 8 | leaf[9];
	struct cell cell = { .rest = { 1 }, .n = 1 };

	if (leaf[0] == 13)
		return cell;
	assert_int_equal(leaf[0], 10);
	cell.n = 1u + leaf[at];
	assert_true(cell.n <= sizeof(cell.rest));
	memcpy(cell.rest, leaf + at, cell.n);
	return cell;
}

/* The table gets dozens of times as many rows with each of the pages that are added. */
static void multiply_rows(const struct scene *scene, const char *table, uint32_t levels)
{
	struct pmuq_store *store = store_open(scene->path, PMUQ_STORE_READ);
	uint32_t root, pages;
	unsigned char *bytes;
	struct cell cell;
	char *sql = NULL;
	unsigned type;
	size_t n;

	assert_true(asprintf(&sql, "SELECT rootpage FROM sqlite_schema WHERE name = '%s'", table) >
		    0);
	root = (uint32_t)store_number(store, sql);
	pmuq_store_free(store);
	bytes = (unsigned char *)file_bytes(scene->path, &n);
	pages = (uint32_t)(n / PAGE);
	bytes = realloc(bytes, n + levels * PAGE);
	assert_non_null(bytes);
	memcpy(bytes + n, bytes + (root - 1) * PAGE, PAGE);
	cell = first_cell(bytes + n);
	type = bytes[n] - 8u;
	for (uint32_t i = 1; i < levels; i++)
		fill_interior(bytes + n + i * PAGE, type, pages + i, &cell);
	fill_interior(bytes + (root - 1) * PAGE, type, pages + levels, &cell);
	put_number(bytes + 28, pages + levels);
	tree_bytes(&scene->tree, "pmuq.db", (char *)bytes, n + levels * PAGE);
	free(bytes);
	free(sql);
}

static void expect_corrupt(int r, struct pmuq_error *error, const char *word)
{
	assert_int_equal(r, -PMUQ_E_STORE_CORRUPT);
	assert_non_null(error->hint.p);
	if (!strstr(error->message.p, word))
		fail_msg("\"%s\" is not in: %s", word, error->message.p);
	pmuq_error_free(error);
}

/* The rows that other rows name are gone. */
static void a_part_that_is_missing_is_an_error(void **state)
{
	static const char *const tables[] = { "layout", "tracepoint_set" };
	const struct scene *scene = *state;
	struct pmuq_store *store;
	char sql[128];

	for (size_t i = 0; i < COUNT(tables); i++) {
		struct pmuq_source *source = NULL;
		struct pmuq_error *error = NULL;
		int r;

		snprintf(sql, sizeof(sql), "PRAGMA foreign_keys = OFF; DELETE FROM %s", tables[i]);
		run_sql(scene->path, sql);
		store = store_open(scene->path, PMUQ_STORE_READ);
		r = pmuq_store_open_host(store, "web01", 0, &source, &error);
		expect_corrupt(r, error, "a part of it is missing");
		assert_null(source);
		pmuq_store_free(store);
	}
}

/* Without a bound the hosts would take years, and the facts all of the memory. */
static void pages_that_are_used_again_end_the_work(void **state)
{
	static const struct {
		const char *table, *word;
	} cases[] = {
		{ "snapshot", "more work" },	   { "snapshot_by_host", "too many rows" },
		{ "host", "too many rows" },	   { "fact", "too many rows" },
		{ "layout_pmu", "too many rows" },
	};
	struct pmuq_hosts_filter filter = { .size = sizeof(filter) };
	const struct scene *scene = *state;
	size_t n;
	char *bytes = file_bytes(scene->path, &n);

	for (size_t i = 0; i < COUNT(cases); i++) {
		struct pmuq_error *error = NULL;
		struct pmuq_source *source = NULL;
		struct pmuq_hosts *hosts = NULL;
		struct pmuq_store *store;
		int r;

		tree_bytes(&scene->tree, "pmuq.db", bytes, n);
		multiply_rows(scene, cases[i].table, 6);
		store = store_open(scene->path, PMUQ_STORE_READ);
		filter.is_newest_only = i == 0;
		if (i < 3)
			r = pmuq_store_list_hosts(store, &filter, &hosts, &error);
		else
			r = pmuq_store_open_host(store, "web01", 0, &source, &error);
		expect_corrupt(r, error, cases[i].word);
		pmuq_store_free(store);
	}
	free(bytes);
}

static void sort_names(struct pmuq_store *store, void *arg)
{
	int64_t n;

	(void)arg;
	pq_sql_number(store,
		      "SELECT length(name) FROM snapshot JOIN host ON host.id = snapshot.host"
		      " ORDER BY name || snapshot.id",
		      PQ_NO_PARAMS, &n);
}

/* 100,000 rows with a long name, in a file of 1 MiB: sorting them would take all of the memory. No
 * query of pmuq's sorts long texts now. */
static void a_sort_has_a_bound(void **state)
{
	const struct scene *scene = *state;
	struct pmuq_error *error = NULL;
	struct pmuq_store *store;
	int r;

	run_sql(scene->path, "UPDATE host SET name = CAST(zeroblob(900000) AS TEXT)");
	multiply_rows(scene, "snapshot_by_host", 2);
	store = store_open(scene->path, PMUQ_STORE_READ);
	r = pq_store_read(store, "cannot sort the names", sort_names, NULL, &error);
	expect_corrupt(r, error, "memory");
	pmuq_store_free(store);
}

static void a_text_without_an_end_is_refused(void **state)
{
	const struct scene *scene = *state;
	struct pmuq_error *error = NULL;
	struct pmuq_hosts *hosts = NULL;
	struct pmuq_store *store;
	int r;

	run_sql(scene->path, "UPDATE host SET name = zeroblob(5000000)");
	store = store_open(scene->path, PMUQ_STORE_READ);
	r = pmuq_store_list_hosts(store, NULL, &hosts, &error);
	expect_corrupt(r, error, "too long");
	pmuq_store_free(store);
}

/* ---- owners of files */

/* Gives the file away; without root, everybody may write to it. */
static void give_away(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	if (geteuid() == 0)
		assert_int_equal(chown(path, NOBODY, NOBODY), 0);
	else
		assert_int_equal(chmod(path, st.st_mode | S_IWGRP | S_IWOTH), 0);
}

static void take_back(const char *path)
{
	assert_int_equal(chown(path, geteuid(), getegid()), 0);
	assert_int_equal(chmod(path, 0600), 0);
}

static void expect_read_only(const struct scene *scene)
{
	struct pmuq_store *store = store_open(scene->path, PMUQ_STORE_READ);

	store_expect(store, "web01", 0, scene->machine);
	assert_true(store->sqlite->is_immutable);
	pmuq_store_free(store);
	free(refusal(scene->path, PMUQ_STORE_WRITE, PMUQ_E_STORE_OPEN));
	free(refusal(scene->path, PMUQ_STORE_CREATE, PMUQ_E_STORE_OPEN));
	assert_false(file_exists(scene->path, "-wal"));
	assert_false(file_exists(scene->path, "-shm"));
	assert_false(file_exists(scene->path, "-journal"));
}

static void a_file_of_others_is_only_read(void **state)
{
	const struct scene *scene = *state;

	give_away(scene->path);
	expect_read_only(scene);
	take_back(scene->path);
	assert_int_equal(chmod(scene->path, 0620), 0);
	expect_read_only(scene);
	assert_int_equal(chmod(scene->path, 0602), 0);
	expect_read_only(scene);
}

static void a_file_in_a_directory_of_others_is_only_read(void **state)
{
	static const mode_t open_modes[] = { 0775, 0757, 01777 };
	const struct scene *scene = *state;

	for (size_t i = 0; i < COUNT(open_modes); i++) {
		assert_int_equal(chmod(scene->tree.dir, open_modes[i]), 0);
		expect_read_only(scene);
	}
	assert_int_equal(chmod(scene->tree.dir, 0755), 0);
	give_away(scene->tree.dir);
	expect_read_only(scene);
	assert_int_equal(chown(scene->tree.dir, geteuid(), getegid()), 0);
}

static void no_database_is_created_in_a_directory_of_others(void **state)
{
	const struct scene *scene = *state;
	char *path = tree_path(&scene->tree, "new.db");

	assert_int_equal(chmod(scene->tree.dir, 01777), 0);
	free(refusal(path, PMUQ_STORE_CREATE, PMUQ_E_STORE_OPEN));
	assert_false(file_exists(path, ""));
	free(path);
}

/* A rollback journal that makes SQLite delete a file, as the list of journals of a transaction over
 * several databases. */
static void plant_journal(const struct scene *scene, const char *victim)
{
	static const unsigned char magic[] = { 0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7 };
	enum { SECTOR = 512, LOCK_PAGE = 0x40000000 / PAGE + 1 };
	unsigned char bytes[SECTOR + 4096] = { 0 };
	size_t n = strlen(victim), n_database, at = SECTOR;
	uint32_t sum = 0;

	free(file_bytes(scene->path, &n_database));
	memcpy(bytes, magic, sizeof(magic));
	put_number(bytes + 16, (uint32_t)(n_database / PAGE));
	put_number(bytes + 20, SECTOR);
	put_number(bytes + 24, PAGE);
	put_number(bytes + at, LOCK_PAGE);
	memcpy(bytes + at + 4, victim, n);
	for (size_t i = 0; i < n; i++)
		sum += (uint32_t)victim[i];
	put_number(bytes + at + 4 + n, (uint32_t)n);
	put_number(bytes + at + 8 + n, sum);
	memcpy(bytes + at + 12 + n, magic, sizeof(magic));
	tree_bytes(&scene->tree, "pmuq.db-journal", (char *)bytes, at + 20 + n);
}

static void a_planted_journal_deletes_nothing(void **state)
{
	/* SQLite 3.53 deletes a file only if it is named like such a list and lists the journal. */
	static const char name[] = "pmuq.db-mj012345967";
	const struct scene *scene = *state;
	char *victim = tree_path(&scene->tree, name);
	char *journal = tree_path(&scene->tree, "pmuq.db-journal");

	tree_file(&scene->tree, name, journal);
	/* The mode of a database without a log: with one, SQLite ignores journals. */
	run_sql(scene->path, "PRAGMA journal_mode = DELETE");
	plant_journal(scene, victim);
	give_away(journal);
	expect_refused(scene, PMUQ_E_STORE_OPEN,
		       geteuid() == 0 ? "pmuq.db-journal belongs to another user (uid 65534)"
				      : "other users can write to ");
	assert_true(file_exists(victim, ""));
	/* The directory lets others plant it: the journal is not read at all. */
	assert_int_equal(chmod(scene->tree.dir, 0777), 0);
	take_back(journal);
	pmuq_store_free(store_open(scene->path, PMUQ_STORE_READ));
	free(refusal(scene->path, PMUQ_STORE_WRITE, PMUQ_E_STORE_OPEN));
	assert_true(file_exists(victim, ""));
	/* It is a valid journal: SQLite uses it. */
	run_sql(scene->path, "UPDATE host SET machine_id = NULL");
	assert_false(file_exists(victim, ""));
	free(victim);
	free(journal);
}

/* A log that renames the host, left by a writer that does not close. */
static void plant_log(const struct scene *scene)
{
	struct pmuq_store *store;
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0) {
		store = store_open(scene->path, PMUQ_STORE_WRITE);
		_exit(store_exec(store, "UPDATE host SET name = 'planted'") != 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_true(file_exists(scene->path, "-wal"));
}

static void a_planted_log_is_not_believed(void **state)
{
	const struct scene *scene = *state;
	char *log = tree_path(&scene->tree, "pmuq.db-wal");
	char *shared = tree_path(&scene->tree, "pmuq.db-shm");
	struct pmuq_store *store;

	plant_log(scene);
	give_away(log);
	expect_refused(scene, PMUQ_E_STORE_OPEN, "pmuq.db-wal");
	take_back(log);
	give_away(shared);
	expect_refused(scene, PMUQ_E_STORE_OPEN, "pmuq.db-shm");
	take_back(shared);
	assert_int_equal(chmod(log, 0620), 0);
	expect_refused(scene, PMUQ_E_STORE_OPEN, "other users can write to ");
	take_back(log);
	/* Ignored next to a foreign file. */
	assert_int_equal(chmod(scene->tree.dir, 0777), 0);
	store = store_open(scene->path, PMUQ_STORE_READ);
	store_expect(store, "web01", 0, scene->machine);
	pmuq_store_free(store);
	/* A log of our own is used. */
	assert_int_equal(chmod(scene->tree.dir, 0755), 0);
	store = store_open(scene->path, PMUQ_STORE_READ);
	store_expect(store, "planted", 0, scene->machine);
	pmuq_store_free(store);
	free(log);
	free(shared);
}

static void a_link_next_to_the_database_is_not_followed(void **state)
{
	static const char *const endings[] = { "-journal", "-wal", "-shm" };
	const struct scene *scene = *state;

	tree_file(&scene->tree, "target", "precious");
	for (size_t i = 0; i < COUNT(endings); i++) {
		char *path = NULL;

		assert_true(asprintf(&path, "%s%s", scene->path, endings[i]) > 0);
		assert_int_equal(symlink("target", path), 0);
		expect_refused(scene, PMUQ_E_STORE_OPEN, endings[i]);
		expect_refused(scene, PMUQ_E_STORE_OPEN, "is not a regular file");
		assert_int_equal(unlink(path), 0);
		free(path);
	}
}

/* What could not be checked is not believed. */
static void nothing_planted_is_opened_without_memory(void **state)
{
	static const char *const endings[] = { "-journal", "-wal", "-shm" };
	const struct scene *scene = *state;

	for (size_t i = 0; i < COUNT(endings); i++) {
		bool has_failed = true;
		char *path = NULL;

		assert_true(asprintf(&path, "%s%s", scene->path, endings[i]) > 0);
		assert_int_equal(symlink("target", path), 0);
		for (unsigned n = 0; has_failed; n++) {
			struct pmuq_store *store = NULL;

			fail_malloc_at(n);
			assert_true(pmuq_store_open(scene->path, PMUQ_STORE_READ, &store, NULL) <
				    0);
			has_failed = fail_malloc_no_more();
			assert_null(store);
		}
		assert_int_equal(unlink(path), 0);
		free(path);
	}
}

static mode_t mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 07777;
}

static void others_cannot_read_what_is_created(void **state)
{
	static const mode_t umasks[] = { 0, 022, 077, 0277 };
	const struct scene *scene = *state;

	for (size_t i = 0; i < COUNT(umasks); i++) {
		char *directory = NULL, *path = NULL, *log = NULL;
		mode_t before = umask(umasks[i]);
		struct pmuq_store *store;

		assert_true(asprintf(&directory, "%s/made%zu", scene->tree.dir, i) > 0);
		assert_true(asprintf(&path, "%s/pmuq.db", directory) > 0);
		assert_true(asprintf(&log, "%s-wal", path) > 0);
		store = store_open(path, PMUQ_STORE_CREATE);
		store_save(store, scene->machine, NULL, 1);
		assert_int_equal(mode_of(directory), (0750 & ~umasks[i]) | 0700);
		assert_int_equal(mode_of(path), 0600);
		assert_int_equal(mode_of(log), 0600);
		pmuq_store_free(store);
		umask(before);
		free(directory);
		free(path);
		free(log);
	}
}

/* The directory that counts is that of the target. */
static void the_target_of_a_link_is_created(void **state)
{
	const struct scene *scene = *state;
	char *target = tree_path(&scene->tree, "there/target.db");
	char *directory = tree_path(&scene->tree, "there");
	char *link = tree_path(&scene->tree, "link.db"), *first = tree_path(&scene->tree, "first");
	mode_t before = umask(0);

	tree_file(&scene->tree, "there/other", "");
	assert_int_equal(symlink("there/target.db", link), 0);
	assert_int_equal(symlink(link, first), 0);
	assert_int_equal(chmod(directory, 0777), 0);
	store_expect_refusal(first, PMUQ_STORE_CREATE, PMUQ_E_STORE_OPEN);
	assert_false(file_exists(target, ""));
	assert_int_equal(chmod(directory, 0755), 0);
	pmuq_store_free(store_open(first, PMUQ_STORE_CREATE));
	assert_int_equal(mode_of(target), 0600);
	umask(before);
	free(target);
	free(directory);
	free(link);
	free(first);
}

#define IN_STORE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_STORE(a_schema_that_is_not_pmuqs_is_refused),
		IN_STORE(space_in_the_schema_does_not_count),
		IN_STORE(the_order_of_the_schema_does_not_count),
		IN_STORE(the_index_for_searches_belongs_to_the_schema),
		IN_STORE(a_part_that_is_missing_is_an_error),
		IN_STORE(pages_that_are_used_again_end_the_work),
		IN_STORE(a_sort_has_a_bound),
		IN_STORE(a_text_without_an_end_is_refused),
		IN_STORE(a_file_of_others_is_only_read),
		IN_STORE(a_file_in_a_directory_of_others_is_only_read),
		IN_STORE(no_database_is_created_in_a_directory_of_others),
		IN_STORE(a_planted_journal_deletes_nothing),
		IN_STORE(a_planted_log_is_not_believed),
		IN_STORE(nothing_planted_is_opened_without_memory),
		IN_STORE(a_link_next_to_the_database_is_not_followed),
		IN_STORE(others_cannot_read_what_is_created),
		IN_STORE(the_target_of_a_link_is_created),
	};

	return _cmocka_run_group_tests("store_foreign", tests, COUNT(tests), NULL, NULL);
}
