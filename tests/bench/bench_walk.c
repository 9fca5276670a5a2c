/* SPDX-License-Identifier: MIT */
/*
 * The cost of a full walk beyond the necessary system calls: reading a captured tree into a
 * catalog, compared with a bare loop that lists the same directories and opens, reads and closes
 * the same files; the best of several rounds each, in turns.
 *
 *     bench_walk TREE [ROUNDS]
 */
#include "tests/bench/bench.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pmuq/pmuq.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 15

static int ends(const char *name, const char *tail)
{
	size_t n = strlen(name), m = strlen(tail);

	return n > m && strcmp(name + n - m, tail) == 0;
}

/* The files that a walk opens: not those with repeated content, nor those whose existence is
 * enough. */
static int is_wanted(const struct dirent *entry)
{
	return entry->d_type == DT_REG && strcmp(entry->d_name, "uevent") != 0 &&
	       !ends(entry->d_name, ".per-pkg") && !ends(entry->d_name, ".snapshot");
}

static int is_entered(const struct dirent *entry, int depth)
{
	const char *name = entry->d_name;

	if (entry->d_type != DT_DIR || name[0] == '.')
		return 0;
	return depth == 0 ||
	       (depth == 1 && (strcmp(name, "format") == 0 || strcmp(name, "events") == 0 ||
			       strcmp(name, "caps") == 0));
}

static unsigned long bare(int parent, const char *name, int depth)
{
	static char text[65537];
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	unsigned long opens = 1;

	while (dir && (entry = readdir(dir))) {
		if (is_entered(entry, depth)) {
			opens += bare(fd, entry->d_name, depth + 1);
		} else if (is_wanted(entry)) {
			int file = openat(fd, entry->d_name, O_RDONLY | O_CLOEXEC);

			opens += file >= 0;
			if (file < 0 || read(file, text, sizeof(text)) < 0)
				fprintf(stderr, "%s: %s\n", entry->d_name, strerror(errno));
			close(file);
		}
	}
	if (dir)
		closedir(dir);
	return opens;
}

static double time_bare(const char *tree, unsigned long *ret_opens)
{
	double start = bench_now_us();
	int root = open(tree, O_PATH | O_DIRECTORY | O_CLOEXEC);

	*ret_opens = bare(root, "sys/bus/event_source/devices", 0);
	close(root);
	return bench_now_us() - start;
}

static double time_walk(const char *tree, unsigned long *ret_opens)
{
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *catalog = NULL;
	double start = bench_now_us(), taken;

	if (pmuq_source_open_tree(tree, &source, NULL) < 0 ||
	    pmuq_source_read_catalog(source, &catalog, NULL) < 0)
		bench_die(tree);
	taken = bench_now_us() - start;
	*ret_opens = (unsigned long)pmuq_source_opens(source);
	pmuq_catalog_free(catalog);
	pmuq_source_free(source);
	return taken;
}

int main(int argc, char **argv)
{
	unsigned long bare_opens = 0, walk_opens = 0;
	int rounds = argc > 2 ? atoi(argv[2]) : ROUNDS;
	double bare_us = 0, walk_us = 0;

	if (argc < 2 || rounds < 1)
		bench_die("usage: bench_walk TREE [ROUNDS]");
	for (int i = 0; i < rounds; i++) {
		bare_us = bench_best(bare_us, time_bare(argv[1], &bare_opens));
		walk_us = bench_best(walk_us, time_walk(argv[1], &walk_opens));
	}
	bench_line("full walk", "us", walk_us, bare_us);
	bench_line("  files and directories opened", "  ", (double)walk_opens, (double)bare_opens);
	return EXIT_SUCCESS;
}
