/* SPDX-License-Identifier: MIT */
/*
 * A kernel that follows rules, and checks its caller: every descriptor must be closed and every
 * page unmapped, no event may be opened enabled, all must be close-on-exec.
 */
#pragma once

#include "open/count/counter_page.h"
#include "open/session.h"

/* The first rule that fits decides; if none fits, the event opens. */
struct fake_rule {
	bool (*fits)(const struct pq_open_call *call); /* NULL: everything */
	int errnum;				       /* 0: opens */
	uint32_t size;				       /* of the attr, with E2BIG */
	unsigned times;				       /* applies only this many times; 0: always */
};

#define FAKE_FILES_MAX 64

struct fake_kernel {
	const struct fake_rule *rules;
	size_t n_rules;
	unsigned used[8];  /* how often each of the first rules has fitted */
	unsigned n_calls;  /* of perf_event_open */
	unsigned n_opened; /* in all */
	unsigned n_open, n_open_max;
	unsigned files_max; /* open at the same time, then EMFILE; 0: FAKE_FILES_MAX */
	bool is_open[FAKE_FILES_MAX];
	struct pq_open_call last; /* the last call */
	uint64_t cpus_opened;	  /* with pid -1: a bit a CPU */
	const char *misuse;	  /* a mistake of the caller; NULL: none */

	/* How it counts. */
	unsigned group_open_max;  /* more members than these are refused with ENOSPC; 0: none */
	unsigned group_count_max; /* groups of more are never on a counter; 0: all are */
	struct pq_times times;	  /* what an event on a counter reads */
	int switch_errnum, read_errnum, map_errnum, redirect_errnum; /* 0: it works */
	uint64_t bad_cpus; /* a bit for each CPU whose counts cannot be read */
	uint64_t ended;	   /* counted by children that have ended, also after a reset */
	const struct pq_event_page *page; /* what is mapped */
	void *rings[8];			  /* the ring buffers that were mapped, zeroed */
	size_t n_rings;
	const struct pq_registers *registers;

	struct pq_open_call opened_as[FAKE_FILES_MAX];
	bool is_on[FAKE_FILES_MAX], is_reset[FAKE_FILES_MAX], has_ring[FAKE_FILES_MAX];
	uint64_t reset_at[FAKE_FILES_MAX]; /* the value then; times go on */
	unsigned n_switched_on, n_reset, n_group_reads, n_works, n_waits, n_mapped, n_unmapped, n_redirected;
	unsigned n_worked_cpus; /* the last time; 0: any */
	bool visited_each;
};

struct pq_kernel fake_kernel_interface(struct fake_kernel *kernel);

/* A host with the facts of the test. */
struct fake_host {
	struct pq_host_view view;
	struct pq_pmu_view pmu;
	struct pq_task_view task;
	struct pq_files_view files;
	unsigned n_views; /* how often it was read */
	const char *misuse;
};

struct pq_host fake_host_interface(struct fake_host *host);
