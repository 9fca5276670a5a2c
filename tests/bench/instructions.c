/* SPDX-License-Identifier: MIT */
/*
 * Twelve operations, for test_instructions.py, which counts their instructions by callgrind. Each
 * runs once before it is counted, so that only what every call costs is counted. With a tree, for
 * bench_growth.py, all are of this machine.
 *
 *     instructions MACHINES DIRECTORY [TREE]
 */
#include "tests/bench/bench_machine.h"
#include <gnu/libc-version.h>
#include <valgrind/callgrind.h>

struct scene {
	const char *tree;
	char *db;
	struct pmuq_catalog *catalog, *large, *older;
	struct pmuq_source *source;
};

static char *join(const char *dir, const char *name)
{
	char *path = NULL;

	if (asprintf(&path, "%s/%s", dir, name) < 0)
		bench_die("no memory");
	return path;
}

static void encode_on(const struct pmuq_catalog *catalog, const char *text)
{
	struct pmuq_encodings *encodings = NULL;

	if (pmuq_catalog_encode(catalog, text, NULL, &encodings, NULL) < 0)
		bench_die(text);
	pmuq_encodings_free(encodings);
}

static void encode_terms(const struct scene *scene)
{
	encode_on(scene->catalog, "cpu/event=0x2,inv,ldlat=3/");
}

static void encode_generic(const struct scene *scene)
{
	encode_on(scene->catalog, "cycles:u");
}

static void encode_group(const struct scene *scene)
{
	encode_on(scene->catalog, "{cycles,instructions}:S");
}

static void encode_instances(const struct scene *scene)
{
	encode_on(scene->large, "cas_count_read");
}

static void encode_error(const struct scene *scene)
{
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_error *error = NULL;

	if (pmuq_catalog_encode(scene->catalog, "cpu/umsk=1/", NULL, &encodings, &error) == 0)
		bench_die("cpu/umsk=1/ must be refused");
	pmuq_error_free(error);
}

static void decode(const struct scene *scene)
{
	const struct pmuq_attr attr = { .type = 4, .size = 64, .config = 0x1cd, .config1 = 3 };
	struct pmuq_decoding *decoding = NULL;

	if (pmuq_catalog_decode(scene->catalog, &attr, NULL, &decoding, NULL) < 0)
		bench_die("decode");
	pmuq_decoding_free(decoding);
}

static void complete(const struct scene *scene)
{
	struct pmuq_completion *completion = NULL;

	if (pmuq_source_complete(scene->source, "cpu/ev", NULL, &completion, NULL) < 0)
		bench_die("complete");
	pmuq_completion_free(completion);
}

static void walk(const struct scene *scene)
{
	pmuq_catalog_free(bench_read_machine(scene->tree));
}

static void first_name(const struct scene *scene)
{
	struct pmuq_encodings *encodings = NULL;
	struct pmuq_source *source = NULL;

	if (pmuq_source_open_tree(scene->tree, &source, NULL) < 0 ||
	    pmuq_source_encode(source, "cycles:u", NULL, &encodings, NULL) < 0)
		bench_die("cycles:u");
	pmuq_encodings_free(encodings);
	pmuq_source_free(source);
}

static void save_unchanged(const struct scene *scene)
{
	struct pmuq_saved saved = { .size = sizeof(saved) };
	struct pmuq_store *store = NULL;

	if (pmuq_store_open(scene->db, PMUQ_STORE_CREATE, &store, NULL) < 0 ||
	    pmuq_store_save(store, scene->catalog, NULL, "host", 1, &saved, NULL) < 0)
		bench_die("save");
	pmuq_store_free(store);
}

static void read_stored(const struct scene *scene)
{
	struct pmuq_catalog *catalog = NULL;
	struct pmuq_source *source = NULL;
	struct pmuq_store *store = NULL;

	if (pmuq_store_open(scene->db, PMUQ_STORE_READ, &store, NULL) < 0 ||
	    pmuq_store_open_host(store, "host", 0, &source, NULL) < 0 ||
	    pmuq_source_read_catalog(source, &catalog, NULL) < 0)
		bench_die("read");
	pmuq_catalog_free(catalog);
	pmuq_source_free(source);
	pmuq_store_free(store);
}

static void diff(const struct scene *scene)
{
	struct pmuq_diff *diff = NULL;

	if (pmuq_catalog_diff(scene->older, scene->catalog, NULL, &diff, NULL) < 0)
		bench_die("diff");
	pmuq_diff_free(diff);
}

static const struct operation {
	const char *name;
	void (*run)(const struct scene *scene);
} operations[] = {
	{ "encode terms", encode_terms },
	{ "encode a generic name", encode_generic },
	{ "encode a group", encode_group },
	{ "encode a name of 64 instances", encode_instances },
	{ "encode an error with its hint", encode_error },
	{ "decode an attr", decode },
	{ "complete a term", complete },
	{ "walk a machine", walk },
	{ "first name of a process", first_name },
	{ "store a machine again", save_unchanged },
	{ "read a stored machine", read_stored },
	{ "diff two machines", diff },
};

int main(int argc, char **argv)
{
	struct scene scene = { 0 };

	if (argc != 3 && argc != 4)
		bench_die("usage: instructions MACHINES DIRECTORY [TREE]");
	/* What the figures depend on, besides pmuq. */
	printf("gcc %s, glibc %s\n", __VERSION__, gnu_get_libc_version());
	scene.tree = argc == 4 ? argv[3] : join(argv[1], "skylake-sp");
	scene.db = join(argv[2], "pmuq.db");
	scene.catalog = bench_read_machine(scene.tree);
	scene.large = bench_read_machine(argc == 4 ? argv[3] : join(argv[1], "big-uncore-k6.12"));
	scene.older = bench_read_machine(join(argv[1], "sandybridge-ep"));
	if (pmuq_source_open_catalog(pmuq_catalog_share(scene.catalog), &scene.source, NULL) < 0)
		bench_die("no memory");
	for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++) {
		operations[i].run(&scene);
		CALLGRIND_ZERO_STATS;
		operations[i].run(&scene);
		CALLGRIND_DUMP_STATS_AT(operations[i].name);
	}
	return EXIT_SUCCESS;
}
