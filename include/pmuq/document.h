/* SPDX-License-Identifier: MIT */
/**
 * @file
 * Documents: machines as text (YAML or JSON), for people, for git, and for other machines. A
 * document describes one host class and lists its hosts; a file may contain many documents. A
 * document contains the whole catalog: reading it gives the same catalog. One thread at a time.
 * pmuq-inventory(5) describes the format.
 */
#ifndef PMUQ_DOCUMENT_H
#define PMUQ_DOCUMENT_H

#include <pmuq/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The form of a document. */
enum pmuq_document_form {
	PMUQ_DOCUMENT_YAML = 0,
	PMUQ_DOCUMENT_JSON = 1, /**< one document is an object, several are an array of them */
};

/**
 * A writer collects machines and writes them as documents.
 *
 * @return 0, -PMUQ_E_MEMORY
 */
int pmuq_writer_new(struct pmuq_writer **ret, struct pmuq_error **reterr);
void pmuq_writer_free(struct pmuq_writer *writer);

/**
 * Add a machine, with the check of its catalog. Machines that differ only in facts of one host
 * (hostname, machine_id, boot_id, perf_event_max_sample_rate, the times when they were seen and
 * checked) become one document, at the position of the first.
 *
 * @param catalog       not needed afterwards
 * @param name          the host's name in a store, or NULL
 * @param first_seen_s  seconds since 1970; 0: unknown
 * @return 0, -PMUQ_E_BAD_CALL (a time beyond the year 9999), -PMUQ_E_MEMORY
 */
int pmuq_writer_add(struct pmuq_writer *writer, const struct pmuq_catalog *catalog,
		    const char *name, int64_t first_seen_s, struct pmuq_error **reterr);
/**
 * The same with the time when the machine was last seen in this state.
 *
 * @param first_seen_s  seconds since 1970; 0: unknown, then it is last_seen_s
 * @param last_seen_s   seconds since 1970; 0: it is not known that it was seen after first_seen_s
 * @return as pmuq_writer_add(); also -PMUQ_E_BAD_CALL if it was last seen before it was first seen
 */
int pmuq_writer_add_seen(struct pmuq_writer *writer, const struct pmuq_catalog *catalog,
			 const char *name, int64_t first_seen_s, int64_t last_seen_s,
			 struct pmuq_error **reterr);
/** The number of machines that were added, and of the documents for them. */
size_t pmuq_writer_machine_count(const struct pmuq_writer *writer);
size_t pmuq_writer_document_count(const struct pmuq_writer *writer);

/**
 * Print all documents into memory. The same machines always give the same bytes.
 *
 * @param ret  free it with free(); a NUL byte follows the text
 * @return 0, -PMUQ_E_NO_LIBRARY (libyaml), -PMUQ_E_MEMORY
 */
int pmuq_writer_text(const struct pmuq_writer *writer, enum pmuq_document_form form, char **ret,
		     size_t *ret_bytes, struct pmuq_error **reterr);
/**
 * Write all documents to an open file. As with write(2), a pipe without a reader raises SIGPIPE.
 *
 * @return as pmuq_writer_text(), or -PMUQ_E_DOCUMENT_WRITE
 */
int pmuq_writer_write(const struct pmuq_writer *writer, enum pmuq_document_form form, int fd,
		      struct pmuq_error **reterr);

/**
 * A reader of documents. It reads one file after the other, and keeps the last documents of up to
 * 256 KiB (32 of them): files that differ in their hosts only are parsed once.
 *
 * @return 0, -PMUQ_E_MEMORY
 */
int pmuq_reader_new(struct pmuq_reader **ret, struct pmuq_error **reterr);
void pmuq_reader_free(struct pmuq_reader *reader);

/**
 * Open the next file and close the previous one. Its first bytes decide whether it is YAML or JSON.
 *
 * @return 0, -PMUQ_E_DOCUMENT_UNREADABLE, -PMUQ_E_MEMORY
 */
int pmuq_reader_open(struct pmuq_reader *reader, const char *path, struct pmuq_error **reterr);
/** The same for a file descriptor, which the caller keeps. `origin` is its name in errors. */
int pmuq_reader_open_fd(struct pmuq_reader *reader, int fd, const char *origin,
			struct pmuq_error **reterr);
/** The same for bytes, which must live until another file is opened or the reader is freed. */
int pmuq_reader_open_bytes(struct pmuq_reader *reader, const void *bytes, size_t n,
			   const char *origin, struct pmuq_error **reterr);

/**
 * Read the next machine: host by host, document by document. The whole document is read and checked
 * before its first host is returned. After a failure the file has no more machines; the error's
 * origin is "FILE:LINE:COLUMN".
 *
 * @param ret  free with pmuq_catalog_free(); it does not need the reader. NULL after the last one
 * @return 0, -PMUQ_E_BAD_DOCUMENT, -PMUQ_E_NOT_A_DOCUMENT, -PMUQ_E_DOCUMENT_NEWER,
 *         -PMUQ_E_REFUSED_YAML, -PMUQ_E_DOCUMENT_LIMIT, -PMUQ_E_UNKNOWN_KEY,
 *         -PMUQ_E_DOCUMENT_CUT (after the last machine, if only later documents are missing),
 *         -PMUQ_E_REPEATED_KEY, -PMUQ_E_MISSING_KEY, -PMUQ_E_BAD_ENTRY,
 *         -PMUQ_E_DOCUMENT_UNREADABLE, -PMUQ_E_NO_LIBRARY (libyaml), -PMUQ_E_MEMORY
 */
int pmuq_reader_next(struct pmuq_reader *reader, struct pmuq_catalog **ret,
		     struct pmuq_error **reterr);

/** The origin of a machine. */
struct pmuq_document_host {
	size_t size;
	struct pmuq_str name; /**< its name in the store that exported it, or none */
	int64_t first_seen_s; /**< when it was first seen, seconds since 1970; 0: unknown */
	size_t document;      /**< the number of its document, from 1 */
	int64_t last_seen_s;  /**< when it was last seen in this state; 0: unknown */
};
/** The origin of the machine that pmuq_reader_next() returned last. The next call changes it. */
const struct pmuq_document_host *pmuq_reader_host(const struct pmuq_reader *reader);

#ifdef __cplusplus
}
#endif
#endif
