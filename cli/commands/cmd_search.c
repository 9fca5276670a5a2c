/* SPDX-License-Identifier: MIT */
/* `pmuq search`: finds events of all sources by words, the best first. */
#include "cli/events/event_strings.h"
#include "cli/options.h"
#include "cli/or_die.h"
#include "cli/output/rows.h"
#include "cli/report.h"
#include "cli/tables/search_rows.h"
#include <string.h>

#define LIMIT_DEFAULT 20

#define ROW ((const struct search_row *)of)

/* "here", "absent" if the machine does not have its PMU, or the first CPU and the number of the
 * others. */
static bool get_cpu(const void *of, struct cell *cell)
{
	size_t n = ROW->cpus ? strcspn(ROW->cpus, ",") : 0, more = 0;

	if (ROW->is_here)
		return cell_set_text(cell, "here");
	if (ROW->is_absent)
		return cell_set_text(cell, "absent");
	for (const char *at = ROW->cpus; at && (at = strchr(at, ',')); at++)
		more++;
	if (more)
		return cell_print(cell, "%.*s +%zu", (int)n, ROW->cpus, more);
	return cell_set_text(cell, ROW->cpus);
}

/* "x86/icelakex, x86/skylakex" */
static bool get_cpus(const void *of, struct cell *cell)
{
	const char *from = ROW->cpus;

	for (size_t i = 0; from && i < cell->index; i++) {
		from = strchr(from, ',');
		from = from ? from + strspn(from, ", ") : NULL;
	}
	if (!from || !*from)
		return false;
	cell->text = (struct pmuq_str){ .p = from, .n = strcspn(from, ",") };
	return true;
}

static bool get_source(const void *of, struct cell *cell)
{
	return cell_set_text(cell, ROW->is_metric ? "metric" : pmuq_origin_name(ROW->origin));
}

/* libpfm4's names are ambiguous without their PMU. */
static bool get_event(const void *of, struct cell *cell)
{
	return cell_set_text(cell, ROW->origin == PMUQ_FROM_PFM ? ROW->string : ROW->name);
}

/* libpfm4 and some vendors have only one of the two texts. */
static bool get_description(const void *of, struct cell *cell)
{
	return cell_set_text(cell, ROW->description) || cell_set_text(cell, ROW->more);
}

static const char *const match_words[] = { "name", "all", "any", NULL };

// clang-format off
static const struct field found_fields[] = {
	{ .name = STR("source"),      .type = FIELD_TEXT, .flags = FIELD_SHOWN, .width = 7,
	  .get = get_source,          .help = "source of the name; metric: of a metric, for encode --metric" },
	{ .name = STR("cpu"),         .type = FIELD_TEXT, .flags = FIELD_SHOWN | FIELD_TABLE, .width = 10,
	  .get = get_cpu,             .help = "here; absent: the machine does not have its PMU; or the first of CPUS" },
	{ .name = STR("pmu"),         .type = FIELD_TEXT, .flags = FIELD_SHOWN, .width = 8,
	  MEMBER(struct search_row, pmu),     .help = "its PMU" },
	{ .name = STR("event"),       .type = FIELD_TEXT, .flags = FIELD_SHOWN, .width = 24,
	  .get = get_event,           .help = "its name" },
	{ .name = STR("description"), .type = FIELD_TEXT, .flags = FIELD_SHOWN | FIELD_WRAP | FIELD_NULLABLE, .percent = 50,
	  .get = get_description,     .help = "the vendor's description" },
	{ .name = STR("more"),        .type = FIELD_TEXT, .flags = FIELD_WRAP | FIELD_NULLABLE, .percent = 50,
	  MEMBER(struct search_row, more),    .help = "the vendor's long description" },
	{ .name = STR("string"),      .type = FIELD_TEXT, .width = 24,
	  MEMBER(struct search_row, string),  .help = "event string for encode" },
	{ .name = STR("terms"),       .type = FIELD_TEXT, .flags = FIELD_WRAP | FIELD_NULLABLE, .percent = 25,
	  MEMBER(struct search_row, terms),   .help = "the terms that it stands for; null if CPUs differ" },
	{ .name = STR("topic"),       .type = FIELD_TEXT, .flags = FIELD_NULLABLE, .width = 8,
	  MEMBER(struct search_row, topic),   .help = "the vendor's topic" },
	{ .name = STR("cpus"),        .type = FIELD_TEXT, .flags = FIELD_LIST | FIELD_WRAP, .percent = 30,
	  .get = get_cpus,            .help = "all CPUs that it was imported for" },
	{ .name = STR("here"),        .type = FIELD_BOOL, .width = 3,
	  MEMBER(struct search_row, is_here), .help = "an event of a PMU of the machine" },
	{ .name = STR("absent"),      .type = FIELD_BOOL, .width = 3,
	  MEMBER(struct search_row, is_absent), .help = "of the machine's CPU, on a PMU that the machine does not have" },
	{ .name = STR("deprecated"),  .type = FIELD_BOOL, .width = 3,
	  MEMBER(struct search_row, is_deprecated), .help = "the vendor advises another one" },
	{ .name = STR("match"),       .type = FIELD_TEXT, .width = 4, WORDS(match_words),
	  MEMBER(struct search_row, match.match), .help = "name: all words are in the name; all: in the texts; any: some" },
};
// clang-format on

static const struct record_type found_record = { .name = "event", FIELDS(found_fields) };

static const struct document_type search_document = {
	.name = "search",
	.title = "pmuq search",
	.rows = "events",
	.row = &found_record,
	.is_table = true,
};

/* The most common reason is that no vendor table was imported. */
static enum status report_nothing(const struct search_query *query, const struct search_rows *rows)
{
	report(REPORT_ERROR, "no event matches '%s'", query->text);
	if (rows->needs_import && (!query->from || query->from & PMUQ_FROM_JSON))
		report(REPORT_NOTE, "`pmuq vendor import` imports the names of vendors' manuals");
	return STATUS_INVALID;
}

/* The library ranks within a source; search_rows_find() merges the sources. */
static enum status search(const struct options *options, const struct search_query *query)
{
	struct search_rows found = { 0 };
	struct rows rows;
	enum status status = search_rows_find(&found, &options->cli, query);

	if (status == STATUS_OK) {
		rows_begin(&rows, &search_document, &options->output, FIELD_SHOWN);
		for (size_t i = 0; i < found.n; i++)
			rows_add(&rows, &found.v[i]);
		status = rows_end(&rows);
	}
	if (status == STATUS_OK && !found.n)
		status = report_nothing(query, &found);
	search_rows_clear(&found);
	return status;
}

/* The words of the command line, with blanks between. */
static char *join_words(char **words, size_t n)
{
	struct pq_buf text = PQ_BUF_NULL;

	for (size_t i = 0; i < n; i++)
		pq_buf_print(&text, "%s%s", i ? " " : "", words[i]);
	return or_die(pq_buf_take(&text));
}

static enum status run_search(const struct options *options)
{
	auto_free char *text = join_words(options->operands, options->n_operands);
	struct search_query query = {
		.text = text,
		.limit = (size_t)option_number(options, OPTION_LIMIT, LIMIT_DEFAULT),
	};
	enum status status = strings_take_sources(options, SEARCH_SOURCES_MASK, NULL, &query.from);

	if (status != STATUS_OK)
		return status;
	search_words_read(&query.words, text);
	status = query.words.n ? search(options, &query)
			       : usage_error("search needs a word, not only punctuation");
	search_words_clear(&query.words);
	return status;
}

const struct command cmd_search = {
	.name = "search",
	.arguments = "WORD...",
	.needs = "a word",
	.summary = "search the events of all sources by words",
	.text = "An event matches if its name or description contains all words, as they are, as\n"
		"the beginning of a longer word or in another form (misses finds miss). If none\n"
		"does, an event with any of the words matches. The machine's events come before\n"
		"those of its CPU on PMUs that it does not have (absent), and these before those\n"
		"of other CPUs; matches in names come before matches in descriptions.\n"
		"search reads the machine's files, the generic events, its tracepoints, libpfm4's\n"
		"names for its CPU, and everything that `pmuq vendor import` imported. If nothing\n"
		"matches, the exit status is 1.\n\n"
		"Examples:\n"
		"  pmuq search l3 miss\n"
		"  pmuq --host web01 search --from sysfs,json cas count\n"
		"  pmuq search -J --limit 100 mem_load_retired\n",
	.options = OPTION_LIST(OPTIONS_TABLE, OPTIONS_DOCUMENT, OPTION_LIMIT, OPTION_FROM),
	.documents = DOCUMENT_LIST(&search_document),
	.run = run_search,
};
