/* SPDX-License-Identifier: MIT */
/* What the placeholders in help texts and usage lines stand for: commands, columns, hosts … */
#include "cli/complete/complete.h"
#include "cli/events/event_strings.h"
#include "cli/or_die.h"
#include "cli/output/columns.h"
#include "cli/tables/list.h"
#include "cli/tables/search_rows.h"
#include <ctype.h>
#include <limits.h>
#include <string.h>
#include <strings.h>

/* With their summaries, as in the overview of the help. */
static void offer_commands(struct line_completion *completion)
{
	for (size_t i = 0; i < commands_count; i++)
		complete_offer(completion, 0, commands[i]->name, "", NULL, commands[i]->summary);
}

/* Codes of errors, as `pmuq help` takes them. */
static void offer_codes(struct line_completion *completion)
{
	unsigned code;

	for (size_t i = 0; (code = pmuq_code_at(i)) != 0; i++) {
		char number[16];

		snprintf(number, sizeof(number), "PMUQ-%03u", code);
		complete_offer(completion, 0, number, "", NULL, pmuq_code_name(code));
	}
}

/* Where the last word of a comma-separated list begins. */
static size_t last_part(const char *list)
{
	const char *comma = strrchr(list, ',');

	return comma ? (size_t)(comma - list) + 1 : 0;
}

/* Whether the word is in the first n_list bytes of a comma-separated list, in any case. */
static bool is_listed(const char *list, size_t n_list, const char *word)
{
	size_t n = strlen(word);

	for (const char *end = list + n_list; list < end; list += strcspn(list, ",") + 1)
		if (strcspn(list, ",") == n && strncasecmp(list, word, n) == 0)
			return true;
	return false;
}

/* Columns match in any case: they are offered in the case of the word. */
static void offer_column(struct line_completion *completion, size_t keep, const struct field *field)
{
	bool is_lower = islower((unsigned char)completion->word[keep]);
	auto_free char *title =
		or_die(is_lower ? strdup(field->name.p) : column_title(field->name));

	complete_offer(completion, keep, title, "", NULL, field->help);
}

/* The requested type of `list`; NULL: the first operand is not a type. */
static const struct list_type *list_type_of(const struct line_completion *completion)
{
	if (!completion->options.n_operands)
		return list_types[0];
	return list_type_find(completion->options.operands[0]);
}

/* The records of the command; for `list`, those of the requested type. */
static const struct record_type *columns_of(const struct line_completion *completion)
{
	const struct list_type *type = list_type_of(completion);

	if (completion->options.command != &cmd_list)
		return completion->options.command->documents
			       ? completion->options.command->documents[0]->row
			       : NULL;
	return type ? type->document->row : NULL;
}

static void offer_columns(struct line_completion *completion)
{
	const struct record_type *record = columns_of(completion);
	size_t keep = last_part(completion->word), begin = *completion->word == '+';
	const struct field *field;

	if (keep < begin)
		keep = begin;
	for (size_t i = 0; record && (field = record_field(record, i)); i++) {
		if (field_is_column(field) &&
		    !is_listed(completion->word + begin, keep - begin, field->name.p))
			offer_column(completion, keep, field);
	}
}

/* Sources of names; list and search support fewer of them. */
static void offer_origins(struct line_completion *completion)
{
	const struct command *command = completion->options.command;
	unsigned from = command == &cmd_list	 ? LIST_SOURCES_MASK
			: command == &cmd_search ? SEARCH_SOURCES_MASK
						 : UINT_MAX;
	size_t keep = last_part(completion->word);

	if (command == &cmd_list)
		complete_offer(completion, 0, STRINGS_ALL_SOURCES, "", NULL, NULL);
	for (unsigned origin = 1; origin <= PMUQ_FROM_JSON; origin <<= 1) {
		const char *name = pmuq_origin_name((enum pmuq_origin)origin);

		if ((origin & from) && !is_listed(completion->word, keep, name))
			complete_offer(completion, keep, name, "", NULL, NULL);
	}
}

/* The words of --color. */
static void offer_colors(struct line_completion *completion)
{
	complete_offer(completion, 0, "auto", "", NULL, "on a terminal");
	complete_offer(completion, 0, "always", "", NULL, NULL);
	complete_offer(completion, 0, "never", "", NULL, NULL);
}

static void offer_weights(struct line_completion *completion)
{
	const char *name;

	for (unsigned i = 0; (name = pmuq_weight_name((enum pmuq_weight)i)); i++)
		complete_offer(completion, 0, name, "", NULL, NULL);
}

/* What MACHINE_WORDS (machine_word.h) describes. */
static void offer_machines(struct line_completion *completion)
{
	complete_offer(completion, 0, "live", "", NULL, "this machine");
	complete_files(completion, false);
	complete_hosts(completion);
}

/* `show` takes PMUs and event strings. */
static void offer_shown(struct line_completion *completion)
{
	complete_pmus(completion);
	complete_event(completion);
}

/* Facts and problems are few, and are not offered. */
static void offer_list_globs(struct line_completion *completion)
{
	const struct list_type *type = list_type_of(completion);

	if (type == &list_of_tracepoints)
		complete_tracepoints(completion);
	else if (!type || !type->is_of_catalog)
		complete_pmus(completion);
}

static void offer_files(struct line_completion *completion)
{
	complete_files(completion, false);
}

static void offer_dirs(struct line_completion *completion)
{
	complete_files(completion, true);
}

/* The first that matches. Nothing is offered for a placeholder that is not in the table. */
// clang-format off
static const struct {
	const char *name;
	const struct command *command; /* NULL: of every command */
	void (*offer)(struct line_completion *completion);
} placeholders[] = {
	{ .name = "EVENT",    .offer = complete_event },
	{ .name = "COMMAND",  .offer = offer_commands },
	{ .name = "PMUQ-NNN", .offer = offer_codes },
	{ .name = "COLUMNS",  .offer = offer_columns },
	{ .name = "FILE",     .offer = offer_files },
	{ .name = "PATH",     .offer = offer_dirs },
	{ .name = "SOCKET",   .offer = offer_files },
	{ .name = "DIR",      .offer = offer_dirs },
	{ .name = "MACHINE",  .offer = offer_machines },
	{ .name = "NAME",     .command = &cmd_show, .offer = offer_shown },
	{ .name = "NAME",     .command = &cmd_vendor, .offer = complete_imports },
	{ .name = "HOST",     .offer = complete_hosts },
	{ .name = "NAME",     .offer = complete_hosts },
	{ .name = "OLD",      .offer = complete_hosts },
	{ .name = "GLOB",     .command = &cmd_list, .offer = offer_list_globs },
	{ .name = "GLOB",     .offer = complete_hosts },
	{ .name = "CPUID",    .offer = complete_cpuids },
	{ .name = "LIST",     .offer = offer_origins },
	{ .name = "WHEN",     .offer = offer_colors },
	{ .name = "WEIGHT",   .offer = offer_weights },
};
// clang-format on

void complete_placeholder(struct line_completion *completion, const char *name, size_t n)
{
	for (size_t i = 0; i < COUNT(placeholders); i++) {
		if (strlen(placeholders[i].name) != n ||
		    memcmp(placeholders[i].name, name, n) != 0 ||
		    (placeholders[i].command &&
		     placeholders[i].command != completion->options.command))
			continue;
		completion->is_name = true;
		placeholders[i].offer(completion);
		completion->is_name = false;
		return;
	}
}
