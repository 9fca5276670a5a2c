/* SPDX-License-Identifier: MIT */
/*
 * The events that the situations are tried with: one of each kind for which the kernel has a rule
 * of its own. What this machine lacks is left out, and says why.
 */
#ifndef PQ_TESTS_EVENTS_H
#define PQ_TESTS_EVENTS_H

#include "tests/kernel/ask.h"

enum {
	FAULTS_USER,
	FAULTS,
	SWITCHES,
	CLOCK_KERNEL,
	CLOCK_ON_CPU,
	TSC,
	WATCH_USER,
	WATCH,
	WATCH_KERNEL,
	WATCH_KERNEL_USER,
	TRACE_USER,
	TRACE,
	RECORD,
	RECORD_CALLS,
	PROBE_USER,
	PROBE,
	CYCLES_USER,
	CYCLES,
	INIT,
	CGROUP,
	MANY,
	N_EVENTS,
};

struct events {
	struct pmuq_source *source;
	struct pmuq_encodings *encodings[N_EVENTS];
	struct pmuq_open_options options[N_EVENTS];
	struct question questions[N_EVENTS]; /* no encodings: left out */
	const char *why[N_EVENTS];	     /* static */
	char *file;			     /* that a probe can be set in; nobody runs it */
};

const char *events_name(unsigned event);
/* To be called with privileges, if there are any: some is for root alone to see. */
void events_encode(struct events *ret);
void events_clear(struct events *events);

#endif
