/* SPDX-License-Identifier: MIT */
/*
 * One PMU, or a file of it. perf_event_open(2) describes the files, under "perf_event related
 * configuration files". The draft's name must be set; its texts are in the reader's arena.
 */
#pragma once

#include "discover/read/file_reader.h"

/* The type; `dir` is the PMU's own. A few PMUs have a known type without the file. Returns what
 * pq_dir_read() returned for the file. */
int pq_pmu_read_type(struct pq_reader *reader, const struct pq_dir *dir,
		     struct pq_pmu_draft *draft);
/* The first line of a file of the PMU; .p is NULL if there is no such file. */
struct pmuq_str pq_pmu_read_line(struct pq_reader *reader, const struct pq_dir *dir,
				 struct pmuq_str file);
/* All of it; without `with_members` no files that have a member of their own. */
void pq_pmu_read(struct pq_reader *reader, struct pq_handle at, bool with_members,
		 struct pq_pmu_draft *draft);
