/* SPDX-License-Identifier: MIT */
/*
 * The folders with metrics of one CPU: its own, that of all CPUs ("common", which has no mapfile),
 * and those of the systems of its architecture.
 */
#pragma once

#include "core/vendor/metric_table.h"
#include "db/db.h"

struct pq_metric_folder {
	int64_t vendor_set;
	enum pq_metric_table table;
	struct pmuq_str folder;	 /* "ARCH/FOLDER" */
	struct pmuq_str import;	 /* the name of its import */
	struct pmuq_str version; /* of the table of the CPU; of others "" */
};

struct pq_metric_folders {
	const struct pq_metric_folder *v; /* the CPU's first, then that of all CPUs */
	size_t n;
};

/* Fails if no import has the CPU, nor a folder for all. The texts live in the arena. */
void pq_metric_find_folders(struct pmuq_store *store, struct pmuq_str cpuid, struct pq_arena *arena,
			    struct pq_metric_folders *ret);
