/* SPDX-License-Identifier: MIT */
/* Where a sample, or the id at the end of another record, has its fields: the order is that of
 * perf_event_open(2), "PERF_RECORD_SAMPLE" and "sample_id_all". */
#pragma once

#include "open/samples/ring.h"
#include <pmuq/samples.h>

/* What of an attr decides about the fields of its records. */
struct pq_sample_layout {
	uint64_t types; /* sample_type */
	uint64_t read_format, branches, user_registers, intr_registers;
	bool has_id_all;
	/* Samples begin with the time and the id, and all other records end with them: their words,
	 * from 1; 0: none. */
	uint8_t time_at, id_at, time_from_end, id_from_end;
};

struct pq_sample_layout pq_sample_layout_of(const struct pmuq_attr *attr, uint64_t read_format);

/* 0: the record has none, or is too short. */
struct pq_record_id {
	uint64_t id, time_ns;
};

/* The id and the time of a record that an event with this layout wrote. */
struct pq_record_id pq_record_identify(const struct pq_record_header *record,
				       const struct pq_sample_layout *layout);
/* All fields of a sample. False: they go beyond it. */
bool pq_sample_parse(const struct pq_record_header *record, const struct pq_sample_layout *layout,
		     struct pmuq_sample *ret);
