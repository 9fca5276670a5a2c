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
};

/* The number of steps is the user_version of a store that is up to date. */
struct pq_schema {
	const struct pq_schema_step *steps;
	unsigned n;
};

/* Generated. */
extern const struct pq_schema pq_schema;

/* Runs the steps that are missing, and computes all host classes again. */
int pq_schema_update(struct pmuq_store *store, struct pmuq_error **reterr);
/* pmuq_store_open() with another schema: tests add a step. */
int pq_store_open_with(const char *path, enum pmuq_store_mode mode, const struct pq_schema *schema,
		       struct pmuq_store **ret, struct pmuq_error **reterr);
