/* SPDX-License-Identifier: MIT */
/*
 * The versions of the schema, generated from schemas/schema.sql (version 1) and one file in
 * schemas/steps/ for each later version. A store of an older version is updated when it is opened
 * for writing.
 */
#pragma once

#include "db/db.h"

struct pq_schema_step {
	const char *name, *sql;
	/* All that a database has after the step, as PQ_SCHEMA_OBJECT() writes one: a list of
	 * structs would be hundreds of pointers for the loader of the library to relocate. */
	const char *objects;
	size_t n_objects;
	/* For PostgreSQL: the same step, and a hash of the columns of all tables after it. */
	const char *pg_sql, *pg_fingerprint;
};

/* A row of sqlite_schema. The index of a constraint has no text: "". */
#define PQ_SCHEMA_OBJECT(type, name, table, sql) type "\0" name "\0" table "\0" sql "\0"

/* The number of steps is the user_version of a store that is up to date. */
struct pq_schema {
	const struct pq_schema_step *steps;
	unsigned n;
};

/* The index for searches (vendor/search/vendor_index.c). It is not part of the schema, because not
 * every SQLite has FTS5. The texts are stored once, in vendor_text (content = ''). A word matches
 * all words that begin with its stem: the matches of a stem of up to five letters are in the index,
 * those of a longer one are merged when it is searched for. */
#define PQ_SCHEMA_INDEX                                                                            \
	"CREATE VIRTUAL TABLE vendor_words USING fts5"                                             \
	" (name, pmu, description, long_description, content = '', prefix = '1 2 3 4 5',"          \
	" tokenize = 'porter unicode61')"

/* Generated. */
extern const struct pq_schema pq_schema;

/* pmuq_store_open() with another schema: tests add a step; NULL: for an agent. */
int pq_store_open_with(const char *path, enum pmuq_store_mode mode, const struct pq_schema *schema,
		       struct pmuq_store **ret, struct pmuq_error **reterr);
