/* SPDX-License-Identifier: MIT */
/*
 * What the readers of features share: a cursor on the content, and the values that they find.
 * Values that are added after an error of the cursor are dropped, so that readers need not check
 * each read. Values are copied into the recording's arena; one without a name has the name "".
 *
 * Features come in the order of their numbers. So the readers of CPU_TOPOLOGY may use the number
 * of CPUs that the reader of NRCPUS has found.
 */
#pragma once

#include "perfdata/recording.h"

struct pq_feature_reader {
	struct pmuq_recording *recording;
	struct pq_file_cursor *cursor;
	PQ_VEC(struct pmuq_pair) values;
};

/* Readers then stop their loops. */
static inline bool pq_feature_failed(const struct pq_feature_reader *in)
{
	return in->cursor->input->r < 0;
}

/* Copies a text into the arena. If it is full, .p is NULL and the cursor has an error. */
struct pmuq_str pq_value_copy(struct pq_feature_reader *in, struct pmuq_str text);
void pq_value(struct pq_feature_reader *in, struct pmuq_str name, struct pmuq_str text);
void pq_value_print(struct pq_feature_reader *in, struct pmuq_str name, const char *format, ...)
	PQ_PRINTF(3, 4);
/* True for version 1. Of an unknown version the number is the only value. */
bool pq_value_is_version_1(struct pq_feature_reader *in, uint64_t version);
/* Sets the cursor's error: the arena is full. */
void pq_value_full(struct pq_feature_reader *in);

/* feature_machine.c */
void pq_read_cpu_topology(struct pq_feature_reader *in);
void pq_read_numa(struct pq_feature_reader *in);
void pq_read_caches(struct pq_feature_reader *in);
void pq_read_memory(struct pq_feature_reader *in);
/* feature_pmus.c */
void pq_read_pmus(struct pq_feature_reader *in);
void pq_read_cpu_caps(struct pq_feature_reader *in);
void pq_read_pmu_caps(struct pq_feature_reader *in);
void pq_read_hybrid(struct pq_feature_reader *in);
