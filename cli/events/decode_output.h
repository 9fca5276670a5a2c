/* SPDX-License-Identifier: MIT */
/* What the files of `pmuq decode` share: attrs as they were read, and the results of decoding
 * them. */
#pragma once

#include "cli/cmd.h"
#include "core/vec.h"

/*
 * Each input of the command line becomes a list of attrs: a string of encode may contain several,
 * in groups. Each attr is decoded separately; groups are joined again when they are printed.
 */

/* An attr as text, and what was read with it. All texts are owned; NULL: none. */
struct attr_input {
	char *text; /* in the form that pmuq_attr_parse() accepts */
	char *probe;
	char *tool_terms; /* "period=1000 time=1": not part of the attr */
	char *group_name;
	size_t leader; /* index of its group's leader, if is_grouped */
	bool is_grouped;
	size_t next;   /* size of its group, 0: none; set by decode_input_link(), like is_later */
	bool is_later; /* printed with an earlier member of its group */
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

/* After both, the input is empty. */
void decode_input_clear(struct decode_input *input);
void decode_inputs_clear(struct decode_inputs *inputs);
/* Links the members of each group, after all have been added. */
void decode_input_link(struct decode_input *input);

/* decode_json.c: the JSON of `pmuq encode`, or an attr as an object of its fields. On failure the
 * caller frees the message. */
bool decode_read_json(const char *text, struct decode_inputs *ret, struct pmuq_error *reterr,
		      char **ret_message);

/* The options of the command line for decoding. */
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

/* decode_print.c: one event string per line; what it does not contain follows in a comment. */
void decode_print_text(const struct decode_request *request, const struct decode_input *input);
/* The event string of an attr, or of the whole group that it leads. */
void decode_print_string(struct pq_buf *to, const struct decode_input *input, size_t index);

/* decode_record.c: the rows of the document. */
struct decoded {
	const char *text; /* the input */
	const struct decode_input *input;
	const struct pmuq_error *error; /* NULL: it was decoded */
	const char *where;		/* "FILE:LINE" of the input; NULL: the command line */
	const struct pmuq_recording *recording; /* or NULL */
	const struct pmuq_recorded *content;	/* of the recording */
	const struct recorded_machine *machine; /* machine that decoded it */
};
extern const struct document_type decode_document;
