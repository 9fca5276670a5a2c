/* SPDX-License-Identifier: MIT */
/* What `pmuq decode` passes between its parts: attrs as they came, and what they were decoded to.
 */
#pragma once

#include "cli/cmd.h"
#include "core/vec.h"

/*
 * The inputs of a command line become lists of attrs: a string of encode may be several, in groups.
 * Each is decoded on its own; groups are put together again when they are printed.
 */

/* An attr as text, and what came with it. All texts are owned; NULL: none. */
struct attr_input {
	char *text; /* as pmuq_attr_parse() takes it */
	char *probe;
	char *tool_terms; /* "period=1000 time=1": not part of the attr */
	char *group_name;
	size_t leader; /* the index of its group's, if is_grouped */
	bool is_grouped;
	size_t next;   /* of its group, 0: none; set by decode_input_link(), as is_later */
	bool is_later; /* printed with an earlier one of its group */
	char *about;   /* a line for people, below the string */
	struct pmuq_decoding *decoding; /* filled in by the command */
};

/* The attrs of one event string, or one attr alone. */
struct decode_input {
	PQ_VEC(struct attr_input);
	char *input;   /* that event string, or the attr's text */
	char *refused; /* why the attr has no string */
};

struct decode_inputs {
	PQ_VEC(struct decode_input);
};

/* Both leave it empty. */
void decode_input_clear(struct decode_input *input);
void decode_inputs_clear(struct decode_inputs *inputs);
/* Links the members of each group, once all are there. */
void decode_input_link(struct decode_input *input);

/* decode_json.c: what `pmuq encode` wrote as JSON, or an attr as an object of its fields. On
 * failure the message is to be freed. */
bool decode_read_json(const char *text, struct decode_inputs *ret, struct pmuq_error *reterr,
		      char **ret_message);

/* What the command line says about decoding. */
struct decode_request {
	const struct cli *cli;
	struct pmuq_decode_options options;
	const char *vendor; /* --vendor */
	bool with_all;	    /* --all */
};

struct recorded_machine;

/* decode_recording.c: a perf.data file, and how it is printed as text. */
enum status decode_recording_read(const struct decode_request *request,
				  const struct pmuq_recording *recording,
				  struct recorded_machine *ret_machine, struct decode_input *ret);
void decode_recording_print(const struct decode_request *request, const char *path,
			    const struct pmuq_recording *recording,
			    const struct recorded_machine *machine,
			    const struct decode_input *input);

/* decode_print.c: an event string a line, what it does not contain in a comment after it. */
void decode_print_text(const struct decode_input *input, bool with_all);
/* The event string of an attr and of its group. */
void decode_print_string(struct pq_buf *to, const struct decode_input *input, size_t index);

/* decode_record.c: the rows of the document. */
struct decoded {
	const char *text; /* the input */
	const struct decode_input *input;
	const struct pmuq_error *error; /* NULL: it was decoded */
	const char *where;		/* "FILE:LINE" of the input; NULL: the command line */
	const struct pmuq_recording *recording; /* or NULL */
	const struct pmuq_recorded *content;	/* of the recording */
	const struct recorded_machine *machine; /* that it was decoded by */
};
extern const struct document_type decode_document;
