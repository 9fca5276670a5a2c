/* SPDX-License-Identifier: MIT */
/*
 * The forms in which results are printed, a row each, and the short forms hex and bytes. Those
 * contain the attrs only; errors, warnings and refusals go to stderr. Text: encode_text.c; C:
 * encode_c.c; documents: the record of the command (event_records.h).
 */
#include "cli/events/encode_output.h"
#include <assert.h>
#include <unistd.h>

static void report_location(const struct result *result)
{
	fflush(stdout);
	if (result->file)
		print_location(stderr, result->file, result->line);
}

static void report_warning(const struct result *result, const struct pmuq_error *warning)
{
	report_location(result);
	report_draw(stderr, REPORT_WARNING, warning, result->input, "");
}

static void report_refusal(const struct result *result, const struct fold *fold)
{
	const struct pmuq_open_result *open = pmuq_open_results_get(fold->opens, fold->first);

	if (!open || open->status != PMUQ_REFUSED)
		return;
	report_location(result);
	report(REPORT_WARNING, "%s: the kernel refuses it: %s (%d), %s%s%s",
	       fold_get(fold, 0)->name.p, pmuq_errno_name(open->errnum), open->errnum,
	       open->reason.p, open->hint.n ? "; " : "", open->hint.n ? open->hint.p : "");
}

/* Instances that differ only in name and type have the same warnings: they are reported once. */
static bool report_all(const struct result *result)
{
	struct fold fold = { .encodings = result->encodings, .opens = result->opens };

	if (!result->encodings)
		encode_report_error(result);
	while (fold_next(&fold)) {
		const struct pmuq_encoding *encoding = fold_get(&fold, 0);
		const struct pmuq_error *warning;

		for (size_t i = 0; i < encoding->n_warnings; i++)
			report_warning(result, pmuq_encoding_warning(encoding, i));
		for (size_t i = 0; (warning = result_fit_warning(result, fold.first, i)); i++)
			report_warning(result, warning);
		report_refusal(result, &fold);
	}
	return result->encodings;
}

/* One line for each encoding, so that lines and --jsonl can be read in parallel. */
static void write_hex(struct encode_output *output, const struct result *result)
{
	const struct pmuq_encoding *encoding;

	(void)output;
	for (size_t i = 0; (encoding = pmuq_encodings_get(result->encodings, i)); i++) {
		char line[2 * PMUQ_ATTR_SIZE_MAX + 1];
		size_t n = pq_hex_print(line, encoding->attr, encoding->attr->size);

		line[n++] = '\n';
		fwrite_unlocked(line, 1, n, stdout);
	}
}

static void write_bytes(struct encode_output *output, const struct result *result)
{
	const struct pmuq_encoding *encoding;

	(void)output;
	for (size_t i = 0; (encoding = pmuq_encodings_get(result->encodings, i)); i++)
		fwrite_unlocked(encoding->attr, 1, encoding->attr->size, stdout);
}

static void write_text(struct encode_output *output, const struct result *result)
{
	bool is_first = output->n_results == 0;

	if (output->type->print)
		output->type->print(result, is_first);
	else
		encode_write_text(result, output->type, is_first);
}

static void write_document(struct encode_output *output, const struct result *result)
{
	document_row(&output->document, result);
}

/* By the option that selects the form; the first row is the default. */
static const struct encode_form {
	enum option option;
	bool is_text; /* errors are printed in it; otherwise they are reported */
	void (*write)(struct encode_output *output, const struct result *result);
} forms[] = {
	{ .is_text = true, .write = write_text },
	{ .option = OPTION_C, .write = encode_write_c },
	{ .option = OPTION_HEX, .write = write_hex },
	{ .option = OPTION_BYTES, .write = write_bytes },
}, document_form = { .is_text = true, .write = write_document };

/* The form that the command line selects. */
static const struct encode_form *form_of(const struct options *options)
{
	size_t i = 0;

	if (options->output.form != DOCUMENT_NONE)
		return &document_form;
	while (i < COUNT(forms) && forms[i].option != options->form)
		i++;
	assert(i < COUNT(forms)); /* otherwise the option has no row */
	return &forms[i];
}

bool encode_is_text(const struct options *options)
{
	return form_of(options)->is_text;
}

enum status encode_begin(struct encode_output *output, const struct options *options)
{
	bool is_compact = option_is_set(options, OPTION_COMPACT);

	output->options = options;
	output->form = form_of(options);
	if (output->form == &document_form)
		return document_begin(&output->document, options->output.form,
				      is_compact ? output->type->compact : output->type->document,
				      NULL);
	if (is_compact)
		return usage_error("--compact needs --json, --jsonl or --yaml");
	/* Bytes could confuse a terminal. */
	if (options->form == OPTION_BYTES && isatty(STDOUT_FILENO))
		return usage_error("--bytes does not write to a terminal: redirect stdout");
	return STATUS_OK;
}

void encode_print(struct encode_output *output, const struct result *result)
{
	if (output->form->is_text || report_all(result))
		output->form->write(output, result);
	output->n_results++;
}

enum status encode_end(struct encode_output *output)
{
	identifiers_clear(&output->names);
	return output->form == &document_form ? document_end(&output->document, output->tail)
					      : STATUS_OK;
}
