/* SPDX-License-Identifier: MIT */
/*
 * A recording while it is read: events, features and problems. Texts and arrays live in its arena,
 * whose cap bounds the memory that hostile input can take.
 */
#ifndef PQ_PERFDATA_RECORDING_H
#define PQ_PERFDATA_RECORDING_H

#include "core/catalog/model.h"
#include "core/vec.h"
#include "perfdata/cursor.h"
#include <pmuq/recording.h>

enum {
	PQ_FEATURE_TRACING_DATA = 1,
	PQ_FEATURE_BUILD_ID = 2,
	PQ_FEATURE_HOSTNAME = 3,
	PQ_FEATURE_OSRELEASE = 4,
	PQ_FEATURE_VERSION = 5,
	PQ_FEATURE_ARCH = 6,
	PQ_FEATURE_NRCPUS = 7,
	PQ_FEATURE_CPUDESC = 8,
	PQ_FEATURE_CPUID = 9,
	PQ_FEATURE_TOTAL_MEM = 10,
	PQ_FEATURE_CMDLINE = 11,
	PQ_FEATURE_EVENT_DESC = 12,
	PQ_FEATURE_CPU_TOPOLOGY = 13,
	PQ_FEATURE_NUMA_TOPOLOGY = 14,
	PQ_FEATURE_BRANCH_STACK = 15,
	PQ_FEATURE_PMU_MAPPINGS = 16,
	PQ_FEATURE_GROUP_DESC = 17,
	PQ_FEATURE_AUXTRACE = 18,
	PQ_FEATURE_STAT = 19,
	PQ_FEATURE_CACHE = 20,
	PQ_FEATURE_SAMPLE_TIME = 21,
	PQ_FEATURE_MEM_TOPOLOGY = 22,
	PQ_FEATURE_CLOCKID = 23,
	PQ_FEATURE_DIR_FORMAT = 24,
	PQ_FEATURE_BPF_PROG_INFO = 25,
	PQ_FEATURE_BPF_BTF = 26,
	PQ_FEATURE_COMPRESSED = 27,
	PQ_FEATURE_CPU_PMU_CAPS = 28,
	PQ_FEATURE_CLOCK_DATA = 29,
	PQ_FEATURE_HYBRID_TOPOLOGY = 30,
	PQ_FEATURE_PMU_CAPS = 31,
	PQ_FEATURE_CPU_DOMAIN_INFO = 32,
	PQ_FEATURE_E_MACHINE = 33,
	PQ_FEATURE_CLN_SIZE = 34,
	PQ_FEATURES_MAX = 256, /* bits in a file's header */
};

struct pq_recorded_event {
	struct pmuq_recorded_event record; /* first: callers see this */
	struct pmuq_attr attr;		   /* the record points to it when all is read */
};

/* Arrays in the arena of the recording. */
struct pq_recorded_events {
	PQ_VEC(struct pq_recorded_event);
};

/* A group of GROUP_DESC, which names events by number: used when all events are known. */
struct pq_group_desc {
	struct pmuq_str name;
	uint32_t leader, n_members;
	uint64_t offset;
};

/* What a stream has about an event besides its attr. */
enum {
	PQ_UPDATE_UNIT = 0,
	PQ_UPDATE_SCALE = 1,
	PQ_UPDATE_NAME = 2,
};

struct pq_event_update {
	uint64_t id, type;
	struct pmuq_str text;
};

struct pmuq_recording {
	struct pmuq_recorded content; /* its counts are set when all is read */
	struct pq_arena arena;
	bool is_other_order;
	struct pq_recorded_events events;
	struct {
		PQ_VEC(struct pmuq_feature);
	} features;
	struct {
		PQ_VEC(struct pmuq_error *);
	} problems; /* at most PQ_PROBLEMS_MAX */
	/* Read before all events are known, for pq_recording_finalize(). */
	struct pq_recorded_events described; /* by EVENT_DESC */
	struct {
		PQ_VEC(struct pq_group_desc);
	} groups;
	struct {
		PQ_VEC(struct pq_event_update);
	} updates;
	uint32_t n_cpus_available;
};

/* As many as one event string may have. */
#define PQ_EVENTS_MAX 65536
/* The first problem often causes the others. */
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
int pq_recording_full(const struct pmuq_recording *recording, const struct pq_input *input,
		      uint64_t offset, struct pmuq_error **reterr);
/* Takes ownership of an error, which becomes a problem, and returns 0. Out of memory is not a
 * problem of the file: it is returned as the failure. */
int pq_recording_note(struct pmuq_recording *recording, int r, struct pmuq_error *error,
		      struct pmuq_error **reterr);

/* recording_file.c, recording_stream.c: read what follows the magic. They fail if the header or the
 * attrs of a file cannot be read; all other errors are problems. */
int pq_file_read(struct pmuq_recording *recording, struct pq_input *input,
		 struct pmuq_error **reterr);
int pq_stream_read(struct pmuq_recording *recording, struct pq_input *input,
		   struct pmuq_error **reterr);

/* recording_event.c: appends a zeroed event; NULL, and the failure in *ret_r, if there are too
 * many. */
struct pq_recorded_event *pq_event_add(struct pmuq_recording *recording,
				       struct pq_recorded_events *events,
				       const struct pq_input *input, uint64_t offset, int *ret_r,
				       struct pmuq_error **reterr);
/*
 * Reads an attr of any version from n bytes. False if its size field, which *ret_size then has, is
 * impossible or larger than n.
 */
bool pq_recorded_attr(const struct pmuq_recording *recording, const unsigned char *bytes, size_t n,
		      struct pq_recorded_event *ret, uint32_t *ret_size);
/* Gives the events their names, groups and units, when all is read. */
int pq_recording_finalize(struct pmuq_recording *recording, const struct pq_input *input,
			  struct pmuq_error **reterr);

/* recording_access.c: sets the pointers and counts of the records, when all is read. */
void pq_recording_complete(struct pmuq_recording *recording);

/* feature.c. After an error of the cursor, which the caller reports, the values before it stay. */
const char *pq_feature_name(unsigned number);
bool pq_feature_is_readable(unsigned number);
/* Appends a feature of that many bytes, which need not be read; NULL if the arena is full. */
struct pmuq_feature *pq_feature_add(struct pmuq_recording *recording, unsigned number,
				    uint64_t bytes);
void pq_feature_read(struct pmuq_recording *recording, struct pmuq_feature *feature,
		     struct pq_file_cursor *cursor);

#endif
