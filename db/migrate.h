/* SPDX-License-Identifier: MIT */
/* The steps of schemas/migrations, in order (generated). */
#ifndef PQ_MIGRATE_H
#define PQ_MIGRATE_H

struct pq_migration {
	const char *name, *sql;
};

extern const struct pq_migration pq_migrations[];
extern const unsigned pq_migrations_count;

#endif
