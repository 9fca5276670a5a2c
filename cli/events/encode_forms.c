/* SPDX-License-Identifier: MIT */
#include "cli/events/encode_forms.h"
#include "cli/options.h"
#include <unistd.h>

static void write_text(struct output *output, const struct answer *answer)
{
	encode_write_text(answer, output->kind, output->n_answers == 0);
}

/* The form of a document that an output form is. */
static enum document_form document_form_of(const struct output *output)
{
	static const enum document_form forms[] = {
		[FORM_JSON] = DOCUMENT_JSON,
		[FORM_JSONL] = DOCUMENT_JSONL,
		[FORM_YAML] = DOCUMENT_YAML,
	};

	return forms[output->form];
}

static int begin_document(struct output *output)
{
	int status =
		document_begin(&output->document, document_form_of(output), output->kind->schema);

	if (status == STATUS_OK)
		document_begin_rows(&output->document, "inputs");
	return status;
}

static void write_document(struct output *output, const struct answer *answer)
{
	document_begin_row(&output->document);
	encode_write_document(output->document.sink, answer, output->kind);
	document_end_row(&output->document);
}

static int end_document(struct output *output)
{
	document_end_rows(&output->document);
	return document_end(&output->document);
}

static void write_c(struct output *output, const struct answer *answer)
{
	encode_report_talk(answer);
	if (answer->encodings && !encode_write_c(&output->c, answer))
		output->status = STATUS_FAILED;
}

static int end_c(struct output *output)
{
	encode_c_clear(&output->c);
	return STATUS_OK;
}

static void write_hex(struct output *output, const struct answer *answer)
{
	(void)output;
	encode_report_talk(answer);
	if (answer->encodings)
		encode_write_hex(answer);
}

static int begin_raw(struct output *output)
{
	if (!isatty(STDOUT_FILENO))
		return STATUS_OK;
	return usage_error(output->command,
			   "--raw writes bytes, and stdout is a terminal: send them elsewhere");
}

static void write_raw(struct output *output, const struct answer *answer)
{
	(void)output;
	encode_report_talk(answer);
	if (answer->encodings)
		encode_write_raw(answer);
}

static const struct {
	int (*begin)(struct output *output); /* NULL: nothing to do, as of `end` */
	void (*write)(struct output *output, const struct answer *answer);
	int (*end)(struct output *output);
} forms[] = {
	[FORM_TEXT] = { .write = write_text },
	[FORM_JSON] = { .begin = begin_document, .write = write_document, .end = end_document },
	[FORM_JSONL] = { .begin = begin_document, .write = write_document, .end = end_document },
	[FORM_YAML] = { .begin = begin_document, .write = write_document, .end = end_document },
	[FORM_C] = { .write = write_c, .end = end_c },
	[FORM_HEX] = { .write = write_hex },
	[FORM_RAW] = { .begin = begin_raw, .write = write_raw },
};

int output_begin(struct output *output)
{
	return forms[output->form].begin ? forms[output->form].begin(output) : STATUS_OK;
}

void output_answer(struct output *output, const struct answer *answer)
{
	forms[output->form].write(output, answer);
	output->n_answers++;
}

int output_end(struct output *output)
{
	int status = forms[output->form].end ? forms[output->form].end(output) : STATUS_OK;

	return status_worse(status, output->status);
}
