/* SPDX-License-Identifier: MIT */
/* What `pmuq encode` says of an encoding besides what it is: whether the kernel opens it. */
#include "cli/events/encode_output.h"
#include "cli/output/label.h"
#include <string.h>

static void write_opened(struct pq_sink *doc, const struct pmuq_open_results *verdicts,
			 size_t index)
{
	const char *cpus = pmuq_open_results_get(verdicts, index)->cpus.p;
	/* "-1" or "8", and neither "0,8" nor "0-3" */
	bool is_one = *cpus && cpus[1 + strspn(cpus + 1, "0123456789")] == 0;

	doc_text(doc, "status", "opened");
	doc_key(doc, "pid");
	pq_sink_number(doc, pmuq_open_results_get(verdicts, index)->pid);
	if (!is_one) {
		doc_text(doc, "cpus", cpus);
		return;
	}
	doc_key(doc, "cpu");
	pq_sink_bare(doc, str_of(cpus));
}

static void write_refused(struct pq_sink *doc, const struct pmuq_open_results *verdicts,
			  size_t index)
{
	int errnum = pmuq_open_results_get(verdicts, index)->errnum;

	doc_text(doc, "status", "refused");
	doc_key(doc, "errno");
	pq_sink_number(doc, errnum);
	doc_text(doc, "errno_name", pmuq_errno_name(errnum));
	doc_text(doc, "reason", pmuq_open_results_get(verdicts, index)->reason.p);
	doc_text_if(doc, "hint", pmuq_open_results_get(verdicts, index)->hint.p);
	doc_text_if(doc, "change", pmuq_open_results_get(verdicts, index)->change.p);
}

static void write_open(struct pq_sink *doc, const struct answer *answer, size_t index)
{
	const struct pmuq_open_results *verdicts = answer->verdicts;
	enum pmuq_open_status status =
		verdicts ? pmuq_open_results_get(verdicts, index)->status : PMUQ_SKIPPED;

	doc_key(doc, "open");
	doc_open(doc, '{');
	if (status == PMUQ_OPENED) {
		write_opened(doc, verdicts, index);
	} else if (status == PMUQ_REFUSED) {
		write_refused(doc, verdicts, index);
	} else {
		doc_text(doc, "status", "skipped");
		doc_text(doc, "reason",
			 verdicts ? pmuq_open_results_get(verdicts, index)->reason.p
				  : answer->skipped);
	}
	doc_close(doc, '}');
}

static void print_refusal(FILE *to, const struct pmuq_open_results *verdicts, size_t index)
{
	int errnum = pmuq_open_results_get(verdicts, index)->errnum;
	const char *hint = pmuq_open_results_get(verdicts, index)->hint.p;
	const char *change = pmuq_open_results_get(verdicts, index)->change.p;

	fprintf(to, "%srefuses%s: %s (%d), ", style_code(to, STYLE_ERROR),
		style_code(to, STYLE_NONE), pmuq_errno_name(errnum), errnum);
	print_safe(to, pmuq_open_results_get(verdicts, index)->reason.p);
	putc('\n', to);
	if (change)
		fprintf(to, "%*sopens %s%s\n", LABEL_COLUMNS, "",
			/* Modifiers to add stand as they are written. */
			*change == ':' ? "with " : "", change);
	if (!hint)
		return;
	fprintf(to, "%*shint: ", LABEL_COLUMNS, "");
	print_safe(to, hint);
	putc('\n', to);
}

static void print_place(FILE *to, int pid, const char *cpus)
{
	if (pid == 0)
		fprintf(to, "for a task");
	else if (pid > 0)
		fprintf(to, "for process %d", pid);
	if (strcmp(cpus, "-1") != 0)
		fprintf(to, "%son cpus %s", pid >= 0 ? " " : "", cpus);
	putc('\n', to);
}

static void print_verdict(FILE *to, const struct answer *answer, const struct fold *fold)
{
	const struct pmuq_open_results *verdicts = answer->verdicts;
	size_t index = fold->first;

	if (!verdicts)
		return;
	label_begin(to, "kernel");
	switch (pmuq_open_results_get(verdicts, index)->status) {
	case PMUQ_OPENED:
		fprintf(to, "%sopens%s it ", style_code(to, STYLE_GOOD),
			style_code(to, STYLE_NONE));
		print_place(to, pmuq_open_results_get(verdicts, index)->pid,
			    pmuq_open_results_get(verdicts, index)->cpus.p);
		break;
	case PMUQ_REFUSED:
		print_refusal(to, verdicts, index);
		break;
	case PMUQ_SKIPPED:
		fprintf(to, "not asked: ");
		print_safe(to, pmuq_open_results_get(verdicts, index)->reason.p);
		putc('\n', to);
		break;
	}
}

const struct answer_kind encode_kind = {
	.schema = "pmuq.encode/1",
	.write_more = write_open,
	.print_more = print_verdict,
};
