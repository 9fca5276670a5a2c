/* SPDX-License-Identifier: MIT */
/*
 * What readers of features share: a cursor on the content, and the values that they find. A value
 * that is told after the cursor failed is dropped, so that readers need not look after each.
 */
#ifndef PQ_PERFDATA_FEATURE_H
#define PQ_PERFDATA_FEATURE_H

#include "perfdata/recording.h"

struct pq_feature_reader {
	struct pmuq_recording *recording;
	struct pq_cursor *cursor;
	struct {
		PQ_VEC(struct pmuq_pair);
	} values;
};

/* Copies; .p NULL past the cap, and the cursor has failed then. */
struct pmuq_str pq_value_copy(struct pq_feature_reader *in, struct pmuq_str text);
void pq_value(struct pq_feature_reader *in, struct pmuq_str name, struct pmuq_str text);
void pq_value_print(struct pq_feature_reader *in, const char *name, const char *format, ...)
	PQ_PRINTF(3, 4);
void pq_value_print_of(struct pq_feature_reader *in, struct pmuq_str name, const char *format, ...)
	PQ_PRINTF(3, 4);
/* The arena is full: the cursor fails. */
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

#endif
