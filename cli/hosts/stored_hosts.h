/* SPDX-License-Identifier: MIT */
/* The hosts of the database by their classes; each class is opened through one of its hosts. Shared
 * by `pmuq hosts --with` and `pmuq encode --all-hosts`. */
#pragma once

#include "cli/cmd.h"
#include "core/vec.h"

struct host_table {
	const char *cpuid; /* lives in `hosts`, or on the command line */
	struct pmuq_vendor *vendor;
};

struct host_metrics {
	const char *cpuid;
	struct pmuq_metrics *metrics;
};

struct host_list {
	struct pmuq_store *store; /* borrowed */
	struct pmuq_hosts *hosts; /* the newest snapshots */
	struct pmuq_pfm *pfm;
	/* Of the CPUs that were needed so far. */
	PQ_VEC(struct host_table) tables;
	PQ_VEC(struct host_metrics) metrics;
};

/* An open class; it needs the list. */
struct open_class {
	size_t index;
	struct pmuq_source *source;
	const struct pmuq_vendor *vendor; /* NULL: the database has no tables of the CPU */
	const char *cpuid;		  /* whose tables are used; NULL: not known */
};

/* All functions report errors. `filter` is that of pmuq_store_list_hosts(). */
enum status host_list_open(struct host_list *list, const struct cli *cli,
			   const struct pmuq_hosts_filter *filter);
void host_list_close(struct host_list *list);
/* The tables of vendor events: those of `vendor` (--vendor), otherwise those of the class's CPU, if
 * there are any. */
enum status host_list_open_class(struct host_list *list, size_t host_class, const char *vendor,
				 struct open_class *ret);
void host_list_close_class(struct open_class *open);
/* The metrics of the class's CPU, which live as long as the list; a code of
 * pmuq_store_open_metrics(). */
int host_list_find_metrics(struct host_list *list, const struct open_class *open,
			   const struct pmuq_metrics **ret, struct pmuq_error **reterr);
/* The results of opening the events on the hosts of the class. */
enum status host_list_read_check(struct host_list *list, size_t host_class, size_t check,
				 struct pmuq_check **ret);

/* Whether the host has that check of its class; PMUQ_NOT_KNOWN: whether it has none. */
#define HOSTS_ANY_CHECK (PMUQ_NOT_KNOWN - 1)
bool host_list_has_check(const struct host_list *list, size_t host, size_t check);

/* Reports the globs that no host matched; STATUS_INVALID if there is one. */
enum status host_list_report_unmatched(const struct pmuq_hosts *hosts,
				       const struct pmuq_hosts_filter *filter);
