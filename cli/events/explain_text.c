/* SPDX-License-Identifier: MIT */
/* `pmuq explain` as text: the event's file, its config words, its assignments. */
#include "cli/events/explain_output.h"
#include "cli/output/label.h"

/* The first assignment that came from an event's file; an encoding has one such file at most. */
static const struct pmuq_assignment *of_event(const struct pmuq_encoding *encoding)
{
	for (size_t i = 0; i < encoding->n_assignments; i++) {
		const struct pmuq_assignment *a = pmuq_encoding_assignment(encoding, i);

		if (a->cause == PMUQ_CAUSE_EVENT)
			return a;
	}
	return NULL;
}

static void print_event(FILE *to, const struct fold *fold)
{
	const struct pmuq_assignment *a = of_event(fold_get(fold, 0));
	auto_free char *origin = NULL;
	struct label_line line;

	if (!a)
		return;
	origin = explain_origin(fold, a->origin.p);
	line = label_begin(to, "event");
	label_print(&line, "%s of %s", a->event.p, origin ? origin : "?");
	label_end(&line);
	line = label_begin(to, "terms");
	label_word(&line, a->input.p);
	label_end(&line);
}

static void print_explained(FILE *to, const struct result *result, const struct fold *fold)
{
	print_event(to, fold);
	explain_draw(to, result->source, fold_get(fold, 0));
	explain_print_table(to, fold);
}

const struct result_type explain_type = {
	.document = &explain_document,
	.print_more = print_explained,
};
