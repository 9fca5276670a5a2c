/* SPDX-License-Identifier: MIT */
/* The parts of `pmuq report`: each file writes one of them. All write to memory. */
#pragma once

#include "cli/diff/diff_output.h"
#include "cli/hosts/audit.h"
#include "cli/pages/page.h"

struct page_machine {
	const char *word;		/* as the command line names it */
	const struct pmuq_catalog *catalog;
	const struct pmuq_check *check; /* NULL: its events were never opened */
};

/* page_host.c: facts, PMUs with their config words and events, tracepoints, problems. */
void page_put_machine(FILE *to, const struct page_machine *machine);

/* page_words.c: the config words of a PMU, drawn. */
void page_put_words(FILE *to, const struct pmuq_pmu *pmu);

/* page_hosts.c: host classes, kernels and CPUs of all hosts. */
void page_put_classes(FILE *to, const struct pmuq_hosts *hosts);
/* page_matrix.c: which class has which event, and where it opens. */
enum status page_put_matrix(FILE *to, struct host_list *list);
/* page_lately.c: the hosts that changed last, and how. */
enum status page_put_lately(FILE *to, struct pmuq_store *store, const struct pmuq_hosts *hosts);
/* page_audit.c: event strings on all hosts. */
void page_put_audit(FILE *to, const struct audit *audit);

/* page_diff.c: all changes, breaking ones first. */
void page_put_diff(FILE *to, const struct shown_diff *diff);
