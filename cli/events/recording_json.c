/* SPDX-License-Identifier: MIT */
/* What a recording says, as an object (schemas/decode.schema.json, "recording"). */
#include "cli/events/decode_output.h"
#include "cli/events/recorded.h"

static void write_number(struct pq_sink *doc, const char *key, uint64_t value)
{
	doc_key(doc, key);
	pq_sink_number(doc, (int64_t)value);
}

static void write_flag(struct pq_sink *doc, const char *key, bool value)
{
	doc_key(doc, key);
	pq_sink_bool(doc, value);
}

static void write_maybe(struct pq_sink *doc, const char *key, const char *text)
{
	doc_key(doc, key);
	doc_string_or_null(doc, text);
}

static void write_event(struct pq_sink *doc, const struct pmuq_recording *recording, size_t event)
{
	doc_open(doc, '{');
	write_maybe(doc, "name", pmuq_recording_event(recording, event)->name.p);
	doc_attr(doc, pmuq_recording_event(recording, event)->attr);
	write_number(doc, "attr_size", pmuq_recording_event(recording, event)->attr_size);
	write_flag(doc, "unknown_tail", pmuq_recording_event(recording, event)->has_unknown_tail);
	doc_text(doc, "unit", pmuq_recording_event(recording, event)->unit.p);
	doc_text(doc, "scale", pmuq_recording_event(recording, event)->scale.p);
	write_number(doc, "leader", pmuq_recording_event(recording, event)->leader);
	write_number(doc, "group_size", pmuq_recording_event(recording, event)->n_members);
	write_maybe(doc, "group_name", pmuq_recording_event(recording, event)->group_name.p);
	doc_key(doc, "ids");
	doc_open(doc, '[');
	for (size_t i = 0; i < pmuq_recording_event(recording, event)->n_ids; i++)
		pq_sink_word(doc, pmuq_recording_event(recording, event)->ids[i]);
	doc_close(doc, ']');
	doc_close(doc, '}');
}

static void write_feature(struct pq_sink *doc, const struct pmuq_recording *recording,
			  size_t feature)
{
	doc_open(doc, '{');
	write_number(doc, "number", pmuq_recording_feature(recording, feature)->number);
	write_maybe(doc, "name", pmuq_recording_feature(recording, feature)->name.p);
	write_number(doc, "bytes", pmuq_recording_feature(recording, feature)->bytes);
	write_flag(doc, "read", pmuq_recording_feature(recording, feature)->is_read);
	doc_key(doc, "values");
	doc_open(doc, '[');
	for (size_t i = 0; i < pmuq_recording_feature(recording, feature)->n_values; i++) {
		doc_open(doc, '{');
		doc_text(doc, "name", pmuq_recording_feature(recording, feature)->values[i].name.p);
		doc_text(doc, "text", pmuq_recording_feature(recording, feature)->values[i].text.p);
		doc_close(doc, '}');
	}
	doc_close(doc, ']');
	doc_close(doc, '}');
}

static void write_problem(struct pq_sink *doc, const struct pmuq_error *problem)
{
	char code[16];

	snprintf(code, sizeof(code), "PMUQ-%03d", problem->code);
	doc_open(doc, '{');
	doc_text(doc, "code", code);
	doc_text(doc, "name", pmuq_code_name(problem->code));
	doc_text(doc, "message", problem->message.p);
	doc_text_if(doc, "hint", problem->hint.p);
	doc_close(doc, '}');
}

static void write_machine(struct pq_sink *doc, const struct recorded_machine *machine)
{
	doc_key(doc, "machine");
	doc_open(doc, '{');
	doc_text(doc, "is", machine->said);
	write_flag(doc, "incomplete", !machine->catalog);
	doc_key(doc, "snapshot");
	if (machine->snapshot)
		pq_sink_number(doc, machine->snapshot);
	else
		pq_sink_null(doc);
	doc_close(doc, '}');
}

void recording_write(struct pq_sink *doc, const struct pmuq_recording *recording,
		     const struct recorded_machine *machine)
{
	bool is_big = pmuq_recording_content(recording)->is_big_endian;

	doc_key(doc, "recording");
	doc_open(doc, '{');
	doc_text(doc, "form", pmuq_recording_content(recording)->is_stream ? "stream" : "file");
	doc_text(doc, "byte_order", is_big ? "big" : "little");
	write_machine(doc, machine);
	doc_key(doc, "features");
	doc_open(doc, '[');
	for (size_t i = 0; i < pmuq_recording_content(recording)->n_features; i++)
		write_feature(doc, recording, i);
	doc_close(doc, ']');
	doc_key(doc, "events");
	doc_open(doc, '[');
	for (size_t i = 0; i < pmuq_recording_content(recording)->n_events; i++)
		write_event(doc, recording, i);
	doc_close(doc, ']');
	doc_key(doc, "problems");
	doc_open(doc, '[');
	for (size_t i = 0; i < pmuq_recording_content(recording)->n_problems; i++)
		write_problem(doc, pmuq_recording_problem(recording, i));
	doc_close(doc, ']');
	doc_close(doc, '}');
}
