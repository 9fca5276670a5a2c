/* SPDX-License-Identifier: MIT */
/*
 * A recording while it is read: events, features and problems. Texts and arrays live in its arena,
 * whose cap bounds the memory that hostile input can take.
 */
#pragma once

#include "core/catalog/model.h"
#include "core/limits.h"
#include "core/vec.h"
#include "perfdata/cursor.h"
#include <pmuq/recording.h>

/* THE list of features: the name, the number in the file, and the reader in feature.c,
 * feature_machine.c or feature_pmus.c. One without a reader has no content, or none that pmuq uses.
 * The numbers are those of HEADER_... in perf's tools/perf/util/header.h; number 0 is not used.
 */
// clang-format off
#define PQ_FEATURES(X) \
	X(TRACING_DATA, 1, NULL) \
	X(BUILD_ID, 2, NULL) \
	X(HOSTNAME, 3, read_text) \
	X(OSRELEASE, 4, read_text) \
	X(VERSION, 5, read_text) \
	X(ARCH, 6, read_text) \
	X(NRCPUS, 7, read_cpus) \
	X(CPUDESC, 8, read_text) \
	X(CPUID, 9, read_text) \
	X(TOTAL_MEM, 10, read_total_mem) \
	X(CMDLINE, 11, read_command) \
	X(EVENT_DESC, 12, read_events) \
	X(CPU_TOPOLOGY, 13, pq_read_cpu_topology) \
	X(NUMA_TOPOLOGY, 14, pq_read_numa) \
	X(BRANCH_STACK, 15, NULL) \
	X(PMU_MAPPINGS, 16, pq_read_pmus) \
	X(GROUP_DESC, 17, read_groups) \
	X(AUXTRACE, 18, NULL) \
	X(STAT, 19, NULL) \
	X(CACHE, 20, pq_read_caches) \
	X(SAMPLE_TIME, 21, read_sample_time) \
	X(MEM_TOPOLOGY, 22, pq_read_memory) \
	X(CLOCKID, 23, read_clockid) \
	X(DIR_FORMAT, 24, read_version) \
	X(BPF_PROG_INFO, 25, NULL) \
	X(BPF_BTF, 26, NULL) \
	X(COMPRESSED, 27, read_compressed) \
	X(CPU_PMU_CAPS, 28, pq_read_cpu_caps) \
	X(CLOCK_DATA, 29, read_clock_data) \
	X(HYBRID_TOPOLOGY, 30, pq_read_hybrid) \
	X(PMU_CAPS, 31, pq_read_pmu_caps) \
	X(CPU_DOMAIN_INFO, 32, NULL) \
	X(E_MACHINE, 33, read_e_machine) \
	X(CLN_SIZE, 34, read_cache_line)
// clang-format on

enum {
#define X(name, number, read) PQ_FEATURE_##name = (number),
	PQ_FEATURES(X)
#undef X
		PQ_FEATURES_MAX = 256, /* bits in a file's header */
};

struct pq_recorded_event {
	struct pmuq_recorded_event record; /* first: callers see this */
	struct pmuq_attr attr; /* in this machine's order; the record points to it at the end */
};

/* Arrays in the arena of the recording. Adding an event moves the others: until all is read, a
 * pointer to one is valid until the next is added. */
struct pq_recorded_events {
	PQ_VEC(struct pq_recorded_event);
};

/* A group of GROUP_DESC, which names events by number: used when all events are known. */
struct pq_group_desc {
	struct pmuq_str name;
	uint32_t leader, n_members;
	uint64_t offset;
};

/* Data of a stream about an event in addition to its attr: PERF_EVENT_UPDATE__... of perf's
 * tools/lib/perf/include/perf/event.h. */
enum {
	PQ_UPDATE_UNIT = 0,
	PQ_UPDATE_SCALE = 1,
	PQ_UPDATE_NAME = 2,
};

struct pq_event_update {
	uint64_t id, type; /* the id is one of those of its event */
	struct pmuq_str text;
};

struct pmuq_recording {
	struct pmuq_recorded content; /* its counts are set when all is read */
	struct pq_arena arena;
	struct pq_input *input; /* while it is read */
	struct pq_recorded_events events;
	PQ_VEC(struct pmuq_feature) features;
	PQ_VEC(struct pmuq_error *) problems; /* at most PQ_PROBLEMS_MAX */
	/* Read before all events are known, for pq_recording_finalize(). */
	struct pq_recorded_events described; /* by EVENT_DESC */
	PQ_VEC(struct pq_group_desc) groups;
	PQ_VEC(struct pq_event_update) updates;
	uint32_t n_cpus_available; /* of NRCPUS; 0: not read yet, or not in the file */
};

/* Further ones are dropped: the first problem often causes the others. */
#define PQ_PROBLEMS_MAX 64

static inline struct pq_recorded_event *pq_recording_event(const struct pmuq_recording *recording,
							   size_t index)
{
	return index < recording->events.n ? &recording->events.v[index] : NULL;
}

static inline struct pmuq_feature *pq_recording_feature(const struct pmuq_recording *recording,
							size_t index)
{
	return index < recording->features.n ? &recording->features.v[index] : NULL;
}

/* The first feature of that number whose values were read, or NULL. */
const struct pmuq_feature *pq_recording_find(const struct pmuq_recording *recording,
					     unsigned number);

/* After a failed allocation: -PMUQ_E_LARGE_RECORDING if the arena is full, else -PMUQ_E_MEMORY. */
void pq_recording_full(const struct pmuq_recording *recording, uint64_t offset);
/* The error of the input, if there is one, becomes a problem, and reading can continue. Out of
 * memory is not a problem of the file: it stays the error. */
void pq_recording_note(struct pmuq_recording *recording);

/* recording_file.c, recording_stream.c: read what follows the magic. An error stays in the input if
 * the header or the attrs of a file cannot be read; all other errors are problems. */
void pq_file_read(struct pmuq_recording *recording);
void pq_stream_read(struct pmuq_recording *recording);

/* recording_event.c: appends a zeroed event; NULL if there are too many, and after an error. */
struct pq_recorded_event *pq_event_add(struct pmuq_recording *recording,
				       struct pq_recorded_events *events, uint64_t offset);
/* n ids in the file's byte order, which are copied and need not be aligned. If there is no memory,
 * the input has the error and the event has no ids. */
void pq_event_set_ids(struct pmuq_recording *recording, uint64_t offset, const unsigned char *bytes,
		      size_t n, struct pq_recorded_event *event);
/*
 * Reads an attr of any version from n bytes, at least 8. Fields that the file does not have are 0;
 * for unknown fields, it stores only whether some are not 0. False if its size field, which is then
 * in *ret_size, is impossible or larger than n.
 */
bool pq_recorded_attr(const struct pmuq_recording *recording, const unsigned char *bytes, size_t n,
		      struct pq_recorded_event *ret, uint32_t *ret_size);
/* Sets the names, groups and units of the events, once, when all is read. Does nothing after an
 * error. */
void pq_recording_finalize(struct pmuq_recording *recording);

/* feature.c. After an error of the cursor, which the caller reports, the values before it stay. */
/* Static; NULL for a number that is not in the list. */
const char *pq_feature_name(unsigned number);
bool pq_feature_is_readable(unsigned number);
/* Appends a feature of that many bytes, which need not be read; NULL if the arena is full. */
struct pmuq_feature *pq_feature_add(struct pmuq_recording *recording, unsigned number,
				    uint64_t bytes);
/* Only for a readable feature. Sets its values, and is_read unless the cursor has an error. */
void pq_feature_read(struct pmuq_recording *recording, struct pmuq_feature *feature,
		     struct pq_file_cursor *cursor);
