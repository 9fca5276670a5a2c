/* SPDX-License-Identifier: MIT */
/* Several writers at once, killed writers, a full disk: a save is there completely, or not at all.
 */
#include "db/sqlite/sqlite_file.h"
#include "tests/harness/store.h"
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

/* A save takes long enough, and many pages. */
#define BIG_UNCORE 500

struct scene {
	struct tree tree;
	char *path;
};

static int set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	assert_non_null(scene);
	tree_make(&scene->tree);
	scene->path = store_path(&scene->tree);
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	free(scene->path);
	tree_remove(&scene->tree);
	free(scene);
	return 0;
}

static struct pmuq_catalog *big_machine(uint64_t variant)
{
	return machine_catalog(
		&(struct test_machine){ .hostname = "big",
					.n_uncore = BIG_UNCORE + variant % 50,
					.first_tracepoint = variant + 1,
					.check = { .n = 400 + variant, .time_s = 1 } });
}

static void wait_for(pid_t child, int want)
{
	int status;

	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), want);
}

static int save_quietly(const char *path, const struct pmuq_catalog *machine, const char *name)
{
	struct pmuq_store *store = NULL;
	struct pmuq_error *error = NULL;
	int r = pmuq_store_open(path, PMUQ_STORE_CREATE, &store, &error);

	if (r == 0)
		r = pmuq_store_save(store, machine, NULL, name, 1, NULL, &error);
	pmuq_store_free(store);
	if (r < 0)
		print_error("%s\n", error->message.p);
	pmuq_error_free(error);
	return r;
}

/* All open the same missing file at once, and each saves some hosts. */
static void many_writers_take_turns(void **state)
{
	enum { WRITERS = 4, HOSTS = 5 };
	struct scene *scene = *state;
	struct pmuq_catalog *machine = machine_catalog(&(struct test_machine){ .hostname = "x" });
	struct pmuq_store *store;
	pid_t children[WRITERS];

	for (int w = 0; w < WRITERS; w++) {
		children[w] = fork();
		assert_true(children[w] >= 0);
		if (children[w])
			continue;
		for (char name[] = { (char)('a' + w), '0', 0 }; name[1] < '0' + HOSTS; name[1]++)
			if (save_quietly(scene->path, machine, name) < 0)
				_exit(1);
		_exit(0);
	}
	for (int w = 0; w < WRITERS; w++)
		wait_for(children[w], 0);
	store = store_open(scene->path, PMUQ_STORE_READ);
	assert_int_equal(store_number(store, "SELECT count(*) FROM host"), WRITERS * HOSTS);
	assert_int_equal(store_number(store, "SELECT count(*) FROM layout"), 1);
	store_expect(store, "a0", 0, machine);
	store_expect(store, "d4", 0, machine);
	pmuq_store_free(store);
	pmuq_catalog_free(machine);
}

/* Readers open and read while a writer opens, writes and closes. */
static void readers_are_never_disturbed(void **state)
{
	enum { ROUNDS = 60 };
	struct scene *scene = *state;
	struct pmuq_catalog *machine = machine_catalog(&(struct test_machine){ .hostname = "x" });
	struct pmuq_store *store;
	pid_t writer;
	int status, reads = 0;

	assert_int_equal(save_quietly(scene->path, machine, "x"), 0);
	writer = fork();
	assert_true(writer >= 0);
	for (uint64_t i = 0; writer == 0 && i < ROUNDS; i++) {
		struct pmuq_catalog *other = machine_catalog(
			&(struct test_machine){ .hostname = "y", .first_tracepoint = i + 1 });

		if (save_quietly(scene->path, other, "y") < 0)
			_exit(1);
		pmuq_catalog_free(other);
	}
	if (writer == 0)
		_exit(0);
	for (; waitpid(writer, &status, WNOHANG) == 0; reads++) {
		store = store_open(scene->path, PMUQ_STORE_READ);
		store_expect(store, "x", 0, machine);
		pmuq_store_free(store);
	}
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	assert_true(reads > 0);
	pmuq_catalog_free(machine);
}

static void a_writer_that_waits_too_long_fails(void **state)
{
	struct scene *scene = *state;
	struct pmuq_catalog *machine = machine_catalog(&(struct test_machine){ .hostname = "x" });
	struct pmuq_store *first = store_open(scene->path, PMUQ_STORE_CREATE), *second;
	struct pmuq_error *error = NULL;

	second = store_open(scene->path, PMUQ_STORE_WRITE);
	second->sqlite->lib.busy_timeout(second->sqlite->db, 20);
	assert_int_equal(store_exec(first, "BEGIN IMMEDIATE"), 0);
	assert_int_equal(pmuq_store_save(second, machine, NULL, NULL, 1, NULL, &error),
			 -PMUQ_E_STORE_BUSY);
	assert_string_equal(error->origin.p, scene->path);
	pmuq_error_free(error);
	assert_int_equal(store_exec(first, "COMMIT"), 0);
	store_save(second, machine, NULL, 1);
	pmuq_store_free(first);
	pmuq_store_free(second);
	pmuq_catalog_free(machine);
}

static void sleep_us(int64_t us)
{
	const struct timespec time = { .tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000 };

	nanosleep(&time, NULL);
}

static int64_t now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000;
}

/* How long it takes here to make a store and save the machine. */
static int64_t time_of_saving(const struct tree *tree, const struct pmuq_catalog *machine)
{
	char *path = tree_path(tree, "timed.db");
	int64_t start = now_us();

	assert_int_equal(save_quietly(path, machine, NULL), 0);
	free(path);
	return now_us() - start;
}

/* Saves one machine after another until it is killed; *progress is the number of saved ones. */
static void save_until_killed(const char *path, const struct pmuq_catalog *const *machines,
			      size_t n, volatile uint64_t *progress)
{
	struct pmuq_store *store = NULL;

	for (;;) {
		if (pmuq_store_open(path, PMUQ_STORE_CREATE, &store, NULL) < 0)
			_exit(1);
		for (size_t i = 0; i < n; i++) {
			if (pmuq_store_save(store, machines[i], NULL, NULL, (int64_t)*progress,
					    NULL, NULL))
				_exit(2);
			++*progress;
		}
		pmuq_store_free(store);
		store = NULL;
	}
}

static void expect_whole(const char *path, const struct pmuq_catalog *const *machines, size_t n,
			 bool has_saved)
{
	struct pmuq_store *store = NULL;
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *found = NULL;
	bool is_known = false;
	int r = pmuq_store_open(path, PMUQ_STORE_READ, &store, NULL);

	if (r < 0) /* killed before the database had contents: a writer completes it */
		assert_false(has_saved);
	pmuq_store_free(store);
	store = store_open(path, PMUQ_STORE_CREATE);
	assert_int_equal(store_number(store, "SELECT count(*) FROM pragma_integrity_check"
					     " WHERE integrity_check <> 'ok'"),
			 0);
	assert_int_equal(store_number(store, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
	r = pmuq_store_open_host(store, "big", 0, &source, NULL);
	if (r < 0) {
		assert_int_equal(r, -PMUQ_E_UNKNOWN_HOST);
		assert_false(has_saved);
	} else {
		assert_int_equal(pmuq_source_read_catalog(source, &found, NULL), 0);
		for (size_t i = 0; i < n && !is_known; i++) {
			char *difference = catalog_difference(machines[i], found);

			is_known = !difference;
			free(difference);
		}
		assert_true(is_known);
		pmuq_catalog_free(found);
		pmuq_source_free(source);
	}
	pmuq_store_free(store);
}

/* On a busy machine a writer may save nothing before it is killed: the last one gets the time. */
static void wait_for_progress(const volatile uint64_t *progress)
{
	enum { PAUSE_US = 1000, PAUSES_MAX = 60000 };

	for (int i = 0; i < PAUSES_MAX && !*progress; i++)
		sleep_us(PAUSE_US);
}

static void after_a_kill_the_store_has_all_or_nothing(void **state)
{
	enum { KILLS = 25, MACHINES = 3 };
	struct scene *scene = *state;
	struct pmuq_catalog *machines[MACHINES];
	const struct pmuq_catalog *const *list = (const struct pmuq_catalog *const *)machines;
	volatile uint64_t *progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE,
					   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int64_t each_us;

	assert_true(progress != MAP_FAILED);
	for (size_t i = 0; i < MACHINES; i++)
		machines[i] = big_machine(i);
	each_us = time_of_saving(&scene->tree, machines[0]) / 8;
	for (int kill_number = 0; kill_number < KILLS; kill_number++) {
		pid_t child = fork();
		int status;

		assert_true(child >= 0);
		if (child == 0)
			save_until_killed(scene->path, list, MACHINES, progress);
		sleep_us(each_us * kill_number);
		if (kill_number == KILLS - 1)
			wait_for_progress(progress);
		kill(child, SIGKILL);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFSIGNALED(status));
		expect_whole(scene->path, list, MACHINES, *progress > 0);
	}
	assert_true(*progress > 0);
	for (size_t i = 0; i < MACHINES; i++)
		pmuq_catalog_free(machines[i]);
	munmap((void *)(uintptr_t)progress, sizeof(*progress));
}

/* The log of a killed writer can be read without merging it. */
static void a_log_that_was_left_is_read(void **state)
{
	struct scene *scene = *state;
	struct pmuq_catalog *machine = big_machine(1);
	struct pmuq_store *store;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		store = NULL;
		_exit(pmuq_store_open(scene->path, PMUQ_STORE_CREATE, &store, NULL) ||
		      pmuq_store_save(store, machine, NULL, NULL, 1, NULL, NULL));
	}
	wait_for(child, 0);
	assert_true(file_exists(scene->path, "-wal"));
	store = store_open(scene->path, PMUQ_STORE_READ);
	store_expect(store, "big", 0, machine);
	pmuq_store_free(store);
	assert_true(file_exists(scene->path, "-wal"));
	pmuq_catalog_free(machine);
}

/* In a child: a limit on the size of files has the effect of a full disk. */
static int save_on_a_full_disk(const struct scene *scene, rlim_t bytes)
{
	struct pmuq_catalog *machine = big_machine(9);
	struct rlimit usual, limit;
	struct pmuq_store *store = NULL;
	struct pmuq_error *error = NULL;
	int r;

	signal(SIGXFSZ, SIG_IGN);
	if (pmuq_store_open(scene->path, PMUQ_STORE_WRITE, &store, NULL) < 0)
		return 1;
	/* The hard limit of the test's parent stays: only root could raise it again. */
	if (getrlimit(RLIMIT_FSIZE, &usual) < 0)
		return 2;
	limit = (struct rlimit){ .rlim_cur = bytes, .rlim_max = usual.rlim_max };
	if (setrlimit(RLIMIT_FSIZE, &limit) < 0)
		return 2;
	r = pmuq_store_save(store, machine, NULL, NULL, 2, NULL, &error);
	if (r != -PMUQ_E_STORE_WRITE || !error->hint.p)
		return 3;
	pmuq_error_free(error);
	if (setrlimit(RLIMIT_FSIZE, &usual) < 0)
		return 4;
	/* The same store can save after the limit is lifted. */
	if (pmuq_store_save(store, machine, NULL, "after", 3, NULL, NULL) < 0)
		return 5;
	pmuq_store_free(store);
	pmuq_catalog_free(machine);
	return 0;
}

static void a_full_disk_keeps_what_was_there(void **state)
{
	struct scene *scene = *state;
	struct pmuq_catalog *machine = big_machine(1);
	struct pmuq_store *store;
	pid_t child;

	assert_int_equal(save_quietly(scene->path, machine, NULL), 0);
	for (rlim_t bytes = 4096; bytes <= 65536; bytes *= 4) {
		child = fork();
		assert_true(child >= 0);
		if (child == 0)
			_exit(save_on_a_full_disk(scene, bytes));
		wait_for(child, 0);
		store = store_open(scene->path, PMUQ_STORE_WRITE);
		store_expect(store, "big", 0, machine);
		assert_int_equal(store_number(store, "SELECT count(*) FROM snapshot"), 2);
		assert_int_equal(store_exec(store, "DELETE FROM host WHERE name = 'after';"
						   "DELETE FROM layout WHERE id > 1"),
				 0);
		pmuq_store_free(store);
	}
	pmuq_catalog_free(machine);
}

#define IN_TREE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_TREE(many_writers_take_turns),
		IN_TREE(readers_are_never_disturbed),
		IN_TREE(a_writer_that_waits_too_long_fails),
		IN_TREE(after_a_kill_the_store_has_all_or_nothing),
		IN_TREE(a_log_that_was_left_is_read),
		IN_TREE(a_full_disk_keeps_what_was_there),
	};

	return _cmocka_run_group_tests("store_crash", tests, COUNT(tests), NULL, NULL);
}
