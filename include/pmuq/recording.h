/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Recordings: what a perf.data file says of its events and of the machine that it was made on.
 * The samples are passed over. Immutable once open; any number of threads may look at one.
 */
#ifndef PMUQ_RECORDING_H
#define PMUQ_RECORDING_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Read a perf.data file, of `perf record` or `perf stat record`: of either form (a file, or the
 * stream that `-o -` writes), of either byte order, with attrs of any size, compressed or not. A
 * directory is one that perf made (--threads): its file `data` is read.
 *
 * What could be read is kept where the rest is cut off or contradicts itself: see
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
 * The same from a file that is open, from where it stands: a regular file is read where needed, all
 * else is read to its end.
 *
 * @param fd    stays open; where it stands afterwards is not said
 * @param name  what errors call it, "<stdin>"; not kept
 */
int pmuq_recording_open_fd(int fd, const char *name, struct pmuq_recording **ret,
			   struct pmuq_error **reterr);
void pmuq_recording_free(struct pmuq_recording *recording);

/** How many bytes at the start of a file pmuq_recording_is() wants to see. */
#define PMUQ_RECORDING_MAGIC_BYTES 8
/** Whether a file that begins like this is a perf.data file, in either byte order, of any age. */
bool pmuq_recording_is(const void *bytes, size_t n);

/** Whether it is the stream that `perf record -o -` writes. */
bool pmuq_recording_is_stream(const struct pmuq_recording *recording);
/** Whether the machine that it was made on is big-endian. */
bool pmuq_recording_is_big_endian(const struct pmuq_recording *recording);
/** How many bytes of the file were read. */
uint64_t pmuq_recording_bytes_read(const struct pmuq_recording *recording);

/** What was cut off, or contradicts itself: there may be less of everything below, then. */
size_t pmuq_recording_problem_count(const struct pmuq_recording *recording);
/** An error as from pmuq_recording_open(), owned by the recording; NULL beyond the last. */
const struct pmuq_error *pmuq_recording_problem(const struct pmuq_recording *recording,
						size_t index);

/** The events, in perf's order. */
size_t pmuq_recording_event_count(const struct pmuq_recording *recording);
/** In this machine's byte order; its size is that of the part that pmuq knows. */
const struct pmuq_attr *pmuq_recording_event_attr(const struct pmuq_recording *recording,
						  size_t event);
/** How long the file says that the attr is, in bytes. */
uint32_t pmuq_recording_event_attr_size(const struct pmuq_recording *recording, size_t event);
/** Whether something is set in it behind what pmuq knows: the event has more to it. */
bool pmuq_recording_event_has_unknown_tail(const struct pmuq_recording *recording, size_t event);
/** The name that perf gave it; NULL when the file does not tell. */
const char *pmuq_recording_event_name(const struct pmuq_recording *recording, size_t event);
/** As perf tells them; "" and "1" where it does not. */
const char *pmuq_recording_event_unit(const struct pmuq_recording *recording, size_t event);
const char *pmuq_recording_event_scale(const struct pmuq_recording *recording, size_t event);
/** The numbers that samples carry, one for each CPU or task that it was opened on. */
size_t pmuq_recording_event_id_count(const struct pmuq_recording *recording, size_t event);
uint64_t pmuq_recording_event_id(const struct pmuq_recording *recording, size_t event,
				 size_t index);
/** The leader of its group and how many these are; itself and 1 where it is in none. */
size_t pmuq_recording_event_leader(const struct pmuq_recording *recording, size_t event);
size_t pmuq_recording_event_group_size(const struct pmuq_recording *recording, size_t event);
/** The name that the group was given; NULL when it has none. */
const char *pmuq_recording_event_group_name(const struct pmuq_recording *recording, size_t event);

/** The features that the file has, in its order: what it says of machine and recording. */
size_t pmuq_recording_feature_count(const struct pmuq_recording *recording);
/** The number of its bit (3: HOSTNAME), and its name; NULL for one that pmuq does not know. */
unsigned pmuq_recording_feature_number(const struct pmuq_recording *recording, size_t feature);
const char *pmuq_recording_feature_name(const struct pmuq_recording *recording, size_t feature);
/** How long it is, in bytes. */
uint64_t pmuq_recording_feature_bytes(const struct pmuq_recording *recording, size_t feature);
/** Whether its content was read: some hold nothing that pmuq could say. */
bool pmuq_recording_feature_is_read(const struct pmuq_recording *recording, size_t feature);
/** What it says: texts, each behind a name ("cpu" "4" of PMU_MAPPINGS), "" where it has none. */
size_t pmuq_recording_value_count(const struct pmuq_recording *recording, size_t feature);
const char *pmuq_recording_value_name(const struct pmuq_recording *recording, size_t feature,
				      size_t value);
const char *pmuq_recording_value_text(const struct pmuq_recording *recording, size_t feature,
				      size_t value);

/**
 * The machine as far as the recording tells: facts, PMUs with their types and caps, the tracepoints
 * that it recorded; no formats and no events, which it never tells. The fact `incomplete` says
 * "perf.data".
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
