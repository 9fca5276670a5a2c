/* SPDX-License-Identifier: MIT */
/*
 * A database (a path or URL) of many hosts gets a later version of the schema, whose step changes
 * the row of every host, and every host gets another class: as long as a real update can take.
 * Before that, processes that begin it are killed, and the database is still of this version. The
 * peer is the step alone, rolled back.
 */
#include "bench.h"
#include "db/sqlite/sqlite_file.h"
#include "tests/harness/store.h"
#include <signal.h>
#include <sys/wait.h>

#define STEP "ALTER TABLE host ADD COLUMN owner text; UPDATE host SET owner = 'me'"
#define N_KILLS 10

static void update(const char *path, const struct pq_schema *schema)
{
	struct pmuq_store *store = NULL;
	struct pmuq_error *error = NULL;

	if (pq_store_open_with(path, PMUQ_STORE_WRITE, schema, &store, &error) < 0)
		bench_die(error->message.p);
	pmuq_store_free(store);
}

static void interrupt(const char *path, const struct pq_schema *schema, long after_us)
{
	struct timespec pause = { .tv_sec = after_us / 1000000,
				  .tv_nsec = after_us % 1000000 * 1000 };
	pid_t child = fork();

	if (child == 0) {
		update(path, schema);
		_exit(EXIT_SUCCESS);
	}
	nanosleep(&pause, NULL);
	if (kill(child, SIGKILL) < 0 || waitpid(child, NULL, 0) != child)
		bench_die("cannot kill a process");
}

static double step_alone_us(const char *path)
{
	struct pmuq_store *store = store_open(path, PMUQ_STORE_WRITE);
	double start = bench_now_us();

	if (store_exec(store, "BEGIN; " STEP "; ROLLBACK") < 0)
		bench_die("cannot run the step");
	start = bench_now_us() - start;
	pmuq_store_free(store);
	return start;
}

static int64_t count_hosts(const char *path)
{
	struct pmuq_store *store = store_open(path, PMUQ_STORE_READ);
	int64_t n = store_number(store, "SELECT count(*) FROM v_host");

	pmuq_store_free(store);
	return n;
}

/* As if the rule for classes had been another one. */
static void change_classes(const char *path)
{
	struct pmuq_store *store = store_open(path, PMUQ_STORE_WRITE);

	if (store_exec(store, store->sqlite ? "UPDATE host_class SET hash = randomblob(32)"
					    : "UPDATE host_class SET hash = sha256(hash)") < 0)
		bench_die("cannot change the classes");
	pmuq_store_free(store);
}

int main(int argc, char **argv)
{
	static const char *const sql[] = { STEP };
	struct pq_schema_step steps[STORE_STEPS_MAX];
	const struct pq_schema schema = store_later_schema(steps, sql, COUNT(sql));
	double alone, start;
	int64_t n;

	if (argc != 2)
		bench_die("bench_migrate DATABASE");
	change_classes(argv[1]);
	n = count_hosts(argv[1]);
	alone = step_alone_us(argv[1]);
	for (int i = 0; i < N_KILLS; i++)
		interrupt(argv[1], &schema, (long)(alone * (i + 1) / N_KILLS));
	if (count_hosts(argv[1]) != n)
		bench_die("an interrupted update has changed the database");
	start = bench_now_us();
	update(argv[1], &schema);
	bench_line("a step that changes each host", "ms", (bench_now_us() - start) / 1e3,
		   alone / 1e3);
	return EXIT_SUCCESS;
}
