/* SPDX-License-Identifier: MIT */
/*
 * The element that an answer is in JSON and in YAML: schemas/encode.schema.json and
 * schemas/explain.schema.json. Fields in a fixed order, told once for all.
 */
#include "cli/events/encode_output.h"
#include <string.h>

static void write_code(struct pq_sink *doc, enum pmuq_code code)
{
	char text[16];

	snprintf(text, sizeof(text), "PMUQ-%03d", code);
	doc_text(doc, "code", text);
}

/* An error or a warning, open at its end; `input` is what the span points into unless it says. */
static void begin_diagnosis(struct pq_sink *doc, const struct diagnosis *diagnosis,
			    const char *input)
{
	doc_open(doc, '{');
	write_code(doc, diagnosis->code);
	doc_text(doc, "name", pmuq_code_name(diagnosis->code));
	doc_text(doc, "message", diagnosis->message);
	doc_key(doc, "offset");
	pq_sink_number(doc, (int64_t)diagnosis->offset);
	doc_key(doc, "length");
	pq_sink_number(doc, (int64_t)diagnosis->length);
	doc_text_if(doc, "hint", diagnosis->hint);
	doc_text_if(doc, "origin", diagnosis->origin);
	if (diagnosis->input && strcmp(diagnosis->input, input) != 0)
		doc_text(doc, "input", diagnosis->input);
}

static void write_error(struct pq_sink *doc, const struct answer *answer)
{
	doc_key(doc, "error");
	begin_diagnosis(doc, &answer->error, answer->input);
	if (answer->file) {
		auto_free char *at = NULL;

		if (asprintf(&at, "%s:%zu", answer->file, answer->line) >= 0)
			doc_text(doc, "at", at);
	}
	doc_close(doc, '}');
}

static void write_probe(struct pq_sink *doc, const struct pmuq_encoding *encoding)
{
	const char *text = encoding->probe_text.p;

	if (!text)
		return;
	doc_key(doc, "probe");
	doc_open(doc, '{');
	doc_text(doc, "field", encoding->probe_field.p);
	doc_text(doc, "text", text);
	doc_close(doc, '}');
}

static void write_group(struct pq_sink *doc, const struct pmuq_encoding *encoding)
{
	doc_key(doc, "group");
	if (!encoding->n_members) {
		pq_sink_null(doc);
		return;
	}
	doc_open(doc, '{');
	doc_key(doc, "leader");
	pq_sink_number(doc, (int64_t)encoding->leader);
	doc_key(doc, "members");
	pq_sink_number(doc, (int64_t)encoding->n_members);
	if (encoding->group_name.n)
		doc_text(doc, "name", encoding->group_name.p);
	doc_close(doc, '}');
}

static void write_deferred(struct pq_sink *doc, const struct pmuq_encoding *encoding)
{
	doc_key(doc, "deferred");
	doc_open(doc, '{');
	for (size_t i = 0; i < encoding->n_tool_terms; i++) {
		const char *text = pmuq_encoding_tool_term(encoding, i)->text.p;

		doc_key(doc, pmuq_encoding_tool_term(encoding, i)->name.p);
		if (pmuq_encoding_tool_term(encoding, i)->is_number)
			pq_sink_bare(doc, str_of(text));
		else
			doc_string(doc, text);
	}
	doc_close(doc, '}');
}

static void write_warnings(struct pq_sink *doc, const struct pmuq_encoding *encoding,
			   const char *input)
{
	doc_key(doc, "warnings");
	doc_open(doc, '[');
	for (size_t i = 0; i < encoding->n_warnings; i++) {
		struct diagnosis warning = diagnosis_of(pmuq_encoding_warning(encoding, i));

		begin_diagnosis(doc, &warning, input);
		doc_close(doc, '}');
	}
	doc_close(doc, ']');
}

static void write_claim(struct pq_sink *doc, const char *key, bool value)
{
	doc_key(doc, key);
	pq_sink_bool(doc, value);
}

static void write_encoding(struct pq_sink *doc, const struct answer *answer, size_t index,
			   const struct answer_kind *kind)
{
	const struct pmuq_encoding *encoding = pmuq_encodings_get(answer->encodings, index);

	doc_open(doc, '{');
	doc_text(doc, "name", encoding->name.p);
	doc_key(doc, "pmu");
	doc_string_or_null(doc, encoding->pmu.p);
	doc_text(doc, "source", pmuq_origin_name(encoding->origin));
	doc_attr(doc, encoding->attr);
	doc_key(doc, "attr_hex");
	pq_sink_hex(doc, encoding->attr, encoding->attr->size);
	write_probe(doc, encoding);
	doc_text(doc, "cpus", encoding->cpus.p);
	doc_text(doc, "unit", encoding->unit.p);
	doc_text(doc, "scale", encoding->scale.p);
	write_claim(doc, "per_pkg", encoding->is_per_pkg);
	write_claim(doc, "snapshot", encoding->is_snapshot);
	write_group(doc, encoding);
	write_deferred(doc, encoding);
	write_warnings(doc, encoding, answer->input);
	kind->write_more(doc, answer, index);
	doc_close(doc, '}');
}

void encode_write_document(struct pq_sink *doc, const struct answer *answer,
			   const struct answer_kind *kind)
{
	doc_open(doc, '{');
	doc_text(doc, "input", answer->input);
	write_claim(doc, "ok", answer->encodings != NULL);
	if (answer->encodings) {
		doc_key(doc, "encodings");
		doc_open(doc, '[');
		for (size_t i = 0; i < pmuq_encodings_count(answer->encodings); i++)
			write_encoding(doc, answer, i, kind);
		doc_close(doc, ']');
	} else {
		write_error(doc, answer);
	}
	doc_close(doc, '}');
}
