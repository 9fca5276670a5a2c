/* SPDX-License-Identifier: MIT */
/* What `pmuq encode` passes between its parts: an answer to one string, and the ways to print it.
 */
#ifndef PQ_CLI_ENCODE_H
#define PQ_CLI_ENCODE_H

#include "cli/doc.h"
#include "cli/identifier.h"
#include "cli/report.h"

/* What came of one string. */
struct answer {
	const char *input;
	const char *file; /* where it stands, NULL: on the command line */
	size_t line;
	const struct pmuq_encodings *encodings; /* NULL: it is invalid, and `error` says why */
	struct diagnosis error;
	const struct pmuq_verdicts *verdicts; /* NULL: not opened, and `skipped` says why */
	const char *skipped;
};

/* encode_document.c: the whole answer, errors and all. */
void encode_write_document(struct doc *doc, const struct answer *answer);

/* encode_text.c: encodings go to stdout, the error to stderr. `is_first`: nothing was printed
 * before. */
void encode_write_text(const struct answer *answer, bool is_first);
void encode_report_error(const struct answer *answer);

/* What C text must remember from answer to answer; zeroed at first. */
struct encode_c {
	struct identifiers used;
	bool has_header, has_version;
};

/* encode_c.c: definitions of C to stdout; false, and reported, when memory is out. */
bool encode_write_c(struct encode_c *state, const struct answer *answer);
void encode_c_clear(struct encode_c *state);

/* encode_bytes.c: the attrs alone, in hex or as they are. */
void encode_write_hex(const struct answer *answer);
void encode_write_raw(const struct answer *answer);
/* What has no place in bytes or in C: the error, warnings and refusals, on stderr. */
void encode_report_talk(const struct answer *answer);

#endif
