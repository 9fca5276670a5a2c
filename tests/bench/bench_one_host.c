/* SPDX-License-Identifier: MIT */
/*
 * bench_one_host DATABASE HOST: a database (a path or URL) stays open, and a program reads one host
 * of many: its entry in the list, and its machine. The peer is one query by the database's own
 * library, on a connection that is open, too.
 */
#include "bench.h"
#include "db/db.h"
#include "db/postgres/pg_server.h"
#include "db/sqlite/sqlite_file.h"
#include <pmuq/pmuq.h>
#include <stdio.h>

#define ROUNDS 401

static struct pmuq_store *open_store(const char *path)
{
	struct pmuq_store *store = NULL;
	struct pmuq_error *error = NULL;

	if (pmuq_store_open(path, PMUQ_STORE_READ, &store, &error) < 0)
		bench_die(error->message.p);
	return store;
}

static void list_host(struct pmuq_store *store, const char *name)
{
	const struct pmuq_hosts_filter filter = {
		.size = sizeof(filter), .globs = &name, .n_globs = 1, .is_newest_only = true
	};
	struct pmuq_hosts *hosts = NULL;

	if (pmuq_store_list_hosts(store, &filter, &hosts, NULL) < 0 || pmuq_hosts_count(hosts) != 1)
		bench_die("the host is not in the list");
	pmuq_hosts_free(hosts);
}

static void open_host(struct pmuq_store *store, const char *name)
{
	struct pmuq_source *source = NULL;

	if (pmuq_store_open_host(store, name, 0, &source, NULL) < 0)
		bench_die("the host cannot be opened");
	pmuq_source_free(source);
}

static void query_host(struct pmuq_store *store, const char *name)
{
	char sql[512];

	snprintf(sql, sizeof(sql),
		 "SELECT host.name, snapshot.id, snapshot.host_class, last_seen FROM host"
		 " JOIN snapshot ON snapshot.host = host.id WHERE host.name = '%s'",
		 name);
	if (store->sqlite)
		store->sqlite->lib.exec(store->sqlite->db, sql, NULL, NULL, NULL);
	else
		store->pg->lib.clear(store->pg->lib.exec(store->pg->connection, sql));
}

static double time_us(void (*run)(struct pmuq_store *, const char *), struct pmuq_store *store,
		      const char *name)
{
	double start = bench_now_us();

	run(store, name);
	return bench_now_us() - start;
}

static void compare(const char *what, void (*run)(struct pmuq_store *, const char *),
		    struct pmuq_store *ours, struct pmuq_store *peer, const char *name)
{
	double ours_us = 0, peer_us = 0;

	for (unsigned i = 0; i < ROUNDS; i++) {
		ours_us = bench_best(ours_us, time_us(run, ours, name));
		peer_us = bench_best(peer_us, time_us(query_host, peer, name));
	}
	bench_line(what, "us", ours_us, peer_us);
}

int main(int argc, char **argv)
{
	struct pmuq_store *ours, *peer;

	if (argc != 3)
		bench_die("bench_one_host DATABASE HOST");
	ours = open_store(argv[1]);
	peer = open_store(argv[1]);
	if (peer->pg)
		peer->pg->lib.exitPipelineMode(peer->pg->connection);
	compare("one host in the list, open database", list_host, ours, peer, argv[2]);
	compare("the machine of a host, open database", open_host, ours, peer, argv[2]);
	pmuq_store_free(peer);
	pmuq_store_free(ours);
	return EXIT_SUCCESS;
}
