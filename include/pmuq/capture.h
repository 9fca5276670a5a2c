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

/** How to take a capture. Zeroed except for its size: the defaults. */
struct pmuq_capture_options {
	size_t size;	      /**< sizeof(struct pmuq_capture_options) */
	int64_t time_s;	      /**< the time to write, in seconds since 1970; 0: none */
	const char *hostname; /**< the hostname to write; NULL: see keeps_hostname */
	bool keeps_hostname;  /**< write the machine's own hostname; otherwise none */
};

/**
 * Read all files of a machine that pmuq uses, into memory, and redact them: a hash replaces the
 * machine-id, the hostname is removed unless the options name it, and of files with other content
 * (such as /proc/cpuinfo) only the lines that pmuq needs are kept. Files that cannot be read are
 * recorded as unreadable. This call writes nothing.
 *
 * @param source   this machine or a captured one; it is not changed
 * @param options  NULL for the defaults
 * @param ret      free with pmuq_capture_free(); does not need the source
 * @return 0, -PMUQ_E_BAD_CALL (the source has no files, for example a snapshot), -PMUQ_E_NO_ROOT,
 *         -PMUQ_E_STALE_SOURCE, -PMUQ_E_TOO_MANY_FILES, -PMUQ_E_MEMORY
 */
int pmuq_capture_take(struct pmuq_source *source, const struct pmuq_capture_options *options,
		      struct pmuq_capture **ret, struct pmuq_error **reterr);
void pmuq_capture_free(struct pmuq_capture *capture);

/**
 * Write the capture. If the path ends in .tar, .tar.gz, .tgz, .tar.xz, .txz, .tar.zst or .tzst, it
 * is a new tar, compressed accordingly; otherwise it is a directory, new or empty. The path appears
 * only when the capture is complete; after a failure nothing is left.
 *
 * @return 0, -PMUQ_E_CAPTURE_EXISTS, -PMUQ_E_CAPTURE_FAILED, -PMUQ_E_UNKNOWN_PACKING,
 *         -PMUQ_E_NO_LIBRARY (a tar without libarchive), -PMUQ_E_MEMORY
 */
int pmuq_capture_write(const struct pmuq_capture *capture, const char *path,
		       struct pmuq_error **reterr);

/** The content of a capture. */
struct pmuq_captured {
	size_t size;
	const struct pmuq_catalog *catalog; /**< the machine, not redacted */
	size_t n_tracepoints;
	size_t n_files;
	size_t n_unread;
	/** Removed or changed content: its path, and what was done. */
	const struct pmuq_pair *redactions;
	size_t n_redactions;
};
const struct pmuq_captured *pmuq_capture_content(const struct pmuq_capture *capture);

/** A file of a capture. */
struct pmuq_captured_file {
	size_t size;
	struct pmuq_str path; /**< in the tree */
	size_t n_bytes;
};
/** The files, in the order of their paths. */
const struct pmuq_captured_file *pmuq_capture_file(const struct pmuq_capture *capture,
						   size_t index);
/** A file that could not be read. It is not in the captured tree; reading it there fails with the
 *  same errno. */
const struct pmuq_problem *pmuq_capture_unread(const struct pmuq_capture *capture, size_t index);

/**
 * The libarchive that reads and writes tars: "libarchive: 3.6.2". The call loads it.
 *
 * @return text to be freed with free(), NULL when out of memory
 */
char *pmuq_capture_library_info(void);

#ifdef __cplusplus
}
#endif
#endif
