/* SPDX-License-Identifier: MIT */
/* The rows and columns of `pmuq hosts`. */
#ifndef PQ_CLI_HOSTS_H
#define PQ_CLI_HOSTS_H

#include "cli/hosts/known_opens.h"
#include "cli/tables/list.h"

/* A usual column of --history; the others are COLUMN_DEFAULT. */
#define HOSTS_HISTORY (1u << 16)

struct host_row {
	const struct pmuq_hosts *hosts;
	size_t host, snapshot;
	enum opens opens;     /* of the string of --with */
	bool is_for_programs; /* times as documents have them */
};

/* Their name is "hosts". */
extern const struct list_kind host_columns;
/* By name, as people count. */
void host_rows_sort(struct host_row *rows, size_t n);

#endif
