/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Captures: the files of a machine that pmuq reads, redacted, as a directory or a tar, which
 * pmuq_source_open_tree() takes back: for a report of a bug, or to ask a server from a laptop. The
 * machine that comes back has the same catalog and gives the same answers, errors included. One
 * thread at a time.
 */
#ifndef PMUQ_CAPTURE_H
#define PMUQ_CAPTURE_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How a capture is taken. Zeroed but for its size: all defaults. */
struct pmuq_capture_options {
	size_t size;	      /**< sizeof(struct pmuq_capture_options) */
	int64_t time_s;	      /**< when it is taken, in seconds since 1970; 0: it is not told */
	const char *hostname; /**< to be named so; NULL: as keeps_hostname says */
	bool keeps_hostname;  /**< the machine's own name is kept; else it is left out */
};

/**
 * Read all that pmuq reads of a machine, and keep it in memory, redacted: no machine-id but its
 * hash, no hostname unless it is asked for, and of files that tell more (as /proc/cpuinfo) only the
 * lines that pmuq needs. What cannot be read is kept as that. Nothing is written yet.
 *
 * @param source   this machine, or a captured one; afterwards as it was
 * @param options  NULL for the defaults
 * @param ret      free with pmuq_capture_free(); does not need the source
 * @return 0, -PMUQ_E_BAD_CALL (a source that has no files, as a snapshot), -PMUQ_E_NO_ROOT,
 *         -PMUQ_E_STALE_SOURCE, -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY
 */
int pmuq_capture_take(struct pmuq_source *source, const struct pmuq_capture_options *options,
		      struct pmuq_capture **ret, struct pmuq_error **reterr);
void pmuq_capture_free(struct pmuq_capture *capture);

/**
 * Write it to a directory, which must be new or empty, or to a file, which must be new: a tar, if
 * the name ends so, packed as it says (.tar, .tar.gz, .tgz, .tar.xz, .txz, .tar.zst, .tzst). It
 * gets its name when it is whole; after a failure nothing is left behind.
 *
 * @return 0, -PMUQ_E_CAPTURE_EXISTS, -PMUQ_E_CAPTURE_FAILED, -PMUQ_E_UNKNOWN_PACKING,
 *         -PMUQ_E_NO_LIBRARY (a tar without libarchive), -PMUQ_E_MEMORY
 */
int pmuq_capture_write(const struct pmuq_capture *capture, const char *path,
		       struct pmuq_error **reterr);

/** The machine as it was read, unredacted; lives as long as the capture. */
const struct pmuq_catalog *pmuq_capture_catalog(const struct pmuq_capture *capture);
/** How many tracepoints were captured. */
size_t pmuq_capture_tracepoint_count(const struct pmuq_capture *capture);

/** The files that are written, by their paths in the tree, in order. */
size_t pmuq_capture_file_count(const struct pmuq_capture *capture);
const char *pmuq_capture_file_path(const struct pmuq_capture *capture, size_t index);
size_t pmuq_capture_file_bytes(const struct pmuq_capture *capture, size_t index);

/** What was left out or changed, and how: "etc/machine-id", "a hash in its place". */
size_t pmuq_capture_redaction_count(const struct pmuq_capture *capture);
const char *pmuq_capture_redaction_path(const struct pmuq_capture *capture, size_t index);
const char *pmuq_capture_redaction_text(const struct pmuq_capture *capture, size_t index);

/** What could not be read, and so cannot be in the captured tree, but answers there as here. */
size_t pmuq_capture_unread_count(const struct pmuq_capture *capture);
const char *pmuq_capture_unread_path(const struct pmuq_capture *capture, size_t index);
const char *pmuq_capture_unread_why(const struct pmuq_capture *capture, size_t index);
/** The errno behind it, or 0. */
int pmuq_capture_unread_errno(const struct pmuq_capture *capture, size_t index);

/**
 * Which libarchive reads and writes tars here, "libarchive: 3.6.2"; it is looked for now.
 *
 * @return text to be freed with free(), NULL when out of memory
 */
char *pmuq_capture_library_info(void);

#ifdef __cplusplus
}
#endif
#endif
