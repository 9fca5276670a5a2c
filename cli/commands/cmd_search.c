/* SPDX-License-Identifier: MIT */
/* `pmuq search`: events of all sources by words, the best first. */
#include "cli/events/event_strings.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/tables/search_rows.h"
#include "cli/terminal.h"
#include <string.h>

enum {
	KEY_LIMIT = OPTION_LONG,
	KEY_FROM,
};

#define LIMIT_USUAL 20
#define LIMIT_MAX 10000

static const struct option_row search_options[] = {
	{ 'J', "json", NULL, "JSON" },
	{ 'r', "raw", NULL, "one blank between columns, blanks in texts as \\x20" },
	{ 'n', "noheadings", NULL, "no line of headings" },
	{ KEY_LIMIT, "limit", "N", "at most N events; 20 by default" },
	{ KEY_FROM, "from", "LIST", "events of these sources: " LIST_SOURCES },
};

#define ROW ((const struct search_row *)of)

CELL(source)
{
	return list_text_of(pmuq_origin_name(ROW->origin));
}

CELL(cpus)
{
	return list_text_of(ROW->cpus);
}

/* The first one, and how many more. */
CELL(cpus_short)
{
	size_t n = ROW->cpus ? strcspn(ROW->cpus, ",") : 0, more = 0;
	char *text = NULL;

	if (ROW->is_here || !n)
		return list_text_of(ROW->is_here ? "here" : NULL);
	for (const char *at = ROW->cpus; (at = strchr(at, ',')); at++)
		more++;
	if (!more)
		return strdup(ROW->cpus);
	return asprintf(&text, "%.*s +%zu", (int)n, ROW->cpus, more) < 0 ? NULL : text;
}

CELL(here)
{
	return list_claim_of(ROW->is_here);
}

CELL(pmu)
{
	return list_text_of(ROW->pmu);
}

CELL(event)
{
	return list_text_of(ROW->name);
}

/* As `encode` takes it where the name alone would not tell. */
CELL(event_short)
{
	return list_text_of(ROW->origin == PMUQ_FROM_PFM ? ROW->string : ROW->name);
}

CELL(string)
{
	return list_text_of(ROW->string);
}

CELL(terms)
{
	return list_text_of(ROW->terms);
}

CELL(topic)
{
	return list_text_of(ROW->topic);
}

CELL(deprecated)
{
	return list_claim_of(ROW->is_deprecated);
}

CELL(match)
{
	static const char *const names[] = { "name", "all", "any" };

	return strdup(names[ROW->match.match]);
}

CELL(description)
{
	bool is_told = ROW->description && *ROW->description;

	return list_text_of(is_told ? ROW->description : ROW->more);
}

CELL(more)
{
	return list_text_of(ROW->more);
}

// clang-format off
static const struct column columns_plain[] = {
	{ "SOURCE",      7,   0,               "where the name comes from",     cell_source },
	{ "CPU",         10,  0,               "whose it is, as imported; or here", cell_cpus_short },
	{ "PMU",         8,   0,               "the PMU that has it",           cell_pmu },
	{ "EVENT",       24,  0,               "its name",                      cell_event_short },
	{ "DESCRIPTION", 0.5, COLUMN_WRAP,     "what the vendor says",          cell_description },
};

static const struct column columns_json[] = {
	{ "SOURCE",      0, 0,                 "where the name comes from",     cell_source },
	{ "CPU",         0, COLUMN_NULLABLE,   "the folders of the CPUs",       cell_cpus },
	{ "HERE",        0, COLUMN_BOOLEAN,    "of the machine or its CPU",     cell_here },
	{ "PMU",         0, 0,                 "the PMU that has it",           cell_pmu },
	{ "EVENT",       0, 0,                 "its name",                      cell_event },
	{ "STRING",      0, 0,                 "as encode takes it",            cell_string },
	{ "TERMS",       0, COLUMN_NULLABLE,   "null where CPUs differ",        cell_terms },
	{ "TOPIC",       0, COLUMN_NULLABLE,   "of the vendor",                 cell_topic },
	{ "DEPRECATED",  0, COLUMN_BOOLEAN,    "another one should be used",    cell_deprecated },
	{ "MATCH",       0, 0,                 "where the words stand",         cell_match },
	{ "DESCRIPTION", 0, COLUMN_NULLABLE,   "what the vendor says",          cell_description },
	{ "MORE",        0, COLUMN_NULLABLE,   "and at length",                 cell_more },
};
// clang-format on

struct search_run {
	const struct command *command;
	struct search_query query;
	enum table_style style;
	bool has_headings;
};

static bool fill(const struct search_run *run, struct table *table, const struct search_rows *rows)
{
	bool is_json = run->style == TABLE_JSON;
	const struct column *columns = is_json ? columns_json : columns_plain;
	size_t n = is_json ? COUNT(columns_json) : COUNT(columns_plain);

	for (size_t i = 0; i < n; i++)
		if (!table_add_column(table, &columns[i]))
			return false;
	for (size_t i = 0; i < rows->n; i++)
		if (!table_add_row(table, &rows->at[i]))
			return false;
	return table_print(table, stdout);
}

static int say_nothing(const struct search_run *run, const struct search_rows *rows)
{
	report(REPORT_ERROR, "no event is found by '%s'", run->query.text);
	if (!rows->has_imports && (!run->query.from || run->query.from & PMUQ_FROM_JSON))
		report(REPORT_NOTE, "`pmuq vendor import` brings the names of vendors' manuals");
	return STATUS_INVALID;
}

static int print_rows(const struct search_run *run, const struct search_rows *rows)
{
	struct table *table;
	bool is_fine;

	if (!rows->n && run->style != TABLE_JSON)
		return say_nothing(run, rows);
	table = table_new("found", run->style, run->has_headings);
	if (!table)
		return STATUS_FAILED;
	table_set_width(table, run->style == TABLE_PLAIN ? terminal_columns(0) : 0);
	is_fine = fill(run, table, rows);
	table_free(table);
	if (!is_fine)
		return STATUS_FAILED;
	return rows->n ? STATUS_OK : say_nothing(run, rows);
}

static int search(const struct search_run *run, const struct cli *cli)
{
	struct search_rows rows = { 0 };
	int status = search_rows_find(&rows, cli, &run->query);

	if (status == STATUS_OK)
		status = print_rows(run, &rows);
	search_rows_clear(&rows);
	return status;
}

/* The words of the command line, with blanks between. */
static char *join_words(char **words, int n)
{
	size_t size = 0;
	char *text = NULL;
	FILE *to = open_memstream(&text, &size);

	for (int i = 0; to && i < n; i++)
		fprintf(to, "%s%s", i ? " " : "", words[i]);
	if (to && fclose(to) == 0)
		return text;
	free(text);
	return NULL;
}

static bool read_limit(const char *text, size_t *ret)
{
	size_t limit = 0;

	for (; *text >= '0' && *text <= '9' && limit < LIMIT_MAX; text++)
		limit = limit * 10 + (size_t)(*text - '0');
	*ret = limit;
	return !*text && limit > 0 && limit <= LIMIT_MAX;
}

/* Answers a status. */
static int take_option(struct search_run *run, int key)
{
	switch (key) {
	case 'J':
		run->style = TABLE_JSON;
		return STATUS_OK;
	case 'r':
		run->style = TABLE_RAW;
		return STATUS_OK;
	case 'n':
		run->has_headings = false;
		return STATUS_OK;
	case KEY_FROM:
		return ask_take_from(run->command, optarg, &run->query.from);
	default:
		if (read_limit(optarg, &run->query.limit))
			return STATUS_OK;
		return usage_error(run->command, "--limit %s is no number from 1 to %d", optarg,
				   LIMIT_MAX);
	}
}

static int read_words(struct search_run *run)
{
	if (!*run->query.text)
		return usage_error(run->command, "search wants words");
	if (!search_words_read(&run->query.words, run->query.text))
		return report_failed("out of memory");
	if (!run->query.words.n)
		return usage_error(run->command, "search wants words, not punctuation alone");
	return STATUS_OK;
}

static int run_search(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct search_run run = { .command = command,
				  .has_headings = true,
				  .query = { .limit = LIMIT_USUAL } };
	auto_free char *words = NULL;
	struct options options;
	int key, status = STATUS_OK;

	options_begin(&options, cli, command, argc, argv);
	while (status == STATUS_OK && (key = options_next(&options)) != OPTIONS_END) {
		if (key == OPTIONS_STOP)
			return options.status;
		status = take_option(&run, key);
	}
	if (status != STATUS_OK)
		return status;
	if (run.query.from & ~(unsigned)LIST_SOURCES_MASK)
		return usage_error(command, "what can be searched is of %s", LIST_SOURCES);
	run.query.text = words = join_words(argv + optind, argc - optind);
	status = words ? read_words(&run) : report_failed("out of memory");
	if (status == STATUS_OK)
		status = search(&run, cli);
	search_words_clear(&run.query.words);
	return status;
}

const struct command cmd_search = {
	.name = "search",
	.arguments = "WORD...",
	.summary = "find events of all sources by words in names and descriptions",
	.text = "All words are looked for, also as the beginning of a longer one, and without\n"
		"their ending (\"misses\" finds \"miss\"); where that finds nothing, any of them.\n"
		"The machine's own come first, then those of other CPUs; of both, words in the\n"
		"name before words in what is said of it. Looked through are the machine's\n"
		"files, the generic events, libpfm4's names for its CPU, and all that `pmuq\n"
		"vendor import` brought. Nothing is found: exit status 1.\n\n"
		"Examples:\n"
		"  pmuq search l3 miss\n"
		"  pmuq --host web01 search --from sysfs,json cas count\n"
		"  pmuq search -J --limit 100 mem_load_retired\n",
	.options = search_options,
	.n_options = COUNT(search_options),
	.run = run_search,
};
