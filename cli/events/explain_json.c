/* SPDX-License-Identifier: MIT */
/* The member "assignments" of an encoding, in JSON and YAML: schemas/explain.schema.json. */
#include "cli/events/explain_output.h"

static void write_place(struct pq_sink *doc, const struct pmuq_assignment *assignment)
{
	doc_text(doc, "from", pmuq_cause_name(assignment->cause));
	doc_text_if(doc, "event", assignment->event.p);
	doc_text_if(doc, "origin", assignment->origin.p);
	doc_text_if(doc, "input", assignment->input.p);
	doc_key(doc, "offset");
	pq_sink_number(doc, (int64_t)assignment->offset);
	doc_key(doc, "length");
	pq_sink_number(doc, (int64_t)assignment->length);
}

static void write_assignment(struct pq_sink *doc, const struct pmuq_assignment *assignment)
{
	doc_open(doc, '{');
	doc_text(doc, "term", assignment->term.p);
	doc_text(doc, "field", assignment->field.p);
	doc_key(doc, "mask");
	pq_sink_word(doc, assignment->mask);
	doc_key(doc, "value");
	pq_sink_word(doc, assignment->value);
	doc_key(doc, "number");
	pq_sink_word(doc, assignment->number);
	doc_text_if(doc, "format", assignment->format.p);
	write_place(doc, assignment);
	doc_key(doc, "overridden");
	pq_sink_bool(doc, assignment->is_overridden);
	doc_close(doc, '}');
}

void explain_write(struct pq_sink *doc, const struct pmuq_encoding *encoding)
{
	doc_key(doc, "assignments");
	doc_open(doc, '[');
	for (size_t i = 0; i < encoding->n_assignments; i++)
		write_assignment(doc, pmuq_encoding_assignment(encoding, i));
	doc_close(doc, ']');
}
