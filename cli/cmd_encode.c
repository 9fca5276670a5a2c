/* SPDX-License-Identifier: MIT */
/*
 * `pmuq encode`: event strings to attrs, each asked of the machine as it comes and opened where it
 * is this one. Never reads the whole machine. How an answer looks: encode_forms.h.
 */
#include "cli/cmd.h"
#include "cli/encode_forms.h"
#include "cli/lines.h"
#include "cli/options.h"
#include "cli/source.h"
#include <string.h>

enum {
	KEY_NO_OPEN = OPTION_LONG,
	KEY_DIALECT,
	KEY_STRICT,
	KEY_FROM,
	KEY_FORM, /* and an enum form */
};

static const struct option_row encode_options[] = {
	{ KEY_FORM + FORM_JSON, "json", NULL, "one JSON document" },
	{ KEY_FORM + FORM_JSONL, "jsonl", NULL,
	  "a line of JSON for each string, as soon as it is answered" },
	{ KEY_FORM + FORM_YAML, "yaml", NULL, "one YAML document, the same as --json" },
	{ KEY_FORM + FORM_C, "c", NULL, "C: a struct perf_event_attr for each encoding" },
	{ KEY_FORM + FORM_HEX, "hex", NULL, "the attr's bytes in hex, a line for each encoding" },
	{ KEY_FORM + FORM_RAW, "raw", NULL, "the bytes themselves, attr after attr" },
	{ KEY_NO_OPEN, "no-open", NULL, "do not ask the kernel" },
	{ KEY_DIALECT, "dialect", "pmuq|perf",
	  "how strings are understood; perf: as its own parser does" },
	{ KEY_STRICT, "strict", NULL, "a warning is an error" },
	{ KEY_FROM, "from", "LIST", "where names may come from: format, sysfs, generic, ..." },
	{ 'f', "file", "FILE", "strings from FILE, one a line; - is stdin" },
};

struct encode {
	const struct command *command;
	struct pmuq_source *source;
	struct pmuq_encode_options options;
	const char *skipped; /* why nothing is opened; NULL: it is */
	struct output output;
	int status;
};

static int open_status(const struct pmuq_verdicts *verdicts)
{
	for (size_t i = 0; i < pmuq_verdicts_count(verdicts); i++)
		if (pmuq_verdict_status(verdicts, i) == PMUQ_REFUSED)
			return STATUS_REFUSED;
	return STATUS_OK;
}

static void refuse(struct encode *encode, struct answer *answer, struct diagnosis error)
{
	answer->encodings = NULL;
	answer->error = error;
	encode->status = status_worse(encode->status, report_status(error.code));
	output_answer(&encode->output, answer);
}

static void answer_one(struct encode *encode, const char *text, const char *file, size_t line)
{
	cleanup(encodings_freep) struct pmuq_encodings *encodings = NULL;
	cleanup(verdicts_freep) struct pmuq_verdicts *verdicts = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	struct answer answer = {
		.input = text,
		.file = file,
		.line = line,
		.skipped = encode->skipped,
	};

	if (pmuq_source_encode(encode->source, text, &encode->options, &encodings, &error) < 0 ||
	    (!encode->skipped && pmuq_encodings_test_open(encodings, &verdicts, &error) < 0)) {
		refuse(encode, &answer, diagnosis_of(error));
		return;
	}
	answer.encodings = encodings;
	answer.verdicts = verdicts;
	if (verdicts)
		encode->status = status_worse(encode->status, open_status(verdicts));
	output_answer(&encode->output, &answer);
}

static void answer_line(struct encode *encode, char *text, size_t bytes, const char *file,
			size_t line)
{
	struct answer answer = { .input = text, .file = file, .line = line };
	size_t n = strlen(text);

	if (n < bytes) {
		refuse(encode, &answer,
		       (struct diagnosis){
			       .code = PMUQ_E_SYNTAX,
			       .message = "a NUL byte stands in the line",
			       .offset = n,
		       });
		return;
	}
	text = lines_event(text);
	if (*text)
		answer_one(encode, text, file, line);
}

static void answer_file(struct encode *encode, const char *path)
{
	const char *shown = strcmp(path, "-") == 0 ? "<stdin>" : path;
	struct lines lines;
	int r = lines_open(&lines, path);
	size_t bytes;
	char *text;

	while (r >= 0) {
		r = lines_next(&lines, &text, &bytes);
		if (r <= 0)
			break;
		answer_line(encode, text, bytes, shown, lines.number);
	}
	if (r < 0)
		encode->status =
			status_worse(encode->status, report_failed("%s: %s", shown, strerror(-r)));
	lines_close(&lines);
}

static const enum pmuq_origin origins[] = {
	PMUQ_FROM_FORMAT,     PMUQ_FROM_SYSFS,	    PMUQ_FROM_GENERIC, PMUQ_FROM_RAW,
	PMUQ_FROM_BREAKPOINT, PMUQ_FROM_TRACEPOINT, PMUQ_FROM_PROBE,
};

static const char *next_origin(const void *of, size_t index)
{
	(void)of;
	return index < COUNT(origins) ? pmuq_origin_name(origins[index]) : NULL;
}

static unsigned find_origin(const char *name, size_t n)
{
	for (size_t i = 0; i < COUNT(origins); i++) {
		const char *known = pmuq_origin_name(origins[i]);

		if (strlen(known) == n && strncmp(known, name, n) == 0)
			return origins[i];
	}
	return 0;
}

static int refuse_origin(const struct command *command, const char *name, size_t n)
{
	auto_free char *word = strndup(name, n);
	const char *near = word ? nearest(word, next_origin, NULL) : NULL;

	if (near)
		return usage_error(command, "--from does not know '%.*s'; did you mean '%s'?",
				   (int)n, name, near);
	return usage_error(
		command,
		"--from does not know '%.*s', only format, sysfs, generic, raw, breakpoint, "
		"tracepoint, probe",
		(int)n, name);
}

static int take_from(struct encode *encode, const char *names)
{
	do {
		size_t n = strcspn(names, ",");
		unsigned origin = find_origin(names, n);

		if (!origin)
			return refuse_origin(encode->command, names, n);
		encode->options.from |= origin;
		names += n + (names[n] == ',');
	} while (*names);
	return STATUS_OK;
}

static int take_dialect(struct encode *encode, const char *name)
{
	if (strcmp(name, "perf") == 0)
		encode->options.dialect = PMUQ_DIALECT_PERF;
	else if (strcmp(name, "pmuq") == 0)
		encode->options.dialect = PMUQ_DIALECT_PMUQ;
	else
		return usage_error(encode->command, "--dialect is pmuq or perf, not '%s'", name);
	return STATUS_OK;
}

static int take_option(struct encode *encode, int key)
{
	if (key >= KEY_FORM) {
		encode->output.form = (enum form)(key - KEY_FORM);
		return STATUS_OK;
	}
	switch (key) {
	case KEY_NO_OPEN:
		encode->skipped = "--no-open was given";
		return STATUS_OK;
	case KEY_STRICT:
		encode->options.is_strict = true;
		return STATUS_OK;
	case KEY_DIALECT:
		return take_dialect(encode, optarg);
	default:
		return take_from(encode, optarg);
	}
}

/* Files come first, in their order; then what stands on the command line. */
static int answer_all(struct encode *encode, const struct cli *cli, const char *const *files,
		      size_t n_files, char **events)
{
	cleanup(source_freep) struct pmuq_source *source = NULL;
	int status = source_open(cli, &source);

	if (status != STATUS_OK)
		return status;
	encode->source = source;
	if (!encode->skipped && !pmuq_source_is_live(source))
		encode->skipped = "the source is not this machine";
	status = output_begin(&encode->output);
	if (status != STATUS_OK)
		return status;
	for (size_t i = 0; i < n_files; i++)
		answer_file(encode, files[i]);
	for (; *events; events++)
		answer_one(encode, *events, NULL, 0);
	return status_worse(encode->status, output_end(&encode->output));
}

static int run_encode(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct encode encode = {
		.command = command,
		.options = { .size = sizeof(encode.options) },
		.output = { .command = command },
	};
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
		status = take_option(&encode, key);
		if (status != STATUS_OK)
			return status;
	}
	if (optind == argc && n_files == 0)
		return usage_error(command, "encode wants an event, or -f FILE");
	return answer_all(&encode, cli, files, n_files, argv + optind);
}

const struct command cmd_encode = {
	.name = "encode",
	.arguments = "EVENT...",
	.summary = "event strings to perf_event_attrs, opened on this machine",
	.text = "Sources of names: format, sysfs, generic, raw, breakpoint, tracepoint, probe.\n"
		"In a FILE, blank lines and comments behind # are passed over. Every string is "
		"answered;\n"
		"the exit status is the worst: 1 invalid, 3 refused by the kernel, 4 unreadable "
		"input.\n"
		"\nExamples:\n"
		"  pmuq encode cycles:u\n"
		"  pmuq encode --json --no-open 'cpu/event=0x3c,umask=0x1/u'\n"
		"  pmuq --sysroot TREE encode --jsonl -f events.txt\n",
	.options = encode_options,
	.n_options = COUNT(encode_options),
	.run = run_encode,
};
