/* SPDX-License-Identifier: MIT */
/*
 * Encodes strings on all host classes and gathers the outcomes; audit_text.c and audit_record.c
 * print them. The classes are processed one after the other, so that only one machine is open at a
 * time. The outcome of a string is a text, so outcomes are compared and stored as texts.
 */
#include "cli/hosts/audit.h"
#include "cli/or_die.h"
#include "cli/progress.h"
#include <string.h>

void audit_add(struct audit *audit, const char *text, const char *file, size_t line)
{
	const struct audit_string string = { .input = or_die(strdup(text)),
					     .file = file ? or_die(strdup(file)) : NULL,
					     .line = line };

	push_or_die(&audit->strings, string);
}

void audit_add_metrics(struct audit *audit, const char *names)
{
	audit_add(audit, names, NULL, 0);
	audit->strings.v[audit->strings.n - 1].is_metric = true;
}

/* Stored once, however often it occurs; NULL for NULL. */
static const char *keep_text(struct audit *audit, const char *text)
{
	char *copy;

	for (size_t i = 0; text && i < audit->texts.n; i++)
		if (strcmp(audit->texts.v[i], text) == 0)
			return audit->texts.v[i];
	if (!text)
		return NULL;
	copy = or_die(strdup(text));
	push_or_die(&audit->texts, copy);
	return copy;
}

/* The outcome with that text; takes ownership of the text. */
static struct audit_outcome *find_outcome(struct audit_string *string, char *text)
{
	for (size_t i = 0; i < string->outcomes.n; i++)
		if (strcmp(string->outcomes.v[i].text, text) == 0) {
			free(text);
			return &string->outcomes.v[i];
		}
	push_or_die(&string->outcomes, ((struct audit_outcome){ .text = text }));
	return &string->outcomes.v[string->outcomes.n - 1];
}

/* A class while its strings are encoded. */
struct class_audit {
	struct audit *audit;
	struct open_class open;
	struct pmuq_encode_options options;
	struct pmuq_check **checks; /* all hosts of the class, up to NULL */
	size_t n_checks;
};

static struct audit_opens find_opens(const struct class_audit *own, size_t check,
				     const struct pmuq_encodings *encodings)
{
	struct audit_opens opens = { .host_class = own->open.index, .check = check };
	const struct pmuq_check_result *refusal = NULL;

	opens.opens =
		opens_find(own->open.source, check == PMUQ_NOT_KNOWN ? NULL : own->checks[check],
			   encodings, &refusal);
	if (!refusal)
		return opens;
	opens.errnum = refusal->open->errnum;
	opens.errno_name = pmuq_errno_name(opens.errnum);
	opens.reason = keep_text(own->audit, refusal->open->reason.p);
	opens.hint = keep_text(own->audit, refusal->open->hint.p);
	return opens;
}

/* The string fails on those hosts of the class that have that check, or on all. */
static void note_failure(struct class_audit *own, struct audit_string *string, size_t check)
{
	const struct host_list *list = &own->audit->list;
	const struct pmuq_host_class *of = pmuq_hosts_class(list->hosts, own->open.index);

	string->is_failed = true;
	for (size_t i = 0; i < of->n_hosts; i++)
		if (host_list_has_check(list, of->hosts[i], check))
			own->audit->is_failed[of->hosts[i]] = true;
}

/* The string counts once for the class: with the worst result of its hosts. */
static void note_opens(struct class_audit *own, struct audit_string *string, size_t outcome,
		       const struct pmuq_encodings *encodings)
{
	struct audit_totals *totals = &own->audit->totals[own->open.index];
	bool is_refused = false, is_unknown = false;

	for (size_t i = 0; i < own->n_checks + (totals->n_unchecked > 0); i++) {
		size_t check = i < own->n_checks ? i : PMUQ_NOT_KNOWN;
		struct audit_opens opens = find_opens(own, check, encodings);

		opens.outcome = outcome;
		is_unknown |= opens.opens == OPENS_UNKNOWN || opens.opens == OPENS_UNCHECKED;
		if (opens.opens == OPENS_NO) {
			is_refused = true;
			note_failure(own, string, check);
		}
		push_or_die(&string->opens, opens);
	}
	totals->n_refused += is_refused;
	totals->n_unknown += !is_refused && is_unknown;
	totals->n_opened += !is_refused && !is_unknown;
	if (is_refused)
		own->audit->status = status_worse(own->audit->status, STATUS_REFUSED);
}

/* Of metrics the classes may have different strings. */
static char *text_of(const struct audit_string *string, const struct result *result)
{
	auto_free char *text = audit_text_of(result);

	return string->is_metric && result->encodings
		       ? print_or_die("    %s\n%s", result->input, text)
		       : move(text);
}

/* The hint is not part of the text: hosts with the same error have different similar names. */
static void note_result(struct class_audit *own, struct audit_string *string,
			const struct result *result)
{
	struct audit *audit = own->audit;
	struct audit_totals *totals = &audit->totals[own->open.index];
	char *text = audit->form == DOCUMENT_NONE ? text_of(string, result) : audit_json_of(result);
	struct audit_outcome *outcome = find_outcome(string, text);
	struct audit_class of = { .index = own->open.index };

	outcome->is_valid = !result->error;
	totals->n_valid += outcome->is_valid;
	totals->n_invalid += !outcome->is_valid;
	if (!outcome->is_valid) {
		of.hint = keep_text(audit, result->error->hint.p);
		note_failure(own, string, HOSTS_ANY_CHECK);
		audit->status = status_worse(audit->status, report_status(result->error->code));
	} else if (audit->wants_opens && result->encodings) {
		note_opens(own, string, (size_t)(outcome - string->outcomes.v), result->encodings);
	}
	push_or_die(outcome, of);
}

static void try_string(struct class_audit *own, struct audit_string *string)
{
	cleanup(pmuq_encodings_freep) struct pmuq_encodings *encodings = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct result result = {
		.input = string->input,
		.file = string->file,
		.line = string->line,
		.source = own->open.source,
	};

	if (pmuq_source_encode(own->open.source, string->input, &own->options, &encodings, &error) <
	    0)
		result.error = error;
	result.encodings = encodings;
	note_result(own, string, &result);
}

/* The events of a plan as one string; NULL: it needs none, for example because it is a fact of the
 * machine. */
static char *string_of(const struct pmuq_metric_plan *plan)
{
	struct pq_buf buf = PQ_BUF_NULL;
	const struct pmuq_metric_list *list;

	for (size_t i = 0; (list = pmuq_metric_plan_list(plan, i)); i++)
		pq_buf_print(&buf, "%s%s", i ? "," : "", list->string.p);
	return buf.n ? or_die(pq_buf_take(&buf)) : NULL;
}

/* Why a metric of the plan cannot be counted; NULL: all can. */
static const struct pmuq_error *find_failed(const struct pmuq_metric_plan *plan)
{
	const struct pmuq_planned_metric *metric;

	for (size_t i = 0; (metric = pmuq_metric_plan_get(plan, i)); i++)
		if (metric->error)
			return metric->error;
	return NULL;
}

/* Hosts of a class may differ in facts that only formulas use: the class has the plan of its first
 * host. */
static int plan(struct class_audit *own, const char *names, struct pmuq_metric_plan **ret,
		struct pmuq_error **reterr)
{
	struct audit *audit = own->audit;
	const struct pmuq_metrics *metrics;
	int r = host_list_find_metrics(&audit->list, &own->open, &metrics, reterr);

	return r < 0 ? r
		     : pmuq_source_plan_metrics(own->open.source, metrics, names, &own->options,
						&audit->metric_options, ret, reterr);
}

static void try_metrics(struct class_audit *own, struct audit_string *string)
{
	cleanup(pmuq_metric_plan_freep) struct pmuq_metric_plan *planned = NULL;
	cleanup(pmuq_encodings_freep) struct pmuq_encodings *encodings = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	auto_free char *text = NULL;
	struct result result = { .input = string->input, .source = own->open.source };

	if (plan(own, string->input, &planned, &error) == 0)
		result.error = find_failed(planned);
	if (planned && !result.error)
		text = string_of(planned);
	if (text &&
	    pmuq_source_encode(own->open.source, text, &own->options, &encodings, &error) == 0)
		result.input = text;
	result.encodings = encodings;
	if (error)
		result.error = error;
	note_result(own, string, &result);
}

/* Hosts of one class may differ in what their kernels permit; equal checks are stored once. */
static enum status read_checks(struct class_audit *own)
{
	struct audit *audit = own->audit;
	size_t n = pmuq_hosts_class(audit->list.hosts, own->open.index)->n_checks;
	enum status status;

	if (!audit->wants_opens)
		return STATUS_OK;
	own->checks = or_die(calloc(n + 1, sizeof(struct pmuq_check *)));
	for (; own->n_checks < n; own->n_checks++) {
		status = host_list_read_check(&audit->list, own->open.index, own->n_checks,
					      &own->checks[own->n_checks]);
		if (status != STATUS_OK)
			return status;
	}
	return STATUS_OK;
}

static enum status try_strings(struct class_audit *own)
{
	struct audit *audit = own->audit;
	enum status status = read_checks(own);

	audit->totals[own->open.index].n_unchecked =
		audit_gather_class(audit, own->open.index, PMUQ_NOT_KNOWN);
	own->options = audit->options;
	own->options.pfm = audit->list.pfm;
	own->options.vendor = own->open.vendor;
	for (size_t i = 0; status == STATUS_OK && i < audit->strings.n; i++)
		(audit->strings.v[i].is_metric ? try_metrics : try_string)(own,
									   &audit->strings.v[i]);
	for (size_t i = 0; i < own->n_checks; i++)
		pmuq_check_free(own->checks[i]);
	free(own->checks);
	return status;
}

enum status audit_try_strings(struct audit *audit)
{
	size_t n = pmuq_hosts_class_count(audit->list.hosts);
	size_t n_hosts = pmuq_hosts_count(audit->list.hosts);
	enum status status = STATUS_OK;
	struct progress progress;

	audit->totals = or_die(calloc(n + 1, sizeof(*audit->totals)));
	audit_order_names(audit);
	audit->is_failed = or_die(calloc(n_hosts + 1, sizeof(*audit->is_failed)));
	progress_begin(&progress);
	for (size_t i = 0; status == STATUS_OK && i < n; i++) {
		struct class_audit own = { .audit = audit };

		progress_show(&progress, i, n, pmuq_hosts_class(audit->list.hosts, i)->name.p);
		status = host_list_open_class(&audit->list, i, audit->vendor, &own.open);
		if (status == STATUS_OK)
			status = try_strings(&own);
		host_list_close_class(&own.open);
		if (audit->needs_check && audit->totals[i].n_unchecked)
			audit->status = status_worse(audit->status, STATUS_INVALID);
	}
	progress_end(&progress);
	return status;
}

enum status audit_list_hosts(struct audit *audit)
{
	enum status status;

	audit->filter = (struct pmuq_hosts_filter){
		.size = sizeof(audit->filter),
		.globs = &audit->glob,
		.n_globs = audit->glob != NULL,
		.is_newest_only = true,
	};
	status = host_list_open(&audit->list, audit->cli, &audit->filter);
	if (status == STATUS_OK)
		status = host_list_report_unmatched(audit->list.hosts, &audit->filter);
	if (status == STATUS_OK && pmuq_hosts_count(audit->list.hosts) == 0) {
		report(REPORT_ERROR, "the database has no host: `pmuq scan` stores this one");
		status = STATUS_INVALID;
	}
	return status;
}

/* The exit status is the worst one of all strings on all classes. A list without a string is a
 * mistake, for example a wrong file: it must not pass. */
enum status audit_run(struct audit *audit)
{
	enum status status;

	if (!audit->strings.n) {
		report(REPORT_ERROR, "there is no event string to audit");
		return STATUS_INVALID;
	}
	status = audit_list_hosts(audit);
	if (status == STATUS_OK)
		status = audit_try_strings(audit);
	if (status == STATUS_OK && audit->form != DOCUMENT_NONE)
		status = audit_print_document(audit);
	else if (status == STATUS_OK)
		audit_print_text(audit);
	return status_worse(status, audit->status);
}

static void clear_string(struct audit_string *string)
{
	for (size_t i = 0; i < string->outcomes.n; i++) {
		free(string->outcomes.v[i].text);
		pq_vec_free(&string->outcomes.v[i]);
	}
	pq_vec_free(&string->outcomes);
	pq_vec_free(&string->opens);
	free(string->input);
	free(string->file);
}

/* Also clears an audit that never ran. */
void audit_clear(struct audit *audit)
{
	for (size_t i = 0; i < audit->strings.n; i++)
		clear_string(&audit->strings.v[i]);
	for (size_t i = 0; i < audit->texts.n; i++)
		free(audit->texts.v[i]);
	pq_vec_free(&audit->strings);
	pq_vec_free(&audit->texts);
	free(audit->totals);
	free(audit->names);
	free(audit->by_rank);
	free(audit->ranks);
	free(audit->marks);
	free(audit->is_failed);
	host_list_close(&audit->list);
}
