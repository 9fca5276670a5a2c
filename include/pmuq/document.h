/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Documents: machines as text (YAML or JSON), to keep in git, to read, and to move elsewhere. A
 * document describes one host class and lists its hosts; a file may have many. A catalog loses
 * nothing in it: read again, it is the same. One thread at a time. pmuq-inventory(5) describes the
 * format.
 */
#ifndef PMUQ_DOCUMENT_H
#define PMUQ_DOCUMENT_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How a document is written. */
enum pmuq_document_form {
	PMUQ_DOCUMENT_YAML = 0,
	PMUQ_DOCUMENT_JSON = 1, /**< one document is an object, several are an array of them */
};

/**
 * Gathers machines, and writes them.
 *
 * @return 0, -PMUQ_E_MEMORY
 */
int pmuq_writer_new(struct pmuq_writer **ret, struct pmuq_error **reterr);
void pmuq_writer_free(struct pmuq_writer *writer);

/**
 * Add a machine, with the check that its catalog has. Machines that differ only in what belongs to
 * one host (hostname, machine_id, boot_id, perf_event_max_sample_rate; when they were seen and
 * checked) become one document, in the place of the first.
 *
 * @param catalog       not needed afterwards
 * @param name          the host's name in a store; NULL when it has none
 * @param first_seen_s  seconds since 1970; 0: not known
 * @return 0, -PMUQ_E_BAD_CALL (a time beyond the year 9999), -PMUQ_E_MEMORY
 */
int pmuq_writer_add(struct pmuq_writer *writer, const struct pmuq_catalog *catalog,
		    const char *name, int64_t first_seen_s, struct pmuq_error **reterr);
/** How many machines were added, and how many documents they make. */
size_t pmuq_writer_machine_count(const struct pmuq_writer *writer);
size_t pmuq_writer_document_count(const struct pmuq_writer *writer);

/**
 * All that was added, as text: the same bytes for the same machines.
 *
 * @param ret  to be freed with free(); a NUL follows it
 * @return 0, -PMUQ_E_NO_LIBRARY (libyaml), -PMUQ_E_MEMORY
 */
int pmuq_writer_text(const struct pmuq_writer *writer, enum pmuq_document_form form, char **ret,
		     size_t *ret_bytes, struct pmuq_error **reterr);
/**
 * The same to an open file. As with write(2), a pipe that nobody reads raises SIGPIPE.
 *
 * @return the same, and -PMUQ_E_DOCUMENT_WRITE
 */
int pmuq_writer_write(const struct pmuq_writer *writer, enum pmuq_document_form form, int fd,
		      struct pmuq_error **reterr);

/**
 * A reader of documents, of one file after the other.
 *
 * @return 0, -PMUQ_E_MEMORY
 */
int pmuq_reader_new(struct pmuq_reader **ret, struct pmuq_error **reterr);
void pmuq_reader_free(struct pmuq_reader *reader);

/**
 * The file to read next; the one before it is closed. Whether it is YAML or JSON
 * is seen from how it begins.
 *
 * @return 0, -PMUQ_E_DOCUMENT_UNREADABLE, -PMUQ_E_MEMORY
 */
int pmuq_reader_open(struct pmuq_reader *reader, const char *path, struct pmuq_error **reterr);
/** The same of a descriptor, which stays the caller's. `origin` is what errors call it. */
int pmuq_reader_open_fd(struct pmuq_reader *reader, int fd, const char *origin,
			struct pmuq_error **reterr);
/** The same of bytes, which must live until another file is opened or the reader is freed. */
int pmuq_reader_open_bytes(struct pmuq_reader *reader, const void *bytes, size_t n,
			   const char *origin, struct pmuq_error **reterr);

/**
 * The next machine: host by host, document by document. A document is read as a whole before its
 * first host is returned. After a failure there are no more machines in the file; the error's
 * origin is "FILE:LINE:COLUMN".
 *
 * @param ret  free with pmuq_catalog_free(); it does not need the reader. NULL after the last
 * @return 0, -PMUQ_E_BAD_DOCUMENT, -PMUQ_E_NOT_A_DOCUMENT, -PMUQ_E_DOCUMENT_NEWER,
 *         -PMUQ_E_REFUSED_YAML, -PMUQ_E_DOCUMENT_LIMIT, -PMUQ_E_UNKNOWN_KEY,
 *         -PMUQ_E_REPEATED_KEY, -PMUQ_E_MISSING_KEY, -PMUQ_E_BAD_ENTRY,
 *         -PMUQ_E_DOCUMENT_UNREADABLE, -PMUQ_E_NO_LIBRARY (libyaml), -PMUQ_E_MEMORY
 */
int pmuq_reader_next(struct pmuq_reader *reader, struct pmuq_catalog **ret,
		     struct pmuq_error **reterr);

/** Where a machine came from. */
struct pmuq_document_host {
	size_t size;
	struct pmuq_str name; /**< its name in the store that it came from, or none */
	int64_t first_seen_s; /**< when it was first seen, seconds since 1970; 0: not known */
	size_t document;      /**< its document, from 1 */
};
/** Of the machine that pmuq_reader_next() returned last. The next call changes it. */
const struct pmuq_document_host *pmuq_reader_host(const struct pmuq_reader *reader);

#ifdef __cplusplus
}
#endif
#endif
