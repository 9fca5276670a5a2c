/* SPDX-License-Identifier: MIT */
/*
 * A writer's log next to the database: cut off, with a changed byte, and read by a user who may
 * write neither file. A save is there completely or not at all; older snapshots are always there.
 */
#include "db/sqlite/sqlite_file.h"
#include "tests/harness/store.h"
#include <fcntl.h>
#include <sys/wait.h>

/* A user for whom permissions count, unlike root. */
#define NOBODY 65534
/* The log's own header; each page in it has one, too. */
#define LOG_HEADER_BYTES 32

struct scene {
	struct tree tree;
	char *path, *log_path;
	struct pmuq_catalog *before, *after;
	char *bytes, *log; /* of the database, and of a log that has one more save */
	size_t n_bytes, n_log;
};

static void write_file(const char *path, const char *bytes, size_t n)
{
	FILE *file = fopen(path, "wb");

	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, n, file), n);
	assert_int_equal(fclose(file), 0);
}

/* A writer that ends without closing leaves its log. */
static void save_and_die(const struct scene *scene)
{
	struct pmuq_store *store = NULL;
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0)
		_exit(pmuq_store_open(scene->path, PMUQ_STORE_WRITE, &store, NULL) ||
		      pmuq_store_save(store, scene->after, NULL, "web01", 2, NULL, NULL));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static int set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	struct pmuq_store *store;

	assert_non_null(scene);
	tree_make(&scene->tree);
	assert_int_equal(chmod(scene->tree.dir, 0755), 0);
	scene->path = store_path(&scene->tree);
	assert_true(asprintf(&scene->log_path, "%s-wal", scene->path) > 0);
	scene->before = machine_catalog(&(struct test_machine){ .hostname = "web01" });
	scene->after = machine_catalog(
		&(struct test_machine){ .hostname = "web01", .kernel = "7.0", .n_uncore = 30 });
	store = store_open(scene->path, PMUQ_STORE_CREATE);
	assert_int_equal(chmod(scene->path, 0644), 0); /* for all to read */
	store_save(store, scene->before, "web01", 1);
	pmuq_store_free(store);
	scene->bytes = file_bytes(scene->path, &scene->n_bytes);
	save_and_die(scene);
	scene->log = file_bytes(scene->log_path, &scene->n_log);
	assert_true(scene->n_log > LOG_HEADER_BYTES);
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	chmod(scene->tree.dir, 0755);
	pmuq_catalog_free(scene->before);
	pmuq_catalog_free(scene->after);
	free(scene->bytes);
	free(scene->log);
	free(scene->path);
	free(scene->log_path);
	tree_remove(&scene->tree);
	free(scene);
	return 0;
}

/* The database as it was, with such a log. */
static void put(const struct scene *scene, const char *log, size_t n)
{
	char *shared = NULL;

	assert_true(asprintf(&shared, "%s-shm", scene->path) > 0);
	unlink(shared);
	free(shared);
	write_file(scene->path, scene->bytes, scene->n_bytes);
	write_file(scene->log_path, log, n);
}

static int64_t snapshots(struct pmuq_store *store)
{
	return store_number(store, "SELECT count(*) FROM snapshot WHERE host ="
				   " (SELECT id FROM host WHERE name = 'web01')");
}

/* One snapshot or two, each complete; for a reader, then for a writer that saves another. */
static bool expect_whole(const struct scene *scene)
{
	struct pmuq_store *store = store_open(scene->path, PMUQ_STORE_READ);
	bool has_both = snapshots(store) == 2;

	store_expect(store, "web01", 0, has_both ? scene->after : scene->before);
	pmuq_store_free(store);
	store = store_open(scene->path, PMUQ_STORE_WRITE);
	assert_int_equal(snapshots(store), has_both ? 2 : 1);
	store_expect(store, "web01", 1, scene->before);
	store_save(store, scene->after, "next", 3);
	store_expect(store, "next", 0, scene->after);
	assert_int_equal(store_number(store, "SELECT count(*) FROM pragma_integrity_check"
					     " WHERE integrity_check <> 'ok'"),
			 0);
	pmuq_store_free(store);
	return has_both;
}

static void a_log_cut_short_has_the_save_or_not(void **state)
{
	enum { STEPS = 40 };
	struct scene *scene = *state;
	size_t n_before = 0, n_after = 0;

	for (size_t i = 0; i <= STEPS; i++) {
		put(scene, scene->log, scene->n_log * i / STEPS);
		if (expect_whole(scene))
			n_after++;
		else
			n_before++;
	}
	assert_true(n_after > 0 && n_before > 0);
}

static void a_changed_byte_ends_the_log(void **state)
{
	enum { STEPS = 40 };
	struct scene *scene = *state;
	char *log = malloc(scene->n_log);
	size_t n_before = 0;

	assert_non_null(log);
	for (size_t i = 0; i < STEPS; i++) {
		size_t at = (scene->n_log - 1) * i / (STEPS - 1);

		memcpy(log, scene->log, scene->n_log);
		log[at] = (char)(log[at] ^ 0x55);
		put(scene, log, scene->n_log);
		n_before += !expect_whole(scene);
	}
	assert_true(n_before > 0);
	free(log);
}

static void random_bytes_are_not_a_log(void **state)
{
	struct scene *scene = *state;
	char *rubbish = malloc(scene->n_log);

	assert_non_null(rubbish);
	memset(rubbish, 'x', scene->n_log);
	put(scene, rubbish, scene->n_log);
	assert_false(expect_whole(scene));
	free(rubbish);
}

/* What a reader of another user finds: 0 nothing new, 1 the save, 2 an error with a hint; others
 * are wrong. */
static int read_as_nobody(const struct scene *scene)
{
	struct pmuq_store *store = NULL;
	struct pmuq_source *source = NULL;
	struct pmuq_error *error = NULL;
	const char *kernel;
	int r;

	if (geteuid() == 0 && setresuid(NOBODY, NOBODY, NOBODY) < 0)
		return 99;
	r = pmuq_store_open(scene->path, PMUQ_STORE_READ, &store, &error);
	if (r == 0)
		r = pmuq_store_open_host(store, "web01", 0, &source, &error);
	if (r == -PMUQ_E_STORE_OPEN)
		return error->hint.p && error->origin.p ? 2 : 3;
	if (r == 0)
		r = pmuq_source_find_fact(source, "kernel", &kernel, &error);
	if (r < 0)
		return 4;
	return kernel && strcmp(kernel, "7.0") == 0;
}

static int message_of(const struct scene *scene, int (*work)(const struct scene *scene))
{
	pid_t child = fork();
	int status;

	assert_true(child >= 0);
	if (child == 0)
		_exit(work(scene));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* While a writer of ours has the log open, another user reads what was saved. */
static void another_user_reads_during_a_write(void **state)
{
	struct scene *scene = *state;
	struct pmuq_store *writer = store_open(scene->path, PMUQ_STORE_WRITE);

	store_save(writer, scene->after, "web02", 3);
	assert_true(file_exists(scene->path, "-wal"));
	assert_int_equal(message_of(scene, read_as_nobody), 1);
	store_save(writer, scene->before, "web03", 4);
	pmuq_store_free(writer);
	assert_false(file_exists(scene->path, "-wal"));
	assert_int_equal(message_of(scene, read_as_nobody), 1);
}

/* The log of a killed writer cannot be read without a writable directory: that is an error, not an
 * old snapshot. */
static void another_user_gets_an_error_for_a_log_that_was_left(void **state)
{
	struct scene *scene = *state;

	put(scene, scene->log, scene->n_log);
	assert_int_equal(chmod(scene->tree.dir, 0555), 0);
	assert_int_equal(message_of(scene, read_as_nobody), 2);
	assert_int_equal(chmod(scene->tree.dir, 0755), 0);
	assert_true(expect_whole(scene));
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TREE(a_log_cut_short_has_the_save_or_not),
		IN_TREE(a_changed_byte_ends_the_log),
		IN_TREE(random_bytes_are_not_a_log),
		IN_TREE(another_user_reads_during_a_write),
		IN_TREE(another_user_gets_an_error_for_a_log_that_was_left),
	};

	return _cmocka_run_group_tests("store_log", tests, COUNT(tests), NULL, NULL);
}
