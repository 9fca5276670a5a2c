/* SPDX-License-Identifier: MIT */
#include "cli/events/event_strings.h"
#include "cli/events/lines.h"
#include "cli/machine_source.h"
#include <string.h>

void ask_refuse(struct ask *ask, struct answer *answer, struct diagnosis error)
{
	answer->encodings = NULL;
	answer->error = error;
	ask->status = status_worse(ask->status, report_status(error.code));
}

static void ask_one(struct ask *ask, const char *text, const char *file, size_t line)
{
	cleanup(encodings_freep) struct pmuq_encodings *encodings = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	struct answer answer = {
		.input = text,
		.file = file,
		.line = line,
		.source = ask->source,
	};

	if (ask->gather) {
		ask->gather(ask, text, file, line);
		return;
	}
	if (pmuq_source_encode(ask->source, text, &ask->options, &encodings, &error) < 0)
		ask_refuse(ask, &answer, diagnosis_of(error));
	answer.encodings = encodings;
	ask->answer(ask, &answer);
}

static void ask_line(struct ask *ask, char *text, size_t bytes, const char *file, size_t line)
{
	struct answer answer = { .input = text, .file = file, .line = line };
	size_t n = strlen(text);

	if (n < bytes) {
		ask_refuse(ask, &answer,
			   (struct diagnosis){
				   .code = PMUQ_E_SYNTAX,
				   .message = "a NUL byte stands in the line",
				   .offset = n,
			   });
		ask->answer(ask, &answer);
		return;
	}
	text = lines_event(text);
	if (*text)
		ask_one(ask, text, file, line);
}

static void ask_file(struct ask *ask, const char *path)
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
		ask_line(ask, text, bytes, shown, lines.number);
	}
	if (r < 0)
		ask->status =
			status_worse(ask->status, report_failed("%s: %s", shown, strerror(-r)));
	lines_close(&lines);
}

static const enum pmuq_origin origins[] = {
	PMUQ_FROM_FORMAT, PMUQ_FROM_SYSFS,	PMUQ_FROM_GENERIC,
	PMUQ_FROM_RAW,	  PMUQ_FROM_BREAKPOINT, PMUQ_FROM_TRACEPOINT,
	PMUQ_FROM_PROBE,  PMUQ_FROM_PFM,	PMUQ_FROM_JSON,
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
		"tracepoint, probe, json, pfm",
		(int)n, name);
}

int ask_take_from(const struct command *command, const char *names, unsigned *ret)
{
	do {
		size_t n = strcspn(names, ",");
		unsigned origin = find_origin(names, n);

		if (!origin)
			return refuse_origin(command, names, n);
		*ret |= origin;
		names += n + (names[n] == ',');
	} while (*names);
	return STATUS_OK;
}

int ask_take_dialect(const struct command *command, const char *name, enum pmuq_dialect *ret)
{
	if (strcmp(name, "perf") == 0)
		*ret = PMUQ_DIALECT_PERF;
	else if (strcmp(name, "pmuq") == 0)
		*ret = PMUQ_DIALECT_PMUQ;
	else
		return usage_error(command, "--dialect is pmuq or perf, not '%s'", name);
	return STATUS_OK;
}

static int take_preset(struct ask *ask, const char *name)
{
	if (strcmp(name, "stat") == 0)
		ask->options.preset = PMUQ_PRESET_STAT;
	else if (strcmp(name, "record") == 0)
		ask->options.preset = PMUQ_PRESET_RECORD;
	else
		return usage_error(ask->command, "--preset is stat or record, not '%s'", name);
	return STATUS_OK;
}

static int take_option(struct ask *ask, int key)
{
	switch (key) {
	case ASK_STRICT:
		ask->options.is_strict = true;
		return STATUS_OK;
	case ASK_DIALECT:
		return ask_take_dialect(ask->command, optarg, &ask->options.dialect);
	case ASK_FROM:
		return ask_take_from(ask->command, optarg, &ask->options.from);
	case ASK_PRESET:
		return take_preset(ask, optarg);
	case ASK_VENDOR:
		ask->vendor = optarg;
		return STATUS_OK;
	default:
		return ask->take(ask, key);
	}
}

/* Files come first, in their order; then what stands on the command line. */
static int ask_each(struct ask *ask, const char *const *files, size_t n_files, char **events)
{
	int status = ask->begin(ask);

	if (status != STATUS_OK)
		return status;
	for (size_t i = 0; i < n_files; i++)
		ask_file(ask, files[i]);
	for (; *events; events++)
		ask_one(ask, *events, NULL, 0);
	status = ask->end(ask);
	return status_worse(ask->status, status);
}

static int ask_machine(struct ask *ask, const struct cli *cli, const char *const *files,
		       size_t n_files, char **events)
{
	cleanup(source_freep) struct pmuq_source *source = NULL;
	cleanup(pfm_freep) struct pmuq_pfm *pfm = NULL;
	cleanup(vendor_freep) struct pmuq_vendor *vendor = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	int status = source_open(cli, &source);

	if (status != STATUS_OK)
		return status;
	/* Its process starts with the first name that only it may know. */
	if (pmuq_pfm_open(NULL, &pfm, &error) < 0)
		return report_error(error, NULL);
	status = source_find_vendor(cli, source, ask->vendor, &vendor);
	if (status != STATUS_OK)
		return status;
	ask->source = source;
	ask->options.pfm = pfm;
	ask->options.vendor = vendor;
	return ask_each(ask, files, n_files, events);
}

int ask_run(struct ask *ask, struct cli *cli, int argc, char **argv)
{
	auto_free const char **files = calloc((size_t)argc, sizeof(*files));
	struct options options;
	size_t n_files = 0;
	int key, status;

	if (!files)
		return report_failed("out of memory");
	ask->options.size = sizeof(ask->options);
	options_begin(&options, cli, ask->command, argc, argv);
	while ((key = options_next(&options)) != OPTIONS_END) {
		if (key == OPTIONS_STOP)
			return options.status;
		if (key == 'f') {
			files[n_files++] = optarg;
			continue;
		}
		status = take_option(ask, key);
		if (status != STATUS_OK)
			return status;
	}
	if (optind == argc && n_files == 0)
		return usage_error(ask->command, "%s wants an event, or -f FILE",
				   ask->command->name);
	ask->has_files = n_files > 0;
	if (ask->gather)
		return ask_each(ask, files, n_files, argv + optind);
	return ask_machine(ask, cli, files, n_files, argv + optind);
}
