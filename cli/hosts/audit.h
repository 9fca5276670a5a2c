/* SPDX-License-Identifier: MIT */
/*
 * `pmuq encode --all-hosts`: a list of event strings on every host class of the database, class by
 * class. What comes of a string is stored once for all classes with the same outcome, so that
 * memory grows with what is different.
 */
#pragma once

#include "cli/events/event_strings.h"
#include "cli/hosts/known_opens.h"
#include "cli/hosts/stored_hosts.h"

/* The result of opening the events of a string on the hosts of a class that have one check. */
struct audit_opens {
	size_t outcome; /* of the string */
	size_t host_class;
	size_t check; /* PMUQ_NOT_KNOWN: hosts that were never checked */
	enum opens opens;
	const char *errno_name, *reason, *hint; /* of OPENS_NO; live in the audit */
	int errnum;
};

/* What came of a string, on some classes. */
struct audit_outcome {
	PQ_VEC(size_t); /* these classes */
	char *text;	/* for people, or JSON of the result */
	bool is_valid;
	const char *hint; /* of the error, if all classes have the same; lives in the audit */
};

struct audit_string {
	char *input, *file; /* file: NULL on the command line */
	size_t line;
	PQ_VEC(struct audit_outcome) outcomes;
	PQ_VEC(struct audit_opens) opens; /* of all outcomes, class by class */
};

/* How many strings have which result on a class. */
struct audit_totals {
	size_t n_valid, n_invalid;
	/* Of the valid ones; refused: on at least one host. */
	size_t n_opened, n_refused, n_unknown;
};

struct audit {
	const struct cli *cli;
	const char *vendor; /* --vendor */
	struct pmuq_encode_options options;
	struct pmuq_hosts_filter filter;
	const char *glob;
	enum document_form form;
	bool wants_opens;
	bool is_quiet; /* text: strings without an error are left out */
	struct host_list list;
	PQ_VEC(struct audit_string) strings;
	PQ_VEC(char *) texts;	     /* reasons and hints */
	struct audit_totals *totals; /* for each class */
	const char **names;	     /* memory for those of all hosts, while they are printed */
	enum status status;
};

/* A string to be audited. */
void audit_add(struct audit *audit, const char *text, const char *file, size_t line);
/* Encodes and prints. */
enum status audit_run(struct audit *audit);
void audit_clear(struct audit *audit);

/* audit_text.c: a result as text, to be freed, and the whole. */
char *audit_text_of(const struct result *result);
void audit_print_text(const struct audit *audit);
/* audit_record.c: likewise as JSON, and the whole as a document. */
extern const struct document_type audit_document;
char *audit_json_of(const struct result *result);
enum status audit_print_document(const struct audit *audit);

#define AUDIT_ANY_CHECK (PMUQ_NOT_KNOWN - 1)

/* The names of the hosts of a class that have that check (PMUQ_NOT_KNOWN: that have none), or of
 * all, in audit->names from `at` on; returns how many. */
size_t audit_hosts(const struct audit *audit, size_t host_class, size_t check, size_t at);

static inline bool audit_is_good(const struct audit_totals *totals)
{
	return totals->n_invalid == 0 && totals->n_refused == 0;
}
