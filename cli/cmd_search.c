/* SPDX-License-Identifier: MIT */
/* `pmuq search`: events of vendors' tables by words, the best first. */
#include "cli/cmd.h"
#include "cli/options.h"
#include "cli/report.h"
#include "cli/source.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include <string.h>

enum {
	KEY_LIMIT = OPTION_LONG,
};

#define LIMIT_USUAL 20

static const struct option_row search_options[] = {
	{ 'J', "json", NULL, "JSON" },
	{ KEY_LIMIT, "limit", "N", "at most N events; 20 by default" },
};

struct found_row {
	const struct pmuq_found *found;
	size_t index;
};

static void found_freep(struct pmuq_found **found)
{
	pmuq_found_free(*found);
}

static char *text_of(const char *text)
{
	return text && *text ? strdup(text) : NULL;
}

#define CELL(name) static char *cell_##name(const void *of)
#define ROW ((const struct found_row *)of)

CELL(cpus)
{
	return text_of(pmuq_found_folders(ROW->found, ROW->index));
}

/* The first one, and how many more. */
CELL(cpus_short)
{
	const char *folders = pmuq_found_folders(ROW->found, ROW->index);
	size_t n = strcspn(folders, ","), more = 0;
	char *text = NULL;

	for (const char *at = folders; (at = strchr(at, ',')); at++)
		more++;
	if (!more)
		return strdup(folders);
	return asprintf(&text, "%.*s +%zu", (int)n, folders, more) < 0 ? NULL : text;
}

CELL(pmu)
{
	return text_of(pmuq_found_pmu(ROW->found, ROW->index));
}

CELL(event)
{
	return text_of(pmuq_found_name(ROW->found, ROW->index));
}

CELL(terms)
{
	return text_of(pmuq_found_terms(ROW->found, ROW->index));
}

CELL(topic)
{
	return text_of(pmuq_found_topic(ROW->found, ROW->index));
}

CELL(deprecated)
{
	return strdup(pmuq_found_is_deprecated(ROW->found, ROW->index) ? "yes" : "no");
}

CELL(description)
{
	const char *text = pmuq_found_description(ROW->found, ROW->index);

	return text_of(*text ? text : pmuq_found_long_description(ROW->found, ROW->index));
}

CELL(long_description)
{
	return text_of(pmuq_found_long_description(ROW->found, ROW->index));
}

// clang-format off
static const struct column columns_plain[] = {
	{ "CPU",         16,  0,               "the folder of the CPU",      cell_cpus_short },
	{ "PMU",         12,  0,               "as the table has it",        cell_pmu },
	{ "EVENT",       24,  0,               "its name",                   cell_event },
	{ "DESCRIPTION", 0.5, COLUMN_WRAP,     "what the vendor says",       cell_description },
};

static const struct column columns_json[] = {
	{ "CPU",         0, 0,                 "the folders of the CPUs",    cell_cpus },
	{ "PMU",         0, 0,                 "as the table has it",        cell_pmu },
	{ "EVENT",       0, 0,                 "its name",                   cell_event },
	{ "TERMS",       0, COLUMN_NULLABLE,   "null where CPUs differ",     cell_terms },
	{ "TOPIC",       0, COLUMN_NULLABLE,   "of the vendor",              cell_topic },
	{ "DEPRECATED",  0, COLUMN_BOOLEAN,    "another one should be used", cell_deprecated },
	{ "DESCRIPTION", 0, COLUMN_NULLABLE,   "what the vendor says",       cell_description },
	{ "MORE",        0, COLUMN_NULLABLE,   "and at length",              cell_long_description },
};
// clang-format on

struct search_run {
	const struct command *command;
	const struct cli *cli;
	bool wants_json;
	size_t limit;
};

static bool fill(const struct search_run *run, struct table *table, const struct pmuq_found *found)
{
	const struct column *columns = run->wants_json ? columns_json : columns_plain;
	size_t n = run->wants_json ? COUNT(columns_json) : COUNT(columns_plain);

	for (size_t i = 0; i < n; i++)
		if (!table_add_column(table, &columns[i]))
			return false;
	for (size_t i = 0; i < pmuq_found_count(found); i++)
		if (!table_add_row(table, &(struct found_row){ .found = found, .index = i }))
			return false;
	return table_print(table, stdout);
}

static int print_found(const struct search_run *run, const struct pmuq_found *found,
		       const char *words)
{
	struct table *table = table_new("found", run->wants_json ? TABLE_JSON : TABLE_PLAIN, true);
	bool is_fine;

	if (!table)
		return STATUS_FAILED;
	table_set_width(table, run->wants_json ? 0 : terminal_columns(0));
	is_fine = fill(run, table, found);
	table_free(table);
	if (!is_fine)
		return STATUS_FAILED;
	if (pmuq_found_count(found))
		return STATUS_OK;
	report(REPORT_ERROR, "no event is found by '%s'", words);
	return STATUS_INVALID;
}

static int search(const struct search_run *run, const char *words)
{
	cleanup(store_freep) struct pmuq_store *store = NULL;
	cleanup(found_freep) struct pmuq_found *found = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	auto_free char *path = source_db_path(run->cli);

	if (!path)
		return STATUS_FAILED;
	if (pmuq_store_open(path, PMUQ_STORE_READ, &store, &error) < 0 ||
	    pmuq_store_search(store, words, run->limit, &found, &error) < 0)
		return report_error(error, NULL);
	return print_found(run, found, words);
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

	for (; *text >= '0' && *text <= '9' && limit < 10000; text++)
		limit = limit * 10 + (size_t)(*text - '0');
	*ret = limit;
	return !*text && limit > 0 && limit <= 10000;
}

static int run_search(struct cli *cli, const struct command *command, int argc, char **argv)
{
	struct search_run run = { .cli = cli, .command = command, .limit = LIMIT_USUAL };
	auto_free char *words = NULL;
	struct options options;
	int key;

	options_begin(&options, cli, command, argc, argv);
	while ((key = options_next(&options)) != OPTIONS_END) {
		if (key == OPTIONS_STOP)
			return options.status;
		if (key == 'J')
			run.wants_json = true;
		else if (!read_limit(optarg, &run.limit))
			return usage_error(command, "--limit %s is no number from 1 to 10000",
					   optarg);
	}
	if (optind == argc)
		return usage_error(command, "search wants words");
	words = join_words(argv + optind, argc - optind);
	if (!words)
		return report_failed("out of memory");
	return search(&run, words);
}

const struct command cmd_search = {
	.name = "search",
	.arguments = "WORD...",
	.summary = "find events of vendors' tables by words in names and descriptions",
	.text = "All words are looked for, also as the beginning of a longer one, and in any "
		"form (\"misses\"\n"
		"finds \"miss\"); where that finds nothing, any of them. The best come first: "
		"names weigh more\n"
		"than descriptions. Nothing is found: exit status 1. `pmuq vendor import` brings "
		"tables.\n"
		"\nExamples:\n"
		"  pmuq search l3 miss\n"
		"  pmuq search -J --limit 100 mem_load_retired\n",
	.options = search_options,
	.n_options = COUNT(search_options),
	.run = run_search,
};
