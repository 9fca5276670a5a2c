/* SPDX-License-Identifier: MIT */
/*
 * The run of a command that processes event strings: it reads the options, opens the machine, and
 * processes each string. An invalid string does not end the run; the worst status is the status of
 * the command.
 */
#include "cli/events/event_strings.h"
#include "cli/events/encode_ahead.h"
#include "cli/events/lines.h"
#include "cli/machine_word.h"
#include "cli/or_die.h"
#include "cli/served.h"
#include "core/vec.h"
#include <limits.h>
#include <string.h>

void strings_refuse(struct strings *strings, struct result *result, const struct pmuq_error *error)
{
	result->encodings = NULL;
	result->error = error;
	served_count_search();
	strings->status = status_worse(strings->status, report_status(error->code));
}

static void print(struct strings *strings, struct result *result)
{
	if (strings->print)
		strings->print(strings, result);
	else
		encode_print(&strings->output, result);
}

/* A group that never counts is a warning, which may be an error. */
static void take_fit(struct strings *strings, struct result *result, const struct pmuq_fit *fit)
{
	const struct pmuq_fit_set *set;

	result->fit = fit;
	if (!fit || !strings->options.is_strict)
		return;
	for (size_t i = 0; result->encodings && (set = pmuq_fit_get(fit, i)); i++)
		if (set->warning)
			strings_refuse(strings, result, set->warning);
}

/* The result of a string, and its location in the input. */
static void take_encoded(struct strings *strings, const struct encoded *encoded, const char *text,
			 const char *file, size_t line)
{
	struct result result = {
		.input = text,
		.file = file,
		.line = line,
		.source = strings->source,
		.metric_list = SIZE_MAX,
	};

	if (encoded->encodings)
		result.encodings = encoded->encodings;
	else
		strings_refuse(strings, &result, encoded->error);
	take_fit(strings, &result, encoded->fit);
	print(strings, &result);
}

/* The result lives until it is printed. */
static void encode_one(struct strings *strings, const char *text, const char *file, size_t line)
{
	struct encoded encoded = { 0 };

	if (strings->gather) {
		strings->gather(strings, text, file, line);
		return;
	}
	encoded_make(strings->source, text, &strings->options, &encoded);
	take_encoded(strings, &encoded, text, file, line);
	encoded_clear(&encoded);
}

/* Several strings, in their order; a long list in two threads. `lines` are their lines in the file,
 * NULL for operands. A call of the daemon must not keep its other clients waiting for a reply that
 * is not sent. */
static void take_texts(struct strings *strings, char *const *texts, size_t n, const char *file,
		       const size_t *lines)
{
	struct encode_ahead *ahead = NULL;

	if (strings->encodes_ahead)
		ahead = encode_ahead_start(strings->source, &strings->options, texts, n);
	for (size_t i = 0; i < n && !served_is_over(); i++) {
		size_t line = lines ? lines[i] : 0;

		if (ahead)
			take_encoded(strings, encode_ahead_next(ahead), texts[i], file, line);
		else
			encode_one(strings, texts[i], file, line);
	}
	encode_ahead_free(ahead);
}

/* The strings of a file that are in its buffer. */
struct block {
	PQ_VEC(char *);
	PQ_VEC(size_t) lines;
	struct strings *strings;
	const char *file;
};

static void use_block(void *of)
{
	struct block *block = of;

	take_texts(block->strings, block->v, block->n, block->file, block->lines.v);
	block->n = block->lines.n = 0;
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
	struct block *block = of;
	struct result result = {
		.input = text, .file = file, .line = line, .metric_list = SIZE_MAX
	};
	size_t n = strlen(text);

	block->file = file;
	if (n < n_bytes) {
		use_block(block);
		refuse_line(block->strings, &result, n);
		return;
	}
	text = lines_event(text);
	if (!*text)
		return;
	or_die(pq_vec_push(block, text) && pq_vec_push(&block->lines, line) ? text : NULL);
}

static enum status take_file(struct strings *strings, const char *path)
{
	struct block block = { .strings = strings };
	enum status status = lines_read(path, PQ_LINE_MAX_BYTES, take_line, use_block, &block);

	free(block.v);
	free(block.lines.v);
	return status;
}

/* The words that a command takes in --from. */
struct sources {
	const char *command;
	unsigned allowed;
	bool takes_all;
};

static const char *next_source(const void *of, size_t index)
{
	const struct sources *sources = of;
	const char *name;

	for (size_t i = 0; (name = pmuq_origin_name((enum pmuq_origin)(1u << i))); i++)
		if (sources->allowed >> i & 1 && !index--)
			return name;
	return sources->takes_all && !index ? STRINGS_ALL_SOURCES : NULL;
}

/* The bit of the source of that name, or 0. */
static unsigned find_origin(struct pmuq_str name)
{
	const char *known;

	for (size_t i = 0; (known = pmuq_origin_name((enum pmuq_origin)(1u << i))); i++)
		if (str_eq(str_of(known), name))
			return 1u << i;
	return 0;
}

static enum status refuse_source(const struct sources *sources, struct pmuq_str name)
{
	cleanup(pq_buf_free) struct pq_buf list = PQ_BUF_NULL;
	auto_free char *word = or_die(strndup(name.p, name.n));
	const char *near = find_origin(name) ? NULL : nearest(word, next_source, sources);
	const char *source;

	if (near)
		return usage_error("--from has no source '%s'; did you mean '%s'?", word, near);
	for (size_t i = 0; (source = next_source(sources, i)); i++)
		pq_buf_list(&list, 0, str_of(source));
	return usage_error("%s has no events of a source '%s'; there are %s", sources->command,
			   word, text_or_die(&list));
}

static enum status take_sources(const struct sources *sources, const char *names, bool *ret_all,
				unsigned *ret)
{
	struct pmuq_str rest = str_of(names), name;

	while (str_next(&rest, ',', &name)) {
		unsigned origin = find_origin(name) & sources->allowed;

		/* A comma at the end is not an error. */
		if (!name.n && !rest.p && *names)
			break;
		if (sources->takes_all && str_eq(name, str_of(STRINGS_ALL_SOURCES))) {
			*ret_all = true;
			origin = sources->allowed;
		}
		if (!origin)
			return refuse_source(sources, name);
		*ret |= origin;
	}
	return STATUS_OK;
}

enum status strings_take_sources(const struct options *options, unsigned allowed, bool *ret_all,
				 unsigned *ret)
{
	const struct sources sources = { .command = options->command->name,
					 .allowed = allowed,
					 .takes_all = ret_all };
	enum status status = STATUS_OK;

	*ret = 0;
	for (size_t i = 0; status == STATUS_OK && i < options->taken.n; i++)
		if (options->taken.v[i].option == OPTION_FROM)
			status = take_sources(&sources, options->taken.v[i].argument, ret_all, ret);
	return status;
}

enum status strings_take_from(const struct options *options, unsigned *ret)
{
	return strings_take_sources(options, UINT_MAX, NULL, ret);
}

enum pmuq_dialect strings_dialect(const struct options *options)
{
	return option_choice(options, OPTION_DIALECT) == 2 ? PMUQ_DIALECT_PERF : PMUQ_DIALECT_PMUQ;
}

/* The names of all --metric, separated by commas. */
static char *metric_names(const struct options *options)
{
	struct pq_buf names = PQ_BUF_NULL;

	for (size_t i = 0; i < options->taken.n; i++)
		if (options->taken.v[i].option == OPTION_METRIC) {
			if (names.n)
				pq_buf_char(&names, ',', 1);
			pq_buf_add(&names, str_of(options->taken.v[i].argument));
		}
	return or_die(pq_buf_take(&names));
}

static struct pmuq_metric_options metric_options(const struct options *options)
{
	return (struct pmuq_metric_options){
		.size = sizeof(struct pmuq_metric_options),
		.without_thresholds = option_is_set(options, OPTION_NO_THRESHOLDS),
		.without_groups = option_is_set(options, OPTION_NO_GROUPS),
		.without_sharing = option_is_set(options, OPTION_NO_SHARING),
	};
}

/* The names of each --metric are one item of an audit. */
static void gather_metrics(struct strings *strings)
{
	const struct options *options = strings->line;
	const struct pmuq_metric_options plan = metric_options(options);

	for (size_t i = 0; i < options->taken.n; i++)
		if (options->taken.v[i].option == OPTION_METRIC)
			strings->gather_metrics(strings, options->taken.v[i].argument, &plan);
}

static enum status plan_metrics(struct strings *strings)
{
	const struct options *options = strings->line;
	const struct pmuq_metric_options plan = metric_options(options);
	auto_free char *names = metric_names(options);

	return planned_open(&strings->planned, &options->cli, strings->source,
			    option_value(options, OPTION_VENDOR), names, strings->options, &plan);
}

/* The lists of a plan are printed like event strings. */
static void take_metrics(struct strings *strings)
{
	const struct pmuq_metric_list *list;

	metric_results_begin(&strings->metrics, &strings->planned);
	for (size_t i = 0; (list = pmuq_metric_plan_list(strings->planned.plan, i)); i++) {
		struct result result = {
			.input = list->string.p,
			.source = strings->source,
			.encodings = list->encodings,
			.metric_list = i,
		};

		print(strings, &result);
	}
	strings->status = status_worse(strings->status, planned_report(&strings->planned));
}

/* Files come first, in their order; then the command line, then metrics. */
static enum status take_all(struct strings *strings)
{
	const struct options *options = strings->line;
	bool has_metrics = option_is_set(options, OPTION_METRIC);
	enum status status = has_metrics && !strings->gather ? plan_metrics(strings) : STATUS_OK;

	/* A plan that fails leaves no document that was begun. */
	if (status == STATUS_OK)
		status = strings->begin ? strings->begin(strings)
					: encode_begin(&strings->output, options);
	if (status != STATUS_OK)
		return status;
	for (size_t i = 0; i < options->taken.n; i++)
		if (options->taken.v[i].option == OPTION_FILE) {
			/* First, since it changes the status, too. */
			status = take_file(strings, options->taken.v[i].argument);
			strings->status = status_worse(strings->status, status);
		}
	take_texts(strings, options->operands, options->n_operands, NULL, NULL);
	if (has_metrics && strings->gather)
		gather_metrics(strings);
	else if (has_metrics)
		take_metrics(strings);
	status = strings->end ? strings->end(strings) : encode_end(&strings->output);
	return status_worse(strings->status, status);
}

/* A file has many strings, and the daemon many requests: all events are worth loading then. */
static enum status find_vendor(struct strings *strings, struct pmuq_source *source,
			       struct pmuq_vendor **ret)
{
	const struct options *line = strings->line;
	const char *vendor = option_value(line, OPTION_VENDOR);

	return served || option_is_set(line, OPTION_FILE)
		       ? source_find_vendor(&line->cli, source, vendor, false, ret)
		       : source_find_lazy_vendor(&line->cli, source, vendor, false,
						 &strings->planned.vendor);
}

/* The machine, and the sources of names besides its files. */
static enum status open_machine(struct strings *strings, const struct options *options)
{
	cleanup(pmuq_source_freep) struct pmuq_source *source = NULL;
	cleanup(pfm_closep) struct pmuq_pfm *pfm = NULL;
	cleanup(vendor_closep) struct pmuq_vendor *all_events = NULL;
	cleanup(pmuq_error_freep) struct pmuq_error *error = NULL;
	enum status status = source_open(&options->cli, &source);

	if (status != STATUS_OK)
		return status;
	/* The helper process starts with the first name that only libpfm4 may have. */
	if (pfm_open(&pfm, &error) < 0)
		return report_error(error, NULL);
	status = find_vendor(strings, source, &all_events);
	if (status == STATUS_OK) {
		strings->source = source;
		strings->options.pfm = pfm;
		strings->options.vendor = all_events ? all_events : strings->planned.vendor;
		status = take_all(strings);
	}
	metric_results_clear(&strings->metrics);
	planned_close(&strings->planned);
	return status;
}

enum status strings_run(struct strings *strings, const struct options *options)
{
	struct pmuq_encode_options *encode = &strings->options;
	enum status status = strings_take_from(options, &encode->from);

	if (status != STATUS_OK)
		return status;
	if (!options->n_operands && !option_is_set(options, OPTION_FILE) &&
	    !option_is_set(options, OPTION_METRIC))
		return usage_error("%s needs an event, -f FILE or --metric NAMES",
				   options->command->name);
	strings->line = options;
	encode->size = sizeof(*encode);
	encode->is_strict = option_is_set(options, OPTION_STRICT);
	encode->is_as_written = option_is_set(options, OPTION_AS_WRITTEN);
	encode->accepts_other_cpus = option_is_set(options, OPTION_ANY_CPU);
	encode->is_system_wide = option_is_set(options, OPTION_SYSTEM_WIDE);
	encode->dialect = strings_dialect(options);
	/* The choices are the enumerators in their order, without the default. */
	encode->preset = (enum pmuq_preset)option_choice(options, OPTION_PRESET);
	encode->privilege = (enum pmuq_privilege)option_choice(options, OPTION_PRIVILEGE);
	return strings->gather ? take_all(strings) : open_machine(strings, options);
}
