/* SPDX-License-Identifier: MIT */
#include "tests/harness/each_case.h"
#include "core/freep.h"
#include "core/str.h"
#include "tests/unit/cmocka_all.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASES_MIN 10u

struct machine {
	char *dir;
	struct pmuq_catalog *catalog;
};

static void close_machine(struct machine *machine)
{
	pmuq_catalog_free(machine->catalog);
	free(machine->dir);
	*machine = (struct machine){ 0 };
}

static void open_machine(struct machine *machine, const char *name)
{
	struct pmuq_source *source = NULL;

	close_machine(machine);
	assert_true(asprintf(&machine->dir, "%s/%s", getenv("PMUQ_TEST_MACHINES"), name) > 0);
	assert_int_equal(pmuq_source_open_tree(machine->dir, &source, NULL), 0);
	assert_int_equal(pmuq_source_read_catalog(source, &machine->catalog, NULL), 0);
	pmuq_source_free(source);
}

static const char *after(const char *line, const char *word)
{
	size_t n = strlen(word);

	return strncmp(line, word, n) == 0 ? line + n : NULL;
}

static FILE *open_cases(const char *file)
{
	auto_free char *path = NULL;
	FILE *in;

	assert_true(asprintf(&path, "%s/%s.case", getenv("PMUQ_TEST_CASES"), file) > 0);
	in = fopen(path, "r");
	assert_non_null(in);
	return in;
}

void each_case(const char *file, void (*visit)(const struct each_case *))
{
	struct each_case one = { .options = { .size = sizeof(one.options) } };
	struct machine machine = { 0 };
	FILE *in = open_cases(file);
	char *line = NULL;
	size_t size = 0, n = 0;
	const char *rest;

	while (getline(&line, &size, in) > 0) {
		line[strcspn(line, "\n")] = '\0';
		if ((rest = after(line, "machine ")))
			open_machine(&machine, rest);
		else if ((rest = after(line, "dialect ")))
			one.options.dialect =
				strcmp(rest, "perf") == 0 ? PMUQ_DIALECT_PERF : PMUQ_DIALECT_PMUQ;
		else if ((rest = after(line, "preset ")))
			one.options.preset = strcmp(rest, "stat") == 0	   ? PMUQ_PRESET_STAT
					     : strcmp(rest, "record") == 0 ? PMUQ_PRESET_RECORD
									   : PMUQ_PRESET_NONE;
		else if ((rest = after(line, "event "))) {
			one.dir = machine.dir;
			one.catalog = machine.catalog;
			one.text = rest;
			visit(&one);
			n++;
		}
	}
	assert_true(n >= CASES_MIN);
	close_machine(&machine);
	fclose(in);
	free(line);
}
