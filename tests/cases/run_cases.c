/* SPDX-License-Identifier: MIT */
/*
 * Runs .case files (README.md here): every event through a lazy source, a loaded catalog, a
 * stored snapshot, a capture of the machine, another machine of its host class and (with
 * PMUQ_TEST_ARCHIVES, where those are) its tar, which must all give the same bytes,
 * and these must be the lines of the file.
 * Prints TAP; with --update, rewrites the files instead.
 */
#include "core/buf.h"
#include "tests/harness/explained.h"
#include "tests/harness/other_facts.h"
#include "tests/harness/outcome.h"
#include <errno.h>
#include <pmuq/pmuq.h>
#include <stdio.h>

struct machine {
	struct pmuq_source *lazy, *stored, *captured, *archived; /* the last may be NULL */
	struct pmuq_catalog *catalog;
	struct pmuq_catalog *classmate; /* differs in all facts that do not determine the class */
	char *name;
};

struct run {
	const char *machines, *file;
	struct machine machine;
	enum pmuq_dialect dialect;
	enum pmuq_preset preset;
	bool is_as_written;
	bool is_update;
	struct explained explained;
	unsigned n_tests, n_failed, n_unexplained, line;
	FILE *out;
};

static void die(const char *what, const char *name)
{
	fprintf(stderr, "run_cases: %s: %s\n", what, name);
	exit(99);
}

static void die_of(struct pmuq_error *error)
{
	auto_free char *text = pmuq_error_format(error);

	die("cannot load a machine", text);
}

static void close_machine(struct machine *m)
{
	pmuq_source_free(m->lazy);
	pmuq_source_free(m->stored);
	pmuq_source_free(m->captured);
	pmuq_source_free(m->archived);
	pmuq_catalog_free(m->catalog);
	pmuq_catalog_free(m->classmate);
	free(m->name);
	*m = (struct machine){ 0 };
}

/* The catalog after it was saved to a temporary database. */
static struct pmuq_source *through_store(const struct pmuq_catalog *catalog)
{
	char path[] = "/tmp/pmuq-cases-XXXXXX";
	struct pmuq_saved saved = { .size = sizeof(saved) };
	struct pmuq_source *source = NULL;
	struct pmuq_store *store = NULL;
	struct pmuq_error *error = NULL;
	auto_free char *file = NULL;

	if (!mkdtemp(path) || asprintf(&file, "%s/db", path) < 0)
		die("no temporary directory", path);
	if (pmuq_store_open(file, PMUQ_STORE_CREATE, &store, &error) < 0 ||
	    pmuq_store_save(store, catalog, NULL, "m", 1, &saved, &error) < 0 ||
	    pmuq_store_open_host(store, "m", 0, &source, &error) < 0)
		die_of(error);
	pmuq_store_free(store);
	unlink(file);
	rmdir(path);
	return source;
}

/* The catalog of a temporary capture. */
static struct pmuq_source *through_capture(struct pmuq_source *source)
{
	char path[] = "/tmp/pmuq-cases-XXXXXX";
	struct pmuq_capture *capture = NULL;
	struct pmuq_source *captured = NULL;
	struct pmuq_error *error = NULL;
	auto_free char *file = NULL;

	if (!mkdtemp(path) || asprintf(&file, "%s/m.tar", path) < 0)
		die("no temporary directory", path);
	if (pmuq_capture_take(source, NULL, &capture, &error) < 0 ||
	    pmuq_capture_write(capture, file, &error) < 0 ||
	    pmuq_source_open_tree(file, &captured, &error) < 0)
		die_of(error);
	pmuq_capture_free(capture);
	unlink(file);
	rmdir(path);
	return captured;
}

/* NULL if there is no tar of the machine. */
static struct pmuq_source *from_archive(const char *name)
{
	const char *archives = getenv("PMUQ_TEST_ARCHIVES");
	struct pmuq_source *source = NULL;
	struct pmuq_error *error = NULL;
	auto_free char *file = NULL;

	if (!archives)
		return NULL;
	if (asprintf(&file, "%s/%s.tar.xz", archives, name) < 0)
		die("out of memory", name);
	if (access(file, F_OK) == 0 && pmuq_source_open_tree(file, &source, &error) < 0)
		die_of(error);
	return source;
}

static void open_machine(struct run *run, const char *name)
{
	struct pmuq_error *error = NULL;
	struct machine *m = &run->machine;
	auto_free char *dir = NULL;

	if (m->name && !strcmp(m->name, name))
		return;
	close_machine(m);
	m->name = strdup(name);
	if (!m->name || asprintf(&dir, "%s/%s", run->machines, name) < 0)
		die("out of memory", name);
	if (pmuq_source_open_tree(dir, &m->lazy, &error) < 0 ||
	    pmuq_source_read_catalog(m->lazy, &m->catalog, &error) < 0)
		die_of(error);
	m->stored = through_store(m->catalog);
	m->captured = through_capture(m->lazy);
	m->archived = from_archive(name);
	m->classmate = catalog_with_other_facts(m->catalog);
	if (!m->classmate)
		die("out of memory", name);
	/* A new lazy source: the one that read_catalog() used has everything in memory. */
	pmuq_source_free(m->lazy);
	if (pmuq_source_open_tree(dir, &m->lazy, &error) < 0)
		die_of(error);
}

static void print_comment(const char *label, const char *text)
{
	for (struct pmuq_str rest = str_of(text), line; rest.n;) {
		str_cut(rest, '\n', &line, &rest);
		printf("#   %s %.*s\n", label, STR_ARG(line));
	}
}

/* The fold of explain's assignments is the attr, in every dialect and with every preset. */
static void test_law(struct run *run, const char *event)
{
	auto_free char *problem =
		explained_check(run->machine.catalog, event, NULL, &run->explained);

	run->n_unexplained += problem != NULL;
	if (problem)
		print_comment("law", problem);
}

static void report(struct run *run, const char *event, bool is_ok)
{
	run->n_tests++;
	run->n_failed += !is_ok;
	printf("%sok %u - %s:%u %s on %s\n", is_ok ? "" : "not ", run->n_tests, run->file,
	       run->line, event, run->machine.name);
}

static void test_event(struct run *run, const char *event, const char *wanted)
{
	struct pmuq_encode_options options = { .size = sizeof(options),
					       .dialect = run->dialect,
					       .preset = run->preset,
					       .is_as_written = run->is_as_written };
	auto_free char *loaded = outcome_of_catalog(run->machine.catalog, event, &options);
	auto_free char *lazy = outcome_of_source(run->machine.lazy, event, &options);
	auto_free char *stored = outcome_of_source(run->machine.stored, event, &options);
	auto_free char *captured = outcome_of_source(run->machine.captured, event, &options);
	auto_free char *classmate = outcome_of_catalog(run->machine.classmate, event, &options);
	auto_free char *archived =
		run->machine.archived ? outcome_of_source(run->machine.archived, event, &options)
				      : strdup(loaded);
	bool agree = !strcmp(loaded, lazy) && !strcmp(loaded, stored) &&
		     !strcmp(loaded, captured) && !strcmp(loaded, archived) &&
		     !strcmp(loaded, classmate);

	if (run->is_update) {
		fputs(loaded, run->out);
		return;
	}
	report(run, event, agree && !strcmp(loaded, wanted));
	test_law(run, event);
	if (strcmp(loaded, wanted)) {
		print_comment("wanted", wanted);
		print_comment("got   ", loaded);
	}
	if (!agree) {
		print_comment("loaded", loaded);
		print_comment("lazy  ", lazy);
		print_comment("stored", stored);
		print_comment("captured", captured);
		print_comment("archived", archived);
		print_comment("classmate", classmate);
	}
}

static enum pmuq_preset preset_of(const char *name)
{
	if (!strcmp(name, "stat"))
		return PMUQ_PRESET_STAT;
	if (!strcmp(name, "record"))
		return PMUQ_PRESET_RECORD;
	if (strcmp(name, "none"))
		die("no preset", name);
	return PMUQ_PRESET_NONE;
}

static bool is_outcome(const char *line)
{
	return *line && strchr("=~!", *line) && (line[1] == ' ' || !line[1]);
}

/* Handles one line. *event and `wanted` collect an event and its expected outcome, until another
 * line follows. */
static void take_line(struct run *run, char *line, char **event, struct pq_buf *wanted)
{
	if (*event && is_outcome(line)) {
		pq_buf_print(wanted, "%s\n", line);
		return;
	}
	if (*event) {
		auto_free char *text = pq_buf_take(wanted);

		test_event(run, *event, text ? text : "");
		free(*event);
		*event = NULL;
	}
	if (run->out)
		fprintf(run->out, "%s\n", line);
	if (!strncmp(line, "machine ", 8))
		open_machine(run, line + 8);
	else if (!strncmp(line, "dialect ", 8))
		run->dialect = strcmp(line + 8, "perf") ? PMUQ_DIALECT_PMUQ : PMUQ_DIALECT_PERF;
	else if (!strncmp(line, "preset ", 7))
		run->preset = preset_of(line + 7);
	else if (!strncmp(line, "groups ", 7))
		run->is_as_written = !strcmp(line + 7, "written");
	else if (!strncmp(line, "event ", 6))
		*event = strdup(line + 6);
	else if (*line && *line != '#')
		die("not a line of a case file", line);
}

static void run_file(struct run *run, const char *file)
{
	auto_free char *line = NULL, *event = NULL, *copy = NULL;
	struct pq_buf wanted = PQ_BUF_NULL;
	FILE *in = fopen(file, "re");
	size_t capacity = 0, copy_bytes = 0;
	ssize_t n;

	if (!in)
		die(strerror(errno), file);
	run->file = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
	run->line = 0;
	run->dialect = PMUQ_DIALECT_PMUQ;
	run->preset = PMUQ_PRESET_NONE;
	run->is_as_written = false;
	run->out = run->is_update ? open_memstream(&copy, &copy_bytes) : NULL;
	while ((n = getline(&line, &capacity, in)) > 0) {
		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		run->line++;
		take_line(run, line, &event, &wanted);
	}
	if (event) {
		auto_free char *text = pq_buf_take(&wanted);

		test_event(run, event, text ? text : "");
	}
	fclose(in);
	pq_buf_free(&wanted);
	if (!run->out)
		return;
	fclose(run->out);
	in = fopen(file, "we");
	if (!in || fwrite(copy, 1, copy_bytes, in) != copy_bytes || fclose(in))
		die(strerror(errno), file);
}

int main(int argc, char **argv)
{
	struct run run = { 0 };
	int first = 1;

	if (argc > 1 && !strcmp(argv[1], "--update")) {
		run.is_update = true;
		first++;
	}
	if (argc < first + 2)
		die("usage", "run_cases [--update] MACHINES FILE…");
	run.machines = argv[first];
	for (int i = first + 1; i < argc; i++)
		run_file(&run, argv[i]);
	close_machine(&run.machine);
	if (run.is_update)
		return 0;
	printf("%sok %u - the assignments of %zu strings are their attrs\n",
	       run.n_unexplained ? "not " : "", run.n_tests + 1, run.explained.n_strings);
	printf("1..%u\n", run.n_tests + 1);
	return run.n_failed || run.n_unexplained;
}
