/* SPDX-License-Identifier: MIT */
/*
 * The inbox of a database on a PostgreSQL server: a schema of its own, `pmuq_inbox`, to which
 * agents hand in what changed on their hosts, and from which the store takes it.
 * schemas/inbox.sql has its tables, and the two functions that an agent calls.
 */
#pragma once

#include "db/engine.h"

/* Generated; %PREFIX% is that of the roles. */
extern const char pq_inbox_sql[], pq_inbox_close_sql[];

/* Fails if the store is a file, or if its server has no inbox. */
void pq_inbox_check(struct pmuq_store *store);
