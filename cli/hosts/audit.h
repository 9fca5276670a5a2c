/* SPDX-License-Identifier: MIT */
/*
 * `pmuq encode --all-hosts`: encodes a list of event strings on every host class of the database.
 * The outcome of a string is stored once for all classes with the same one, so that memory grows
 * with the number of different outcomes.
 */
#pragma once

#include "cli/events/event_strings.h"
#include "cli/hosts/known_opens.h"
#include "cli/hosts/stored_hosts.h"

/* The result of opening the events of a string on those hosts of a class that share a check. */
struct audit_opens {
	size_t outcome; /* of the string */
	size_t host_class;
	size_t check; /* PMUQ_NOT_KNOWN: hosts that were never checked */
	enum opens opens;
	const char *errno_name, *reason, *hint; /* of OPENS_NO; lives in the audit */
	int errnum;
};

struct audit_class {
	size_t index;
	const char *hint; /* of the error, or NULL; lives in the audit */
};

/* The outcome of a string on one or more classes. */
struct audit_outcome {
	PQ_VEC(struct audit_class); /* the classes with this outcome */
	char *text;		    /* for people, or JSON of the result */
	bool is_valid;
};

struct audit_string {
	char *input, *file; /* file: NULL on the command line */
	size_t line;
	bool is_metric; /* the input names a metric, or several */
	bool is_failed; /* invalid or refused on a host */
	PQ_VEC(struct audit_outcome) outcomes;
	PQ_VEC(struct audit_opens) opens; /* all outcomes, class by class */
};

/* How many strings have which result on a class. */
struct audit_totals {
	size_t n_valid, n_invalid;
	/* Of the valid ones; refused: on at least one host. */
	size_t n_opened, n_refused, n_unknown;
	size_t n_unchecked; /* hosts of the class that were never checked */
};

struct audit {
	const struct cli *cli;
	const char *vendor; /* --vendor */
	struct pmuq_encode_options options;
	struct pmuq_metric_options metric_options;
	struct pmuq_hosts_filter filter;
	const char *glob;
	enum document_form form;
	bool wants_opens;
	bool needs_check; /* a host that was never checked is a failure */
	bool is_quiet;	  /* text: strings without an error are left out */
	struct host_list list;
	PQ_VEC(struct audit_string) strings;
	PQ_VEC(char *) texts;	     /* reasons and hints */
	struct audit_totals *totals; /* for each class */
	/* Memory for the names of all hosts while they are printed; all names in natural order, the
	 * rank of each host in it, and a bit for each rank (audit_names.c). */
	const char **names, **by_rank;
	size_t *ranks;
	uint64_t *marks;
	bool *is_failed; /* for each host: a string is invalid or refused there */
	enum status status;
};

/* A string to be audited, or names of metrics. */
void audit_add(struct audit *audit, const char *text, const char *file, size_t line);
void audit_add_metrics(struct audit *audit, const char *names);
/* Lists the hosts of the database, encodes all strings on them, and prints the outcomes. */
enum status audit_run(struct audit *audit);
/* Its steps without the last: `status` of the audit is then the worst one of all strings. */
enum status audit_list_hosts(struct audit *audit);
enum status audit_try_strings(struct audit *audit);
void audit_clear(struct audit *audit);

/* audit_names.c: once the hosts are listed. */
void audit_order_names(struct audit *audit);
/* The number of hosts whose names these write to `names`, in natural order: those of a class that
 * have a check (host_list_has_check()), or those of all classes. */
size_t audit_gather_class(const struct audit *audit, size_t host_class, size_t check);
size_t audit_gather_hosts(const struct audit *audit, const struct audit_outcome *outcome);
/* Those with the hint of the outcome's class `first`; 0 if an earlier class has the same hint. */
size_t audit_gather_hinted(const struct audit *audit, const struct audit_outcome *outcome,
			   size_t first);
/* Those with the same result of opening; 0 if `opens` is not the first one of these. */
size_t audit_gather_same(const struct audit *audit, const struct audit_string *string,
			 const struct audit_opens *opens);

/* audit_text.c: a result as text, to be freed; and printing all of it. */
char *audit_text_of(const struct result *result);
void audit_print_text(const struct audit *audit);
/* audit_record.c: the same as JSON, and as a document. */
extern const struct document_type audit_document;
char *audit_json_of(const struct result *result);
enum status audit_print_document(const struct audit *audit);

static inline bool audit_is_good(const struct audit *audit, size_t host_class)
{
	const struct audit_totals *totals = &audit->totals[host_class];

	return totals->n_invalid == 0 && totals->n_refused == 0 &&
	       !(audit->needs_check && totals->n_unchecked);
}
