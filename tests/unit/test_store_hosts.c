/* SPDX-License-Identifier: MIT */
/* Many hosts: their classes, one host in its history, renaming, and forgetting. */
#include "core/catalog/check.h"
#include "tests/harness/store.h"

#define DAY_S 86400
/* 2026-11-01 00:00 UTC */
#define NOVEMBER_S 1793491200

struct scene {
	struct tree tree;
	char *path;
	struct pmuq_store *store;
};

static int set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	assert_non_null(scene);
	tree_make(&scene->tree);
	scene->path = store_path(&scene->tree);
	scene->store = store_open(scene->path, PMUQ_STORE_CREATE);
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	pmuq_store_free(scene->store);
	free(scene->path);
	tree_remove(&scene->tree);
	free(scene);
	return 0;
}

static int64_t save(const struct scene *scene, const char *name, int64_t time_s,
		    const struct test_machine *machine)
{
	struct pmuq_catalog *catalog = machine_catalog(machine);
	struct pmuq_saved saved = store_save(scene->store, catalog, name, time_s);

	pmuq_catalog_free(catalog);
	return saved.snapshot;
}

static struct pmuq_hosts *find(const struct scene *scene, const struct pmuq_hosts_filter *filter)
{
	struct pmuq_hosts *hosts = NULL;

	assert_int_equal(pmuq_store_list_hosts(scene->store, filter, &hosts, NULL), 0);
	assert_non_null(hosts);
	return hosts;
}

static size_t index_of(const struct pmuq_hosts *hosts, const char *name)
{
	for (size_t i = 0; i < pmuq_hosts_count(hosts); i++)
		if (strcmp(pmuq_hosts_get(hosts, i)->name.p, name) == 0)
			return i;
	fail_msg("no host %s", name);
	return 0;
}

/* ------------------------------------------------------------------------------ classes */

/* Which changes make another class. */
static const struct class_case {
	const char *name;
	struct test_machine machine;
	bool is_another;
} class_cases[] = {
	{ "the same", { .hostname = "b" }, false },
	{ "another kernel", { .hostname = "b", .kernel = "6.13.0" }, false },
	{ "another boot", { .hostname = "b", .boot_id = "boot 2" }, false },
	{ "a check", { .hostname = "b", .check = { .n = 3, .time_s = 1 } }, false },
	{ "another format", { .hostname = "b", .format = "config:0-11" }, true },
	{ "one instance more", { .hostname = "b", .n_uncore = 13 }, true },
	{ "other tracepoints", { .hostname = "b", .first_tracepoint = 400 }, true },
};

static void test_class(void **state)
{
	const struct class_case *row = *state;
	struct pmuq_hosts *hosts;
	void *state_of_row = NULL;
	struct scene *scene;

	set_up(&state_of_row);
	scene = state_of_row;
	save(scene, "a", 1, &(struct test_machine){ .hostname = "a" });
	save(scene, "b", 1, &row->machine);
	hosts = find(scene, NULL);
	assert_int_equal(pmuq_hosts_class_count(hosts), row->is_another ? 2 : 1);
	assert_int_equal(pmuq_hosts_get(hosts, 0)->host_class !=
				 pmuq_hosts_get(hosts, 1)->host_class,
			 row->is_another);
	assert_int_equal(strlen(pmuq_hosts_class(hosts, 0)->name.p), 8);
	pmuq_hosts_free(hosts);
	tear_down(&state_of_row);
}

static size_t count_classes_with(const struct scene *scene, const char *changed_fact)
{
	struct pmuq_hosts *hosts;
	size_t n;

	save(scene, "a", 1, &(struct test_machine){ .hostname = "a" });
	save(scene, "b", 1,
	     &(struct test_machine){ .hostname = "b", .changed_fact = changed_fact });
	hosts = find(scene, NULL);
	n = pmuq_hosts_class_count(hosts);
	pmuq_hosts_free(hosts);
	return n;
}

/* A fact that the encoder can query splits the class, and no other fact does. The names are here
 * again on purpose: the class must not be split, or merged, by accident. */
static void facts_that_encodings_depend_on_split_the_class(void **state)
{
	static const char *const of_class[] = {
		"arch", "cpuid", "cpus_present", "cpus_online", "extended_type", "incomplete",
	};
	struct scene *scene = *state;
	size_t n = 0;

	for (enum pq_fact fact = 0; fact < PQ_FACT_COUNT; fact++) {
		struct pmuq_str name = pq_fact_name(fact);
		bool is_of_class = n < COUNT(of_class) && str_eq(name, str_of(of_class[n]));

		n += is_of_class;
		assert_int_equal(count_classes_with(scene, name.p), is_of_class ? 2 : 1);
	}
	assert_int_equal(n, COUNT(of_class));
}

static void the_newest_snapshot_decides_the_class(void **state)
{
	struct scene *scene = *state;
	struct pmuq_hosts *hosts;
	char name[16];

	for (int i = 0; i < 5; i++) {
		snprintf(name, sizeof(name), "host%d", i);
		save(scene, name, 1, &(struct test_machine){ .hostname = name, .n_uncore = 3 });
	}
	save(scene, "host2", 2, &(struct test_machine){ .hostname = "host2", .n_uncore = 4 });
	hosts = find(scene, NULL);
	assert_int_equal(pmuq_hosts_class_count(hosts), 2);
	/* The largest first, and its hosts by name. */
	assert_int_equal(pmuq_hosts_class(hosts, 0)->n_hosts, 4);
	assert_string_equal(pmuq_hosts_get(hosts, pmuq_hosts_class(hosts, 0)->hosts[2])->name.p,
			    "host3");
	assert_int_equal(pmuq_hosts_class(hosts, 1)->n_hosts, 1);
	assert_string_equal(pmuq_hosts_get(hosts, pmuq_hosts_class(hosts, 1)->hosts[0])->name.p,
			    "host2");
	assert_int_equal(pmuq_hosts_get(hosts, index_of(hosts, "host2"))->host_class, 1);
	/* Indexes that are too large. */
	assert_null(pmuq_hosts_class(hosts, 2));
	assert_null(pmuq_hosts_get(hosts, 5));
	pmuq_hosts_free(hosts);
}

static void hosts_of_a_class_are_grouped_by_their_checks(void **state)
{
	struct scene *scene = *state;
	const struct test_check one = { .n = 5, .time_s = 1 },
				other = { .n = 5, .time_s = 1, .first_errnum = 22 };
	struct pmuq_check *want, *found = NULL;
	struct pmuq_hosts *hosts;
	char *difference;
	size_t host;

	save(scene, "a", 1, &(struct test_machine){ .hostname = "a", .check = one });
	save(scene, "b", 1, &(struct test_machine){ .hostname = "b", .check = other });
	save(scene, "c", 1, &(struct test_machine){ .hostname = "c" });
	save(scene, "d", 1, &(struct test_machine){ .hostname = "d", .check = one });
	hosts = find(scene, NULL);
	assert_int_equal(pmuq_hosts_class_count(hosts), 1);
	assert_int_equal(pmuq_hosts_class(hosts, 0)->n_checks, 2);
	assert_int_equal(pmuq_hosts_get(hosts, 0)->check, pmuq_hosts_get(hosts, 3)->check);
	assert_int_not_equal(pmuq_hosts_get(hosts, 0)->check, pmuq_hosts_get(hosts, 1)->check);
	assert_int_equal(pmuq_hosts_get(hosts, 2)->check, PMUQ_NOT_KNOWN);
	assert_true(pmuq_hosts_snapshot(hosts, 0, 0)->is_checked);
	assert_false(pmuq_hosts_snapshot(hosts, 2, 0)->is_checked);
	host = pmuq_hosts_class(hosts, 0)->check_hosts[pmuq_hosts_get(hosts, 1)->check];
	assert_int_equal(host, 1);
	want = machine_check(&(struct test_machine){ .check = other });
	assert_int_equal(pmuq_store_read_check(scene->store, pmuq_hosts_get(hosts, host)->name.p, 0,
					       &found, NULL),
			 0);
	difference = check_difference(want, found);
	if (difference)
		fail_msg("%s", difference);
	pmuq_check_free(want);
	pmuq_check_free(found);
	found = NULL;
	assert_int_equal(pmuq_store_read_check(scene->store, "c", 0, &found, NULL), 0);
	assert_null(found);
	assert_int_equal(pmuq_store_read_check(scene->store, "c", 99, &found, NULL),
			 -PMUQ_E_UNKNOWN_SNAPSHOT);
	assert_int_equal(pmuq_store_read_check(scene->store, "x", 0, &found, NULL),
			 -PMUQ_E_UNKNOWN_HOST);
	pmuq_hosts_free(hosts);
}

static void only_matching_hosts_are_listed(void **state)
{
	struct scene *scene = *state;
	const char *globs[] = { "web*", "db?", "none*" };
	struct pmuq_hosts_filter filter = { .size = sizeof(filter), .globs = globs, .n_globs = 3 };
	struct pmuq_hosts *hosts, *untouched = NULL;

	save(scene, "web1", 1, &(struct test_machine){ .hostname = "one" });
	save(scene, "web1", 2, &(struct test_machine){ .hostname = "one", .kernel = "7.0" });
	save(scene, "db1", 3, &(struct test_machine){ .hostname = "two" });
	save(scene, "mail", 4, &(struct test_machine){ .hostname = "one" });
	hosts = find(scene, &filter);
	assert_int_equal(pmuq_hosts_count(hosts), 2);
	assert_int_equal(pmuq_hosts_matched(hosts, 0), 1);
	assert_int_equal(pmuq_hosts_matched(hosts, 2), 0);
	assert_int_equal(pmuq_hosts_matched(hosts, 3), 0);
	assert_int_equal(pmuq_hosts_get(hosts, 1)->n_snapshots, 2);
	assert_string_equal(pmuq_snapshot_find_fact(pmuq_hosts_snapshot(hosts, 1, 0), "kernel"),
			    "6.12.0");
	assert_string_equal(pmuq_snapshot_find_fact(pmuq_hosts_snapshot(hosts, 1, 1), "kernel"),
			    "7.0");
	assert_null(pmuq_snapshot_find_fact(pmuq_hosts_snapshot(hosts, 1, 1), "hostname"));
	pmuq_hosts_free(hosts);
	filter = (struct pmuq_hosts_filter){ .size = sizeof(filter), .hostname = "one" };
	hosts = find(scene, &filter);
	assert_int_equal(pmuq_hosts_count(hosts), 2);
	assert_string_equal(pmuq_hosts_get(hosts, 0)->name.p, "mail");
	assert_string_equal(pmuq_hosts_get(hosts, 1)->name.p, "web1");
	assert_int_equal(pmuq_hosts_get(hosts, 1)->n_snapshots, 2);
	pmuq_hosts_free(hosts);
	/* A caller of an older version, in which the filter has no hostname. */
	filter.size = offsetof(struct pmuq_hosts_filter, hostname);
	hosts = find(scene, &filter);
	assert_int_equal(pmuq_hosts_count(hosts), 3);
	pmuq_hosts_free(hosts);
	filter = (struct pmuq_hosts_filter){ .size = sizeof(filter),
					     .machine_id = "one",
					     .is_newest_only = true };
	hosts = find(scene, &filter);
	assert_int_equal(pmuq_hosts_count(hosts), 2);
	assert_string_equal(pmuq_hosts_get(hosts, 0)->name.p, "mail");
	assert_string_equal(pmuq_hosts_get(hosts, 1)->machine_id.p, "one");
	assert_int_equal(pmuq_hosts_get(hosts, 1)->n_snapshots, 1);
	assert_int_equal(pmuq_hosts_get(hosts, 1)->n_stored, 2);
	assert_string_equal(pmuq_snapshot_find_fact(pmuq_hosts_snapshot(hosts, 1, 0), "kernel"),
			    "7.0");
	pmuq_hosts_free(hosts);
	filter.size = 0;
	assert_int_equal(pmuq_store_list_hosts(scene->store, &filter, &untouched, NULL),
			 -PMUQ_E_BAD_CALL);
	assert_null(untouched);
}

/* The largest class first, and its hosts by their names. */
static void classes_are_in_the_order_of_their_sizes(void **state)
{
	static const struct {
		const char *hostname, *format;
	} hosts_saved[] = {
		{ "f", "config:0-5" }, { "e", "config:0-6" }, { "d", "config:0-4" },
		{ "c", "config:0-6" }, { "b", "config:0-4" }, { "a", "config:0-4" },
	};
	static const char *const want[] = { "a", "b", "d", "c", "e", "f" };
	struct scene *scene = *state;
	struct pmuq_hosts *hosts;
	size_t n = 0;

	for (size_t i = 0; i < COUNT(hosts_saved); i++)
		save(scene, hosts_saved[i].hostname, 1,
		     &(struct test_machine){ .hostname = hosts_saved[i].hostname,
					     .format = hosts_saved[i].format });
	hosts = find(scene, NULL);
	assert_int_equal(pmuq_hosts_class_count(hosts), 3);
	for (size_t i = 0; i < 3; i++) {
		const struct pmuq_host_class *class = pmuq_hosts_class(hosts, i);

		assert_int_equal(class->n_hosts, 3 - i);
		for (size_t k = 0; k < class->n_hosts; k++) {
			const struct pmuq_host *host = pmuq_hosts_get(hosts, class->hosts[k]);

			assert_string_equal(host->name.p, want[n++]);
			assert_int_equal(host->host_class, i);
		}
	}
	pmuq_hosts_free(hosts);
}

/* A name is not a path. */
static void a_star_matches_a_slash_and_a_dot(void **state)
{
	static const char *const globs[] = { "rack*", "*" };
	const struct pmuq_hosts_filter filter = { .size = sizeof(filter),
						  .globs = globs,
						  .n_globs = COUNT(globs) };
	struct scene *scene = *state;
	struct pmuq_hosts *hosts;

	save(scene, "rack1/web", 1, &(struct test_machine){ .hostname = "a" });
	save(scene, ".hidden", 1, &(struct test_machine){ .hostname = "b" });
	hosts = find(scene, &filter);
	assert_int_equal(pmuq_hosts_count(hosts), 2);
	assert_int_equal(pmuq_hosts_matched(hosts, 0), 1);
	assert_int_equal(pmuq_hosts_matched(hosts, 1), 2);
	pmuq_hosts_free(hosts);
}

/* ------------------------------------------------------------------------------ history */

static const struct when_case {
	const char *when;
	int64_t want; /* the number of the snapshot; 0: no snapshot */
} when_cases[] = {
	{ "1", 1 },
	{ "3", 3 },
	{ "4", 0 }, /* another host's */
	{ "99999999999999999999999999", 0 },
	{ "0", 0 },
	{ "2026-10-31", 0 },
	{ "2026-11-01", 1 },
	{ "2026-11-01 00:00", 0 },
	{ "2026-11-01 00:01", 1 },
	{ "2026-11-01T00:00:59", 0 },
	{ "2026-11-01T00:01:00Z", 1 },
	{ "2026-11-10", 1 },
	{ "2026-11-11", 2 },
	{ "2030-01-01", 3 },
	{ "6.1.0-40-amd64", 1 },
	{ "6.1.0-41-amd64", 3 },
	{ "6.1.0", 3 },
	{ "6.1", 3 },
	{ "6.12.0", 2 },
	{ "6.12", 2 },
	{ "6.1.0-4", 0 }, /* neither 40 nor 41 */
	{ "2026-13-01", 0 },
	{ "2026-02-30", 0 },
	{ "latest", 0 },
};

static void test_when(void **state)
{
	const struct when_case *row = *state;
	struct pmuq_error *error = NULL;
	int64_t found = -7;
	void *state_of_row = NULL;
	struct scene *scene;
	int r;

	set_up(&state_of_row);
	scene = state_of_row;
	save(scene, "web1", NOVEMBER_S + 60,
	     &(struct test_machine){ .hostname = "web1", .kernel = "6.1.0-40-amd64" });
	save(scene, "web1", NOVEMBER_S + 10 * DAY_S,
	     &(struct test_machine){ .hostname = "web1", .kernel = "6.12.0" });
	save(scene, "web1", NOVEMBER_S + 20 * DAY_S,
	     &(struct test_machine){ .hostname = "web1", .kernel = "6.1.0-41-amd64" });
	save(scene, "other", NOVEMBER_S, &(struct test_machine){ .hostname = "other" });
	r = pmuq_store_find_snapshot(scene->store, "web1", row->when, &found, &error);
	assert_int_equal(found, row->want ? row->want : -7);
	assert_int_equal(r, row->want ? 0 : -PMUQ_E_UNKNOWN_SNAPSHOT);
	if (r < 0) {
		assert_non_null(strstr(error->hint.p, "3"));
		assert_string_equal(error->origin.p, scene->path);
	}
	pmuq_error_free(error);
	found = -7;
	assert_int_equal(pmuq_store_find_snapshot(scene->store, "web2", row->when, &found, NULL),
			 -PMUQ_E_UNKNOWN_HOST);
	assert_int_equal(found, -7);
	tear_down(&state_of_row);
}

static void a_day_has_its_seconds(void **state)
{
	int64_t first = 7, last = 7;

	(void)state;
	assert_true(pmuq_time_parse("2026-11-01", &first, &last));
	assert_int_equal(first, NOVEMBER_S);
	assert_int_equal(last, NOVEMBER_S + DAY_S - 1);
	assert_true(pmuq_time_parse("2026-11-01 00:02", &first, &last));
	assert_int_equal(first, NOVEMBER_S + 120);
	assert_int_equal(last, first + 59);
	assert_false(pmuq_time_parse("", &first, &last));
	assert_false(pmuq_time_parse("2026-11-01 00", &first, &last));
	assert_false(pmuq_time_parse("yesterday!", &first, &last));
	assert_false(pmuq_time_parse("abcd-11-01", &first, &last));
}

/* ------------------------------------------------------------------------------- rename */

static void a_host_gets_another_name(void **state)
{
	struct scene *scene = *state;
	struct pmuq_error *error = NULL;
	struct pmuq_store *reader;

	save(scene, "old", 1, &(struct test_machine){ .hostname = "old" });
	save(scene, "taken", 1, &(struct test_machine){ .hostname = "taken" });
	assert_int_equal(pmuq_store_rename_host(scene->store, "old", "new", NULL), 0);
	assert_int_equal(pmuq_store_rename_host(scene->store, "new", "new", NULL), 0);
	assert_int_equal(store_number(scene->store, "SELECT count(*) FROM v_host WHERE host = 'new'"
						    " AND snapshot = 1"),
			 1);
	assert_int_equal(pmuq_store_rename_host(scene->store, "new", "taken", &error),
			 -PMUQ_E_HOST_EXISTS);
	assert_non_null(error->hint.p);
	pmuq_error_free(error);
	assert_int_equal(pmuq_store_rename_host(scene->store, "old", "x", NULL),
			 -PMUQ_E_UNKNOWN_HOST);
	assert_int_equal(pmuq_store_rename_host(scene->store, "new", "", NULL), -PMUQ_E_NO_NAME);
	reader = store_open(scene->path, PMUQ_STORE_READ);
	assert_int_equal(pmuq_store_rename_host(reader, "new", "x", NULL), -PMUQ_E_STORE_WRITE);
	pmuq_store_free(reader);
}

/* ------------------------------------------------------------------------------- forget */

static struct pmuq_forgotten forget(const struct scene *scene, const char *name, int64_t snapshot,
				    const struct pmuq_forget_options *options)
{
	struct pmuq_forgotten forgotten = { .size = sizeof(forgotten) };

	assert_int_equal(pmuq_store_forget(scene->store, &name, &snapshot, name ? 1 : 0, options,
					   &forgotten, NULL),
			 0);
	store_expect_references(scene->store);
	return forgotten;
}

static void unshared_rows_are_forgotten_with_the_host(void **state)
{
	struct scene *scene = *state;
	const struct test_check check = { .n = 9, .time_s = 1, .first_errnum = 13 };
	struct pmuq_catalog *stays = machine_catalog(&(struct test_machine){ .hostname = "a" });
	struct pmuq_forgotten forgotten;
	int64_t before;

	save(scene, "a", 1, &(struct test_machine){ .hostname = "a" });
	before = store_rows(scene->store);
	save(scene, "b", 1, &(struct test_machine){ .hostname = "b" });
	save(scene, "b", 2,
	     &(struct test_machine){ .hostname = "b",
				     .kernel = "7.0",
				     .format = "config:0-3",
				     .n_uncore = 40,
				     .first_tracepoint = 900,
				     .check = check });
	forgotten = forget(scene, "b", 0, NULL);
	assert_int_equal(forgotten.hosts, 1);
	assert_int_equal(forgotten.snapshots, 2);
	assert_int_equal(forgotten.layouts, 1);
	assert_int_equal(forgotten.host_classes, 1);
	assert_int_equal(store_rows(scene->store), before);
	store_expect(scene->store, "a", 0, stays);
	/* The next snapshot gets a number that was not used before. */
	assert_int_equal(save(scene, "c", 3, &(struct test_machine){ .hostname = "c" }), 4);
	pmuq_catalog_free(stays);
}

static void one_snapshot_of_many_is_forgotten(void **state)
{
	struct scene *scene = *state;
	struct pmuq_catalog *first =
		machine_catalog(&(struct test_machine){ .hostname = "a", .kernel = "1" });
	int64_t second;

	save(scene, "a", 1, &(struct test_machine){ .hostname = "a", .kernel = "1" });
	second = save(scene, "a", 2, &(struct test_machine){ .hostname = "a", .kernel = "2" });
	assert_int_equal(forget(scene, "a", second, NULL).hosts, 0);
	store_expect(scene->store, "a", 0, first);
	assert_int_equal(forget(scene, "a", 1, NULL).hosts, 1);
	pmuq_catalog_free(first);
}

static void save_history(const struct scene *scene)
{
	char kernel[16];

	for (int64_t i = 1; i <= 5; i++) {
		snprintf(kernel, sizeof(kernel), "6.%d", (int)i);
		save(scene, "a", i * 100,
		     &(struct test_machine){ .hostname = "a", .kernel = kernel });
	}
	save(scene, "b", 150, &(struct test_machine){ .hostname = "b" });
}

static const struct policy_case {
	const char *name;
	const char *host; /* NULL: all */
	struct pmuq_forget_options options;
	int64_t snapshots, hosts; /* that are left */
} policy_cases[] = {
	{ "keep one", NULL, { .keep = 1 }, 2, 2 },
	{ "keep three", NULL, { .keep = 3 }, 4, 2 },
	{ "keep more than there are", NULL, { .keep = SIZE_MAX }, 6, 2 },
	{ "before", NULL, { .before_s = 300 }, 3, 1 },
	{ "before, but keep", NULL, { .before_s = 1000, .keep = 1 }, 2, 2 },
	{ "before the first", NULL, { .before_s = 100 }, 6, 2 },
	{ "of one host", "b", { .before_s = 1000 }, 5, 1 },
	{ "a trial", NULL, { .before_s = 1000, .is_trial = true }, 6, 2 },
};

static void test_policy(void **state)
{
	const struct policy_case *row = *state;
	struct pmuq_forget_options options = row->options;
	struct pmuq_forgotten forgotten;
	void *state_of_row = NULL;
	struct scene *scene;

	set_up(&state_of_row);
	scene = state_of_row;
	save_history(scene);
	options.size = sizeof(options);
	forgotten = forget(scene, row->host, 0, &options);
	assert_int_equal(store_number(scene->store, "SELECT count(*) FROM snapshot"),
			 row->snapshots);
	assert_int_equal(store_number(scene->store, "SELECT count(*) FROM host"), row->hosts);
	assert_int_equal(forgotten.snapshots, options.is_trial ? 6 : 6 - row->snapshots);
	assert_int_equal(forgotten.hosts, options.is_trial ? 2 : 2 - row->hosts);
	tear_down(&state_of_row);
}

static void all_named_hosts_are_forgotten_or_none(void **state)
{
	struct scene *scene = *state;
	const char *names[] = { "a", "nobody" };
	const int64_t wrong[] = { 1, 6 }; /* 6 is b's */
	const char *same[] = { "a", "a" };
	/* An option of a later version. */
	const struct {
		struct pmuq_forget_options known;
		char newer[8];
	} later = { .known = { .size = sizeof(later) }, .newer = { 1 } };
	struct pmuq_store *reader;

	save_history(scene);
	assert_int_equal(pmuq_store_forget(scene->store, names, NULL, 2, NULL, NULL, NULL),
			 -PMUQ_E_UNKNOWN_HOST);
	assert_int_equal(pmuq_store_forget(scene->store, names, NULL, 1, &later.known, NULL, NULL),
			 -PMUQ_E_BAD_CALL);
	assert_int_equal(pmuq_store_forget(scene->store, same, wrong, 2, NULL, NULL, NULL),
			 -PMUQ_E_UNKNOWN_SNAPSHOT);
	assert_int_equal(pmuq_store_forget(scene->store, NULL, NULL, 0, NULL, NULL, NULL),
			 -PMUQ_E_BAD_CALL);
	assert_int_equal(store_number(scene->store, "SELECT count(*) FROM snapshot"), 6);
	reader = store_open(scene->path, PMUQ_STORE_READ);
	assert_int_equal(pmuq_store_forget(reader, names, NULL, 1, NULL, NULL, NULL),
			 -PMUQ_E_STORE_WRITE);
	pmuq_store_free(reader);
}

/* A host's machine-id is that of its newest snapshot, also after the newest one is forgotten. */
static void the_machine_id_is_of_what_is_left(void **state)
{
	struct scene *scene = *state;
	const struct pmuq_hosts_filter filter = { .size = sizeof(filter), .machine_id = "first" };
	struct pmuq_hosts *hosts;
	int64_t second;

	save(scene, "a", 1, &(struct test_machine){ .hostname = "first" });
	second = save(scene, "a", 2, &(struct test_machine){ .hostname = "second" });
	hosts = find(scene, &filter);
	assert_int_equal(pmuq_hosts_count(hosts), 0);
	pmuq_hosts_free(hosts);
	forget(scene, "a", second, NULL);
	hosts = find(scene, &filter);
	assert_int_equal(pmuq_hosts_count(hosts), 1);
	pmuq_hosts_free(hosts);
}

static void a_host_that_is_like_another_takes_little(void **state)
{
	enum { MORE = 500, LIMIT_BYTES = 2048 };
	struct scene *scene = *state;
	const struct test_check check = { .n = 300, .time_s = 1 };
	char name[32];
	int64_t before;

	save(scene, "first", 1,
	     &(struct test_machine){ .hostname = "first", .n_uncore = 200, .check = check });
	before = store_bytes(scene->store);
	assert_int_equal(pmuq_store_begin(scene->store, NULL), 0);
	for (int i = 0; i < MORE; i++) {
		snprintf(name, sizeof(name), "web%d.example.org", i);
		save(scene, name, 1,
		     &(struct test_machine){
			     .hostname = name, .n_uncore = 200, .check = check, .boot_id = name });
	}
	assert_int_equal(pmuq_store_commit(scene->store, NULL), 0);
	assert_int_equal(store_number(scene->store, "SELECT count(*) FROM host"), MORE + 1);
	assert_between((store_bytes(scene->store) - before) / MORE, 0, LIMIT_BYTES);
}

#define IN_STORE(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

#define SINGLES 13

int main(void)
{
	struct CMUnitTest
		tests[COUNT(class_cases) + COUNT(when_cases) + COUNT(policy_cases) + SINGLES];
	const struct CMUnitTest singles[SINGLES] = {
		IN_STORE(the_newest_snapshot_decides_the_class),
		IN_STORE(facts_that_encodings_depend_on_split_the_class),
		IN_STORE(hosts_of_a_class_are_grouped_by_their_checks),
		IN_STORE(classes_are_in_the_order_of_their_sizes),
		IN_STORE(only_matching_hosts_are_listed),
		IN_STORE(a_star_matches_a_slash_and_a_dot),
		cmocka_unit_test(a_day_has_its_seconds),
		IN_STORE(a_host_gets_another_name),
		IN_STORE(unshared_rows_are_forgotten_with_the_host),
		IN_STORE(one_snapshot_of_many_is_forgotten),
		IN_STORE(all_named_hosts_are_forgotten_or_none),
		IN_STORE(the_machine_id_is_of_what_is_left),
		IN_STORE(a_host_that_is_like_another_takes_little),
	};
	size_t n = COUNT(singles);

	memcpy(tests, singles, sizeof(singles));
	n += ADD_ROWS(tests + n, test_class, class_cases, name);
	n += ADD_ROWS(tests + n, test_when, when_cases, when);
	n += ADD_ROWS(tests + n, test_policy, policy_cases, name);
	return _cmocka_run_group_tests("store_hosts", tests, n, NULL, NULL);
}
