/* SPDX-License-Identifier: MIT */
/*
 * The events that are tried in each situation: one for each rule of the kernel. An event that this
 * machine does not have is left out, with the reason.
 */
#pragma once

#include "tests/kernel/child_open.h"

enum {
	PAGES_USER,
	PAGES,
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
	struct child_open opens[N_EVENTS]; /* no encodings: left out */
	const char *why[N_EVENTS];	   /* static */
	/* Tracepoints, held open: to close the last event of one, the kernel waits for all CPUs, up
	 * to 0.1 seconds. */
	struct pmuq_opened *held[N_EVENTS];
	char *file; /* for uprobes; it never runs */
};

const char *events_name(unsigned event);
/* Call it as root if possible: only root can read tracefs. */
void events_encode(struct events *ret);
void events_clear(struct events *events);
