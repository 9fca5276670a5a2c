/* SPDX-License-Identifier: MIT */
/*
 * A tree gives the same catalog after a capture to a directory, a capture to a tar, and packed into
 * a tar unchanged; each obeys the law (law.h). The catalog obeys the law of documents.
 */
#pragma once

#include "tests/harness/documented.h"
#include "tests/harness/same_catalog.h"
#include "tests/unit/law.h"
#include "tests/unit/tar.h"

static inline void assert_same_catalog(const struct pmuq_catalog *a, const struct pmuq_catalog *b,
				       const char *what)
{
	char *difference = catalog_difference(a, b);

	if (difference)
		fail_msg("%s: %s", what, difference);
}

/* The law of documents holds for every captured machine. */
static inline void assert_documented_alike(const struct pmuq_catalog *catalog)
{
	char *difference = documented_difference(catalog);

	if (difference)
		fail_msg("as a document: %s", difference);
}

/* Opens the path and compares the catalogs. */
static inline void assert_alike(const char *path, const struct pmuq_catalog *want)
{
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *catalog = NULL;
	struct pmuq_error *error = NULL;

	if (pmuq_source_open_tree(path, &source, &error) < 0)
		fail_msg("%s", error->message.p);
	assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL), 0);
	assert_same_catalog(want, catalog, path);
	pmuq_catalog_free(catalog);
	pmuq_source_free(source);
}

/* The capture keeps the hostname, so that nothing differs. */
static inline struct pmuq_capture *capture_of(struct pmuq_source *source)
{
	struct pmuq_capture_options options = { .size = sizeof(options), .keeps_hostname = true };
	struct pmuq_capture *capture = NULL;
	struct pmuq_error *error = NULL;

	if (pmuq_capture_take(source, &options, &capture, &error) < 0)
		fail_msg("%s", error->message.p);
	return capture;
}

static inline void write_capture(const struct pmuq_capture *capture, const char *path)
{
	struct pmuq_error *error = NULL;

	if (pmuq_capture_write(capture, path, &error) < 0)
		fail_msg("%s", error->message.p);
}

#define CAPTURED_FILES_MAX 1000

/* The source, and each capture of it. */
static inline void assert_captured_alike(struct pmuq_source *source, bool with_law)
{
	struct pmuq_capture *capture = capture_of(source);
	struct pmuq_catalog *catalog = NULL;
	struct tree work;
	char *dir, *tar;

	tree_make(&work);
	dir = tree_path(&work, "dir");
	tar = tree_path(&work, "capture.tar");
	assert_int_equal(pmuq_source_read_catalog(source, &catalog, NULL), 0);
	assert_same_catalog(catalog, pmuq_capture_content(capture)->catalog,
			    "read while it was captured");
	assert_documented_alike(catalog);
	write_capture(capture, tar);
	assert_alike(tar, catalog);
	/* In memory if possible: thousands of files are slow on a disk. */
	if (with_law || pmuq_capture_content(capture)->n_files < CAPTURED_FILES_MAX) {
		write_capture(capture, dir);
		assert_alike(dir, catalog);
	}
	if (with_law) {
		assert_law(dir, true);
		assert_law(dir, false);
		assert_law(tar, true);
	}
	pmuq_catalog_free(catalog);
	pmuq_capture_free(capture);
	free(dir);
	free(tar);
	tree_remove(&work);
}

/* nftw(3) passes no argument to its function. */
static struct pq_buf *packed;
static size_t packed_from;

static inline int pack_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	if (ftw->level)
		tar_add_path(packed, path, path + packed_from);
	return 0;
}

/* The tree unchanged, without a directory around it. */
static inline void assert_packed_alike(const char *dir, const struct pmuq_catalog *want)
{
	struct pq_buf tar = PQ_BUF_NULL;
	struct tree work;
	char *path;

	packed = &tar;
	packed_from = strlen(dir) + 1;
	nftw(dir, pack_one, 16, FTW_PHYS);
	tar_end(&tar);
	tree_make(&work);
	tree_bytes(&work, "packed.tar", tar.p, tar.n);
	path = tree_path(&work, "packed.tar");
	assert_alike(path, want);
	assert_law(path, true);
	free(path);
	pq_buf_free(&tar);
	tree_remove(&work);
}
