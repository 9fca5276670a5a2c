/* SPDX-License-Identifier: MIT */
/*
 * Reads lines "TREE<tab>EVENT STRING", and prints each string for which the law of assignments
 * (tests/harness/explained.h) does not hold; at the end, the number of strings and encodings.
 *
 *     explained [DATABASE CPUID]    # with the events of that CPU's tables
 */
#include "tests/harness/explained.h"
#include "core/base.h"
#include <stdio.h>
#include <string.h>

static void die_of(struct pmuq_error *error)
{
	auto_free char *text = pmuq_error_format(error);

	fprintf(stderr, "explained: %s\n", text);
	exit(99);
}

static struct pmuq_catalog *open_tree(const char *path)
{
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *catalog = NULL;
	struct pmuq_error *error = NULL;

	if (pmuq_source_open_tree(path, &source, &error) < 0 ||
	    pmuq_source_read_catalog(source, &catalog, &error) < 0)
		die_of(error);
	pmuq_source_free(source);
	return catalog;
}

static struct pmuq_vendor *open_vendor(const char *database, const char *cpuid)
{
	struct pmuq_store *store = NULL;
	struct pmuq_vendor *vendor = NULL;
	struct pmuq_error *error = NULL;

	if (pmuq_store_open(database, 0, &store, &error) < 0 ||
	    pmuq_store_open_vendor(store, cpuid, &vendor, &error) < 0)
		die_of(error);
	pmuq_store_free(store);
	return vendor;
}

int main(int argc, char **argv)
{
	struct pmuq_vendor *vendor = argc == 3 ? open_vendor(argv[1], argv[2]) : NULL;
	auto_free char *line = NULL, *tree = NULL;
	struct pmuq_catalog *catalog = NULL;
	struct explained seen = { 0 };
	size_t capacity = 0;
	ssize_t n;

	while ((n = getline(&line, &capacity, stdin)) > 0) {
		char *string = strchr(line, '\t');
		char *problem;

		line[n - (line[n - 1] == '\n')] = '\0';
		*string++ = '\0';
		if (!tree || strcmp(tree, line) != 0) {
			pmuq_catalog_free(catalog);
			catalog = open_tree(line);
			free(tree);
			tree = strdup(line);
		}
		problem = explained_check(catalog, string, vendor, &seen);
		if (problem)
			printf("%s: %s\n", line, problem);
		free(problem);
	}
	pmuq_catalog_free(catalog);
	pmuq_vendor_free(vendor);
	printf("%zu strings, %zu encodings\n", seen.n_strings, seen.n_encodings);
	return 0;
}
