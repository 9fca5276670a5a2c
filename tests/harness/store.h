/* SPDX-License-Identifier: MIT */
/* For the tests of the store: a database in a directory of its own, machines to save, and SQL
 * queries besides the API. */
#pragma once

#include "core/buf.h"
#include "db/db.h"
#include "db/schema.h"
#include "tests/harness/build.h"
#include "tests/harness/same_catalog.h"
#include "tests/unit/tree.h"

/* A machine with texts of any bytes; fields that are NULL or 0 have a default. */
struct test_machine {
	const char *hostname, *kernel, *boot_id, *format;
	const char *changed_fact; /* its text is "changed"; NULL: none */
	size_t n_uncore;
	uint64_t first_tracepoint;
	struct test_check {
		size_t n, total; /* results; 0: the machine has no check. total 0: it is n */
		int64_t time_s;
		int first_errnum;
	} check;
};

/* With its check. */
struct pmuq_catalog *machine_catalog(const struct test_machine *machine);
/* The check alone. */
struct pmuq_check *machine_check(const struct test_machine *machine);

/* Whether the tests of this process use PostgreSQL: tests/postgres/with_postgres.py. */
bool store_is_on_server(void);
/* The path of the database in the tree, or the URL of a new database on the server; free it. */
char *store_path(const struct tree *tree);
struct pmuq_store *store_open(const char *path, enum pmuq_store_mode mode);
struct pmuq_saved store_save(struct pmuq_store *store, const struct pmuq_catalog *catalog,
			     const char *name, int64_t time_s);
/* Fails the test unless the snapshot is equal to the catalog. */
void store_expect(struct pmuq_store *store, const char *name, int64_t snapshot,
		  const struct pmuq_catalog *want);
/* Fails the test unless the newest snapshot has that check (NULL: none). */
void store_expect_check(struct pmuq_store *store, const char *name, const struct pmuq_check *want);
/* Fails the test unless opening fails with the code. */
void store_expect_refusal(const char *path, enum pmuq_store_mode mode, enum pmuq_code code);

#define STORE_STEPS_MAX 8
/* The schema of a later version of pmuq: its steps, and then these, for both engines. */
struct pq_schema store_later_schema(struct pq_schema_step steps[STORE_STEPS_MAX],
				    const char *const *sql, unsigned n);

/* Statements without rows: 0 or a failure. */
int store_exec(struct pmuq_store *store, const char *sql);
/* The number that a statement returns. */
int64_t store_number(struct pmuq_store *store, const char *sql);
/* The same as store_exec(), without a check of references. */
int store_damage(struct pmuq_store *store, const char *sql);
/* Fails the test if a row refers to one that does not exist. */
void store_expect_references(struct pmuq_store *store);
/* The bytes of all tables and indexes. */
int64_t store_bytes(struct pmuq_store *store);
/* Rows of all tables together. */
int64_t store_rows(struct pmuq_store *store);

/* The bytes of a file; free them. */
char *file_bytes(const char *path, size_t *ret_n);
/* Whether there is a file. */
bool file_exists(const char *path, const char *ending);
