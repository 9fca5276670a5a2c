/* SPDX-License-Identifier: MIT */
#include "cli/events/encode_forms.h"
#include "cli/options.h"
#include "cli/output/yaml_doc.h"
#include <unistd.h>

static void write_text(struct output *output, const struct answer *answer)
{
	encode_write_text(answer, output->kind, output->n_answers == 0);
}

static int begin_json(struct output *output)
{
	json_init(&output->json, stdout);
	printf("{\"schema\":\"%s\",\"inputs\":[\n", output->kind->schema);
	return STATUS_OK;
}

static void write_json(struct output *output, const struct answer *answer)
{
	if (output->n_answers > 0)
		fputs(",\n", stdout);
	json_begin(&output->json);
	encode_write_document(&output->json.doc, answer, output->kind);
}

static int end_json(struct output *output)
{
	fputs(output->n_answers ? "\n]}\n" : "]}\n", stdout);
	return STATUS_OK;
}

static int begin_jsonl(struct output *output)
{
	json_init(&output->json, stdout);
	return STATUS_OK;
}

static void write_jsonl(struct output *output, const struct answer *answer)
{
	json_begin(&output->json);
	encode_write_document(&output->json.doc, answer, output->kind);
	putc_unlocked('\n', stdout);
}

static int begin_yaml(struct output *output)
{
	struct doc *doc;

	output->yaml = yaml_new(stdout);
	if (!output->yaml)
		return STATUS_FAILED;
	doc = yaml_doc(output->yaml);
	doc_open(doc, '{');
	doc_key(doc, "schema");
	doc_string(doc, output->kind->schema);
	doc_key(doc, "inputs");
	doc_open(doc, '[');
	return STATUS_OK;
}

static void write_yaml(struct output *output, const struct answer *answer)
{
	encode_write_document(yaml_doc(output->yaml), answer, output->kind);
}

static int end_yaml(struct output *output)
{
	struct doc *doc = yaml_doc(output->yaml);
	bool is_whole;

	doc_close(doc, ']');
	doc_close(doc, '}');
	is_whole = yaml_end(output->yaml);
	yaml_free(output->yaml);
	return is_whole ? STATUS_OK : STATUS_FAILED;
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
	[FORM_JSON] = { .begin = begin_json, .write = write_json, .end = end_json },
	[FORM_JSONL] = { .begin = begin_jsonl, .write = write_jsonl },
	[FORM_YAML] = { .begin = begin_yaml, .write = write_yaml, .end = end_yaml },
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
