/* SPDX-License-Identifier: MIT */
/*
 * Every operation on a file fails once: an I/O error, a full disk, a short read, the end of the
 * process. Afterwards the store has the old state or the new one, the error is correct, and no file
 * is left open. States are compared row by row.
 */
#include "db/schema.h"
#include "db/sqlite/sqlite_file.h"
#include "tests/harness/asan.h"
#include "tests/harness/failing_vfs.h"
#include "tests/harness/store.h"
#include <signal.h>
#include <sys/wait.h>

struct scene {
	struct tree tree;
	char *path;
	struct pmuq_catalog *old, *unchecked, *changed, *other;
	bool may_lose_check; /* no hash covers whether there is one */
	char *bytes;	     /* of a database with one host */
	size_t n_bytes;
};

/* ---- operations on a store */

static int save_with(struct pmuq_store *store, const struct pmuq_catalog *catalog, const char *name,
		     struct pmuq_error **reterr)
{
	return pmuq_store_save(store, catalog, NULL, name, 2, NULL, reterr);
}

static int save_changed(const struct scene *scene, struct pmuq_error **reterr)
{
	struct pmuq_store *store = NULL;
	int r = pmuq_store_open(scene->path, PMUQ_STORE_CREATE, &store, reterr);

	if (r == 0)
		r = save_with(store, scene->changed, "web01", reterr);
	pmuq_store_free(store);
	return r;
}

/* As `pmuq import` does: all machines of a file, or none. */
static int import_two(const struct scene *scene, struct pmuq_error **reterr)
{
	struct pmuq_store *store = NULL;
	int r = pmuq_store_open(scene->path, PMUQ_STORE_CREATE, &store, reterr);

	if (r == 0)
		r = pmuq_store_begin(store, reterr);
	if (r == 0)
		r = save_with(store, scene->changed, "web02", reterr);
	if (r == 0)
		r = save_with(store, scene->other, "web03", reterr);
	if (r == 0)
		r = pmuq_store_commit(store, reterr);
	pmuq_store_free(store);
	return r;
}

static int forget_host(const struct scene *scene, struct pmuq_error **reterr)
{
	const char *names[] = { "web01" };
	struct pmuq_store *store = NULL;
	int r = pmuq_store_open(scene->path, PMUQ_STORE_WRITE, &store, reterr);

	if (r == 0)
		r = pmuq_store_forget(store, names, NULL, COUNT(names), NULL, NULL, reterr);
	pmuq_store_free(store);
	return r;
}

static const struct pq_schema_step later_step = {
	.name = "later",
	.sql = "ALTER TABLE host ADD COLUMN owner TEXT; UPDATE host SET owner = 'me';"
	       "CREATE TABLE note (host INTEGER REFERENCES host (id)) STRICT;",
};

static int migrate(const struct scene *scene, struct pmuq_error **reterr)
{
	const struct pq_schema_step steps[] = { pq_schema.steps[0], later_step };
	const struct pq_schema schema = { .steps = steps, .n = COUNT(steps) };
	struct pmuq_store *store = NULL;
	int r = pq_store_open_with(scene->path, PMUQ_STORE_WRITE, &schema, &store, reterr);

	pmuq_store_free(store);
	return r;
}

/* Fails the test if it reads another machine. */
static int read_host(const struct scene *scene, struct pmuq_error **reterr)
{
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *found = NULL;
	struct pmuq_store *store = NULL;
	int r = pmuq_store_open(scene->path, PMUQ_STORE_READ, &store, reterr);

	if (r == 0)
		r = pmuq_store_open_host(store, "web01", 0, &source, reterr);
	if (r == 0) {
		const struct pmuq_catalog *want = scene->old;
		char *difference;

		assert_int_equal(pmuq_source_read_catalog(source, &found, NULL), 0);
		if (scene->may_lose_check && !pmuq_catalog_machine(found)->check)
			want = scene->unchecked;
		difference = catalog_difference(want, found);
		if (difference)
			fail_msg("%s", difference);
	}
	pmuq_catalog_free(found);
	pmuq_source_free(source);
	pmuq_store_free(store);
	return r;
}

static const struct action {
	const char *name;
	int (*run)(const struct scene *scene, struct pmuq_error **reterr);
	bool begins_without; /* a database */
	bool has_log;	     /* a killed writer's log is next to the database */
} actions[] = {
	{ .name = "save", .run = save_changed },
	{ .name = "save, with a log", .run = save_changed, .has_log = true },
	{ .name = "create and save", .run = save_changed, .begins_without = true },
	{ .name = "import", .run = import_two },
	{ .name = "forget", .run = forget_host },
	{ .name = "migrate", .run = migrate },
	{ .name = "read", .run = read_host },
	{ .name = "read, with a log", .run = read_host, .has_log = true },
};

/* ---- states */

static void remove_neighbours(const struct scene *scene)
{
	static const char *const endings[] = { "-journal", "-wal", "-shm" };

	for (size_t i = 0; i < COUNT(endings); i++) {
		char *path = NULL;

		assert_true(asprintf(&path, "%s%s", scene->path, endings[i]) > 0);
		unlink(path);
		free(path);
	}
}

/* As a killed writer leaves it. */
static void leave_log(const struct scene *scene)
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0) {
		struct pmuq_store *store = store_open(scene->path, PMUQ_STORE_WRITE);

		_exit(store_exec(store, "UPDATE snapshot SET last_seen = 9") != 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_true(file_exists(scene->path, "-wal"));
}

static void restore(const struct scene *scene, const struct action *action)
{
	failing_vfs_arm(FAIL_NONE, 0);
	remove_neighbours(scene);
	unlink(scene->path);
	if (action->begins_without)
		return;
	tree_bytes(&scene->tree, "pmuq.db", scene->bytes, scene->n_bytes);
	assert_int_equal(chmod(scene->path, 0600), 0);
	/* An old file: readers wait until changes of a new one would show. */
	assert_int_equal(utimensat(AT_FDCWD, scene->path, (const struct timespec[2]){ 0 }, 0), 0);
	if (action->has_log)
		leave_log(scene);
}

static void add_rows(struct pq_buf *ret, const struct pq_sqlite *lib, sqlite3 *db,
		     const char *table)
{
	sqlite3_stmt *stmt = NULL;
	char *sql = NULL;

	assert_true(asprintf(&sql, "SELECT * FROM \"%s\"", table) > 0);
	assert_int_equal(lib->prepare_v3(db, sql, -1, 0, &stmt, NULL), SQLITE_OK);
	pq_buf_print(ret, "\n%s:", table);
	while (lib->step(stmt) == SQLITE_ROW)
		for (int i = 0; i < lib->column_count(stmt); i++) {
			pq_buf_print(ret, " %d ", lib->column_type(stmt, i));
			if (lib->column_bytes(stmt, i))
				pq_buf_add(ret, (struct pmuq_str){ lib->column_blob(stmt, i),
								   lib->column_bytes(stmt, i) });
		}
	assert_int_equal(lib->finalize(stmt), SQLITE_OK);
	free(sql);
}

/* All rows of all tables; "" if there are none, or no database. A writer of any version finishes or
 * undoes what was interrupted. */
static char *state_of(const struct scene *scene)
{
	struct pq_sqlite lib;
	sqlite3 *db = NULL;
	sqlite3_stmt *stmt = NULL;
	struct pq_buf buf = PQ_BUF_NULL;
	struct stat st;

	if (stat(scene->path, &st) < 0 || !st.st_size)
		return strdup("");
	assert_int_equal(pq_sqlite_load(&lib, NULL), 0);
	assert_int_equal(lib.open_v2(scene->path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
	assert_int_equal(lib.prepare_v3(db, "SELECT integrity_check FROM pragma_integrity_check",
					-1, 0, &stmt, NULL),
			 SQLITE_OK);
	assert_int_equal(lib.step(stmt), SQLITE_ROW);
	assert_string_equal(lib.column_blob(stmt, 0), "ok");
	lib.finalize(stmt);
	assert_int_equal(lib.prepare_v3(db,
					"SELECT name FROM sqlite_schema WHERE type = 'table'"
					" ORDER BY name",
					-1, 0, &stmt, NULL),
			 SQLITE_OK);
	while (lib.step(stmt) == SQLITE_ROW)
		add_rows(&buf, &lib, db, lib.column_blob(stmt, 0));
	lib.finalize(stmt);
	lib.close_v2(db);
	return buf.n ? pq_buf_take(&buf) : strdup("");
}

/* ---- the walk */

/* One operation of nine, with a sanitizer of 29, or with PMUQ_ALL_CALLS every one:
 * scripts/thorough.sh. */
static size_t step(void)
{
	return getenv("PMUQ_ALL_CALLS") ? 1 : IS_UNDER_ASAN ? 29 : 9;
}

struct walk {
	const struct scene *scene;
	const struct action *action;
	enum failure failure;
	size_t at;
	char *before, *after; /* states */
	char *created;	      /* a database without hosts, if there was none */
	const char *failed;   /* the name of the operation */
};

static void expect_state(const struct walk *walk, bool is_done)
{
	char *now = state_of(walk->scene);
	bool is_new = strcmp(now, walk->after) == 0;
	bool is_old = strcmp(now, walk->before) == 0 ||
		      (walk->created && strcmp(now, walk->created) == 0);

	if (!is_new && (is_done || !is_old))
		fail_msg("%s: failure %d at %zu (%s) leaves another state%s", walk->action->name,
			 (int)walk->failure, walk->at, walk->failed,
			 is_done ? ", although it succeeded" : "");
	free(now);
}

/* An I/O error is not a corrupt file, and a full disk is reported as such. A short read is not an
 * error. */
static void expect_error(const struct walk *walk, const struct pmuq_error *error, int r)
{
	bool is_fine = error && (int)error->code == -r && error->message.p && error->origin.p;

	if (walk->failure == FAIL_IO)
		is_fine &= r == -PMUQ_E_STORE_OPEN || r == -PMUQ_E_STORE_WRITE ||
			   r == -PMUQ_E_STORE_BUSY;
	else if (walk->failure == FAIL_FULL)
		is_fine &= r == -PMUQ_E_STORE_WRITE && error->hint.p;
	else if (walk->failure == FAIL_SHORT)
		is_fine = false;
	else
		is_fine &= r == -PMUQ_E_STORE_OPEN || r == -PMUQ_E_STORE_CORRUPT ||
			   r == -PMUQ_E_STORE_WRITE || r == -PMUQ_E_STORE_FOREIGN;
	if (!is_fine)
		fail_msg("%s: failure %d at %zu (%s): code %d: %s", walk->action->name,
			 (int)walk->failure, walk->at, walk->failed, -r,
			 error ? error->message.p : "no error");
}

/* False if there are fewer operations. */
static bool fail_once(struct walk *walk)
{
	struct pmuq_error *error = NULL;
	int r;

	restore(walk->scene, walk->action);
	failing_vfs_arm(walk->failure, walk->at);
	r = walk->action->run(walk->scene, &error);
	walk->failed = failing_vfs_failed();
	assert_int_equal(failing_vfs_open_files(), 0);
	if (r < 0)
		expect_error(walk, error, r);
	assert_true(walk->failed || r == 0);
	pmuq_error_free(error);
	failing_vfs_arm(FAIL_NONE, 0);
	expect_state(walk, r == 0);
	return walk->failed;
}

static bool kill_once(struct walk *walk)
{
	int status;
	pid_t child;

	restore(walk->scene, walk->action);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		failing_vfs_arm(FAIL_KILL, walk->at);
		_exit(walk->action->run(walk->scene, NULL) < 0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	walk->failed = "kill";
	assert_true(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL : WEXITSTATUS(status) == 0);
	expect_state(walk, !WIFSIGNALED(status));
	return WIFSIGNALED(status);
}

/* The store can be used afterwards; tried seldom, since it takes as long as the walk. */
static void expect_usable(const struct walk *walk)
{
	if (walk->at % 8 == 0 && walk->action->run != migrate && walk->action->run != forget_host)
		assert_int_equal(walk->action->run(walk->scene, NULL), 0);
}

static void walk_action(const struct scene *scene, const struct action *action,
			enum failure failure)
{
	struct walk walk = { .scene = scene, .action = action, .failure = failure };

	restore(scene, action);
	walk.before = state_of(scene);
	if (action->begins_without) {
		pmuq_store_free(store_open(scene->path, PMUQ_STORE_CREATE));
		walk.created = state_of(scene);
	}
	restore(scene, action);
	assert_int_equal(action->run(scene, NULL), 0);
	walk.after = state_of(scene);
	for (walk.at = 1; failure == FAIL_KILL ? kill_once(&walk) : fail_once(&walk);
	     walk.at += step())
		expect_usable(&walk);
	/* A reader writes nothing. */
	assert_true(walk.at > 1 || (failure == FAIL_FULL && action->run == read_host));
	free(walk.before);
	free(walk.after);
	free(walk.created);
}

static void walk_all(void **state, enum failure failure)
{
	for (size_t i = 0; i < COUNT(actions); i++)
		walk_action(*state, &actions[i], failure);
}

static void an_io_error_leaves_the_old_state_or_the_new_one(void **state)
{
	walk_all(state, FAIL_IO);
}

static void a_full_disk_leaves_the_old_state_or_the_new_one(void **state)
{
	walk_all(state, FAIL_FULL);
}

static void a_short_read_is_continued(void **state)
{
	walk_all(state, FAIL_SHORT);
}

/* SQLite cannot see it: what a reader loads is hashed. Writers check the size of the file first. */
static void a_file_that_ends_early_gives_an_error_to_readers(void **state)
{
	struct scene *scene = *state;

	scene->may_lose_check = true;
	for (size_t i = 0; i < COUNT(actions); i++)
		if (actions[i].run == read_host)
			walk_action(scene, &actions[i], FAIL_CUT);
	scene->may_lose_check = false;
}

/* What a killed process leaves is the same under ASan, which makes a fork slow. */
static void a_killed_process_leaves_the_old_state_or_the_new_one(void **state)
{
	if (IS_UNDER_ASAN && !getenv("PMUQ_ALL_CALLS"))
		skip();
	walk_all(state, FAIL_KILL);
}

/* ---- */

static int set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	struct pmuq_store *store;

	assert_non_null(scene);
	failing_vfs_install();
	tree_make(&scene->tree);
	scene->path = store_path(&scene->tree);
	scene->old = machine_catalog(&(struct test_machine){
		.hostname = "web01", .n_uncore = 3, .check = { .n = 8, .time_s = 1 } });
	scene->unchecked =
		machine_catalog(&(struct test_machine){ .hostname = "web01", .n_uncore = 3 });
	scene->changed = machine_catalog(
		&(struct test_machine){ .hostname = "web01", .kernel = "7.0", .n_uncore = 4 });
	scene->other = machine_catalog(&(struct test_machine){
		.hostname = "web03", .format = "config:0-6", .first_tracepoint = 9 });
	store = store_open(scene->path, PMUQ_STORE_CREATE);
	store_save(store, scene->old, "web01", 1);
	pmuq_store_free(store);
	scene->bytes = file_bytes(scene->path, &scene->n_bytes);
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	pmuq_catalog_free(scene->old);
	pmuq_catalog_free(scene->unchecked);
	pmuq_catalog_free(scene->changed);
	pmuq_catalog_free(scene->other);
	free(scene->bytes);
	free(scene->path);
	tree_remove(&scene->tree);
	free(scene);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_io_error_leaves_the_old_state_or_the_new_one),
		cmocka_unit_test(a_full_disk_leaves_the_old_state_or_the_new_one),
		cmocka_unit_test(a_short_read_is_continued),
		cmocka_unit_test(a_file_that_ends_early_gives_an_error_to_readers),
		cmocka_unit_test(a_killed_process_leaves_the_old_state_or_the_new_one),
	};

	return _cmocka_run_group_tests("store_failures", tests, COUNT(tests), set_up, tear_down);
}
