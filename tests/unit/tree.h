/* SPDX-License-Identifier: MIT */
/* A machine that a test makes for itself, file by file, in a temporary directory. */
#pragma once

#include "core/str.h"
#include "tests/unit/cmocka_all.h"
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEVICES "sys/bus/event_source/devices/"

struct tree {
	char *dir;
};

static inline char *tree_path(const struct tree *tree, const char *path)
{
	char *full = NULL;

	assert_true(asprintf(&full, "%s/%s", tree->dir, path) > 0);
	return full;
}

/* Makes every directory that the path goes through. */
static inline void tree_parents(char *full)
{
	for (size_t i = 1; full[i]; i++) {
		if (full[i] != '/')
			continue;
		full[i] = '\0';
		mkdir(full, 0755);
		full[i] = '/';
	}
}

static inline void tree_bytes(const struct tree *tree, const char *path, const char *bytes,
			      size_t n)
{
	char *full = tree_path(tree, path);
	FILE *file;

	tree_parents(full);
	file = fopen(full, "w");
	assert_non_null(file);
	assert_int_equal(fwrite(bytes, 1, n, file), n);
	assert_int_equal(fclose(file), 0);
	free(full);
}

static inline void tree_file(const struct tree *tree, const char *path, const char *text)
{
	tree_bytes(tree, path, text, strlen(text));
}

static inline void tree_dir(const struct tree *tree, const char *path)
{
	char *full = tree_path(tree, path);

	tree_parents(full);
	assert_true(mkdir(full, 0755) == 0 || errno == EEXIST);
	free(full);
}

static inline void tree_link(const struct tree *tree, const char *path, const char *target)
{
	char *full = tree_path(tree, path);

	tree_parents(full);
	assert_int_equal(symlink(target, full), 0);
	free(full);
}

static inline void tree_fifo(const struct tree *tree, const char *path)
{
	char *full = tree_path(tree, path);

	tree_parents(full);
	assert_int_equal(mkfifo(full, 0644), 0);
	free(full);
}

static inline void tree_make(struct tree *tree)
{
	const char *tmp = getenv("TMPDIR");

	assert_true(asprintf(&tree->dir, "%s/pmuq-test-XXXXXX", tmp ? tmp : "/tmp") > 0);
	assert_non_null(mkdtemp(tree->dir));
}

static inline int tree_remove_one(const char *path, const struct stat *st, int type,
				  struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static inline void tree_remove(struct tree *tree)
{
	nftw(tree->dir, tree_remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(tree->dir);
	tree->dir = NULL;
}

/* Root can read everything: unreadable files are tested as an ordinary user. */
#define TREE_OTHER_USER 65534

static inline void tree_become_other(const struct tree *tree)
{
	assert_int_equal(chmod(tree->dir, 0755), 0);
	if (getuid() == 0)
		assert_int_equal(seteuid(TREE_OTHER_USER), 0);
}

static inline void tree_become_self(void)
{
	assert_int_equal(seteuid(getuid()), 0);
}

/* For cmocka: a tree in *state. */
static inline int tree_setup(void **state)
{
	struct tree *tree = calloc(1, sizeof(*tree));

	assert_non_null(tree);
	tree_make(tree);
	*state = tree;
	return 0;
}

static inline int tree_teardown(void **state)
{
	tree_remove(*state);
	free(*state);
	return 0;
}
