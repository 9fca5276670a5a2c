/* SPDX-License-Identifier: MIT */
/* Every captured machine is loaded without a problem, has the facts of its notes, and obeys the
 * law; also after another capture, and from the tar of the repository. */
#include "tests/unit/captured.h"
#include <dirent.h>
#include <stdio.h>

#define MACHINES_MAX 256

static char *path_in(const char *dir, const char *name)
{
	char *path = NULL;

	assert_true(asprintf(&path, "%s/%s", dir, name) > 0);
	return path;
}

/* The text of a file, to be freed; NULL when there is none. */
static char *read_text(const char *dir, const char *name)
{
	auto_free char *path = path_in(dir, name);
	FILE *file = fopen(path, "r");
	char *text = NULL;
	size_t capacity = 0;

	if (!file)
		return NULL;
	if (getdelim(&text, &capacity, '\0', file) < 0) {
		free(text);
		text = NULL;
	}
	fclose(file);
	return text;
}

/* The first word after "KEY: " at the start of a line. */
static bool note(const char *notes, struct pmuq_str key, struct pmuq_str *ret)
{
	struct pmuq_str line, rest = str_of(notes), tail;
	bool more = true;

	while (more) {
		more = str_cut(rest, '\n', &line, &rest);
		if (!str_starts(line, key))
			continue;
		str_cut(str_trim(str_part(line, key.n, line.n)), ' ', ret, &tail);
		return true;
	}
	return false;
}

struct counts {
	size_t formats, events, caps;
};

static struct counts count(const struct pmuq_catalog *catalog)
{
	struct counts n = { 0 };

	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_pmus; i++) {
		const struct pmuq_pmu *pmu = pmuq_catalog_pmu(catalog, i);

		n.formats += pmu->definition->n_formats;
		n.events += pmu->definition->n_events;
		n.caps += pmu->definition->n_caps;
	}
	return n;
}

static void assert_count(const char *notes, struct pmuq_str key, size_t n)
{
	auto_free char *have = NULL;
	struct pmuq_str want;

	assert_true(asprintf(&have, "%zu", n) > 0);
	assert_true(note(notes, key, &want));
	assert_true(str_eq(want, str_of(have)));
}

/* Compared with the counts in the capture. */
static void check_notes(const char *dir, const struct pmuq_catalog *catalog)
{
	auto_free char *notes = read_text(dir, "facts.txt");
	struct counts n = count(catalog);
	struct pmuq_str cpuid;

	if (!notes || !note(notes, STR("perf_cpuid:"), &cpuid))
		return;
	assert_true(str_eq(cpuid, str_of(pmuq_catalog_find_fact(catalog, "cpuid"))));
	assert_count(notes, STR("pmus:"), pmuq_catalog_machine(catalog)->n_pmus);
	assert_count(notes, STR("formats:"), n.formats);
	assert_count(notes, STR("events:"), n.events);
	assert_count(notes, STR("caps:"), n.caps);
}

/* A user who is not root may find files that only root may read. */
static void check_problems(const struct pmuq_catalog *catalog)
{
	for (size_t i = 0; i < pmuq_catalog_machine(catalog)->n_problems; i++)
		if (geteuid() == 0 || pmuq_catalog_problem(catalog, i)->code != PMUQ_E_UNREADABLE)
			fail_msg("%s: %s", pmuq_catalog_problem(catalog, i)->path.p,
				 pmuq_catalog_problem(catalog, i)->message.p);
}

static void is_read_without_a_problem_and_obeys_the_law(void **state)
{
	const char *dir = *state;
	struct pmuq_catalog *catalog = law_read(dir);

	check_problems(catalog);
	check_notes(dir, catalog);
	pmuq_catalog_free(catalog);
	assert_law(dir, true);
}

/* All tars are in one directory, and NAME.tar.xz contains NAME/sys. */
static void comes_in_a_tar(const char *dir, const struct pmuq_catalog *catalog)
{
	const char *archives = getenv("PMUQ_TEST_ARCHIVES");
	auto_free char *path = NULL;

	assert_non_null(archives);
	assert_true(asprintf(&path, "%s%s.tar.xz", archives, strrchr(dir, '/')) > 0);
	assert_alike(path, catalog);
	assert_law(path, true);
}

static void is_read_back_from_a_capture_and_a_tar(void **state)
{
	const char *dir = *state;
	struct pmuq_source *source = law_open(dir, true);
	struct pmuq_catalog *catalog = law_read(dir);

	assert_captured_alike(source, false);
	comes_in_a_tar(dir, catalog);
	pmuq_catalog_free(catalog);
	pmuq_source_free(source);
}

static bool holds_sys(const char *dir)
{
	auto_free char *path = path_in(dir, "sys/bus/event_source/devices");

	return access(path, F_OK) == 0;
}

static size_t collect(const char *dir, struct CMUnitTest *tests, char **paths)
{
	DIR *machines = dir && *dir ? opendir(dir) : NULL;
	const struct dirent *entry;
	size_t n = 0;

	while (machines && n < MACHINES_MAX && (entry = readdir(machines))) {
		paths[2 * n] = path_in(dir, entry->d_name);
		if (entry->d_name[0] == '.' || !holds_sys(paths[2 * n])) {
			free(paths[2 * n]);
			continue;
		}
		paths[2 * n + 1] = strdup(entry->d_name);
		tests[2 * n] = (struct CMUnitTest){
			.name = paths[2 * n + 1],
			.test_func = is_read_without_a_problem_and_obeys_the_law,
			.initial_state = paths[2 * n],
		};
		tests[2 * n + 1] = tests[2 * n];
		tests[2 * n + 1].test_func = is_read_back_from_a_capture_and_a_tar;
		n++;
	}
	if (machines)
		closedir(machines);
	return n;
}

int main(void)
{
	static struct CMUnitTest tests[2 * MACHINES_MAX];
	static char *paths[2 * MACHINES_MAX];
	size_t n = collect(getenv("PMUQ_TEST_MACHINES"), tests, paths);
	int r;

	/* cmocka's skip() is a failure in its TAP; an empty plan is what TAP has for it. */
	if (!n) {
		printf("1..0 # SKIP PMUQ_TEST_MACHINES names no directory of machines\n");
		return EXIT_SUCCESS;
	}
	r = _cmocka_run_group_tests("machines", tests, 2 * n, NULL, NULL);
	for (size_t i = 0; i < 2 * n; i++)
		free(paths[i]);
	return r;
}
