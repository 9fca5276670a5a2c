/* SPDX-License-Identifier: MIT */
/*
 * A machine from a tar: opened and read into a catalog, plain and with each compression; the peer
 * is the same from the directory. And the time to capture that machine into a plain tar.
 *
 *     bench_tar TREE [ROUNDS]
 */
#include "tests/bench/bench.h"
#include <pmuq/pmuq.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 9

static const char *const endings[] = { "tar", "tar.gz", "tar.xz", "tar.zst" };
#define N_ENDINGS (sizeof(endings) / sizeof(endings[0]))

static double time_read(const char *path)
{
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *catalog = NULL;
	double start = bench_now_us(), taken;

	if (pmuq_source_open_tree(path, &source, NULL) < 0 ||
	    pmuq_source_read_catalog(source, &catalog, NULL) < 0)
		bench_die(path);
	taken = bench_now_us() - start;
	pmuq_catalog_free(catalog);
	pmuq_source_free(source);
	return taken;
}

static double time_capture(const char *tree, const char *path)
{
	struct pmuq_source *source = NULL;
	struct pmuq_capture *capture = NULL;
	double start, taken;

	unlink(path);
	start = bench_now_us();
	if (pmuq_source_open_tree(tree, &source, NULL) < 0 ||
	    pmuq_capture_take(source, NULL, &capture, NULL) < 0 ||
	    pmuq_capture_write(capture, path, NULL) < 0)
		bench_die(path);
	taken = bench_now_us() - start;
	pmuq_capture_free(capture);
	pmuq_source_free(source);
	return taken;
}

int main(int argc, char **argv)
{
	double tree_us = 0, capture_us = 0, read_us[N_ENDINGS] = { 0 };
	int rounds = argc > 2 ? atoi(argv[2]) : ROUNDS;
	char dir[] = "/tmp/pmuq-bench-XXXXXX", *paths[N_ENDINGS];

	if (argc < 2 || rounds < 1)
		bench_die("usage: bench_tar TREE [ROUNDS]");
	if (!mkdtemp(dir))
		bench_die(dir);
	for (size_t i = 0; i < N_ENDINGS; i++) {
		if (asprintf(&paths[i], "%s/m.%s", dir, endings[i]) < 0)
			bench_die("no memory");
		time_capture(argv[1], paths[i]);
	}
	for (int round = 0; round < rounds; round++) {
		tree_us = bench_best(tree_us, time_read(argv[1]));
		for (size_t i = 0; i < N_ENDINGS; i++)
			read_us[i] = bench_best(read_us[i], time_read(paths[i]));
		capture_us = bench_best(capture_us, time_capture(argv[1], paths[0]));
	}
	for (size_t i = 0; i < N_ENDINGS; i++)
		bench_line(endings[i], "us", read_us[i], tree_us);
	bench_line("captured to a tar", "us", capture_us, tree_us);
	for (size_t i = 0; i < N_ENDINGS; i++) {
		unlink(paths[i]);
		free(paths[i]);
	}
	rmdir(dir);
	return EXIT_SUCCESS;
}
