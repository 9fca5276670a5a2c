/* SPDX-License-Identifier: MIT */
/*
 * Calls of the store without memory: each allocation fails once. A call then fails as a whole, or
 * does without the memory. What SQLite allocates does not fail here: test_store_failures.c.
 */
#include "core/catalog/source.h"
#include "tests/harness/failing_malloc.h"
#include "tests/harness/store.h"

struct scene {
	struct tree tree;
	char *path;
	struct pmuq_catalog *machine; /* of the host web01, with its check */
	struct pmuq_catalog *changed;
};

static int set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));
	struct pmuq_store *store;

	assert_non_null(scene);
	tree_make(&scene->tree);
	scene->path = store_path(&scene->tree);
	scene->machine = machine_catalog(&(struct test_machine){
		.hostname = "web01", .n_uncore = 2, .check = { .n = 4, .total = 9, .time_s = 7 } });
	scene->changed = machine_catalog(
		&(struct test_machine){ .hostname = "web01", .kernel = "7.0", .n_uncore = 3 });
	store = store_open(scene->path, PMUQ_STORE_CREATE);
	store_save(store, scene->machine, "web01", 1000);
	store_save(store, scene->machine, "web02", 1000);
	store_save(store, scene->changed, "web03", 1000);
	pmuq_store_free(store);
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	pmuq_catalog_free(scene->machine);
	pmuq_catalog_free(scene->changed);
	free(scene->path);
	tree_remove(&scene->tree);
	free(scene);
	return 0;
}

/* ---- the calls: each checks its result */

static int list_hosts(struct pmuq_store *store, const struct scene *scene)
{
	const char *const globs[] = { "web*" };
	const struct pmuq_hosts_filter filter = { .size = sizeof(filter),
						  .globs = globs,
						  .n_globs = 1 };
	struct pmuq_hosts *hosts = NULL;
	int r = pmuq_store_list_hosts(store, &filter, &hosts, NULL);

	(void)scene;
	assert_int_equal(r == 0, hosts != NULL);
	if (r == 0) {
		assert_int_equal(pmuq_hosts_count(hosts), 3);
		assert_int_equal(pmuq_hosts_matched(hosts, 0), 3);
		assert_int_equal(pmuq_hosts_class_count(hosts), 2);
		assert_int_equal(pmuq_hosts_class(hosts, 0)->n_hosts, 2);
		assert_int_equal(pmuq_hosts_class(hosts, 0)->n_checks, 1);
		assert_int_equal(pmuq_hosts_class(hosts, 0)->size, sizeof(struct pmuq_host_class));
		assert_int_equal(pmuq_hosts_get(hosts, 0)->size, sizeof(struct pmuq_host));
		assert_int_equal(pmuq_hosts_snapshot(hosts, 0, 0)->size,
				 sizeof(struct pmuq_snapshot));
	}
	pmuq_hosts_free(hosts);
	return r;
}

static int open_host(struct pmuq_store *store, const struct scene *scene)
{
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *catalog = NULL;
	char *difference = NULL;
	int r = pmuq_store_open_host(store, "web01", 0, &source, NULL);

	assert_int_equal(r == 0, source != NULL);
	if (r == 0)
		r = pmuq_source_read_catalog(source, &catalog, NULL);
	if (r == 0) {
		difference = catalog_difference(scene->machine, catalog);
		if (difference)
			fail_msg("%s", difference);
	}
	pmuq_catalog_free(catalog);
	pmuq_source_free(source);
	return r;
}

static void expect_whole(int r, struct pmuq_check *check)
{
	assert_int_equal(r == 0, check != NULL);
	if (check) {
		assert_int_equal(pmuq_check_progress(check)->n_results, 4);
		assert_int_equal(pmuq_check_progress(check)->n_events, 9);
	}
	pmuq_check_free(check);
}

static int read_check(struct pmuq_store *store, const struct scene *scene)
{
	struct pmuq_check *check = NULL;
	int r = pmuq_store_read_check(store, "web02", 0, &check, NULL);

	(void)scene;
	expect_whole(r, check);
	return r;
}

static int find_check(struct pmuq_store *store, const struct scene *scene)
{
	struct pmuq_check *check = NULL;
	int r = pmuq_store_find_check(store, scene->machine, &check, NULL);

	expect_whole(r, check);
	return r;
}

static int find_snapshot(struct pmuq_store *store, const struct scene *scene)
{
	int64_t found = 0;
	int r = pmuq_store_find_snapshot(store, "web03", "7.0", &found, NULL);

	(void)scene;
	assert_int_equal(found, r == 0 ? 3 : 0);
	return r;
}

static int find_nothing(struct pmuq_store *store, const struct scene *scene)
{
	struct pmuq_error *error = NULL;
	int64_t found = 0;
	int r = pmuq_store_find_snapshot(store, "web03", "6.1", &found, &error);

	(void)scene;
	assert_non_null(error);
	assert_int_equal(error->code, -r);
	pmuq_error_free(error);
	return r;
}

static int find_nobody(struct pmuq_store *store, const struct scene *scene)
{
	struct pmuq_error *error = NULL;
	int r = pmuq_store_rename_host(store, "web77", "other", &error);

	(void)scene;
	assert_non_null(error);
	assert_int_equal(error->code, -r);
	pmuq_error_free(error);
	return r;
}

static int save(struct pmuq_store *store, const struct scene *scene)
{
	struct pmuq_saved saved = { .size = sizeof(saved) };
	int r = pmuq_store_save(store, scene->changed, NULL, "web01", 2000, &saved, NULL);

	assert_int_equal(saved.is_new, r == 0);
	return r;
}

static int rename_host(struct pmuq_store *store, const struct scene *scene)
{
	(void)scene;
	return pmuq_store_rename_host(store, "web02", "db01", NULL);
}

static int forget(struct pmuq_store *store, const struct scene *scene)
{
	const char *const names[] = { "web03" };
	struct pmuq_forgotten forgotten = { .size = sizeof(forgotten) };
	int r = pmuq_store_forget(store, names, NULL, 1, NULL, &forgotten, NULL);

	(void)scene;
	assert_int_equal(forgotten.hosts, r == 0 ? 1 : 0);
	return r;
}

/* In this order: those that change the database come last. */
static const struct call {
	const char *name;
	int (*run)(struct pmuq_store *store, const struct scene *scene);
	enum pmuq_store_mode mode;
	int want; /* with enough memory */
} calls[] = {
	{ "list hosts", list_hosts, PMUQ_STORE_READ, 0 },
	{ "open a host", open_host, PMUQ_STORE_READ, 0 },
	{ "read a check", read_check, PMUQ_STORE_READ, 0 },
	{ "find a check", find_check, PMUQ_STORE_READ, 0 },
	{ "find a snapshot", find_snapshot, PMUQ_STORE_READ, 0 },
	{ "find no snapshot", find_nothing, PMUQ_STORE_READ, -PMUQ_E_UNKNOWN_SNAPSHOT },
	{ "find no host", find_nobody, PMUQ_STORE_WRITE, -PMUQ_E_UNKNOWN_HOST },
	{ "save", save, PMUQ_STORE_WRITE, 0 },
	{ "rename", rename_host, PMUQ_STORE_WRITE, 0 },
	{ "forget", forget, PMUQ_STORE_WRITE, 0 },
};

/* An old file: readers wait until changes of a new one would show. */
static struct pmuq_store *open_old(const struct scene *scene, enum pmuq_store_mode mode)
{
	assert_int_equal(utimensat(AT_FDCWD, scene->path, (const struct timespec[2]){ 0 }, 0), 0);
	return store_open(scene->path, mode);
}

static void test_call(void **state)
{
	const struct call *call = *state;
	void *made = NULL;
	bool has_failed = true;
	unsigned n = 0;

	set_up(&made);
	for (; has_failed; n++) {
		struct pmuq_store *store = open_old(made, call->mode);
		int r;

		fail_malloc_at(n);
		r = call->run(store, made);
		has_failed = fail_malloc_no_more();
		if (r != call->want)
			assert_int_equal(r, -PMUQ_E_MEMORY);
		/* Nothing was done by halves, and the store can be used afterwards. */
		assert_int_equal(store_number(store, "SELECT count(*) FROM host WHERE id NOT IN"
						     " (SELECT host FROM snapshot)"),
				 0);
		pmuq_store_free(store);
		if (r == 0 && call->mode != PMUQ_STORE_READ)
			break;
	}
	assert_true(n > 1);
	tear_down(&made);
}

static void a_store_without_memory_is_not_opened(void **state)
{
	static const enum pmuq_store_mode modes[] = { PMUQ_STORE_READ, PMUQ_STORE_WRITE,
						      PMUQ_STORE_CREATE };
	const struct scene *scene = *state;

	for (size_t i = 0; i < COUNT(modes); i++) {
		bool has_failed = true;

		for (unsigned n = 0; has_failed; n++) {
			struct pmuq_store *store = NULL;
			struct pmuq_error *error = NULL;
			int r;

			pmuq_store_free(open_old(scene, modes[i]));
			fail_malloc_at(n);
			r = pmuq_store_open(scene->path, modes[i], &store, &error);
			has_failed = fail_malloc_no_more();
			assert_int_equal(r == 0, store != NULL);
			assert_int_equal(r == 0, error == NULL);
			if (r < 0)
				assert_int_equal(r, -PMUQ_E_MEMORY);
			pmuq_error_free(error);
			pmuq_store_free(store);
		}
	}
}

int main(void)
{
	struct CMUnitTest tests[COUNT(calls) + 1] = {
		cmocka_unit_test_setup_teardown(a_store_without_memory_is_not_opened, set_up,
						tear_down),
	};
	size_t n = 1;

	n += ADD_ROWS(tests + n, test_call, calls, name);
	return _cmocka_run_group_tests("store_memory", tests, n, NULL, NULL);
}
