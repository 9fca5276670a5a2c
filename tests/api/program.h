/* SPDX-License-Identifier: MIT */
/*
 * For tests that are programs of a user: they include the installed headers only, link with the
 * shared library, and use captured machines.
 */
#pragma once

#include "tests/unit/cmocka_all.h"
#include <pmuq/pmuq.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MACHINES_MAX 8

static struct {
	const char *name;
	struct pmuq_source *source;
} machines[MACHINES_MAX];

/* A captured machine; it stays open until close_machines(). */
static inline struct pmuq_source *machine_named(const char *name)
{
	char path[4096];
	struct pmuq_error *error = NULL;
	size_t i = 0;

	while (i < MACHINES_MAX && machines[i].name && strcmp(machines[i].name, name) != 0)
		i++;
	assert_true(i < MACHINES_MAX);
	if (machines[i].name)
		return machines[i].source;
	snprintf(path, sizeof(path), "%s/%s", getenv("PMUQ_TEST_MACHINES"), name);
	if (pmuq_source_open_tree(path, &machines[i].source, &error) < 0)
		fail_msg("%s", error->message.p);
	machines[i].name = name;
	return machines[i].source;
}

static inline int close_machines(void **state)
{
	(void)state;
	for (size_t i = 0; i < MACHINES_MAX; i++)
		pmuq_source_free(machines[i].source);
	return 0;
}

static inline struct pmuq_encodings *encode(const char *machine, const char *text,
					    const struct pmuq_encode_options *options)
{
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_error *error = NULL;

	if (pmuq_source_encode(machine_named(machine), text, options, &encodings, &error) < 0)
		fail_msg("%s: %s", text, error->message.p);
	return encodings;
}

static inline void assert_contains(const char *text, const char *part)
{
	if (!text || !strstr(text, part))
		fail_msg("\"%s\" does not contain \"%s\"", text ? text : "", part);
}

/* A store in a directory of its own. */
struct own_store {
	char directory[sizeof("/tmp/pmuq-store-XXXXXX")], path[64];
	struct pmuq_store *store;
};

static inline void own_store_begin(struct own_store *own)
{
	strcpy(own->directory, "/tmp/pmuq-store-XXXXXX");
	assert_non_null(mkdtemp(own->directory));
	snprintf(own->path, sizeof(own->path), "%s/hosts.db", own->directory);
	assert_int_equal(pmuq_store_open(own->path, PMUQ_STORE_CREATE, &own->store, NULL), 0);
}

static inline void own_store_end(struct own_store *own)
{
	pmuq_store_free(own->store);
	unlink(own->path);
	rmdir(own->directory);
}

struct file {
	const char *path, *text;
};

/* Writes a file, and the directories on its path. */
static inline void write_file(const char *root, const struct file *file)
{
	char path[4096];
	FILE *to;

	snprintf(path, sizeof(path), "%s/%s", root, file->path);
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(path, 0755);
		*slash = '/';
	}
	to = fopen(path, "w");
	assert_non_null(to);
	assert_true(fprintf(to, "%s\n", file->text) > 0);
	assert_int_equal(fclose(to), 0);
}

/* A machine made of these files, in memory: the directory is removed at once. */
static inline struct pmuq_source *machine_of_files(const struct file *files, size_t n)
{
	char root[] = "/tmp/pmuq-program-XXXXXX", command[sizeof(root) + 8];
	struct pmuq_source *tree = NULL, *source = NULL;
	struct pmuq_catalog *catalog = NULL;

	assert_non_null(mkdtemp(root));
	for (size_t i = 0; i < n; i++)
		write_file(root, &files[i]);
	assert_int_equal(pmuq_source_open_tree(root, &tree, NULL), 0);
	assert_int_equal(pmuq_source_read_catalog(tree, &catalog, NULL), 0);
	assert_int_equal(pmuq_source_open_catalog(catalog, &source, NULL), 0);
	pmuq_source_free(tree);
	snprintf(command, sizeof(command), "rm -r %s", root);
	assert_int_equal(system(command), 0);
	return source;
}
