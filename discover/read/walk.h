/* SPDX-License-Identifier: MIT */
/* A whole machine as a catalog. `devices` is the open directory PQ_DEVICES. */
#pragma once

#include "discover/read/file_reader.h"

int pq_walk(struct pq_root *root, struct pq_handle devices, struct pmuq_catalog **ret,
	    struct pmuq_error **reterr);
/* The directory of a PMU that was listed with that file type; PQ_NONE if it is no directory. */
int pq_walk_enter(struct pq_root *root, struct pq_handle devices, struct pmuq_str name,
		  enum pq_file_type type, struct pq_handle *ret_at);
/* All names in `devices`, in the arena. A failure has its error object. */
int pq_walk_list(struct pq_root *root, struct pq_handle devices, struct pq_arena *arena,
		 struct pq_entries *ret, struct pmuq_error **reterr);
