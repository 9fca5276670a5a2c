/* SPDX-License-Identifier: MIT */
/*
 * bench_vendor MACHINE [TREE CPUID]: import of vendor tables, loading of one CPU's table, lookup of
 * a name compared with a bare hash lookup, and search of words. Without TREE in a generated tree:
 * 50 CPUs with 1,000 events each. Then a table's name compared with an alias in sysfs, on the
 * captured tree of a Skylake-SP.
 */
#include "bench.h"
#include "core/vendor/vendor_table.h"
#include <fcntl.h>
#include <ftw.h>
#include <pmuq/pmuq.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDERS 50
#define EVENTS 1000
#define ROUNDS 5
#define SEARCHES 30
#define ENCODINGS 2000
#define TURNS 30
#define LOOKUPS 200

static const char *const words[] = { "l3 miss", "mem_load_retired", "cycles", "cache",
				     "retired loads" };

static void die_of(struct pmuq_error *error)
{
	char *text = pmuq_error_format(error);

	bench_die(text ? text : "out of memory");
}

static char *print(const char *format, const char *dir, const char *name)
{
	char *text = NULL;

	if (asprintf(&text, format, dir, name) < 0)
		bench_die("out of memory");
	return text;
}

static FILE *make_file(const char *dir, const char *name)
{
	char *path = print("%s/%s", dir, name);
	FILE *file;

	for (char *slash = path + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
		*slash = '\0';
		mkdir(path, 0755);
	}
	file = fopen(path, "we");
	if (!file)
		bench_die(path);
	free(path);
	return file;
}

/* Each word of a description is in a few events only. */
static void make_event(FILE *file, unsigned folder, unsigned i)
{
	static const char *const what[] = { "retired loads", "branches",   "cycles",
					    "cache lines",   "page walks", "uops",
					    "instructions",  "requests" };
	static const char *const how[] = { "that missed the L3 cache", "that hit a buffer",
					   "stalled by memory", "from another core",
					   "of the front end" };

	fprintf(file,
		"%s{\"EventName\": \"MODEL%u_EVENT%u.TYPE%u\", \"EventCode\": \"0x%x\", \"UMask\": "
		"\"0x%x\", \"SampleAfterValue\": \"100003\",\n\"BriefDescription\": \"Counts %s "
		"%s, "
		"case %u of model %u\",\n\"PublicDescription\": \"Counts %s %s, as described at length "
		"for those who want to know more about case %u of this model\"}",
		i ? ",\n" : "[", i % 7 ? folder : 0, i, i % 16, i & 0xff, i >> 8, what[i % 8],
		how[i / 8 % 5], i, i % 7 ? folder : 0, what[i % 8], how[i / 8 % 5], i);
}

static void make_tree(const char *dir)
{
	FILE *map = make_file(dir, "x86/mapfile.csv");

	for (unsigned folder = 0; folder < FOLDERS; folder++) {
		char name[64];
		FILE *file;

		fprintf(map, "GenuineIntel-6-%02X,v1,model%u,core\n", folder, folder);
		snprintf(name, sizeof(name), "x86/model%u/all.json", folder);
		file = make_file(dir, name);
		for (unsigned i = 0; i < EVENTS; i++)
			make_event(file, folder, i);
		fprintf(file, "]\n");
		fclose(file);
	}
	fclose(map);
}

static int drop(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	return remove(path);
}

static void bench_import(const char *db, const char *tree)
{
	struct pmuq_error *error = NULL;
	double best = 0;

	for (int i = 0; i < ROUNDS; i++) {
		struct pmuq_store *store = NULL;
		double start;

		unlink(db);
		if (pmuq_store_open(db, PMUQ_STORE_CREATE, &store, &error) < 0)
			die_of(error);
		start = bench_now_us();
		if (pmuq_store_import_vendor(store, tree, NULL, 1, NULL, &error) < 0)
			die_of(error);
		best = bench_best(best, bench_now_us() - start);
		pmuq_store_free(store);
	}
	bench_figure("the tree into the database", "ms", best / 1e3);
}

static struct pmuq_vendor *bench_open(struct pmuq_store *store, const char *cpuid)
{
	struct pmuq_vendor *vendor = NULL;
	struct pmuq_error *error = NULL;
	double best = 0;

	for (int i = 0; i < ROUNDS; i++) {
		double start = bench_now_us();

		pmuq_vendor_free(vendor);
		if (pmuq_store_open_vendor(store, cpuid, &vendor, &error) < 0)
			die_of(error);
		best = bench_best(best, bench_now_us() - start);
	}
	printf("%zu events of %s\n", pmuq_vendor_content(vendor)->n_events,
	       pmuq_vendor_content(vendor)->folder.p);
	bench_figure("one CPU's events out of it", "ms", best / 1e3);
	return vendor;
}

/* All names of the table, in their order. */
static struct pmuq_str *names_of(const struct pmuq_vendor *vendor, size_t n)
{
	struct pmuq_str *names = calloc(n + 1, sizeof(*names));

	for (size_t i = 0; names && i < n; i++)
		names[i] = pmuq_vendor_get(vendor, i)->event->name;
	if (!names)
		bench_die("out of memory");
	return names;
}

static double lookup_ns(const struct pmuq_vendor *vendor, const struct pmuq_str *names, size_t n)
{
	struct pq_vendor_list list;
	size_t found = 0;
	double start = bench_now_us();

	for (int round = 0; round < LOOKUPS; round++)
		for (size_t i = 0; i < n; i++)
			found += pq_vendor_find(vendor, names[i], &list, NULL) == 0 && list.n > 0;
	if (found != n * LOOKUPS)
		bench_die("a name was not found");
	return (bench_now_us() - start) * 1e3 / (double)(n * LOOKUPS);
}

static double probe_ns(const struct pq_map *map, const struct pmuq_str *names, size_t n)
{
	size_t found = 0;
	double start = bench_now_us();

	for (int round = 0; round < LOOKUPS; round++)
		for (size_t i = 0; i < n; i++)
			found += pq_map_find(map, PQ_NAMED(names, p), names[i]) != NULL;
	if (found != n * LOOKUPS)
		bench_die("a name was not found");
	return (bench_now_us() - start) * 1e3 / (double)(n * LOOKUPS);
}

static void bench_lookup(const struct pmuq_vendor *vendor)
{
	size_t n = pmuq_vendor_content(vendor)->n_events;
	struct pmuq_str *names = names_of(vendor, n);
	double ours = 0, peer = 0;
	struct pq_arena arena = PQ_ARENA(SIZE_MAX);
	struct pq_map map;

	if (!pq_map_build(&arena, PQ_NAMED(names, p), n, &map))
		bench_die("out of memory");
	for (int i = 0; i < ROUNDS; i++) {
		ours = bench_best(ours, lookup_ns(vendor, names, n));
		peer = bench_best(peer, probe_ns(&map, names, n));
	}
	bench_line("a name looked up, compared with a bare probe", "ns", ours, peer);
	pq_arena_clear(&arena);
	free(names);
}

static void bench_search(struct pmuq_store *store, const char *query)
{
	struct pmuq_error *error = NULL;
	char *name = print("search %s%s", query, "");
	double best = 0;

	for (int i = 0; i < SEARCHES; i++) {
		struct pmuq_found *found = NULL;
		double start = bench_now_us();

		if (pmuq_store_search(store, query, 20, &found, &error) < 0)
			die_of(error);
		best = bench_best(best, bench_now_us() - start);
		pmuq_found_free(found);
	}
	bench_figure(name, "ms", best / 1e3);
	free(name);
}

/* --------------------------------------------------------- next to a sysfs alias */

static double encode_ns(const struct pmuq_catalog *catalog, const char *text,
			const struct pmuq_encode_options *options)
{
	double start = bench_now_us();

	for (int i = 0; i < ENCODINGS; i++) {
		struct pmuq_encodings *encodings = NULL;
		struct pmuq_error *error = NULL;

		if (pmuq_catalog_encode(catalog, text, options, &encodings, &error) < 0)
			die_of(error);
		pmuq_encodings_free(encodings);
	}
	return (bench_now_us() - start) * 1e3 / ENCODINGS;
}

/* The two take turns, so that other processes slow both. */
static void bench_pair(const struct pmuq_catalog *catalog, const char *what, const char *name,
		       const char *alias, const struct pmuq_encode_options *options)
{
	double ours = 0, peer = 0;

	for (int i = 0; i < TURNS; i++) {
		ours = bench_best(ours, encode_ns(catalog, name, options));
		peer = bench_best(peer, encode_ns(catalog, alias, NULL));
	}
	bench_line(what, "ns", ours, peer);
}

/* The event of a PMU that a table has, and one that the machine's own files have. */
static void add_table(const char *memory)
{
	FILE *map = make_file(memory, "alias/x86/mapfile.csv");
	FILE *file = make_file(memory, "alias/x86/model/all.json");

	fprintf(map, "GenuineIntel-6-55,v1,model,core\n");
	fprintf(file, "[{\"EventName\": \"BENCH.MISS\", \"EventCode\": \"0xd1\", \"UMask\": "
		      "\"0x20\"},\n");
	fprintf(file, "{\"EventName\": \"BENCH.READ\", \"EventCode\": \"4\", \"UMask\": \"3\", "
		      "\"Unit\": \"iMC\"},\n");
	for (unsigned i = 0; i < EVENTS; i++)
		fprintf(file, "{\"EventName\": \"OTHER.E%u\", \"EventCode\": \"%u\"}%s\n", i,
			i & 0xff, i + 1 < EVENTS ? "," : "]");
	fclose(file);
	fclose(map);
}

/* On a Skylake-SP, with a made table for it. */
static void bench_alias(const char *memory, const char *machine)
{
	struct pmuq_encode_options options = { .size = sizeof(options) };
	char *db = print("%s/%s", memory, "alias.db"), *tree = print("%s/%s", memory, "alias");
	struct pmuq_source *source = NULL;
	struct pmuq_catalog *catalog = NULL;
	struct pmuq_vendor *vendor = NULL;
	struct pmuq_store *store = NULL;
	struct pmuq_error *error = NULL;

	add_table(memory);
	if (pmuq_source_open_tree(machine, &source, &error) < 0 ||
	    pmuq_source_read_catalog(source, &catalog, &error) < 0 ||
	    pmuq_store_open(db, PMUQ_STORE_CREATE, &store, &error) < 0 ||
	    pmuq_store_import_vendor(store, tree, NULL, 1, NULL, &error) < 0 ||
	    pmuq_store_open_vendor(store, "GenuineIntel-6-55-4", &vendor, &error) < 0)
		die_of(error);
	options.vendor = vendor;
	bench_pair(catalog, "a bare name, compared with a sysfs alias", "bench.miss", "mem-loads",
		   &options);
	bench_pair(catalog, "the same in its PMU", "cpu/bench.miss/", "cpu/mem-loads/", &options);
	bench_pair(catalog, "the same of six instances", "bench.read", "cas_count_read", &options);
	pmuq_vendor_free(vendor);
	pmuq_store_free(store);
	pmuq_catalog_free(catalog);
	pmuq_source_free(source);
	free(tree);
	free(db);
}

int main(int argc, char **argv)
{
	char memory[] = "/tmp/pmuq-bench-XXXXXX";
	char *db = mkdtemp(memory) ? print("%s/%s", memory, "bench.db") : NULL;
	struct pmuq_error *error = NULL;
	struct pmuq_store *store = NULL;
	struct pmuq_vendor *vendor;

	if (!db || (argc != 2 && argc != 4))
		bench_die("usage: bench_vendor MACHINE [TREE CPUID]");
	if (argc == 2)
		make_tree(memory);
	bench_import(db, argc == 4 ? argv[2] : memory);
	if (pmuq_store_open(db, PMUQ_STORE_READ, &store, &error) < 0)
		die_of(error);
	vendor = bench_open(store, argc == 4 ? argv[3] : "GenuineIntel-6-07-1");
	bench_lookup(vendor);
	for (size_t i = 0; i < COUNT(words); i++)
		bench_search(store, words[i]);
	pmuq_vendor_free(vendor);
	pmuq_store_free(store);
	free(db);
	bench_alias(memory, argv[1]);
	return nftw(memory, drop, 16, FTW_DEPTH | FTW_PHYS) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
