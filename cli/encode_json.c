/* SPDX-License-Identifier: MIT */
/* The element that an answer is in JSON: schemas/encode.schema.json. Fields in a fixed order. */
#include "cli/encode.h"
#include <string.h>

static void write_text(struct json *json, const char *key, const char *text)
{
	json_key(json, key);
	json_string(json, text ? text : "");
}

static void write_text_if(struct json *json, const char *key, const char *text)
{
	if (text)
		write_text(json, key, text);
}

static void write_code(struct json *json, enum pmuq_code code)
{
	char text[16];

	snprintf(text, sizeof(text), "PMUQ-%03d", code);
	write_text(json, "code", text);
}

/* An error or a warning, open at its end; `input` is what the span points into unless it says. */
static void begin_diagnosis(struct json *json, const struct diagnosis *diagnosis, const char *input)
{
	json_open(json, '{');
	write_code(json, diagnosis->code);
	write_text(json, "name", pmuq_code_name(diagnosis->code));
	write_text(json, "message", diagnosis->message);
	json_key(json, "offset");
	json_number(json, (int64_t)diagnosis->offset);
	json_key(json, "length");
	json_number(json, (int64_t)diagnosis->length);
	write_text_if(json, "hint", diagnosis->hint);
	write_text_if(json, "origin", diagnosis->origin);
	if (diagnosis->input && strcmp(diagnosis->input, input) != 0)
		write_text(json, "input", diagnosis->input);
}

static void write_error(struct json *json, const struct answer *answer)
{
	json_key(json, "error");
	begin_diagnosis(json, &answer->error, answer->input);
	if (answer->file) {
		auto_free char *at = NULL;

		if (asprintf(&at, "%s:%zu", answer->file, answer->line) >= 0)
			write_text(json, "at", at);
	}
	json_close(json, '}');
}

/* `type` and `size` are always told. */
#define ALWAYS_TOLD_BYTES 8

static void write_attr(struct json *json, const struct pmuq_attr *attr)
{
	const char *name;

	json_key(json, "attr");
	json_open(json, '{');
	for (unsigned i = 0; (name = pmuq_attr_field_name(i)); i++) {
		uint64_t value = pmuq_attr_field_get(attr, i);

		if (!value && pmuq_attr_field_end(i) > ALWAYS_TOLD_BYTES)
			continue;
		json_key(json, name);
		if (pmuq_attr_field_kind(i) == PMUQ_FIELD_WORD)
			json_word(json, value);
		else
			json_number(json, (int64_t)value);
	}
	json_close(json, '}');
	json_key(json, "attr_hex");
	json_bytes(json, attr, attr->size);
}

static void write_group(struct json *json, const struct pmuq_encoding *encoding)
{
	size_t leader, members;
	const char *name = NULL;

	json_key(json, "group");
	if (!pmuq_encoding_group(encoding, &leader, &members, &name)) {
		json_null(json);
		return;
	}
	json_open(json, '{');
	json_key(json, "leader");
	json_number(json, (int64_t)leader);
	json_key(json, "members");
	json_number(json, (int64_t)members);
	if (name && *name)
		write_text(json, "name", name);
	json_close(json, '}');
}

static void write_deferred(struct json *json, const struct pmuq_encoding *encoding)
{
	json_key(json, "deferred");
	json_open(json, '{');
	for (size_t i = 0; i < pmuq_encoding_deferred_count(encoding); i++) {
		const char *text = pmuq_encoding_deferred_text(encoding, i);

		json_key(json, pmuq_encoding_deferred_name(encoding, i));
		if (pmuq_encoding_deferred_is_number(encoding, i))
			json_literal(json, text);
		else
			json_string(json, text);
	}
	json_close(json, '}');
}

static void write_warnings(struct json *json, const struct pmuq_encoding *encoding,
			   const char *input)
{
	json_key(json, "warnings");
	json_open(json, '[');
	for (size_t i = 0; i < pmuq_encoding_warning_count(encoding); i++) {
		struct diagnosis warning = diagnosis_of(pmuq_encoding_warning(encoding, i));

		begin_diagnosis(json, &warning, input);
		json_close(json, '}');
	}
	json_close(json, ']');
}

static void write_opened(struct json *json, const struct pmuq_verdicts *verdicts, size_t index)
{
	const char *cpus = pmuq_verdict_cpus(verdicts, index);
	/* "-1" or "8", and neither "0,8" nor "0-3" */
	bool is_one = *cpus && cpus[1 + strspn(cpus + 1, "0123456789")] == 0;

	write_text(json, "status", "opened");
	json_key(json, "pid");
	json_number(json, pmuq_verdict_pid(verdicts, index));
	if (!is_one) {
		write_text(json, "cpus", cpus);
		return;
	}
	json_key(json, "cpu");
	json_literal(json, cpus);
}

static void write_refused(struct json *json, const struct pmuq_verdicts *verdicts, size_t index)
{
	int errnum = pmuq_verdict_errno(verdicts, index);

	write_text(json, "status", "refused");
	json_key(json, "errno");
	json_number(json, errnum);
	write_text(json, "errno_name", pmuq_errno_name(errnum));
	write_text(json, "reason", pmuq_verdict_reason(verdicts, index));
	write_text_if(json, "hint", pmuq_verdict_hint(verdicts, index));
	write_text_if(json, "change", pmuq_verdict_change(verdicts, index));
}

static void write_open(struct json *json, const struct answer *answer, size_t index)
{
	const struct pmuq_verdicts *verdicts = answer->verdicts;
	enum pmuq_open_status status =
		verdicts ? pmuq_verdict_status(verdicts, index) : PMUQ_SKIPPED;

	json_key(json, "open");
	json_open(json, '{');
	if (status == PMUQ_OPENED) {
		write_opened(json, verdicts, index);
	} else if (status == PMUQ_REFUSED) {
		write_refused(json, verdicts, index);
	} else {
		write_text(json, "status", "skipped");
		write_text(json, "reason",
			   verdicts ? pmuq_verdict_reason(verdicts, index) : answer->skipped);
	}
	json_close(json, '}');
}

static void write_claim(struct json *json, const char *key, bool value)
{
	json_key(json, key);
	json_bool(json, value);
}

static void write_encoding(struct json *json, const struct answer *answer, size_t index)
{
	const struct pmuq_encoding *encoding = pmuq_encodings_get(answer->encodings, index);

	json_open(json, '{');
	write_text(json, "name", pmuq_encoding_name(encoding));
	json_key(json, "pmu");
	json_string_or_null(json, pmuq_encoding_pmu(encoding));
	write_text(json, "source", pmuq_origin_name(pmuq_encoding_origin(encoding)));
	write_attr(json, pmuq_encoding_attr(encoding));
	write_text(json, "cpus", pmuq_encoding_cpus(encoding));
	write_text(json, "unit", pmuq_encoding_unit(encoding));
	write_text(json, "scale", pmuq_encoding_scale(encoding));
	write_claim(json, "per_pkg", pmuq_encoding_is_per_pkg(encoding));
	write_claim(json, "snapshot", pmuq_encoding_is_snapshot(encoding));
	write_group(json, encoding);
	write_deferred(json, encoding);
	write_warnings(json, encoding, answer->input);
	write_open(json, answer, index);
	json_close(json, '}');
}

void encode_write_json(struct json *json, const struct answer *answer)
{
	json_open(json, '{');
	write_text(json, "input", answer->input);
	write_claim(json, "ok", answer->encodings != NULL);
	if (answer->encodings) {
		json_key(json, "encodings");
		json_open(json, '[');
		for (size_t i = 0; i < pmuq_encodings_count(answer->encodings); i++)
			write_encoding(json, answer, i);
		json_close(json, ']');
	} else {
		write_error(json, answer);
	}
	json_close(json, '}');
}
