/* SPDX-License-Identifier: MIT */
/* What `pmuq encode` passes between its parts: an answer to one string, and the ways to print it.
 */
#ifndef PQ_CLI_ENCODE_H
#define PQ_CLI_ENCODE_H

#include "cli/json.h"
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

void encode_write_json(struct json *json, const struct answer *answer);
/* Encodings go to stdout, the error to stderr. `is_first`: nothing was printed before. */
void encode_write_text(const struct answer *answer, bool is_first);

#endif
