/* SPDX-License-Identifier: MIT */
/* `pmuq diff`: two machines, and what changed. What a word names is in machine_word.c, the forms of
 * the result in diff_text.c and diff_document.c. */
#include "cli/cmd.h"
#include "cli/diff/diff_output.h"
#include "cli/machine_source.h"
#include "cli/machine_word.h"
#include "cli/options.h"
#include "cli/pager.h"
#include "cli/terminal.h"
#include <string.h>

static const enum option diff_options[] = {
	OPTION_ALL,	  OPTION_WEIGHT,   OPTION_STAT, OPTION_BRIEF,
	OPTIONS_DOCUMENT, OPTION_NO_PAGER, OPTION_END,
};

enum form {
	FORM_TEXT,
	FORM_STAT,
	FORM_BRIEF,
};

struct request {
	const struct cli *cli;
	const struct command *command;
	enum form form;
	enum pmuq_weight least;
	struct output_choice output;
	const char *words[2];
};

/* ------------------------------------------------------------------------------------- answers */

static enum status print_people(const struct request *request, const struct shown_diff *shown)
{
	auto_free char *text = NULL;
	size_t n_text = 0;
	FILE *to = open_memstream(&text, &n_text);
	enum status status;

	if (!to)
		return report_failed("out of memory");
	status = request->form == FORM_STAT ? diff_print_stat(shown, to)
					    : diff_print_text(shown, to);
	if (fclose(to) != 0 || !text)
		return report_failed("out of memory");
	pager_print(text, !request->output.has_no_pager);
	return status;
}

static enum status print_brief(const struct shown_diff *shown)
{
	if (!diff_shows_some(shown))
		return STATUS_OK;
	printf("Machines ");
	print_safe(stdout, shown->words[0]);
	printf(" and ");
	print_safe(stdout, shown->words[1]);
	printf(" differ\n");
	return STATUS_OK;
}

static enum status print(const struct request *request, const struct shown_diff *shown)
{
	if (request->output.form != DOCUMENT_NONE)
		return diff_print_document(shown, request->output.form);
	return request->form == FORM_BRIEF ? print_brief(shown) : print_people(request, shown);
}

/* ---------------------------------------------------------------------------------- comparison */

/* What could not be read may be missing from the comparison: people are to know. */
static void note_problems(const struct shown_diff *shown)
{
	for (int i = 0; i < 2; i++) {
		size_t n = pmuq_catalog_machine(shown->machines[i])->n_problems;

		if (n)
			report(REPORT_NOTE, "%s: %zu file%s could not be read or understood",
			       shown->words[i], n, n == 1 ? "" : "s");
		if (pmuq_catalog_find_fact(shown->machines[i], "incomplete"))
			report(REPORT_NOTE, "%s is an incomplete machine, from %s", shown->words[i],
			       pmuq_catalog_find_fact(shown->machines[i], "incomplete"));
	}
}

static enum status compare(const struct request *request, const struct pmuq_catalog *before,
			   const struct pmuq_catalog *after)
{
	cleanup(check_freep) struct pmuq_check *own_before = NULL;
	cleanup(check_freep) struct pmuq_check *own_after = NULL;
	cleanup(diff_freep) struct pmuq_diff *diff = NULL;
	cleanup(error_freep) struct pmuq_error *error = NULL;
	struct pmuq_diff_options options = { .size = sizeof(options) };
	struct shown_diff shown = {
		.words = { request->words[0], request->words[1] },
		.machines = { before, after },
		.least = request->least,
	};
	enum status status =
		source_find_check(request->cli, before, &own_before, &options.check_before);

	if (status == STATUS_OK)
		status = source_find_check(request->cli, after, &own_after, &options.check_after);
	if (status != STATUS_OK)
		return status;
	if (pmuq_catalog_diff(before, after, &options, &diff, &error) < 0)
		return report_error(error, NULL);
	shown.diff = diff;
	note_problems(&shown);
	status = print(request, &shown);
	if (status != STATUS_OK)
		return status;
	return diff_shows_some(&shown) ? STATUS_INVALID : STATUS_OK;
}

static enum status read_both(struct request *request)
{
	cleanup(catalog_freep) struct pmuq_catalog *before = NULL;
	cleanup(catalog_freep) struct pmuq_catalog *after = NULL;
	const struct cli *cli = request->cli;
	enum status status = machine_read(cli, request->words[0], &before);

	if (status != STATUS_OK)
		return status;
	/* One word: against the machine that the other options name. */
	status = request->words[1] ? machine_read(cli, request->words[1], &after)
				   : source_read(cli, &after);
	if (status != STATUS_OK)
		return status;
	if (!request->words[1])
		request->words[1] = cli->host ? cli->host : cli->sysroot ? cli->sysroot : "live";
	return compare(request, before, after);
}

/* ------------------------------------------------------------------------------------- options */

static const char *next_weight(const void *of, size_t index)
{
	(void)of;
	return pmuq_weight_name((enum pmuq_weight)index);
}

static enum status take_weight(struct request *request, const char *word)
{
	const char *name, *near;

	for (size_t i = 0; (name = next_weight(NULL, i)); i++)
		if (strcmp(name, word) == 0) {
			request->least = (enum pmuq_weight)i;
			return STATUS_OK;
		}
	near = nearest(word, next_weight, NULL);
	return usage_error(request->command, "--weight %s: there is no such weight%s%s%s", word,
			   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static enum status take_option(struct request *request, enum option option, const char *argument)
{
	switch (option) {
	case OPTION_ALL:
		request->least = PMUQ_WEIGHT_PASSING;
		return STATUS_OK;
	case OPTION_WEIGHT:
		return take_weight(request, argument);
	case OPTION_STAT:
		request->form = FORM_STAT;
		return STATUS_OK;
	default:
		request->form = FORM_BRIEF;
		return STATUS_OK;
	}
}

static bool is_stdin(const char *word)
{
	return strcmp(word, "-") == 0 || strncmp(word, "-#", 2) == 0;
}

static enum status run_diff(struct options *options)
{
	const struct command *command = options->command;
	const struct cli *cli = options->cli;
	struct request request = {
		.cli = cli,
		.command = command,
		.least = PMUQ_WEIGHT_ADDITION,
	};
	enum option option;
	enum status status = STATUS_OK;

	while (status == STATUS_OK && (option = options_next(options)) != OPTION_END) {
		if (option == OPTION_STOP)
			return options->status;
		status = take_option(&request, option, options->argument);
	}
	if (status != STATUS_OK)
		return status;
	request.output = options->output;
	if (!options->n_operands || options->n_operands > 2)
		return usage_error(command, "diff needs one or two machines");
	if (options->n_operands == 2 && (cli->host || cli->sysroot))
		return usage_error(
			command,
			"diff compares two machines; --host and --sysroot select a third one");
	request.words[0] = options->words[0];
	request.words[1] = options->words[1];
	if (request.words[1] && is_stdin(request.words[0]) && is_stdin(request.words[1]))
		return usage_error(command, "stdin can be read only once");
	return read_both(&request);
}

const struct command cmd_diff = {
	.name = "diff",
	.arguments = "MACHINE [MACHINE]",
	.summary = "compare two machines; breaking changes come first",
	.text = MACHINE_WORDS
	"A single machine is compared with this one, or with that of --host or --sysroot.\n"
	"Events are compared by the bits that they set. Sibling instances with the same\n"
	"changes are printed once. The exit status is 0 without a change of a printed\n"
	"weight, 1 with one, 2 for a wrong command line, 4 if a machine could not be\n"
	"read.\n\n"
	"Examples:\n"
	"  pmuq diff web01@7 web01                # what the upgrade changed\n"
	"  pmuq diff --weight breaking hosts.yaml#web01 live\n"
	"  pmuq diff --json captured/ web01 | jq '.changes[] | select(.type == \"event-bits\")'\n",
	.options = diff_options,
	.documents = diff_documents,
	.run = run_diff,
};
