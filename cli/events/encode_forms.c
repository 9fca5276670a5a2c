/* SPDX-License-Identifier: MIT */
#include "cli/events/encode_forms.h"
#include "cli/options.h"
#include <unistd.h>

static void write_text(struct encode_output *output, const struct result *result)
{
	encode_write_text(result, output->type, output->n_results == 0);
}

static enum status begin_document(struct encode_output *output)
{
	return document_begin(&output->document, output->document_form, output->type->document,
			      NULL);
}

static void write_document(struct encode_output *output, const struct result *result)
{
	document_row(&output->document, result);
}

static enum status end_document(struct encode_output *output)
{
	return document_end(&output->document, NULL);
}

static void write_c(struct encode_output *output, const struct result *result)
{
	encode_report_all(result);
	if (result->encodings && !encode_write_c(&output->c, result))
		output->status = STATUS_FAILED;
}

static enum status end_c(struct encode_output *output)
{
	encode_c_clear(&output->c);
	return STATUS_OK;
}

static void write_hex(struct encode_output *output, const struct result *result)
{
	(void)output;
	encode_report_all(result);
	if (result->encodings)
		encode_write_hex(result);
}

static enum status begin_bytes(struct encode_output *output)
{
	if (!isatty(STDOUT_FILENO))
		return STATUS_OK;
	return usage_error(output->command,
			   "--bytes does not write to a terminal: redirect stdout");
}

static void write_bytes(struct encode_output *output, const struct result *result)
{
	(void)output;
	encode_report_all(result);
	if (result->encodings)
		encode_write_bytes(result);
}

static const struct {
	enum status (*begin)(struct encode_output *output); /* NULL: nothing to do, as of `end` */
	void (*write)(struct encode_output *output, const struct result *result);
	enum status (*end)(struct encode_output *output);
} forms[] = {
	[ENCODE_TEXT] = { .write = write_text },
	[ENCODE_DOCUMENT] = { .begin = begin_document,
			      .write = write_document,
			      .end = end_document },
	[ENCODE_C] = { .write = write_c, .end = end_c },
	[ENCODE_HEX] = { .write = write_hex },
	[ENCODE_BYTES] = { .begin = begin_bytes, .write = write_bytes },
};

enum status encode_begin(struct encode_output *output)
{
	if (output->document_form != DOCUMENT_NONE)
		output->form = ENCODE_DOCUMENT;
	return forms[output->form].begin ? forms[output->form].begin(output) : STATUS_OK;
}

void encode_print(struct encode_output *output, const struct result *result)
{
	forms[output->form].write(output, result);
	output->n_results++;
}

enum status encode_end(struct encode_output *output)
{
	enum status status = forms[output->form].end ? forms[output->form].end(output) : STATUS_OK;

	return status_worse(status, output->status);
}
