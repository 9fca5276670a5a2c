/* SPDX-License-Identifier: MIT */
/* What `pmuq encode`, `explain` and `check` pass between their parts: what came of one event
 * string, and the ways to print it. */
#ifndef PQ_CLI_ENCODE_OUTPUT_H
#define PQ_CLI_ENCODE_OUTPUT_H

#include "cli/events/fold_encodings.h"
#include "cli/events/identifier.h"
#include "cli/output/document.h"
#include "cli/report.h"

/* What came of one string. */
struct result {
	const char *input;
	const char *file; /* that contains it; NULL: the command line */
	size_t line;
	const struct pmuq_encodings *encodings; /* NULL: invalid, because of `error` */
	const struct pmuq_error *error;
	const struct pmuq_open_results *opens; /* NULL: not opened, because of `skipped` */
	const char *skipped;
	struct pmuq_source *source; /* of the machine */
};

/* How a command prints a result. */
struct result_type {
	const struct document_type *document; /* its rows are struct result */
	/* Further lines of text for encodings that are printed as one, before their warnings. */
	void (*print_more)(FILE *to, const struct result *result, const struct fold *fold);
};

/* encode_text.c: encodings go to stdout, the error to stderr. `is_first`: nothing was printed
 * before. */
void encode_write_text(const struct result *result, const struct result_type *type, bool is_first);
void encode_report_error(const struct result *result);

/* encode_open.c: whether the kernel opened them. */
extern const struct result_type encode_type;
/* explain_text.c: which term put which value where. */
extern const struct result_type explain_type;
extern const struct document_type *const encode_documents[], *const explain_documents[];

/* What C text must remember from result to result; zeroed at first. */
struct encode_c {
	struct identifiers used;
	bool has_header, has_version;
};

/* encode_c.c: definitions of C to stdout; false, and reported, when out of memory. */
bool encode_write_c(struct encode_c *state, const struct result *result);
void encode_c_clear(struct encode_c *state);

/* encode_bytes.c: the attrs alone, in hex or as they are. */
void encode_write_hex(const struct result *result);
void encode_write_bytes(const struct result *result);
/* What bytes and C cannot contain: the error, warnings and refusals, on stderr. */
void encode_report_all(const struct result *result);

#endif
