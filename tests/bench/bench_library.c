/* SPDX-License-Identifier: MIT */
/*
 * The library in a program: encoding through the shared object compared with the same code linked
 * in; two threads on one catalog compared with one, next to the speedup of two threads that only
 * calculate; and a process that loads it compared with one that has libc alone, and one that loads
 * an empty library.
 *
 *     bench_library LIBPMUQ TREE PROGRAM EMPTY_LIBRARY
 */
#include "tests/bench/bench.h"
#include <dlfcn.h>
#include <limits.h>
#include <pmuq/pmuq.h>
#include <pthread.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>

#define EVENT "cpu/event=0x2,inv,ldlat=3/"
#define CALLS 20000u
#define STEPS 1000000u
/* Many short rounds: the best of each is one without other processes. */
#define ROUNDS 301u
#define PROCESSES 400u

/* The functions that a side calls; the same names in both. */
struct side {
	__typeof__(pmuq_source_open_tree) *open_tree;
	__typeof__(pmuq_source_read_catalog) *read_catalog;
	__typeof__(pmuq_catalog_encode) *encode;
	__typeof__(pmuq_encodings_free) *free_encodings;
	struct pmuq_catalog *catalog;
	double best_us;
};

static void *find(void *library, const char *name)
{
	void *function = dlsym(library, name);

	if (!function)
		bench_die(name);
	return function;
}

static struct side shared_side(const char *path)
{
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	struct side side = { 0 };

	if (!library)
		bench_die(dlerror());
	side.open_tree = find(library, "pmuq_source_open_tree");
	side.read_catalog = find(library, "pmuq_source_read_catalog");
	side.encode = find(library, "pmuq_catalog_encode");
	side.free_encodings = find(library, "pmuq_encodings_free");
	return side;
}

static struct side linked_side(void)
{
	return (struct side){
		.open_tree = pmuq_source_open_tree,
		.read_catalog = pmuq_source_read_catalog,
		.encode = pmuq_catalog_encode,
		.free_encodings = pmuq_encodings_free,
	};
}

static void read_machine(struct side *side, const char *tree)
{
	struct pmuq_source *source = NULL;

	if (side->open_tree(tree, &source, NULL) < 0 ||
	    side->read_catalog(source, &side->catalog, NULL) < 0)
		bench_die(tree);
}

static void *encode(void *of_both)
{
	/* Avoids false sharing: the data of a thread must not be near another thread's stack. */
	const struct side side = *(const struct side *)of_both;

	for (unsigned i = 0; i < CALLS; i++) {
		struct pmuq_encodings *encodings = NULL;

		if (side.encode(side.catalog, EVENT, NULL, &encodings, NULL) < 0)
			bench_die(EVENT);
		side.free_encodings(encodings);
	}
	return NULL;
}

/* Shares nothing, and touches no memory. */
static void *calculate(void *seed)
{
	uint64_t x = (uintptr_t)seed;

	for (unsigned i = 0; i < STEPS; i++)
		x = x * 6364136223846793005u + (x >> 7);
	if (!x)
		bench_die("a sum that cannot be");
	return NULL;
}

static double time_of_one(void *(*work)(void *), void *arg)
{
	double start_us = bench_now_us();

	work(arg);
	return bench_now_us() - start_us;
}

/* Both threads do all of the work. */
static double time_of_two(void *(*work)(void *), void *arg)
{
	double start_us = bench_now_us();
	pthread_t other;

	if (pthread_create(&other, NULL, work, arg))
		bench_die("no thread");
	work(arg);
	pthread_join(other, NULL);
	return bench_now_us() - start_us;
}

static void bench_shared(struct side *shared, struct side *linked)
{
	for (unsigned i = 0; i < ROUNDS; i++) {
		shared->best_us = bench_best(shared->best_us, time_of_one(encode, shared));
		linked->best_us = bench_best(linked->best_us, time_of_one(encode, linked));
	}
	bench_line("encode through the shared object", "ns", shared->best_us * 1e3 / CALLS,
		   linked->best_us * 1e3 / CALLS);
}

static void bench_threads(struct side *side)
{
	double one_us = 0, two_us = 0, one_floor_us = 0, two_floor_us = 0;

	for (unsigned i = 0; i < ROUNDS; i++) {
		one_us = bench_best(one_us, time_of_one(encode, side));
		two_us = bench_best(two_us, time_of_two(encode, side));
		one_floor_us = bench_best(one_floor_us, time_of_one(calculate, side));
		two_floor_us = bench_best(two_floor_us, time_of_two(calculate, side));
	}
	bench_line("encodings a ms: two threads, one", "/ms", 2 * CALLS * 1e3 / two_us,
		   CALLS * 1e3 / one_us);
	bench_line("steps of arithmetic a us: two threads, one", "/us", 2 * STEPS / two_floor_us,
		   STEPS / one_floor_us);
}

/* With a path for the loader, like an installed library: a search in the directories of a build
 * tree would double the cost. */
static double time_of_process(const char *program, const char *library)
{
	char *words[] = { (char *)(uintptr_t)program, NULL };
	char preload[PATH_MAX + sizeof("LD_PRELOAD=")];
	char *environment[] = { library ? preload : NULL, NULL };
	double start_us;
	pid_t pid;

	snprintf(preload, sizeof(preload), "LD_PRELOAD=%s", library ? library : "");
	start_us = bench_now_us();
	if (posix_spawn(&pid, program, NULL, NULL, words, environment) || waitpid(pid, NULL, 0) < 0)
		bench_die(program);
	return bench_now_us() - start_us;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values)
{
	qsort(values, PROCESSES, sizeof(*values), compare);
	return values[PROCESSES / 2];
}

/* All take turns; the result is the difference from the process with libc alone. */
static void bench_load(const char *program, const char *library, const char *empty)
{
	double best_us = 0, best_empty_us = 0, best_without_us = 0;
	double extra_us[PROCESSES], empty_us[PROCESSES];

	for (unsigned i = 0; i < PROCESSES; i++) {
		double without_us = time_of_process(program, NULL);
		double took_us = time_of_process(program, library);
		double took_empty_us = time_of_process(program, empty);

		extra_us[i] = took_us - without_us;
		empty_us[i] = took_empty_us - without_us;
		best_us = bench_best(best_us, took_us);
		best_empty_us = bench_best(best_empty_us, took_empty_us);
		best_without_us = bench_best(best_without_us, without_us);
	}
	bench_line("a process that loads it, and libc alone", "us", best_us, best_without_us);
	bench_line("loading it, and an empty library: bests", "us", best_us - best_without_us,
		   best_empty_us - best_without_us);
	bench_line("the same, the median of the pairs", "us", median(extra_us), median(empty_us));
}

/* A name without a slash would be searched in other directories, and not found: that is also fast.
 */
static char *whole_path(const char *path)
{
	char *whole = realpath(path, NULL);

	if (!whole)
		bench_die(path);
	return whole;
}

int main(int argc, char **argv)
{
	struct side shared, linked = linked_side();
	char *library, *program, *empty;

	if (argc != 5)
		bench_die("usage: bench_library LIBPMUQ TREE PROGRAM EMPTY_LIBRARY");
	library = whole_path(argv[1]);
	program = whole_path(argv[3]);
	empty = whole_path(argv[4]);
	shared = shared_side(library);
	read_machine(&shared, argv[2]);
	read_machine(&linked, argv[2]);
	bench_shared(&shared, &linked);
	bench_threads(&shared);
	bench_load(program, library, empty);
	free(library);
	free(program);
	free(empty);
	return EXIT_SUCCESS;
}
