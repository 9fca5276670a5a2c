/* SPDX-License-Identifier: MIT */
/* make_hosts MACHINES FILE: the database of docs/queries.md. Always the same rows. */
#include "tests/harness/many_hosts.h"
#include <stdio.h>
#include <stdlib.h>

/* 2026-11-01 00:00 UTC */
#define START_S 1793491200
#define DAY_S 86400

/* In the order in which they were seen; `day` counts from START_S. */
static const struct seen {
	const char *host, *machine, *id;
	int day;
	enum { UNCHECKED, OPENS_ALL, REFUSES_LOADS } check;
} all[] = {
	{ "build1", "haswell-client", "id-21", 0, UNCHECKED },
	{ "lab1", "zen1-epyc", "id-31", 1, OPENS_ALL },
	{ "web1", "skylake-sp", "id-01", 20, OPENS_ALL },
	{ "web2", "skylake-sp", "id-02", 20, OPENS_ALL },
	{ "web3", "skylake-sp", "id-03", 21, REFUSES_LOADS },
	{ "web4", "skylake-sp", "id-04", 21, UNCHECKED },
	{ "web5", "icelake-sp-k6.12", "id-05", 21, OPENS_ALL },
	{ "db1", "zen3-epyc", "id-11", 40, OPENS_ALL },
	{ "db2", "zen3-epyc", "id-12", 40, OPENS_ALL },
	{ "db3", "zen4-epyc-k6.12", "id-13", 40, OPENS_ALL },
	{ "core1", "alderlake-hybrid-k6.12", "id-51", 41, OPENS_ALL },
	{ "edge1", "arm64-biglittle", "id-41", 41, OPENS_ALL },
	{ "edge2", "arm64-biglittle", "id-42", 41, OPENS_ALL },
	{ "lab1", "zen3-epyc", "id-31", 42, OPENS_ALL },
	{ "www", "skylake-sp", "id-01", 43, UNCHECKED },
};

static void save(struct pmuq_store *store, const char *machines_dir, const struct seen *seen)
{
	struct pmuq_catalog *base = many_hosts_read(machines_dir, seen->machine);
	struct pmuq_catalog *host = many_hosts_host(base, seen->host, seen->id);
	struct pmuq_check *check = NULL;
	struct pmuq_error *error = NULL;
	int64_t time_s = START_S + (int64_t)seen->day * DAY_S;

	if (seen->check != UNCHECKED)
		check = many_hosts_check(base, time_s,
					 seen->check == REFUSES_LOADS ? "mem-loads" : NULL);
	if (pmuq_store_save(store, host, check, NULL, time_s, NULL, &error) < 0) {
		fprintf(stderr, "make_hosts: %s\n", error->message.p);
		exit(EXIT_FAILURE);
	}
	pmuq_check_free(check);
	pmuq_catalog_free(host);
	pmuq_catalog_free(base);
}

int main(int argc, char **argv)
{
	struct pmuq_store *store = NULL;
	struct pmuq_error *error = NULL;

	if (argc != 3) {
		fprintf(stderr, "make_hosts MACHINES FILE\n");
		return EXIT_FAILURE;
	}
	if (pmuq_store_open(argv[2], PMUQ_STORE_CREATE, &store, &error) < 0) {
		fprintf(stderr, "make_hosts: %s\n", error->message.p);
		return EXIT_FAILURE;
	}
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		save(store, argv[1], &all[i]);
	pmuq_store_free(store);
	return EXIT_SUCCESS;
}
