/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Recordings: what a perf.data file holds about its events and the machine that it was made on.
 * Samples are skipped. Immutable once open; any number of threads may use one.
 */
#ifndef PMUQ_RECORDING_H
#define PMUQ_RECORDING_H

#include <pmuq/attr.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Read a perf.data file, of `perf record` or `perf stat record`: of either form (a file, or the
 * stream that `-o -` writes), of either byte order, with attrs of any size, compressed or not. A
 * directory is one that perf made (--threads): its file `data` is read.
 *
 * If the rest is cut off or contradicts itself, what could be read is kept: see
 * pmuq_recording_problem().
 *
 * @param path  a regular file, or anything that can be read from the start
 * @param ret   free with pmuq_recording_free(); the file is closed again
 * @return 0, -PMUQ_E_RECORDING_UNREADABLE, -PMUQ_E_NOT_RECORDING, -PMUQ_E_OLD_RECORDING,
 *         -PMUQ_E_CUT_RECORDING, -PMUQ_E_BAD_RECORDING, -PMUQ_E_LARGE_RECORDING,
 *         -PMUQ_E_RECORDING_ORDER, -PMUQ_E_MEMORY; messages hold the byte's offset
 */
int pmuq_recording_open(const char *path, struct pmuq_recording **ret, struct pmuq_error **reterr);

/**
 * The same from an open file, from its current offset: a regular file is read where needed, all
 * else is read to its end.
 *
 * @param fd    stays open; its offset afterwards is undefined
 * @param name  its name in errors, "<stdin>"; not kept
 */
int pmuq_recording_open_fd(int fd, const char *name, struct pmuq_recording **ret,
			   struct pmuq_error **reterr);
void pmuq_recording_free(struct pmuq_recording *recording);

/** How many bytes at the start of a file pmuq_recording_is() needs. */
#define PMUQ_RECORDING_MAGIC_BYTES 8
/** Whether a file that begins like this is a perf.data file, in either byte order, of any age. */
bool pmuq_recording_is(const void *bytes, size_t n);

/** What a recording has. */
struct pmuq_recorded {
	size_t size;
	uint64_t bytes_read; /**< of the file */
	size_t n_events;
	size_t n_features;
	size_t n_problems;
	bool is_stream;	    /**< it is the stream that `perf record -o -` writes */
	bool is_big_endian; /**< the machine that it was made on is big-endian */
};
const struct pmuq_recorded *pmuq_recording_content(const struct pmuq_recording *recording);
/** What was cut off, or contradicts itself: there may be less of everything below, then. Errors as
 *  from pmuq_recording_open(). */
const struct pmuq_error *pmuq_recording_problem(const struct pmuq_recording *recording,
						size_t index);

/** An event that was recorded. */
struct pmuq_recorded_event {
	size_t size;
	/** In this machine's byte order; its size is that of the part that pmuq knows. */
	const struct pmuq_attr *attr;
	struct pmuq_str name;  /**< the name that perf gave it; none if it is not in the file */
	struct pmuq_str unit;  /**< as perf has it, or "" */
	struct pmuq_str scale; /**< as perf has it, or "1" */
	struct pmuq_str group_name; /**< or none */
	/** The numbers that samples carry, one for each CPU or task that it was opened on. */
	const uint64_t *ids;
	size_t n_ids;
	size_t leader;	    /**< the index of the leader of its group; itself if it is in none */
	size_t n_members;   /**< of the group; 1 if it is in none */
	uint32_t attr_size; /**< how long the file says that the attr is, in bytes */
	/** Something is set in the attr after the part that pmuq knows: the event has more to it.
	 */
	bool has_unknown_tail;
};
/** The events, in perf's order. */
const struct pmuq_recorded_event *pmuq_recording_event(const struct pmuq_recording *recording,
						       size_t index);

/** A feature of the file: what it holds about machine and recording. */
struct pmuq_feature {
	size_t size;
	struct pmuq_str name; /**< none if pmuq does not know the number */
	uint64_t bytes;	      /**< how long it is */
	/** Texts, each with a name ("cpu" "4" of PMU_MAPPINGS), "" if it has none. */
	const struct pmuq_pair *values;
	size_t n_values;
	unsigned number; /**< of its bit (3: HOSTNAME) */
	bool is_read;	 /**< its content was read: some hold nothing that pmuq could show */
};
/** The features, in the file's order. */
const struct pmuq_feature *pmuq_recording_feature(const struct pmuq_recording *recording,
						  size_t index);

/**
 * The machine as far as the recording has it: facts, PMUs with their types and caps, the
 * tracepoints that it recorded; no formats and no events, which perf.data never has. The fact
 * `incomplete` is "perf.data".
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
