/* SPDX-License-Identifier: MIT */
/*
 * The results of event strings, as `pmuq encode`, `explain` and `check` pass them from the encoder
 * to what prints them, and the forms in which `encode` and `explain` print them.
 */
#pragma once

#include "cli/events/fold_encodings.h"
#include "cli/events/identifier.h"
#include "cli/options.h"
#include "cli/report.h"

/* What came of one string. Everything it points to is the caller's. */
struct result {
	const char *input;
	const char *file; /* that contains it; NULL: the command line */
	size_t line;
	const struct pmuq_encodings *encodings; /* NULL: invalid, because of `error` */
	const struct pmuq_error *error;
	const struct pmuq_open_results *opens; /* NULL: not opened, because of `skipped` */
	const char *skipped;
	const struct pmuq_counts *counts; /* NULL: nothing was counted */
	const char *cgroup;		  /* that it was opened for, or NULL */
	struct pmuq_source *source;	  /* of the machine */
};

/* The difference between the commands. */
struct result_type {
	const struct document_type *document; /* its rows are struct result */
	/* Further lines of text for encodings that are printed as one, before their warnings. */
	void (*print_more)(const struct result *result, const struct fold *fold);
	/* The whole as text; `is_first`: nothing was printed before. NULL: encode_write_text(). */
	void (*print)(const struct result *result, bool is_first);
};

/* encode_open.c: whether the kernel opened them. */
extern const struct result_type encode_type;
/* explain_text.c: which term put which value where. */
extern const struct result_type explain_type;
extern const struct document_type encode_document;

struct encode_form;

/* Results on their way to stdout, in the form that the command line selects. Zeroed but for the
 * type at first. */
struct encode_output {
	const struct result_type *type;
	const void *tail; /* of the document, if it has one */
	const struct encode_form *form;
	const struct options *options;
	size_t n_results;
	struct document document;
	/* Of C: each name is defined once, each header included once. */
	struct identifiers names;
	bool has_header, has_version;
};

/* encode_forms.c: begin once, print each result, end once, which frees. */
enum status encode_begin(struct encode_output *output, const struct options *options);
void encode_print(struct encode_output *output, const struct result *result);
enum status encode_end(struct encode_output *output);
/* Whether it is text for people or a document: not bytes, and not C. */
bool encode_is_text(const struct options *options);

/* encode_c.c: a definition for each encoding. */
void encode_write_c(struct encode_output *output, const struct result *result);

/* encode_text.c. The encodings go to stdout, an error to stderr. `is_first`: nothing was printed
 * before. */
void encode_write_text(const struct result *result, const struct result_type *type, bool is_first);
void encode_report_error(const struct result *result);
/* What an encoding is, a line each: its PMU, attr, scale, group … */
void encode_print_facts(const struct fold *fold);
void encode_print_warnings(const struct pmuq_encoding *encoding, const char *input);
/* encode_open.c: what the kernel did with it. */
void encode_print_open(const struct pmuq_open_result *open);
