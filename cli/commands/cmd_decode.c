/* SPDX-License-Identifier: MIT */
/*
 * `pmuq decode`: attrs to the event strings that people write. An attr is hex, a list of fields, or
 * JSON as `pmuq encode` writes it, or stands in a perf.data file; what it prints, `pmuq encode -f
 * -` takes again.
 */
#include "cli/events/decode_output.h"
#include "cli/events/event_strings.h"
#include "cli/events/lines.h"
#include "cli/events/recorded.h"
#include "cli/machine_source.h"
#include "cli/output/document.h"
#include <string.h>

enum {
	KEY_JSON = OPTION_LONG,
	KEY_JSONL,
	KEY_DIALECT,
	KEY_FROM,
	KEY_VENDOR,
};

static const struct option_row decode_options[] = {
	{ KEY_JSON, "json", NULL, "one JSON document" },
	{ KEY_JSONL, "jsonl", NULL, "a line of JSON for each attr or event string" },
	{ 'a', "all", NULL, "other strings of the same attr, too, as comments" },
	{ KEY_DIALECT, "dialect", "pmuq|perf", "for which parser the strings are" },
	{ KEY_FROM, "from", "LIST", "where names may come from: format, sysfs, generic, ..." },
	{ KEY_VENDOR, "vendor", "CPUID|auto",
	  "the CPU's events, of the tables in the database; auto: the machine's CPU" },
	{ 'f', "file", "FILE", "attrs from FILE: one a line, or JSON; - is stdin" },
};

struct decode {
	const struct command *command;
	const struct cli *cli;
	struct pmuq_source *source;
	struct pmuq_decode_options options;
	const char *vendor; /* --vendor */
	enum document_form form;
	bool with_readings;
	struct document document;
	int status;
};

/* A document in a file may be this long; what is longer is cut, and no JSON then. */
#define INPUT_BYTES_MAX ((size_t)1 << 30)

static void before_answer(struct decode *decode)
{
	if (decode->form != DOCUMENT_NONE)
		document_begin_row(&decode->document);
}

static void after_answer(struct decode *decode)
{
	if (decode->form != DOCUMENT_NONE)
		document_end_row(&decode->document);
}

static void refuse(struct decode *decode, const char *input, const struct diagnosis *error,
		   const char *where)
{
	decode->status = status_worse(decode->status, report_status(error->code));
	if (decode->form != DOCUMENT_NONE) {
		before_answer(decode);
		decode_write_error(decode->document.sink, input, error, where);
		after_answer(decode);
		return;
	}
	fflush(stdout);
	if (where)
		fprintf(stderr, "%s: ", where);
	report_draw(stderr, REPORT_ERROR, error, input, "");
}

/* 0, or the error is set. */
static int decode_attr(struct decode *decode, struct given_attr *attr, struct pmuq_error **reterr)
{
	struct pmuq_attr parsed;
	int r = pmuq_attr_parse(attr->text, &parsed, reterr);

	decode->options.probe_text = attr->probe;
	return r < 0 ? r
		     : pmuq_source_decode(decode->source, &parsed, &decode->options,
					  &attr->decoding, reterr);
}

static void answer_given(struct decode *decode, struct given *given, const char *where)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	const char *input = given->input ? given->input : given->n ? given->v[0].text : "";
	struct diagnosis refused = { .code = PMUQ_E_BAD_ATTR, .message = given->refused };

	for (size_t i = 0; i < given->n; i++)
		if (decode_attr(decode, &given->v[i], &error) < 0) {
			refused = diagnosis_of(error);
			refuse(decode, input, &refused, where);
			return;
		}
	if (given->refused) {
		refuse(decode, input, &refused, where);
		return;
	}
	before_answer(decode);
	if (decode->form == DOCUMENT_NONE)
		decode_write_text(given, decode->with_readings);
	else
		decode_write_document(decode->document.sink, input, given);
	after_answer(decode);
}

static void answer_json(struct decode *decode, const char *text, const char *where)
{
	cleanup(givens_clear) struct givens givens = { 0 };
	auto_free char *message = NULL;
	struct diagnosis error;

	if (!decode_read_json(text, &givens, &error, &message)) {
		refuse(decode, text, &error, where);
		return;
	}
	for (size_t i = 0; i < givens.n; i++)
		answer_given(decode, &givens.v[i], where);
}

static void answer_plain(struct decode *decode, const char *text, const char *where)
{
	cleanup(givens_clear) struct givens givens = { 0 };
	struct given *given = givens_add(&givens);
	struct given_attr *attr = given ? given_add(given) : NULL;

	if (attr)
		attr->text = strdup(text);
	if (!attr || !attr->text) {
		decode->status = report_failed("out of memory");
		return;
	}
	answer_given(decode, given, where);
}

static void refuse_recording(struct decode *decode, const char *path,
			     const struct pmuq_error *error)
{
	struct diagnosis why = diagnosis_of(error);

	if (decode->form == DOCUMENT_NONE)
		decode->status = status_worse(decode->status, report_error(error, NULL));
	else
		refuse(decode, path, &why, NULL);
}

static void answer_recording(struct decode *decode, const char *path)
{
	cleanup(recording_freep) struct pmuq_recording *recording = NULL;
	cleanup(recorded_machine_clear) struct recorded_machine machine = { 0 };
	cleanup(error_freep) struct pmuq_error *error = NULL;
	cleanup(givens_clear) struct givens givens = { 0 };
	struct given *given = givens_add(&givens);
	struct decode_ask ask = {
		.cli = decode->cli,
		.options = decode->options,
		.vendor = decode->vendor,
		.with_readings = decode->with_readings,
		.doc = decode->form == DOCUMENT_NONE ? NULL : decode->document.sink,
	};
	int status;

	if (recorded_open(path, &recording, &error) < 0) {
		refuse_recording(decode, path, error);
		return;
	}
	status = given ? decode_recording_read(&ask, recording, &machine, given)
		       : report_failed("out of memory");
	decode->status = status_worse(decode->status, status);
	if (status != STATUS_OK)
		return;
	before_answer(decode);
	decode_recording_write(&ask, path, recording, &machine, given);
	after_answer(decode);
	decode->status = status_worse(decode->status, recorded_report_problems(recording));
}

static bool is_json(const char *text)
{
	text += strspn(text, " \t\r\n");
	return *text == '{' || *text == '[';
}

static void answer_argument(struct decode *decode, const char *text)
{
	if (is_json(text))
		answer_json(decode, text, NULL);
	else if (recorded_is_named(text))
		answer_recording(decode, text);
	else
		answer_plain(decode, text, NULL);
}

/* JSON that goes over lines, until its brackets are closed. */
struct gathering {
	char *text;
	size_t n;
	FILE *to;
	size_t depth, from_line;
	bool is_quoted, is_escaped;
};

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

static void answer_gathered(struct decode *decode, struct gathering *gathering, const char *file)
{
	auto_free char *where = NULL;

	if (fclose(gathering->to) != 0 ||
	    asprintf(&where, "%s:%zu", file, gathering->from_line) < 0)
		decode->status = report_failed("out of memory");
	else
		answer_json(decode, gathering->text, where);
	free(gathering->text);
	*gathering = (struct gathering){ 0 };
}

static void gather(struct decode *decode, struct gathering *gathering, const char *text,
		   const char *file, size_t line)
{
	if (!gathering->to) {
		gathering->to = open_memstream(&gathering->text, &gathering->n);
		gathering->from_line = line;
	}
	if (!gathering->to) {
		decode->status = report_failed("out of memory");
		return;
	}
	count_brackets(gathering, text);
	fprintf(gathering->to, "%s\n", text);
	if (!gathering->depth)
		answer_gathered(decode, gathering, file);
}

static void answer_line(struct decode *decode, struct gathering *gathering, char *text,
			size_t bytes, const char *file, size_t line)
{
	auto_free char *where = NULL;

	if (asprintf(&where, "%s:%zu", file, line) < 0) {
		decode->status = report_failed("out of memory");
		return;
	}
	if (strlen(text) < bytes) {
		struct diagnosis error = {
			.code = PMUQ_E_BAD_ATTR,
			.message = "a NUL byte stands in the line",
			.offset = strlen(text),
		};

		refuse(decode, text, &error, where);
		return;
	}
	if (gathering->to || is_json(text)) {
		gather(decode, gathering, text, file, line);
		return;
	}
	text = lines_event(text);
	if (*text)
		answer_plain(decode, text, where);
}

static void answer_file(struct decode *decode, const char *path)
{
	const char *shown = strcmp(path, "-") == 0 ? "<stdin>" : path;
	struct gathering gathering = { 0 };
	struct lines lines;
	int r = lines_open(&lines, path);
	size_t bytes;
	char *text;

	lines.max_bytes = INPUT_BYTES_MAX;
	while (r >= 0) {
		r = lines_next(&lines, &text, &bytes);
		if (r <= 0)
			break;
		answer_line(decode, &gathering, text, bytes, shown, lines.number);
	}
	if (gathering.to)
		answer_gathered(decode, &gathering, shown);
	if (r < 0)
		decode->status =
			status_worse(decode->status, report_failed("%s: %s", shown, strerror(-r)));
	lines_close(&lines);
}

static int take_option(struct decode *decode, int key)
{
	switch (key) {
	case KEY_JSON:
		decode->form = DOCUMENT_JSON;
		return STATUS_OK;
	case KEY_JSONL:
		decode->form = DOCUMENT_JSONL;
		return STATUS_OK;
	case 'a':
		decode->with_readings = true;
		return STATUS_OK;
	case KEY_DIALECT:
		return ask_take_dialect(decode->command, optarg, &decode->options.dialect);
	case KEY_VENDOR:
		decode->vendor = optarg;
		return STATUS_OK;
	default:
		return ask_take_from(decode->command, optarg, &decode->options.from);
	}
}

/* Tables, and libpfm4 where it is named: to ask it takes a while. */
static int find_names(struct decode *decode, const struct cli *cli, struct pmuq_vendor **ret_vendor,
		      struct pmuq_pfm **ret_pfm)
{
	cleanup(error_freep) struct pmuq_error *error = NULL;
	int status = source_find_vendor(cli, decode->source, decode->vendor, ret_vendor);

	if (status != STATUS_OK)
		return status;
	if (decode->options.from & PMUQ_FROM_PFM && pmuq_pfm_open(NULL, ret_pfm, &error) < 0)
		return report_error(error, NULL);
	decode->options.vendor = *ret_vendor;
	decode->options.pfm = *ret_pfm;
	return STATUS_OK;
}

/* Files come first, in their order; then what stands on the command line. */
static int begin_document(struct decode *decode)
{
	int status = STATUS_OK;

	if (decode->form == DOCUMENT_NONE)
		return STATUS_OK;
	status = document_begin(&decode->document, decode->form, "pmuq.decode/1");
	if (status == STATUS_OK)
		document_begin_rows(&decode->document, "inputs");
	return status;
}

static int end_document(struct decode *decode)
{
	if (decode->form == DOCUMENT_NONE)
		return STATUS_OK;
	document_end_rows(&decode->document);
	return document_end(&decode->document);
}

static int answer_all(struct decode *decode, const struct cli *cli, const char *const *files,
		      size_t n_files, char **attrs)
{
	cleanup(source_freep) struct pmuq_source *source = NULL;
	cleanup(vendor_freep) struct pmuq_vendor *vendor = NULL;
	cleanup(pfm_freep) struct pmuq_pfm *pfm = NULL;
	int status = source_open(cli, &source);

	if (status != STATUS_OK)
		return status;
	decode->source = source;
	decode->cli = cli;
	status = find_names(decode, cli, &vendor, &pfm);
	if (status != STATUS_OK)
		return status;
	status = begin_document(decode);
	if (status != STATUS_OK)
		return status;
	for (size_t i = 0; i < n_files; i++)
		if (recorded_begins_like_one(files[i]))
			answer_recording(decode, files[i]);
		else
			answer_file(decode, files[i]);
	for (; *attrs; attrs++)
		answer_argument(decode, *attrs);
	return status_worse(decode->status, end_document(decode));
}

static int run_decode(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct decode decode = { .command = command,
				 .options = { .size = sizeof(decode.options) } };
	auto_free const char **files = calloc((size_t)argc, sizeof(*files));
	struct options options;
	size_t n_files = 0;
	int key, status;

	if (!files)
		return report_failed("out of memory");
	options_begin(&options, cli, command, argc, argv);
	while ((key = options_next(&options)) != OPTIONS_END) {
		if (key == OPTIONS_STOP)
			return options.status;
		if (key == 'f') {
			files[n_files++] = optarg;
			continue;
		}
		status = take_option(&decode, key);
		if (status != STATUS_OK)
			return status;
	}
	if (optind == argc && n_files == 0)
		return usage_error(command, "decode wants an attr, a perf.data file, or -f FILE");
	return answer_all(&decode, cli, files, n_files, argv + optind);
}

const struct command cmd_decode = {
	.name = "decode",
	.arguments = "ATTR|FILE.data...",
	.summary = "perf_event_attrs to the event strings that people write",
	.text = "An ATTR is the struct's bytes in hex (of any published size and either byte\n"
		"order), its fields (type=4 config=0x3c exclude_kernel=1), or JSON as encode\n"
		"writes it. Encoding the string again gives the attr; what no string says stands\n"
		"in a comment behind it. The exit status is the worst: 1 no attr, 4 unreadable\n"
		"input.\n"
		"A perf.data file (- is stdin, also of `perf record -o -`) gives its events, by\n"
		"the host of that name in the database if it is there, else by what the file\n"
		"tells of its machine; --host and --sysroot name another one. With -a all that\n"
		"the file says stands above.\n\n"
		"Examples:\n"
		"  pmuq decode perf.data\n"
		"  pmuq decode 'type=4 config=0x13c exclude_kernel=1 exclude_hv=1'\n"
		"  pmuq --sysroot TREE encode --jsonl -f events.txt |\n"
		"      pmuq --sysroot TREE decode -f -\n",
	.options = decode_options,
	.n_options = COUNT(decode_options),
	.run = run_decode,
};
