/* SPDX-License-Identifier: MIT */
/*
 * What `pmuq encode` and `pmuq explain` pass between their parts: an answer to one string, and the
 * ways to print it.
 */
#ifndef PQ_CLI_ENCODE_H
#define PQ_CLI_ENCODE_H

#include "cli/events/fold_encodings.h"
#include "cli/events/identifier.h"
#include "cli/output/doc.h"
#include "cli/report.h"

/* What came of one string. */
struct answer {
	const char *input;
	const char *file; /* where it stands, NULL: on the command line */
	size_t line;
	const struct pmuq_encodings *encodings; /* NULL: it is invalid, and `error` says why */
	struct diagnosis error;
	const struct pmuq_open_results *verdicts; /* NULL: not opened, and `skipped` says why */
	const char *skipped;
	struct pmuq_source *source; /* who was asked */
};

/* What tells the answers of one command from another's: what they say of an encoding besides what
 * it is. */
struct answer_kind {
	const char *schema; /* "pmuq.encode/1" */
	/* Further members of the encoding of that index. */
	void (*write_more)(struct pq_sink *doc, const struct answer *answer, size_t index);
	/* Further lines of encodings that are shown as one, before their warnings. */
	void (*print_more)(FILE *to, const struct answer *answer, const struct fold *fold);
};

/* encode_document.c: the whole answer, errors and all. */
void encode_write_document(struct pq_sink *doc, const struct answer *answer,
			   const struct answer_kind *kind);

/* encode_text.c: encodings go to stdout, the error to stderr. `is_first`: nothing was printed
 * before. */
void encode_write_text(const struct answer *answer, const struct answer_kind *kind, bool is_first);
void encode_report_error(const struct answer *answer);

/* encode_verdict.c: what the kernel said of each. */
extern const struct answer_kind encode_kind;

/* explain_text.c: which term put which value where. */
extern const struct answer_kind explain_kind;

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
