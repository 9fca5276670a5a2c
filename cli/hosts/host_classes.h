/* SPDX-License-Identifier: MIT */
/*
 * The hosts of the database by kinds, each kind asked through one of its hosts: what `pmuq hosts
 * --with` and `pmuq encode --all-hosts` share.
 */
#ifndef PQ_CLI_FLEET_H
#define PQ_CLI_FLEET_H

#include "cli/cmd.h"

struct fleet_tables {
	const char *cpuid; /* lives in `hosts` */
	struct pmuq_vendor *vendor;
};

struct fleet {
	struct pmuq_store *store;
	struct pmuq_hosts *hosts; /* the newest snapshots */
	struct pmuq_pfm *pfm;
	struct fleet_tables *tables; /* of CPUs that were asked for */
	size_t n_tables;
};

/* One kind that is asked; it needs the fleet. */
struct fleet_kind {
	size_t index;
	struct pmuq_source *source;
	const struct pmuq_vendor *vendor; /* NULL: the database has no tables of the CPU */
};

/* All report what went wrong and answer a status. `filter` as of pmuq_store_find_hosts(). */
int fleet_open(struct fleet *fleet, const struct cli *cli, const struct pmuq_hosts_filter *filter);
void fleet_close(struct fleet *fleet);
/* The tables of vendor events: those of `vendor` (--vendor), else of the kind's CPU if there are
 * some. */
int fleet_open_kind(struct fleet *fleet, size_t kind, const char *vendor, struct fleet_kind *ret);
void fleet_close_kind(struct fleet_kind *kind);
/* What was found when the events of the kind's hosts were opened; NULL in *ret: nothing. */
int fleet_read_check(struct fleet *fleet, size_t kind, size_t check, struct pmuq_check **ret);

/* The globs that no host matched; answers STATUS_INVALID, and STATUS_OK when all did. */
int fleet_report_unmatched(const struct pmuq_hosts *hosts, const struct pmuq_hosts_filter *filter);

#endif
