/* SPDX-License-Identifier: MIT */
/*
 * bench_hosts MACHINES PMUQ: stores 10,000 hosts of 12 classes, each with a check, in a database,
 * compared with SQLite alone with the same rows in the same transactions; the size of a host with
 * the content of another; and an operator's queries of all hosts, with the command.
 */
#include "bench.h"
#include "db/db.h"
#include "db/sqlite/sqlite_file.h"
#include "tests/harness/many_hosts.h"
#include <fcntl.h>
#include <pmuq/pmuq.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define HOSTS 10000
#define HOSTS_EACH 500
#define ROUNDS 7
#define NAME_BYTES 64

static const char *const machines[] = {
	"skylake-sp",
	"icelake-sp-k6.12",
	"sapphirerapids-k6.12",
	"zen3-epyc",
	"zen4-epyc-k6.12",
	"zen1-epyc",
	"alderlake-hybrid-k6.12",
	"haswell-client",
	"arm64-biglittle",
	"ppc64el-power9",
	"s390x-max",
	"sandybridge-ep",
};
#define CLASSES COUNT(machines)

/* The queries of all hosts. */
static const char *const strings[] = {
	"cycles",
	"instructions:u",
	"{cycles,instructions}",
	"L1-dcache-load-misses",
	"r1a",
	"cpu/mem-loads,ldlat=30/u",
	"cpu/event=0x3c,umask=1/",
	"cpu/cache-misses/",
	"cpu/umsk=1/",
	"msr/tsc/",
	"uncore_imc/cas_count_read/",
	"page-faults",
	"cpu-clock:u",
	"mem:0x1000:rw",
	"power/energy-pkg/",
	"amd_df/event=1/",
	"no-such-event",
	"branch-misses:k",
	"cpu/event=0xc0/ppp",
	"uncore_cha/clockticks/",
	"ibs_op//",
};

static void die_of(struct pmuq_error *error)
{
	char *text = error ? pmuq_error_format(error) : NULL;

	bench_die(text ? text : "out of memory");
}

static char *print(const char *format, const char *a, const char *b)
{
	char *text = NULL;

	if (asprintf(&text, format, a, b) < 0)
		bench_die("out of memory");
	return text;
}

struct host {
	char name[NAME_BYTES], boot[NAME_BYTES];
	size_t class;
	bool is_second;
};

static struct host host_of(size_t index)
{
	struct host host = { .class = index % CLASSES, .is_second = index / CLASSES % 10 == 9 };

	snprintf(host.name, sizeof(host.name), "web%zu.dc%zu.example.org", index, host.class);
	snprintf(host.boot, sizeof(host.boot), "c0ffee00-0000-4000-8000-%012zu", index);
	return host;
}

/* --------------------------------------------------------------------------------- saves */

struct bases {
	struct pmuq_catalog *catalogs[CLASSES];
	struct pmuq_check *checks[CLASSES][2];
};

static void read_bases(const char *dir, struct bases *ret)
{
	for (size_t i = 0; i < CLASSES; i++) {
		ret->catalogs[i] = many_hosts_read(dir, machines[i]);
		for (size_t k = 0; k < 2; k++)
			ret->checks[i][k] =
				many_hosts_check(ret->catalogs[i], 1, k ? "cache-misses" : NULL);
	}
}

static void free_bases(struct bases *bases)
{
	for (size_t i = 0; i < CLASSES; i++) {
		pmuq_catalog_free(bases->catalogs[i]);
		pmuq_check_free(bases->checks[i][0]);
		pmuq_check_free(bases->checks[i][1]);
	}
}

/* In one transaction, or each in its own. */
static double save_hosts(const char *path, const struct bases *bases, size_t n, bool is_one)
{
	struct pmuq_store *store = NULL;
	struct pmuq_error *error = NULL;
	double start = bench_now_us();

	if (pmuq_store_open(path, PMUQ_STORE_CREATE, &store, &error) < 0 ||
	    (is_one && pmuq_store_begin(store, &error) < 0))
		die_of(error);
	for (size_t i = 0; i < n; i++) {
		struct host host = host_of(i);
		struct pmuq_catalog *catalog =
			many_hosts_host(bases->catalogs[host.class], host.name, host.boot);

		if (pmuq_store_save(store, catalog, bases->checks[host.class][host.is_second], NULL,
				    (int64_t)i, NULL, &error) < 0)
			die_of(error);
		pmuq_catalog_free(catalog);
	}
	if (is_one && pmuq_store_commit(store, &error) < 0)
		die_of(error);
	pmuq_store_free(store);
	return bench_now_us() - start;
}

/* The rows of a host that is like another. */
#define PLAIN_SCHEMA                                                                               \
	"PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"                                    \
	"CREATE TABLE host (id INTEGER PRIMARY KEY, name TEXT UNIQUE, machine_id TEXT);"           \
	"CREATE TABLE snapshot (id INTEGER PRIMARY KEY, host INTEGER, hash BLOB, layout INTEGER,"  \
	" fact_set INTEGER, tracepoint_set INTEGER, problem_set INTEGER, first_seen INTEGER,"      \
	" last_seen INTEGER, host_class INTEGER); CREATE INDEX by_host ON snapshot (host);"        \
	"CREATE INDEX by_class ON snapshot (host_class);"                                          \
	"CREATE TABLE snapshot_fact (snapshot INTEGER, position INTEGER, name TEXT, text TEXT,"    \
	" is_volatile INTEGER, PRIMARY KEY (snapshot, position)) WITHOUT ROWID;"                   \
	"CREATE TABLE snapshot_check (snapshot INTEGER PRIMARY KEY, check_set INTEGER,"            \
	" checked INTEGER, total INTEGER); CREATE INDEX by_set ON snapshot_check (check_set)"

static const char *const plain_rows[] = {
	"INSERT INTO host VALUES (?1, ?2, ?3)",
	"INSERT INTO snapshot VALUES (?1, ?1, zeroblob(32), 1, 1, 1, 1, ?1, ?1, 1)",
	"INSERT INTO snapshot_fact VALUES (?1, 0, 'hostname', ?2, 0)",
	"INSERT INTO snapshot_fact VALUES (?1, 11, 'boot_id', ?3, 1)",
	"INSERT INTO snapshot_fact VALUES (?1, 12, 'machine_id', ?3, 0)",
	"INSERT INTO snapshot_check VALUES (?1, 1, 1, 100)",
};

static void bind_row(const struct pq_sqlite *lib, sqlite3_stmt *stmt, size_t index,
		     const struct host *host)
{
	lib->bind_int64(stmt, 1, (int64_t)index + 1);
	lib->bind_text64(stmt, 2, host->name, strlen(host->name), SQLITE_STATIC, SQLITE_UTF8);
	lib->bind_text64(stmt, 3, host->boot, strlen(host->boot), SQLITE_STATIC, SQLITE_UTF8);
}

static void run_plain(const struct pq_sqlite *lib, sqlite3 *db, const char *sql)
{
	if (sql && lib->exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		bench_die(sql);
}

static double save_plain(const char *path, size_t n, bool is_one)
{
	sqlite3_stmt *stmts[COUNT(plain_rows)];
	struct pq_sqlite lib;
	sqlite3 *db = NULL;
	double start = bench_now_us();

	if (pq_sqlite_load(&lib, NULL) < 0 ||
	    lib.open_v2(path, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) ||
	    lib.exec(db, PLAIN_SCHEMA, NULL, NULL, NULL))
		bench_die(path);
	for (size_t i = 0; i < COUNT(plain_rows); i++)
		if (lib.prepare_v3(db, plain_rows[i], -1, 0, &stmts[i], NULL))
			bench_die(plain_rows[i]);
	run_plain(&lib, db, is_one ? "BEGIN IMMEDIATE" : NULL);
	for (size_t i = 0; i < n; i++) {
		struct host host = host_of(i);

		run_plain(&lib, db, is_one ? NULL : "BEGIN IMMEDIATE");
		for (size_t k = 0; k < COUNT(plain_rows); k++) {
			bind_row(&lib, stmts[k], i, &host);
			if (lib.step(stmts[k]) != SQLITE_DONE)
				bench_die(plain_rows[k]);
			lib.reset(stmts[k]);
		}
		run_plain(&lib, db, is_one ? NULL : "COMMIT");
	}
	run_plain(&lib, db, is_one ? "COMMIT" : NULL);
	for (size_t i = 0; i < COUNT(plain_rows); i++)
		lib.finalize(stmts[i]);
	lib.close_v2(db);
	return bench_now_us() - start;
}

static double bytes_of(const char *path)
{
	struct stat st;

	return stat(path, &st) < 0 ? 0 : (double)st.st_size;
}

/* ------------------------------------------------------------------------------- queries */

static double time_list(const char *path, bool is_floor)
{
	const struct pmuq_hosts_filter filter = { .size = sizeof(filter), .is_newest_only = true };
	struct pmuq_store *store = NULL;
	struct pmuq_error *error = NULL;
	double best = 0;

	if (pmuq_store_open(path, PMUQ_STORE_READ, &store, &error) < 0)
		die_of(error);
	for (unsigned i = 0; i < ROUNDS; i++) {
		double start = bench_now_us();
		struct pmuq_hosts *hosts = NULL;

		if (is_floor &&
		    store->sqlite->lib.exec(store->sqlite->db,
					    "SELECT host.name, s.id, s.last_seen, "
					    "s.fact_set, s.host_class FROM host JOIN snapshot s"
					    " ON s.host = host.id ORDER BY host.name",
					    NULL, NULL, NULL) != SQLITE_OK)
			bench_die("a plain select");
		if (!is_floor && pmuq_store_list_hosts(store, &filter, &hosts, &error) < 0)
			die_of(error);
		if (!is_floor &&
		    (pmuq_hosts_count(hosts) != HOSTS || pmuq_hosts_class_count(hosts) != CLASSES))
			bench_die("not what was saved");
		pmuq_hosts_free(hosts);
		best = bench_best(best, bench_now_us() - start);
	}
	pmuq_store_free(store);
	return best;
}

/* The time of the command; it must end with that status. */
static double time_command(const char *const *words, int status)
{
	posix_spawn_file_actions_t actions;
	double best = 0;

	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	for (unsigned i = 0; i < ROUNDS; i++) {
		double start = bench_now_us();
		int found;
		pid_t child;

		if (posix_spawn(&child, words[0], &actions, NULL, pq_boundary_cast(words),
				environ) ||
		    waitpid(child, &found, 0) != child)
			bench_die(words[0]);
		if (!WIFEXITED(found) || WEXITSTATUS(found) != status)
			bench_die("the command ended with another status");
		best = bench_best(best, bench_now_us() - start);
	}
	posix_spawn_file_actions_destroy(&actions);
	return best;
}

static char *write_strings(const char *dir)
{
	char *path = print("%s/%s", dir, "events.txt");
	FILE *file = fopen(path, "we");

	for (size_t i = 0; file && i < COUNT(strings); i++)
		fprintf(file, "%s\n", strings[i]);
	if (!file || fclose(file) != 0)
		bench_die(path);
	return path;
}

static double time_forget(const char *path)
{
	struct pmuq_store *store = NULL;
	struct pmuq_error *error = NULL;
	const char *names[] = { "web17.dc5.example.org" };
	double start;

	if (pmuq_store_open(path, PMUQ_STORE_WRITE, &store, &error) < 0)
		die_of(error);
	start = bench_now_us();
	if (pmuq_store_forget(store, names, NULL, 1, NULL, NULL, &error) < 0)
		die_of(error);
	start = bench_now_us() - start;
	pmuq_store_free(store);
	return start;
}

static void query(const char *pmuq, const char *path, const char *dir)
{
	char *list = write_strings(dir);
	const char *const listed[] = { pmuq, "--db", path, "hosts", NULL };
	const char *const with[] = { pmuq,    "--db",	path,
				     "hosts", "--with", "cpu/mem-loads,ldlat=30/u",
				     NULL };
	const char *const export[] = { pmuq, "--db", path, "export", "--all-hosts", NULL };
	const char *const report[] = { pmuq, "--db", path, "report", "--all-hosts", NULL };
	const char *const one[] = { pmuq, "--db", path, "encode", "--all-hosts", "cycles", NULL };
	const char *const audit[] = {
		pmuq, "--db", path, "encode", "--all-hosts", "-f", list, NULL
	};
	const char *const json[] = { pmuq, "--db", path,     "encode", "--all-hosts",
				     "-f", list,   "--json", NULL };

	struct host hosts[] = { host_of(0), host_of(1), host_of(CLASSES) };
	const char *const other[] = {
		pmuq, "--db", path, "diff", hosts[0].name, hosts[1].name, NULL
	};
	const char *const alike[] = {
		pmuq, "--db", path, "diff", hosts[0].name, hosts[2].name, NULL
	};

	bench_line("find_hosts, 10,000 of 12 classes", "ms", time_list(path, false) / 1e3,
		   time_list(path, true) / 1e3);
	bench_figure("pmuq hosts", "ms", time_command(listed, 0) / 1e3);
	bench_figure("pmuq hosts --with", "ms", time_command(with, 0) / 1e3);
	bench_figure("pmuq encode --all-hosts, one string", "ms", time_command(one, 0) / 1e3);
	bench_figure("pmuq encode --all-hosts, 21 strings", "ms", time_command(audit, 3) / 1e3);
	bench_figure("the same --json", "ms", time_command(json, 3) / 1e3);
	bench_figure("pmuq export --all-hosts", "ms", time_command(export, 0) / 1e3);
	bench_figure("pmuq report --all-hosts", "ms", time_command(report, 0) / 1e3);
	bench_figure("pmuq diff of two classes", "ms", time_command(other, 1) / 1e3);
	bench_figure("pmuq diff of two hosts of a class", "ms", time_command(alike, 0) / 1e3);
	bench_figure("forget a host", "ms", time_forget(path) / 1e3);
	unlink(list);
	free(list);
}

/* A new file each time, removed at once. */
static double time_each(const char *dir, const struct bases *bases)
{
	char *path = print("%s/%s", dir, "each.db");
	double took = bases ? save_hosts(path, bases, HOSTS_EACH, false)
			    : save_plain(path, HOSTS_EACH, false);

	unlink(path);
	free(path);
	return took;
}

int main(int argc, char **argv)
{
	char dir[] = "/tmp/bench_hostsXXXXXX";
	struct bases bases;
	char *ours, *plain;
	double took, floor;

	if (argc != 3)
		bench_die("bench_hosts MACHINES PMUQ");
	if (!mkdtemp(dir))
		bench_die(dir);
	ours = print("%s/%s", dir, "pmuq.db");
	plain = print("%s/%s", dir, "plain.db");
	read_bases(argv[1], &bases);
	took = save_hosts(ours, &bases, HOSTS, true);
	floor = save_plain(plain, HOSTS, true);
	bench_line("10,000 hosts, one transaction", "ms", took / 1e3, floor / 1e3);
	bench_figure("the same", "hosts/s", HOSTS / (took / 1e6));
	took = time_each(dir, &bases);
	floor = time_each(dir, NULL);
	bench_line("500 hosts, a transaction each", "ms", took / 1e3, floor / 1e3);
	bench_line("a host like another", "bytes", bytes_of(ours) / HOSTS, bytes_of(plain) / HOSTS);
	query(argv[2], ours, dir);
	free_bases(&bases);
	unlink(ours);
	unlink(plain);
	rmdir(dir);
	free(ours);
	free(plain);
	return 0;
}
