/* SPDX-License-Identifier: MIT */
#include "cli/served.h"
#include "cli/or_die.h"
#include "cli/output/error_record.h"
#include "core/freep.h"
#include <string.h>

struct served *served;

/* A request can cause a report for each of its strings. */
#define REPORTS_MAX 64u

void served_clear_output(struct served *s)
{
	s->document.n = s->error.n = 0;
	s->is_too_large = false;
	s->n_rows = s->n_searches = 0;
	for (size_t i = 0; i < s->reports.n; i++)
		free(s->reports.v[i]);
	s->reports.n = 0;
}

void served_clear(struct served *s)
{
	served_clear_output(s);
	pq_vec_free(&s->reports);
	pq_buf_free(&s->document);
	pq_buf_free(&s->error);
	pmuq_pfm_free(s->pfm);
	pmuq_vendor_free(s->vendor);
	free(s->vendor_cpuid);
	s->pfm = NULL;
	s->vendor = NULL;
	s->vendor_cpuid = NULL;
}

/* ----------------------------------------------------------------------------------- limits */

bool served_is_over(void)
{
	return served && (served->is_too_large || served->n_searches > served->searches_max);
}

void served_count_search(void)
{
	if (served)
		served->n_searches++;
}

/* ----------------------------------------------------------------------------------- output */

void served_limit_document(struct served *s)
{
	if (s->document.n <= s->document_max_bytes)
		return;
	s->is_too_large = true;
	pq_buf_free(&s->document);
}

void served_add_error(struct served *s, const struct pmuq_error *error)
{
	const struct shown_error shown = { .error = error };
	cleanup(pq_buf_free) struct pq_buf scratch = PQ_BUF_NULL;
	struct pq_sink *sink;

	if (s->error.n)
		return;
	sink = or_die(pq_sink_json(&s->error, 0));
	record_write(sink, &error_record, &shown, &scratch);
	done_or_die(!sink->failed && !s->error.failed);
	pq_sink_free(sink);
}

void served_add_report(struct served *s, const char *format, va_list args)
{
	char *text = print_args_or_die(format, args);

	if (s->reports.n < REPORTS_MAX)
		push_or_die(&s->reports, text);
	else
		free(text);
}

/* --------------------------------------------------------------------------- sources of names */

int pfm_open(struct pmuq_pfm **ret, struct pmuq_error **reterr)
{
	int r = 0;

	if (!served)
		return pmuq_pfm_open(NULL, ret, reterr);
	if (!served->pfm)
		r = pmuq_pfm_open(NULL, &served->pfm, reterr);
	*ret = served->pfm;
	return r;
}

void pfm_closep(struct pmuq_pfm **pfm)
{
	if (!served || *pfm != served->pfm)
		pmuq_pfm_freep(pfm);
}

struct pmuq_vendor *served_vendor(const char *cpuid)
{
	return served && served->vendor && strcmp(served->vendor_cpuid, cpuid) == 0 ? served->vendor
										    : NULL;
}

/* The newest alone: no request uses two. */
void served_keep_vendor(const char *cpuid, struct pmuq_vendor *vendor)
{
	if (!served)
		return;
	pmuq_vendor_free(served->vendor);
	free(served->vendor_cpuid);
	served->vendor = vendor;
	served->vendor_cpuid = or_die(strdup(cpuid));
}

void vendor_closep(struct pmuq_vendor **vendor)
{
	if (!served || *vendor != served->vendor)
		pmuq_vendor_freep(vendor);
}
