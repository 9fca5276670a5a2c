/* SPDX-License-Identifier: MIT */
/* What `pmuq decode` passes between its parts: attrs as they were given, and what came of them. */
#ifndef PQ_CLI_DECODE_H
#define PQ_CLI_DECODE_H

#include "cli/output/doc.h"
#include "cli/report.h"

/* An attr as text, and what stood beside it. All texts are owned; NULL: none. */
struct given_attr {
	char *text; /* as pmuq_attr_parse() takes it */
	char *probe;
	char *deferred; /* "period=1000 time=1": no part of the attr */
	char *group_name;
	size_t leader; /* the index of its group's, where is_grouped is set */
	bool is_grouped;
	size_t next;   /* of its group, 0: none; set by given_link(), as is_later */
	bool is_later; /* an earlier one of its group stands for it */
	char *about;   /* a line for people, below the string */
	struct pmuq_decoding *decoding; /* filled in by the command */
};

/* The attrs that one event string gave, or one that was given alone. */
struct given {
	char *input;   /* that event string, or the attr's text */
	char *refused; /* why there is none */
	struct given_attr *v;
	size_t n;
};

struct givens {
	struct given *v;
	size_t n;
};

void givens_clear(struct givens *givens);
/* A new one at the end, or NULL when out of memory. */
struct given *givens_add(struct givens *givens);
struct given_attr *given_add(struct given *given);
/* Finds what is of one group, once all are there; false when out of memory. */
bool given_link(struct given *given);

/* decode_json.c: what `pmuq encode` wrote as JSON, or an attr as an object of its fields. The
 * message of an error is to be freed. */
bool decode_read_json(const char *text, struct givens *ret, struct diagnosis *reterr,
		      char **ret_message);

/* How to decode what is no text. */
struct decode_ask {
	const struct cli *cli;
	struct pmuq_decode_options options;
	const char *vendor; /* --vendor */
	bool with_readings;
	struct pq_sink *doc; /* NULL: as text */
};

struct recorded_machine;
/* decode_recording.c: a perf.data file. Reports what went wrong, and answers a status. */
int decode_recording_read(const struct decode_ask *ask, const struct pmuq_recording *recording,
			  struct recorded_machine *ret_machine, struct given *ret);
void decode_recording_write(const struct decode_ask *ask, const char *path,
			    const struct pmuq_recording *recording,
			    const struct recorded_machine *machine, const struct given *given);

/* recording_json.c: what it says, as an object. */
void recording_write(struct pq_sink *doc, const struct pmuq_recording *recording,
		     const struct recorded_machine *machine);

/* decode_write.c. An event string a line, what it leaves unsaid in a comment behind it. */
void decode_write_text(const struct given *given, bool with_readings);
/* `input`: what was asked. */
void decode_write_document(struct pq_sink *doc, const char *input, const struct given *given);
/* The strings and decodings of it, as members of an object that is open. */
void decode_write_members(struct pq_sink *doc, const struct given *given);
void decode_write_error(struct pq_sink *doc, const char *input, const struct diagnosis *error,
			const char *where);

#endif
