/* SPDX-License-Identifier: MIT */
/*
 * What a PMU shares with its sibling instances: the files of its directories format/, events/ and
 * caps/. One file, or all of a directory into a draft, whose name must be set. Texts are in the
 * reader's arena. The kernel describes the files in Documentation/ABI/testing/
 * sysfs-bus-event_source-devices-format, -events and -caps.
 */
#pragma once

#include "discover/read/file_reader.h"

/* The companions that an event has, as bits. */
enum {
	PQ_HAS_UNIT = 1 << 0,
	PQ_HAS_SCALE = 1 << 1,
	PQ_HAS_PER_PKG = 1 << 2,
	PQ_HAS_SNAPSHOT = 1 << 3,
	PQ_HAS_ANY = 15, /* not listed: try each of them */
};

/* False if there is no such file, or if a cap cannot be read: *ret is then unchanged. An unreadable
 * format or event has an empty text. `dir` is the directory format, events or caps. */
bool pq_format_read(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
		    struct pmuq_format *ret);
bool pq_event_read(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
		   unsigned companions, struct pmuq_event *ret);
bool pq_cap_read(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
		 struct pmuq_pair *ret);

/* `at` is the PMU's own directory. */
void pq_formats_read(struct pq_reader *reader, struct pq_handle at, struct pq_pmu_draft *draft);
void pq_events_read(struct pq_reader *reader, struct pq_handle at, struct pq_pmu_draft *draft);
void pq_caps_read(struct pq_reader *reader, struct pq_handle at, struct pq_pmu_draft *draft);
