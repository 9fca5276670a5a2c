/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Recordings: the events of a perf.data file, and what it contains about the machine that it was
 * made on. pmuq skips the samples. A recording never changes: any number of threads may read it.
 */
#ifndef PMUQ_RECORDING_H
#define PMUQ_RECORDING_H

#include <pmuq/attr.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Read a perf.data file of `perf record` or `perf stat record`: a file, or a stream as `-o -`
 * writes it, of either byte order, with attrs of any size, compressed or not. In a directory (made
 * by `perf record --threads`) the file `data` is read.
 *
 * If the end of the file is missing or contradicts the beginning, the call keeps what it could
 * read: see pmuq_recording_problem().
 *
 * @param path  a regular file, a pipe, or anything else that can be read from the start
 * @param ret   free with pmuq_recording_free(); the file is closed again
 * @return 0, -PMUQ_E_RECORDING_UNREADABLE, -PMUQ_E_NOT_RECORDING, -PMUQ_E_OLD_RECORDING,
 *         -PMUQ_E_CUT_RECORDING, -PMUQ_E_BAD_RECORDING, -PMUQ_E_LARGE_RECORDING,
 *         -PMUQ_E_RECORDING_ORDER, -PMUQ_E_MEMORY; messages contain the offset in the file
 */
int pmuq_recording_open(const char *path, struct pmuq_recording **ret, struct pmuq_error **reterr);

/**
 * The same for an open file, from its current offset. Anything but a regular file is read to its
 * end.
 *
 * @param fd    stays open; its offset is undefined afterwards
 * @param name  its name in errors ("<stdin>"); not kept
 */
int pmuq_recording_open_fd(int fd, const char *name, struct pmuq_recording **ret,
			   struct pmuq_error **reterr);
void pmuq_recording_free(struct pmuq_recording *recording);

/** The number of bytes from the start of a file that pmuq_recording_is() needs. */
#define PMUQ_RECORDING_MAGIC_BYTES 8
/** Whether a file that begins with these bytes is a perf.data file, of any version and byte order.
 */
bool pmuq_recording_is(const void *bytes, size_t n);

/** The content of a recording. */
struct pmuq_recorded {
	size_t size;
	uint64_t bytes_read; /**< of the file */
	size_t n_events;
	size_t n_features;
	size_t n_problems;
	bool is_stream;	    /**< it is a stream, as `perf record -o -` writes it */
	bool is_big_endian; /**< it was made on a big-endian machine */
};
const struct pmuq_recorded *pmuq_recording_content(const struct pmuq_recording *recording);
/** What is missing or contradictory in the file: lists below may be incomplete. The errors are
 * those of pmuq_recording_open(). */
const struct pmuq_error *pmuq_recording_problem(const struct pmuq_recording *recording,
						size_t index);

/** An event that was recorded. */
struct pmuq_recorded_event {
	size_t size;
	/** In this machine's byte order; its size covers the part that pmuq knows. */
	const struct pmuq_attr *attr;
	struct pmuq_str name; /**< perf's name of the event, or none if it is not in the file */
	struct pmuq_str unit; /**< perf's unit, or "" */
	struct pmuq_str scale;	    /**< perf's scale, or "1" */
	struct pmuq_str group_name; /**< or none */
	/** The ids in samples: one for each CPU or task that it was opened on. */
	const uint64_t *ids;
	size_t n_ids;
	size_t leader;	    /**< the index of the group's leader; its own index without a group */
	size_t n_members;   /**< of the group; 1 without a group */
	uint32_t attr_size; /**< the size of the attr in the file, in bytes */
	/** A bit after the part that pmuq knows is set: `attr` is not the whole event. */
	bool has_unknown_tail;
};
/** The events, in perf's order. */
const struct pmuq_recorded_event *pmuq_recording_event(const struct pmuq_recording *recording,
						       size_t index);

/** A feature of the file: facts about the machine or the recording. */
struct pmuq_feature {
	size_t size;
	struct pmuq_str name; /**< its name, or none if pmuq does not know the number */
	uint64_t bytes;	      /**< its length */
	/** Texts with their names ("cpu" "4" of PMU_MAPPINGS); the name may be "". */
	const struct pmuq_pair *values;
	size_t n_values;
	unsigned number; /**< the number of its bit (3: HOSTNAME) */
	bool is_read;	 /**< pmuq read its content; it ignores that of some features */
};
/** The features, in the file's order. */
const struct pmuq_feature *pmuq_recording_feature(const struct pmuq_recording *recording,
						  size_t index);

/**
 * The machine as far as the recording describes it: facts, PMUs with their types and caps, and the
 * tracepoints that it recorded. perf.data never contains formats and events. The fact `incomplete`
 * is "perf.data".
 *
 * @param ret  free with pmuq_catalog_free(); it does not need the recording afterwards
 * @return 0, -PMUQ_E_MEMORY
 */
int pmuq_recording_catalog(const struct pmuq_recording *recording, struct pmuq_catalog **ret,
			   struct pmuq_error **reterr);

#ifdef __cplusplus
}
#endif
#endif
