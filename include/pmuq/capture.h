/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Captures: the files of a machine that pmuq reads, redacted, as a directory or a tar, for a bug
 * report or for your laptop. pmuq_source_open_tree() opens it: that source has the same catalog and
 * gives the same results, errors included. One thread at a time.
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
	int64_t time_s;	      /**< when it is taken, in seconds since 1970; 0: left out */
	const char *hostname; /**< the hostname to write; NULL: see keeps_hostname */
	bool keeps_hostname;  /**< write the machine's own; else it is left out */
};

/**
 * Read all that pmuq reads of a machine, and keep it in memory, redacted: the hash of the
 * machine-id, no hostname unless the options name it, and of files with more in them (as
 * /proc/cpuinfo) only the lines that pmuq needs. What cannot be read is recorded as unreadable.
 * Nothing is written yet.
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
 * gets its name when it is complete; after a failure nothing of it is left.
 *
 * @return 0, -PMUQ_E_CAPTURE_EXISTS, -PMUQ_E_CAPTURE_FAILED, -PMUQ_E_UNKNOWN_PACKING,
 *         -PMUQ_E_NO_LIBRARY (a tar without libarchive), -PMUQ_E_MEMORY
 */
int pmuq_capture_write(const struct pmuq_capture *capture, const char *path,
		       struct pmuq_error **reterr);

/** What a capture has. */
struct pmuq_captured {
	size_t size;
	const struct pmuq_catalog *catalog; /**< the machine as it was read, unredacted */
	size_t n_tracepoints;
	size_t n_files;
	size_t n_unread;
	/** What was left out or changed, and how: "etc/machine-id", "a hash in its place". */
	const struct pmuq_pair *redactions;
	size_t n_redactions;
};
const struct pmuq_captured *pmuq_capture_content(const struct pmuq_capture *capture);

/** A file that is written. */
struct pmuq_captured_file {
	size_t size;
	struct pmuq_str path; /**< in the tree */
	size_t n_bytes;
};
/** The files, in the order of their paths. */
const struct pmuq_captured_file *pmuq_capture_file(const struct pmuq_capture *capture,
						   size_t index);
/** What could not be read: it is not in the captured tree, but fails there as here. */
const struct pmuq_problem *pmuq_capture_unread(const struct pmuq_capture *capture, size_t index);

/**
 * Which libarchive reads and writes tars here, "libarchive: 3.6.2"; it is loaded now.
 *
 * @return text to be freed with free(), NULL when out of memory
 */
char *pmuq_capture_library_info(void);

#ifdef __cplusplus
}
#endif
#endif
