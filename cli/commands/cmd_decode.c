/* SPDX-License-Identifier: MIT */
/*
 * `pmuq decode`: turns attrs into the event strings that people write. An attr is hex, a list of
 * fields, JSON of `pmuq encode`, or part of a perf.data file. `pmuq encode -f -` can read the
 * output.
 */
#include "cli/events/decode_output.h"
#include "cli/events/event_strings.h"
#include "cli/events/lines.h"
#include "cli/events/recorded.h"
#include "cli/machine_file.h"
#include "cli/machine_word.h"
#include "cli/or_die.h"
#include "cli/report.h"
#include "cli/served.h"
#include "core/limits.h"
#include <string.h>

/* JSON that spans several lines, until its brackets are closed. */
struct gathering {
	struct pq_buf text;
	size_t n_read; /* bytes of all lines; 0: nothing is gathered */
	size_t depth, from_line;
	bool is_quoted, is_escaped;
};

/* The state of the whole command; `status` is the worst so far. */
struct decode {
	struct decode_request request;
	struct pmuq_source *source;
	enum document_form form;
	struct gathering gathering;
	bool is_joined; /* the attr consists of several words of the command line */
	struct document document;
	enum status status;
};

static void print_row(struct decode *decode, const struct decoded *row)
{
	document_row(&decode->document, row);
}

/* In a document, an error is a row like the others, so that a script finds it next to its input. */
static void refuse(struct decode *decode, const char *text, const struct pmuq_error *error,
		   const char *where)
{
	const struct decoded row = { .text = text, .error = error, .where = where };

	decode->status = status_worse(decode->status, report_status(error->code));
	if (decode->form != DOCUMENT_NONE) {
		print_row(decode, &row);
		return;
	}
	fflush(stdout);
	if (where)
		print_location(stderr, where, 0);
	report_draw(stderr, REPORT_ERROR, error, text, "");
}

/* The second word may be meant as another attr. */
static void refuse_attr(struct decode *decode, const char *text, const struct pmuq_error *error,
			const char *where)
{
	struct pmuq_error hinted = *error;

	if (decode->is_joined && error->code == PMUQ_E_REPEATED_FIELD)
		hinted.hint = STR("words of fields are one attr up to the next type=");
	refuse(decode, text, &hinted, where);
}

/* 0, or the error is set. */
static int decode_attr(struct decode *decode, struct attr_input *attr, struct pmuq_error **reterr)
{
	struct pmuq_attr parsed;
	int r = pmuq_attr_parse(attr->text, &parsed, reterr);

	served_count_search();
	decode->request.options.probe_text = attr->probe;
	return r < 0 ? r
		     : pmuq_source_decode(decode->source, &parsed, &decode->request.options,
					  &attr->decoding, reterr);
}

/* Either all attrs of an input (a group, a recording) are decoded, or none is printed: half a group
 * would be another group. */
static void decode_input(struct decode *decode, struct decode_input *input, const char *where)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	const struct pmuq_error refused = error_of(PMUQ_E_BAD_ATTR, input->refused, NULL);
	const char *text = input->input ? input->input : input->n ? input->v[0].text : "";
	const struct decoded row = { .text = text, .input = input };

	for (size_t i = 0; i < input->n && !served_is_over(); i++)
		if (decode_attr(decode, &input->v[i], &error) < 0) {
			refuse_attr(decode, text, error, where);
			return;
		}
	if (input->refused)
		refuse(decode, text, &refused, where);
	else if (decode->form == DOCUMENT_NONE)
		decode_print_text(&decode->request, input);
	else
		print_row(decode, &row);
}

/* A document of `pmuq encode` may have many results; each becomes an input of its own. */
static void decode_json(struct decode *decode, const char *text, const char *where)
{
	cleanup(decode_inputs_clear) struct decode_inputs inputs = { 0 };
	auto_free char *message = NULL;
	struct pmuq_error error;

	if (!decode_read_json(text, &inputs, &error, &message)) {
		refuse(decode, text, &error, where);
		return;
	}
	for (size_t i = 0; i < inputs.n && !served_is_over(); i++) {
		decode_input(decode, &inputs.v[i], where);
		decode_input_clear(&inputs.v[i]); /* a document may have very many */
	}
}

static void decode_plain(struct decode *decode, const char *text, const char *where)
{
	cleanup(decode_input_clear) struct decode_input input = { 0 };
	struct attr_input *attr = or_die(pq_vec_add(&input));

	attr->text = or_die(strdup(text));
	decode_input(decode, &input, where);
}

/* On a terminal the error already contains the path; in a document the path is the input of the
 * row. */
static void refuse_recording(struct decode *decode, const char *path,
			     const struct pmuq_error *error)
{
	if (decode->form == DOCUMENT_NONE)
		decode->status = status_worse(decode->status, report_error(error, NULL));
	else
		refuse(decode, path, error, NULL);
}

static void decode_recording(struct decode *decode, const char *path)
{
	cleanup(pmuq_recording_freep) struct pmuq_recording *recording = NULL;
	cleanup(recorded_machine_clear) struct recorded_machine machine = { 0 };
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	cleanup(decode_input_clear) struct decode_input input = { 0 };
	enum status status;

	if (recorded_open(path, &recording, &error) < 0) {
		refuse_recording(decode, path, error);
		return;
	}
	status = decode_recording_read(&decode->request, recording, &machine, &input);
	decode->status = status_worse(decode->status, status);
	if (status != STATUS_OK)
		return;
	if (decode->form == DOCUMENT_NONE)
		decode_recording_print(&decode->request, path, recording, &machine, &input);
	else
		print_row(decode, &(struct decoded){ .text = path,
						     .input = &input,
						     .recording = recording,
						     .content = pmuq_recording_content(recording),
						     .machine = &machine });
	decode->status = status_worse(decode->status, recorded_report_problems(recording));
}

/* No other form of an attr begins with a bracket. */
static bool is_json(const char *text)
{
	text += strspn(text, " \t\r\n");
	return *text == '{' || *text == '[';
}

/* A client of pmuqd names no files of the daemon. */
static bool is_recording(const char *text)
{
	return !served && recorded_is_named(text);
}

/* What an argument of the command line is, by its form. */
static bool is_fields(const char *text)
{
	return !is_json(text) && !is_recording(text) && strchr(text, '=');
}

/* By its form: an attr in hex cannot be mistaken for a path, because recorded_is_named() requires a
 * dot, a dash or the bytes of a recording. */
static void decode_argument(struct decode *decode, const char *text)
{
	if (is_json(text))
		decode_json(decode, text, NULL);
	else if (is_recording(text))
		decode_recording(decode, text);
	else
		decode_plain(decode, text, NULL);
}

/* Brackets in strings do not count, and neither do characters after a backslash in strings. */
static void count_brackets(struct gathering *gathering, const char *text)
{
	for (; *text; text++) {
		if (gathering->is_escaped)
			gathering->is_escaped = false;
		else if (gathering->is_quoted && *text == '\\')
			gathering->is_escaped = true;
		else if (*text == '"')
			gathering->is_quoted = !gathering->is_quoted;
		else if (gathering->is_quoted)
			continue;
		else if (*text == '{' || *text == '[')
			gathering->depth++;
		else if ((*text == '}' || *text == ']') && gathering->depth)
			gathering->depth--;
	}
}

/* Only its first line is quoted. */
static void refuse_large(struct decode *decode, char *text, const char *where)
{
	const struct pmuq_error error =
		error_of(PMUQ_E_BAD_JSON, "the document is larger than 32 MiB",
			 "split it into documents of fewer attrs");

	text[strcspn(text, "\n")] = '\0';
	refuse(decode, text, &error, where);
}

static void decode_gathered(struct decode *decode, const char *file)
{
	struct gathering *gathering = &decode->gathering;
	auto_free char *where = print_or_die("%s:%zu", file, gathering->from_line);
	auto_free char *text = or_die(pq_buf_take(&gathering->text));

	if (gathering->n_read > PQ_DECODE_INPUT_MAX_BYTES)
		refuse_large(decode, text, where);
	else
		decode_json(decode, text, where);
	*gathering = (struct gathering){ 0 };
}

/* Adds a line of JSON, and decodes the whole when its brackets are closed. */
static void gather(struct decode *decode, const char *text, const char *file, size_t line)
{
	struct gathering *gathering = &decode->gathering;

	if (!gathering->n_read)
		gathering->from_line = line;
	count_brackets(gathering, text);
	/* The rest is read up to the end of the document, and discarded. */
	gathering->n_read += strlen(text) + 1;
	if (gathering->n_read <= PQ_DECODE_INPUT_MAX_BYTES) {
		pq_buf_add(&gathering->text, str_of(text));
		pq_buf_char(&gathering->text, '\n', 1);
	}
	if (!gathering->depth)
		decode_gathered(decode, file);
}

/* A line is a comment or blank, an attr, or a part of JSON that began on this line or before. */
static void decode_line(void *of, char *text, size_t n_bytes, const char *file, size_t line)
{
	struct decode *decode = of;
	auto_free char *where = print_or_die("%s:%zu", file, line);

	if (strlen(text) < n_bytes) {
		struct pmuq_error error =
			error_of(PMUQ_E_BAD_ATTR, "the line contains a NUL byte", NULL);

		error.offset = strlen(text);
		refuse(decode, text, &error, where);
		return;
	}
	if (decode->gathering.n_read || is_json(text)) {
		gather(decode, text, file, line);
		return;
	}
	text = lines_event(text);
	if (*text)
		decode_plain(decode, text, where);
}

static void decode_file(struct decode *decode, const char *path)
{
	enum status status = lines_read(path, PQ_DECODE_INPUT_MAX_BYTES, decode_line, NULL, decode);

	/* Incomplete JSON is an error of its first line. */
	if (decode->gathering.n_read)
		decode_gathered(decode, strcmp(path, "-") == 0 ? "<stdin>" : path);
	decode->status = status_worse(decode->status, status);
}

/* Opens tables, and libpfm4 only if it is named, because its queries are slow. */
static enum status find_names(struct decode *decode, struct pmuq_vendor **ret_vendor,
			      struct pmuq_pfm **ret_pfm)
{
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	struct decode_request *request = &decode->request;
	enum status status = source_find_vendor(request->cli, decode->source, request->vendor,
						false, ret_vendor);

	if (status != STATUS_OK)
		return status;
	if (request->options.from & PMUQ_FROM_PFM && pfm_open(ret_pfm, &error) < 0)
		return report_error(error, NULL);
	request->options.vendor = *ret_vendor;
	request->options.pfm = *ret_pfm;
	return STATUS_OK;
}

/* One of the fields is the type. */
static bool has_type(const char *fields)
{
	static const char separators[] = " \t\r\n,";

	for (fields += strspn(fields, separators); *fields; fields += strspn(fields, separators)) {
		if (strncmp(fields, "type=", strlen("type=")) == 0)
			return true;
		fields += strcspn(fields, separators);
	}
	return false;
}

/* A shell splits "type=4 config=1" without quotes into words: together they are one attr, up to the
 * next type. Returns the first argument that was not decoded. */
static char **decode_fields(struct decode *decode, char **at)
{
	cleanup(pq_buf_free) struct pq_buf fields = PQ_BUF_NULL;
	char **first = at;
	bool is_typed = has_type(*at);

	pq_buf_add(&fields, str_of(*at++));
	for (; *at && is_fields(*at) && !(is_typed && has_type(*at)); at++) {
		pq_buf_print(&fields, " %s", *at);
		is_typed |= has_type(*at);
	}
	decode->is_joined = at > first + 1;
	decode_plain(decode, text_or_die(&fields), NULL);
	decode->is_joined = false;
	return at;
}

/* Files come first, in their order; then the command line. */
static void decode_inputs(struct decode *decode, const struct options *options)
{
	for (size_t i = 0; i < options->taken.n; i++) {
		const struct taken_option *taken = &options->taken.v[i];

		if (taken->option != OPTION_FILE)
			continue;
		if (file_begins_like_recording(taken->argument))
			decode_recording(decode, taken->argument);
		else
			decode_file(decode, taken->argument);
	}
	for (char **at = options->operands; *at && !served_is_over();) {
		if (is_fields(*at))
			at = decode_fields(decode, at);
		else
			decode_argument(decode, *at++);
	}
}

static enum status decode_all(struct decode *decode, const struct options *options)
{
	cleanup(pmuq_source_freep) struct pmuq_source *source = NULL;
	cleanup(vendor_closep) struct pmuq_vendor *vendor = NULL;
	cleanup(pfm_closep) struct pmuq_pfm *pfm = NULL;
	enum status status = source_open(&options->cli, &source);

	if (status != STATUS_OK)
		return status;
	decode->source = source;
	status = find_names(decode, &vendor, &pfm);
	if (status == STATUS_OK && decode->form != DOCUMENT_NONE)
		status = document_begin(&decode->document, decode->form, &decode_document, NULL);
	if (status != STATUS_OK)
		return status;
	decode_inputs(decode, options);
	if (decode->form != DOCUMENT_NONE)
		status = document_end(&decode->document, NULL);
	return status_worse(decode->status, status);
}

static enum status run_decode(const struct options *options)
{
	struct decode decode = {
		.request = {
			.cli = &options->cli,
			.options = {
				.size = sizeof(decode.request.options),
				.dialect = strings_dialect(options),
			},
			.vendor = option_value(options, OPTION_VENDOR),
			.with_all = option_is_set(options, OPTION_ALL),
		},
		.form = options->output.form,
	};
	enum status status = strings_take_from(options, &decode.request.options.from);

	if (status != STATUS_OK)
		return status;
	if (!options->n_operands && !option_is_set(options, OPTION_FILE))
		return usage_error("decode needs an attr, a perf.data file, or -f FILE");
	return decode_all(&decode, options);
}

const struct command cmd_decode = {
	.name = "decode",
	.arguments = "ATTR|FILE.data...",
	.summary = "turn perf_event_attrs back into event strings",
	.text = "An ATTR is the bytes of the struct in hex (any published size, either byte\n"
		"order), its fields (type=4 config=0x3c exclude_kernel=1, in one word or several:\n"
		"another type= begins the next attr), or JSON of encode.\n"
		"Encoding the string again gives the attr; a comment after it contains what no\n"
		"string can express. The exit status is 1 for an invalid attr and 4 for\n"
		"unreadable input; the highest is used. A perf.data file (- is stdin, also a pipe\n"
		"from `perf record -o -`) is decoded with the host of that name in the database,\n"
		"or else with the machine that the file describes; --host and --sysroot select\n"
		"another one. With -a, all features of the file are printed first.\n\n"
		"Examples:\n"
		"  pmuq decode perf.data\n"
		"  pmuq decode 'type=4 config=0x13c exclude_kernel=1 exclude_hv=1'\n"
		"  pmuq --sysroot TREE encode --jsonl -f events.txt |\n"
		"      pmuq --sysroot TREE decode -f -\n",
	.options = OPTION_LIST(OPTIONS_DOCUMENT, OPTION_ALL, OPTION_DIALECT, OPTION_FROM,
			       OPTION_VENDOR, OPTION_FILE),
	.documents = DOCUMENT_LIST(&decode_document),
	.run = run_decode,
};
