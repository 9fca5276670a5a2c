/* SPDX-License-Identifier: MIT */
/*
 * The cost of importing documents. Every machine of a directory: reading its document into a
 * catalog, compared with libyaml's parser, or jansson's reader, on the same bytes; the best of
 * several rounds each, in turns. Then 10,000 hosts of 12 classes into a database, in one
 * transaction: in 12 documents, and in a document each.
 *
 *     bench_import MACHINES
 */
#include "tests/bench/bench.h"
#include <dirent.h>
#include <jansson.h>
#include <pmuq/pmuq.h>
#include <string.h>
#include <unistd.h>
#include <yaml.h>

#define ROUNDS 15
#define HOSTS 10000
#define CLASSES 12
#define MACHINES_MAX 64

struct text {
	char *p;
	size_t n;
};

static void must(int r, struct pmuq_error *error, const char *what)
{
	if (r < 0)
		bench_die(error ? error->message.p : what);
}

static struct pmuq_catalog *catalog_of(const char *machines, const char *name)
{
	struct pmuq_catalog *catalog = NULL;
	struct pmuq_source *source = NULL;
	struct pmuq_error *error = NULL;
	char *path = NULL;

	if (asprintf(&path, "%s/%s", machines, name) < 0)
		bench_die("out of memory");
	if (pmuq_source_open_tree(path, &source, &error) == 0)
		must(pmuq_source_read_catalog(source, &catalog, &error), error, path);
	pmuq_error_free(error);
	pmuq_source_free(source);
	free(path);
	return catalog;
}

static struct text write_one(const struct pmuq_catalog *catalog, const char *name,
			     enum pmuq_document_form form)
{
	struct pmuq_writer *writer = NULL;
	struct pmuq_error *error = NULL;
	struct text text = { 0 };

	must(pmuq_writer_new(&writer, &error), error, "writer");
	must(pmuq_writer_add(writer, catalog, name, 0, &error), error, "add");
	must(pmuq_writer_text(writer, form, &text.p, &text.n, &error), error, "text");
	pmuq_writer_free(writer);
	return text;
}

static void read_once(const struct text *text)
{
	struct pmuq_catalog *catalog = NULL;
	struct pmuq_reader *reader = NULL;
	struct pmuq_error *error = NULL;

	must(pmuq_reader_new(&reader, &error), error, "reader");
	must(pmuq_reader_open_bytes(reader, text->p, text->n, "bench", &error), error, "open");
	must(pmuq_reader_next(reader, &catalog, &error), error, "next");
	pmuq_catalog_free(catalog);
	pmuq_reader_free(reader);
}

static void parse_yaml(const struct text *text)
{
	yaml_parser_t parser;
	int is_over = 0;

	if (!yaml_parser_initialize(&parser))
		bench_die("libyaml");
	yaml_parser_set_input_string(&parser, (const unsigned char *)text->p, text->n);
	while (!is_over) {
		yaml_event_t event;

		if (!yaml_parser_parse(&parser, &event))
			bench_die("libyaml does not parse it");
		is_over = event.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
}

static void parse_json(const struct text *text)
{
	json_t *json = json_loadb(text->p, text->n, JSON_REJECT_DUPLICATES, NULL);

	if (!json)
		bench_die("jansson does not parse it");
	json_decref(json);
}

/* All machines one after the other, the best of several rounds in turns. */
static void compare(const char *what, const struct text *texts, size_t n,
		    void (*peer)(const struct text *text))
{
	double ours = 0, theirs = 0;

	for (int round = 0; round < ROUNDS; round++) {
		double start = bench_now_us(), middle;

		for (size_t i = 0; i < n; i++)
			read_once(&texts[i]);
		middle = bench_now_us();
		for (size_t i = 0; i < n; i++)
			peer(&texts[i]);
		ours = bench_best(ours, middle - start);
		theirs = bench_best(theirs, bench_now_us() - middle);
	}
	bench_line(what, "us", ours / (double)n, theirs / (double)n);
}

static void add(struct text *all, const char *bytes, size_t n)
{
	all->p = realloc(all->p, all->n + n);
	if (!all->p)
		bench_die("out of memory");
	memcpy(all->p + all->n, bytes, n);
	all->n += n;
}

/* Like pmuq_writer, for hosts with different names and ids. */
static void add_hosts(struct text *all, const struct text *text, size_t first, size_t n,
		      size_t step)
{
	const char *hosts = strstr(text->p, "hosts:\n") + strlen("hosts:\n");
	const char *facts = strstr(text->p, "\nfacts:\n") + 1;
	const char *end = strstr(text->p, "\nend:\n") + 1;
	static const char new_end[] = "end: {documents: 1}\n";
	char entry[256];

	if (all->n)
		add(all, "---\n", 4);
	add(all, text->p, (size_t)(hosts - text->p));
	for (size_t i = 0; i < n; i++) {
		size_t host = first + i * step;
		int length = snprintf(entry, sizeof(entry),
				      "- name: host%05zu\n  hostname: host%05zu\n"
				      "  boot_id: \"%032zx\"\n  machine_id: \"%032zx\"\n",
				      host, host, host * 7919, host * 104729);

		add(all, entry, (size_t)length);
	}
	add(all, facts, (size_t)(end - facts));
	add(all, new_end, sizeof(new_end) - 1);
}

static double import(const struct text *text)
{
	char dir[] = "/tmp/pmuq-bench-XXXXXX", path[64];
	struct pmuq_reader *reader = NULL;
	struct pmuq_store *store = NULL;
	struct pmuq_error *error = NULL;
	double start;
	size_t n = 0;

	if (!mkdtemp(dir))
		bench_die("mkdtemp");
	snprintf(path, sizeof(path), "%s/db", dir);
	must(pmuq_store_open(path, PMUQ_STORE_CREATE, &store, &error), error, path);
	must(pmuq_reader_new(&reader, &error), error, "reader");
	start = bench_now_us();
	must(pmuq_reader_open_bytes(reader, text->p, text->n, "bench", &error), error, "open");
	must(pmuq_store_begin(store, &error), error, "begin");
	for (;; n++) {
		struct pmuq_catalog *catalog = NULL;

		must(pmuq_reader_next(reader, &catalog, &error), error, "next");
		if (!catalog)
			break;
		must(pmuq_store_save(store, catalog, NULL, pmuq_reader_host(reader)->name.p, 1000,
				     NULL, &error),
		     error, "save");
		pmuq_catalog_free(catalog);
	}
	must(pmuq_store_commit(store, &error), error, "commit");
	start = (double)n / ((bench_now_us() - start) / 1e6);
	pmuq_reader_free(reader);
	pmuq_store_free(store);
	unlink(path);
	rmdir(dir);
	if (n != HOSTS)
		bench_die("hosts are missing");
	return start;
}

static void import_hosts(const struct text *texts)
{
	struct text grouped = { 0 }, apart = { 0 };

	for (size_t class = 0; class < CLASSES; class ++)
		add_hosts(&grouped, &texts[class], class, (HOSTS - class + CLASSES - 1) / CLASSES,
			  CLASSES);
	for (size_t host = 0; host < HOSTS; host++)
		add_hosts(&apart, &texts[host % CLASSES], host, 1, 1);
	bench_figure("10,000 hosts in 12 documents, imported", "hosts/s", import(&grouped));
	bench_figure("10,000 hosts in 10,000 documents, imported", "hosts/s", import(&apart));
	free(grouped.p);
	free(apart.p);
}

int main(int argc, char **argv)
{
	struct text yaml[MACHINES_MAX], json[MACHINES_MAX];
	DIR *dir = argc > 1 ? opendir(argv[1]) : NULL;
	const struct dirent *entry;
	size_t n = 0;

	if (!dir)
		bench_die("bench_import MACHINES");
	while ((entry = readdir(dir)) && n < MACHINES_MAX) {
		struct pmuq_catalog *catalog =
			*entry->d_name == '.' ? NULL : catalog_of(argv[1], entry->d_name);

		if (!catalog)
			continue;
		yaml[n] = write_one(catalog, entry->d_name, PMUQ_DOCUMENT_YAML);
		json[n++] = write_one(catalog, entry->d_name, PMUQ_DOCUMENT_JSON);
		pmuq_catalog_free(catalog);
	}
	closedir(dir);
	if (n < CLASSES)
		bench_die("fewer than 12 machines");
	compare("a document of YAML into a catalog", yaml, n, parse_yaml);
	compare("a document of JSON into a catalog", json, n, parse_json);
	import_hosts(yaml);
	for (size_t i = 0; i < n; i++) {
		free(yaml[i].p);
		free(json[i].p);
	}
	return 0;
}
