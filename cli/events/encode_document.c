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
	const char *text = pmuq_encoding_probe_text(encoding);

	if (!text)
		return;
	doc_key(doc, "probe");
	doc_open(doc, '{');
	doc_text(doc, "field", pmuq_encoding_probe_field(encoding));
	doc_text(doc, "text", text);
	doc_close(doc, '}');
}

static void write_group(struct pq_sink *doc, const struct pmuq_encoding *encoding)
{
	size_t leader, members;
	const char *name = NULL;

	doc_key(doc, "group");
	if (!pmuq_encoding_group(encoding, &leader, &members, &name)) {
		pq_sink_null(doc);
		return;
	}
	doc_open(doc, '{');
	doc_key(doc, "leader");
	pq_sink_number(doc, (int64_t)leader);
	doc_key(doc, "members");
	pq_sink_number(doc, (int64_t)members);
	if (name && *name)
		doc_text(doc, "name", name);
	doc_close(doc, '}');
}

static void write_deferred(struct pq_sink *doc, const struct pmuq_encoding *encoding)
{
	doc_key(doc, "deferred");
	doc_open(doc, '{');
	for (size_t i = 0; i < pmuq_encoding_deferred_count(encoding); i++) {
		const char *text = pmuq_encoding_deferred_text(encoding, i);

		doc_key(doc, pmuq_encoding_deferred_name(encoding, i));
		if (pmuq_encoding_deferred_is_number(encoding, i))
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
	for (size_t i = 0; i < pmuq_encoding_warning_count(encoding); i++) {
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
	doc_text(doc, "name", pmuq_encoding_name(encoding));
	doc_key(doc, "pmu");
	doc_string_or_null(doc, pmuq_encoding_pmu(encoding));
	doc_text(doc, "source", pmuq_origin_name(pmuq_encoding_origin(encoding)));
	doc_attr(doc, pmuq_encoding_attr(encoding));
	doc_key(doc, "attr_hex");
	pq_sink_hex(doc, pmuq_encoding_attr(encoding), pmuq_encoding_attr(encoding)->size);
	write_probe(doc, encoding);
	doc_text(doc, "cpus", pmuq_encoding_cpus(encoding));
	doc_text(doc, "unit", pmuq_encoding_unit(encoding));
	doc_text(doc, "scale", pmuq_encoding_scale(encoding));
	write_claim(doc, "per_pkg", pmuq_encoding_is_per_pkg(encoding));
	write_claim(doc, "snapshot", pmuq_encoding_is_snapshot(encoding));
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
