/* SPDX-License-Identifier: MIT */
/* Opening: pmuq distinguishes its own databases from other files, and never changes the others. */
#include "db/schema.h"
#include "db/sqlite/guard.h"
#include "db/statement.h"
#include "tests/harness/names.h"
#include "tests/harness/store.h"
#include <sys/wait.h>
#include <time.h>

/* A user for whom permissions count, unlike root. */
#define NOBODY 65534

struct scene {
	struct tree tree;
	char *path;
};

static int set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	assert_non_null(scene);
	tree_make(&scene->tree);
	assert_int_equal(chmod(scene->tree.dir, 0755), 0);
	scene->path = store_path(&scene->tree);
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	chmod(scene->tree.dir, 0755);
	free(scene->path);
	tree_remove(&scene->tree);
	free(scene);
	return 0;
}

static void make_store(const struct scene *scene)
{
	struct pmuq_catalog *machine =
		machine_catalog(&(struct test_machine){ .hostname = "web01" });
	struct pmuq_store *store = store_open(scene->path, PMUQ_STORE_CREATE);

	store_save(store, machine, NULL, 1000);
	pmuq_store_free(store);
	pmuq_catalog_free(machine);
}

static const enum pmuq_store_mode modes[] = { PMUQ_STORE_READ, PMUQ_STORE_WRITE,
					      PMUQ_STORE_CREATE };

/* Refused in every mode; the file is unchanged, and no other file was created. */
static void expect_untouched(const struct scene *scene, enum pmuq_code code)
{
	size_t n, n_after;
	char *before = file_bytes(scene->path, &n), *after;

	for (size_t i = 0; i < COUNT(modes); i++) {
		store_expect_refusal(scene->path, modes[i], code);
		after = file_bytes(scene->path, &n_after);
		assert_int_equal(n_after, n);
		assert_memory_equal(after, before, n);
		free(after);
		assert_false(file_exists(scene->path, "-wal"));
		assert_false(file_exists(scene->path, "-shm"));
		assert_false(file_exists(scene->path, "-journal"));
	}
	free(before);
}

static void run_sql(const struct scene *scene, const char *sql)
{
	struct pq_sqlite lib;
	sqlite3 *db = NULL;

	assert_int_equal(pq_sqlite_load(&lib, NULL), 0);
	assert_int_equal(
		lib.open_v2(scene->path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL),
		SQLITE_OK);
	assert_int_equal(lib.exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	lib.close_v2(db);
}

/* The message is what is wrong, the hint what to do. */
static void expect_words(const char *path, int errnum, const char *message, const char *hint)
{
	struct pmuq_store *store = NULL;
	struct pmuq_error *error = NULL;

	assert_true(pmuq_store_open(path, PMUQ_STORE_READ, &store, &error) < 0);
	assert_string_equal(error->message.p, message);
	assert_int_equal(error->errnum, errnum);
	assert_non_null(strstr(error->hint.p, hint));
	pmuq_error_free(error);
}

static void a_missing_file_is_created_only_in_create_mode(void **state)
{
	struct scene *scene = *state;

	expect_words(scene->path, ENOENT, "cannot open the database: there is no such file",
		     "`pmuq scan` creates a database");
	store_expect_refusal(scene->path, PMUQ_STORE_READ, PMUQ_E_STORE_OPEN);
	store_expect_refusal(scene->path, PMUQ_STORE_WRITE, PMUQ_E_STORE_OPEN);
	assert_false(file_exists(scene->path, ""));
	pmuq_store_free(store_open(scene->path, PMUQ_STORE_CREATE));
	assert_true(file_exists(scene->path, ""));
	assert_false(file_exists(scene->path, "-wal"));
}

static void missing_directories_are_created(void **state)
{
	struct scene *scene = *state;
	char *path = tree_path(&scene->tree, "a/b//c/odd ?name#%41&mode=memory.db");

	store_expect_refusal(path, PMUQ_STORE_WRITE, PMUQ_E_STORE_OPEN);
	pmuq_store_free(store_open(path, PMUQ_STORE_CREATE));
	assert_true(file_exists(path, ""));
	pmuq_store_free(store_open(path, PMUQ_STORE_READ));
	free(path);
}

static void names_that_sqlite_takes_for_its_own_are_files(void **state)
{
	static const char *const names[] = { ":memory:", "file:x.db?mode=memory" };
	struct scene *scene = *state;
	char *before = getcwd(NULL, 0);

	assert_int_equal(chdir(scene->tree.dir), 0);
	for (size_t i = 0; i < COUNT(names); i++) {
		pmuq_store_free(store_open(names[i], PMUQ_STORE_CREATE));
		assert_true(file_exists(names[i], ""));
		pmuq_store_free(store_open(names[i], PMUQ_STORE_READ));
	}
	assert_int_equal(chdir(before), 0);
	free(before);
}

static void an_empty_file_is_used_only_in_create_mode(void **state)
{
	struct scene *scene = *state;

	tree_file(&scene->tree, "pmuq.db", "");
	expect_words(scene->path, 0, "cannot open the database: the file is empty",
		     "`pmuq scan` creates a database");
	store_expect_refusal(scene->path, PMUQ_STORE_READ, PMUQ_E_STORE_OPEN);
	store_expect_refusal(scene->path, PMUQ_STORE_WRITE, PMUQ_E_STORE_OPEN);
	make_store(scene);
	pmuq_store_free(store_open(scene->path, PMUQ_STORE_READ));
}

static void another_type_of_file_is_not_touched(void **state)
{
	struct scene *scene = *state;
	char *inside = tree_path(&scene->tree, "pmuq.db/x.db");
	struct pmuq_store *store = NULL;
	struct pmuq_error *error = NULL;

	tree_file(&scene->tree, "pmuq.db", "Dear diary,\n");
	expect_untouched(scene, PMUQ_E_STORE_FOREIGN);
	store_expect_refusal(inside, PMUQ_STORE_CREATE, PMUQ_E_STORE_OPEN);
	assert_true(pmuq_store_open(inside, PMUQ_STORE_READ, &store, &error) < 0);
	assert_string_equal(error->message.p,
			    "cannot open the database: a component of the path is not a directory");
	assert_int_equal(error->errnum, ENOTDIR);
	pmuq_error_free(error);
	free(inside);
}

/* It has the ids of a database of pmuq, but begins with other bytes. */
static void a_file_with_the_ids_alone_is_not_a_database(void **state)
{
	struct scene *scene = *state;
	char *bytes;
	size_t n;

	make_store(scene);
	bytes = file_bytes(scene->path, &n);
	bytes[0] = 's';
	tree_bytes(&scene->tree, "pmuq.db", bytes, n);
	expect_untouched(scene, PMUQ_E_STORE_FOREIGN);
	free(bytes);
}

static void a_path_that_is_not_a_file_is_refused(void **state)
{
	struct scene *scene = *state;
	char *fifo = tree_path(&scene->tree, "fifo");
	struct pmuq_store *store = NULL;
	struct pmuq_error *error = NULL;

	tree_fifo(&scene->tree, "fifo");
	expect_words(scene->tree.dir, EISDIR, "cannot open the database: it is a directory",
		     "name a file in it");
	assert_true(pmuq_store_open(fifo, PMUQ_STORE_READ, &store, &error) < 0);
	assert_string_equal(error->message.p, "cannot open the database: it is not a regular file");
	pmuq_error_free(error);
	for (size_t i = 0; i < COUNT(modes); i++) {
		store_expect_refusal(scene->tree.dir, modes[i], PMUQ_E_STORE_OPEN);
		store_expect_refusal(fifo, modes[i], PMUQ_E_STORE_OPEN);
	}
	free(fifo);
}

static void a_database_of_others_is_not_touched(void **state)
{
	struct scene *scene = *state;

	run_sql(scene, "PRAGMA journal_mode = WAL; CREATE TABLE other (name);"
		       "INSERT INTO other VALUES ('here')");
	expect_untouched(scene, PMUQ_E_STORE_FOREIGN);
}

static void a_database_of_others_without_tables_is_not_touched(void **state)
{
	struct scene *scene = *state;

	run_sql(scene, "PRAGMA application_id = 7; PRAGMA user_version = 1");
	expect_untouched(scene, PMUQ_E_STORE_FOREIGN);
}

static void a_newer_database_is_not_touched(void **state)
{
	struct scene *scene = *state;
	char want[128];

	make_store(scene);
	run_sql(scene, "PRAGMA user_version = 1000");
	expect_untouched(scene, PMUQ_E_STORE_NEWER);
	snprintf(want, sizeof(want),
		 "the database has schema 1000, and this pmuq supports schemas up to %u",
		 pq_schema.n);
	expect_words(scene->path, 0, want, "use the pmuq that wrote it");
}

/* What a writer that was killed has left in the log. */
static void leave_in_log(const struct scene *scene, const char *sql)
{
	struct pmuq_store *writer = store_open(scene->path, PMUQ_STORE_WRITE);

	assert_int_equal(store_exec(writer, sql), 0);
	writer->sqlite->lib.db_config(writer->sqlite->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1,
				      (int *)NULL);
	pmuq_store_free(writer);
}

/* The file alone would be accepted: the log counts. */
static void a_database_with_a_log_that_is_not_pmuqs_is_not_merged(void **state)
{
	static const struct {
		const char *sql;
		enum pmuq_code code;
	} rows[] = {
		{ "PRAGMA user_version = 1000", PMUQ_E_STORE_NEWER },
		{ "CREATE TABLE other (name)", PMUQ_E_STORE_FOREIGN },
	};
	struct scene *scene = *state;
	char *wal = tree_path(&scene->tree, "pmuq.db-wal");

	for (size_t k = 0; k < COUNT(rows); k++) {
		char *before, *after, *log, *log_after;
		size_t n, n_after, n_log, n_log_after;

		make_store(scene);
		leave_in_log(scene, rows[k].sql);
		before = file_bytes(scene->path, &n);
		log = file_bytes(wal, &n_log);
		assert_true(n_log > 0);
		for (size_t i = 0; i < COUNT(modes); i++) {
			store_expect_refusal(scene->path, modes[i], rows[k].code);
			after = file_bytes(scene->path, &n_after);
			log_after = file_bytes(wal, &n_log_after);
			assert_int_equal(n_after, n);
			assert_memory_equal(after, before, n);
			assert_int_equal(n_log_after, n_log);
			assert_memory_equal(log_after, log, n_log);
			free(after);
			free(log_after);
		}
		free(before);
		free(log);
		assert_int_equal(unlink(scene->path), 0);
		assert_int_equal(unlink(wal), 0);
	}
	free(wal);
}

static void a_truncated_database_is_not_touched(void **state)
{
	struct scene *scene = *state;
	size_t n;

	make_store(scene);
	free(file_bytes(scene->path, &n));
	assert_int_equal(truncate(scene->path, (off_t)n / 2), 0);
	expect_untouched(scene, PMUQ_E_STORE_CORRUPT);
	assert_int_equal(truncate(scene->path, 60), 0);
	expect_untouched(scene, PMUQ_E_STORE_FOREIGN);
}

/* Gives the catalog as it was saved, or an error; never another catalog. */
static void read_damaged(const struct scene *scene, const struct pmuq_catalog *want,
			 bool *ret_found)
{
	struct pmuq_source *source = NULL;
	struct pmuq_store *store = NULL;
	struct pmuq_catalog *found = NULL;
	char *difference;
	int r = pmuq_store_open(scene->path, PMUQ_STORE_READ, &store, NULL);

	if (r == 0)
		r = pmuq_store_open_host(store, "web01", 0, &source, NULL);
	if (r == 0) {
		assert_int_equal(pmuq_source_read_catalog(source, &found, NULL), 0);
		difference = catalog_difference(want, found);
		if (difference)
			fail_msg("%s", difference);
		pmuq_catalog_free(found);
	} else if (r != -PMUQ_E_UNKNOWN_HOST && r != -PMUQ_E_STORE_FOREIGN &&
		   r != -PMUQ_E_STORE_NEWER && r != -PMUQ_E_STORE_OPEN) {
		assert_int_equal(r, -PMUQ_E_STORE_CORRUPT);
	}
	*ret_found = r != 0;
	pmuq_source_free(source);
	pmuq_store_free(store);
}

static void flipped_bytes_give_the_same_catalog_or_an_error(void **state)
{
	enum { FLIPS = 300 };
	struct scene *scene = *state;
	struct pmuq_catalog *machine =
		machine_catalog(&(struct test_machine){ .hostname = "web01" });
	size_t n, found = 0;
	char *bytes;

	make_store(scene);
	bytes = file_bytes(scene->path, &n);
	for (size_t i = 0; i < FLIPS; i++) {
		size_t at = (i * 7919 + 100) % n;
		bool is_found;

		bytes[at] ^= (char)(1 + i % 255);
		tree_bytes(&scene->tree, "pmuq.db", bytes, n);
		read_damaged(scene, machine, &is_found);
		found += is_found;
		bytes[at] ^= (char)(1 + i % 255);
	}
	assert_true(found > 0);
	free(bytes);
	pmuq_catalog_free(machine);
}

static void a_changed_text_is_noticed(void **state)
{
	/* A text of a content, and one of the host alone. */
	static const char *const changes[] = {
		"UPDATE definition_event SET terms = 'event=0x3d' WHERE name = 'cycles'",
		"UPDATE snapshot_fact SET text = 'web02' WHERE name = 'hostname'",
		/* A hash that has a byte too many. */
		("PRAGMA ignore_check_constraints = ON;"
		 "UPDATE snapshot SET hash = CAST(hash || x'00' AS BLOB)"),
	};

	for (size_t i = 0; i < COUNT(changes); i++) {
		struct scene *scene = *state;
		struct pmuq_source *source = NULL;
		struct pmuq_store *store;

		make_store(scene);
		run_sql(scene, changes[i]);
		store = store_open(scene->path, PMUQ_STORE_READ);
		assert_int_equal(pmuq_store_open_host(store, "web01", 0, &source, NULL),
				 -PMUQ_E_STORE_CORRUPT);
		pmuq_store_free(store);
		assert_int_equal(unlink(scene->path), 0);
	}
}

static void a_changed_fact_is_noticed_by_a_list(void **state)
{
	struct scene *scene = *state;
	struct pmuq_hosts *hosts = NULL;
	struct pmuq_store *store;

	make_store(scene);
	run_sql(scene, "UPDATE fact SET text = '9.9' WHERE name = 'kernel'");
	store = store_open(scene->path, PMUQ_STORE_READ);
	assert_int_equal(pmuq_store_list_hosts(store, NULL, &hosts, NULL), -PMUQ_E_STORE_CORRUPT);
	assert_null(hosts);
	pmuq_store_free(store);
}

/* Fails the test unless a change of the file would now show in its time. */
static void expect_old(const char *path)
{
	const int64_t tick_ns = 10000000;
	struct timespec now;
	struct stat st;

	clock_gettime(CLOCK_REALTIME, &now);
	assert_int_equal(stat(path, &st), 0);
	assert_true((now.tv_sec - st.st_mtim.tv_sec) * INT64_C(1000000000) + now.tv_nsec -
			    st.st_mtim.tv_nsec >=
		    tick_ns);
}

static void a_file_that_just_changed_is_read_later(void **state)
{
	struct scene *scene = *state;

	make_store(scene);
	for (unsigned i = 0; i < 5; i++) {
		struct pmuq_store *store;

		assert_int_equal(utimensat(AT_FDCWD, scene->path, NULL, 0), 0);
		store = store_open(scene->path, PMUQ_STORE_READ);
		expect_old(scene->path);
		pmuq_store_free(store);
	}
}

/* A writer may be changing it. */
static void a_file_that_just_changed_is_called_corrupt_later(void **state)
{
	struct scene *scene = *state;

	make_store(scene);
	assert_int_equal(truncate(scene->path, 8192), 0);
	for (unsigned i = 0; i < 5; i++) {
		assert_int_equal(utimensat(AT_FDCWD, scene->path, NULL, 0), 0);
		store_expect_refusal(scene->path, PMUQ_STORE_WRITE, PMUQ_E_STORE_CORRUPT);
		expect_old(scene->path);
	}
}

/* A writer between two reads: the first statement finds a corrupt file, and the file changes. */
static struct {
	const char *path; /* NULL: it was there */
	int (*prepare)(sqlite3 *db, const char *sql, int bytes, unsigned flags, sqlite3_stmt **ret,
		       const char **ret_rest);
} meanwhile;

static int prepare_while_writing(sqlite3 *db, const char *sql, int bytes, unsigned flags,
				 sqlite3_stmt **ret, const char **ret_rest)
{
	if (!meanwhile.path)
		return meanwhile.prepare(db, sql, bytes, flags, ret, ret_rest);
	assert_int_equal(utimensat(AT_FDCWD, meanwhile.path, NULL, 0), 0);
	meanwhile.path = NULL;
	return SQLITE_CORRUPT;
}

static void a_file_is_not_corrupt_if_a_writer_changed_it_meanwhile(void **state)
{
	static const struct timespec long_ago[2] = { { 1, 0 }, { 1, 0 } };
	struct scene *scene = *state;
	struct pmuq_error *error = NULL;
	struct pmuq_store *store;

	make_store(scene);
	assert_int_equal(utimensat(AT_FDCWD, scene->path, long_ago, 0), 0);
	store = store_open(scene->path, PMUQ_STORE_WRITE);
	pq_store_disconnect(store);
	meanwhile.path = scene->path;
	meanwhile.prepare = store->sqlite->lib.prepare_v3;
	store->sqlite->lib.prepare_v3 = prepare_while_writing;
	pq_store_begin_call(store, "cannot open the database", &error);
	pq_store_connect(store);
	assert_int_equal(pq_store_end_call(store), 0);
	assert_null(meanwhile.path);
	assert_null(error);
	assert_int_equal(store_number(store, "SELECT count(*) FROM host"), 1);
	pmuq_store_free(store);
}

static void change(struct pmuq_store *store, void *n_tries)
{
	++*(unsigned *)n_tries;
	assert_int_equal(utimensat(AT_FDCWD, store->sqlite->path, NULL, 0), 0);
}

/* Without locks it would never come to an end. */
static void a_reader_that_is_always_disturbed_takes_locks(void **state)
{
	struct scene *scene = *state;
	struct pmuq_store *store;
	unsigned n_tries = 0;

	make_store(scene);
	store = store_open(scene->path, PMUQ_STORE_READ);
	assert_true(store->sqlite->is_immutable);
	assert_int_equal(pq_store_read(store, "cannot read", change, &n_tries, NULL), 0);
	assert_int_equal(n_tries, 11);
	assert_false(store->sqlite->is_immutable);
	pmuq_store_free(store);
}

static void an_error_is_untouched_if_there_is_none(void **state)
{
	struct scene *scene = *state;
	struct pmuq_error *error = (struct pmuq_error *)scene;

	make_store(scene);
	for (size_t i = 0; i < COUNT(modes); i++) {
		struct pmuq_store *store = NULL;

		assert_int_equal(pmuq_store_open(scene->path, modes[i], &store, &error), 0);
		assert_ptr_equal(error, scene);
		pmuq_store_free(store);
	}
}

static int refuse_switch(sqlite3 *db, int op, ...)
{
	(void)db;
	return op == SQLITE_DBCONFIG_DEFENSIVE ? SQLITE_ERROR : SQLITE_OK;
}

/* A library without one of the switches that protect from a foreign file. */
static void a_file_is_not_opened_without_its_guards(void **state)
{
	struct scene *scene = *state;
	struct pmuq_error *error = NULL;
	struct pmuq_store *store;

	make_store(scene);
	store = store_open(scene->path, PMUQ_STORE_READ);
	store->sqlite->lib.db_config = refuse_switch;
	pq_store_begin_call(store, "cannot open the database", &error);
	pq_guard_connection(store);
	assert_true(pq_store_end_call(store) < 0);
	assert_non_null(error);
	pmuq_error_free(error);
	pmuq_store_free(store);
}

/* A file of cycles must not keep a reader busy for ever; a writer trusts its file. */
static void all_statements_of_a_reader_share_its_steps(void **state)
{
	struct scene *scene = *state;

	make_store(scene);
	for (size_t i = 0; i < COUNT(modes); i++) {
		struct pmuq_store *store = store_open(scene->path, modes[i]);
		struct pmuq_hosts *hosts = NULL;
		int64_t number = 0;

		store->sqlite->steps_left = 7;
		assert_true(pq_sql_number(store, "SELECT 5", PQ_NO_PARAMS, &number));
		assert_int_equal(number, 5);
		assert_int_equal(store->sqlite->steps_left,
				 modes[i] == PMUQ_STORE_READ ? 7 : store->sqlite->steps_max);
		/* The next transaction has all of them. */
		assert_int_equal(pmuq_store_list_hosts(store, NULL, &hosts, NULL), 0);
		assert_true(store->sqlite->steps_left > 7);
		pmuq_hosts_free(hosts);
		pmuq_store_free(store);
	}
}

static void missing_tables_are_detected(void **state)
{
	struct scene *scene = *state;

	make_store(scene);
	run_sql(scene, "DROP TABLE definition_event");
	expect_untouched(scene, PMUQ_E_STORE_CORRUPT);
}

static void readers_do_not_save(void **state)
{
	struct scene *scene = *state;
	struct pmuq_catalog *machine = machine_catalog(&(struct test_machine){ .hostname = "x" });
	struct pmuq_error *error = NULL;
	struct pmuq_store *store;

	make_store(scene);
	store = store_open(scene->path, PMUQ_STORE_READ);
	assert_int_equal(pmuq_store_save(store, machine, NULL, NULL, 1, NULL, &error),
			 -PMUQ_E_STORE_WRITE);
	assert_int_equal(error->errnum, 0);
	pmuq_error_free(error);
	pmuq_store_free(store);
	pmuq_catalog_free(machine);
	assert_false(file_exists(scene->path, "-wal"));
	assert_false(file_exists(scene->path, "-shm"));
}

/* An open reader finds what a writer adds meanwhile, merged or not. */
static void readers_see_what_writers_add(void **state)
{
	struct scene *scene = *state;
	struct pmuq_catalog *machine =
		machine_catalog(&(struct test_machine){ .hostname = "late" });
	struct pmuq_store *reader, *writer;
	size_t n_files = count_descriptors();

	make_store(scene);
	reader = store_open(scene->path, PMUQ_STORE_READ);
	assert_true(reader->sqlite->is_immutable);
	writer = store_open(scene->path, PMUQ_STORE_WRITE);
	store_save(writer, machine, "late", 1);
	store_expect(reader, "late", 0, machine);
	assert_false(reader->sqlite->is_immutable);
	store_save(writer, machine, "later", 1);
	pmuq_store_free(writer);
	store_expect(reader, "later", 0, machine);
	pmuq_store_free(reader);
	pmuq_catalog_free(machine);
	/* The connections that were replaced are closed. */
	assert_int_equal(count_descriptors(), n_files);
}

/* Runs in a child that is not root; the exit status is 0 if all is right. */
static void the_build_info_names_the_schema_and_the_library(void **state)
{
	auto_free char *info = pmuq_build_info();

	(void)state;
	assert_non_null(info);
	assert_non_null(strstr(info, "store schema: "));
	assert_non_null(strstr(info, "libsqlite3: 3."));
	assert_null(strstr(info, "not found"));
}

static void as_nobody(const struct scene *scene, int (*work)(const struct scene *scene))
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0) {
		if (geteuid() == 0 && setresuid(NOBODY, NOBODY, NOBODY) < 0)
			_exit(99);
		_exit(work(scene));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
}

static int open_as(const struct scene *scene, enum pmuq_store_mode mode)
{
	struct pmuq_store *store = NULL;
	int r = pmuq_store_open(scene->path, mode, &store, NULL);

	pmuq_store_free(store);
	return -r;
}

static int read_host(const struct scene *scene)
{
	struct pmuq_source *source = NULL;
	struct pmuq_store *store = NULL;
	int r = pmuq_store_open(scene->path, PMUQ_STORE_READ, &store, NULL);

	if (r == 0)
		r = pmuq_store_open_host(store, "web01", 0, &source, NULL);
	pmuq_source_free(source);
	pmuq_store_free(store);
	return -r;
}

static int cannot_read(const struct scene *scene)
{
	return open_as(scene, PMUQ_STORE_READ) != PMUQ_E_STORE_OPEN;
}

static int cannot_write(const struct scene *scene)
{
	return open_as(scene, PMUQ_STORE_WRITE) != PMUQ_E_STORE_OPEN ||
	       open_as(scene, PMUQ_STORE_CREATE) != PMUQ_E_STORE_OPEN;
}

static int is_refused_with_a_hint(const struct scene *scene)
{
	struct pmuq_store *store = NULL;
	struct pmuq_error *error = NULL;
	int r = pmuq_store_open(scene->path, PMUQ_STORE_WRITE, &store, &error);
	bool is_right = r == -PMUQ_E_STORE_OPEN && error->errnum == EACCES &&
			strcmp(error->hint.p, "the file must be writable") == 0;

	pmuq_error_free(error);
	return !is_right;
}

static void a_directory_that_cannot_be_written_can_be_read(void **state)
{
	struct scene *scene = *state;

	make_store(scene);
	assert_int_equal(chmod(scene->path, 0444), 0);
	assert_int_equal(chmod(scene->tree.dir, 0555), 0);
	as_nobody(scene, read_host);
	as_nobody(scene, cannot_write);
	as_nobody(scene, is_refused_with_a_hint);
}

static void a_file_alone_is_not_enough_to_write(void **state)
{
	struct scene *scene = *state;

	make_store(scene);
	assert_int_equal(chmod(scene->path, 0666), 0);
	assert_int_equal(chmod(scene->tree.dir, 0555), 0);
	as_nobody(scene, cannot_write);
	as_nobody(scene, read_host);
}

/* Also by a reader that opened what was there before. */
static void a_file_that_became_another_programs_is_refused_each_time(void **state)
{
	struct scene *scene = *state;
	struct pmuq_hosts *hosts = NULL;
	struct pmuq_store *store;

	make_store(scene);
	store = store_open(scene->path, PMUQ_STORE_READ);
	run_sql(scene, "CREATE TABLE other (name)");
	for (unsigned i = 0; i < 3; i++) {
		assert_int_equal(pmuq_store_list_hosts(store, NULL, &hosts, NULL),
				 -PMUQ_E_STORE_FOREIGN);
		assert_null(hosts);
	}
	assert_int_equal(unlink(scene->path), 0);
	make_store(scene);
	assert_int_equal(pmuq_store_list_hosts(store, NULL, &hosts, NULL), 0);
	pmuq_hosts_free(hosts);
	pmuq_store_free(store);
}

/* A rollback journal, too, has what is not merged. */
static void a_journal_or_a_log_that_is_not_empty_counts(void **state)
{
	static const struct {
		const char *name, *text;
		bool is_log;
	} rows[] = {
		{ "pmuq.db-journal", "x", true }, { "pmuq.db-wal", "x", true },
		{ "pmuq.db-shm", "x", false },	  { "pmuq.db-journal", "", false },
		{ "pmuq.db-wal", "", false },
	};
	struct scene *scene = *state;
	struct pmuq_store *store;

	make_store(scene);
	store = store_open(scene->path, PMUQ_STORE_READ);
	for (size_t i = 0; i < COUNT(rows); i++) {
		char *path = tree_path(&scene->tree, rows[i].name);

		tree_file(&scene->tree, rows[i].name, rows[i].text);
		assert_int_equal(pq_store_has_log(store), rows[i].is_log);
		assert_int_equal(unlink(path), 0);
		free(path);
	}
	pmuq_store_free(store);
}

/* The log is next to the file, not next to the link. */
static void a_link_to_a_database_is_followed(void **state)
{
	struct scene *scene = *state;
	char *link = tree_path(&scene->tree, "elsewhere/link.db");
	struct pmuq_store *store;

	make_store(scene);
	tree_file(&scene->tree, "elsewhere/other", "");
	assert_int_equal(symlink(scene->path, link), 0);
	store = store_open(link, PMUQ_STORE_WRITE);
	assert_int_equal(store_exec(store, "UPDATE snapshot SET last_seen = 2000"), 0);
	assert_true(file_exists(scene->path, "-wal"));
	assert_false(file_exists(link, "-wal"));
	pmuq_store_free(store);
	pmuq_store_free(store_open(link, PMUQ_STORE_READ));
	free(link);
}

/* Written to in place, or replaced by another of the same size and time. */
static void a_file_that_is_another_one_is_noticed(void **state)
{
	struct scene *scene = *state;
	struct pmuq_store *store;
	char *bytes, *other = tree_path(&scene->tree, "other");
	struct timespec times[2];
	size_t n;

	make_store(scene);
	store = store_open(scene->path, PMUQ_STORE_READ);
	assert_false(pq_store_is_changed(store));
	bytes = file_bytes(scene->path, &n);
	tree_bytes(&scene->tree, "other", bytes, n);
	times[0] = store->sqlite->seen.st_atim;
	times[1] = store->sqlite->seen.st_mtim;
	assert_int_equal(utimensat(AT_FDCWD, other, times, 0), 0);
	assert_int_equal(rename(other, scene->path), 0);
	assert_true(pq_store_is_changed(store));
	pmuq_store_free(store);

	store = store_open(scene->path, PMUQ_STORE_READ);
	assert_false(pq_store_is_changed(store));
	assert_int_equal(truncate(scene->path, (off_t)n + 4096), 0);
	assert_true(pq_store_is_changed(store));
	pmuq_store_free(store);
	assert_int_equal(truncate(scene->path, (off_t)n), 0);

	/* Nothing but the time of its last change. */
	store = store_open(scene->path, PMUQ_STORE_READ);
	assert_false(pq_store_is_changed(store));
	assert_int_equal(chmod(scene->path, 0600), 0);
	assert_true(pq_store_is_changed(store));
	pmuq_store_free(store);
	free(bytes);
	free(other);
}

static void an_unreadable_file_is_refused(void **state)
{
	struct scene *scene = *state;

	make_store(scene);
	assert_int_equal(chmod(scene->path, 0), 0);
	as_nobody(scene, cannot_read);
	as_nobody(scene, cannot_write);
}

static int create_and_write(const struct scene *scene)
{
	int r = open_as(scene, PMUQ_STORE_CREATE);

	return r ? r : open_as(scene, PMUQ_STORE_WRITE);
}

static void an_ordinary_user_has_a_database_in_a_directory_of_its_own(void **state)
{
	struct scene *scene = *state;

	if (geteuid() == 0)
		assert_int_equal(chown(scene->tree.dir, NOBODY, NOBODY), 0);
	as_nobody(scene, create_and_write);
	assert_true(file_exists(scene->path, ""));
}

static int cannot_make_directories(const struct scene *scene)
{
	char *path = tree_path(&scene->tree, "new/dir/pmuq.db");
	char *want = NULL;
	struct pmuq_store *store = NULL;
	struct pmuq_error *error = NULL;
	bool is_right;
	int r = pmuq_store_open(path, PMUQ_STORE_CREATE, &store, &error);

	if (asprintf(&want, "cannot create the directory %s/new: permission denied",
		     scene->tree.dir) < 0)
		return 1;
	is_right = r == -PMUQ_E_STORE_OPEN && error->errnum == EACCES &&
		   strcmp(error->message.p, want) == 0;
	pmuq_error_free(error);
	free(path);
	free(want);
	return !is_right;
}

static void no_store_is_created_in_a_read_only_directory(void **state)
{
	struct scene *scene = *state;

	assert_int_equal(chmod(scene->tree.dir, 0555), 0);
	as_nobody(scene, cannot_write);
	as_nobody(scene, cannot_make_directories);
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_build_info_names_the_schema_and_the_library),
		IN_TREE(a_missing_file_is_created_only_in_create_mode),
		IN_TREE(missing_directories_are_created),
		IN_TREE(names_that_sqlite_takes_for_its_own_are_files),
		IN_TREE(an_empty_file_is_used_only_in_create_mode),
		IN_TREE(another_type_of_file_is_not_touched),
		IN_TREE(a_file_with_the_ids_alone_is_not_a_database),
		IN_TREE(a_path_that_is_not_a_file_is_refused),
		IN_TREE(a_database_of_others_is_not_touched),
		IN_TREE(a_database_of_others_without_tables_is_not_touched),
		IN_TREE(a_newer_database_is_not_touched),
		IN_TREE(a_database_with_a_log_that_is_not_pmuqs_is_not_merged),
		IN_TREE(a_truncated_database_is_not_touched),
		IN_TREE(flipped_bytes_give_the_same_catalog_or_an_error),
		IN_TREE(a_changed_text_is_noticed),
		IN_TREE(a_changed_fact_is_noticed_by_a_list),
		IN_TREE(a_file_that_just_changed_is_read_later),
		IN_TREE(a_file_that_just_changed_is_called_corrupt_later),
		IN_TREE(a_file_is_not_corrupt_if_a_writer_changed_it_meanwhile),
		IN_TREE(a_reader_that_is_always_disturbed_takes_locks),
		IN_TREE(an_error_is_untouched_if_there_is_none),
		IN_TREE(a_file_is_not_opened_without_its_guards),
		IN_TREE(all_statements_of_a_reader_share_its_steps),
		IN_TREE(missing_tables_are_detected),
		IN_TREE(readers_do_not_save),
		IN_TREE(readers_see_what_writers_add),
		IN_TREE(a_directory_that_cannot_be_written_can_be_read),
		IN_TREE(a_file_alone_is_not_enough_to_write),
		IN_TREE(a_file_that_became_another_programs_is_refused_each_time),
		IN_TREE(a_journal_or_a_log_that_is_not_empty_counts),
		IN_TREE(a_link_to_a_database_is_followed),
		IN_TREE(a_file_that_is_another_one_is_noticed),
		IN_TREE(an_unreadable_file_is_refused),
		IN_TREE(an_ordinary_user_has_a_database_in_a_directory_of_its_own),
		IN_TREE(no_store_is_created_in_a_read_only_directory),
	};

	return _cmocka_run_group_tests("store_open", tests, COUNT(tests), NULL, NULL);
}
