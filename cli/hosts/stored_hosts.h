/* SPDX-License-Identifier: MIT */
/* The hosts of the database by their classes, each class opened through one of its hosts: what
 * `pmuq hosts --with` and `pmuq encode --all-hosts` share. */
#pragma once

#include "cli/cmd.h"
#include "core/vec.h"

struct host_table {
	const char *cpuid; /* lives in `hosts`, or on the command line */
	struct pmuq_vendor *vendor;
};

struct host_list {
	struct pmuq_store *store;
	struct pmuq_hosts *hosts; /* the newest snapshots */
	struct pmuq_pfm *pfm;
	PQ_VEC(struct host_table) tables; /* of CPUs that were needed so far */
};

/* A class that is open; it needs the list. */
struct open_class {
	size_t index;
	struct pmuq_source *source;
	const struct pmuq_vendor *vendor; /* NULL: the database has no tables of the CPU */
};

/* All report what went wrong. `filter` as of pmuq_store_list_hosts(). */
enum status host_list_open(struct host_list *list, const struct cli *cli,
			   const struct pmuq_hosts_filter *filter);
void host_list_close(struct host_list *list);
/* The tables of vendor events: those of `vendor` (--vendor), else of the class's CPU if there are
 * some. */
enum status host_list_open_class(struct host_list *list, size_t host_class, const char *vendor,
				 struct open_class *ret);
void host_list_close_class(struct open_class *open);
/* What was found when the events of the class's hosts were opened. */
enum status host_list_read_check(struct host_list *list, size_t host_class, size_t check,
				 struct pmuq_check **ret);

/* The globs that no host matched: STATUS_INVALID if there is one. */
enum status host_list_report_unmatched(const struct pmuq_hosts *hosts,
				       const struct pmuq_hosts_filter *filter);
