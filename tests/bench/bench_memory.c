/* SPDX-License-Identifier: MIT */
/*
 * The memory of a machine: a tree, and the same with a tenth of its instances, so that the
 * difference is the size of an instance beyond its definition. Also the time to store it, which
 * is not part of a walk, and to read it back. There is no peer: these are figures to watch.
 *
 *     bench_memory TREE
 */
#include "tests/bench/bench_machine.h"
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <malloc.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEVICES "sys/bus/event_source/devices"
#define FILE_BYTES 65536
#define STORE_ROUNDS 9
#define ONE_INSTANCE 10
#define TWO_TICKS_US 20000

static char *join(const char *dir, const char *name)
{
	char *path = NULL;

	if (asprintf(&path, "%s/%s", dir, name) < 0)
		bench_die("no memory");
	return path;
}

static size_t allocated(void)
{
	struct mallinfo2 info = mallinfo2();

	return info.uordblks + info.hblkhd;
}

struct taken {
	double kib;
	size_t n_pmus;
};

static struct taken take(const char *tree)
{
	size_t before = allocated();
	struct pmuq_catalog *catalog = bench_read_machine(tree);
	struct taken taken = { .kib = (double)(allocated() - before) / 1024,
			       .n_pmus = pmuq_catalog_machine(catalog)->n_pmus };

	pmuq_catalog_free(catalog);
	return taken;
}

static void copy_file(const char *from, const char *to)
{
	static char text[FILE_BYTES];
	int in = open(from, O_RDONLY | O_CLOEXEC);
	int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	ssize_t n = in < 0 ? -1 : read(in, text, sizeof(text));

	if (out < 0 || n < 0 || write(out, text, (size_t)n) != n)
		bench_die(from);
	close(in);
	close(out);
}

/* Whether a PMU remains: nine of ten instances are removed. */
static int stays(const char *pmu)
{
	const char *number = strrchr(pmu, '_');
	char *end;
	long instance = number ? strtol(number + 1, &end, 10) : 0;

	return !number || end == number + 1 || *end || instance % ONE_INSTANCE == 0;
}

static void copy_dir(const char *from, const char *to, int is_chosen)
{
	DIR *dir = opendir(from);
	const struct dirent *entry;

	if (!dir || mkdir(to, 0755) < 0)
		bench_die(to);
	while ((entry = readdir(dir))) {
		char *in, *out;

		if (entry->d_name[0] == '.' || (is_chosen && !stays(entry->d_name)))
			continue;
		in = join(from, entry->d_name);
		out = join(to, entry->d_name);
		if (entry->d_type == DT_DIR)
			copy_dir(in, out, 0);
		else if (entry->d_type == DT_REG)
			copy_file(in, out);
		free(in);
		free(out);
	}
	closedir(dir);
}

static void make_small(const char *tree, const char *small)
{
	static const char *const above[] = { "sys", "sys/bus", "sys/bus/event_source" };
	char *from = join(tree, DEVICES), *to = join(small, DEVICES);

	for (size_t i = 0; i < sizeof(above) / sizeof(*above); i++) {
		char *path = join(small, above[i]);

		if (mkdir(path, 0755) < 0)
			bench_die(path);
		free(path);
	}
	copy_dir(from, to, 1);
	free(from);
	free(to);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *where)
{
	(void)st;
	(void)type;
	(void)where;
	return remove(path);
}

static double time_save(const char *db, const struct pmuq_catalog *catalog, bool want_new)
{
	struct pmuq_saved saved = { .size = sizeof(saved) };
	struct pmuq_store *store = NULL;
	double start, taken;

	if (pmuq_store_open(db, PMUQ_STORE_CREATE, &store, NULL) < 0)
		bench_die(db);
	start = bench_now_us();
	if (pmuq_store_save(store, catalog, NULL, "bench", 1, &saved, NULL) < 0 ||
	    saved.is_new != want_new)
		bench_die("cannot save");
	taken = bench_now_us() - start;
	pmuq_store_free(store);
	return taken;
}

/* From opening the file to a catalog, as a command with --host needs it. A reader waits for the
 * next tick of the clock if the file was changed in this one: that is not measured. */
static double time_load(const char *db)
{
	struct pmuq_catalog *catalog = NULL;
	struct pmuq_source *source = NULL;
	struct pmuq_store *store = NULL;
	double start, taken;

	/* A process that sleeps would begin with empty caches. */
	for (double until = bench_now_us() + TWO_TICKS_US; (start = bench_now_us()) < until;)
		;
	if (pmuq_store_open(db, PMUQ_STORE_READ, &store, NULL) < 0 ||
	    pmuq_store_open_host(store, "bench", 0, &source, NULL) < 0 ||
	    pmuq_source_read_catalog(source, &catalog, NULL) < 0)
		bench_die("cannot load");
	taken = bench_now_us() - start;
	pmuq_catalog_free(catalog);
	pmuq_source_free(source);
	pmuq_store_free(store);
	return taken;
}

static void bench_store(const char *tree, const char *memory)
{
	struct pmuq_catalog *catalog = bench_read_machine(tree);
	double first = 0, again = 0, load = 0;

	for (int i = 0; i < STORE_ROUNDS; i++) {
		char name[32], *db;

		snprintf(name, sizeof(name), "%d.db", i);
		db = join(memory, name);
		first = bench_best(first, time_save(db, catalog, true));
		again = bench_best(again, time_save(db, catalog, false));
		load = bench_best(load, time_load(db));
		free(db);
	}
	bench_figure("storing it, first time", "us", first);
	bench_figure("storing it, unchanged", "us", again);
	bench_figure("a catalog from the store", "us", load);
	pmuq_catalog_free(catalog);
}

static void bench_memory(const char *tree, const char *memory)
{
	char *small = join(memory, "small"), name[64];
	struct taken all, few;

	if (mkdir(small, 0755) < 0)
		bench_die(small);
	make_small(tree, small);
	/* Memory that libc keeps after its first use is not counted. */
	take(small);
	all = take(tree);
	few = take(small);
	snprintf(name, sizeof(name), "memory, %zu PMUs", all.n_pmus);
	bench_figure(name, "KiB", all.kib);
	snprintf(name, sizeof(name), "memory, %zu PMUs of the same definitions", few.n_pmus);
	bench_figure(name, "KiB", few.kib);
	bench_figure("  for each further instance", "bytes",
		     (all.kib - few.kib) * 1024 / (double)(all.n_pmus - few.n_pmus));
	free(small);
}

int main(int argc, char **argv)
{
	const char *tmp = getenv("TMPDIR");
	char *memory = join(tmp ? tmp : "/tmp", "pmuq-bench-XXXXXX");

	if (argc != 2)
		bench_die("usage: bench_memory TREE");
	if (!mkdtemp(memory))
		bench_die(memory);
	bench_memory(argv[1], memory);
	bench_store(argv[1], memory);
	nftw(memory, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(memory);
	return EXIT_SUCCESS;
}
