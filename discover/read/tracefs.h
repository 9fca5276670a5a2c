/* SPDX-License-Identifier: MIT */
/*
 * Tracepoints, one or all. The id in SUBSYSTEM/NAME/id is the config of an event of type
 * PERF_TYPE_TRACEPOINT: perf_event_open(2). Only root may read it by default.
 */
#pragma once

#include "discover/read/file_reader.h"

/* The directory of the tracepoints; PQ_NO_HANDLE if there is none, or none that can be read. */
struct pq_handle pq_tracefs_open(struct pq_reader *reader);
/* The id of a tracepoint, 0 or PQ_NONE; PQ_NONE for names that cannot be a file's. */
int pq_tracefs_read_id(struct pq_reader *reader, struct pq_handle at, struct pmuq_str subsystem,
		       struct pmuq_str name, uint64_t *ret);
/* The subsystems, or with a subsystem its tracepoints; sorted. */
struct pq_entries pq_tracefs_list(struct pq_reader *reader, struct pq_handle at,
				  struct pmuq_str subsystem);
/* Adds all to the reader's builder; or only their number, if that is enough and the kernel has it.
 */
int pq_tracefs_walk(struct pq_reader *reader, enum pq_part part, struct pmuq_error **reterr);
