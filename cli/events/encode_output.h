/* SPDX-License-Identifier: MIT */
/*
 * The results of event strings, as `pmuq encode`, `explain` and `check` pass them from the encoder
 * to the printers, and the forms in which `encode` and `explain` print them.
 */
#pragma once

#include "cli/events/fold_encodings.h"
#include "cli/events/identifier.h"
#include "cli/options.h"
#include "cli/report.h"

/* The result of one string. The caller owns everything it points to. */
struct result {
	const char *input;
	const char *file; /* file that contains it; NULL: the command line */
	size_t line;
	const struct pmuq_encodings *encodings; /* NULL: none; invalid, if there is an error */
	const struct pmuq_error *error;
	const struct pmuq_open_results *opens; /* NULL: not opened, because of `skipped` */
	const char *skipped;
	const struct pmuq_counts *counts; /* NULL: the event was not counted */
	const char *cgroup;		  /* cgroup that it was opened for, or NULL */
	const struct pmuq_fit *fit;	  /* NULL: not matched with counters */
	struct pmuq_source *source;	  /* of the machine */
	size_t metric_list; /* the list of the plan of metrics that it is; SIZE_MAX: none */
};

/* What differs between the commands. */
struct result_type {
	const struct document_type *document; /* its rows are struct result */
	const struct document_type *compact;  /* of --compact; NULL: there is no such option */
	/* Further lines of text for encodings that are printed as one, before their warnings. */
	void (*print_more)(const struct result *result, const struct fold *fold);
	/* The whole result as text; `is_first`: nothing was printed before. NULL:
	 * encode_write_text(). */
	void (*print)(const struct result *result, bool is_first);
};

/* encode_open.c: whether the kernel opened them. */
extern const struct result_type encode_type;
/* explain_text.c: which term set which value. */
extern const struct result_type explain_type;
extern const struct document_type encode_document, encode_compact_document;

struct encode_form;

/* The output of results on stdout, in the form that the command line selects. All members except
 * the type are zero at first. */
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

/* encode_forms.c: call begin once, print for each result, and end once, which frees. */
enum status encode_begin(struct encode_output *output, const struct options *options);
void encode_print(struct encode_output *output, const struct result *result);
enum status encode_end(struct encode_output *output);
/* Whether the form is text for people or a document: not bytes, and not C. */
bool encode_is_text(const struct options *options);

/* encode_c.c: a definition for each encoding. */
void encode_write_c(struct encode_output *output, const struct result *result);

/* encode_text.c. The encodings go to stdout, an error to stderr. `is_first`: nothing was printed
 * before. */
void encode_write_text(const struct result *result, const struct result_type *type, bool is_first);
void encode_report_error(const struct result *result);
/* One line for each property of an encoding: its PMU, attr, scale, group … */
void encode_print_facts(const struct fold *fold);
void encode_print_warnings(const struct pmuq_encoding *encoding, const char *input);
/* The warnings about groups that the encoding leads: its group never counts on a PMU. */
void encode_print_fit(const struct result *result, size_t encoding);
/* One of them; NULL past the last. */
const struct pmuq_error *result_fit_warning(const struct result *result, size_t encoding,
					    size_t index);
/* encode_open.c: the open result. */
void encode_print_open(const struct pmuq_open_result *open);
