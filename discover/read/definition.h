/* SPDX-License-Identifier: MIT */
/*
 * What a PMU shares with its sibling instances: the files of its directories format/, events/ and
 * caps/. One file, or all of a directory into a draft, whose name must be set. Texts are in the
 * reader's arena. The kernel describes the files in Documentation/ABI/testing/
 * sysfs-bus-event_source-devices-format, -events and -caps.
 */
#pragma once

#include "discover/read/file_reader.h"

/* False if there is no such file, or if a cap cannot be read: *ret is then unchanged. An unreadable
 * format or event has an empty text. `dir` is the directory format, events or caps; `companions`
 * are bits of enum pq_companion. */
bool pq_format_read(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
		    struct pmuq_format *ret);
bool pq_event_read(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
		   unsigned companions, struct pmuq_event *ret);
bool pq_cap_read(struct pq_reader *reader, const struct pq_dir *dir, struct pmuq_str name,
		 struct pmuq_pair *ret);

/* All of a directory that pq_dir_list() has listed. */
void pq_formats_read(struct pq_reader *reader, const struct pq_dir *dir, struct pq_entries entries,
		     struct pq_pmu_draft *draft);
void pq_events_read(struct pq_reader *reader, const struct pq_dir *dir, struct pq_entries entries,
		    struct pq_pmu_draft *draft);
void pq_caps_read(struct pq_reader *reader, const struct pq_dir *dir, struct pq_entries entries,
		  struct pq_pmu_draft *draft);
