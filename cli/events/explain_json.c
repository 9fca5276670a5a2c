/* SPDX-License-Identifier: MIT */
/* The member "assignments" of an encoding, in JSON and YAML: schemas/explain.schema.json. */
#include "cli/events/explain_output.h"

static void write_place(struct pq_sink *doc, const struct pmuq_assignment *assignment)
{
	doc_text(doc, "from", pmuq_cause_name(pmuq_assignment_cause(assignment)));
	doc_text_if(doc, "event", pmuq_assignment_event(assignment));
	doc_text_if(doc, "origin", pmuq_assignment_origin(assignment));
	doc_text_if(doc, "input", pmuq_assignment_input(assignment));
	doc_key(doc, "offset");
	pq_sink_number(doc, (int64_t)pmuq_assignment_offset(assignment));
	doc_key(doc, "length");
	pq_sink_number(doc, (int64_t)pmuq_assignment_length(assignment));
}

static void write_assignment(struct pq_sink *doc, const struct pmuq_assignment *assignment)
{
	doc_open(doc, '{');
	doc_text(doc, "term", pmuq_assignment_term(assignment));
	doc_text(doc, "field", pmuq_assignment_field(assignment));
	doc_key(doc, "mask");
	pq_sink_word(doc, pmuq_assignment_mask(assignment));
	doc_key(doc, "value");
	pq_sink_word(doc, pmuq_assignment_value(assignment));
	doc_key(doc, "number");
	pq_sink_word(doc, pmuq_assignment_number(assignment));
	doc_text_if(doc, "format", pmuq_assignment_format(assignment));
	write_place(doc, assignment);
	doc_key(doc, "overridden");
	pq_sink_bool(doc, pmuq_assignment_is_overridden(assignment));
	doc_close(doc, '}');
}

void explain_write(struct pq_sink *doc, const struct pmuq_encoding *encoding)
{
	doc_key(doc, "assignments");
	doc_open(doc, '[');
	for (size_t i = 0; i < pmuq_encoding_assignment_count(encoding); i++)
		write_assignment(doc, pmuq_encoding_assignment(encoding, i));
	doc_close(doc, ']');
}
