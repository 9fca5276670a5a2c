/* SPDX-License-Identifier: MIT */
#include "cli/events/event_strings.h"
#include "cli/events/lines.h"
#include "cli/machine_source.h"
#include <string.h>

void strings_refuse(struct strings *strings, struct result *result, const struct pmuq_error *error)
{
	result->encodings = NULL;
	result->error = error;
	strings->status = status_worse(strings->status, report_status(error->code));
}

static void print(struct strings *strings, struct result *result)
{
	if (strings->print)
		strings->print(strings, result);
	else
		encode_print(&strings->output, result);
}

static void encode_one(struct strings *strings, const char *text, const char *file, size_t line)
{
	cleanup(encodings_freep) struct pmuq_encodings *encodings = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	struct result result = {
		.input = text,
		.file = file,
		.line = line,
		.source = strings->source,
	};

	if (strings->gather) {
		strings->gather(strings, text, file, line);
		return;
	}
	if (pmuq_source_encode(strings->source, text, &strings->options, &encodings, &error) < 0)
		strings_refuse(strings, &result, error);
	else
		result.encodings = encodings;
	print(strings, &result);
}

static void refuse_line(struct strings *strings, struct result *result, size_t offset)
{
	struct pmuq_error error = error_of(PMUQ_E_SYNTAX, "the line contains a NUL byte", NULL);

	error.offset = offset;
	strings_refuse(strings, result, &error);
	print(strings, result);
}

static void take_line(void *of, char *text, size_t n_bytes, const char *file, size_t line)
{
	struct strings *strings = of;
	struct result result = { .input = text, .file = file, .line = line };
	size_t n = strlen(text);

	if (n < n_bytes) {
		refuse_line(strings, &result, n);
		return;
	}
	text = lines_event(text);
	if (*text)
		encode_one(strings, text, file, line);
}

static const char *next_origin(const void *of, size_t index)
{
	(void)of;
	return pmuq_origin_name((enum pmuq_origin)(1u << index));
}

/* The bit of the source of that name, or 0. */
static unsigned find_origin(struct pmuq_str name)
{
	const char *known;

	for (size_t i = 0; (known = next_origin(NULL, i)); i++)
		if (str_eq(str_of(known), name))
			return 1u << i;
	return 0;
}

static enum status refuse_origin(const struct command *command, const char *name, size_t n)
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

enum status strings_take_from(const struct command *command, const char *names, unsigned *ret)
{
	do {
		size_t n = strcspn(names, ",");
		unsigned origin = find_origin((struct pmuq_str){ .p = names, .n = n });

		if (!origin)
			return refuse_origin(command, names, n);
		*ret |= origin;
		names += n + (names[n] == ',');
	} while (*names);
	return STATUS_OK;
}

enum status strings_take_dialect(const struct command *command, const char *name,
				 enum pmuq_dialect *ret)
{
	if (strcmp(name, "perf") == 0)
		*ret = PMUQ_DIALECT_PERF;
	else if (strcmp(name, "pmuq") == 0)
		*ret = PMUQ_DIALECT_PMUQ;
	else
		return usage_error(command, "--dialect is pmuq or perf, not '%s'", name);
	return STATUS_OK;
}

static enum status take_preset(struct strings *strings, const char *name)
{
	if (strcmp(name, "stat") == 0)
		strings->options.preset = PMUQ_PRESET_STAT;
	else if (strcmp(name, "record") == 0)
		strings->options.preset = PMUQ_PRESET_RECORD;
	else
		return usage_error(strings->line->command, "--preset is stat or record, not '%s'",
				   name);
	return STATUS_OK;
}

static enum status take_option(struct strings *strings, enum option option, const char *argument)
{
	switch (option) {
	case OPTION_STRICT:
		strings->options.is_strict = true;
		return STATUS_OK;
	case OPTION_DIALECT:
		return strings_take_dialect(strings->line->command, argument,
					    &strings->options.dialect);
	case OPTION_FROM:
		return strings_take_from(strings->line->command, argument, &strings->options.from);
	case OPTION_PRESET:
		return take_preset(strings, argument);
	case OPTION_VENDOR:
		strings->vendor = argument;
		return STATUS_OK;
	default:
		return strings->take(strings, option, argument);
	}
}

/* Files come first, in their order; then the command line. */
static enum status take_all(struct strings *strings, const char *const *files, size_t n_files,
			    char **events)
{
	enum status status = strings->begin ? strings->begin(strings)
					    : encode_begin(&strings->output, strings->line);

	if (status != STATUS_OK)
		return status;
	for (size_t i = 0; i < n_files; i++)
		strings->status = status_worse(
			strings->status, lines_read(files[i], LINE_BYTES_MAX, take_line, strings));
	for (; *events; events++)
		encode_one(strings, *events, NULL, 0);
	status = strings->end ? strings->end(strings) : encode_end(&strings->output);
	return status_worse(strings->status, status);
}

static enum status open_machine(struct strings *strings, const struct cli *cli,
				const char *const *files, size_t n_files, char **events)
{
	cleanup(source_freep) struct pmuq_source *source = NULL;
	cleanup(pfm_freep) struct pmuq_pfm *pfm = NULL;
	cleanup(vendor_freep) struct pmuq_vendor *vendor = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	enum status status = source_open(cli, &source);

	if (status != STATUS_OK)
		return status;
	/* Its process starts with the first name that only it may know. */
	if (pmuq_pfm_open(NULL, &pfm, &error) < 0)
		return report_error(error, NULL);
	status = source_find_vendor(cli, source, strings->vendor, &vendor);
	if (status != STATUS_OK)
		return status;
	strings->source = source;
	strings->options.pfm = pfm;
	strings->options.vendor = vendor;
	return take_all(strings, files, n_files, events);
}

enum status strings_run(struct strings *strings, struct options *options)
{
	auto_free const char **files = calloc(options->n_words + 1, sizeof(*files));
	size_t n_files = 0;
	enum option option;
	enum status status = files ? STATUS_OK : report_failed("out of memory");

	strings->line = options;
	strings->options.size = sizeof(strings->options);
	while (status == STATUS_OK && (option = options_next(options)) != OPTION_END) {
		if (option == OPTION_STOP)
			return options->status;
		if (option == OPTION_FILE)
			files[n_files++] = options->argument;
		else
			status = take_option(strings, option, options->argument);
	}
	if (status != STATUS_OK)
		return status;
	if (!options->n_operands && n_files == 0)
		return usage_error(strings->line->command, "%s needs an event, or -f FILE",
				   strings->line->command->name);
	strings->has_files = n_files > 0;
	if (strings->gather)
		return take_all(strings, files, n_files, options->words);
	return open_machine(strings, options->cli, files, n_files, options->words);
}
